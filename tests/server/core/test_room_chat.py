"""Talking: to everybody in the room, and with nothing in it that could do more than be read."""

import pytest

from gridgames_protocol.messages import Chat, Event, Join, Leave, Over, Resign, Show, Watch
from tests.server.hub_harness import HubHarness, word


def test_chat_goes_to_everybody_in_the_room_and_to_nobody_else():
    server = HubHarness()
    ada, bob, wes = server.table("grid-hunt", "Ada", "Bob", "Wes")
    eve = server.enter("Eve")
    server.read_by_all()
    wes.says(Chat, "hello all")
    bob.says(Chat, "hi")
    said = [Event("hello all", "chat", None, "Wes"), Event("hi", "chat", 2, "Bob")]
    for guest in (ada, bob, wes):
        assert guest.reads(Event) == said
    assert eve.reads() == []


CLEANED = [
    ("\x1b[31mred\x1b[0m", "[31mred[0m"),
    ("two\nlines\tof\r\ntext", "two lines of text"),
    ("abc\u202edef\u202c", "abcdef"),
    ("an\u200bn \u200d b", "ann b"),
    ("  much   space  ", "much space"),
    ("bell\x07 null\x00 \x9b31m", "bell null 31m"),
    ("wide\u3000space\u2028line", "wide space line"),
    ("Zoë 王 😀", "Zoë 王 😀"),
]


@pytest.mark.parametrize(("text", "read"), CLEANED)
def test_chat_is_cleaned_of_what_could_do_more_than_be_read(text, read):
    ada, bob = HubHarness().table("grid-hunt")
    assert word(ada.says(Chat, text)) == "ok"
    assert bob.hears() == ada.hears() == [read]


@pytest.mark.parametrize("text", [" ", "\u200b", "\n\n", "\x00", "\u202e \u202c"])
def test_chat_with_nothing_to_read_is_refused(text):
    ada, bob = HubHarness().table("grid-hunt")
    assert word(ada.says(Chat, text)) == "bad_request"
    assert bob.reads() == []


@pytest.mark.parametrize("text", ["Player 1's turn.", "Player 2 has resigned. Player 1 wins.", "Sealed: treasure."])
def test_chat_cannot_pass_for_what_the_table_says(text):
    _, bob, wes = HubHarness().table("grid-hunt", "Ada", "Bob", "Wes")
    wes.says(Chat, text)
    (event,) = bob.reads(Event)
    assert (event.kind, event.name, event.seat, event.commit) == ("chat", "Wes", None, None)


def test_chat_is_possible_before_and_after_a_game():
    server = HubHarness()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    code = ada.opens("grid-hunt")
    bob.says(Watch, code)
    bob.says(Chat, "shall I join?")
    assert "shall I join?" in ada.hears()
    bob.says(Leave)
    bob.says(Join, code)
    bob.says(Resign)
    bob.says(Chat, "gg")
    assert ada.hears()[-1] == "gg"


def test_chat_changes_nothing_at_the_table():
    ada, bob = HubHarness().table("grid-hunt")
    rev = bob.sees.rev
    ada.says(Chat, "HIDE 2 3")
    assert bob.reads(Show, Over) == []
    assert ada.sees.rev == rev
