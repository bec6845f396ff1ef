"""Grid Hunt as the computer plays it."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import Chances, choose_best, softmax
from gridgames_server.games.grid_hunt import GRID

CELLS = tuple(range(len(GRID)))
DISTANCE = tuple(tuple(GRID.distance(a, b) for b in CELLS) for a in CELLS)
# The nine cells of one colour of a chequered board, without its corners. Scans tell least about them.
DEEP = tuple(
    cell
    for cell, (row, col) in ((cell, GRID.place(cell)) for cell in CELLS)
    if (row + col) % 2 == 0 and row % 4 + col % 4
)
FEW = 5  # with so few cells left, every order of lines is computed; a first scan in a corner leaves no more
# Weights for the second player: where to scan first, and which of the possible cells to dig. A key is a cell's distance
# from the nearest edge and from the next one. The second player must dig on the second turn. If it always scanned a
# corner, the middle would be the best place to hide. With these weights it finds a treasure by then in one game of
# three, wherever the treasure is.
FIRST_SCANS = {(0, 0): 0.675, (0, 1): 0.325}
DIGS = {(0, 0): 0.05, (0, 1): 0.48, (0, 2): 1.0, (1, 1): 1.07, (1, 2): 1.03, (2, 2): 1.25}
ERRS = 0.2  # how often the rival is assumed to dig at random
ERRS_WITH_ONE = 0.05  # the same for a rival with one cell left
DARES: dict[str, int] = {"medium": FEW, "easy": 2}  # with more cells left, a level does not dig
WARMTH: dict[str, float] = {"medium": 0.12, "easy": 1.5}  # a warmer level chooses bad lines more often


def grid_hunt(show: Show, level: Level) -> Chances:
    """Return the probability of each line: where to hide, then scans and digs, by the cells that fit all own scans.

    A miss costs only the turn, so the game is a race. Two scans in neighbouring corners often leave one cell, and the
    third turn digs there. The bot knows how far the rival is: the rival scans for the bot's own treasure, so the bot
    can compute their answers and the cells that they have left. That gives the probability of a next turn, and of one
    after it. With few cells left, every order of scans and digs is computed to the end. So `hard` digs early if the
    rival is about to find the treasure, and scans if there is time.

    Hiding: a scan tells least about nine cells (`DEEP`). A rival who knows that the treasure is in one
    of them finds it by the second turn in one game of three; anywhere on the board, in nine games of 25. `hard` hides
    there nine times in ten, and anywhere else in the tenth.

    `medium` and `easy` hide anywhere, and choose among the lines that a person would consider. The more a line loses,
    the rarer it is.
    """
    if show.view.phase == "setup":
        return choose_hiding_cell(level)
    hunt = read_view(show)
    if level == "hard":
        return choose_for_hard(hunt)
    return softmax(value_sensible_lines(hunt, DARES[level]), WARMTH[level])


def value_lines(show: Show) -> dict[str, float]:
    """Return the chance to win with each line, the useful ones first, from what the seat knows. A setup has none."""
    if show.view.phase == "setup":
        return {}
    hunt = read_view(show)
    useful = value_searches(hunt)
    return useful | value_wasted_turns(hunt, useful)


def choose_hiding_cell(level: Level) -> Chances:
    """Return the probability of each cell to hide in."""
    anywhere = 0.1 if level == "hard" else 1.0
    return {
        f"HIDE {GRID.names[cell]}": anywhere / len(CELLS) + (1 - anywhere) * (cell in DEEP) / len(DEEP)
        for cell in CELLS
    }


@dataclass(frozen=True, slots=True)
class Hunt:
    """What one seat knows: the own searches, the scans left, and how many cells the rival has left."""

    hints: tuple[tuple[int, int], ...]
    dug: frozenset[int]
    scans: int
    rival_cells: int  # number of cells that fit the rival's answers
    rival_scans: int

    def possible_cells(self) -> tuple[int, ...]:
        """Return the cells where the rival's treasure can be."""
        return find_possible_cells(self.hints, self.dug)


def find_possible_cells(hints: Sequence[tuple[int, int]], dug: Iterable[int]) -> tuple[int, ...]:
    """Return the cells that fit the scans and were not dug."""
    return tuple(cell for cell in CELLS if cell not in dug and all(DISTANCE[at][cell] == far for at, far in hints))


def read_view(show: Show) -> Hunt:
    """Read what a seat knows from its view."""
    state, at = show.view.state, GRID.names.index
    me = (show.you or 1) - 1
    dug = [frozenset(map(at, cells)) for cells in cast("Sequence[Sequence[str]]", state["dug"])]
    scanned = [tuple(map(at, cells)) for cells in cast("Sequence[Sequence[str]]", state["scanned"])]
    scans = cast("Sequence[int]", state["scans"])
    treasure = at(cast("Sequence[str]", state["treasures"])[me])
    told = [(cell, DISTANCE[cell][treasure]) for cell in scanned[1 - me]]
    return Hunt(
        hints=tuple((at(name), far) for name, far in cast("Mapping[str, int]", state["hints"]).items()),
        dug=dug[me],
        scans=scans[me],
        rival_cells=len(find_possible_cells(told, dug[1 - me])),
        rival_scans=scans[1 - me],
    )


def scan_line(cell: int) -> str:
    return f"SCAN {GRID.names[cell]}"


def dig_line(cell: int) -> str:
    return f"DIG {GRID.names[cell]}"


def group_by_answer(query: int, cells: Iterable[int]) -> list[tuple[int, ...]]:
    """Group the cells by the answer that a scan would give."""
    parts: dict[int, list[int]] = {}
    for cell in cells:
        parts.setdefault(DISTANCE[query][cell], []).append(cell)
    return [tuple(part) for part in parts.values()]


def choose_for_hard(hunt: Hunt) -> Chances:
    """Return the choice of `hard`: the line with the best chance to find the treasure in time."""
    if is_second_players_first_turn(hunt):
        return choose_first_scan()
    lines = choose_best(value_searches(hunt))
    digs = {dig_line(cell): DIGS[measure_edges(cell)] for cell in hunt.possible_cells()}
    if not lines.keys() <= digs.keys():
        return lines
    total = sum(digs[line] for line in lines)
    return {line: digs[line] / total for line in lines}


def measure_edges(cell: int) -> tuple[int, int]:
    """Return a cell's distances from the nearest edge and from the next one. Cells of one kind are mirror images."""
    near, far = sorted(min(at, 4 - at) for at in GRID.place(cell))
    return near, far


def is_second_players_first_turn(hunt: Hunt) -> bool:
    """True on the second player's first turn."""
    return len(hunt.possible_cells()) == len(CELLS) and hunt.rival_cells < len(CELLS)


def choose_first_scan() -> Chances:
    """Return the probabilities of the second player's first scan."""
    count = Counter(map(measure_edges, CELLS))
    return {
        scan_line(cell): FIRST_SCANS[measure_edges(cell)] / count[measure_edges(cell)]
        for cell in CELLS
        if measure_edges(cell) in FIRST_SCANS
    }


def value_searches(hunt: Hunt) -> dict[str, float]:
    """Return the chance to find the treasure in time with each useful line."""
    cells, race = hunt.possible_cells(), Race(estimate_turns(hunt))
    if len(cells) <= FEW:
        worth = race.value_lines(cells, 0, hunt.scans)
    else:
        worth = {dig_line(cell): race.turn_chances[0] + race.estimate(len(cells) - 1, 1, hunt.scans) for cell in cells}
        if hunt.scans:
            parts = {query: group_by_answer(query, cells) for query in CELLS}
            worth |= {
                scan_line(query): sum(race.estimate(len(part), 1, hunt.scans - 1) for part in found)
                for query, found in parts.items()
                if len(found) > 1
            }
    return {line: gain / len(cells) for line, gain in worth.items()}


def value_wasted_turns(hunt: Hunt, useful: Collection[str]) -> dict[str, float]:
    """Return the chance to find the treasure in time with each line that is not useful: it finds and rules out nothing.

    Useful scans are left out for their price: to search to the end after each of them took 98 % of an analysis.
    """
    cells, race = hunt.possible_cells(), Race(estimate_turns(hunt))

    def go_on(part: tuple[int, ...], scans: int) -> float:
        return race.value_best(part, 1, scans) if len(part) <= FEW else race.estimate(len(part), 1, scans)

    worth = {dig_line(cell): go_on(cells, hunt.scans) for cell in CELLS if cell not in cells}
    for query in CELLS if hunt.scans else ():
        if (line := scan_line(query)) not in useful:
            worth[line] = sum(go_on(part, hunt.scans - 1) for part in group_by_answer(query, cells))
    return {line: gain / len(cells) for line, gain in worth.items()}


def value_sensible_lines(hunt: Hunt, dares: int) -> dict[str, float]:
    """Return the values of the lines that a person would consider: no blind dig, no scan whose answer is known."""
    values, cells = value_searches(hunt), hunt.possible_cells()
    if len(cells) == 1 or (len(cells) > dares and hunt.scans):
        verb = "DIG" if len(cells) == 1 else "SCAN"
        return {line: chance for line, chance in values.items() if line.startswith(verb)}
    return values


def estimate_turns(hunt: Hunt) -> list[float]:
    """Return the probabilities that the rival has not found the treasure after 0, 1, 2, ... more turns.

    The rival is assumed to search well in most cases, and to dig at random in the others.
    """
    left, scans = hunt.rival_cells, hunt.rival_scans
    if left <= 2 or not scans:
        well = [max(0.0, 1 - turn / left) for turn in range(FEW + 1)]
    elif left <= FEW:
        well = [1.0, 1 - 0.5 / left, 0.1]
    else:
        well = [1.0, 1.0, 0.7, 0.1]
    well += [0.0] * (FEW + 1 - len(well))
    errs = ERRS_WITH_ONE if left == 1 else ERRS
    return [(1 - errs) * there + errs * 0.97**turn for turn, there in enumerate(well)]


@dataclass(frozen=True, slots=True)
class Race:
    """Computes searches to the end. `turn_chances` are the probabilities of turns 0, 1, 2, ... from now."""

    turn_chances: Sequence[float]
    known: dict[tuple[tuple[int, ...], int, int], float] = field(default_factory=dict)

    def value_lines(self, cells: tuple[int, ...], turn: int, scans: int) -> dict[str, float]:
        """Return the value of each sensible line: the chance to find the treasure in time, times the cells."""
        worth = {dig_line(cell): self.after_dig(cell, cells, turn, scans) for cell in cells}
        if scans and len(cells) > 2:
            worth |= {scan_line(query): value for query, value in self.after_scans(cells, turn, scans)}
        return worth

    def value_best(self, cells: tuple[int, ...], turn: int, scans: int) -> float:
        """Return the value of the best line."""
        if len(cells) == 1:
            return self.turn_chances[turn]
        key = cells, turn, scans
        if key not in self.known:
            values = [self.after_dig(cell, cells, turn, scans) for cell in cells]
            if scans and len(cells) > 2:
                values += [value for _, value in self.after_scans(cells, turn, scans)]
            self.known[key] = max(values)
        return self.known[key]

    def estimate(self, cells: int, turn: int, scans: int) -> float:
        """Estimate the value of the best line with many cells left: dig on, or scan and then dig."""
        digs = sum(self.turn_chances[turn : turn + cells])
        scanned = self.turn_chances[turn + 1] * min(cells, FEW) if scans and turn + 1 < len(self.turn_chances) else 0.0
        return max(digs, scanned)

    def after_dig(self, cell: int, cells: tuple[int, ...], turn: int, scans: int) -> float:
        rest = tuple(other for other in cells if other != cell)
        return self.turn_chances[turn] + (self.value_best(rest, turn + 1, scans) if rest else 0.0)

    def after_scans(self, cells: tuple[int, ...], turn: int, scans: int) -> Iterable[tuple[int, float]]:
        for query in CELLS:
            parts = group_by_answer(query, cells)
            if len(parts) > 1:
                yield query, sum(self.value_best(part, turn + 1, scans - 1) for part in parts)
