"""Tells the lobby in lines."""

from dataclasses import dataclass, field

from gridgames_client.state.model import Model
from gridgames_protocol.messages import Lobby, LobbyRoom

WHERE = "You are in the lobby. Type {}create and a game, join or watch and a code, help, or quit."
ALONE = "play and a game to play the computer, "


@dataclass(slots=True)
class LobbyLines:
    """Tells the lobby, and remembers what it has told: only what is new is told again."""

    rooms: dict[str, str] = field(default_factory=dict)  # the told line of each room
    has_said_where: bool = False  # that the player is in the lobby
    has_told_games: bool = False

    def tell(self, model: Model, lobby: Lobby) -> list[str]:
        """What has changed in the lobby."""
        lines = [] if self.has_said_where else [WHERE.format(ALONE if model.owns_server else "")]
        lines += [] if self.has_told_games else [f"Game {card.slug}: {card.summary}." for card in model.cards]
        self.has_said_where = self.has_told_games = True
        before, self.rooms = self.rooms, {room.room: describe_room(room) for room in lobby.rooms}
        lines += [f"Room {code}: {text}." for code, text in self.rooms.items() if before.get(code) != text]
        return lines + [f"Room {code} is closed." for code in before if code not in self.rooms]


def describe_room(room: LobbyRoom) -> str:
    """A room of the lobby in words."""
    facts = [room.title, f"{room.host} (a program)" if room.agent else room.host, "open" if room.open else room.state]
    facts += [f"{room.clock} seconds a turn"] if room.clock else []
    facts += ["assist"] * room.assist + ([room.variant] if room.variant else [])
    return ", ".join(facts)
