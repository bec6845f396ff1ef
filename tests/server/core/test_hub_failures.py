"""A bug in one game: a number for the one who struck it, an apology in that room, and nothing anywhere else."""

import re

import pytest

from gridgames_protocol.messages import (
    Again,
    Chat,
    Claim,
    Error,
    Event,
    Join,
    Leave,
    Lobby,
    Ok,
    Ping,
    Play,
    Resign,
    Watch,
)
from gridgames_server.core.limits import ROOM_DESERTED
from gridgames_server.errors import locate
from gridgames_server.games.grid_conquest import GridConquest
from gridgames_server.games.grid_hunt import GridHunt
from tests.server.hub_harness import Cracked, HubHarness, word

APOLOGY = re.compile(r"Something went wrong in this room \(number ([0-9a-f]{8})\), and it had to be closed\. Sorry\.")


class BreakableHub(HubHarness):
    """A server with a game that breaks when it is told to, and another table where nobody should notice."""

    def __init__(self):
        self.cracked = Cracked(GridConquest())
        super().__init__((self.cracked, GridHunt()))
        self.quiet = self.table("grid-hunt", "Quinn", "Quill", "Quip")

    def others_go_on(self):
        """Nothing has happened at the other table, and all can go on."""
        first, second, watcher = self.quiet
        assert first.reads() == second.reads() == watcher.reads() == []
        assert first.types("HIDE 2 3") == second.types("HIDE 5 5") == ["ok"]
        assert first.types("DIG 5 5") == ["ok"]


def apology(messages):
    """The number in the one apology among these, which a lobby without the room follows."""
    *_, event, lobby = (message for message in messages if isinstance(message, Event | Lobby))
    found = APOLOGY.fullmatch(event.text)
    assert found
    assert event.kind == "system"
    assert [room.game for room in lobby.rooms] == ["grid-hunt"]
    return found[1]


ACTIONS = {
    "play, in play": ("play", 0, (Play, "C3")),
    "play, in to_act": ("to_act", 0, (Play, "C3")),
    "play, in view": ("view", 0, (Play, "C3")),
    "resign, in view": ("view", 0, (Resign,)),
    "again, in start": ("start", 1, (Again,)),
    "claim, in claim": ("claim", 1, (Claim,)),
}


@pytest.mark.parametrize("action", ACTIONS)
def test_who_strikes_a_bug_gets_a_number_and_the_room_is_closed_with_an_apology(action):
    breaks, seat, request = ACTIONS[action]
    server = BreakableHub()
    seats = server.table("grid-conquest", "Ada", "Bob", "Wes")
    seats[0].says(Again)
    server.read_by_all()
    server.cracked.breaks = breaks
    reply = seats[seat].says(*request)
    assert reply.code == "internal"
    (trouble,) = server.troubles()
    assert reply.text == f"Something went wrong on the server. Tell its host this number: {trouble.id}."
    for guest in seats:
        assert apology(guest.reads()) == trouble.id
        assert word(guest.says(Chat, "?")) == "not_in_room"
    assert server.lines() == [], "a line that was answered so is not kept"
    server.others_go_on()


def test_what_goes_to_the_log_names_places_and_no_secret():
    server = BreakableHub()
    ada, _ = server.table("grid-conquest")
    server.cracked.breaks = "play"
    ada.types("C3")
    (trouble,) = server.troubles()
    assert Cracked.SECRET in str(trouble.error)
    logged = locate(trouble.error)
    assert Cracked.SECRET not in logged
    assert "4D" not in logged
    assert logged.startswith("RuntimeError at hub.py:")
    assert "match.py:" in logged


def test_a_line_that_struck_a_bug_was_not_accepted():
    server = BreakableHub()
    ada, _ = server.table("grid-conquest")
    server.cracked.breaks = "view"
    ada.says(Play, "C3", id=100)
    assert server.lines() == []
    ada.drops()
    assert ada.comes_back().welcome.last_play is None


def test_a_bug_when_the_game_starts_closes_the_room_that_was_joined():
    server = BreakableHub()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    code = ada.opens("grid-conquest")
    server.read_by_all()
    server.cracked.breaks = "start"
    reply = bob.says(Join, code)
    assert reply.code == "internal"
    assert bob.reads()[0] is reply
    assert apology(ada.reads())
    assert word(ada.says(Join, code)) == "no_such_room"


def test_a_bug_in_what_watchers_see_closes_the_room():
    server = BreakableHub()
    ada, bob = server.table("grid-conquest")
    wes = server.enter("Wes")
    server.read_by_all()
    server.cracked.breaks, server.cracked.for_reader = "view", None
    assert word(wes.says(Watch, ada.where.room)) == "internal"
    assert apology(ada.reads()) == apology(bob.reads()) == apology(wes.reads())
    server.others_go_on()


@pytest.mark.parametrize("breaks", ["to_act", "view"])
def test_a_bug_when_time_passes_closes_that_room_alone(breaks):
    server = BreakableHub()
    ada, bob = server.table("grid-conquest", clock=30)
    server.passes(29)
    server.read_by_all()
    server.cracked.breaks = breaks
    server.passes(1)
    (trouble,) = server.troubles()
    assert apology(ada.reads()) == apology(bob.reads()) == trouble.id
    server.passes(60)
    assert len(server.troubles()) == 1
    server.others_go_on()


def test_a_bug_when_somebody_leaves_lets_them_go_and_closes_the_room():
    server = BreakableHub()
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    server.cracked.breaks = "view"
    assert isinstance(ada.says(Leave), Ok)
    assert ada.words() == ["ok", "lobby"]
    (trouble,) = server.troubles()
    assert apology(bob.reads()) == apology(wes.reads()) == trouble.id
    server.others_go_on()


def test_a_room_that_breaks_at_the_moment_when_it_expires_is_closed_once():
    server = BreakableHub()
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes", clock=ROOM_DESERTED + 3)
    ada.drops()
    bob.drops()
    server.cracked.breaks = "view"
    server.passes(ROOM_DESERTED + 5)
    assert apology(wes.reads()) == server.troubles()[0].id
    assert sum("closed" in note for note in server.notes()) == 1
    server.others_go_on()


def test_a_bug_when_somebody_comes_back_lets_them_in_and_closes_the_room():
    server = BreakableHub()
    ada, bob = server.table("grid-conquest")
    server.cracked.breaks = "view"
    back = bob.comes_back()
    assert bob.words() == ["replaced"], "the old connection is ended all the same"
    assert bob.closed
    told = back.reads()
    assert word(told[0]) == "welcome"
    assert apology(told) == apology(ada.reads()) == server.troubles()[0].id
    assert word(back.says(Ping)) == "ok"
    server.others_go_on()


def test_one_who_was_away_when_the_room_broke_learns_why():
    server = BreakableHub()
    ada, bob = server.table("grid-conquest")
    bob.drops()
    server.cracked.breaks = "play"
    ada.types("C3")
    bob = bob.comes_back()
    assert bob.welcome.room is None
    (event,) = bob.reads(Event)
    assert APOLOGY.fullmatch(event.text)
    assert event.past


def test_after_a_bug_the_same_players_can_open_another_room():
    server = BreakableHub()
    ada, bob = server.table("grid-conquest")
    server.cracked.breaks = "play"
    ada.types("C3")
    server.cracked.breaks = None
    bob.says(Join, ada.opens("grid-conquest", first="host"))
    assert ada.types("C3") == ["ok"]


def test_two_troubles_have_two_numbers():
    server = BreakableHub()
    for names in (("Ada", "Bob"), ("Cat", "Dan")):
        host, _ = server.table("grid-conquest", *names)
        server.cracked.breaks = "play"
        host.types("C3")
        server.cracked.breaks = None
    first, second = (trouble.id for trouble in server.troubles())
    assert first != second


def test_a_reply_to_a_bug_is_the_only_one():
    server = BreakableHub()
    ada, _ = server.table("grid-conquest")
    server.cracked.breaks = "view"
    ada.says(Play, "C3", id=70)
    replies = [message for message in ada.reads() if getattr(message, "re", None) == 70]
    assert [type(reply) for reply in replies] == [Error]
