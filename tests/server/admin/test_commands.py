"""What a host sees of a running server and does to it, told as dialogues."""

import pytest

from gridgames_protocol.messages import (
    Again,
    AskStatus,
    Bye,
    Create,
    Error,
    Event,
    Join,
    Leave,
    Lobby,
    Over,
    Status,
    Watch,
)
from gridgames_server import hosting
from gridgames_server.games.game import Refusal
from gridgames_server.hosting import DRAINING, KICKED
from gridgames_server.vitals import StoreHealth, Vitals
from tests.server.house import House, word


class Hosted(House):
    """A house whose host speaks."""

    def hosts(self, deed, *words):
        self.does(deed(self.hub, *words, self.now))


# Looking --------------------------------------------------------------------------------------------------------------


def test_the_host_sees_who_is_where():
    house = Hosted()
    _, bob, _ = house.table("grid-hunt", "Ada", "Bob", "Cyd")
    house.enter("Dan", address="192.168.1.99")
    house.connects()  # and says nothing: nobody yet
    bob.drops()
    assert hosting.players(house.hub) == [
        "Ada\t192.168.1.20\troom 1, seat 1",
        "Bob\taway\troom 1, seat 2",
        "Cyd\t192.168.1.20\troom 1, watching",
        "Dan\t192.168.1.99\tlobby",
    ]


def test_the_host_sees_every_room_but_not_the_code_of_a_private_one():
    house = Hosted()
    ada, _ = house.table("grid-hunt", "Ada", "Bob")
    ada.types("HIDE 2 3")
    code = house.enter("Cyd").opens("quantum-duel", private=True)
    assert [room.code for room in house.hub.rooms.by_code.values()][1] == code
    one, two = hosting.rooms(house.hub)
    assert one.split("\t") == ["room 1", ada.where.room, "grid-hunt", "playing", "Ada and Bob", "1 moves, 0 watching"]
    assert two.split("\t") == ["room 2", "private", "quantum-duel", "waiting", "Cyd", "0 moves, 0 watching"]


def test_no_secret_of_a_game_or_a_player_is_in_what_the_host_sees():
    house = Hosted(password="canary-password")
    ada = house.enter("Ada", password="canary-password")
    bob = house.enter("Bob", password="canary-password")
    bob.says(Join, ada.opens("secret-paths", first="host"))
    ada.types("GOAL 2")
    bob.types("GOAL 4")
    seen = "\n".join([*hosting.status(house.hub, house.now), *hosting.players(house.hub), *hosting.rooms(house.hub)])
    for secret in ("canary", "GOAL", "5,2", "1,4", ada.welcome.token, bob.welcome.token):
        assert secret not in seen


def test_the_status_is_a_line_for_each_fact():
    house = Hosted()
    house.table("grid-hunt")
    house.hub.vitals = lambda: Vitals("1.2.3", 7, StoreHealth(4, 1_524_000, 20_480_000_000))
    house.passes(5)
    assert hosting.status(house.hub, house.now) == [
        "server: the house",
        "uptime: 5 s",
        "players: 2",
        "rooms: 1",
        "games: 1",
        "moves: 0",
        "version: 1.2.3",
        "draining: no",
        "lag: 7 ms",
        "store age: 4 s",
        "store size: 1.5 MB",
        "store free: 20.5 GB",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(59, "59 s"), (60, "1 min"), (3_660, "1 h 1 min"), (86_399, "23 h 59 min"), (90_000, "1 d 1 h")],
)
def test_the_uptime_is_told_as_people_say_it(seconds, said):
    assert hosting.lasting(seconds) == said


def test_the_status_says_that_a_server_drains():
    house = Hosted()
    house.table("grid-hunt")
    house.hosts(hosting.drain)
    assert "draining: yes" in hosting.status(house.hub, house.now)


def test_a_server_that_keeps_nothing_has_no_store_in_its_status():
    house = Hosted()
    house.hub.vitals = lambda: Vitals("1.2.3", 7)
    assert hosting.status(house.hub, house.now)[-3:] == ["version: 1.2.3", "draining: no", "lag: 7 ms"]


def test_the_public_is_told_nothing_of_the_disk_and_of_delays():
    house = Hosted()
    house.hub.vitals = lambda: Vitals("1.2.3", 7, StoreHealth(4, 1_024, 2_048))
    house.passes(5)
    assert house.connects().says(AskStatus) == Status(1, "the house", 5, 0, 0, 0, 0, "1.2.3")


# Speaking -------------------------------------------------------------------------------------------------------------


def test_what_the_host_says_reaches_everybody_who_has_a_name():
    house = Hosted()
    guests = [*house.table("grid-hunt", "Ada", "Bob", "Cyd"), house.enter("Dan")]
    silent = house.connects()
    house.read_by_all()
    house.hosts(hosting.say, "  Pizza is here.\x1b[2J ")
    for guest in guests:
        assert guest.reads(Event) == [Event("The host says: Pizza is here.[2J", "system")]
    assert silent.reads() == []


@pytest.mark.parametrize("text", ["", "   ", "\x1b", "x" * 301])
def test_the_host_says_something_or_nothing_but_no_novel(text):
    house = Hosted()
    ada = house.enter("Ada")
    ada.reads()
    with pytest.raises(Refusal, match="1 to 300 characters"):
        house.hosts(hosting.say, text)
    assert ada.reads() == []


# Sending away ---------------------------------------------------------------------------------------------------------


def test_one_who_is_sent_away_from_a_table_has_lost_the_game():
    house = Hosted()
    ada, bob = house.table("grid-hunt", "Ada", "Bob")
    house.hosts(hosting.kick, " ADA ")
    assert ada.closed
    assert ada.reads(Bye) == [Bye("kicked", KICKED)]
    (over,) = bob.reads(Over)
    assert (over.winner, over.reason) == (2, "resigned")
    assert hosting.players(house.hub) == ["Bob\t192.168.1.20\troom 1, seat 2"]
    assert not any("Ada" in note for note in house.notes())


def test_one_who_is_sent_away_may_come_back_to_the_lobby_and_not_to_the_seat():
    house = Hosted()
    ada, bob = house.table("grid-hunt", "Ada", "Bob")
    house.hosts(hosting.kick, "Ada")
    back = ada.comes_back()
    assert back.welcome.room is None
    assert back.reads(Lobby)
    assert bob.where.seats[0] is None


def test_a_watcher_and_one_in_the_lobby_and_one_who_is_away_can_be_sent_away():
    house = Hosted()
    ada, bob, cyd = house.table("grid-hunt", "Ada", "Bob", "Cyd")
    dan = house.enter("Dan")
    bob.drops()
    for name in ("Cyd", "Dan", "Bob"):
        house.hosts(hosting.kick, name)
    assert (cyd.closed, dan.closed) == (True, True)
    assert ada.where.watchers == 0
    assert hosting.players(house.hub) == ["Ada\t192.168.1.20\troom 1, seat 1"]
    assert ada.reads(Over)[0].winner == 1


def test_a_room_that_nobody_is_left_in_is_closed():
    house = Hosted()
    ada = house.enter("Ada")
    ada.opens("grid-hunt")
    house.hosts(hosting.kick, "Ada")
    assert hosting.rooms(house.hub) == []


@pytest.mark.parametrize("name", ["Eve", "", "\n", "Bot (easy)"])
def test_nobody_is_sent_away_who_is_not_there(name):
    house = Hosted()
    house.enter("Ada").opens("grid-hunt", bot="easy")
    with pytest.raises(Refusal, match="Nobody here has that name"):
        house.hosts(hosting.kick, name)


# Draining -------------------------------------------------------------------------------------------------------------


def test_a_draining_server_lets_games_end_and_none_begin():
    house = Hosted()
    ada, bob = house.table("secret-paths", "Ada", "Bob")
    cyd, dan = house.enter("Cyd"), house.enter("Dan")
    waiting = cyd.opens("grid-hunt")
    house.read_by_all()
    assert not hosting.is_drained(house.hub)

    house.hosts(hosting.drain)
    assert DRAINING in ada.hears()
    assert DRAINING in dan.hears()
    assert not hosting.is_drained(house.hub), "Ada and Bob play"
    assert word(dan.says(Create, "grid-hunt")) == "shutting_down"
    assert word(dan.says(Join, waiting)) == "shutting_down"
    assert word(dan.says(Watch, ada.where.room)) == "ok"
    assert word(ada.says(Again)) == "shutting_down"

    ada.types("GOAL 2")
    bob.types("GOAL 4")
    for mover, cell in ((ada, "4,2"), (bob, "3,3"), (ada, "2,4"), (bob, "1,4")):
        assert mover.types(f"move to {cell}") == ["ok"]
    assert bob.reads(Over)[0].winner == 2
    assert hosting.is_drained(house.hub)
    refused = ada.says(Again)
    assert isinstance(refused, Error)
    assert refused.text.startswith("The server is about to stop")


def test_a_server_without_a_game_is_drained_at_once_and_is_told_so_once():
    house = Hosted()
    ada = house.enter("Ada")
    ada.reads()
    for _ in range(2):
        house.hosts(hosting.drain)
    assert hosting.is_drained(house.hub)
    assert ada.hears() == [DRAINING]


def test_one_who_leaves_a_game_lets_a_draining_server_end():
    house = Hosted()
    ada, _ = house.table("grid-hunt", "Ada", "Bob")
    house.hosts(hosting.drain)
    ada.says(Leave)
    assert hosting.is_drained(house.hub)
