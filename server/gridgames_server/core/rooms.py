"""All rooms: opened, found by their codes, and listed in the lobby."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gridgames_protocol.messages import Create, Lobby, LobbyRoom
from gridgames_server.core.limits import LOBBY_NAMES, LOBBY_ROOMS, Limits
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import RoomOpened
from gridgames_server.errors import Refusal
from gridgames_server.games import find_variant
from gridgames_server.games.game import Game

CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 symbols; without 0, O, 1 and I, which look alike
CODE_LENGTH = 6


@dataclass(slots=True)
class Rooms:
    """All rooms by code, and their rows in the lobby."""

    games: tuple[Game[Any], ...]
    bots: frozenset[str]  # the games that the computer plays
    entropy: Callable[[int], bytes]
    limits: Limits
    by_code: dict[str, Room] = field(default_factory=dict, repr=False)
    opened: int = 0
    last_game: int | None = None  # number of the last finished game; None: games are not stored
    # The part of a room's row in the lobby that can change, by code. Private rooms have no row.
    rows: dict[str, tuple[object, ...]] = field(default_factory=dict, repr=False)
    revision: int = 0  # of the list

    def open(self, request: Create, address: str, now: float) -> tuple[RoomOpened, Room]:
        """Create a room and its record."""
        game = self.check_game(request.game)
        card = game.card
        if find_variant(game, request.variant) is None:
            known = ", ".join(name for name, _ in card.variants) or "none"
            raise Refusal("not_now", f"{card.title} has no such variant. There are: {known}.", "variant")
        if request.bot is not None and request.game not in self.bots:
            raise Refusal("not_now", "The computer does not play this game. Create a room for a friend.", "bot")
        if request.assist and not card.assist:
            raise Refusal("not_now", f"{card.title} has nothing to rule out. Create a room without assist.", "assist")
        self._check_space(address)
        self.opened += 1
        opened = RoomOpened(
            room=self.opened,
            code=self._fresh_code(),
            game=request.game,
            first=request.first,
            private=request.private,
            clock=request.clock,
            address=address,
            assist=request.assist,
            quiet=request.quiet,
            variant=request.variant,
            hints=request.hints,
        )
        return opened, self.set_up(opened, now)

    def check_game(self, slug: str) -> Game[Any]:
        """Return the game with a slug, or raise a Refusal that names the games of this server."""
        for game in self.games:
            if game.card.slug == slug:
                return game
        known = ", ".join(game.card.slug for game in self.games)
        raise Refusal("no_such_game", f"There is no such game here. There are: {known}.", "game")

    def find_rules(self, opened: RoomOpened) -> Game[Any] | None:
        """Return the game of a room in its variant, or None if this server does not have it."""
        known = (game for game in self.games if game.card.slug == opened.game)
        return next((find_variant(game, opened.variant) for game in known), None)

    def set_up(self, opened: RoomOpened, now: float) -> Room:
        """Set up a new or restored room with these options."""
        game = self.find_rules(opened)
        assert game
        room = Room(
            code=opened.code,
            number=opened.room,
            game=game,
            variant=opened.variant,
            first=opened.first,
            private=opened.private,
            clock=opened.clock,
            assist=opened.assist,
            address=opened.address,
            last_event_at=now,
            quiet=opened.quiet,
            next_game=self.next_game,
            hints=opened.hints,
        )
        self.by_code[room.code] = room
        return room

    def next_game(self) -> int | None:
        """Return the number of a game that has just ended, or None if games are not stored."""
        if self.last_game is not None:
            self.last_game += 1
        return self.last_game

    def _check_space(self, address: str) -> None:
        if len(self.by_code) >= self.limits.max_rooms:
            raise Refusal("server_full", "There are as many rooms as this server holds. Join one, or try later.")
        same = sum(room.address == address for room in self.by_code.values())
        if same >= self.limits.max_rooms_per_address:
            raise Refusal("server_full", "There are too many rooms from your address. Leave one first.")

    def _fresh_code(self) -> str:
        while True:
            # A byte modulo 32 is uniform, since 32 divides 256.
            code = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in self.entropy(CODE_LENGTH))
            if code not in self.by_code:
                return code

    def find(self, code: str) -> Room | None:
        """Return the room with a code. Case and spaces do not matter."""
        return self.by_code.get(code.strip().upper())

    def close(self, room: Room) -> bool:
        """Forget a room; False if it was closed before."""
        closed = self.by_code.pop(room.code, None) is not None
        self.update_row(room)
        return closed

    def update_row(self, room: Room) -> None:
        """Update a room's row of the lobby. `revision` counts the changes.

        A private room is not shown, but whoever enters or leaves it leaves or enters the lobby.
        """
        row: tuple[object, ...] | None = None
        if room.code in self.by_code:
            here = room.audience
            row = (here.seats[1] is None, here.seats[2] is None, len(here.watchers))
            if not room.private:
                row = (room.host, room.host_agent, room.state, room.is_offered, *row)
        if row != self.rows.get(room.code):
            self.revision += 1
        if row is None:
            self.rows.pop(room.code, None)
        else:
            self.rows[room.code] = row

    def list_rooms(self, players: int, names: tuple[str, ...] = ()) -> Lobby:
        """Return the lobby: open rooms first, the newest on top. `names` are the players who are in no room."""
        listed = [room for room in self.by_code.values() if not room.private]
        listed.sort(key=lambda room: (not room.is_offered, -room.number))
        rows = tuple(_make_row(room) for room in listed[:LOBBY_ROOMS])
        return Lobby(rows, players, len(listed) - len(rows), names[:LOBBY_NAMES])


def _make_row(room: Room) -> LobbyRoom:
    card = room.game.card
    return LobbyRoom(
        room=room.code,
        game=card.slug,
        title=card.title,
        host=room.host,
        state=room.state,
        open=room.is_offered,
        watchers=len(room.audience.watchers),
        assist=room.assist,
        clock=room.clock,
        variant=room.variant,
        quiet=room.quiet,
        agent=room.host_agent,
    )
