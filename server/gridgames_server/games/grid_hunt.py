"""Grid Hunt: each player hides a treasure and digs for the other's, with three scans to aim by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gridgames_protocol.views import Action, Board, Card, CellKind, Review, View
from gridgames_server.games import tell
from gridgames_server.games.game import (
    ALONE,
    MARKS,
    NO_ONE,
    OWNED,
    Chance,
    Outcome,
    Step,
    alike,
    illegal,
    may_know,
    prompt_of,
    replace,
    syntax,
    verb_and_rest,
    with_seat,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.quest import NOTHING, Moment, Quest, counted
from gridgames_server.games.tell import SEATS, Reader, Telling, other, player

GRID = Grid(tuple("12345"), tuple("12345"), "{row},{col}")
EVERYWHERE = frozenset(range(len(GRID)))
SCANS = 3  # for each player, in the whole game
SEARCHES_SHOWN = 12  # of each player, beside the board
NONE: Mapping[str, int] = {}
BLANK: Mapping[int, Board] = dict.fromkeys(SEATS, GRID.board("hidden"))

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


@dataclass(frozen=True, repr=False)
class State:
    turn: int  # whose it is, or will be after the setup
    hidden: tuple[int | None, int | None] = (None, None)  # where seat 1 and seat 2 have their treasures
    scans: tuple[int, int] = (SCANS, SCANS)  # that each has left
    answers: tuple[Mapping[str, int], Mapping[str, int]] = (NONE, NONE)  # what each was told, by the name of the cell
    scanned: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # where each has scanned, in reading order
    dug: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # and where each has dug
    lately: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # what each did, the latest
    seen: Mapping[int, Board] = field(default_factory=lambda: BLANK)  # the board of each seat, with its own treasure
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
            facts=facts(state.scans, state.lately),
            actions=actions(state) if reader in to_act else (),
            state={
                "treasures": (shown(state, reader, 1), shown(state, reader, 2)),
                "hints": state.answers[reader - 1] if reader else NONE,
                "dug": state.dug,
                "scanned": state.scanned,
                "scans": state.scans,
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
    seen = {**state.seen, seat: state.seen[seat].add_secret(cell, "T", "goal")}
    state = replace(state, hidden=with_seat(state.hidden, seat, cell), seen=seen)
    told: tuple[Telling, ...] = (tell.everybody(seat, f"{player(seat)} has hidden a treasure."),)
    if not hiding(state):
        told = (*told, tell.BEGIN, tell.turn(state.turn))
    return Step(state, told, {f"treasure of {seat}": GRID.names[cell]})


def distance(state: State, seat: int, cell: int) -> int:
    """The answer to a seat's scan: how far the other's treasure is."""
    treasure = state.hidden[other(seat) - 1]
    assert treasure is not None, "nobody scans before both have hidden"
    return GRID.distance(cell, treasure)


def possible(state: State, seat: int) -> frozenset[int]:
    """The cells that fit the answers to a seat's scans, and in which it has not dug."""
    scans = [(GRID.cells[name], far) for name, far in state.answers[seat - 1].items()]
    fitting = (cell for cell in EVERYWHERE if all(GRID.distance(cell, asked) == far for asked, far in scans))
    return frozenset(fitting).difference(GRID.cells[name] for name in state.dug[seat - 1])


def scan(state: State, seat: int, cell: int) -> Step[State]:
    """Ask how far the other's treasure is from a cell."""
    left, own, name, far = state.scans[seat - 1], seat - 1, GRID.names[cell], distance(state, seat, cell)
    if not left:
        raise illegal(f"You have used all {SCANS} scans. Dig instead, for example {example_dig(state, seat)}.")
    told = (
        tell.everybody(seat, f"{player(seat)} scanned ({name})."),
        tell.only(seat, f"Scan result: Distance is {far}."),
    )
    state = replace(
        state,
        turn=other(seat),
        scans=with_seat(state.scans, seat, left - 1),
        answers=with_seat(state.answers, seat, {**state.answers[own], name: far}),
        scanned=with_seat(state.scanned, seat, among(state.scanned[own], name)),
        lately=lately(state, seat, f"scan {name}"),
        seen=searched(state, seat, cell, str(far), has_dug=name in state.dug[own]),
    )
    return Step(state, (*told, tell.turn(other(seat))))


def among(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Some names and one more, each once and in reading order."""
    return names if name in names else tuple(sorted((*names, name)))


def example_dig(state: State, seat: int) -> str:
    """A dig that the seat has not made yet."""
    fresh = (name for name in GRID.names if name not in state.dug[seat - 1])
    return f"DIG {next(fresh, GRID.names[0])}"


def dig(state: State, seat: int, cell: int) -> Step[State]:
    """Dig for the other's treasure: win, or let everybody see the miss."""
    name, rival = GRID.names[cell], other(seat)
    said, won = tell.everybody(seat, f"{player(seat)} dug at ({name})."), None
    told: tuple[Telling, ...]
    if distance(state, seat, cell):
        told = (
            said,
            tell.only(seat, "Dig result: No treasure at this location."),
            tell.others(seat, "No treasure was there."),
            tell.turn(rival),
        )
    else:
        won = Outcome(seat, "treasure", f"{player(seat)} wins: {player(rival)}'s treasure was at ({name}).")
        told = (
            said,
            tell.only(seat, "You found the opponent's treasure and won the game!"),
            tell.others(seat, f"{player(seat)} found {player(rival)}'s treasure and won the game!"),
        )
    state = replace(
        state,
        turn=rival,
        dug=with_seat(state.dug, seat, among(state.dug[seat - 1], name)),
        lately=lately(state, seat, f"dig {name}"),
        seen=searched(state, seat, cell, str(state.answers[seat - 1].get(name, "")), has_dug=True),
        outcome=won,
    )
    return Step(state, told)


def searched(state: State, seat: int, cell: int, answer: str, has_dug: bool) -> Mapping[int, Board]:
    """The boards after a search: its seat sees what it knows of the cell, and its own treasure if that lies there."""
    board = state.seen[seat]
    board = board.put(cell, answer + "x", "miss") if has_dug else board.put(cell, answer, "hint")
    if cell == state.hidden[seat - 1]:
        board = board.uncovered().add_secret(cell, "T", "goal")
    return {**state.seen, seat: board}


def lately(state: State, seat: int, search: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What each did lately, with one more search."""
    return with_seat(state.lately, seat, (*state.lately[seat - 1], search)[-SEARCHES_SHOWN:])


def actions(state: State) -> tuple[Action, ...]:
    """What a seat that is to act may type."""
    return HIDE if hiding(state) else searches(state.scans[state.turn - 1])


HIDE = (Action("HIDE", "HIDE {cell}", "hide your treasure", GRID.names, secret=True),)


@cache
def searches(left: int) -> tuple[Action, ...]:
    """How one may search; a scan stays on the menu when none is left, with no cell to name."""
    return (
        Action("SCAN", "SCAN {cell}", f"Scan ({left} Scans remaining)", GRID.names if left else (), "1"),
        Action("DIG", "DIG {cell}", "Dig", GRID.names, "2"),
    )


@alike
def facts(scans: tuple[int, int], lately: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, str], ...]:
    """What stands beside the board: scans left, and where each has searched lately."""
    one, two = scans
    lines = [("Scans left", f"{player(1)}: {one}, {player(2)}: {two}")]
    for seat, done in zip(SEATS, lately, strict=True):
        if done:
            lines.append((f"{player(seat)} searched", "; ".join(done)))
    return tuple(lines)


def shown(state: State, reader: Reader, seat: int) -> str | None:
    """A seat's treasure as far as the reader may know it."""
    cell = state.hidden[seat - 1]
    return GRID.names[cell] if cell is not None and may_know(state, reader, seat) else None


def drawn(state: State, reader: Reader) -> Board:
    """The board: own scans and misses (a watcher sees who searched where), own treasure, at the end both."""
    board = state.seen[reader] if reader else searches_of_both(state)
    if not state.outcome:
        return board
    for seat, treasure in zip(SEATS, state.hidden, strict=True):
        if treasure is not None:
            text = "T12" if state.hidden[0] == state.hidden[1] else f"T{seat}"
            board = board.put(treasure, text, "goal")
    return board.uncovered()


def searches_of_both(state: State) -> Board:
    """The board of those who watch: who has searched where."""
    looks: dict[int, tuple[str, CellKind]] = {}
    for seat, scanned, dug in zip(SEATS, state.scanned, state.dug, strict=True):
        for cell in {GRID.cells[name] for name in scanned + dug}:
            looks[cell] = ("P12", "both") if cell in looks else (MARKS[seat], OWNED[None][seat])
    return GRID.board("hidden").put_all(looks)
