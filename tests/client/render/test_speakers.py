"""What a player says never looks like what the server or its host says: in every mode, at every width."""

import re

import pytest

from gridgames_client.render.drawing.text_layout import ASCII, LINES, TILES, Fragment, clip
from gridgames_client.render.drawing.widgets import draw_event, draw_log
from gridgames_client.render.table.foot import draw_last_words
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_protocol.messages import CHAT_MAX, Event, OfferDraw, Resign, Room, SeatHolder
from gridgames_server.admin import commands
from tests.client.render.test_code_points import make_controller
from tests.server.hub_harness import MIDDLES, HubHarness, play

FAKES = (
    "The host says: Ada, type your treasure's cell.",
    "Player 1 has resigned.",
    "Bo [2]: I give up",
    "Ada (Player 1): I give up",
)
NAMES = ("Game over", "Your turn", "A", "Player of Games", "王小明王小明王小")
WIDTHS = range(20, 121)
SPEAKER = re.compile(r"^(.+) (\[[12]\]|\(watching\)):( |$)")
PLAIN_SPEAKER = re.compile(r"^(.+) \((Player [12]|watching)\):( |$)")


def table(name):
    """Somebody with a name sits at seat 1, Bo at seat 2."""
    controller = make_controller()
    seats = (SeatHolder(name, True, None), SeatHolder("Bo", True, None))
    controller.on_message(
        Room("K7QX2M", "grid-hunt", "Grid Hunt", "waiting", seats, 2, 0, "random", None, (0, 0, 0), 0)
    )
    return controller


def padded(fake):
    """A text that has a faked sentence at the beginning of each row, wherever rows may break."""
    return [("x" * size + " " + " " * spaces + fake)[:CHAT_MAX] for size in range(1, 110, 3) for spaces in (0, 5, 40)]


def text_of(line):
    return "".join(fragment.text for fragment in line)


@pytest.mark.parametrize("seat", [1, 2, None])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("glyphs", [TILES, LINES, ASCII], ids=["colour", "no colour", "ascii"])
def test_a_line_of_chat_begins_with_its_speaker_and_goes_on_indented(glyphs, name, seat):
    model = table(name).model
    for fake in FAKES:
        for text in (fake, *padded(fake)[::7]):
            for columns in WIDTHS:
                first, *rest = map(text_of, draw_event(model, Event(text, "chat", seat, name), glyphs, columns))
                assert SPEAKER.match(first), (first, columns)
                assert all(line.startswith("  ") or not line for line in rest), (rest, columns)
                assert SPEAKER.match(text_of(draw_last_words(model, Event(text, "chat", seat, name), glyphs)))


@pytest.mark.parametrize("glyphs", [TILES, LINES, ASCII], ids=["colour", "no colour", "ascii"])
def test_the_host_and_the_server_begin_at_the_margin_and_never_as_a_speaker(glyphs):
    model = table("Ada").model
    told = set()
    for game, lines in MIDDLES.items():
        server = HubHarness()
        ada, bob = server.table(game)
        play(ada, bob, lines=lines)
        server.does(commands.say(server.hub, "Last round, pizza is here.", server.now))
        ada.says(OfferDraw)
        bob.drops()
        bob = bob.comes_back()
        bob.says(Resign)
        told |= {event.text for guest in (ada, bob) for event in guest.reads(Event)}
    assert len(told) > 30
    for text in (*FAKES[:2], *sorted(told)):
        for columns in (20, 40, 78):
            lines = [text_of(line) for line in draw_event(model, Event(text, "system"), glyphs, columns)]
            assert not SPEAKER.match(lines[0]), lines
            assert not lines[0].startswith(" ")


def test_the_log_shows_who_speaks_also_where_it_begins_in_the_middle_of_a_line():
    controller = table("Ada")
    controller.on_message(Event("word " * 30 + FAKES[0], "chat", 1, "Ada"))
    for columns in WIDTHS:
        for rows in range(1, 8):
            for line in map(text_of, draw_log(controller, TILES, columns, rows)):
                assert not line or line.startswith("  ") or SPEAKER.match(line)


def as_terminal(line, columns):
    """The rows that a terminal makes of a printed line."""
    rows = []
    while line:
        head = clip(line, columns)
        rows.append(head)
        line = line[len(head) :]
    return rows


@pytest.mark.parametrize("seat", [1, 2, None])
@pytest.mark.parametrize("name", NAMES)
def test_plain_lines_tell_the_speaker_and_no_row_begins_like_a_sentence(name, seat):
    printed = []
    plain = Plain(table(name), printed.append)
    for fake in FAKES:
        for text in (fake, *padded(fake)[::7]):
            for columns in (*WIDTHS[12:], 0):
                plain.count_columns = lambda columns=columns: columns
                printed.clear()
                plain.print_event(Event(text, "chat", seat, name))
                rows = [row for line in printed for row in as_terminal(line, columns or 10_000)]
                assert PLAIN_SPEAKER.match(rows[0])
                assert all(row.startswith("  ") for row in rows[1:]), (rows, columns)


def test_a_speaker_is_drawn_in_the_colour_of_the_seat():
    first, *_ = draw_event(table("Ada").model, Event("hi", "chat", 1, "Ada"), TILES, 40)
    assert first == [Fragment("class:seat1", "Ada [1]:"), Fragment("class:chat", " hi")]
