"""Treasure Hunt Duel, read off the rules line by line."""

from tests.oracle.reading import letter_at, number_and_letter_of, numbers_of, steps_between, verb_of

GRID = [f"{row}{column}" for row in "12345" for column in "ABCDE"]


def place(name):
    """Row and column as numbers."""
    return int(name[0]), "ABCDE".index(name[1]) + 1


def cell_of(text):
    """The name of a cell, on the grid or off it, or None: a row's number and a column's letter, or two numbers."""
    if lettered := number_and_letter_of(text):
        return f"{lettered[0]}{lettered[1]}"
    if numbered := numbers_of(text):
        return f"{numbered[0]}{letter_at(numbered[1])}"
    return None


class TreasureHuntDuel:
    QUOTED = (  # the sentences that the rules give word for word
        r"Distance: \d+",
        r"Correct! You have found the treasure\.",
        r"Incorrect guess\. You will lose your next turn\.",
        r"Player \d's turn\.",
        r"Let the game begin!",
    )
    ENDING_IS_QUOTED = False
    BOARD_IS_QUOTED = False

    def __init__(self, first, dealt):
        self.sealed = dict(dealt)
        self.treasure = dealt["treasure"]
        self.turn = first
        self.queried = {}  # who asked, by cell
        self.hints = {1: {}, 2: {}}
        self.guessed = []  # wrong
        self.owes = set()
        self.ending = None

    def may_act(self):
        return set() if self.ending else {self.turn}

    def legal(self, seat):
        return [f"QUERY {cell}" for cell in GRID if cell not in self.queried] + [f"GUESS {cell}" for cell in GRID]

    def hear(self, seat, line):
        verb, rest = verb_of(line)
        name = cell_of(rest)
        if verb not in ("QUERY", "GUESS") or name is None:
            return "syntax", {}
        if name not in GRID:
            return "illegal", {}
        if verb == "QUERY" and name in self.queried:
            return "illegal", {seat: [f"Cell {name} has already been queried. Please select a different cell."]}
        told = {1: [], 2: [], None: []}
        if verb == "QUERY":
            distance = self.distance(name)
            self.queried[name] = seat
            self.hints[seat][name] = distance
            told[seat].append(f"Distance: {distance}")
        elif name == self.treasure:
            told[seat].append("Correct! You have found the treasure.")
            self.ending = (seat, "treasure")
            return "ok", told
        else:
            told[seat].append("Incorrect guess. You will lose your next turn.")
            if name not in self.guessed:
                self.guessed.append(name)
            self.owes.add(seat)
        self.turn = 3 - self.turn
        while self.turn in self.owes:
            self.owes.remove(self.turn)
            self.turn = 3 - self.turn
        for reader in told:
            told[reader].append(f"Player {self.turn}'s turn.")
        return "ok", told

    def distance(self, name):
        return steps_between(place(name), place(self.treasure))

    def sees(self, reader):
        return {
            "queried": self.queried,
            "hints": self.hints.get(reader, {}),
            "guessed": self.guessed,
            "owes": sorted(self.owes),
            "treasure": self.treasure if self.ending else None,
        }

    def claimable(self, seat):
        return False
