"""A line that breaks: coming back, plays that happen once, heartbeats, and what is told of it all."""

from dataclasses import replace

import pytest

from gridgames_client.net.address import Address, Refused
from gridgames_client.net.connection import FORGOTTEN, Timeouts
from gridgames_client.net.credentials import Identity
from gridgames_protocol.messages import (
    Bye,
    Chat,
    Create,
    Error,
    Event,
    Hello,
    Join,
    Ok,
    Over,
    Ping,
    Play,
    Resign,
    Room,
    Show,
    Welcome,
)
from tests.client.scripted_server import cable, pretending, visiting
from tests.wire import run, serving, until


def at(server):
    return Address(server.host, server.port)


async def welcoming(peer):
    """A server that is glad about everybody, and says no more."""
    await peer.welcomes()
    await peer.is_left()


async def cutting(peer):
    """A server that is there for a moment."""
    await peer.welcomes()
    peer.cut()


# Coming back ----------------------------------------------------------------------------------------------------------


def test_one_whose_line_is_cut_comes_back_as_the_same_player_to_the_same_table():
    async def scenario():
        async with serving() as server, cable(at(server)) as wire, visiting(wire.address, who=Identity("Ada")) as ada:
            await ada.is_in()
            bob = await server.guest("Bob")
            ada.connection.ask(Create(1, "grid-conquest", first="host"))
            room = (await ada.listener.hears(Room)).room
            await bob.says(Join, room=room)
            await ada.listener.hears(Show)
            wire.cut()
            await ada.is_in(2)
            assert [line for line, _ in ada.listener.lines] == ["connected", "reconnecting", "connected"]
            assert [welcome.room for welcome in ada.listener.all(Welcome)] == [None, room]
            assert (await ada.listener.hears(Show, 2)).you == 1

    run(scenario())


def test_who_finds_nobody_tries_again_until_somebody_is_there():
    async def scenario():
        async with pretending(cutting) as address, visiting(address) as ada:
            await until(lambda: len(ada.listener.lines) >= 7)
            assert [line for line, _ in ada.listener.lines[:7]] == ["connected", *["reconnecting", "connected"] * 3]

    run(scenario())


def test_while_a_server_that_has_said_that_it_stops_is_away_it_is_waited_for():
    async def scenario():
        async with serving() as server, visiting(at(server)) as ada:
            await ada.is_in()
            await server.service.stop()
            await until(lambda: len(ada.listener.lines) >= 4)
            first, *later = ada.listener.lines[1:]
            assert first == ("reconnecting", "The server is stopping. Try again in a while.")
            assert set(later) == {("reconnecting", "The server has stopped; waiting for it to come back.")}

    run(scenario())


def test_the_pauses_grow_and_are_never_quite_the_same():
    patience = Timeouts()
    for tries, pause in enumerate((0.3, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0)):
        drawn = {patience.pick_pause(tries) for _ in range(200)}
        assert 0.7 * pause <= min(drawn) < 0.8 * pause
        assert 1.2 * pause < max(drawn) <= 1.3 * pause


def test_after_a_welcome_the_pauses_begin_anew():
    async def scenario():
        async with pretending(cutting, cutting, welcoming) as address, visiting(address) as ada:
            await ada.is_in(3)
            assert ada.connection.attempts == 0

    run(scenario())


@pytest.mark.parametrize("code", ["shutting_down", "silent", "slow", "too_fast", "server_full"])
def test_after_most_goodbyes_one_comes_back_and_says_why(code):
    async def parting(peer):
        await peer.welcomes()
        peer.says(Bye(code, "The server's own words."))

    async def scenario():
        async with pretending(parting, welcoming) as address, visiting(address) as ada:
            await ada.is_in(2)
            assert ada.listener.lines[1] == ("reconnecting", "The server's own words.")

    run(scenario())


def test_a_line_that_ends_without_a_word_is_told_so():
    async def leaving(peer):
        await peer.welcomes()

    async def scenario():
        async with pretending(leaving, welcoming) as address, visiting(address) as ada:
            await ada.is_in(2)
            assert ada.listener.lines[1] == ("reconnecting", "The server has closed the connection.")

    run(scenario())


@pytest.mark.parametrize("code", ["server_full", "too_fast", "shutting_down", "internal"])
def test_one_who_is_turned_away_for_now_while_coming_back_tries_again(code):
    async def turning_away(peer):
        hello = await peer.hears(Hello)
        peer.says(Error(code, "Not now.", hello.id))
        await peer.is_left()

    async def scenario():
        async with pretending(cutting, turning_away, welcoming) as address, visiting(address) as ada:
            await ada.is_in(2)
            assert ("reconnecting", "Not now.") in ada.listener.lines

    run(scenario())


def test_one_who_is_turned_away_for_good_while_coming_back_is_told_why():
    async def changed(peer):
        hello = await peer.hears(Hello)
        peer.says(Error("protocol", "This server speaks version 2.", hello.id))
        await peer.is_left()

    async def scenario():
        async with pretending(cutting, changed) as address, visiting(address) as ada:
            with pytest.raises(Refused, match=r"^This server speaks version 2.$"):
                await ada.ends()

    run(scenario())


def test_a_server_that_was_started_anew_does_not_know_us_and_we_say_so():
    async def started_anew(peer):
        hello = await peer.hears(Hello)
        assert hello.token == "the old one"
        peer.says(Error("token", "This server does not know your token.", hello.id))
        hello = await peer.welcomes(token="a new one")
        assert hello.token is None
        await peer.is_left()

    async def first(peer):
        await peer.welcomes(token="the old one")
        await peer.hears(Play)
        peer.cut()

    async def scenario():
        async with pretending(first, started_anew) as address, visiting(address, who=Identity("Ada")) as ada:
            await ada.is_in()
            ada.connection.ask(Play(1, "QUERY 2B"))
            assert (await ada.listener.hears(Event)).text == FORGOTTEN
            assert [play.line for play in ada.listener.lost] == ["QUERY 2B"], "nobody knows what became of it"
            assert ada.listener.answers == []
            assert ada.connection.identity.token == "a new one"
            assert ada.connection.all_answered.is_set()

    run(scenario())


# A play happens once --------------------------------------------------------------------------------------------------


def ada_plays(lose):
    """Ada claims C3 on a line that breaks in some way, and comes back; the room's end shows how often she did."""

    async def scenario():
        async with serving() as server, cable(at(server)) as wire, visiting(wire.address, who=Identity("Ada")) as ada:
            await ada.is_in()
            bob = await server.guest("Bob")
            ada.connection.ask(Create(1, "grid-conquest", first="host"))
            room = (await ada.listener.hears(Room)).room
            await bob.says(Join, room=room)
            rev = (await ada.listener.hears(Show)).rev
            await ada.connection.all_answered.wait()
            before = len(ada.listener.answers)

            await lose(server, wire, lambda: ada.connection.ask(Play(1, "CLAIM C3", rev)))
            await ada.is_in(2)
            play, reply = await ada.listener.is_answered(before + 1)
            assert (play.line, reply) == ("CLAIM C3", Ok(play.id))
            assert ada.listener.lost == []
            assert server.service.hub.state.moves == 1

            await bob.types("A1")
            ada.connection.ask(Play(1, "E5"))
            await ada.listener.is_answered(before + 2)
            await bob.says(Resign)
            over = await ada.listener.hears(Over)
            assert over.moves == ((1, "CLAIM C3"), (2, "A1"), (1, "E5"))

    run(scenario())


def test_a_play_that_never_arrived_is_played_after_coming_back():
    async def lose(server, wire, play):
        wire.loses_requests = True
        play()
        wire.cut()

    ada_plays(lose)


def test_a_play_whose_answer_was_lost_is_not_played_again():
    async def lose(server, wire, play):
        wire.loses_answers = True
        play()
        await until(lambda: server.service.hub.state.moves == 1)
        wire.cut()

    ada_plays(lose)


def test_a_play_that_arrived_as_the_line_broke_is_played_once():
    async def lose(server, wire, play):
        play()
        await until(lambda: server.service.hub.state.moves == 1)
        wire.cut()

    ada_plays(lose)


def test_a_play_is_sent_again_under_the_same_id_and_later_ones_go_above():
    async def first(peer):
        await peer.welcomes(last_play=40)
        plays.append(await peer.hears(Play))
        peer.cut()

    async def second(peer):
        await peer.welcomes(last_play=40)
        plays.append(await peer.answers(Play))
        plays.append(await peer.answers(Play))
        await peer.is_left()

    plays = []

    async def scenario():
        async with pretending(first, second) as address, visiting(address) as ada:
            await ada.is_in()
            ada.connection.ask(Play(1, "C3", 7))
            await ada.listener.is_answered()
            ada.connection.ask(Play(1, "D4", 9))
            await ada.listener.is_answered(2)
            lost, again, later = plays
            assert lost == again
            assert 40 < lost.id < later.id

    run(scenario())


def test_of_two_plays_under_way_each_is_settled_for_itself():
    async def first(peer):
        await peer.welcomes()
        plays.extend([await peer.hears(Play), await peer.hears(Play)])
        peer.cut()

    async def second(peer):
        await peer.welcomes(last_play=plays[0].id)
        plays.append(await peer.answers(Play))
        await peer.is_left()

    plays = []

    async def scenario():
        async with pretending(first, second) as address, visiting(address) as ada:
            await ada.is_in()
            ada.connection.ask(Play(1, "MOVE 3"))
            ada.connection.ask(Play(1, "OBSERVE 5"))
            await ada.listener.is_answered(2)
            assert [(play.line, reply) for play, reply in ada.listener.answers] == [
                ("MOVE 3", Ok(plays[0].id)),
                ("OBSERVE 5", Ok(plays[1].id)),
            ]
            assert plays[2] == plays[1]

    run(scenario())


def test_every_other_request_that_was_lost_is_told_so_once_and_not_sent_again():
    async def first(peer):
        await peer.welcomes()
        await peer.hears(Chat)
        await peer.hears(Create)
        peer.cut()

    async def second(peer):
        await peer.welcomes()
        await peer.answers(Ping)
        await peer.is_left()

    async def scenario():
        async with pretending(first, second) as address, visiting(address) as ada:
            await ada.is_in()
            ada.connection.ask(Chat(1, "hello?"))
            ada.connection.ask(Create(1, "grid-hunt"))
            await ada.is_in(2)
            assert [type(request) for request in ada.listener.lost] == [Chat, Create]
            assert ada.connection.all_answered.is_set()
            ada.connection.ask(Ping(1))
            await ada.connection.all_answered.wait()

    run(scenario())


# Heartbeats -----------------------------------------------------------------------------------------------------------

HASTY = Timeouts(heartbeat=0.01, pauses=(0.0,))


def test_one_who_says_nothing_sends_a_sign_of_life_and_nobody_is_told_of_it():
    async def story(peer):
        await peer.welcomes()
        for _ in range(5):
            await peer.answers(Ping)
        peer.says(Event("Five.", "system"))
        while True:
            await peer.answers(Ping)

    async def scenario():
        async with pretending(story) as address, visiting(address, timeouts=HASTY) as ada:
            await ada.listener.hears(Event)
            assert (ada.listener.lines, ada.listener.answers, ada.listener.lost) == ([("connected", "")], [], [])

    run(scenario())


def test_a_server_that_gives_no_sign_of_life_is_left_and_tried_again():
    async def dead(peer):
        await peer.welcomes()
        while True:
            await peer.hears(Ping)

    async def scenario():
        impatient = replace(HASTY, silence=0.5)
        async with pretending(dead, welcoming) as address, visiting(address, timeouts=impatient) as ada:
            await ada.is_in(2)
            assert ada.listener.lines[1] == ("reconnecting", f"The connection to {address} is lost.")
            assert ada.listener.lost == [], "nobody asked for a heartbeat"

    run(scenario())


def test_a_server_that_does_not_answer_a_returning_hello_is_tried_again():
    async def silent(peer):
        await peer.is_left()

    async def scenario():
        patience = Timeouts(answer=0.5, pauses=(0.0,))
        async with pretending(cutting, silent, welcoming) as address, visiting(address, timeouts=patience) as ada:
            await ada.is_in(2)

    run(scenario())


def test_the_heartbeat_is_soon_enough_for_the_server():
    patience = Timeouts()
    assert patience.heartbeat < 15, "the protocol asks for a word every 15 s"
    assert patience.silence > 2 * patience.heartbeat, "one lost answer is no dead server"


def test_the_real_server_takes_heartbeats_for_signs_of_life():
    async def scenario():
        async with serving() as server, visiting(at(server), timeouts=HASTY) as ada:
            await ada.is_in()
            for _ in range(30):
                pings = ada.connection.next_id
                await until(lambda pings=pings: ada.connection.next_id > pings)
                await ada.connection.all_answered.wait()
                await server.later(1)
            assert ada.listener.lines == [("connected", "")]

    run(scenario())
