"""Treasure Hunt Duel: one hidden treasure, two hunters, and distances that only their asker hears."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gridgames_protocol.views import Action, Board, Card, CellKind, Review, View
from gridgames_server.games import tell
from gridgames_server.games.game import (
    ALONE,
    IN_ORDER,
    MARKS,
    NO_ONE,
    OWNED,
    Chance,
    Outcome,
    Step,
    illegal,
    prompt_of,
    replace,
    syntax,
    verb_and_rest,
    with_seat,
    without,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.quest import Moment, Quest, counted
from gridgames_server.games.tell import SEATS, Reader, Telling, other, player

GRID = Grid(tuple("12345"), tuple("ABCDE"), "{row}{col}")
EVERYWHERE = frozenset(range(len(GRID)))
HINTS_SHOWN = 12  # beside the board, which shows them all
OWES = {seats: " and ".join(map(player, in_order)) or "nobody" for seats, in_order in IN_ORDER.items()}
ASK = {seat: f"{player(seat)}, query a cell or guess the treasure's:" for seat in SEATS}

CARD = Card(
    slug="treasure-hunt-duel",
    title="Treasure Hunt Duel",
    summary="one treasure, two hunters: distances are private",
    edition=1,
    rules="""\
A treasure lies somewhere on a grid of five rows (1-5) and five columns (A-E). Whoever names its cell first wins.

On your turn do one of two things:

  QUERY 2B   asks how far the treasure is from 2B, counted in steps along rows and columns. Only you hear the
             answer; the other player sees which cell you asked about. A cell can be queried once in the whole game.
  GUESS 4D   says where the treasure is. Right: you win. Wrong: everybody sees it, and your next turn is skipped.

A query that answers 0 has found the cell, but only a guess wins. When all cells have been queried, only guesses are
left. Your own answers stay on your board for the whole game.""",
    assist=True,
)


NONE: Mapping[str, int] = {}
BLANK: Mapping[int, Board] = dict.fromkeys(SEATS, GRID.board("hidden"))


@dataclass(frozen=True, repr=False)
class State:
    treasure: int
    turn: int
    queried: Mapping[str, int] = field(default_factory=dict)  # the seat that asked about each cell, by its name
    queried_on: Mapping[str, int] = field(default_factory=dict)  # and on which turn
    answers: tuple[Mapping[str, int], Mapping[str, int]] = (NONE, NONE)  # what each seat was told
    lately: tuple[str, str] = ("", "")  # the latest of that, in words
    left: tuple[str, ...] = GRID.names  # cells that may still be queried
    misses: tuple[str, ...] = ()  # cells of wrong guesses, each once
    seen: Mapping[int, Board] = field(default_factory=lambda: BLANK)  # the board of each seat
    owing: frozenset[int] = frozenset()  # seats whose next turn is skipped
    turns: int = 0  # taken so far
    outcome: Outcome | None = None


class TreasureHuntDuel:
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        treasure = chance.below(len(GRID), "treasure")
        return Step(State(treasure, first), (tell.turn(first),), {"treasure": GRID.names[treasure]})

    def to_act(self, state: State) -> frozenset[int]:
        return NO_ONE if state.outcome else ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = verb_and_rest(line)
        if verb == "QUERY":
            return query(state, seat, GRID.read(rest))
        if verb == "GUESS":
            return guess(state, seat, GRID.read(rest))
        raise syntax("Type QUERY and a cell to ask for its distance, or GUESS and a cell to win: QUERY 2B, GUESS 4D.")

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        hints = state.answers[reader - 1] if reader else NONE
        return View(
            phase="over" if state.outcome else "play",
            prompt=prompt_of(state, to_act, reader, ASK[state.turn]),
            board=drawn(state, reader),
            facts=facts(len(state.queried), state.owing, state.lately[reader - 1] if reader else ""),
            actions=actions(state) if reader in to_act else (),
            state={
                "queried": state.queried,
                "hints": hints,
                "guessed": state.misses,
                "owes": IN_ORDER[state.owing],
                "treasure": GRID.names[state.treasure] if state.outcome else None,
            },
        )

    def quest(self, state: State, seat: int) -> Quest:
        return Quest(EVERYWHERE, possible(state, seat))

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return counted("Where the treasure could be", moments, self.quest)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        return {"treasure": GRID.names.index(secrets["treasure"])}


def possible(state: State, seat: int) -> frozenset[int]:
    """The cells that fit a seat's own answers and everybody's wrong guesses."""
    own = [(GRID.cells[name], far) for name, far in state.answers[seat - 1].items()]
    fitting = (cell for cell in EVERYWHERE if all(GRID.distance(cell, asked) == far for asked, far in own))
    return frozenset(fitting).difference(GRID.cells[name] for name in state.misses)


def query(state: State, seat: int, cell: int) -> Step[State]:
    """Ask how far the treasure is from a cell."""
    name, far = GRID.names[cell], GRID.distance(cell, state.treasure)
    if name in state.queried:
        taken = f"Cell {name} has already been queried. Please select a different cell."
        raise illegal(f"{taken} It was queried on turn {state.queried_on[name]}; {what_is_left(state)}.")
    answers = {**state.answers[seat - 1], name: far}
    return pass_turn(
        state,
        (tell.everybody(seat, f"{player(seat)} queried {name}."), tell.only(seat, f"Distance: {far}")),
        state.owing,
        queried={**state.queried, name: seat},
        queried_on={**state.queried_on, name: state.turns + 1},
        answers=with_seat(state.answers, seat, answers),
        lately=with_seat(state.lately, seat, in_words(answers)),
        left=without(state.left, name),
        seen=asked(state, seat, cell, str(far)),
    )


def asked(state: State, seat: int, cell: int, far: str) -> dict[int, Board]:
    """The boards after a query: its seat sees the distance, the other one who has asked."""
    seen = {
        reader: board.put(cell, far, "hint") if reader == seat else board.put(cell, MARKS[seat], OWNED[reader][seat])
        for reader, board in state.seen.items()
    }
    return missed(seen, cell) if GRID.names[cell] in state.misses else seen


def missed(seen: Mapping[int, Board], cell: int) -> dict[int, Board]:
    """The boards with the mark of a wrong guess."""
    return {reader: board.add(cell, "x", "miss") for reader, board in seen.items()}


def what_is_left(state: State) -> str:
    """How many cells can be queried, with one to try."""
    match state.left:
        case ():
            return "no cell is left, so guess"
        case (name,):
            return f"only {name} is left"
        case left:
            return f"{len(left)} cells are left, for example {left[0]}"


def guess(state: State, seat: int, cell: int) -> Step[State]:
    """Say where the treasure is: win, or lose the next turn."""
    name = GRID.names[cell]
    said = tell.everybody(seat, f"{player(seat)} guessed {name}.")
    if cell == state.treasure:
        won = Outcome(seat, "treasure", f"{player(seat)} wins: the treasure was at {name}.")
        told = (
            said,
            tell.only(seat, "Correct! You have found the treasure."),
            tell.others(seat, f"Correct! {player(seat)} has found the treasure."),
        )
        return Step(replace(state, turns=state.turns + 1, outcome=won), told)
    told = (
        said,
        tell.only(seat, "Incorrect guess. You will lose your next turn."),
        tell.others(seat, f"Incorrect guess. {player(seat)} will lose the next turn."),
    )
    owing = state.owing | {seat}
    if name in state.misses:
        return pass_turn(state, told, owing)
    return pass_turn(state, told, owing, misses=(*state.misses, name), seen=missed(state.seen, cell))


def pass_turn(state: State, told: tuple[Telling, ...], owing: frozenset[int], **changes: object) -> Step[State]:
    """Give the turn to the next seat that owes none; a skipped turn is paid when it would have come."""
    seat = other(state.turn)
    while seat in owing:
        owing -= {seat}
        told = (*told, tell.table(f"{player(seat)} loses this turn."))
        seat = other(seat)
    state = replace(state, turn=seat, owing=owing, turns=state.turns + 1, **changes)
    return Step(state, (*told, tell.turn(seat)))


SAY = Action("GUESS", "GUESS {cell}", "say where the treasure is; a wrong guess costs your next turn", GRID.names)


def actions(state: State) -> tuple[Action, ...]:
    """What the seat to act may type."""
    ask = Action("QUERY", "QUERY {cell}", "ask how far the treasure is from a cell", state.left)
    return (ask, SAY) if state.left else (SAY,)


def in_words(answers: Mapping[str, int]) -> str:
    """The latest of a seat's answers."""
    return ", ".join([f"{name} {far}" for name, far in [*answers.items()][-HINTS_SHOWN:]])


def facts(queried: int, owing: frozenset[int], hints: str) -> tuple[tuple[str, str], ...]:
    """What stands beside the board, with the reader's own hints."""
    public = (("Queried", f"{queried} of {len(GRID)}"), ("Owes a turn", OWES[owing]))
    return (*public, ("Your hints", hints)) if hints else public


def drawn(state: State, reader: Reader) -> Board:
    """The board: own distances, the other's queries, wrong guesses; at the end all distances, and the treasure."""
    if reader and not state.outcome:
        return state.seen[reader]
    looks: dict[int, tuple[str, CellKind]] = {}
    for name, asker in state.queried.items():
        text = str(state.answers[asker - 1][name]) if state.outcome else MARKS[asker]
        looks[GRID.cells[name]] = (text, "hint" if asker == reader else OWNED[reader][asker])
    for cell in map(GRID.cells.__getitem__, state.misses):
        looks[cell] = (looks[cell][0] + "x" if cell in looks else "x", "miss")
    if state.outcome:
        looks[state.treasure] = ("T", "goal")
    return GRID.board("hidden").put_all(looks)
