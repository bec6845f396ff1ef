"""Grid Conquest: claim cells of hidden value, and show your neighbours' worth to both with every claim."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gridgames_protocol.views import Action, Board, Card, Review, ReviewRow, View
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
    verb_and_rest,
    with_seat,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.quest import NOTHING, Moment, Quest
from gridgames_server.games.tell import SEATS, Reader, other, player

GRID = Grid(tuple("ABCDE"), tuple("12345"), "{row}{col}")
GOAL = 15  # points that win at once
NOBODY = 0

CARD = Card(
    slug="grid-conquest",
    title="Grid Conquest",
    summary="claim hidden values, be first to fifteen",
    edition=1,
    rules="""\
Every cell of a grid of five rows (A-E) and five columns (1-5) holds a hidden value from 1 to 5. Whoever is first to
reach 15 points wins at once.

On your turn claim any cell that nobody has claimed, by its name: C3 (or CLAIM C3). Its value is added to your score,
and the values of all unclaimed cells around it, up to eight, are shown to both of you.

If all cells are claimed and nobody has 15 points, the higher score wins; equal scores are a draw.""",
)


@dataclass(frozen=True, slots=True, repr=False)
class State:
    values: tuple[int, ...]
    turn: int
    owners: tuple[int, ...] = (NOBODY,) * len(GRID)  # the seat that claimed each cell
    scores: tuple[int, int] = (0, 0)
    shown: frozenset[int] = frozenset()  # cells whose value everybody has seen
    outcome: Outcome | None = None


class GridConquest:
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        values = tuple(1 + chance.below(5, f"value of {name}") for name in GRID.names)
        return Step(State(values, first), (tell.turn(first),), {"values": "".join(map(str, values))})

    def to_act(self, state: State) -> frozenset[int]:
        return NO_ONE if state.outcome else ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = verb_and_rest(line)
        return claim(state, seat, GRID.read(rest if verb == "CLAIM" else f"{verb} {rest}"))

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        known = range(len(GRID)) if state.outcome else sorted(state.shown)
        left = unclaimed(state)
        return View(
            phase="over" if state.outcome else "play",
            prompt=prompt_of(state, to_act, reader, f"{player(state.turn)}, enter the cell you wish to claim:"),
            board=drawn(state, reader, known),
            facts=(
                ("Player 1's score", str(state.scores[0])),
                ("Player 2's score", str(state.scores[1])),
                ("Wins at", f"{GOAL} points"),
                ("Unclaimed", f"{len(left)} of {len(GRID)}"),
            ),
            actions=actions(left) if reader in to_act else (),
            state={
                "owners": {GRID.names[cell]: owner for cell, owner in enumerate(state.owners) if owner},
                "values": {GRID.names[cell]: state.values[cell] for cell in known},
                "scores": state.scores,
                "goal": GOAL,
            },
        )

    def quest(self, state: State, seat: int) -> Quest:
        return NOTHING  # both know the same values, and the others could be anything

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        after = tuple(moment.after for moment in moments)
        one, two = (tuple(moment.state.scores[seat - 1] for moment in moments) for seat in SEATS)
        left = tuple(sum(moment.state.values) - sum(moment.state.scores) for moment in moments)
        most = max(GOAL, *one, *two)
        rows = (
            ReviewRow(player(1), most, one, lead(1, one, two, after)),
            ReviewRow(player(2), most, two, lead(2, two, one, after)),
            ReviewRow("Left", max(left), left, ""),
        )
        return Review("Points, and what is left on the board", after, rows)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        values = zip(GRID.names, secrets["values"], strict=True)
        return {f"value of {name}": int(value) - 1 for name, value in values}


def lead(seat: int, own: Sequence[int], others: Sequence[int], after: Sequence[int]) -> str:
    """Since when a seat had been ahead when the game ended, in words."""
    behind = [place for place, (mine, theirs) in enumerate(zip(own, others, strict=True)) if mine <= theirs]
    since = behind[-1] + 1  # nobody is ahead at the start
    return f"{player(seat)} was ahead from move {after[since]} on." if since < len(after) else ""


def unclaimed(state: State) -> list[int]:
    """The cells that may be claimed."""
    return [cell for cell, owner in enumerate(state.owners) if not owner]


def claim(state: State, seat: int, cell: int) -> Step[State]:
    """Claim a cell, and show everybody what lies around it."""
    name, value, owner = GRID.names[cell], state.values[cell], state.owners[cell]
    if owner:
        whose = "you" if owner == seat else player(owner)
        example = GRID.names[unclaimed(state)[0]]
        raise illegal(f"Cell {name} was claimed by {whose}. {len(unclaimed(state))} are left, for example {example}.")
    opened = [near for near in GRID.neighbours(cell) if not state.owners[near] and near not in state.shown]
    owners = (*state.owners[:cell], seat, *state.owners[cell + 1 :])
    points = state.scores[seat - 1] + value
    scores = with_seat(state.scores, seat, points)
    state = replace(state, owners=owners, scores=scores, shown=state.shown | {cell, *opened})
    told = [
        tell.only(seat, f"You have claimed cell {name} with a value of {value}."),
        tell.others(seat, f"{player(seat)} has claimed cell {name} with a value of {value}."),
        tell.only(seat, f"Your new score is {points}."),
        tell.others(seat, f"{player(seat)}'s new score is {points}."),
    ]
    if opened:
        told.append(tell.table("Revealed: " + ", ".join(f"{GRID.names[c]} {state.values[c]}" for c in opened) + "."))
    ended = ending(state, seat)
    if ended is None:
        return Step(replace(state, turn=other(seat)), (*told, tell.turn(other(seat))))
    if points >= GOAL:
        told.append(tell.only(seat, f"Congratulations! You have reached {points} points and won the game!"))
        told.append(tell.others(seat, f"{player(seat)} has reached {points} points and won the game!"))
    return Step(replace(state, outcome=ended), tuple(told))


def ending(state: State, mover: int) -> Outcome | None:
    """How it stands after the mover's claim."""
    points = dict(zip(SEATS, state.scores, strict=True))
    tally = f"{points[1]} to {points[2]}"
    if points[mover] >= GOAL:
        return Outcome(mover, "points", f"{player(mover)} wins with {points[mover]} points ({tally}).")
    if NOBODY in state.owners:
        return None
    if points[1] == points[2]:
        return Outcome(None, "draw", f"All cells are claimed and the scores are equal ({tally}): a draw.")
    ahead = max(SEATS, key=lambda seat: points[seat])
    return Outcome(ahead, "points", f"All cells are claimed; {player(ahead)} wins with the higher score ({tally}).")


def actions(left: list[int]) -> tuple[Action, ...]:
    """What the seat to act may type."""
    return (Action("CLAIM", "CLAIM {cell}", "claim a cell and its points", GRID.named(left)),)


def drawn(state: State, reader: Reader, known: Iterable[int]) -> Board:
    """The board: who claimed what, and the values that are known."""
    sketch = GRID.sketch("hidden")
    for cell in known:
        sketch.put(cell, str(state.values[cell]), "known")
    for cell, owner in enumerate(state.owners):
        if owner:
            sketch.put(cell, f"P{owner}", owner_kind(owner, reader))
    return sketch.board()
