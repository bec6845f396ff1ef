"""Finished games: the list's cursor, and a replay of one game step by step."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gridgames_client.state.commands import NO_ID, is_number
from gridgames_client.state.player_names import replace_players
from gridgames_protocol.messages import AnalysedMove, Analysis, AskReplay, PastGame, Replay
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Board

OPEN = 0  # the eyes (whose view it is) that see everything
KNOWN_MAX = 100  # cached steps

STEPS = {"": 1, "n": 1, "next": 1, "p": -1, "previous": -1, "b": -1, "back": -1}
ENDS = {"first": 0, "start": 0, "last": -1, "end": -1}
LOOKS = ("mine", "theirs", "open")


@dataclass(frozen=True, slots=True)
class PastGames:
    """The list of the player's finished games, and the cursor's row."""

    row: int = 0


@dataclass(frozen=True, slots=True)
class Replaying:
    """A replay: the step and the eyes that are shown, and those that the player wants."""

    game: PastGame
    shown: Replay
    here: tuple[int, int]  # the step and the eyes of what is shown
    wanted: tuple[int, int]  # differs from `here` until the server has answered
    known: Mapping[tuple[int, int], Replay]
    listed: bool = False  # opened from the list; closing goes back to it
    analysis: Analysis | None = None  # None until it arrives; some games have none

    @property
    def step(self) -> int:
        """The step that the player wants."""
        return self.wanted[0]

    @property
    def eyes(self) -> int:
        """The eyes that the player wants: a seat, or OPEN."""
        return self.wanted[1]

    @property
    def waits(self) -> bool:
        """True while the wanted step is not shown yet."""
        return self.wanted != self.here

    @property
    def request(self) -> AskReplay:
        """The request for the wanted step."""
        return AskReplay(NO_ID, self.game.number, self.step, self.eyes)

    @property
    def before(self) -> Board | None:
        """The board one step earlier with the same eyes, if it is known."""
        earlier = self.known.get((self.here[0] - 1, self.here[1]))
        return earlier.view.board if earlier else None

    def find_judgement(self, step: int) -> AnalysedMove | None:
        """The analysis of the move that led to a step. None in games with fouls, where some lines are no moves."""
        moves = self.analysis.moves if self.analysis else ()
        return moves[step - 1] if len(moves) == self.shown.steps and step else None

    def at(self, step: int, eyes: int | None = None) -> "Replaying":
        """The replay at another step or with other eyes. A cached step is shown at once."""
        wanted = min(max(step, 0), self.game.lines), self.eyes if eyes is None else eyes
        if wanted in self.known:
            return replace(self, wanted=wanted, here=wanted, shown=self.known[wanted])
        return replace(self, wanted=wanted)

    def add_reply(self, asked: AskReplay, reply: Replay) -> "Replaying":
        """Take in a step that the server has sent."""
        known = dict(list(self.known.items())[-KNOWN_MAX:]) | {(asked.step, asked.eyes): reply}
        return replace(self, known=known).at(self.step)

    def drop_request(self) -> "Replaying":
        """Stay at the step that is shown."""
        return replace(self, wanted=self.here)

    def find_eyes(self, look: str) -> int:
        """The eyes that a word means."""
        return {"mine": self.game.you, "theirs": 3 - self.game.you}.get(look, OPEN)

    def next_eyes(self) -> int:
        """The next eyes in the order: the player's, the opponent's, everything open."""
        order = [self.find_eyes(look) for look in LOOKS]
        return order[(order.index(self.eyes) + 1) % len(order)]

    def read_line(self, text: str) -> "Replaying | None":
        """The replay at the step or with the eyes that a typed line names; None for other lines."""
        word = text.strip().lower()
        if word in STEPS:
            return self.at(self.step + STEPS[word])
        if word in ENDS:
            return self.at(ENDS[word] % (self.game.lines + 1))
        if word in LOOKS:
            return self.at(self.step, self.find_eyes(word))
        return self.at(int(word)) if is_number(word) else None

    def seat_name(self, seat: int) -> str:
        """The player's name and the seat's number. No name can contain the brackets."""
        return f"{harmless(self.game.names[seat - 1])} [{seat}]"

    def insert_names(self, text: str) -> str:
        """Replace `Player 1` and `Player 2` in a sentence of the game by the players' names."""
        return replace_players(text, self.seat_name)

    def insert_short_names(self, text: str) -> str:
        """Replace `Player 1` and `Player 2` by bare names, for places that show the seat by other means."""
        return replace_players(text, lambda seat: harmless(self.game.names[seat - 1]))


def open_replay(game: PastGame, asked: AskReplay, reply: Replay, listed: bool) -> Replaying:
    """A new replay at its first step."""
    here = asked.step, asked.eyes
    return Replaying(game, reply, here, here, {here: reply}, listed)


def describe_outcome(game: PastGame, seat: int) -> str:
    """How a game ended for a seat, in one word."""
    return "draw" if game.winner is None else "won" if game.winner == seat else "lost"


def describe_result(game: PastGame) -> str:
    """How a game ended for this player, and why."""
    word = describe_outcome(game, game.you)
    return word if game.reason == word else f"{word} ({harmless(game.reason)})"


def find_opponent(game: PastGame) -> str:
    """The opponent's name."""
    return harmless(game.names[2 - game.you])
