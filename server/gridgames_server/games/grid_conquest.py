"""Grid Conquest: claim cells of hidden value, and show your neighbours' worth to both with every claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gridgames_protocol.views import Action, Board, Card, CellKind, Review, ReviewRow, View
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
    prompt_of,
    replace,
    verb_and_rest,
    with_seat,
    without,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.quest import NOTHING, Moment, Quest
from gridgames_server.games.tell import SEATS, Reader, other, player

GRID = Grid(tuple("ABCDE"), tuple("12345"), "{row}{col}")
GOAL = 15  # points that win at once
BLANK: Mapping[int, Board] = dict.fromkeys(SEATS, GRID.board("hidden"))
ASK = {seat: f"{player(seat)}, enter the cell you wish to claim:" for seat in SEATS}

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


@dataclass(frozen=True, repr=False)
class State:
    values: tuple[int, ...]
    turn: int
    owners: Mapping[str, int] = field(default_factory=dict)  # the seat that claimed each cell, by its name
    shown: Mapping[str, int] = field(default_factory=dict)  # the values that everybody has seen
    left: tuple[str, ...] = GRID.names  # cells that may be claimed
    seen: Mapping[int, Board] = field(default_factory=lambda: BLANK)  # the board of each seat
    scores: tuple[int, int] = (0, 0)
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
        return View(
            phase="over" if state.outcome else "play",
            prompt=prompt_of(state, to_act, reader, ASK[state.turn]),
            board=drawn(state, reader),
            facts=facts(state.scores, len(state.left)),
            actions=actions(state) if reader in to_act else (),
            state={
                "owners": state.owners,
                "values": dict(zip(GRID.names, state.values, strict=True)) if state.outcome else state.shown,
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


def claim(state: State, seat: int, cell: int) -> Step[State]:
    """Claim a cell, and show everybody what lies around it."""
    name, value, names = GRID.names[cell], state.values[cell], GRID.names
    if name in state.owners:
        whose = "you" if state.owners[name] == seat else player(state.owners[name])
        others = f"{len(state.left)} are left, for example {state.left[0]}"
        raise illegal(f"Cell {name} was claimed by {whose}. {others}.")
    opened = {names[near]: state.values[near] for near in GRID.neighbours(cell) if names[near] not in state.shown}
    points = state.scores[seat - 1] + value
    scores, left = with_seat(state.scores, seat, points), without(state.left, name)
    ended = ending(scores, seat, all_claimed=not left)
    told = [
        tell.only(seat, f"You have claimed cell {name} with a value of {value}."),
        tell.others(seat, f"{player(seat)} has claimed cell {name} with a value of {value}."),
        tell.only(seat, f"Your new score is {points}."),
        tell.others(seat, f"{player(seat)}'s new score is {points}."),
    ]
    if opened:
        told.append(tell.once("Revealed: " + ", ".join([f"{near} {worth}" for near, worth in opened.items()]) + "."))
    if points >= GOAL:
        told.append(tell.only(seat, f"Congratulations! You have reached {points} points and won the game!"))
        told.append(tell.others(seat, f"{player(seat)} has reached {points} points and won the game!"))
    elif ended is None:
        told.append(tell.turn(other(seat)))
    state = replace(
        state,
        turn=other(seat),
        owners={**state.owners, name: seat},
        shown={**state.shown, name: value, **opened},
        left=left,
        seen=redrawn(state, opened, cell, seat),
        scores=scores,
        outcome=ended,
    )
    return Step(state, tuple(told))


def redrawn(state: State, opened: Mapping[str, int], claimed: int, seat: int) -> dict[int, Board]:
    """The boards after a claim."""
    known: dict[int, tuple[str, CellKind]] = {GRID.cells[name]: (str(worth), "known") for name, worth in opened.items()}
    return {
        reader: board.put_all({**known, claimed: (MARKS[seat], OWNED[reader][seat])})
        for reader, board in state.seen.items()
    }


def ending(scores: tuple[int, int], mover: int, all_claimed: bool) -> Outcome | None:
    """How it stands after the mover's claim."""
    points, (one, two) = scores[mover - 1], scores
    if points < GOAL and not all_claimed:
        return None
    tally = f"{one} to {two}"
    if points >= GOAL:
        return Outcome(mover, "points", f"{player(mover)} wins with {points} points ({tally}).")
    if one == two:
        return Outcome(None, "draw", f"All cells are claimed and the scores are equal ({tally}): a draw.")
    ahead = 1 if one > two else 2
    return Outcome(ahead, "points", f"All cells are claimed; {player(ahead)} wins with the higher score ({tally}).")


def actions(state: State) -> tuple[Action, ...]:
    """What the seat to act may type."""
    return (Action("CLAIM", "CLAIM {cell}", "claim a cell and its points", state.left),)


@alike
def facts(scores: tuple[int, int], left: int) -> tuple[tuple[str, str], ...]:
    """What stands beside the board: the scores, and how many cells are left."""
    return (
        ("Player 1's score", str(scores[0])),
        ("Player 2's score", str(scores[1])),
        ("Wins at", f"{GOAL} points"),
        ("Unclaimed", f"{left} of {len(GRID)}"),
    )


def drawn(state: State, reader: Reader) -> Board:
    """The board: who claimed what, and the values that are known."""
    board = state.seen[reader or 1]
    if state.outcome:
        hidden = [cell for cell, kind in enumerate(board.kinds) if kind == "hidden"]
        board = board.put_all({cell: (str(state.values[cell]), "known") for cell in hidden})
    return board
