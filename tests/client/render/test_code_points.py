"""All 1.1 million code points, as names and as chat, on the screen and in plain lines: none does more than stand there.

The server removes or refuses most of them. Here it is left out: a client must be safe with a server that does not.
"""

import sys
import unicodedata

from gridgames_client.render import screen
from gridgames_client.render.drawing.text_layout import LINES
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_protocol.messages import CHAT_MAX, NAME_MAX, Event, Lobby, LobbyRoom, Room, SeatHolder, Welcome
from gridgames_protocol.safe_text import HARMFUL, columns

CODE_POINTS = range(sys.maxunicode + 1)
HARM = {chr(code) for code in CODE_POINTS if unicodedata.category(chr(code)) in HARMFUL}
COLUMNS = 80
ROOMS = 100  # in one lobby


def portions(size):
    """All code points as texts of a size."""
    return ["".join(map(chr, CODE_POINTS[start : start + size])) for start in range(0, len(CODE_POINTS), size)]


def make_controller():
    controller = Controller(
        Model("kitchen:4743"), lambda request: None, lambda what: None, lambda path, text: "", lambda: 0.0
    )
    controller.on_message(Welcome(1, 1, "the house", "Ada", "token", (), None, None))
    return controller


def drawn(controller, rows):
    """Every line of the screen; none is wider than the screen."""
    lines = screen.draw_screen(controller, "", LINES, COLUMNS, rows, 0.0)
    lines = ["".join(fragment.text for fragment in line) for line in lines]
    assert max(map(columns, lines)) <= COLUMNS
    return "\n".join(lines)


def assert_harmless(text):
    found = HARM.intersection(text.replace("\n", ""))
    assert not found, ascii(sorted(found)[:10])


def room(one, two):
    seats = (SeatHolder(one, True, None), SeatHolder(two, True, None))
    return Room("K7QX2M", "grid-hunt", "Grid Hunt", "waiting", seats, 1, 0, "random", None, (0, 0, 0), 0)


def test_what_is_looked_for_is_what_does_harm():
    assert HARM.issuperset("\x1b\x07\x9b\u202e\u200b\ud800\ue000\U000e0001")
    assert HARM.isdisjoint("Ada [1] Grüße 漢字 é")


def test_no_name_in_the_lobby_does_more_than_stand_there():
    controller, printed = make_controller(), []
    table = Plain(controller, printed.append)
    hosts = portions(NAME_MAX)
    for start in range(0, len(hosts), ROOMS):
        rooms = tuple(
            LobbyRoom(f"R{number}", "grid-hunt", "Grid Hunt", host, "waiting", True, 0)
            for number, host in enumerate(hosts[start : start + ROOMS])
        )
        table.controller.on_message(Lobby(rooms, 1, 0))
        assert_harmless(drawn(controller, rows=ROOMS + 20))
    assert_harmless("\n".join(printed))
    assert sum(line.startswith("Room R") for line in printed) >= len(hosts) - 1_000


def test_no_chat_does_more_than_stand_there():
    controller, printed = make_controller(), []
    table = Plain(controller, printed.append)
    texts, names = portions(CHAT_MAX), portions(NAME_MAX)
    for number, text in enumerate(texts):
        if number % 10 == 0:
            table.controller.on_message(room(names[number % len(names)], names[-1 - number]))
        table.controller.on_message(Event(text, "chat", None, names[-1 - number]))
        if number % 10 == 9:
            assert_harmless(drawn(controller, rows=100))
            controller.model.log.clear()
    assert_harmless("\n".join(printed))
    assert len(printed) >= len(texts)
