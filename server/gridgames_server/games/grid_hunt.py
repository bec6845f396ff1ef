"""Grid Hunt: each player hides a treasure and digs for the other's, with three scans to aim by."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gridgames_protocol.views import Action, Board, Card, CellKind, LegendEntry, Meter, Review, SecondBoard, View
from gridgames_server.errors import illegal, not_understood
from gridgames_server.games import narration
from gridgames_server.games.game import (
    ALONE,
    MARKS,
    NO_MOVES,
    NO_ONE,
    NUMERALS,
    OWNED,
    Chance,
    Game,
    Look,
    Outcome,
    Pair,
    SeenMoves,
    Step,
    add_answered_move,
    add_public_move,
    cache_for_readers,
    choose_moves,
    choose_prompt,
    keep_secret,
    list_unset,
    name_secret,
    put_cells,
    replace,
    set_title,
    share,
    split_verb,
    with_seat,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.possibilities import NOTHING, Moment, Possibilities, count_possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player

GRID = Grid(tuple("12345"), tuple("12345"), "{row},{col}")
EVERYWHERE = frozenset(range(len(GRID)))
TARGET = "Treasure in"  # the label of the meter of possible cells
SCANS = 3  # for each player, in the whole game
SEARCHES_SHOWN = 12  # of each player, beside the board
NONE: Mapping[str, int] = {}
HIDDEN = GRID.board("hidden")
YOUR_FIELD = "Your field"
FIELD = {seat: f"{player(seat)}'s field" for seat in SEATS}
BLANK: Mapping[int, Board] = {seat: set_title(HIDDEN, FIELD[other(seat)]) for seat in SEATS}
TREASURE_FACT = "Your treasure"
SUSPECT_METER = "They suspect"

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

  SCAN 3 3   asks how far the other's treasure is from row 3, column 3, in steps along rows and columns, not
             diagonally. You have three scans in the whole game. The other player sees which cell you scanned, and
             knows the answer.
  DIG 5 5    digs there. If the other's treasure is there, you win. If not, everybody sees that you missed.

A scan or a dig may be repeated, which is no use. You may also choose by number, 1 to scan and 2 to dig, and are asked
for row and column. There are no draws.""",
    assist=True,
    picture=("p...z", ".1...", "..g.2", ".p...", "1...p"),
    guide=(
        ("start", "Hide your treasure in any cell: HIDE 2 3 is row 2, column 3. The other player hides one too."),
        ("turn", "Now find theirs. SCAN a cell to learn how many steps it is from there. You have three scans."),
        ("SCAN", "The number is the steps to their treasure, along rows and columns, not diagonally. At 0, DIG there."),
        ("wait", "Their treasure is where all your scans fit. Two scans in neighbouring corners often leave one cell."),
        ("few", "On your turn, DIG one of the few cells that are left. A miss costs nothing but the turn."),
        ("one", "Only one cell is left: DIG there."),
    ),
)

STEPS: LegendEntry = ("hint", None, "steps away")
DUG: LegendEntry = ("miss", None, "dug")
LEGEND: Mapping[Reader, tuple[LegendEntry, ...]] = {
    1: (STEPS, DUG, ("goal", 1, "treasure"), ("zone", 2, "they suspect")),
    2: (STEPS, DUG, ("goal", 2, "treasure"), ("zone", 1, "they suspect")),
    None: (("mine", 1, "scanned"), ("theirs", 2, "scanned"), DUG),
}
GOALS: Mapping[Reader, str] = {
    **{seat: f"Dig up {player(other(seat))}'s treasure first." for seat in SEATS},
    None: "Each player hides a treasure, and digs for the other's.",
}
SCANS_LEFT: Mapping[tuple[int, int], tuple[Meter, ...]] = {
    (one, two): (("Scans", 1, one, SCANS, f"{one} left"), ("Scans", 2, two, SCANS, f"{two} left"))
    for one in range(SCANS + 1)
    for two in range(SCANS + 1)
}
SUSPECTS: tuple[Meter, ...] = tuple(
    (SUSPECT_METER, None, cells, len(GRID), f"{cells} of {len(GRID)}") for cells in range(len(GRID) + 1)
)


@dataclass(frozen=True, repr=False)
class State:
    turn: int  # the seat that has the turn, or has it first after the setup
    treasures: Pair = (None, None)  # the cells of seat 1's and seat 2's treasure
    scans: tuple[int, int] = (SCANS, SCANS)  # scans that each seat has left
    answers: tuple[Mapping[str, int], Mapping[str, int]] = (NONE, NONE)  # what each was told, by the name of the cell
    scanned: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # cells that each seat has scanned, in reading order
    dug: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # cells that each seat has dug
    searches: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # the latest searches of each seat
    boards: Mapping[int, Board] = field(default_factory=lambda: BLANK)  # each seat's search in the other's field
    fields: Mapping[int, Board] = field(default_factory=lambda: dict.fromkeys(SEATS, HIDDEN))  # each seat's own field
    moves: SeenMoves = NO_MOVES
    last: tuple[int, str] | None = None  # the latest search: its seat and cell
    outcome: Outcome | None = None


class GridHunt(Game[State]):
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        return Step(State(first), tuple(narration.announce(f"{player(seat)}, hide your treasure.") for seat in SEATS))

    def to_act(self, state: State) -> frozenset[int]:
        if state.outcome:
            return NO_ONE
        return seats_hiding(state) or ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = split_verb(line)
        if verb not in ("HIDE", "SCAN", "DIG"):
            raise not_understood(explain_lines(state, seat))
        cell = GRID.read(rest)
        if (verb == "HIDE") != bool(seats_hiding(state)):
            raise illegal(explain_lines(state, seat))
        if verb == "HIDE":
            return hide(state, seat, cell)
        return scan(state, seat, cell) if verb == "SCAN" else dig(state, seat, cell)

    def view(self, state: State, reader: Reader) -> View:
        to_act, setup = self.to_act(state), bool(seats_hiding(state))
        ask = f"{player(reader or 1)}, hide your treasure." if setup else "Choose an action:"
        board, second = draw_boards(state, reader)
        treasures = tuple([name_secret(GRID.names, state.treasures, state, reader, seat) for seat in SEATS])
        own = treasures[reader - 1] if reader else None
        facts = list_facts(state.scans, state.searches)
        return View(
            phase="over" if state.outcome else "setup" if setup else "play",
            prompt=choose_prompt(state, to_act, reader, ask),
            board=board,
            facts=(*facts, (TREASURE_FACT, f"({own})")) if own else facts,
            actions=list_actions(state) if reader in to_act else (),
            state={
                "treasures": treasures,
                "hints": state.answers[reader - 1] if reader else NONE,
                "dug": state.dug,
                "scanned": state.scanned,
                "scans": state.scans,
            },
            private=() if not own else (TREASURE_FACT,) if setup or state.outcome else (TREASURE_FACT, SUSPECT_METER),
            goal=GOALS[reader],
            legend=() if setup else LEGEND[reader],
            meters=SCANS_LEFT[state.scans] if setup or state.outcome else list_meters(state, reader),
            moves=choose_moves(state, state.moves, reader),
            last=((state.last[0], int(state.last[0] != (reader or 1)), state.last[1]),) if state.last else (),
            boards=second,
            seals=name_treasure(reader) if setup and reader in to_act else "",
        )

    def possibilities(self, state: State, seat: int) -> Possibilities:
        if seats_hiding(state):
            return NOTHING
        return Possibilities(EVERYWHERE, find_possible_cells(state, seat), label=TARGET)

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return count_possibilities("Where the other's treasure could be", moments, self.possibilities)


def seats_hiding(state: State) -> frozenset[int]:
    """Return the seats that still have to hide their treasure."""
    return list_unset(state.treasures)


def explain_lines(state: State, seat: int) -> str:
    """Return a sentence about what can be typed now."""
    if seats_hiding(state):
        return "Hide your treasure first: HIDE row column, for example HIDE 2 3."
    if not state.scans[seat - 1]:
        return f"You have no scans left. Dig with a row and a column, for example {suggest_dig(state, seat)}."
    return "The treasures are hidden. Type SCAN or DIG with a row and a column: SCAN 3 3, DIG 5 5."


def name_treasure(seat: int | None) -> str:
    """Return the name under which a seat's treasure is sealed."""
    return f"treasure of {seat}"


def hide(state: State, seat: int, cell: int) -> Step[State]:
    """Hide a seat's treasure for the whole game."""
    state = replace(state, treasures=with_seat(state.treasures, seat, cell))
    state = replace(state, fields={**state.fields, seat: draw_field(state, seat)})
    told = (narration.tell_everybody(seat, f"{player(seat)} has hidden a treasure."),)
    secrets = {name_treasure(seat): GRID.names[cell]}
    return keep_secret(state, told, secrets, "HIDE", () if seats_hiding(state) else (narration.BEGIN,))


def measure_distance(state: State, seat: int, cell: int) -> int:
    """Return the answer to a seat's scan: the distance of the other's treasure."""
    treasure = state.treasures[other(seat) - 1]
    assert treasure is not None, "nobody scans before both have hidden"
    return GRID.distance(cell, treasure)


def find_possible_cells(state: State, seat: int) -> frozenset[int]:
    """Return the cells that fit a seat's scans and that it has not dug."""
    return GRID.find_fitting(state.answers[seat - 1]).difference([GRID.cells[name] for name in state.dug[seat - 1]])


def scan(state: State, seat: int, cell: int) -> Step[State]:
    """Ask how far the other's treasure is from a cell."""
    left, own, name, far = state.scans[seat - 1], seat - 1, GRID.names[cell], measure_distance(state, seat, cell)
    if not left:
        raise illegal(explain_lines(state, seat))
    told = (
        narration.tell_everybody(seat, f"{player(seat)} scanned ({name})."),
        narration.tell_only(seat, f"Scan result: Distance is {far}."),
    )
    state = replace(
        state,
        turn=other(seat),
        scans=with_seat(state.scans, seat, left - 1),
        answers=with_seat(state.answers, seat, {**state.answers[own], name: far}),
        scanned=with_seat(state.scanned, seat, add_name(state.scanned[own], name)),
        searches=add_search(state, seat, searched := share(f"scan {name}")),
        moves=add_answered_move(state.moves, (seat, searched, NUMERALS[far], "hint")),
        last=(seat, name),
    )
    return Step(draw_search(state, seat, cell), told, turn=other(seat))


def add_name(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Add a name to names. Each is there once, in reading order."""
    return names if name in names else tuple(sorted((*names, name)))


def suggest_dig(state: State, seat: int) -> str:
    """Return a dig that the seat has not made yet."""
    fresh = (name for name in GRID.names if name not in state.dug[seat - 1])
    return f"DIG {next(fresh, GRID.names[0])}"


def dig(state: State, seat: int, cell: int) -> Step[State]:
    """Dig for the other's treasure: win, or let everybody see the miss."""
    name, rival = GRID.names[cell], other(seat)
    said = (
        narration.tell_mover(seat, f"You dug at ({name})."),
        narration.tell_others(seat, f"{player(seat)} dug at ({name})."),
    )
    missed = measure_distance(state, seat, cell) > 0
    if missed:
        won = None
        told = (
            *said,
            narration.tell_only(seat, "Dig result: No treasure at this location."),
            narration.tell_others(seat, "No treasure was there."),
        )
    else:
        won = Outcome(seat, "treasure", f"{player(seat)} wins: {player(rival)}'s treasure was at ({name}).")
        told = (
            *said,
            narration.tell_only(seat, "You found the opponent's treasure and won the game!"),
            narration.tell_others(seat, f"{player(seat)} found {player(rival)}'s treasure and won the game!"),
        )
    state = replace(
        state,
        turn=rival,
        dug=with_seat(state.dug, seat, add_name(state.dug[seat - 1], name)),
        searches=add_search(state, seat, searched := share(f"dig {name}")),
        moves=add_public_move(state.moves, (seat, searched, *(("no", "miss") if missed else ("yes", "good")))),
        last=(seat, name),
        outcome=won,
    )
    return Step(draw_search(state, seat, cell), told, turn=None if won else rival)


def add_search(state: State, seat: int, search: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the latest searches of each seat with one more."""
    return with_seat(state.searches, seat, (*state.searches[seat - 1], search)[-SEARCHES_SHOWN:])


def list_actions(state: State) -> tuple[Action, ...]:
    """Return the actions of a seat that is to act."""
    return HIDE if seats_hiding(state) else list_searches(state.scans[state.turn - 1])


SEALED = "only you will know where it is"
HIDE = (Action("HIDE", "HIDE {cell}", "hide your treasure", GRID.names, secret=True, tells=SEALED),)
DIG = Action("DIG", "DIG {cell}", "Dig", GRID.names, "2", tells="whether their treasure is there; both of you learn it")


@cache
def list_searches(left: int) -> tuple[Action, ...]:
    """Return the searches of a seat with so many scans left. The menu shows that number, also 0."""
    count, tells = f"({left} Scans remaining)", f"steps to their treasure; they learn it too ({left} left)"
    if not left:
        return (dataclasses.replace(DIG, help=f"Dig {count}"),)
    return (Action("SCAN", "SCAN {cell}", f"Scan {count}", GRID.names, "1", tells=tells), DIG)


@cache_for_readers
def list_facts(scans: tuple[int, int], searches: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, str], ...]:
    """Return the facts beside the board: scans left, and the latest searches."""
    one, two = scans
    lines = [("Scans left", f"{player(1)}: {one}, {player(2)}: {two}")]
    for seat, done in zip(SEATS, searches, strict=True):
        if done:
            lines.append((f"{player(seat)} searched", "; ".join(done)))
    return tuple(lines)


def list_meters(state: State, reader: Reader) -> tuple[Meter, ...]:
    """Return the scans that both have left, and the number of cells in which the other seeks the reader's treasure."""
    if reader is None:
        return SCANS_LEFT[state.scans]
    ((_, suspected),) = state.fields[reader].zones
    return (*SCANS_LEFT[state.scans], SUSPECTS[len(suspected)])


# The boards: what a seat has found in the other's field, and its own field beside it


def draw_search(state: State, seat: int, cell: int) -> State:
    """Draw a seat's search on its board, and on the other's field."""
    name, rival = GRID.names[cell], other(seat)
    answer = str(state.answers[seat - 1].get(name, ""))
    look: Look = (answer + "x", "miss", MARKS[seat]) if name in state.dug[seat - 1] else (answer, "hint", MARKS[seat])
    boards = {**state.boards, seat: put_cells(state.boards[seat], {cell: look})}
    return replace(state, boards=boards, fields={**state.fields, rival: draw_field(state, rival)})


def draw_field(state: State, seat: int) -> Board:
    """Return a seat's own field: its treasure, the other's searches, and the cells that the other has left.

    The answers to the other's scans follow from the own treasure, so the client hides them together with it.
    """
    treasure, rival = state.treasures[seat - 1], other(seat)
    assert treasure is not None, "a field is drawn when its treasure is hidden"
    looks = draw_searches(state, rival, "theirs")
    masks = []
    for cell in [GRID.cells[name] for name in state.scanned[rival - 1]]:
        text, kind, corner = looks[cell]
        masks.append((GRID.names[cell], text, kind))
        looks[cell] = (text.replace("?", str(GRID.distance(cell, treasure))), kind, corner)
    text, kind, corner = looks.get(treasure, ("", "hidden", ""))
    if GRID.names[treasure] not in state.scanned[rival - 1]:
        masks.append((GRID.names[treasure], text, kind))
    looks[treasure] = (text + "T", "goal", corner)
    board, zone = put_cells(HIDDEN, looks), GRID.name_cells(sorted(find_possible_cells(state, rival)))
    zones = ((rival, zone),) if zone else ()
    return Board(
        board.frame, board.texts, board.kinds, tuple(masks), corners=board.corners, zones=zones, private=("zones",)
    )


def draw_searches(state: State, seat: int, kind: CellKind) -> dict[int, Look]:
    """Return a seat's searches without the answers."""
    scanned, dug = state.scanned[seat - 1], state.dug[seat - 1]
    looks: dict[int, Look] = {GRID.cells[name]: ("?", kind, MARKS[seat]) for name in scanned}
    for name in dug:
        looks[GRID.cells[name]] = ("?x" if name in scanned else "x", "miss", MARKS[seat])
    return looks


def draw_boards(state: State, reader: Reader) -> tuple[Board, tuple[SecondBoard, ...]]:
    """Return the other's field and the own field beside it. During the setup there is only the own field."""
    if state.outcome:
        return draw_open_boards(state, reader)
    if seats_hiding(state):
        return (state.fields[reader] if reader else HIDDEN), ()
    if reader:
        return state.boards[reader], (SecondBoard(YOUR_FIELD, "beside", state.fields[reader]),)
    one, two = (put_cells(HIDDEN, draw_searches(state, seat, OWNED[None][seat])) for seat in SEATS)
    return set_title(one, FIELD[2]), (SecondBoard(FIELD[1], "beside", two),)


def draw_open_boards(state: State, reader: Reader) -> tuple[Board, tuple[SecondBoard, ...]]:
    """Return both fields at the end, with all answers and both treasures."""
    opened = {}
    for seat in SEATS:
        board, treasure = state.boards[seat], state.treasures[other(seat) - 1]
        if treasure is not None:
            board = board.put(treasure, board.texts[treasure].removesuffix("x") + "T", "goal")
        opened[seat] = board
    seat = reader or 1
    title = YOUR_FIELD if reader else FIELD[seat]
    return opened[seat], (SecondBoard(title, "beside", set_title(opened[other(seat)], "")),)
