"""The guided first game. Each sentence of the game's card is shown once, at its moment."""

from dataclasses import dataclass, field

from gridgames_client.state.model import Model
from gridgames_protocol.messages import Event, Ok, Over, Play, Push, Request, Room, Show
from gridgames_protocol.safe_text import harmless

FEW = 4  # with so few possible cells, a game is nearly decided
SKIP = "Type skip to be told no more."


@dataclass(slots=True)
class Guide:
    """The explanations of the current game that a new player has not seen yet."""

    known_games: set[str] = field(default_factory=set)  # games that the player has been guided through, or has skipped
    game: str = ""
    sentences_left: dict[str, list[str]] = field(default_factory=dict)  # by moment

    def skip(self) -> str:
        """End the explanations of this game. Returns its slug."""
        self.sentences_left.clear()
        self.known_games.add(self.game)
        return self.game

    def find_sentences(self, model: Model, message: Push, request: Request | None = None) -> list[str]:
        """The sentences to show after a message."""
        match message:
            case Room(game=game, state="playing") if model.against_computer and game not in self.known_games:
                return self._begin(model, game)
            case Show() if message.view.phase != "setup":  # until then the first sentence stays
                few = 0 < len(message.view.board.possible) <= FEW
                return [*self._take("turn" if model.to_act else "wait"), *(self._take("few") if few else [])]
            case Event(kind="hint"):
                return self._take("hint")
            case Ok() if isinstance(request, Play):
                return self._take(request.line.strip().upper().partition(" ")[0])
            case Over():
                return self._take("over")
        return []

    def _begin(self, model: Model, game: str) -> list[str]:
        card = model.card(game)
        if game == self.game or card is None or not card.guide:
            return []
        self.game, self.sentences_left = game, {}
        for moment, sentence in card.guide:
            key = moment if moment.islower() else moment.upper()
            self.sentences_left.setdefault(key, []).append(harmless(sentence))
        return [*self._take("start"), SKIP]

    def _take(self, moment: str) -> list[str]:
        return self.sentences_left.pop(moment, self.sentences_left.pop(moment.upper(), []))
