"""The way in: hello and its answers, names, tokens and passwords."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from gridgames_client.net.address import Address, Refused
from gridgames_client.net.connection import DEFAULT_NAME, NAMES_TRIED, add_number
from gridgames_client.net.credentials import Identity
from gridgames_protocol.messages import (
    AskStatus,
    ByeRequest,
    Chat,
    Create,
    Error,
    Event,
    Hello,
    Lobby,
    Ping,
    Status,
    Welcome,
)
from gridgames_protocol.safe_text import columns
from gridgames_server.core.names import check_name
from tests.client.scripted_server import pretending, refusal, visiting
from tests.wire import run, serving


def at(server):
    return Address(server.host, server.port)


def taken_by(*names):
    """A server where these names are taken; whoever has another one is welcome."""

    async def story(peer):
        hello = await peer.hears(Hello)
        while hello.name in names:
            peer.says(Error("name_taken", "Somebody here has that name. Choose another.", hello.id))
            hello = await peer.hears(Hello)
        await peer.welcomes(hello)
        await peer.is_left()

    return story


def answering(code, text):
    """A server that answers a hello with an error."""

    async def story(peer):
        hello = await peer.hears(Hello)
        peer.says(Error(code, text, hello.id))
        await peer.is_left()

    return story


# Hello ----------------------------------------------------------------------------------------------------------------


def test_whoever_says_hello_is_welcome_and_in_the_lobby():
    async def scenario():
        async with serving() as server, visiting(at(server), who=Identity("Ada")) as ada:
            await ada.listener.hears(Lobby)
            [welcome] = ada.listener.all(Welcome)
            assert (welcome.name, welcome.room) == ("Ada", None)
            assert ada.listener.lines == [("connected", "")]
            assert ada.connection.identity.token == welcome.token

    run(scenario())


def test_a_request_gets_its_own_answer():
    async def scenario():
        async with serving() as server, visiting(at(server)) as ada:
            await ada.is_in()
            ada.connection.ask(AskStatus(1))
            ada.connection.ask(Create(1, "no-such-game"))
            await ada.listener.is_answered(2)
            (asked, status), (created, refused) = ada.listener.answers
            assert (type(asked), type(status)) == (AskStatus, Status)
            assert (type(created), refused.code) == (Create, "no_such_game")
            assert asked.id < created.id

    run(scenario())


def test_what_is_asked_before_the_welcome_is_not_sent():
    async def unhurried(peer):
        hello = await peer.hears(Hello)
        asked.set()
        await said.wait()
        await peer.welcomes(hello)
        await peer.answers(Chat)
        await peer.is_left()

    asked, said = asyncio.Event(), asyncio.Event()

    async def scenario():
        async with pretending(unhurried) as address, visiting(address) as ada:
            ada.connection.ask(Chat(1, "before there is a line"))
            await asked.wait()
            ada.connection.ask(Chat(1, "before the welcome"))
            assert [chat.text for chat in ada.listener.lost] == ["before there is a line", "before the welcome"]
            said.set()
            await ada.is_in()
            ada.connection.ask(Chat(1, "after it"))
            chat, _ = await ada.listener.is_answered()
            assert chat.text == "after it"

    run(scenario())


def test_what_can_not_be_written_in_utf_8_is_not_sent():
    async def scenario():
        async with serving() as server, visiting(at(server)) as ada:
            await ada.is_in()
            ada.connection.ask(Chat(1, "half a character: \ud800"))
            _, reply = await ada.listener.is_answered()
            assert reply == Error("bad_request", "That can't be sent: it is no proper text.")
            ada.connection.ask(Ping(1))
            await ada.connection.all_answered.wait()

    run(scenario())


def test_one_can_wait_until_everything_is_answered():
    async def scenario():
        async with serving() as server, visiting(at(server)) as ada:
            await ada.is_in()
            assert ada.connection.all_answered.is_set()
            for _ in range(3):
                ada.connection.ask(AskStatus(1))
            assert not ada.connection.all_answered.is_set()
            await ada.connection.all_answered.wait()
            assert len(ada.listener.answers) == 3

    run(scenario())


def test_one_who_says_goodbye_is_done():
    async def scenario():
        async with serving() as server, visiting(at(server)) as ada:
            await ada.is_in()
            ada.connection.ask(ByeRequest(1))
            await ada.ends()
            assert ada.listener.lines == [("connected", "")], "nobody tries to come back"

    run(scenario())


def test_one_who_connects_from_somewhere_else_is_told_so_at_the_first_place():
    async def scenario():
        who = Identity("Ada")
        async with serving() as server, visiting(at(server), who=who) as first:
            await first.is_in()
            async with visiting(at(server), who=Identity("Ada", who.token)) as second:
                await second.is_in()
                with pytest.raises(Refused, match=r"^You have connected from somewhere else.$"):
                    await first.ends()

    run(scenario())


# Names ----------------------------------------------------------------------------------------------------------------


def test_a_name_that_was_not_asked_for_gives_way_to_one_that_is_free():
    async def scenario():
        async with serving() as server, AsyncExitStack() as scenario:
            names = []
            for _ in range(3):
                ada = await scenario.enter_async_context(visiting(at(server), who=Identity("Ada")))
                await ada.is_in()
                names.append(ada.connection.identity.name)
            assert names == ["Ada", "Ada-2", "Ada-3"]

    run(scenario())


def test_a_name_that_was_asked_for_is_insisted_on():
    async def scenario():
        async with serving() as server, visiting(at(server), name="Ada") as ada:
            await ada.is_in()
            assert await refusal(at(server), name="ADA") == (
                "Somebody here has that name, or one that looks the same. Choose another. "
                "Start again with another --name."
            )

    run(scenario())


def test_a_name_that_was_not_asked_for_and_is_none_is_not_insisted_on():
    async def scenario():
        async with serving() as server, visiting(at(server), who=Identity("x" * 40)) as somebody:
            await somebody.is_in()
            assert somebody.connection.identity.name == "Guest"

    run(scenario())


def test_a_name_that_was_asked_for_and_is_none_is_refused():
    async def scenario():
        async with serving() as server:
            assert await refusal(at(server), name="<b>") == (
                "A name is made of letters, digits, spaces and - _ . only. Choose another. "
                "Start again with another --name."
            )

    run(scenario())


def test_whoever_finds_every_name_taken_gives_up():
    names = [add_number("Ada", number) for number in range(1, NAMES_TRIED + 1)]

    async def scenario():
        async with pretending(taken_by(*names)) as address:
            sentence = await refusal(address, who=Identity("Ada"))
            assert sentence.endswith("Start again with another --name.")

    run(scenario())


def test_one_who_comes_back_keeps_the_name_that_was_found():
    async def first(peer):
        await taken_by("Ada")(peer)

    async def second(peer):
        hellos.append(await peer.welcomes())
        await peer.is_left()

    hellos = []

    async def scenario():
        async with pretending(first, second) as address, visiting(address, who=Identity("Ada")) as ada:
            await ada.is_in()
            ada.connection.writer.transport.abort()
            await ada.is_in(2)
            assert [(hello.name, hello.token) for hello in hellos] == [("Ada-2", "token")]

    run(scenario())


def test_one_who_comes_back_and_finds_the_name_taken_does_not_lose_the_game_over_it():
    async def scenario():
        async with (
            pretending(taken_by(), taken_by("Ada")) as address,
            visiting(address, name="Ada") as ada,
        ):
            await ada.is_in()
            ada.connection.writer.transport.abort()
            await ada.is_in(2)
            assert ada.connection.identity.name == "Ada-2"

    run(scenario())


@pytest.mark.parametrize(
    ("name", "number", "called"),
    [
        ("Ada", 1, "Ada"),
        ("Ada", 2, "Ada-2"),
        ("Ada", 20, "Ada-20"),
        ("A" * 16, 1, "A" * 16),
        ("A" * 16, 2, "A" * 14 + "-2"),
        ("A" * 13 + " BC", 2, "A" * 13 + "-2"),
        ("漢" * 8, 2, "漢" * 7 + "-2"),
        ("漢" * 8, 10, "漢" * 6 + "-10"),
    ],
)
def test_a_number_behind_a_name_makes_it_no_wider_than_a_name_may_be(name, number, called):
    assert add_number(name, number) == called
    assert columns(called) <= 16


# Tokens, passwords, versions, crowds ----------------------------------------------------------------------------------


def test_a_token_that_the_server_does_not_know_is_forgotten():
    async def scenario():
        who = Identity("Ada", "a token of another server")
        async with serving() as server, visiting(at(server), who=who) as ada:
            await ada.is_in()
            [welcome] = ada.listener.all(Welcome)
            assert who.token == welcome.token != "a token of another server"
            assert ada.listener.all(Event) == [], "one who has just started the program is not told"

    run(scenario())


def test_the_right_password_lets_one_in():
    async def scenario():
        async with serving(password="sesame") as server, visiting(at(server), password="sesame") as ada:
            await ada.is_in()

    run(scenario())


@pytest.mark.parametrize(
    ("password", "told"),
    [
        (None, "This server wants a password."),
        ("", "This server wants a password."),
        ("open", "That password is wrong."),
    ],
)
def test_a_wrong_password_is_told_with_where_to_put_the_right_one(password, told):
    async def scenario():
        async with serving(password="sesame") as server:
            assert await refusal(at(server), password=password) == (
                f"{told} Use --password-file, or set GRIDGAMES_PASSWORD."
            )

    run(scenario())


def test_a_server_of_another_version_is_told_so_in_its_own_words():
    async def scenario():
        words = "This server speaks version 2, you speak 1. Update the older of the two."
        async with pretending(answering("protocol", words)) as address:
            assert await refusal(address) == words

    run(scenario())


def test_a_full_server_is_told_so():
    async def scenario():
        async with serving(max_players=1) as server, visiting(at(server)) as ada:
            await ada.is_in()
            assert await refusal(at(server)) == "This server is full. Try again later."

    run(scenario())


@pytest.mark.parametrize("number", [1, 2, 9])
def test_a_client_without_a_name_takes_one_that_servers_allow(number):
    assert check_name(add_number(DEFAULT_NAME, number))
