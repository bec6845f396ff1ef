"""Secret Paths: one Seeker that both move in turn, and two secret goals."""

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
    alike,
    illegal,
    may_know,
    prompt_of,
    replace,
    syntax,
    verb_and_rest,
    with_seat,
)
from gridgames_server.games.grid import Grid, OffGrid
from gridgames_server.games.quest import NOTHING, Moment, Quest, counted
from gridgames_server.games.tell import SEATS, Reader, Telling, other, player

GRID = Grid(tuple("12345"), tuple("12345"), "{row},{col}")
CENTRE = GRID.cell(2, 2)
GOAL_ROW = {1: 4, 2: 0}  # seat 1 aims at the bottom row, seat 2 at the top
GOALS = {seat: frozenset(GRID.cell(row, col) for col in range(len(GRID.cols))) for seat, row in GOAL_ROW.items()}
FOULS = 3  # illegal moves in one game after which the other may claim the win
TRAIL_SHOWN = 12  # the latest cells of the Seeker

CARD = Card(
    slug="secret-paths",
    title="Secret Paths",
    summary="one Seeker, two secret goals, one step at a time",
    edition=1,
    rules="""\
A single token, the Seeker, starts in the middle of a grid of five rows and five columns. Each player has a secret goal
cell. Whoever moves the Seeker onto their own goal wins.

First, both at once, in secret:

  GOAL 5 2   sets your goal. Player 1's lies in row 5, at the bottom, Player 2's in row 1, at the top. GOAL 2 is enough.

Then, in turns:

  MOVE 4 2   (or "move to 4,2") moves the Seeker to one of the up to eight cells around it. It may not stay.

Moving the Seeker onto the other's goal does nothing. A move to a cell that is not beside the Seeker must be made
again; after the third such move in a game, the other player may claim the win, at once or later. Typing errors do not
count. The computer never claims.

The rules know no draw: a game that goes round in circles ends when somebody resigns (/resign).""",
    assist=True,
)


@dataclass(frozen=True, repr=False)
class State:
    turn: int  # whose it is, or will be after the setup
    goals: tuple[int | None, int | None] = (None, None)
    trail: tuple[int, ...] = (CENTRE,)  # the latest cells of the Seeker, where it stands last
    fouls: tuple[int, int] = (0, 0)
    landed: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())  # where each has not won
    outcome: Outcome | None = None


class SecretPaths:
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        return Step(State(first), tuple(tell.table(ask_goal(seat)) for seat in SEATS))

    def to_act(self, state: State) -> frozenset[int]:
        if state.outcome:
            return NO_ONE
        return choosing(state) or ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = verb_and_rest(line)
        if verb == "GOAL":
            return choose_goal(state, seat, rest)
        if verb == "MOVE":
            return move(state, seat, rest.removeprefix("TO ") if rest.startswith("TO ") else rest)
        raise syntax(how_to(state, seat))

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        ask = ask_goal(reader or 1) if choosing(state) else ask_move(seeker(state))
        trail = GRID.named(state.trail)
        return View(
            phase="over" if state.outcome else "setup" if choosing(state) else "play",
            prompt=prompt_of(state, to_act, reader, ask),
            board=drawn(state, reader),
            facts=facts(trail, state.fouls),
            actions=actions(state, reader) if reader is not None and reader in to_act else (),
            state={
                "seeker": trail[-1],
                "trail": trail,
                "goals": (known_goal(state, reader, 1), known_goal(state, reader, 2)),
                "fouls": state.fouls,
            },
            claimable=reader is not None and not state.outcome and state.fouls[other(reader) - 1] >= FOULS,
        )

    def quest(self, state: State, seat: int) -> Quest:
        rival = other(seat)
        if rival in choosing(state):
            return NOTHING
        return Quest(GOALS[rival], GOALS[rival] - state.landed[rival - 1])

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return counted("Where the other's goal could be", moments, self.quest)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        return {}


def choosing(state: State) -> frozenset[int]:
    """The seats that still have to choose their goal."""
    if None not in state.goals:
        return NO_ONE
    return frozenset(seat for seat, goal in zip(SEATS, state.goals, strict=True) if goal is None)


def seeker(state: State) -> int:
    """Where the Seeker stands."""
    return state.trail[-1]


def ask_goal(seat: int) -> str:
    """The question of the setup."""
    return f"{player(seat)}, choose your Goal Cell (row {GOAL_ROW[seat] + 1}, any column 1-5):"


@cache
def ask_move(seeker: int) -> str:
    """The question of a turn."""
    return f"Enter your move, for example '{example_move(seeker)}':"


def how_to(state: State, seat: int) -> str:
    """What can be typed now."""
    if choosing(state):
        row = GOAL_ROW[seat] + 1
        return f"Choose your goal first: GOAL {row} and a column, for example GOAL {row} 2."
    return f"Move the Seeker to a cell beside it, for example '{example_move(seeker(state))}'."


def example_move(seeker: int) -> str:
    """A legal move."""
    return f"move to {GRID.names[GRID.neighbours(seeker)[0]]}"


def choose_goal(state: State, seat: int, text: str) -> Step[State]:
    """Set a seat's goal for the whole game."""
    row = GOAL_ROW[seat]
    column_alone = len(text) == 1 and text.isdigit()
    cell = GRID.read(f"{row + 1},{text}" if column_alone else text)
    if not choosing(state):
        raise illegal(f"The goals are chosen. {how_to(state, seat)}")
    if GRID.place(cell)[0] != row:
        raise illegal(f"Your goal must be in row {row + 1}, for example GOAL {row + 1} 2.")
    state = replace(state, goals=with_seat(state.goals, seat, cell))
    told: tuple[Telling, ...] = (
        tell.only(seat, "Goal Cell selected."),
        tell.others(seat, f"{player(seat)} has chosen a Goal Cell."),
    )
    if not choosing(state):
        told = (*told, tell.BEGIN, tell.table("The Seeker starts at (3,3)."), tell.turn(state.turn))
    return Step(state, told, {f"goal of {seat}": GRID.names[cell]})


def move(state: State, seat: int, text: str) -> Step[State]:
    """Move the Seeker to a neighbouring cell; a readable move to any other place is a foul."""
    try:
        cell = GRID.read(text)
    except OffGrid as off:
        if choosing(state):
            raise
        return foul(state, seat, off.text)
    if choosing(state):
        raise illegal(how_to(state, seat))
    if cell == seeker(state):
        return foul(state, seat, f"The Seeker stands at ({GRID.names[cell]}) and may not stay.")
    if cell not in GRID.neighbours(seeker(state)):
        return foul(state, seat, f"({GRID.names[cell]}) is not beside the Seeker at ({GRID.names[seeker(state)]}).")
    told = tell.everybody(seat, f"Seeker moved to ({GRID.names[cell]}).")
    trail = (*state.trail, cell)[-TRAIL_SHOWN:]
    if cell == state.goals[seat - 1]:
        text = f"{player(seat)} has moved the Seeker to their Goal Cell and wins the game!"
        return Step(replace(state, trail=trail, outcome=Outcome(seat, "goal", text)), (told,))
    landed = with_seat(state.landed, seat, state.landed[seat - 1] | {cell})
    return Step(replace(state, trail=trail, turn=other(seat), landed=landed), (told, tell.turn(other(seat))))


def foul(state: State, seat: int, why: str) -> Step[State]:
    """Count an illegal move; the mover moves again."""
    count, rival = state.fouls[seat - 1] + 1, player(other(seat))
    if count < FOULS:
        after = f"That was illegal move {count}; after the third, {rival} may claim the win."
    else:
        after = f"That was illegal move {count}; {rival} may claim the win."
    told = [tell.everybody(seat, f"{player(seat)} made an illegal move, number {count}.")]
    if count >= FOULS:
        told.append(tell.table(f"{rival} may claim the win."))
    refusal = illegal(f"{why} {how_to(state, seat)} {after}")
    return Step(replace(state, fouls=with_seat(state.fouls, seat, count)), tuple(told), foul=refusal)


def actions(state: State, seat: int) -> tuple[Action, ...]:
    """What a seat that is to act may type."""
    return choices(seat) if choosing(state) else steps(seeker(state))


@cache
def choices(seat: int) -> tuple[Action, ...]:
    """The goals that a seat may choose."""
    cells = GRID.named(GRID.cell(GOAL_ROW[seat], col) for col in range(len(GRID.cols)))
    return (Action("GOAL", "GOAL {cell}", "choose your secret Goal Cell", cells, secret=True),)


@cache
def steps(start: int) -> tuple[Action, ...]:
    """The moves of a Seeker that stands there."""
    return (Action("MOVE", "MOVE {cell}", "move the Seeker one step", GRID.named(GRID.neighbours(start))),)


@alike
def facts(trail: tuple[str, ...], fouls: tuple[int, int]) -> tuple[tuple[str, str], ...]:
    """What stands beside the board: where the Seeker is and was, and the illegal moves."""
    return (
        ("Seeker", f"({trail[-1]})"),
        ("Trail", f"({') ('.join(trail)})"),
        ("Illegal moves", f"{player(1)}: {fouls[0]}, {player(2)}: {fouls[1]}"),
    )


def known_goal(state: State, reader: Reader, seat: int) -> str | None:
    """A seat's goal as far as the reader may know it."""
    goal = state.goals[seat - 1]
    return GRID.names[goal] if goal is not None and may_know(state, reader, seat) else None


def drawn(state: State, reader: Reader) -> Board:
    """The board: the Seeker, the own goal, at the end both."""
    if state.outcome:
        return opened(seeker(state), *state.goals)
    return field_of(seeker(state), state.goals[reader - 1] if reader else None)


@cache
def field_of(seeker: int, own: int | None) -> Board:
    """The board while the game lasts, with the reader's own goal."""
    board = GRID.board("empty").put(seeker, "S", "token")
    if own is not None:
        board = board.add_secret(own, "G", "token" if own == seeker else "goal")
    return board


def opened(seeker: int, *goals: int | None) -> Board:
    """The board at the end."""
    board = GRID.board("empty").put(seeker, "S", "token")
    for seat, goal in zip(SEATS, goals, strict=True):
        if goal is not None:
            board = board.add(goal, f"G{seat}", "token" if goal == seeker else "goal")
    return board
