"""Grid Hunt: each player hides a treasure and digs for the other's, with three scans to aim by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gridgames_protocol.views import Action, Board, Card, Review, View
from gridgames_server.games import tell
from gridgames_server.games.game import (
    ALONE,
    NO_ONE,
    Chance,
    Outcome,
    Step,
    illegal,
    may_know,
    owner_kind,
    prompt_of,
    replace,
    syntax,
    verb_and_rest,
    with_seat,
)
from gridgames_server.games.grid import Grid, Sketch
from gridgames_server.games.quest import NOTHING, Moment, Quest, counted
from gridgames_server.games.tell import SEATS, Reader, Telling, other, player

GRID = Grid(tuple("12345"), tuple("12345"), "{row},{col}")
EVERYWHERE = frozenset(range(len(GRID)))
SCANS = 3  # for each player, in the whole game
SEARCHES_SHOWN = 12  # of each player, beside the board

CARD = Card(
    slug="grid-hunt",
    title="Grid Hunt",
    summary="hide yours, find theirs: three scans, endless digs",
    edition=1,
    rules="""\
Both players hide a treasure on a grid of five rows and five columns. Whoever digs up the other's treasure wins.

First, both at once, in secret:

  HIDE 2 3   hides your treasure in row 2, column 3. It stays there. Both treasures may lie in the same cell.

Then, in turns, one of two things:

  SCAN 3 3   asks how far the other's treasure is from row 3, column 3, in steps along rows and columns. Only you hear
             the answer. You have three scans in the whole game.
  DIG 5 5    digs there. If the other's treasure is there, you win. If not, everybody sees that you missed.

You may also choose by number, 1 to scan and 2 to dig, and are asked for row and column. There are no draws.""",
    assist=True,
)


@dataclass(frozen=True, slots=True, repr=False)
class State:
    turn: int  # whose it is, or will be after the setup
    hidden: tuple[int | None, int | None] = (None, None)  # where seat 1 and seat 2 have their treasures
    scans: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # where each has scanned
    digs: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())  # where each has dug
    lately: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # what each did, the latest
    outcome: Outcome | None = None


class GridHunt:
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        return Step(State(first), tuple(tell.table(f"{player(seat)}, hide your treasure.") for seat in SEATS))

    def to_act(self, state: State) -> frozenset[int]:
        if state.outcome:
            return NO_ONE
        return hiding(state) or ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = verb_and_rest(line)
        if verb not in ("HIDE", "SCAN", "DIG"):
            raise syntax(how_to(state))
        cell = GRID.read(rest)
        if (verb == "HIDE") != bool(hiding(state)):
            raise illegal(how_to(state))
        if verb == "HIDE":
            return hide(state, seat, cell)
        return scan(state, seat, cell) if verb == "SCAN" else dig(state, seat, cell)

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        ask = f"{player(reader or 1)}, hide your treasure." if hiding(state) else "Choose an action:"
        return View(
            phase="over" if state.outcome else "setup" if hiding(state) else "play",
            prompt=prompt_of(state, to_act, reader, ask),
            board=drawn(state, reader),
            facts=facts(state),
            actions=actions(state) if reader in to_act else (),
            state={
                "treasures": tuple(shown(state, reader, seat) for seat in SEATS),
                "hints": hints(state, reader) if reader else {},
                "dug": tuple(GRID.named(sorted(cells)) for cells in state.digs),
                "scanned": tuple(GRID.named(sorted(set(cells))) for cells in state.scans),
                "scans": tuple(scans_left(state, seat) for seat in SEATS),
            },
        )

    def quest(self, state: State, seat: int) -> Quest:
        return NOTHING if other(seat) in hiding(state) else Quest(EVERYWHERE, possible(state, seat))

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return counted("Where the other's treasure could be", moments, self.quest)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        return {}


def hiding(state: State) -> frozenset[int]:
    """The seats that still have to hide their treasure."""
    if None not in state.hidden:
        return NO_ONE
    return frozenset(seat for seat, cell in zip(SEATS, state.hidden, strict=True) if cell is None)


def how_to(state: State) -> str:
    """What can be typed now."""
    if hiding(state):
        return "Hide your treasure first: HIDE row column, for example HIDE 2 3."
    return "The treasures are hidden. Type SCAN or DIG with a row and a column: SCAN 3 3, DIG 5 5."


def hide(state: State, seat: int, cell: int) -> Step[State]:
    """Hide a seat's treasure for the whole game."""
    state = replace(state, hidden=with_seat(state.hidden, seat, cell))
    told: tuple[Telling, ...] = (tell.everybody(seat, f"{player(seat)} has hidden a treasure."),)
    if not hiding(state):
        told = (*told, tell.BEGIN, tell.turn(state.turn))
    return Step(state, told, {f"treasure of {seat}": GRID.names[cell]})


def scans_left(state: State, seat: int) -> int:
    """How many scans a seat still has."""
    return SCANS - len(state.scans[seat - 1])


def distance(state: State, seat: int, cell: int) -> int:
    """The answer to a seat's scan: how far the other's treasure is."""
    treasure = state.hidden[other(seat) - 1]
    assert treasure is not None, "nobody scans before both have hidden"
    return GRID.distance(cell, treasure)


def possible(state: State, seat: int) -> frozenset[int]:
    """The cells that fit the answers to a seat's scans, and in which it has not dug."""
    scans = [(cell, distance(state, seat, cell)) for cell in state.scans[seat - 1]]
    fitting = (cell for cell in EVERYWHERE if all(GRID.distance(cell, asked) == far for asked, far in scans))
    return frozenset(fitting) - state.digs[seat - 1]


def hints(state: State, seat: int) -> dict[str, int]:
    """The answers to a seat's scans."""
    return {GRID.names[cell]: distance(state, seat, cell) for cell in sorted(state.scans[seat - 1])}


def scan(state: State, seat: int, cell: int) -> Step[State]:
    """Ask how far the other's treasure is from a cell."""
    if not scans_left(state, seat):
        raise illegal(f"You have used all {SCANS} scans. Dig instead, for example {example_dig(state, seat)}.")
    return next_turn(
        replace(noted(state, seat, "scan", cell), scans=with_seat(state.scans, seat, (*state.scans[seat - 1], cell))),
        tell.everybody(seat, f"{player(seat)} scanned ({GRID.names[cell]})."),
        tell.only(seat, f"Scan result: Distance is {distance(state, seat, cell)}."),
    )


def example_dig(state: State, seat: int) -> str:
    """A dig that the seat has not made yet."""
    fresh = (cell for cell in range(len(GRID)) if cell not in state.digs[seat - 1])
    return f"DIG {GRID.names[next(fresh, 0)]}"


def dig(state: State, seat: int, cell: int) -> Step[State]:
    """Dig for the other's treasure: win, or let everybody see the miss."""
    state = replace(noted(state, seat, "dig", cell), digs=with_seat(state.digs, seat, state.digs[seat - 1] | {cell}))
    said = tell.everybody(seat, f"{player(seat)} dug at ({GRID.names[cell]}).")
    if distance(state, seat, cell):
        return next_turn(
            state,
            said,
            tell.only(seat, "Dig result: No treasure at this location."),
            tell.others(seat, "No treasure was there."),
        )
    won = Outcome(
        seat, "treasure", f"{player(seat)} wins: {player(other(seat))}'s treasure was at ({GRID.names[cell]})."
    )
    told = (
        said,
        tell.only(seat, "You found the opponent's treasure and won the game!"),
        tell.others(seat, f"{player(seat)} found {player(other(seat))}'s treasure and won the game!"),
    )
    return Step(replace(state, outcome=won), told)


def noted(state: State, seat: int, how: str, cell: int) -> State:
    """The state with one more search beside the board."""
    done = (*state.lately[seat - 1], f"{how} {GRID.names[cell]}")
    return replace(state, lately=with_seat(state.lately, seat, done[-SEARCHES_SHOWN:]))


def next_turn(state: State, *told: Telling) -> Step[State]:
    """Pass the turn across the table."""
    seat = other(state.turn)
    return Step(replace(state, turn=seat), (*told, tell.turn(seat)))


def actions(state: State) -> tuple[Action, ...]:
    """What a seat that is to act may type."""
    return HIDE if hiding(state) else searches(scans_left(state, state.turn))


HIDE = (Action("HIDE", "HIDE {cell}", "hide your treasure", GRID.names, secret=True),)


@cache
def searches(left: int) -> tuple[Action, ...]:
    """How one may search; a scan stays on the menu when none is left, with no cell to name."""
    return (
        Action("SCAN", "SCAN {cell}", f"Scan ({left} Scans remaining)", GRID.names if left else (), "1"),
        Action("DIG", "DIG {cell}", "Dig", GRID.names, "2"),
    )


def facts(state: State) -> tuple[tuple[str, str], ...]:
    """What stands beside the board: scans left, and where each has searched lately."""
    lines = [("Scans left", ", ".join(f"{player(seat)}: {scans_left(state, seat)}" for seat in SEATS))]
    for seat, done in zip(SEATS, state.lately, strict=True):
        if done:
            lines.append((f"{player(seat)} searched", "; ".join(done)))
    return tuple(lines)


def shown(state: State, reader: Reader, seat: int) -> str | None:
    """A seat's treasure as far as the reader may know it."""
    cell = state.hidden[seat - 1]
    return GRID.names[cell] if cell is not None and may_know(state, reader, seat) else None


def drawn(state: State, reader: Reader) -> Board:
    """The board: own scans and misses (a watcher sees who searched where), own treasure, at the end both."""
    sketch = GRID.sketch("hidden")
    if reader is None:
        draw_searchers(sketch, state)
    else:
        for cell in state.scans[reader - 1]:
            sketch.put(cell, str(distance(state, reader, cell)), "hint")
        for cell in state.digs[reader - 1]:
            sketch.add(cell, "x", "miss")
    for seat, treasure in zip(SEATS, state.hidden, strict=True):
        if treasure is not None and state.outcome:
            sketch.put(treasure, "T12" if state.hidden[0] == state.hidden[1] else f"T{seat}", "goal")
        elif treasure is not None and seat == reader:
            sketch.add_secret(treasure, "T", "goal")
    return sketch.board()


def draw_searchers(sketch: Sketch, state: State) -> None:
    """Mark each searched cell with the seats that searched it."""
    one, two = (digs.union(scans) for digs, scans in zip(state.digs, state.scans, strict=True))
    for cell in one | two:
        if cell in one and cell in two:
            sketch.put(cell, "P12", "both")
        else:
            seat = 1 if cell in one else 2
            sketch.put(cell, f"P{seat}", owner_kind(seat, None))
