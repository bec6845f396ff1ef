"""Quantum Duel, read off the rules line by line."""

from tests.oracle.reading import verb_of

LINE = range(1, 8)


class QuantumDuel:
    QUOTED = (  # the sentences that the rules give word for word
        r"Player \d's token is (not )?at position \d\.",
        r"Let the game begin!",
        r"Player \d's turn\.",
    )
    ENDING_IS_QUOTED = True
    BOARD_IS_QUOTED = False

    def __init__(self, first, dealt):
        self.sealed = dict(dealt)
        self.turn = first
        self.moved = False
        self.collided = False
        self.tokens = {1: None, 2: None}
        self.tunnels = {1: True, 2: True}
        self.movements = {1: 0, 2: 0}
        self.observations = []
        self.ending = None
        self.ending_text = None

    def may_act(self):
        return set() if self.ending else {self.turn}

    def last_observed(self, seat):
        own = [position for who, position in self.observations if who == seat]
        return own[-1] if own else None

    def in_reach(self, seat):
        here = self.tokens[seat]
        return [n for n in LINE if here is None or abs(n - here) <= 1]

    def legal(self, seat):
        if self.moved:
            return [f"OBSERVE {n}" for n in LINE if n != self.last_observed(seat)]
        lines = [f"MOVE {n}" for n in self.in_reach(seat)]
        if self.tokens[seat] is not None:
            lines.append("STAY")
        if self.tunnels[seat]:
            lines += [f"TUNNEL {n}" for n in LINE]
        return lines

    def hear(self, seat, line):
        verb, rest = verb_of(line)
        if verb not in ("MOVE", "STAY", "TUNNEL", "OBSERVE"):
            return "syntax", {}
        if rest != "" if verb == "STAY" else not rest.isdigit():
            return "syntax", {}
        if (verb == "OBSERVE") != self.moved:
            return "illegal", {}
        if verb == "OBSERVE":
            return self.observe(seat, int(rest))
        return self.movement(seat, verb, int(rest) if rest else self.tokens[seat])

    def movement(self, seat, verb, position):
        if position not in LINE:
            return "illegal", {}  # also one who is to stay and has no token on the line
        if verb == "MOVE" and position not in self.in_reach(seat):
            return "illegal", {}
        if verb == "TUNNEL":
            if not self.tunnels[seat]:
                return "illegal", {}
            self.tunnels[seat] = False
        self.tokens[seat] = position
        self.movements[seat] += 1
        self.sealed[f"token of {seat}, move {self.movements[seat]}"] = str(position)
        self.moved = True
        self.collided = self.is_collision()
        return "ok", {1: [], 2: [], None: []}

    def is_collision(self):
        return self.tokens[1] == self.tokens[2]

    def observe(self, seat, position):
        if position not in LINE or position == self.last_observed(seat):
            return "illegal", {}
        other = 3 - seat
        self.observations.append([seat, position])
        found = self.tokens[other] == position
        sentences = [f"Player {other}'s token is {'' if found else 'not '}at position {position}."]
        if self.collided:
            self.ending = (other, "collision")
            self.ending_text = f"Player {other} wins! Player {seat}'s token destabilized in collision."
        elif found:
            self.ending = (seat, "capture")
            self.ending_text = f"Player {seat} wins by capturing Player {other}'s token!"
        else:
            self.turn, self.moved = other, False
            sentences.append(f"Player {self.turn}'s turn.")
        return "ok", {1: sentences, 2: sentences, None: sentences}

    def sees(self, reader):
        return {
            "moved": self.moved,
            "tokens": [self.tokens[seat] if self.ending or seat == reader else None for seat in (1, 2)],
            "tunnel": self.tunnels.get(reader),
            "observations": self.observations[-12:],
            "movements": [self.movements[1], self.movements[2]],
        }

    def claimable(self, seat):
        return False
