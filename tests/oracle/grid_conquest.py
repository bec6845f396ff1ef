"""Grid Conquest, read off the rules line by line."""

from tests.oracle.reading import letter_at, number_and_letter_of, numbers_of, verb_of

GRID = [f"{row}{column}" for row in "ABCDE" for column in "12345"]


def neighbours(name):
    """The up to eight cells around a cell."""
    row, column = "ABCDE".index(name[0]), "12345".index(name[1])
    return [
        "ABCDE"[row + down] + "12345"[column + right]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down, right) != (0, 0) and 0 <= row + down < 5 and 0 <= column + right < 5
    ]


def cell_of(text):
    """The name of a cell, on the grid or off it, or None: a row's letter and a column's number, or two numbers."""
    if lettered := number_and_letter_of(text):
        return f"{lettered[1]}{lettered[0]}"
    if numbered := numbers_of(text):
        return f"{letter_at(numbered[0])}{numbered[1]}"
    return None


class GridConquest:
    QUOTED = (  # the sentences that the rules give word for word
        r"You have claimed cell \w\d with a value of \d\.",
        r"Your new score is \d+\.",
        r"Congratulations! You have reached \d+ points and won the game!",
        r"Let the game begin!",
        r"Player \d's turn\.",
    )
    ENDING_IS_QUOTED = False
    BOARD_IS_QUOTED = True
    GOAL = 15

    def __init__(self, first, dealt):
        self.sealed = dict(dealt)
        self.values = {name: int(digit) for name, digit in zip(GRID, dealt["values"], strict=True)}
        self.turn = first
        self.owners = {}
        self.revealed = set()
        self.scores = {1: 0, 2: 0}
        self.ending = None

    def may_act(self):
        return set() if self.ending else {self.turn}

    def legal(self, seat):
        return [f"CLAIM {name}" for name in GRID if name not in self.owners]

    def hear(self, seat, line):
        verb, rest = verb_of(line)
        name = cell_of(rest if verb == "CLAIM" else line.strip(" ").upper())
        if name is None:
            return "syntax", {}
        if name not in GRID or name in self.owners:
            return "illegal", {}
        told = {1: [], 2: [], None: []}
        self.owners[name] = seat
        self.revealed.update([name, *neighbours(name)])
        self.scores[seat] += self.values[name]
        told[seat].append(f"You have claimed cell {name} with a value of {self.values[name]}.")
        told[seat].append(f"Your new score is {self.scores[seat]}.")
        if self.scores[seat] >= self.GOAL:
            told[seat].append(f"Congratulations! You have reached {self.scores[seat]} points and won the game!")
            self.ending = (seat, "points")
        elif len(self.owners) == 25:
            one, two = self.scores[1], self.scores[2]
            self.ending = (None, "draw") if one == two else (1 if one > two else 2, "points")
        else:
            self.turn = 3 - self.turn
            for reader in told:
                told[reader].append(f"Player {self.turn}'s turn.")
        return "ok", told

    def sees(self, reader):
        shown = GRID if self.ending else self.revealed
        return {
            "owners": self.owners,
            "values": {name: self.values[name] for name in shown},
            "scores": [self.scores[1], self.scores[2]],
            "goal": self.GOAL,
        }

    def prints(self):
        """What stands in the cells of the board, in reading order, while the game lasts."""
        texts = []
        for name in GRID:
            if name in self.owners:
                texts.append(f"P{self.owners[name]}")
            else:
                texts.append(str(self.values[name]) if name in self.revealed else "")
        return texts

    def claimable(self, seat):
        return False
