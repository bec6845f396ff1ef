"""Games that are over, as one leafs through them: which of the list is chosen, and one of them step by step."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gridgames_client.commands import NO_ID, is_number
from gridgames_client.model import called
from gridgames_protocol.messages import AskReplay, PastGame, Replay
from gridgames_protocol.text import harmless
from gridgames_protocol.views import Board

OPEN = 0  # the eyes that see everything
KNOWN_MAX = 100  # steps that are not asked for again

STEPS = {"": 1, "n": 1, "next": 1, "p": -1, "previous": -1, "b": -1, "back": -1}
ENDS = {"first": 0, "start": 0, "last": -1, "end": -1}
LOOKS = ("mine", "theirs", "open")


@dataclass(frozen=True, slots=True)
class PastGames:
    """The list of one's own finished games, and which of them is chosen."""

    chosen: int = 0


@dataclass(frozen=True, slots=True)
class Replaying:
    """A finished game as it is shown, and the step and the eyes that are wished for."""

    game: PastGame
    shown: Replay
    here: tuple[int, int]  # the step and the eyes of what is shown
    wish: tuple[int, int]  # others, while the server is being asked
    known: Mapping[tuple[int, int], Replay]
    listed: bool = False  # chosen from the list, so that one goes back there

    @property
    def step(self) -> int:
        """The step that is wished for."""
        return self.wish[0]

    @property
    def eyes(self) -> int:
        """The eyes that are wished for: a seat's, or those that see everything."""
        return self.wish[1]

    @property
    def waits(self) -> bool:
        """True while what is wished for is not shown yet."""
        return self.wish != self.here

    @property
    def request(self) -> AskReplay:
        """What to ask the server for."""
        return AskReplay(NO_ID, self.game.number, self.step, self.eyes)

    @property
    def before(self) -> Board | None:
        """The board one step earlier with the same eyes, if it is known."""
        earlier = self.known.get((self.here[0] - 1, self.here[1]))
        return earlier.view.board if earlier else None

    def at(self, step: int, eyes: int | None = None) -> "Replaying":
        """The wish for another step, or for other eyes; it is shown at once where it is known."""
        wish = min(max(step, 0), self.game.lines), self.eyes if eyes is None else eyes
        if wish in self.known:
            return replace(self, wish=wish, here=wish, shown=self.known[wish])
        return replace(self, wish=wish)

    def told(self, asked: AskReplay, reply: Replay) -> "Replaying":
        """The replay with what the server has said."""
        known = dict(list(self.known.items())[-KNOWN_MAX:]) | {(asked.step, asked.eyes): reply}
        return replace(self, known=known).at(self.step)

    def given_up(self) -> "Replaying":
        """The replay without a wish: it stays at what is shown."""
        return replace(self, wish=self.here)

    def looking(self, look: str) -> int:
        """The eyes that a word means."""
        return {"mine": self.game.you, "theirs": 3 - self.game.you}.get(look, OPEN)

    def next_eyes(self) -> int:
        """The eyes that come next: one's own, the other's, everything open."""
        order = [self.looking(look) for look in LOOKS]
        return order[(order.index(self.eyes) + 1) % len(order)]

    def typed(self, text: str) -> "Replaying | None":
        """What a typed line wishes for; None if it is none of a replay's."""
        word = text.strip().lower()
        if word in STEPS:
            return self.at(self.step + STEPS[word])
        if word in ENDS:
            return self.at(ENDS[word] % (self.game.lines + 1))
        if word in LOOKS:
            return self.at(self.step, self.looking(word))
        return self.at(int(word)) if is_number(word) else None

    def seat_name(self, seat: int) -> str:
        """Who sat there, with the seat's number, which no name can imitate."""
        return f"{harmless(self.game.names[seat - 1])} [{seat}]"

    def named(self, text: str) -> str:
        """A sentence of the game with the players' names in it."""
        return called(text, self.seat_name)


def opened(game: PastGame, asked: AskReplay, reply: Replay, listed: bool) -> Replaying:
    """A replay as it is first seen."""
    here = asked.step, asked.eyes
    return Replaying(game, reply, here, here, {here: reply}, listed)


def ended(game: PastGame, seat: int) -> str:
    """How a game ended for a seat, in a word."""
    return "draw" if game.winner is None else "won" if game.winner == seat else "lost"


def result(game: PastGame) -> str:
    """How a game ended for the player whose it is, and why."""
    word = ended(game, game.you)
    return word if game.reason == word else f"{word} ({harmless(game.reason)})"


def opponent(game: PastGame) -> str:
    """Who sat at the other seat."""
    return harmless(game.names[2 - game.you])
