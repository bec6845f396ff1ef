"""The way in: hello and its answers, names, tokens, passwords, TLS, and servers that are none."""

import asyncio
import socket
import ssl
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from gridgames_client.address import Address, Refused
from gridgames_client.connection import NAMES_TRIED, Patience, numbered
from gridgames_client.identity import Identity, other_certificate
from gridgames_protocol.messages import (
    AskStatus,
    Chat,
    Create,
    Error,
    Event,
    Farewell,
    Hello,
    Lobby,
    Ping,
    Status,
    Welcome,
)
from gridgames_protocol.text import columns
from tests.client.line import pretending, refusal, visiting
from tests.wire import LOCAL, run, serving

CERTIFICATE = Path(__file__).parents[1] / "server" / "localhost.cert.pem"
KEY = CERTIFICATE.with_name("localhost.key.pem")


def at(house):
    return Address(house.host, house.port)


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
    async def evening():
        async with serving() as house, visiting(at(house), who=Identity("Ada")) as ada:
            await ada.ear.hears(Lobby)
            [welcome] = ada.ear.all(Welcome)
            assert (welcome.name, welcome.room) == ("Ada", None)
            assert ada.ear.lines == [("connected", "")]
            assert ada.connection.identity.token == welcome.token

    run(evening())


def test_a_request_gets_its_own_answer():
    async def evening():
        async with serving() as house, visiting(at(house)) as ada:
            await ada.is_in()
            ada.connection.ask(AskStatus(1))
            ada.connection.ask(Create(1, "no-such-game"))
            await ada.ear.is_answered(2)
            (asked, status), (wished, refused) = ada.ear.answers
            assert (type(asked), type(status)) == (AskStatus, Status)
            assert (type(wished), refused.code) == (Create, "no_such_game")
            assert asked.id < wished.id

    run(evening())


def test_what_is_asked_before_the_welcome_is_not_sent():
    async def unhurried(peer):
        hello = await peer.hears(Hello)
        asked.set()
        await said.wait()
        await peer.welcomes(hello)
        await peer.answers(Chat)
        await peer.is_left()

    asked, said = asyncio.Event(), asyncio.Event()

    async def evening():
        async with pretending(unhurried) as address, visiting(address) as ada:
            ada.connection.ask(Chat(1, "before there is a line"))
            await asked.wait()
            ada.connection.ask(Chat(1, "before the welcome"))
            assert [chat.text for chat in ada.ear.lost] == ["before there is a line", "before the welcome"]
            said.set()
            await ada.is_in()
            ada.connection.ask(Chat(1, "after it"))
            chat, _ = await ada.ear.is_answered()
            assert chat.text == "after it"

    run(evening())


def test_what_can_not_be_written_in_utf_8_is_not_sent():
    async def evening():
        async with serving() as house, visiting(at(house)) as ada:
            await ada.is_in()
            ada.connection.ask(Chat(1, "half a character: \ud800"))
            _, reply = await ada.ear.is_answered()
            assert reply == Error("bad_request", "That can't be sent: it is no proper text.")
            ada.connection.ask(Ping(1))
            await ada.connection.settled.wait()

    run(evening())


def test_one_can_wait_until_everything_is_answered():
    async def evening():
        async with serving() as house, visiting(at(house)) as ada:
            await ada.is_in()
            assert ada.connection.settled.is_set()
            for _ in range(3):
                ada.connection.ask(AskStatus(1))
            assert not ada.connection.settled.is_set()
            await ada.connection.settled.wait()
            assert len(ada.ear.answers) == 3

    run(evening())


def test_one_who_says_goodbye_is_done():
    async def evening():
        async with serving() as house, visiting(at(house)) as ada:
            await ada.is_in()
            ada.connection.ask(Farewell(1))
            await ada.ends()
            assert ada.ear.lines == [("connected", "")], "nobody tries to come back"

    run(evening())


def test_one_who_connects_from_somewhere_else_is_told_so_at_the_first_place():
    async def evening():
        who = Identity("Ada")
        async with serving() as house, visiting(at(house), who=who) as first:
            await first.is_in()
            async with visiting(at(house), who=Identity("Ada", who.token)) as second:
                await second.is_in()
                with pytest.raises(Refused, match=r"^You have connected from somewhere else.$"):
                    await first.ends()

    run(evening())


# Names ----------------------------------------------------------------------------------------------------------------


def test_a_name_that_was_not_asked_for_gives_way_to_one_that_is_free():
    async def evening():
        async with serving() as house, AsyncExitStack() as evening:
            names = []
            for _ in range(3):
                ada = await evening.enter_async_context(visiting(at(house), who=Identity("Ada")))
                await ada.is_in()
                names.append(ada.connection.identity.name)
            assert names == ["Ada", "Ada-2", "Ada-3"]

    run(evening())


def test_a_name_that_was_asked_for_is_insisted_on():
    async def evening():
        async with serving() as house, visiting(at(house), name="Ada") as ada:
            await ada.is_in()
            assert await refusal(at(house), name="ADA") == (
                "Somebody here has that name, or one that looks the same. Choose another. "
                "Start again with another --name."
            )

    run(evening())


def test_a_name_that_was_not_asked_for_and_is_none_is_not_insisted_on():
    async def evening():
        async with serving() as house, visiting(at(house), who=Identity("x" * 40)) as somebody:
            await somebody.is_in()
            assert somebody.connection.identity.name == "Player"

    run(evening())


def test_a_name_that_was_asked_for_and_is_none_is_refused():
    async def evening():
        async with serving() as house:
            assert await refusal(at(house), name="<b>") == (
                "A name is made of letters, digits, spaces and - _ . only. Choose another. "
                "Start again with another --name."
            )

    run(evening())


def test_whoever_finds_every_name_taken_gives_up():
    names = [numbered("Ada", number) for number in range(1, NAMES_TRIED + 1)]

    async def evening():
        async with pretending(taken_by(*names)) as address:
            sentence = await refusal(address, who=Identity("Ada"))
            assert sentence.endswith("Start again with another --name.")

    run(evening())


def test_one_who_comes_back_keeps_the_name_that_was_found():
    async def first(peer):
        await taken_by("Ada")(peer)

    async def second(peer):
        hellos.append(await peer.welcomes())
        await peer.is_left()

    hellos = []

    async def evening():
        async with pretending(first, second) as address, visiting(address, who=Identity("Ada")) as ada:
            await ada.is_in()
            ada.connection.writer.transport.abort()
            await ada.is_in(2)
            assert [(hello.name, hello.token) for hello in hellos] == [("Ada-2", "token")]

    run(evening())


def test_one_who_comes_back_and_finds_the_name_taken_does_not_lose_the_game_over_it():
    async def evening():
        async with (
            pretending(taken_by(), taken_by("Ada")) as address,
            visiting(address, name="Ada") as ada,
        ):
            await ada.is_in()
            ada.connection.writer.transport.abort()
            await ada.is_in(2)
            assert ada.connection.identity.name == "Ada-2"

    run(evening())


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
    assert numbered(name, number) == called
    assert columns(called) <= 16


# Tokens, passwords, versions, crowds ----------------------------------------------------------------------------------


def test_a_token_that_the_server_does_not_know_is_forgotten():
    async def evening():
        who = Identity("Ada", "a token of another evening")
        async with serving() as house, visiting(at(house), who=who) as ada:
            await ada.is_in()
            [welcome] = ada.ear.all(Welcome)
            assert who.token == welcome.token != "a token of another evening"
            assert ada.ear.all(Event) == [], "one who has just started the program is not told"

    run(evening())


def test_the_right_password_lets_one_in():
    async def evening():
        async with serving(password="sesame") as house, visiting(at(house), password="sesame") as ada:
            await ada.is_in()

    run(evening())


@pytest.mark.parametrize(
    ("password", "told"),
    [
        (None, "This server wants a password."),
        ("", "This server wants a password."),
        ("open", "That password is wrong."),
    ],
)
def test_a_wrong_password_is_told_with_where_to_put_the_right_one(password, told):
    async def evening():
        async with serving(password="sesame") as house:
            assert await refusal(at(house), password=password) == (
                f"{told} Use --password-file, or set GRIDGAMES_PASSWORD."
            )

    run(evening())


def test_a_server_of_another_version_is_told_so_in_its_own_words():
    async def evening():
        words = "This server speaks version 2, you speak 1. Update the older of the two."
        async with pretending(answering("protocol", words)) as address:
            assert await refusal(address) == words

    run(evening())


def test_a_full_server_is_told_so():
    async def evening():
        async with serving(max_players=1) as house, visiting(at(house)) as ada:
            await ada.is_in()
            assert await refusal(at(house)) == "This server is full. Try again later."

    run(evening())


# Servers that are none ------------------------------------------------------------------------------------------------

NONSENSE = {
    "a web server": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "a secure shell": b"SSH-2.0-OpenSSH_9.2p1\r\n",
    "a mail server": b"220 mail.example ESMTP\r\n",
    "random bytes": bytes(range(255, 0, -1)) + b"\n",
    "a line without end": b"x" * 100_000,
    "a message of another protocol": b"\x81\xa4type\xa5hello\n",
    "a welcome that is none": b"\x82\xa4type\xa7welcome\xa2re\x01\n",
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_something_else_than_a_server_is_told_so(nonsense):
    async def story(peer):
        await peer.hears(Hello)
        peer.writer.write(nonsense)
        await peer.is_left()

    async def evening():
        async with pretending(story) as address:
            assert await refusal(address) == (
                f"{address} speaks something else than this client. Is it a gridgames server of this version?"
            )

    run(evening())


def test_something_that_hangs_up_at_once_is_told_so():
    async def story(peer):
        await peer.hears(Hello)

    async def evening():
        async with pretending(story) as address:
            assert await refusal(address) == (
                f"{address} has closed the connection at once. Is it a gridgames server? With --tls?"
            )

    run(evening())


def test_something_that_never_answers_is_not_waited_for():
    async def story(peer):
        await peer.is_left()

    async def evening():
        async with pretending(story) as address:
            sentence = await refusal(address, patience=Patience(answer=0.05))
            assert sentence == f"{address} does not answer. Is the address right, and the port open?"

    run(evening())


def test_where_nothing_listens_there_is_no_way_in():
    async def evening():
        async with pretending(taken_by()) as address:
            pass
        sentence = await refusal(address)
        assert sentence == f"Nothing listens at {address}. Is gridgames-server running there?"

    run(evening())


def test_what_only_later_versions_say_is_passed_over():
    async def story(peer):
        await peer.welcomes()
        peer.writer.write(b"\x82\xa4type\xa7fanfare\xa5tones\x07\n")
        peer.writer.write(b"\x83\xa4type\xa5event\xa4text\xa1x\xa4kind\xa9in colour\n")
        peer.says(Event("Hello.", "system"))
        await peer.is_left()

    async def evening():
        async with pretending(story) as address, visiting(address) as ada:
            assert (await ada.ear.hears(Event)).text == "Hello."
            assert len(ada.ear.all(Event)) == 1

    run(evening())


def test_a_server_that_begins_to_talk_nonsense_is_left():
    async def story(peer):
        await peer.welcomes()
        peer.writer.write(b"\xc1\xc1\n")
        await peer.is_left()

    async def evening():
        async with pretending(story) as address, visiting(address) as ada:
            with pytest.raises(Refused, match="speaks something else than this client"):
                await ada.ends()

    run(evening())


# TLS ------------------------------------------------------------------------------------------------------------------


def tls_of_server():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE, KEY)
    return context


def tls_of_guests():
    return ssl.create_default_context(cafile=str(CERTIFICATE))


def test_with_tls_one_is_welcome_and_the_certificate_is_looked_at():
    async def evening():
        shown = []
        async with (
            serving(tls=(tls_of_server(), tls_of_guests())) as house,
            visiting(at(house), tls=True, distrust=shown.append) as ada,
        ):
            await ada.is_in()
            assert [len(bytes.fromhex(fingerprint)) for fingerprint in shown] == [32]

    run(evening())


def test_a_certificate_that_has_changed_is_refused_with_what_to_do(tmp_path):
    async def evening():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as house:

            def distrust(fingerprint):
                return other_certificate("kitchen", fingerprint, tmp_path)

            async with visiting(at(house), tls=True, distrust=distrust) as ada:
                await ada.is_in()
            file = tmp_path / "certificates" / "kitchen.txt"
            shown = file.read_text().strip()
            file.write_text("0" * 64)
            assert await refusal(at(house), tls=True, distrust=distrust) == (
                f"{at(house)} shows another certificate than the first time. If its host has not changed it on "
                f"purpose, somebody may be listening in. If you trust it, delete {file}. It shows: {shown}"
            )

    run(evening())


def test_with_tls_where_there_is_none_one_is_told_to_leave_it_out():
    async def evening():
        async with serving() as house:
            assert await refusal(at(house), tls=True) == f"{at(house)} does not speak TLS. Try without --tls."

    run(evening())


def test_without_tls_where_it_is_needed_one_is_told_to_use_it():
    async def evening():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as house:
            assert await refusal(at(house)) == (
                f"This server speaks TLS only; play with: gridgames-client {at(house)} --tls"
            )

    run(evening())


# Families of addresses ------------------------------------------------------------------------------------------------


def families():
    """The ways to this machine that this machine has."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return [LOCAL, "localhost"]
    return [LOCAL, "localhost", "::1"]


@pytest.mark.parametrize("host", families())
def test_every_form_of_an_address_leads_there(host):
    async def evening():
        async with pretending(taken_by(), host=host) as address, visiting(address) as ada:
            await ada.is_in()

    run(evening())


def test_a_name_whose_every_address_refuses_is_told_like_one_address():
    async def evening():
        async with pretending(taken_by(), host="localhost") as address:
            pass
        assert await refusal(address) == f"Nothing listens at {address}. Is gridgames-server running there?"

    run(evening())
