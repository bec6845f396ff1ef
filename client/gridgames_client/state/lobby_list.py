"""The rows of the lobby: play now, open rooms, other rooms, the games, history and standings."""

from typing import Literal, NamedTuple

from gridgames_client.state.commands import NO_ID
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Create, Join, LobbyRoom, Request
from gridgames_protocol.views import Card

LOCAL = ("127.", "localhost", "[::1]")  # how addresses of this machine begin
LOOK_BACK = ("history", "standings")  # the same words can be typed


class LobbyRow(NamedTuple):
    """One row: its kind, and a room's code, a game's slug or a word."""

    kind: Literal["play", "room", "game", "look back"]
    name: str


def is_local(model: Model) -> bool:
    """True if the server's address leads to it on this machine only."""
    return model.address.startswith(LOCAL)


def find_browser_address(model: Model) -> str:
    """Where a friend without the client gets it with a browser; "" if the server does not offer it."""
    if not model.handout or is_local(model):
        return ""
    return f"{'https' if model.tls else 'http'}://{model.address}"


def list_rows(model: Model) -> list[LobbyRow]:
    """All rows, in the order of the screen."""
    return [
        *([LobbyRow("play", "now")] if model.cards else []),
        *(LobbyRow("room", room.room) for room in list_rooms(model)),
        *(LobbyRow("game", card.slug) for card in model.cards),
        *(LobbyRow("look back", word) for word in LOOK_BACK),
    ]


def list_rooms(model: Model) -> list[LobbyRoom]:
    """The rooms. Those that wait for a player come first."""
    return sorted(model.lobby.rooms if model.lobby else (), key=lambda room: not room.open)


def find_room(model: Model, code: str) -> LobbyRoom | None:
    return next((room for room in list_rooms(model) if room.room == code), None)


def build_play_now(model: Model) -> Request | None:
    """The request of "play now": join the first open room, or else play the computer."""
    waiting = [room for room in list_rooms(model) if room.open]
    if waiting:
        return Join(NO_ID, waiting[0].room)
    card = find_next_game(model)
    return Create(NO_ID, card.slug, bot="easy", assist=model.wants_assist and card.assist) if card else None


def find_next_game(model: Model) -> Card | None:
    """The game of "play now" against the computer: the one that was played last, or else the first one."""
    return model.card(model.last_game) or next(iter(model.cards), None)


def describe_play_now(model: Model) -> str:
    """What "play now" plays, and against whom."""
    waiting = next((room for room in list_rooms(model) if room.open), None)
    if waiting:
        return f"{waiting.title} against {waiting.host}"
    card = find_next_game(model)
    return f"{card.title} against the computer" if card else ""


def find_first_row(rows: list[LobbyRow], model: Model) -> int:
    """The row of the cursor at the start: an open room, or else "play now"."""
    waiting = {room.room for room in list_rooms(model) if room.open}
    return next((number for number, row in enumerate(rows) if row.kind == "room" and row.name in waiting), 0)
