"""Treasure Hunt Duel: one hidden treasure, two hunters, and distances that only their asker hears."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridgames_protocol.views import Action, Board, Card, Review, View
from gridgames_server.games import tell
from gridgames_server.games.game import (
    ALONE,
    NO_ONE,
    Chance,
    Outcome,
    Step,
    illegal,
    owner_kind,
    prompt_of,
    replace,
    syntax,
    verb_and_rest,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.quest import Moment, Quest, counted
from gridgames_server.games.tell import Reader, Telling, other, player

GRID = Grid(tuple("12345"), tuple("ABCDE"), "{row}{col}")
EVERYWHERE = frozenset(range(len(GRID)))
HINTS_SHOWN = 12  # beside the board, which shows them all

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


class Query(NamedTuple):
    cell: int
    seat: int
    turn: int  # the how-manyeth turn of the game asked it


@dataclass(frozen=True, slots=True, repr=False)
class State:
    treasure: int
    turn: int
    queries: tuple[Query, ...] = ()
    misses: tuple[int, ...] = ()  # cells of wrong guesses, each once
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
        hints = {GRID.names[cell]: distance(state, cell) for cell, seat, _ in state.queries if seat == reader}
        return View(
            phase="over" if state.outcome else "play",
            prompt=prompt_of(state, to_act, reader, f"{player(state.turn)}, query a cell or guess the treasure's:"),
            board=drawn(state, reader),
            facts=facts(state, hints),
            actions=actions(state) if reader in to_act else (),
            state={
                "queried": {GRID.names[cell]: seat for cell, seat, _ in state.queries},
                "hints": hints,
                "guessed": GRID.named(state.misses),
                "owes": tuple(sorted(state.owing)),
                "treasure": GRID.names[state.treasure] if state.outcome else None,
            },
        )

    def quest(self, state: State, seat: int) -> Quest:
        return Quest(EVERYWHERE, possible(state, seat))

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return counted("Where the treasure could be", moments, self.quest)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        return {"treasure": GRID.names.index(secrets["treasure"])}


def distance(state: State, cell: int) -> int:
    """The answer to a query of the cell."""
    return GRID.distance(cell, state.treasure)


def possible(state: State, seat: int) -> frozenset[int]:
    """The cells that fit a seat's own answers and everybody's wrong guesses."""
    own = [(query.cell, distance(state, query.cell)) for query in state.queries if query.seat == seat]
    fitting = (cell for cell in EVERYWHERE if all(GRID.distance(cell, asked) == far for asked, far in own))
    return frozenset(fitting).difference(state.misses)


def unqueried(state: State) -> list[int]:
    """The cells that may still be queried."""
    asked = {cell for cell, _, _ in state.queries}
    return [cell for cell in range(len(GRID)) if cell not in asked]


def query(state: State, seat: int, cell: int) -> Step[State]:
    """Ask how far the treasure is from a cell."""
    name, turns = GRID.names[cell], state.turns + 1
    for asked, _, turn in state.queries:
        if asked == cell:
            taken = f"Cell {name} has already been queried. Please select a different cell."
            raise illegal(f"{taken} It was queried on turn {turn}; {what_is_left(state)}.")
    return pass_turn(
        replace(state, queries=(*state.queries, Query(cell, seat, turns)), turns=turns),
        tell.everybody(seat, f"{player(seat)} queried {name}."),
        tell.only(seat, f"Distance: {distance(state, cell)}"),
    )


def what_is_left(state: State) -> str:
    """How many cells can be queried, with one to try."""
    left = unqueried(state)
    match len(left):
        case 0:
            return "no cell is left, so guess"
        case 1:
            return f"only {GRID.names[left[0]]} is left"
        case number:
            return f"{number} cells are left, for example {GRID.names[left[0]]}"


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
    misses = state.misses if cell in state.misses else (*state.misses, cell)
    return pass_turn(
        replace(state, misses=misses, owing=state.owing | {seat}, turns=state.turns + 1),
        said,
        tell.only(seat, "Incorrect guess. You will lose your next turn."),
        tell.others(seat, f"Incorrect guess. {player(seat)} will lose the next turn."),
    )


def pass_turn(state: State, *told: Telling) -> Step[State]:
    """Give the turn to the next seat that owes none; a skipped turn is paid when it would have come."""
    seat, owing = other(state.turn), state.owing
    while seat in owing:
        owing -= {seat}
        told = (*told, tell.table(f"{player(seat)} loses this turn."))
        seat = other(seat)
    return Step(replace(state, turn=seat, owing=owing), (*told, tell.turn(seat)))


SAY = Action("GUESS", "GUESS {cell}", "say where the treasure is; a wrong guess costs your next turn", GRID.names)


def actions(state: State) -> tuple[Action, ...]:
    """What the seat to act may type."""
    left = GRID.named(unqueried(state))
    ask = Action("QUERY", "QUERY {cell}", "ask how far the treasure is from a cell", left)
    return (ask, SAY) if left else (SAY,)


def facts(state: State, hints: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """What stands beside the board; `hints` are the answers to the reader's queries, by cell."""
    public = (
        ("Queried", f"{len(state.queries)} of {len(GRID)}"),
        ("Owes a turn", " and ".join(map(player, sorted(state.owing))) or "nobody"),
    )
    lately = ", ".join(f"{name} {far}" for name, far in [*hints.items()][-HINTS_SHOWN:])
    return (*public, ("Your hints", lately)) if hints else public


def drawn(state: State, reader: Reader) -> Board:
    """The board: own distances, the other's queries, wrong guesses, and the treasure at the end."""
    sketch = GRID.sketch("hidden")
    for cell, asker, _ in state.queries:
        own = asker == reader
        text = str(distance(state, cell)) if own or state.outcome else f"P{asker}"
        sketch.put(cell, text, "hint" if own else owner_kind(asker, reader))
    for cell in state.misses:
        sketch.add(cell, "x", "miss")
    if state.outcome:
        sketch.put(state.treasure, "T", "goal")
    return sketch.board()
