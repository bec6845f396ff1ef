"""The guided first game. Each lesson of the game's card is shown once, at its moment.

A lesson stands until the player's next action. At most one is shown between two actions: the others wait for the next
moment of their kind.
"""

from dataclasses import dataclass, field

from gridgames_client.state.model import Model
from gridgames_protocol.messages import Event, Lobby, Ok, Over, Play, Push, Request, Room, Show
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import View

FEW = 4  # with so few possible cells, a game is nearly decided
SKIP = "Type skip to end the lessons."


def list_verbs(model: Model, line: str) -> list[str]:
    """The verb of an accepted line. While secrets are covered, a secret line counts as all secret lines do."""
    verb, actions = line.strip().upper().partition(" ")[0], model.show.view.actions if model.show else ()
    secret = [action.verb.upper() for action in actions if action.secret]
    return secret if model.masked and any(one.startswith(verb) for one in secret) else [verb]


@dataclass(slots=True)
class Guide:
    """The lessons of the current game that a new player has not seen yet, and the one that stands now."""

    known_games: set[str] = field(default_factory=set)  # games that the player has been guided through, or has skipped
    game: str = ""  # the game that is explained now
    lesson: str = ""  # the lesson that stands now
    number: int = 0  # of that lesson
    _room: tuple[str, int] = ("", 0)  # the room and the number of the game in it
    _left: dict[str, list[str]] = field(default_factory=dict)  # the lessons by moment
    _has_moved: bool = False  # the player has moved after the setup
    _moments: list[str] = field(default_factory=list)  # what has happened since the player's last action

    def skip(self) -> str:
        """End the lessons of this game. Returns its slug."""
        game = self.game
        if game:
            self.known_games.add(game)
        self._stop()
        return game

    def take_message(self, model: Model, message: Push, request: Request | None = None) -> str:
        """The lesson that a message brings; empty for most messages."""
        match message:
            case Lobby():
                self._stop()
                self._room = ("", 0)
            case Room() if self._room != (message.room, message.number):
                self._stop()
                return self._begin(model, message)
            case Ok() if isinstance(request, Play):
                self.lesson, self._moments = "", list_verbs(model, request.line)
                self._has_moved = model.show is not None and model.show.view.phase == "play"
            case Event(kind="hint") if not message.past:
                self._moments.insert(0, "hint")
            case Show():
                return self._teach(self._list_moments(model, message.view))
            case Over():
                self.lesson = ""
                return "".join(self._left.pop("over", [])[:1])
        return ""

    def _stop(self) -> None:
        self.game, self.lesson, self.number = "", "", 0
        self._left, self._moments, self._has_moved = {}, [], False

    def _begin(self, model: Model, room: Room) -> str:
        """Begin the lessons of a game if the player has a seat and does not know the game.

        A game that was played before this client was started is not explained from the beginning again.
        """
        card = model.card(room.game)
        if room.state != "playing":
            return ""
        self._room = (room.room, room.number)
        if card is None or room.you is None or room.game in self.known_games or not model.lines_complete:
            return ""
        self.game = room.game
        for moment, sentence in card.guide:
            key = moment if moment.islower() else moment.upper()
            self._left.setdefault(key, []).append(harmless(sentence))
        return self._teach(["start"])

    def _list_moments(self, model: Model, view: View) -> list[str]:
        """The moments of a view, the most important first."""
        covered = model.masked and "possible" in view.board.private
        left = 0 if covered else len(view.board.possible)
        near = "one" if left == 1 else "few" if 1 < left <= FEW else ""
        few = [near] if near in self._left else []
        if view.phase == "setup":
            return self._moments
        if model.to_act:
            return [*few, *self._moments, "turn"]
        return [] if few else [*self._moments, *["wait"] * self._has_moved]

    def _teach(self, moments: list[str]) -> str:
        """Show the first lesson that one of the moments has, unless another one stands."""
        found = next((moment for moment in moments if moment in self._left), None)
        if self.lesson or found is None:
            return ""
        self.lesson, self.number = " ".join(self._left.pop(found)), self.number + 1
        return self.lesson
