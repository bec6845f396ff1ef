"""A game played twice at once: by the real rules and by the slow ones, which must agree on all that is decided."""

import re
from random import Random

from gridgames_server.core.audience import events_for
from gridgames_server.errors import Refusal
from gridgames_server.games import GAMES, VARIANTS
from gridgames_server.games.game import KnownChance
from gridgames_server.games.match import Match
from tests.oracle import grid_conquest, grid_hunt, quantum_duel, secret_paths, treasure_hunt_duel, typist

READERS = (1, 2, None)
REAL = {
    **{game.card.slug: game for game in GAMES},
    **{f"{slug}-{name}": game for (slug, name), game in VARIANTS.items()},
}
ORACLES = {
    "treasure-hunt-duel": treasure_hunt_duel.TreasureHuntDuel,
    "grid-hunt": grid_hunt.GridHunt,
    "grid-conquest": grid_conquest.GridConquest,
    "quantum-duel": quantum_duel.QuantumDuel,
    "secret-paths": secret_paths.SecretPaths,
    "secret-paths-burning": secret_paths.BurningPaths,
}
LINES = (20, 20, 20, 100)  # of a random game; one that has not ended by then is left unfinished
LOOKS = 0.1  # how often somebody's view is compared after a line: drawing it is what takes long
POOR = 0.3  # how many boards of Grid Conquest hold so little that all their cells are claimed


def plain(value):
    """What a program reads, whether it came as a tuple or as a list."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


class Disagreement(AssertionError):
    """The two tables differ."""


def agree(what, real, slow):
    """Both tables say the same of something."""
    if real != slow:
        raise Disagreement(f"{what}: the game says {real!r}, the oracle {slow!r}")


class Comparison:
    """One game at two tables; everything about it follows from its seed."""

    def __init__(self, slug, seed, oracle=None):
        self.chance = Random(f"{slug} {seed}")
        oracle = oracle or ORACLES[slug]
        first = self.chance.choice((1, 2))
        self.real = Match(REAL[slug], self.chance.randbytes(32), first, chance=self.luck(slug))
        self.slow = oracle(first, self.opened())
        self.quoted = re.compile("|".join(oracle.QUOTED))
        self.typed = []  # every line, and who typed it
        self.answers = []  # to each
        self.compare_tables([])

    def luck(self, slug):
        """Chance as it falls, or a board of so few points that nobody reaches fifteen, or only just."""
        if slug != "grid-conquest" or self.chance.random() > POOR:
            return None
        values = ["1"] * 25
        for _ in range(self.chance.randrange(5)):
            values[self.chance.randrange(25)] = "2"
        return KnownChance(b"", REAL[slug].draws({"values": "".join(values)}))

    def opened(self):
        return dict(self.real.secrets)

    def play(self):
        """Type at both tables until one is over, or for long enough."""
        lines = self.chance.choice(LINES)
        while len(self.typed) < lines and not self.slow.ending:
            self.type()
        self.compare_tables(READERS)
        if self.slow.ending:
            self.type()  # which comes too late
        return self.slow.ending

    def type(self):
        """One line at both tables."""
        seat = self.chance.choice(sorted(self.slow.may_act()) or [1, 2])
        if self.chance.random() < 0.05:
            seat = 3 - seat
        line = typist.types(self.chance, self.slow, seat)
        self.typed.append((seat, line))
        expected, told = self.slow.hear(seat, line) if seat in self.slow.may_act() else ("not theirs", {})
        answer, heard = self.answer(seat, line)
        agree("the answer", answer, expected)
        for reader in heard:
            agree(f"what {reader} is told", heard[reader], told.get(reader, []))
        self.answers.append(answer)
        self.compare_tables([self.chance.choice(READERS)] if self.chance.random() < LOOKS else [])

    def answer(self, seat, line):
        """How the real game answers, and the quoted sentences that each is told by it."""
        try:
            played = self.real.play(seat, line)
        except Refusal as refusal:
            if refusal.code in ("not_now", "not_your_turn"):
                return "not theirs", {}
            said = re.findall(r"Cell \w+ has already been queried\. Please select a different cell\.", refusal.text)
            return refusal.code, {seat: said}
        if played.foul:
            assert played.foul.code == "illegal"
        told = {
            reader: [
                event.text for event in events_for(played.announcements, reader) if self.quoted.fullmatch(event.text)
            ]
            for reader in READERS
        }
        return ("foul" if played.foul else "ok"), told

    def compare_tables(self, readers):
        """What has been decided so far, and what these readers are shown of it."""
        agree("who may act", self.real.to_act(), self.slow.may_act())
        agree("what is sealed", self.opened(), self.slow.sealed)
        outcome = self.real.outcome
        agree("the end", outcome and (outcome.winner, outcome.reason), self.slow.ending)
        if outcome and self.slow.ENDING_IS_QUOTED:
            agree("the last sentence", outcome.text, self.slow.ending_text)
        for reader in readers:
            view = self.real.view(reader)
            agree(f"what {reader} sees", plain(view.state), self.slow.sees(reader))
            agree(f"what {reader} may claim", view.claimable, reader in (1, 2) and self.slow.claimable(reader))
            offered = {line for action in view.actions for line in action.lines()}
            legal = set(self.slow.legal(reader)) if reader in self.slow.may_act() else set()
            agree(f"what {reader} may type", offered, legal)
            if self.slow.BOARD_IS_QUOTED and not outcome:
                cells = zip(view.board.corners or view.board.texts, view.board.texts, strict=True)
                agree("the board", [owner or text for owner, text in cells], self.slow.prints())
