"""Treasure Hunt Duel: one hidden treasure, two hunters, and distances that only the asker hears."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gridgames_protocol.views import Action, Board, Card, CellKind, LastCell, LegendEntry, Meter, Review, View
from gridgames_server.errors import illegal, not_understood
from gridgames_server.games import narration
from gridgames_server.games.game import (
    IN_ORDER,
    MARKS,
    NO_MOVES,
    NUMERALS,
    OWNED,
    Chance,
    Game,
    Look,
    Mask,
    Outcome,
    SeenMoves,
    Step,
    add_answered_move,
    add_public_move,
    choose_moves,
    choose_prompt,
    put_cells,
    replace,
    split_verb,
    with_seat,
    without,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.narration import Announcement
from gridgames_server.games.possibilities import Moment, Possibilities, count_possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player

GRID = Grid(tuple("12345"), tuple("ABCDE"), "{row}{col}")
EVERYWHERE = frozenset(range(len(GRID)))
TARGET = "Treasure in"  # the label of the meter of possible cells
COUNTS = tuple("1 cell" if number == 1 else f"{number} cells" for number in range(len(GRID) + 1))
HINTS_FACT = "Your hints"
HINTS_SHOWN = 12  # in the facts beside the board; the board itself shows all
OWES = {seats: " and ".join(map(player, in_order)) or "nobody" for seats, in_order in IN_ORDER.items()}
ASK = {seat: f"{player(seat)}, query a cell or guess the treasure's:" for seat in SEATS}
GOAL = "Be first to name the cell where the treasure lies."

CARD = Card(
    slug="treasure-hunt-duel",
    title="Treasure Hunt Duel",
    summary="one treasure, two hunters: distances are private",
    edition=1,
    rules="""\
A treasure lies somewhere on a grid of five rows (1-5) and five columns (A-E). Whoever names its cell first wins.

On your turn do one of two things:

  QUERY 2B   asks how far the treasure is from 2B, counted in steps along rows and columns, not diagonally. Only you
             hear the answer; the other player sees which cell you asked about. A cell can be queried once in the whole
             game.
  GUESS 4D   says where the treasure is. Right: you win. Wrong: everybody sees it, and your next turn is skipped.

A query that answers 0 has found the cell, but only a guess wins. When all cells have been queried, only guesses are
left. A wrong guess may be repeated, which is no use. Your own answers stay on your board for the whole game.""",
    assist=True,
    picture=("..p..", ".h1h.", "p.1.p", ".2.g.", "..p.2"),
    guide=(
        ("turn", "A treasure lies in one of these 25 cells. QUERY a cell to learn how many steps it is from there."),
        (
            "QUERY",
            "The number is the steps to the treasure, along rows and columns, not diagonally. At 0, GUESS that cell.",
        ),
        (
            "wait",
            "The treasure is where all your answers fit. Ask next where the answers would differ most. "
            "A cell that either of you has asked about can't be asked again.",
        ),
        ("few", "Few cells are left. GUESS one: right wins, wrong costs your next turn. Or QUERY once more."),
        ("one", "Only one cell is left: GUESS it."),
        ("over", "Now everything is open: look at what the other player knew, and when."),
    ),
)

STEPS: LegendEntry = ("hint", None, "steps away")
MISS: LegendEntry = ("miss", None, "wrong guess")
LEGEND: Mapping[Reader, tuple[LegendEntry, ...]] = {
    1: (STEPS, ("theirs", 2, "they asked"), MISS),
    2: (STEPS, ("theirs", 1, "they asked"), MISS),
    None: (("mine", 1, "asked"), ("theirs", 2, "asked"), MISS),
}
LEGEND_OVER: tuple[LegendEntry, ...] = (STEPS, MISS, ("goal", None, "treasure"))

NONE: Mapping[str, int] = {}
BLANK: Mapping[int, Board] = dict.fromkeys(SEATS, GRID.board("hidden"))


@dataclass(frozen=True, repr=False)
class State:
    treasure: int
    turn: int
    queried: Mapping[str, int] = field(default_factory=dict)  # the seat that asked about each cell, by its name
    answers: tuple[Mapping[str, int], Mapping[str, int]] = (NONE, NONE)  # the answers to each seat
    hints: tuple[str, str] = ("", "")  # the latest answers as text
    left: tuple[str, ...] = GRID.names  # cells that may still be queried
    misses: Mapping[str, int] = field(default_factory=dict)  # the seat that first guessed each wrong cell, by its name
    boards: Mapping[int, Board] = field(default_factory=lambda: BLANK)  # of each seat
    skipped_seats: frozenset[int] = frozenset()  # seats whose next turn is skipped
    moves: SeenMoves = NO_MOVES
    last: tuple[LastCell, ...] = ()
    outcome: Outcome | None = None


class TreasureHuntDuel(Game[State]):
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        treasure = chance.below(len(GRID), "treasure")
        return Step(State(treasure, first), (), {"treasure": GRID.names[treasure]}, turn=first)

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = split_verb(line)
        if verb == "QUERY":
            return query(state, seat, GRID.read(rest))
        if verb == "GUESS":
            return guess(state, seat, GRID.read(rest))
        raise not_understood("Type QUERY or GUESS and a cell: QUERY 2B asks for its distance, GUESS 4D may win.")

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        return View(
            phase="over" if state.outcome else "play",
            prompt=choose_prompt(state, to_act, reader, ASK[state.turn]),
            board=draw_board(state, reader),
            facts=list_facts(len(state.queried), state.skipped_seats, state.hints[reader - 1] if reader else None),
            actions=list_actions(state) if reader in to_act else (),
            state={
                "queried": state.queried,
                "hints": state.answers[reader - 1] if reader else NONE,
                "guessed": tuple(state.misses),
                "owes": IN_ORDER[state.skipped_seats],
                "treasure": GRID.names[state.treasure] if state.outcome else None,
            },
            private=(HINTS_FACT,) if reader and not state.outcome else (),
            goal=GOAL,
            legend=LEGEND_OVER if state.outcome else LEGEND[reader],
            meters=list_meters(*map(len, state.answers)),
            moves=choose_moves(state, state.moves, reader),
            last=state.last,
        )

    def possibilities(self, state: State, seat: int) -> Possibilities:
        public = EVERYWHERE.difference([GRID.cells[name] for name in state.misses])
        return Possibilities(EVERYWHERE, find_possible_cells(state, seat), public, TARGET)

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return count_possibilities("Where the treasure could be", moments, self.possibilities)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        return {"treasure": GRID.names.index(secrets["treasure"])}


def find_possible_cells(state: State, seat: int) -> frozenset[int]:
    """Return the cells that fit a seat's own answers and were not guessed."""
    return GRID.find_fitting(state.answers[seat - 1]).difference([GRID.cells[name] for name in state.misses])


def query(state: State, seat: int, cell: int) -> Step[State]:
    """Ask how far the treasure is from a cell."""
    name, far = GRID.names[cell], GRID.distance(cell, state.treasure)
    if name in state.queried:
        taken = f"Cell {name} has already been queried. Please select a different cell."
        who = "You" if state.queried[name] == seat else player(state.queried[name])
        raise illegal(f"{taken} {who} asked about it; {describe_left(state)}.")
    answers = {**state.answers[seat - 1], name: far}
    return pass_turn(
        state,
        (
            narration.tell_everybody(seat, f"{player(seat)} queried {name}."),
            narration.tell_secret(seat, f"Distance: {far}"),
        ),
        state.skipped_seats,
        add_answered_move(state.moves, (seat, name, NUMERALS[far], "hint"), "private"),
        queried={**state.queried, name: seat},
        answers=with_seat(state.answers, seat, answers),
        hints=with_seat(state.hints, seat, describe_answers(answers)),
        left=without(state.left, name),
        boards=draw_query(state, seat, cell, NUMERALS[far]),
        last=((seat, 0, name),),
    )


def draw_query(state: State, seat: int, cell: int, far: str) -> dict[int, Board]:
    """Return the boards after a query. Its seat sees the distance, which can be covered, the other only who asked."""
    mask: Mask = (GRID.names[cell], "?", "hint")
    boards = {
        reader: put_cells(board, {cell: (far, "hint", MARKS[seat])}, masks=(*board.masks, mask))
        if reader == seat
        else board.put(cell, MARKS[seat], OWNED[reader][seat])
        for reader, board in state.boards.items()
    }
    guesser = state.misses.get(GRID.names[cell])
    return draw_miss(boards, guesser, cell) if guesser else boards


def draw_miss(boards: Mapping[int, Board], seat: int, cell: int) -> dict[int, Board]:
    """Return the boards with the mark of a seat's wrong guess, also where an answer is covered."""
    guessed = GRID.names[cell]
    return {
        reader: put_cells(
            board,
            {cell: (board.texts[cell] + "x", "miss", MARKS[seat])},
            masks=tuple(
                [
                    (name, text + "x", "miss") if name == guessed else (name, text, kind)
                    for name, text, kind in board.masks
                ]
            ),
        )
        for reader, board in boards.items()
    }


def describe_left(state: State) -> str:
    """Return how many cells can be queried, with an example, as text."""
    match state.left:
        case ():
            return "no cell is left, so guess"
        case (name,):
            return f"only {name} is left"
        case left:
            return f"{len(left)} cells are left, for example {left[0]}"


def guess(state: State, seat: int, cell: int) -> Step[State]:
    """Guess the treasure's cell: the seat wins, or loses its next turn."""
    name, last = GRID.names[cell], ((seat, 0, GRID.names[cell]),)
    said = (
        narration.tell_mover(seat, f"You guessed {name}."),
        narration.tell_others(seat, f"{player(seat)} guessed {name}."),
    )
    if cell == state.treasure:
        won = Outcome(seat, "treasure", f"{player(seat)} wins: the treasure was at {name}.")
        moves = add_public_move(state.moves, (seat, f"guess {name}", "yes", "good"))
        told = (
            *said,
            narration.tell_only(seat, "Correct! You have found the treasure."),
            narration.tell_others(seat, f"Correct! {player(seat)} has found the treasure."),
        )
        return Step(replace(state, moves=moves, last=last, outcome=won), told)
    told = (
        *said,
        narration.tell_only(seat, "Incorrect guess. You will lose your next turn."),
        narration.tell_others(seat, f"Incorrect guess. {player(seat)} will lose the next turn."),
    )
    moves, owing = add_public_move(state.moves, (seat, f"guess {name}", "no", "miss")), state.skipped_seats | {seat}
    if name in state.misses:
        return pass_turn(state, told, owing, moves, last=last)
    misses, boards = {**state.misses, name: seat}, draw_miss(state.boards, seat, cell)
    return pass_turn(state, told, owing, moves, misses=misses, boards=boards, last=last)


SKIPS: Mapping[tuple[int, ...], Announcement] = {  # what is told when these seats are skipped, in this order
    **{(seat,): narration.announce(f"{player(seat)} loses this turn.") for seat in SEATS},
    **{
        (seat, other(seat)): narration.announce(f"Both players lose this turn; {player(seat)} moves next.")
        for seat in SEATS
    },
}


def pass_turn(
    state: State, told: tuple[Announcement, ...], owing: frozenset[int], moves: SeenMoves, **changes: object
) -> Step[State]:
    """Give the turn to the next seat. A seat that lost its next turn is skipped once; if both did, both are."""
    rival = other(state.turn)
    skipped: tuple[int, ...] = ()
    if rival in owing:
        skipped = (rival, state.turn) if state.turn in owing else (rival,)
        told = (*told, SKIPS[skipped])
    for seat in skipped:
        moves = add_public_move(moves, (seat, "skips", "", "none"))
    turn, owing = state.turn if len(skipped) == 1 else rival, owing.difference(skipped)
    state = replace(state, turn=turn, skipped_seats=owing, moves=moves, **changes)
    return Step(state, told, turn=turn, skipped=len(skipped))


GUESS = Action(
    "GUESS",
    "GUESS {cell}",
    "say where the treasure is; a wrong guess costs your next turn",
    GRID.names,
    tells="whether the treasure is there; if not, you lose your next turn",
)


def list_actions(state: State) -> tuple[Action, ...]:
    """Return the actions of the seat to act."""
    ask = "ask how far the treasure is from a cell"
    tells = "steps to the treasure by row and column, for you alone"
    return (Action("QUERY", "QUERY {cell}", ask, state.left, tells=tells), GUESS) if state.left else (GUESS,)


def describe_answers(answers: Mapping[str, int]) -> str:
    """Return the latest of a seat's answers as text."""
    return ", ".join([f"{name} {far}" for name, far in [*answers.items()][-HINTS_SHOWN:]])


@cache
def list_meters(one: int, two: int) -> tuple[Meter, ...]:
    """Return a meter for each seat's queries."""
    counts = zip(SEATS, (one, two), strict=True)
    return tuple(("Asked", seat, asked, len(GRID), COUNTS[asked]) for seat, asked in counts)


def list_facts(queried: int, owing: frozenset[int], hints: str | None) -> tuple[tuple[str, str], ...]:
    """Return the facts beside the board, with the reader's own answers. None: a watcher has none."""
    public = (("Queried", f"{queried} of {len(GRID)}"), ("Owes a turn", OWES[owing]))
    return public if hints is None else (*public, (HINTS_FACT, hints or "none yet"))


def draw_board(state: State, reader: Reader) -> Board:
    """Return the board: own distances, the other's queries, wrong guesses; at the end everything."""
    if reader and not state.outcome:
        return state.boards[reader]
    looks: dict[int, Look] = {}
    for name, asker in state.queried.items():
        kind: CellKind = "hint" if state.outcome else OWNED[reader][asker]
        distance = str(state.answers[asker - 1][name])
        looks[GRID.cells[name]] = (distance, kind, MARKS[asker]) if state.outcome else (MARKS[asker], kind, "")
    for name, guesser in state.misses.items():
        text, _, _ = looks.get(GRID.cells[name], ("", "miss", ""))
        looks[GRID.cells[name]] = (text + "x", "miss", MARKS[guesser])
    if state.outcome:
        text, _, corner = looks.get(state.treasure, ("", "hidden", ""))
        looks[state.treasure] = (text + "T", "goal", corner)
    return put_cells(GRID.board("hidden"), looks)
