"""Secret Paths, read off the rules line by line."""

from tests.oracle.reading import numbers_of, verb_of

GRID = [(row, column) for row in range(1, 6) for column in range(1, 6)]
GOAL_ROW = {1: 5, 2: 1}


def name(cell):
    return f"{cell[0]},{cell[1]}"


class SecretPaths:
    QUOTED = (  # the sentences that the rules give word for word
        r"Goal Cell selected\.",
        r"The Seeker starts at \(\d,\d\)\.",
        r"Seeker moved to \(\d,\d\)\.",
        r"Let the game begin!",
        r"Player \d's turn\.",
    )
    ENDING_IS_QUOTED = True
    BOARD_IS_QUOTED = False
    FOULS = 3  # until the other may claim the win

    def __init__(self, first, dealt):
        self.sealed = dict(dealt)
        self.turn = first
        self.goals = {1: None, 2: None}
        self.fouls = {1: 0, 2: 0}
        self.trail = [(3, 3)]
        self.ending = None
        self.ending_text = None

    def in_setup(self):
        return None in self.goals.values()

    def may_act(self):
        if self.ending:
            return set()
        if self.in_setup():
            return {seat for seat in (1, 2) if self.goals[seat] is None}
        return {self.turn}

    def is_step(self, cell):
        """True if the Seeker may go there: one of the up to eight around it."""
        row, column = self.trail[-1]
        return cell in GRID and cell != (row, column) and abs(cell[0] - row) <= 1 and abs(cell[1] - column) <= 1

    def legal(self, seat):
        if self.in_setup():
            return [f"GOAL {GOAL_ROW[seat]},{column}" for column in range(1, 6)]
        return [f"MOVE {name(cell)}" for cell in GRID if self.is_step(cell)]

    def hear(self, seat, line):
        verb, rest = verb_of(line)
        if verb == "GOAL":
            cell = (GOAL_ROW[seat], int(rest)) if rest.isdigit() and len(rest) == 1 else numbers_of(rest)
        elif verb == "MOVE":
            cell = numbers_of(rest.removeprefix("TO ").strip(" "))
        else:
            return "syntax", {}
        if cell is None:
            return "syntax", {}
        if (verb == "GOAL") != self.in_setup():
            return "illegal", {}
        return self.choose(seat, cell) if verb == "GOAL" else self.move(seat, cell)

    def choose(self, seat, cell):
        if cell not in GRID or cell[0] != GOAL_ROW[seat]:
            return "illegal", {}
        self.goals[seat] = cell
        self.sealed[f"goal of {seat}"] = name(cell)
        told = {1: [], 2: [], None: []}
        told[seat].append("Goal Cell selected.")
        if not self.in_setup():
            for reader in told:
                told[reader] += ["Let the game begin!", "The Seeker starts at (3,3).", f"Player {self.turn}'s turn."]
        return "ok", told

    def move(self, seat, cell):
        if not self.is_step(cell):
            self.fouls[seat] += 1
            return "foul", {}
        self.trail.append(cell)
        sentences = [f"Seeker moved to ({name(cell)})."]
        if self.wins(seat, cell):
            self.ending = (seat, "goal")
            self.ending_text = f"Player {seat} has moved the Seeker to their Goal Cell and wins the game!"
        else:
            self.turn = 3 - self.turn
            sentences.append(f"Player {self.turn}'s turn.")
        return "ok", {1: sentences, 2: sentences, None: sentences}

    def wins(self, seat, cell):
        return cell == self.goals[seat]

    def sees(self, reader):
        def known(seat):
            may = self.goals[seat] is not None and (self.ending or reader == seat)
            return name(self.goals[seat]) if may else None

        return {
            "seeker": name(self.trail[-1]),
            "trail": [name(cell) for cell in self.trail[-12:]],
            "goals": [known(1), known(2)],
            "fouls": [self.fouls[1], self.fouls[2]],
            "made": len(self.trail) - 1,
            "repeated": self.times_here(),
            "entered": None,
        }

    def times_here(self):
        """How often the Seeker has stood here with the same player to move."""
        if self.ending:
            return 0  # nobody is to move
        same_mover = self.trail[len(self.trail) - 1 :: -2]
        return same_mover.count(self.trail[-1])

    def claimable(self, seat):
        if self.ending:
            return False
        draw = seat == self.turn and len(self.trail) > 30 and self.times_here() >= 3
        return self.fouls[3 - seat] >= self.FOULS or draw


class BurningPaths(SecretPaths):
    """The variant: a cell is entered at most twice, the start counting once, and who can't move loses."""

    ENTRIES = 2

    def is_burnt(self, cell):
        return self.trail.count(cell) >= self.ENTRIES

    def legal(self, seat):
        if self.in_setup():
            return super().legal(seat)
        return [f"MOVE {name(cell)}" for cell in GRID if self.is_step(cell) and not self.is_burnt(cell)]

    def move(self, seat, cell):
        if self.is_step(cell) and self.is_burnt(cell):
            return "illegal", {}
        answer, told = super().move(seat, cell)
        if answer == "ok" and not self.ending and not self.legal(self.turn):
            self.ending = (seat, "stuck")
            self.ending_text = f"Player {3 - seat} can't move the Seeker. Player {seat} wins."
            told = {reader: sentences[:1] for reader, sentences in told.items()}
        return answer, told

    def sees(self, reader):
        return super().sees(reader) | {"entered": [self.trail.count(cell) for cell in GRID]}
