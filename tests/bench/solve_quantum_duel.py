"""Solves Quantum Duel in outline, and prints the table by which the hard bot plays.

`python -m tests.bench.solve_quantum_duel > server/gridgames_server/bots/quantum_table.py`, from the project's root.
It takes some minutes and gives the same table every time.

In the outline nobody tunnels, and a player remembers little: where the own token stands, the own last look, and the
rival's last two looks. What a player remembers is a *row*. A table has for each row the chances of seven movements and
of seven looks. The states of this small game can be listed, so values and visits are exact sums: nothing is sampled.

The table is improved in rounds (magnetic mirror descent, Sokota and others, 2022). In each row the chance of a choice
grows with its value against two rivals, and is pulled back towards even chances. The weaker the pull, the nearer the
table comes to an equilibrium. One rival plays by the same table, the other at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp, log
from operator import itemgetter, mul

POSITIONS = 7
ROUNDS = 120
SELF_PLAY = 0.45  # weight of the rival who plays by the same table; the one who plays at random has the rest
STEP = 1.5  # how fast chances follow values
FIRST_PULL, LAST_PULL = 0.1, 0.006  # towards even chances of all movements
LOOK_PULL = 5.0  # times the pull on movements: looks that are nearly even tell little about the looker's position
STRAY = 0.02  # share of lines drawn at random when visits are counted, so that every row is visited
JUMPS = 0.3  # how often the random rival goes anywhere, as a tunnel would
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # a weight from 0 to 61 as one letter

Weights = list[float]
Seat = tuple[int, int, int]  # position, last look, look before; the number of positions stands for "none"
State = tuple[Seat, Seat]  # the seat to act, and the other
Row = tuple[int, int, int, int]  # own position, own last look, the rival's last look, the rival's look before


@dataclass(frozen=True, slots=True)
class Moving:
    """A state in which a movement is due: its row, and the state of looking after each movement."""

    row: Row
    afterwards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Looking:
    """A state in which a look is due: its row, whether the movement was a collision, the next state by look.

    A look that finds the rival leads to the state behind the last one, which is called the end.
    """

    row: Row
    collided: bool
    afterwards: tuple[int, ...]


class Numbers:
    """States in the order in which they were found, each with its number. The list may grow while it is read."""

    def __init__(self, states: list[State]) -> None:
        self.states = states
        self._numbers = {state: number for number, state in enumerate(states)}

    def number(self, state: State) -> int:
        """The number of a state, which is entered if it is new."""
        if state not in self._numbers:
            self._numbers[state] = len(self.states)
            self.states.append(state)
        return self._numbers[state]


@dataclass(slots=True)
class Outline:
    """All states of the game in outline; state 0 is the start."""

    size: int
    moving: list[Moving] = field(default_factory=list)
    looking: list[Looking] = field(default_factory=list)

    def __post_init__(self) -> None:
        off = (self.size, self.size, self.size)
        moving, looking = Numbers([(off, off)]), Numbers([])
        after_looks: list[list[State | None]] = []
        for mover, other in moving.states:
            afterwards = tuple(looking.number(((to, *mover[1:]), other)) for to in range(self.size))
            self.moving.append(Moving(self.row(mover, other), afterwards))
            for looker, looked_for in looking.states[len(after_looks) :]:
                after_looks.append([self.after_look(looker, looked_for, at) for at in range(self.size)])
                for state in filter(None, after_looks[-1]):
                    moving.number(state)
        end = len(moving.states)
        for (looker, other), states in zip(looking.states, after_looks, strict=True):
            nexts = tuple(end if state is None else moving.number(state) for state in states)
            self.looking.append(Looking(self.row(looker, other), looker[0] == other[0], nexts))

    def after_look(self, looker: Seat, other: Seat, at: int) -> State | None:
        """The state after a look that found nothing; None if the game is over, or the look is not legal."""
        over = at == other[0] or looker[0] == other[0]
        return None if over or at == looker[1] else (other, (looker[0], at, looker[1]))

    def row(self, own: Seat, rival: Seat) -> Row:
        """What a player remembers. A token is placed without regard to the rival's looks."""
        if own[0] == self.size:
            return (self.size,) * 4
        return own[0], own[1], rival[1], rival[2]

    def targets(self, at: int) -> list[bool]:
        """Which movements are legal from a position."""
        return [at == self.size or abs(to - at) <= 1 for to in range(self.size)]

    def looks(self, last: int) -> list[bool]:
        """Which looks are legal after the last one."""
        return [at != last for at in range(self.size)]


def even(legal: Sequence[bool]) -> Weights:
    """The same chance for every legal choice."""
    return [fair / sum(legal) for fair in legal]


@dataclass(slots=True)
class Table:
    """For each row the chances of each movement and of each look."""

    moves: dict[Row, Weights]
    looks: dict[Row, Weights]


def even_table(outline: Outline) -> Table:
    """The table in which every legal choice is as likely as the others."""
    return Table(
        {state.row: even(outline.targets(state.row[0])) for state in outline.moving},
        {state.row: even(outline.looks(state.row[1])) for state in outline.looking},
    )


def random_table(outline: Outline) -> Table:
    """How the random rival plays: two of the legal lines stay, and now and then the token goes anywhere."""
    table = even_table(outline)
    for (at, *_), chances in table.moves.items():
        if at == outline.size:
            continue
        near = sum(outline.targets(at))
        for to in range(outline.size):
            step = (1 + (to == at)) / (near + 1) if abs(to - at) <= 1 else 0.0
            chances[to] = JUMPS / outline.size + (1 - JUMPS) * step
    return table


def strayed(table: Table, outline: Outline) -> Table:
    """A table with a small share of lines drawn at random."""

    def mix(chances: Weights, fair: Weights) -> Weights:
        return [(1 - STRAY) * chance + STRAY * other for chance, other in zip(chances, fair, strict=True)]

    fair = even_table(outline)
    return Table(
        {row: mix(chances, fair.moves[row]) for row, chances in table.moves.items()},
        {row: mix(chances, fair.looks[row]) for row, chances in table.looks.items()},
    )


@dataclass(slots=True)
class Meeting:
    """A learner against a rival: the learner's chance to win in every state, and how often each state is visited.

    Lists named `mine` are for states where the learner is to act, `theirs` for those of the rival.
    """

    outline: Outline
    mine: Weights = field(init=False)
    theirs: Weights = field(init=False)
    mine_looking: Weights = field(init=False)
    theirs_looking: Weights = field(init=False)
    visits: Weights = field(init=False)
    rival_visits: Weights = field(init=False)
    visits_looking: Weights = field(init=False)
    rival_visits_looking: Weights = field(init=False)

    def __post_init__(self) -> None:
        states = len(self.outline.moving)
        self.mine, self.theirs = [0.5] * states + [0.0], [0.5] * states + [1.0]  # a look that finds wins
        self.visits, self.rival_visits = [0.0] * (states + 1), [0.0] * (states + 1)

    def value(self, learner: Table, rival: Table) -> None:
        """Work out values from those of one turn later."""
        self.mine_looking = look_values(self.outline.looking, learner, self.theirs, collision=0.0)
        self.theirs_looking = look_values(self.outline.looking, rival, self.mine, collision=1.0)
        self.mine[:-1] = move_values(self.outline.moving, learner, self.mine_looking)
        self.theirs[:-1] = move_values(self.outline.moving, rival, self.theirs_looking)

    def visit(self, learner: Table, rival: Table) -> None:
        """Count visits from those of one turn before. Either player moves first in half of the games."""
        self.visits_looking = moved(self.outline, learner, self.visits)
        self.rival_visits_looking = moved(self.outline, rival, self.rival_visits)
        self.visits = looked(self.outline, rival, self.rival_visits_looking)
        self.rival_visits = looked(self.outline, learner, self.visits_looking)


def look_values(states: Sequence[Looking], table: Table, after: Weights, collision: float) -> Weights:
    """The learner's chance to win before a look."""
    return [
        collision if state.collided else sum(map(mul, table.looks[state.row], itemgetter(*state.afterwards)(after)))
        for state in states
    ]


def move_values(states: Sequence[Moving], table: Table, after: Weights) -> Weights:
    """The learner's chance to win before a movement."""
    return [sum(map(mul, table.moves[state.row], itemgetter(*state.afterwards)(after))) for state in states]


def moved(outline: Outline, table: Table, visits: Weights) -> Weights:
    """How often each state of looking comes after the states of moving."""
    reached = [0.0] * len(outline.looking)
    for state, weight in zip(outline.moving, visits, strict=False):
        if weight:
            for to, chance in zip(state.afterwards, table.moves[state.row], strict=True):
                reached[to] += weight * chance
    return reached


def looked(outline: Outline, table: Table, visits: Weights) -> Weights:
    """How often each state of moving comes after the states of looking, or at the start."""
    reached = [0.0] * (len(outline.moving) + 1)
    for state, weight in zip(outline.looking, visits, strict=True):
        if weight and not state.collided:
            for to, chance in zip(state.afterwards, table.looks[state.row], strict=True):
                reached[to] += weight * chance
    reached[0], reached[-1] = 0.5, 0.0
    return reached


Values = dict[Row, Weights]  # for each row the value of each choice, times the weight; the weight comes last


def add_values(total: Values, states: Sequence[Moving | Looking], visits: Weights, after: Weights) -> None:
    """Add what each choice of each row is worth in some states."""
    for state, weight in zip(states, visits, strict=False):
        if weight:
            values = total.setdefault(state.row, [0.0] * (len(state.afterwards) + 1))
            if not (isinstance(state, Looking) and state.collided):
                for choice, to in enumerate(state.afterwards):
                    values[choice] += weight * after[to]
            values[-1] += weight


def improve(chances: dict[Row, Weights], total: Values, pull: float) -> None:
    """Move the chances of each row towards the choices of higher value, and all towards even chances."""
    for row, (*values, weight) in total.items():
        now = chances[row]
        powers = [
            (log(max(chance, 1e-30)) + STEP * value / weight) / (1 + STEP * pull)
            for chance, value in zip(now, values, strict=True)
            if chance
        ]
        highest = max(powers)
        grown = iter([exp(power - highest) for power in powers])
        new = [next(grown) if chance else 0.0 for chance in now]
        chances[row] = [chance / sum(new) for chance in new]


def solve(size: int = POSITIONS, rounds: int = ROUNDS) -> Table:
    """The table after so many rounds."""
    outline = Outline(size)
    table, at_random = even_table(outline), random_table(outline)
    against_itself, against_random = Meeting(outline), Meeting(outline)
    for turn in range(rounds):
        stray = strayed(table, outline)
        moves: Values = {}
        looks: Values = {}
        for meeting, rival, rival_strays, weight in (
            (against_itself, table, stray, SELF_PLAY),
            (against_random, at_random, at_random, 1 - SELF_PLAY),
        ):
            meeting.value(table, rival)
            meeting.visit(stray, rival_strays)
            add_values(moves, outline.moving, [weight * visit for visit in meeting.visits], meeting.mine_looking)
            add_values(looks, outline.looking, [weight * visit for visit in meeting.visits_looking], meeting.theirs)
        pull = FIRST_PULL * (LAST_PULL / FIRST_PULL) ** (turn / rounds)
        improve(table.moves, moves, pull)
        improve(table.looks, looks, pull * LOOK_PULL)
    return table


# How the table is written down


def letters(chances: Sequence[float]) -> str:
    """Chances as letters: the highest is the last letter of all, the others in proportion."""
    highest = max(chances)
    return "".join(LETTERS[round(chance / highest * (len(LETTERS) - 1))] for chance in chances)


def steps(table: Table, row: Row) -> Weights:
    """The chances to go one to the left, to stay, and to go one to the right. A row that never comes up stays."""
    if row not in table.moves:
        return [0.0, 1.0, 0.0]
    framed = [0.0, *table.moves[row], 0.0]
    return framed[row[0] : row[0] + 3]


def written(table: Table, size: int) -> list[str]:
    """The rows of one half of the line, which is the mirror image of the other. A line differs in `before` alone."""
    none = size
    return [
        "".join(
            letters(steps(table, (at, look, rival_look, before)))
            + letters(table.looks.get((at, look, rival_look, before), [1.0] * size))
            for before in range(none + 1)
        )
        for at, look, rival_look in product(range(size // 2 + 1), range(none + 1), range(none + 1))
    ]


HEADER = '''\
"""The chances by which the hard bot plays Quantum Duel. Made by `tests.bench.solve_quantum_duel`; not to be edited.

A letter is a weight from 0 to 61: digits, capitals, small letters. PLACEMENTS has one for each position. A line of ROWS
belongs to a position from 1 to 4, an own last look and a last look of the rival (1 to 7, then none), in this order. It
has ten letters for each look of the rival before that (1 to 7, then none): one step to the left, stay, one step to the
right, and the seven looks. Positions 5 to 7 are the mirror image.
"""

'''


def module(table: Table, size: int) -> str:
    """The source of the module that holds the table."""
    placements = letters(table.moves[size, size, size, size])
    lines = "".join(f'    "{text}",\n' for text in written(table, size))
    return f'{HEADER}PLACEMENTS = "{placements}"\nROWS = (\n{lines})\n'


if __name__ == "__main__":
    print(module(solve(), POSITIONS), end="")
