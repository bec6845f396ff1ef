"""Grid Hunt, read off the rules line by line."""

from tests.oracle.reading import numbers_of, steps_between, verb_of

GRID = [(row, column) for row in range(1, 6) for column in range(1, 6)]


def name(cell):
    return f"{cell[0]},{cell[1]}"


class GridHunt:
    QUOTED = (  # the sentences that the rules give word for word
        r"Scan result: Distance is \d+\.",
        r"You found the opponent's treasure and won the game!",
        r"Dig result: No treasure at this location\.",
        r"Let the game begin!",
        r"Player \d's turn\.",
    )
    ENDING_IS_QUOTED = False
    BOARD_IS_QUOTED = False

    def __init__(self, first, dealt):
        self.sealed = dict(dealt)
        self.turn = first
        self.treasures = {1: None, 2: None}
        self.hints = {1: {}, 2: {}}
        self.scans = {1: 3, 2: 3}
        self.scanned = {1: set(), 2: set()}
        self.dug = {1: set(), 2: set()}
        self.ending = None

    def in_setup(self):
        return None in self.treasures.values()

    def may_act(self):
        if self.ending:
            return set()
        if self.in_setup():
            return {seat for seat in (1, 2) if self.treasures[seat] is None}
        return {self.turn}

    def legal(self, seat):
        if self.in_setup():
            return [f"HIDE {name(cell)}" for cell in GRID]
        scans = [f"SCAN {name(cell)}" for cell in GRID] if self.scans[seat] else []
        return scans + [f"DIG {name(cell)}" for cell in GRID]

    def hear(self, seat, line):
        verb, rest = verb_of(line)
        cell = numbers_of(rest)
        if verb not in ("HIDE", "SCAN", "DIG") or cell is None:
            return "syntax", {}
        if (verb == "HIDE") != self.in_setup() or cell not in GRID:
            return "illegal", {}
        if verb == "SCAN" and self.scans[seat] == 0:
            return "illegal", {}
        told = {1: [], 2: [], None: []}
        if verb == "HIDE":
            self.treasures[seat] = cell
            self.sealed[f"treasure of {seat}"] = name(cell)
            if self.in_setup():
                return "ok", told
            self.everybody(told, "Let the game begin!")
            self.everybody(told, f"Player {self.turn}'s turn.")
            return "ok", told
        target = self.treasures[3 - seat]
        if verb == "SCAN":
            distance = steps_between(cell, target)
            self.scans[seat] -= 1
            self.scanned[seat].add(cell)
            self.hints[seat][name(cell)] = distance
            told[seat].append(f"Scan result: Distance is {distance}.")
        else:
            self.dug[seat].add(cell)
            if cell == target:
                told[seat].append("You found the opponent's treasure and won the game!")
                self.ending = (seat, "treasure")
                return "ok", told
            told[seat].append("Dig result: No treasure at this location.")
        self.turn = 3 - self.turn
        self.everybody(told, f"Player {self.turn}'s turn.")
        return "ok", told

    def everybody(self, told, sentence):
        for reader in told:
            told[reader].append(sentence)

    def sees(self, reader):
        def known(seat):
            may = self.treasures[seat] is not None and (self.ending or reader == seat)
            return name(self.treasures[seat]) if may else None

        return {
            "treasures": [known(1), known(2)],
            "hints": self.hints.get(reader, {}),
            "dug": [[name(cell) for cell in sorted(self.dug[seat])] for seat in (1, 2)],
            "scanned": [[name(cell) for cell in sorted(self.scanned[seat])] for seat in (1, 2)],
            "scans": [self.scans[1], self.scans[2]],
        }

    def claimable(self, seat):
        return False
