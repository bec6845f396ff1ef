"""Links: each deed is bound to the one before it, and everything about it is bound."""

from dataclasses import fields, replace

import pytest

from gridgames_server.deeds import (
    Deed,
    GameOver,
    PlayerNamed,
    RoomOpened,
    first_link,
    next_link,
    player_seal,
    time_seal,
)

ROOM = RoomOpened(3, "ABC234", "grid-hunt", "random", False, None, "10.0.0.1")
DEED = Deed(3, 7, 1_000.5, "line", 1, "HIDE 2 3", 70, b"\x01\x02")
PLAYER = (5, "Ada", "ada", b"\x07" * 32, 70)

OTHERS = {
    "room": [4, None, "3"],
    "code": ["ABC235", "", None],
    "game": ["grid-hunu", None],
    "first": ["host", None],
    "private": [True, 0, None],
    "clock": [0, 5, ""],
    "assist": [True, 0, None],
    "address": ["10.0.0.2", ""],
    "number": [8, 6, None, "7"],
    "at": [1_000.25, 1_000, None, "1000.5"],
    "what": ["wish", None, b"line"],
    "seat": [2, None, "1", 1.0],
    "text": ["HIDE 2 4", "", "HIDE 2 3 ", None, b"HIDE 2 3", b""],
    "id": [71, None, "70"],
    "secret": [b"\x01\x03", b"", b"\x01\x02\x00", None, "\x01\x02", "0102"],
}


@pytest.mark.parametrize(("name", "other"), [(name, other) for name in OTHERS for other in OTHERS[name]])
def test_whatever_changes_in_a_room_or_a_deed_changes_its_link(name, other):
    if name in {field.name for field in fields(RoomOpened)}:
        assert first_link(replace(ROOM, **{name: other})) != first_link(ROOM)
    if name in Deed._fields:
        assert next_link(b"before", DEED._replace(**{name: other})) != next_link(b"before", DEED)


def test_every_field_has_been_changed_above():
    assert {field.name for field in fields(RoomOpened)} | set(Deed._fields) == set(OTHERS)


def test_a_deed_is_bound_to_the_one_before_it():
    assert next_link(b"before", DEED) != next_link(b"after", DEED)
    assert next_link(first_link(ROOM), DEED) == next_link(first_link(ROOM), DEED)


def test_what_stands_in_one_field_can_not_stand_in_its_neighbour():
    one = DEED._replace(text="a", id=None)
    assert next_link(b"", one._replace(what="line", text="xa")) != next_link(b"", one._replace(what="linex", text="a"))
    assert next_link(b"", one._replace(text='a", null, "')) != next_link(b"", one)


def test_no_text_and_no_bytes_are_two_things():
    assert next_link(b"", DEED._replace(text="")) != next_link(b"", DEED._replace(text=b""))


def test_links_do_not_depend_on_the_version_of_python():
    assert next_link(first_link(ROOM), DEED).hex() == "f7f78f4cb5293b8c13ddfc4b7279bfaa"
    assert next_link(b"", DEED._replace(text="Ünïcödé \U0001fae8")).hex() == "57a21ada6ef8c6dfda06ef1feb8d38a2"


@pytest.mark.parametrize("place", range(5))
def test_whatever_changes_in_a_player_changes_the_seal(place):
    for other in (6, "Adb", None, b"\x06" * 32):
        changed = list(PLAYER)
        changed[place] = other
        assert (player_seal(*changed) == player_seal(*PLAYER)) == (tuple(changed) == PLAYER)


def test_another_time_has_another_seal():
    assert len({time_seal(now) for now in (0.0, 1_000.0, 1_000.0000001, None, "1000.0", 1_000)}) == 6


def test_nothing_that_is_kept_shows_its_secrets_when_it_is_printed():
    game = GameOver(
        1, 1, "grid-hunt", 1, b"canary seed", 1, (1, 2), ("A", "B"), ((1, "canary line"),), 1, "dig", "Player 1 wins."
    )
    deed = DEED._replace(text="canary line", secret=b"canary seed")
    player = PlayerNamed(1, "Ada", "ada", b"canary hash")
    assert "canary" not in f"{game!r} {deed!r} {player!r} {replace(ROOM, code='canary')!r}"
