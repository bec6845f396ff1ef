"""Grid Hunt as the computer plays it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import happens, pick
from gridgames_server.games.game import Chance
from gridgames_server.games.grid_hunt import GRID

CELLS = tuple(range(len(GRID)))
DISTANCE = tuple(tuple(GRID.distance(a, b) for b in CELLS) for a in CELLS)
# The nine cells of one colour of a chequered board that are not its corners: scans tell least about them.
DEEP = tuple(
    cell
    for cell, (row, col) in ((cell, GRID.place(cell)) for cell in CELLS)
    if (row + col) % 2 == 0 and row % 4 + col % 4
)
FEW = 5  # cells that are thought through to the end; a first scan in a corner leaves no more


def grid_hunt(show: Show, level: Level, chance: Chance) -> str:
    """Hide, then scan or dig, by the cells that fit all own scans and were not dug.

    A dig costs nothing but the turn, so finding is a race: two scans in neighbouring corners tell the cell, and the
    third turn digs it up. Where the rival stands in this race is no secret. They scan for the treasure whose place one
    knows, so their answers, and the cells that are left to them, can be counted. `hard` turns that into the chances
    that there will be a next turn, and one after it, and with few cells left thinks every order of scans and digs
    through to the end. So it digs for one of three or more when the rival is about to find, and scans when there is
    time. Luck keeps its share: who digs anywhere in every other turn finds in one turn of fifty, and no way to search
    wins more than 95.4 % of the games against that.

    Hiding: on the nine cells of one colour that are not corners a scan tells least. Whoever knows that they hold the
    treasure still finds it by the second turn in one game of three, and anywhere on the board in nine of 25. `hard`
    hides there nine times in ten, and anywhere else in the tenth.

    `medium` hides anywhere, takes the best of three scans, digs when three cells are left, and at times acts without
    thinking. `easy` hides anywhere, goes by one of its scans alone, and scans or digs as it likes.
    """
    if show.view.phase == "setup":
        anywhere = level != "hard" or happens(chance, 10, "anywhere")
        return f"HIDE {GRID.names[pick(chance, CELLS if anywhere else DEEP, 'hide')]}"
    hunt = seen(show)
    if level == "hard":
        return think(hunt, chance, show.rev)
    if level == "medium":
        return look(hunt, chance, show.rev)
    return wander(hunt, chance, show.rev)


@dataclass(frozen=True, slots=True)
class Hunt:
    """What one seat knows: where the rival's treasure can be, where the rival can think the own one is, scans left."""

    hints: tuple[tuple[int, int], ...]
    dug: frozenset[int]
    scans: int
    rival_cells: int  # that fit what the rival was told
    rival_scans: int

    def fitting(self) -> tuple[int, ...]:
        """The cells where the rival's treasure can be."""
        return fitting(self.hints, self.dug)


def fitting(hints: Sequence[tuple[int, int]], dug: Iterable[int]) -> tuple[int, ...]:
    """The cells that fit some scans and were not dug."""
    return tuple(cell for cell in CELLS if cell not in dug and all(DISTANCE[at][cell] == far for at, far in hints))


def seen(show: Show) -> Hunt:
    """What a seat's view tells."""
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
        rival_cells=len(fitting(told, dug[1 - me])),
        rival_scans=scans[1 - me],
    )


def scan(cell: int) -> str:
    return f"SCAN {GRID.names[cell]}"


def dig(cell: int) -> str:
    return f"DIG {GRID.names[cell]}"


def answers(query: int, cells: Iterable[int]) -> list[tuple[int, ...]]:
    """The cells by the answer that a scan would give."""
    parts: dict[int, list[int]] = {}
    for cell in cells:
        parts.setdefault(DISTANCE[query][cell], []).append(cell)
    return [tuple(part) for part in parts.values()]


def think(hunt: Hunt, chance: Chance, rev: int) -> str:
    """The hard hunter: the search that most likely finds in time."""
    cells = hunt.fitting()
    if len(cells) <= FEW:
        worth = Race(still_there(hunt)).lines(cells, 0, hunt.scans)
    elif hunt.scans:
        worth = {scan(query): float(len(answers(query, cells))) for query in CELLS}
    else:
        worth = {dig(cell): 1.0 for cell in cells}
    top = max(worth.values())
    return pick(chance, [line for line, value in worth.items() if value > top - 1e-9], f"search {rev}")


def still_there(hunt: Hunt) -> list[float]:
    """The chances that the rival has not found after 0, 1, 2, ... turns more.

    Four rivals in five are taken to search well, the fifth to dig at random.
    """
    left, scans = hunt.rival_cells, hunt.rival_scans
    if left <= 2 or not scans:
        well = [max(0.0, 1 - turn / left) for turn in range(FEW + 1)]
    elif left <= FEW:
        well = [1.0, 1 - 0.5 / left, 0.1]
    else:
        well = [1.0, 1.0, 0.7, 0.1]
    well += [0.0] * (FEW + 1 - len(well))
    return [0.8 * there + 0.2 * 0.97**turn for turn, there in enumerate(well)]


@dataclass(frozen=True, slots=True)
class Race:
    """Thinks searches through to the end; `there` are the chances that turns 0, 1, 2, ... from now come at all."""

    there: Sequence[float]
    known: dict[tuple[tuple[int, ...], int, int], float] = field(default_factory=dict)

    def lines(self, cells: tuple[int, ...], turn: int, scans: int) -> dict[str, float]:
        """What each sensible line is worth: the chance to find in time, times the number of cells."""
        worth = {dig(cell): self.after_dig(cell, cells, turn, scans) for cell in cells}
        if scans and len(cells) > 2:
            worth |= {scan(query): value for query, value in self.after_scans(cells, turn, scans)}
        return worth

    def worth(self, cells: tuple[int, ...], turn: int, scans: int) -> float:
        """What the best line is worth."""
        if len(cells) == 1:
            return self.there[turn]
        key = cells, turn, scans
        if key not in self.known:
            values = [self.after_dig(cell, cells, turn, scans) for cell in cells]
            if scans and len(cells) > 2:
                values += [value for _, value in self.after_scans(cells, turn, scans)]
            self.known[key] = max(values)
        return self.known[key]

    def after_dig(self, cell: int, cells: tuple[int, ...], turn: int, scans: int) -> float:
        rest = tuple(other for other in cells if other != cell)
        return self.there[turn] + (self.worth(rest, turn + 1, scans) if rest else 0.0)

    def after_scans(self, cells: tuple[int, ...], turn: int, scans: int) -> Iterable[tuple[int, float]]:
        for query in CELLS:
            parts = answers(query, cells)
            if len(parts) > 1:
                yield query, sum(self.worth(part, turn + 1, scans - 1) for part in parts)


def look(hunt: Hunt, chance: Chance, rev: int) -> str:
    """The medium hunter: a fair scan, a dig when few cells are left, and a lapse now and then."""
    cells = hunt.fitting()
    if not hunt.scans or len(cells) <= 3:
        return dig(pick(chance, cells, f"dig {rev}"))
    looked_at = [pick(chance, CELLS, f"look {rev} {number}") for number in range(3)]
    if happens(chance, 25, f"lapse {rev}"):
        return scan(looked_at[0])
    return scan(max(looked_at, key=lambda query: len(answers(query, cells))))


def wander(hunt: Hunt, chance: Chance, rev: int) -> str:
    """The easy hunter: goes by one scan, and does what it likes."""
    cells = fitting(hunt.hints[-1:], hunt.dug)
    if hunt.scans and happens(chance, 50, f"scan {rev}"):
        return scan(pick(chance, CELLS, f"where {rev}"))
    return dig(pick(chance, cells, f"dig {rev}"))
