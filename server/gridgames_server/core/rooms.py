"""The rooms there are: opened, found by their codes, listed for everybody who has not entered one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gridgames_protocol.messages import Create, Lobby, LobbyRoom
from gridgames_server.audience import Audience
from gridgames_server.bots import BOTS
from gridgames_server.deeds import RoomOpened
from gridgames_server.effects import Effect
from gridgames_server.games.game import Game, Refusal
from gridgames_server.limits import LOBBY_ROOMS, Limits
from gridgames_server.room import Room

CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 symbols; without 0, O, 1 and I, which look alike
CODE_LENGTH = 6


@dataclass(slots=True)
class Rooms:
    """Every room by its code, and whether the list of them has changed since it was last shown."""

    games: tuple[Game[Any], ...]
    entropy: Callable[[int], bytes]
    limits: Limits
    by_code: dict[str, Room] = field(default_factory=dict, repr=False)
    opened: int = 0
    changed: bool = False

    def open(self, wish: Create, address: str, out: list[Effect], now: float) -> Room:
        """Make the room that somebody wishes for."""
        card = next((game.card for game in self.games if game.card.slug == wish.game), None)
        if card is None:
            known = ", ".join(game.card.slug for game in self.games)
            raise Refusal("no_such_game", f"There is no such game here. There are: {known}.")
        if wish.bot is not None and wish.game not in BOTS:
            raise Refusal("not_now", "The computer does not play this game. Create a room for a friend.")
        if wish.assist and not card.assist:
            raise Refusal("not_now", f"{card.title} has nothing to rule out. Create a room without assist.")
        self._check_space(address)
        self.opened += 1
        options = (wish.game, wish.first, wish.private, wish.clock)
        opened = RoomOpened(self.opened, self._fresh_code(), *options, address, wish.assist)
        out.append(opened)
        return self.furnish(opened, out, now)

    def furnish(self, opened: RoomOpened, out: list[Effect], now: float) -> Room:
        """Set up a room with these options, new or as it was."""
        room = Room(
            code=opened.code,
            number=opened.room,
            game=next(game for game in self.games if game.card.slug == opened.game),
            first=opened.first,
            private=opened.private,
            clock=opened.clock,
            assist=opened.assist,
            address=opened.address,
            here=Audience(out),
            touched=now,
        )
        self.by_code[room.code] = room
        return room

    def _check_space(self, address: str) -> None:
        if len(self.by_code) >= self.limits.max_rooms:
            raise Refusal("server_full", "There are as many rooms as this server holds. Join one, or try later.")
        same = sum(room.address == address for room in self.by_code.values())
        if same >= self.limits.max_rooms_per_address:
            raise Refusal("server_full", "There are too many rooms from your address. Leave one first.")

    def _fresh_code(self) -> str:
        while True:
            # A byte modulo 32 is fair, since 32 divides 256.
            code = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in self.entropy(CODE_LENGTH))
            if code not in self.by_code:
                return code

    def find(self, code: str) -> Room | None:
        """The room with a code, however it is typed."""
        return self.by_code.get(code.strip().upper())

    def listing(self, players: int) -> Lobby:
        """What everybody in the lobby sees: open rooms first, the newest on top."""
        listed = [room for room in self.by_code.values() if not room.private]
        listed.sort(key=lambda room: (not room.is_open, -room.number))
        rows = tuple(_row(room) for room in listed[:LOBBY_ROOMS])
        return Lobby(rows, players, len(listed) - len(rows))


def _row(room: Room) -> LobbyRoom:
    card = room.game.card
    return LobbyRoom(
        room.code, card.slug, card.title, room.host, room.state, room.is_open, len(room.here.watchers), room.assist
    )
