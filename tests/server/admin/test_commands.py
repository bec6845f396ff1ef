"""What a host sees of a running server and does to it, told as dialogues."""

import json
from dataclasses import replace

import pytest

from gridgames_protocol.messages import (
    Again,
    AskStatus,
    Bye,
    Create,
    Error,
    Event,
    Hello,
    Join,
    Leave,
    Lobby,
    Over,
    Status,
    Watch,
)
from gridgames_server.admin import commands
from gridgames_server.admin.commands import DRAINING, KICKED
from gridgames_server.admin.health import Health, StoreHealth
from gridgames_server.core.limits import BAN_AFTER_KICK
from gridgames_server.errors import Refusal
from tests.server.hub_harness import HubHarness, word


class Hosted(HubHarness):
    """A server whose host speaks."""

    def hosts(self, action, *words):
        self.does(action(self.hub, *words, self.now))


# Looking --------------------------------------------------------------------------------------------------------------


def test_the_host_sees_who_is_where():
    server = Hosted()
    _, bob, _ = server.table("grid-hunt", "Ada", "Bob", "Cyd")
    server.enter("Dan", address="192.168.1.99")
    server.connects()  # and says nothing: nobody yet
    bob.drops()
    assert commands.list_players(server.hub) == [
        "Ada\t192.168.1.20\troom 1, seat 1",
        "Bob\taway\troom 1, seat 2",
        "Cyd\t192.168.1.20\troom 1, watching",
        "Dan\t192.168.1.99\tlobby",
    ]


def test_the_host_sees_every_room_but_not_the_code_of_a_private_one():
    server = Hosted()
    ada, _ = server.table("grid-hunt", "Ada", "Bob")
    ada.types("HIDE 2 3")
    code = server.enter("Cyd").opens("quantum-duel", private=True)
    assert [room.code for room in server.hub.rooms.by_code.values()][1] == code
    one, two = commands.list_rooms(server.hub)
    assert one.split("\t") == ["room 1", ada.where.room, "grid-hunt", "playing", "Ada and Bob", "1 moves, 0 watching"]
    assert two.split("\t") == ["room 2", "private", "quantum-duel", "waiting", "Cyd", "0 moves, 0 watching"]


def test_no_secret_of_a_game_or_a_player_is_in_what_the_host_sees():
    server = Hosted(password="canary-password")
    ada = server.enter("Ada", password="canary-password")
    bob = server.enter("Bob", password="canary-password")
    bob.says(Join, ada.opens("secret-paths", first="host"))
    ada.types("GOAL 2")
    bob.types("GOAL 4")
    seen = "\n".join(
        [
            *commands.format_status(server.hub, server.now),
            *commands.list_players(server.hub),
            *commands.list_rooms(server.hub),
        ]
    )
    for secret in ("canary", "GOAL", "5,2", "1,4", ada.welcome.token, bob.welcome.token):
        assert secret not in seen


def test_the_status_is_a_line_for_each_fact():
    server = Hosted()
    server.table("grid-hunt")
    health = Health("1.2.3", 7, StoreHealth(4, 1_524_000, 20_480_000_000))
    server.passes(5)
    assert commands.format_status(server.hub, server.now, health) == [
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
        "disk full: no",
    ]


def test_programs_get_the_status_as_one_json_object_with_plain_numbers():
    server = Hosted()
    server.table("grid-hunt")
    health = Health("1.2.3", 7, StoreHealth(4, 1_524_000, 0, is_full=True))
    server.passes(5)
    facts = json.loads(commands.format_status_json(server.hub, server.now, health))
    assert facts["uptime"] == 5
    assert (facts["players"], facts["draining"], facts["lag"]) == (2, False, 7)
    assert (facts["store_age"], facts["store_size"], facts["store_free"]) == (4, 1_524_000, 0)
    assert facts["disk_full"] is True


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(59, "59 s"), (60, "1 min"), (3_660, "1 h 1 min"), (86_399, "23 h 59 min"), (90_000, "1 d 1 h")],
)
def test_the_uptime_is_told_as_people_say_it(seconds, said):
    assert commands.format_time(seconds) == said


def test_the_status_says_that_a_server_drains():
    server = Hosted()
    server.table("grid-hunt")
    server.hosts(commands.drain, "")
    assert "draining: yes" in commands.format_status(server.hub, server.now)


def test_a_server_that_keeps_nothing_has_no_store_in_its_status():
    server = Hosted()
    assert commands.format_status(server.hub, server.now, Health("1.2.3", 7))[-3:] == [
        "version: 1.2.3",
        "draining: no",
        "lag: 7 ms",
    ]


def test_the_public_is_told_nothing_of_the_disk_and_of_delays():
    server = Hosted()
    server.passes(5)
    status = server.connects().says(AskStatus)
    assert replace(status, features=None) == Status(1, "the house", 5, 0, 0, 0, 0, "1.2.3")


# Speaking -------------------------------------------------------------------------------------------------------------


def test_what_the_host_says_reaches_everybody_who_has_a_name():
    server = Hosted()
    guests = [*server.table("grid-hunt", "Ada", "Bob", "Cyd"), server.enter("Dan")]
    silent = server.connects()
    server.read_by_all()
    server.hosts(commands.say, "  Pizza is here.\x1b[2J ")
    for guest in guests:
        assert guest.reads(Event) == [Event("The host says: Pizza is here.[2J", "system")]
    assert silent.reads() == []


@pytest.mark.parametrize("text", ["", "   ", "\x1b", "x" * 301])
def test_the_host_says_something_or_nothing_but_no_novel(text):
    server = Hosted()
    ada = server.enter("Ada")
    ada.reads()
    with pytest.raises(Refusal, match="1 to 300 characters"):
        server.hosts(commands.say, text)
    assert ada.reads() == []


# Sending away ---------------------------------------------------------------------------------------------------------


def test_one_who_is_sent_away_from_a_table_has_lost_the_game():
    server = Hosted()
    ada, bob = server.table("grid-hunt", "Ada", "Bob")
    server.hosts(commands.kick, " ADA ")
    assert ada.closed
    assert ada.reads(Bye) == [Bye("kicked", KICKED)]
    (over,) = bob.reads(Over)
    assert (over.winner, over.reason) == (2, "resigned")
    assert commands.list_players(server.hub) == ["Bob\t192.168.1.20\troom 1, seat 2"]
    assert not any("Ada" in note for note in server.notes())


def test_one_who_is_sent_away_may_come_back_to_the_lobby_and_not_to_the_seat():
    server = Hosted()
    ada, bob = server.table("grid-hunt", "Ada", "Bob")
    server.hosts(commands.kick, "Ada")
    assert isinstance(server.connects().says(Hello, 1, "Ada2", token=ada.welcome.token), Error), "not at once"
    server.passes(BAN_AFTER_KICK)
    back = ada.comes_back()
    assert back.welcome.room is None
    assert back.reads(Lobby)
    assert bob.where.seats[0] is None


@pytest.mark.parametrize("who", ["EVE", "10.0.0.9"])
def test_a_name_or_an_address_can_be_kept_away_for_a_time(who):
    server = Hosted()
    eve = server.enter("Eve", "10.0.0.9")
    server.hosts(commands.ban, f"2 {who}")
    assert eve.closed
    again = server.connects("10.0.0.9")
    assert again.closed or isinstance(again.says(Hello, 1, "eve"), Error)
    assert server.enter("Ada")
    server.passes(120)
    assert server.enter("Eve", "10.0.0.9")


@pytest.mark.parametrize("rest", ["", "Eve", "0 Eve", "x Eve", "5", "5 "])
def test_a_ban_names_its_minutes_and_whom(rest):
    with pytest.raises(Refusal, match="Give the minutes"):
        commands.ban(Hosted().hub, rest, 0.0)


def test_a_watcher_and_one_in_the_lobby_and_one_who_is_away_can_be_sent_away():
    server = Hosted()
    ada, bob, cyd = server.table("grid-hunt", "Ada", "Bob", "Cyd")
    dan = server.enter("Dan")
    bob.drops()
    for name in ("Cyd", "Dan", "Bob"):
        server.hosts(commands.kick, name)
    assert (cyd.closed, dan.closed) == (True, True)
    assert ada.where.watchers == 0
    assert commands.list_players(server.hub) == ["Ada\t192.168.1.20\troom 1, seat 1"]
    assert ada.reads(Over)[0].winner == 1


def test_a_room_that_nobody_is_left_in_is_closed():
    server = Hosted()
    ada = server.enter("Ada")
    ada.opens("grid-hunt")
    server.hosts(commands.kick, "Ada")
    assert commands.list_rooms(server.hub) == []


@pytest.mark.parametrize("name", ["Eve", "", "\n", "Bot (easy)"])
def test_nobody_is_sent_away_who_is_not_there(name):
    server = Hosted()
    server.enter("Ada").opens("grid-hunt", bot="easy")
    with pytest.raises(Refusal, match="Nobody here has that name"):
        server.hosts(commands.kick, name)


# Draining -------------------------------------------------------------------------------------------------------------


def test_a_draining_server_lets_games_end_and_none_begin():
    server = Hosted()
    ada, bob = server.table("secret-paths", "Ada", "Bob")
    cyd, dan = server.enter("Cyd"), server.enter("Dan")
    waiting = cyd.opens("grid-hunt")
    server.read_by_all()
    assert not commands.is_drained(server.hub, server.now)

    server.hosts(commands.drain, "")
    assert DRAINING in ada.hears()
    assert DRAINING in dan.hears()
    assert not commands.is_drained(server.hub, server.now), "Ada and Bob play"
    assert word(dan.says(Create, "grid-hunt")) == "shutting_down"
    assert word(dan.says(Join, waiting)) == "shutting_down"
    assert word(dan.says(Watch, ada.where.room)) == "ok"
    assert word(ada.says(Again)) == "shutting_down"

    ada.types("GOAL 2")
    bob.types("GOAL 4")
    for mover, cell in ((ada, "4,2"), (bob, "3,3"), (ada, "2,4"), (bob, "1,4")):
        assert mover.types(f"move to {cell}") == ["ok"]
    assert bob.reads(Over)[0].winner == 2
    assert commands.is_drained(server.hub, server.now)
    refused = ada.says(Again)
    assert isinstance(refused, Error)
    assert refused.text.startswith("The server is about to stop")


def test_a_server_without_a_game_is_drained_at_once_and_is_told_so_once():
    server = Hosted()
    ada = server.enter("Ada")
    ada.reads()
    for _ in range(2):
        server.hosts(commands.drain, "")
    assert commands.is_drained(server.hub, server.now)
    assert ada.hears() == [DRAINING]


def test_one_who_leaves_a_game_lets_a_draining_server_end():
    server = Hosted()
    ada, _ = server.table("grid-hunt", "Ada", "Bob")
    server.hosts(commands.drain, "")
    ada.says(Leave)
    assert commands.is_drained(server.hub, server.now)


def test_a_host_who_drained_can_let_games_begin_again():
    server = Hosted()
    server.table("grid-hunt")
    server.hosts(commands.drain, "")
    server.hosts(commands.undrain)
    assert "draining: no" in commands.format_status(server.hub, server.now)
    server.table("grid-conquest", "Cleo", "Dan")


def test_a_server_that_drains_within_some_minutes_stops_then_whatever_is_played():
    server = Hosted()
    ada, _ = server.table("grid-hunt", "Ada", "Bob")
    server.hosts(commands.drain, "--within 30")
    assert f"{DRAINING} It stops in 30 minutes at the latest." in ada.hears()
    assert not commands.is_drained(server.hub, server.now + 30 * 60 - 1)
    assert commands.is_drained(server.hub, server.now + 30 * 60)
    server.hosts(commands.undrain)
    assert not commands.is_drained(server.hub, server.now + 30 * 60)


@pytest.mark.parametrize("rest", ["--within", "--within 0", "--within 10001", "--within -5", "--within x", "30", "now"])
def test_minutes_to_drain_that_make_no_sense_are_refused(rest):
    server = Hosted()
    with pytest.raises(Refusal, match="drain --within 30"):
        server.hosts(commands.drain, rest)
    assert not server.hub.state.draining
