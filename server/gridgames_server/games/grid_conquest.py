"""Grid Conquest: claim cells of hidden value; every claim shows both players the values around it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gridgames_protocol.views import Action, Board, Card, LastCell, LegendEntry, Meter, Review, ReviewRow, View
from gridgames_server.errors import illegal
from gridgames_server.games import narration
from gridgames_server.games.game import (
    MARKS,
    NUMERALS,
    OWNED,
    Chance,
    Game,
    Look,
    Moves,
    Outcome,
    Step,
    add_move,
    cache_for_readers,
    choose_prompt,
    put_cells,
    replace,
    share,
    split_verb,
    with_seat,
    without,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.possibilities import NOTHING, Moment, Possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player

GRID = Grid(tuple("ABCDE"), tuple("12345"), "{row}{col}")
GOAL = 15  # points that win at once
BLANK: Mapping[int, Board] = dict.fromkeys(SEATS, GRID.board("hidden"))
COLD = (0,) * len(GRID)
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
    picture=("2kkhh", "k1khh", "kk1kk", "hkk2k", "hhkkk"),
    guide=(
        (
            "turn",
            "Every cell hides 1 to 5 points. CLAIM any free cell: you get its points, and both see what is around it.",
        ),
        ("CLAIM", "The numbers are free for whoever claims them first. What you open, the other player may take."),
        ("wait", "You both choose by the same values. A five in sight is worth more than a hidden value."),
        ("over", "Fifteen points win at once. The board shows what every cell was worth."),
    ),
)

GOAL_SENTENCE = f"Be first to {GOAL} points."
FREE: tuple[LegendEntry, ...] = (("known", None, "free"), ("hidden", None, "unknown"))
LEGEND: Mapping[Reader, tuple[LegendEntry, ...]] = {
    1: (("mine", 1, "yours"), ("theirs", 2, "theirs"), *FREE),
    2: (("mine", 2, "yours"), ("theirs", 1, "theirs"), *FREE),
    None: (("mine", 1, "claimed"), ("theirs", 2, "claimed"), *FREE),
}


@dataclass(frozen=True, repr=False)
class State:
    values: tuple[int, ...]
    turn: int
    owners: Mapping[str, int] = field(default_factory=dict)  # the seat that claimed each cell, by its name
    visible_values: Mapping[str, int] = field(default_factory=dict)  # the values that everybody has seen
    left: tuple[str, ...] = GRID.names  # cells that may be claimed
    boards: Mapping[int, Board] = field(default_factory=lambda: BLANK)  # of each seat
    scores: tuple[int, int] = (0, 0)
    moves: Moves = ()
    last: tuple[LastCell, ...] = ()
    outcome: Outcome | None = None


class GridConquest(Game[State]):
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        values = tuple(1 + chance.below(5, f"value of {name}") for name in GRID.names)
        return Step(State(values, first), (), {"values": "".join(map(str, values))}, turn=first)

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = split_verb(line)
        return claim(state, seat, GRID.read(rest if verb == "CLAIM" else f"{verb} {rest}"))

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        return View(
            phase="over" if state.outcome else "play",
            prompt=choose_prompt(state, to_act, reader, ASK[state.turn]),
            board=draw_board(state, reader),
            facts=list_facts(state.scores, len(state.left)),
            actions=list_actions(state) if reader in to_act else (),
            state={
                "owners": state.owners,
                "values": dict(zip(GRID.names, state.values, strict=True)) if state.outcome else state.visible_values,
                "scores": state.scores,
                "goal": GOAL,
            },
            goal=GOAL_SENTENCE,
            legend=LEGEND[reader],
            meters=list_meters(state.scores),
            moves=state.moves,
            last=state.last,
        )

    def possibilities(self, state: State, seat: int) -> Possibilities:
        return NOTHING  # both players know the same values

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        after, rounds = tuple(moment.after for moment in moments), [moment.round for moment in moments]
        one, two = (tuple(moment.state.scores[seat - 1] for moment in moments) for seat in SEATS)
        left = tuple(sum(moment.state.values) - sum(moment.state.scores) for moment in moments)
        most = max(GOAL, *one, *two)
        rows = (
            ReviewRow(player(1), most, one, describe_lead(1, one, two, rounds)),
            ReviewRow(player(2), most, two, describe_lead(2, two, one, rounds)),
            ReviewRow("Left", max(left), left, ""),
        )
        return Review("Points, and what is left on the board", after, rows)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        values = zip(GRID.names, secrets["values"], strict=True)
        return {f"value of {name}": int(value) - 1 for name, value in values}


def describe_lead(seat: int, own: Sequence[int], others: Sequence[int], rounds: Sequence[int]) -> str:
    """Return a sentence about the round from which on a seat was ahead until the end."""
    behind = [place for place, (mine, theirs) in enumerate(zip(own, others, strict=True)) if mine <= theirs]
    since = behind[-1] + 1  # nobody is ahead at the start
    return f"{player(seat)} was ahead from round {rounds[since]} on." if since < len(rounds) else ""


def claim(state: State, seat: int, cell: int) -> Step[State]:
    """Claim a cell, and show everybody the values around it."""
    name, value, names = GRID.names[cell], state.values[cell], GRID.names
    if name in state.owners:
        whose = "you" if state.owners[name] == seat else player(state.owners[name])
        others = f"{len(state.left)} are left, for example {state.left[0]}"
        raise illegal(f"Cell {name} was claimed by {whose}. {others}.")
    opened = {
        names[near]: state.values[near] for near in GRID.neighbours(cell) if names[near] not in state.visible_values
    }
    points = state.scores[seat - 1] + value
    scores, left = with_seat(state.scores, seat, points), without(state.left, name)
    ended = decide(scores, seat, all_claimed=not left)
    told = [
        narration.tell_only(seat, f"You have claimed cell {name} with a value of {value}."),
        narration.tell_others(seat, f"{player(seat)} has claimed cell {name} with a value of {value}."),
        narration.tell_only(seat, f"Your new score is {points}."),
        narration.tell_others(seat, f"{player(seat)}'s new score is {points}."),
    ]
    if opened:
        revealed = ", ".join([f"{near} {worth}" for near, worth in opened.items()])
        told.append(narration.announce_once(f"Revealed: {revealed}."))
    if points >= GOAL:
        told.append(narration.tell_only(seat, f"Congratulations! You have reached {points} points and won the game!"))
        told.append(narration.tell_others(seat, f"{player(seat)} has reached {points} points and won the game!"))
    state = replace(
        state,
        turn=other(seat),
        owners={**state.owners, name: seat},
        visible_values={**state.visible_values, name: value, **opened},
        left=left,
        boards=draw_claim(state, opened, cell, seat),
        scores=scores,
        moves=add_move(state.moves, (seat, name, share(f"+{value}"), "good")),
        last=((seat, 0, name),),
        outcome=ended,
    )
    return Step(state, tuple(told), turn=None if ended else other(seat))


def draw_claim(state: State, opened: Mapping[str, int], claimed: int, seat: int) -> dict[int, Board]:
    """Return the boards after a claim: the claimed value with its owner in the corner, and the opened values."""
    looks: dict[int, Look] = {GRID.cells[name]: (NUMERALS[worth], "known", "") for name, worth in opened.items()}
    heat = list(state.boards[1].heat or COLD)
    for name, worth in opened.items():
        heat[GRID.cells[name]] = worth
    heat[claimed], shades = 0, tuple(heat)
    boards = {}
    for reader, board in state.boards.items():
        looks[claimed] = (NUMERALS[state.values[claimed]], OWNED[reader][seat], MARKS[seat])
        boards[reader] = put_cells(board, looks, shades)
    return boards


def decide(scores: tuple[int, int], mover: int, all_claimed: bool) -> Outcome | None:
    """Return the outcome after the mover's claim, or None if the game goes on."""
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


def list_actions(state: State) -> tuple[Action, ...]:
    """Return the actions of the seat to act."""
    tells = "you get its points; both of you see the values around it"
    return (Action("CLAIM", "CLAIM {cell}", "claim any free cell and its points", state.left, tells=tells),)


@cache_for_readers
def list_meters(scores: tuple[int, int]) -> tuple[Meter, ...]:
    """Return a meter for each score."""
    return tuple(
        (player(seat), seat, min(score, GOAL), GOAL, f"{score} of {GOAL}")
        for seat, score in zip(SEATS, scores, strict=True)
    )


@cache_for_readers
def list_facts(scores: tuple[int, int], left: int) -> tuple[tuple[str, str], ...]:
    """Return the facts beside the board: the scores, and how many cells are left."""
    return (
        ("Player 1's score", str(scores[0])),
        ("Player 2's score", str(scores[1])),
        ("Wins at", f"{GOAL} points"),
        ("Unclaimed", f"{left} of {len(GRID)}"),
    )


def draw_board(state: State, reader: Reader) -> Board:
    """Return the board: claimed cells with their owners, and visible values."""
    board = state.boards[reader or 1]
    if state.outcome:
        hidden = [cell for cell, kind in enumerate(board.kinds) if kind == "hidden"]
        heat = [state.values[cell] if kind in ("hidden", "known") else 0 for cell, kind in enumerate(board.kinds)]
        board = put_cells(board, {cell: (str(state.values[cell]), "known", "") for cell in hidden}, tuple(heat))
    return board
