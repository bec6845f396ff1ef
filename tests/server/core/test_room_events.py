"""Records: what is kept of each thing that happens."""

from dataclasses import fields, is_dataclass, replace
from typing import get_args

from gridgames_server.core.room_events import (
    RECORDS,
    ChatSaid,
    GameOver,
    GameStarted,
    LinePlayed,
    PlayerNamed,
    Record,
    RoomEvent,
    RoomOpened,
)

ROOM = RoomOpened(3, "ABC234", "grid-hunt", "random", False, None, "10.0.0.1")


def test_every_record_has_a_tag_of_its_own_and_every_event_begins_alike():
    assert set(RECORDS) == set(get_args(Record))
    assert len(set(RECORDS.values())) == len(RECORDS)
    assert all(is_dataclass(kind) for kind in RECORDS)
    for kind in get_args(RoomEvent):
        assert [field.name for field in fields(kind)][:3] == ["room", "number", "at"]


def test_a_tag_keeps_its_meaning():
    tags = {tag: kind.__name__ for kind, tag in RECORDS.items()}
    assert (tags["sit"], tags["left"], tags["start"], tags["line"]) == (
        *("SeatTaken", "SeatLeft", "GameStarted", "LinePlayed"),
    )
    assert (tags["stop"], tags["again"], tags["chat"], tags["over"]) == (
        *("GameStopped", "RematchAsked", "ChatSaid", "GameOver"),
    )


def test_nothing_that_is_kept_shows_its_secrets_when_it_is_printed():
    game = GameOver(
        1, 1, "grid-hunt", 1, b"canary seed", 1, (1, 2), ("A", "B"), ((1, "canary line"),), 1, "dig", "Player 1 wins."
    )
    line, start = LinePlayed(1, 1, 0.0, 1, "canary line", 1), GameStarted(1, 1, 0.0, 1, 1, b"canary seed")
    chat, player = ChatSaid(1, 1, 0.0, 1, "Ada", "canary"), PlayerNamed(1, "Ada", "ada", b"canary hash")
    shown = "".join(map(repr, (game, line, start, chat, player, replace(ROOM, code="canary"))))
    assert "canary" not in shown
