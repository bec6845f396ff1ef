"""Secret Paths: one Seeker that both move in turn, and two secret goals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from gridgames_protocol.views import Action, Board, Card, CellKind, LastCell, LegendEntry, Meter, Review, View
from gridgames_server.errors import illegal, not_understood
from gridgames_server.games import narration
from gridgames_server.games.game import (
    ALONE,
    NO_ONE,
    Chance,
    Game,
    Look,
    Moves,
    Outcome,
    Pair,
    Step,
    add_move,
    cache_for_readers,
    choose_prompt,
    claim_forfeit,
    keep_secret,
    list_unset,
    name_secret,
    put_cells,
    replace,
    share,
    split_verb,
    with_seat,
)
from gridgames_server.games.grid import Grid, OffGrid
from gridgames_server.games.possibilities import NOTHING, Moment, Possibilities, count_possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player
from gridgames_server.games.turn_diagram import Trail

GRID = Grid(tuple("12345"), tuple("12345"), "{row},{col}")
CENTRE = GRID.cell(2, 2)
GOAL_ROW = {1: 4, 2: 0}  # seat 1 aims at the bottom row, seat 2 at the top
GOALS = {seat: frozenset(GRID.cell(row, col) for col in range(len(GRID.cols))) for seat, row in GOAL_ROW.items()}
ZONES = tuple((seat, GRID.name_cells(sorted(cells))) for seat, cells in GOALS.items())
FOULS = 3  # illegal moves in one game after which the other may claim the win
SAFE = 2  # rows from a goal row: one step does not reach it
FAR = {  # by `burning`: a step onto a burnt cell is refused without being counted
    False: "That is not one step: an illegal move. After three, the other may claim the win.",
    True: "That is not one step. After three illegal moves, the other may claim the win.",
}
TRAIL_SHOWN = 12  # the latest cells of the Seeker
DRAW_FROM = 30  # moves after which a repeated position can be claimed as a draw
REPEATED = 3  # times that a position must have come for that
ENTRIES = 2  # times that a cell may be entered in the variant `burning`; the start counts

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

Careful players can't be beaten, so there is a draw: from move 30 on, when the Seeker is for the third time on the same
cell with the same player to move, that player may claim a draw (/claim) instead of moving.

Variant "burning": a cell can be entered only twice in a game, the start counting once. Who can't move loses.""",
    assist=True,
    picture=("p2ppp", "...2.", "..t..", ".1...", "..1g."),
    variants=(("burning", "A cell can be entered only twice in a game, and who can't move loses."),),
    guide=(
        ("start", "Choose a secret goal in your row: GOAL and a column. You win when you move the Seeker onto it."),
        ("turn", "Both of you move the same Seeker. Never leave it where one step leads into the other player's row."),
        ("MOVE", "You win on your goal, they on theirs. Two rows away from their row the Seeker is safe."),
        ("wait", "Watch where they pull the Seeker: it tells in which column their goal may be."),
        ("few", "Few cells are left for their goal. Beside the other cells of their row the Seeker is safe."),
        ("one", "Only one cell is left for their goal: never leave the Seeker beside it."),
    ),
)

GOAL_SENTENCES: Mapping[Reader, str] = {
    1: "Move the Seeker onto your secret goal in row 5. Player 2 wants row 1.",
    2: "Move the Seeker onto your secret goal in row 1. Player 1 wants row 5.",
    None: "Player 1 leads the Seeker to a goal in row 5, Player 2 to one in row 1.",
}
TRAILS: Mapping[Reader, tuple[LegendEntry, ...]] = {
    1: (("trail", 1, "your steps"), ("trail", 2, "their steps")),
    2: (("trail", 2, "your steps"), ("trail", 1, "their steps")),
    None: (("trail", 1, "Player 1"), ("trail", 2, "Player 2")),
}
LEGEND: Mapping[Reader, tuple[LegendEntry, ...]] = {
    **{seat: (("token", None, "the Seeker"), ("goal", seat, "your goal"), *TRAILS[seat]) for seat in SEATS},
    None: (("token", None, "the Seeker"), *TRAILS[None], ("zone", 1, "goal row"), ("zone", 2, "goal row")),
}
BURNT: LegendEntry = ("ruled_out", None, "burnt")
START = tuple(int(cell == CENTRE) for cell in range(len(GRID)))
BEGIN = (narration.BEGIN, narration.announce("The Seeker starts at (3,3)."))
TARGET = "Goal is in"  # the label of the meter of possible goals
OWN_GOAL: tuple[CellKind, CellKind] = ("goal", "token")  # its kind without the Seeker, and under it
CellSets = tuple[frozenset[int], frozenset[int]]  # of each seat
NOWHERE: CellSets = (frozenset(), frozenset())


@dataclass(frozen=True, repr=False)
class State:
    turn: int  # the seat that has the turn, or has it first after the setup
    burning: bool = False
    goals: Pair = (None, None)
    trail: tuple[int, ...] = (CENTRE,)  # the latest cells of the Seeker, the current one last
    steps: Trail = ()  # the latest steps: seat, from, to
    entered: tuple[int, ...] = START  # how often the Seeker has entered each cell
    positions: Mapping[tuple[int, int], int] = field(default_factory=dict)  # (cell, seat to move) -> times reached
    move_count: int = 0  # number of moves
    fouls: tuple[int, int] = (0, 0)
    stepped_on: CellSets = NOWHERE  # cells of its goal row that each seat has moved onto without winning
    could_reach: CellSets = NOWHERE  # cells of its goal row that each seat could have moved onto
    path: Board | None = None  # what everybody sees of the board; None before the first move
    moves: Moves = ()
    last: tuple[LastCell, ...] = ()
    outcome: Outcome | None = None

    @property
    def seeker(self) -> int:
        """The Seeker's cell."""
        return self.trail[-1]


class SecretPaths(Game[State]):
    card = CARD

    def __init__(self, burning: bool = False) -> None:
        self.burning = burning

    def start(self, chance: Chance, first: int) -> Step[State]:
        state = State(first, self.burning, positions={(CENTRE, first): 1})
        return Step(state, tuple(narration.announce(ask_goal(seat)) for seat in SEATS))

    def to_act(self, state: State) -> frozenset[int]:
        if state.outcome:
            return NO_ONE
        return seats_choosing(state) or ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = split_verb(line)
        if verb == "GOAL":
            return choose_goal(state, seat, rest)
        if verb == "MOVE":
            return move(state, seat, rest.removeprefix("TO ") if rest.startswith("TO ") else rest)
        raise not_understood(explain_lines(state, seat))

    def view(self, state: State, reader: Reader) -> View:
        to_act, setup, trail, ask = self.to_act(state), bool(seats_choosing(state)), GRID.name_cells(state.trail), ""
        if reader in to_act:
            ask = ask_goal(reader or 1) if setup else ask_move(state)
        return View(
            phase="over" if state.outcome else "setup" if setup else "play",
            prompt=choose_prompt(state, to_act, reader, ask),
            board=draw_board(state, reader),
            facts=list_facts(trail, state.fouls, state.burning),
            actions=list_actions(state, reader) if reader is not None and reader in to_act else (),
            state={
                "seeker": trail[-1],
                "trail": trail,
                "goals": tuple([name_secret(GRID.names, state.goals, state, reader, seat) for seat in SEATS]),
                "fouls": state.fouls,
                "made": state.move_count,
                "repeated": 0 if state.outcome else state.positions[state.seeker, state.turn],
                "entered": state.entered if state.burning else None,
            },
            claimable=reader is not None and self.claim(state, reader) is not None,
            goal=GOAL_SENTENCES[reader],
            legend=(*LEGEND[reader], BURNT) if state.burning else LEGEND[reader],
            meters=list_meters(state.fouls),
            moves=state.moves,
            last=state.last,
            seals=name_goal(reader) if setup and reader in to_act else "",
        )

    def claim(self, state: State, seat: int) -> Outcome | None:
        if state.outcome:
            return None
        if state.fouls[other(seat) - 1] >= FOULS:
            return claim_forfeit(seat)
        if seat == state.turn and is_repeated(state):
            text = f"{player(seat)} claims a draw: the Seeker has come to ({GRID.names[state.seeker]}) again and again."
            return Outcome(None, "repetition", text)
        return None

    def possibilities(self, state: State, seat: int) -> Possibilities:
        rival = other(seat)
        if rival in seats_choosing(state):
            return NOTHING
        return Possibilities(GOALS[rival], GOALS[rival] - state.stepped_on[rival - 1], label=TARGET)

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return count_possibilities("Goals that steps left open", moments, self.infer_goal)

    def infer_goal(self, state: State, seat: int) -> Possibilities:
        """Return where the rival's goal may be if they take every win: not where they could have moved and did not."""
        found = self.possibilities(state, seat)
        left = found.among - state.could_reach[other(seat) - 1]
        return Possibilities(found.among, left or found.left, label=found.label)


def seats_choosing(state: State) -> frozenset[int]:
    """Return the seats that still have to choose their goal."""
    return list_unset(state.goals)


def is_repeated(state: State) -> bool:
    """True if the player to move may claim a draw."""
    return state.move_count >= DRAW_FROM and state.positions.get((state.seeker, state.turn), 0) >= REPEATED


def ask_goal(seat: int) -> str:
    """Return the question of the setup."""
    return f"{player(seat)}, choose your Goal Cell (row {GOAL_ROW[seat] + 1}, any column 1-5):"


def ask_move(state: State) -> str:
    """Return the question of a turn."""
    draw = ", or claim a draw (/claim)" if is_repeated(state) else ""
    return f"Enter your move, for example '{suggest_step(state.turn, find_steps(state))}'{draw}:"


def explain_lines(state: State, seat: int) -> str:
    """Return a sentence about what can be typed now."""
    if seats_choosing(state):
        row = GOAL_ROW[seat] + 1
        return f"Choose your goal first: GOAL {row} and a column, for example GOAL {row} 2."
    return f"Move the Seeker to a cell beside it, for example '{suggest_step(state.turn, find_steps(state))}'."


@lru_cache(1_024)
def suggest_step(seat: int, steps: tuple[int, ...]) -> str:
    """Return a legal move. If there is one, it is a move after which the other can't reach their row in one step."""
    row = GOAL_ROW[other(seat)]
    return f"move to {GRID.names[max(steps, key=lambda cell: min(abs(GRID.place(cell)[0] - row), SAFE))]}"


def find_steps(state: State) -> tuple[int, ...]:
    """Return the cells to which the Seeker may be moved."""
    near = GRID.neighbours(state.seeker)
    return tuple([cell for cell in near if state.entered[cell] < ENTRIES]) if state.burning else near


def name_goal(seat: int | None) -> str:
    """Return the name under which a seat's goal is sealed."""
    return f"goal of {seat}"


def choose_goal(state: State, seat: int, text: str) -> Step[State]:
    """Set a seat's goal for the whole game."""
    row = GOAL_ROW[seat]
    column_alone = len(text) == 1 and text.isdigit()
    cell = GRID.read(f"{row + 1},{text}" if column_alone else text)
    if not seats_choosing(state):
        raise illegal(f"The goals are chosen. {explain_lines(state, seat)}")
    if GRID.place(cell)[0] != row:
        raise illegal(f"Your goal must be in row {row + 1}, for example GOAL {row + 1} 2.")
    state = replace(state, goals=with_seat(state.goals, seat, cell))
    told = (
        narration.tell_only(seat, "Goal Cell selected."),
        narration.tell_others(seat, f"{player(seat)} has chosen a Goal Cell."),
    )
    secrets = {name_goal(seat): GRID.names[cell]}
    return keep_secret(state, told, secrets, "GOAL", () if seats_choosing(state) else BEGIN)


def move(state: State, seat: int, text: str) -> Step[State]:
    """Move the Seeker to a neighbouring cell. A move to any other cell of the grid is a foul."""
    try:
        cell = GRID.read(text)
    except OffGrid as off:
        if seats_choosing(state):
            raise
        return count_foul(state, seat, off.text)
    if seats_choosing(state):
        raise illegal(explain_lines(state, seat))
    at, name = GRID.names[state.seeker], GRID.names[cell]
    if cell == state.seeker:
        return count_foul(state, seat, f"The Seeker stands at ({name}) and may not stay.")
    if cell not in GRID.neighbours(state.seeker):
        return count_foul(state, seat, f"({name}) is not beside the Seeker at ({at}).")
    if state.burning and state.entered[cell] >= ENTRIES:
        raise illegal(f"({name}) is burnt: it was entered {ENTRIES} times. {explain_lines(state, seat)}")
    return step(state, seat, cell)


def step(state: State, seat: int, cell: int) -> Step[State]:
    """Move the Seeker, and end the game if the move decides it."""
    name, rival, wins = GRID.names[cell], other(seat), cell == state.goals[seat - 1]
    in_reach = state.could_reach[seat - 1] | GOALS[seat].intersection(find_steps(state))
    told = narration.tell_everybody(seat, f"Seeker moved to ({name}).")
    state = replace(
        state,
        trail=(*state.trail, cell)[-TRAIL_SHOWN:],
        steps=(*state.steps, share((seat, GRID.names[state.seeker], name)))[-TRAIL_SHOWN:],
        entered=(*state.entered[:cell], state.entered[cell] + 1, *state.entered[cell + 1 :]),
        move_count=state.move_count + 1,
        moves=add_move(state.moves, (seat, name, "goal", "good") if wins else (seat, name, "", "none")),
        last=((seat, 0, name),),
    )
    state = replace(state, path=draw_path(state))
    if wins:
        text = f"{player(seat)} has moved the Seeker to their Goal Cell and wins the game!"
        return Step(replace(state, outcome=Outcome(seat, "goal", text)), (told,))
    stepped_on = with_seat(state.stepped_on, seat, state.stepped_on[seat - 1] | GOALS[seat].intersection((cell,)))
    could_reach = with_seat(state.could_reach, seat, in_reach)
    positions = {**state.positions, share((cell, rival)): state.positions.get((cell, rival), 0) + 1}
    state = replace(state, turn=rival, stepped_on=stepped_on, could_reach=could_reach, positions=positions)
    if state.burning and not find_steps(state):
        stuck = f"{player(rival)} can't move the Seeker. {player(seat)} wins."
        return Step(replace(state, outcome=Outcome(seat, "stuck", stuck)), (told,))
    return Step(state, (told,), turn=rival)


def count_foul(state: State, seat: int, why: str) -> Step[State]:
    """Count an illegal move; the mover moves again."""
    count, rival = state.fouls[seat - 1] + 1, player(other(seat))
    claim = f"{rival} may claim the win."
    after = f"That was illegal move {count}; {'' if count >= FOULS else 'after the third, '}{claim}"
    told = [narration.tell_everybody(seat, f"{player(seat)} made an illegal move, number {count}.")]
    if count >= FOULS:
        told.append(narration.announce(claim))
    refusal = illegal(f"{why} {explain_lines(state, seat)} {after}")
    return Step(replace(state, fouls=with_seat(state.fouls, seat, count)), tuple(told), foul=refusal)


def list_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Return the actions of a seat that is to act."""
    return list_choices(seat) if seats_choosing(state) else list_moves(find_steps(state), state.burning)


@cache
def list_choices(seat: int) -> tuple[Action, ...]:
    """Return the action to choose a goal."""
    cells, tells = GRID.name_cells(sorted(GOALS[seat])), "only you will know where it is"
    return (Action("GOAL", "GOAL {cell}", "choose your secret Goal Cell", cells, secret=True, tells=tells),)


@lru_cache(1_024)
def list_moves(cells: tuple[int, ...], burning: bool) -> tuple[Action, ...]:
    """Return the action to move the Seeker to one of these cells."""
    tells = "moves the Seeker there; on your own goal you win"
    steps, warning = GRID.name_cells(cells), FAR[burning]
    return (Action("MOVE", "MOVE {cell}", "move the Seeker one step", steps, tells=tells, warning=warning),)


@cache
def list_meters(fouls: tuple[int, int]) -> tuple[Meter, ...]:
    """Return a meter for each seat's illegal moves."""
    counts = [min(count, FOULS) for count in fouls]
    return tuple(
        ("Fouls", seat, count, FOULS, f"{count} of {FOULS}") for seat, count in zip(SEATS, counts, strict=True)
    )


@cache_for_readers
def list_facts(trail: tuple[str, ...], fouls: tuple[int, int], burning: bool) -> tuple[tuple[str, str], ...]:
    """Return the facts beside the board: the Seeker's path, and the illegal moves."""
    facts = (
        ("Seeker", f"({trail[-1]})"),
        ("Trail", f"({') ('.join(trail)})"),
        ("Illegal moves", f"{player(1)}: {fouls[0]}, {player(2)}: {fouls[1]}"),
        ("After three", "the other may claim the win"),
    )
    return (*facts, ("Variant", "burning")) if burning else facts


def draw_board(state: State, reader: Reader) -> Board:
    """Return the board: the Seeker and its path, the own goal, at the end both goals."""
    path = state.path or STARTS[state.burning]
    if not state.outcome:
        own = state.goals[reader - 1] if reader else None
        return path if own is None else path.add_secret(own, "G", OWN_GOAL[own == state.seeker])
    for seat, goal in zip(SEATS, state.goals, strict=True):
        if goal is not None:
            path = path.add(goal, f"G{seat}", "token" if goal == state.seeker else "goal")
    return path


def draw_path(state: State) -> Board:
    """Return the public board: the Seeker with the number of moves, its path, and the entries that cells have left."""
    looks: dict[int, Look] = {}
    if state.burning:
        for cell, times in enumerate(state.entered):
            looks[cell] = ("", "empty" if times < ENTRIES else "ruled_out", share(str(ENTRIES - times)))
    corner = looks[state.seeker][2] if state.burning else share(str(state.move_count % 100)) if state.move_count else ""
    looks[state.seeker] = ("S", "token", corner)
    board = put_cells(GRID.board("empty"), looks)
    return Board(board.frame, board.texts, board.kinds, corners=board.corners, trail=state.steps, zones=ZONES)


STARTS = {burning: draw_path(State(1, burning)) for burning in (False, True)}
