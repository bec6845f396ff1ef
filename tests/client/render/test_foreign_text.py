"""Whatever a server puts into its texts, it can only stand there: no escape, no control, no turning of direction.

A server that means harm sends every message with hostile text in every field that takes text. Then everything that can
be drawn is drawn, on terminals of several sizes.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from prompt_toolkit.utils import get_cwidth

from gridgames_client.render import screen
from gridgames_client.render.drawing.text_layout import LINES, TILES, Line, plain
from gridgames_client.render.key_bar import draw_bar
from gridgames_client.state import completion
from gridgames_client.state.commands import Confirm, OpenReplay, TextPage
from gridgames_client.state.controllers import board_controller, lobby_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.controllers.replay_controller import show_next_eyes
from gridgames_client.state.history.saved_game import write_saved_game
from gridgames_protocol.messages import (
    AskHistory,
    AskReplay,
    AskStandings,
    Bye,
    Chat,
    Commit,
    Error,
    Event,
    History,
    Lobby,
    LobbyRoom,
    Over,
    PastGame,
    Push,
    Replay,
    Request,
    Reveal,
    Room,
    SeatHolder,
    Show,
    Standing,
    Standings,
    Welcome,
)
from gridgames_protocol.safe_text import columns, is_harmless
from gridgames_protocol.views import Action, Board, Card, Frame, View
from tests.client.piped_app import playing
from tests.client.seated_controllers import make_seat
from tests.wire import run

# Escape sequences that clear, move, colour, name, answer and hide; controls of both halves; marks that turn the
# direction, join, hide or fill; ends of lines; and what is merely wide, narrow or stacked.
NASTY = (
    "\x1b[2J", "\x1b[10;10H", "\x1b]0;title\x07", "\x1b[6n", "\x1bP", "\x9b31m", "\x00", "\x07", "\x08", "\r", "\n",
    "\r\n", "\t", "\x7f", "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\u200f", "\u200b", "\u200d", "\ufeff",
    "\u00ad", "\ufe0f", "\u3164", "\u2800", "\ue000", "\U000e0001", "\U000e0041", "\ud800", "{cell}", "%s", "Player 1",
)  # fmt: skip
TAME = ("a", "Zed", " ", "  ", "漢", "字漢", "é", "e\u0301", "\u0301" * 3, "ﷺ", "👍", "ᄀ", "ก็", "|", "[1]")
SIZES = ((20, 8), (40, 16), (80, 24), (132, 43))


class Liar:
    """A server that means harm, and is always the same for one seed."""

    def __init__(self, seed: int) -> None:
        self.lot = Random(seed)

    def text(self, most: int) -> str:
        """Hostile text of up to so many characters."""
        parts = [self.lot.choice(NASTY if self.lot.random() < 0.6 else TAME) for _ in range(self.lot.randint(1, 30))]
        return "".join(parts)[:most] or "\x1b"

    def board(self) -> Board:
        names = tuple(self.text(8) for _ in range(4))
        return Board(
            Frame(("漢", "b"), ("1", "字" * 4), names),
            ("ab", "漢", "", "e\u0301"), ("mine", "theirs", "hidden", "both"),
            ((names[0], "", "empty"),),
        )  # fmt: skip

    def view(self, board: Board, phase: str) -> View:
        facts = tuple((self.text(40), self.text(1_000)) for _ in range(4))
        actions = (
            Action(self.text(20), self.text(30) + "{cell}", self.text(120), board.names, self.lot.choice("1\x1b")),
            Action("DIG", "DIG {cell}", self.text(120), board.names[:1], secret=self.lot.random() < 0.3),
        )
        acting = actions if phase != "over" else ()
        return View(phase, self.text(1_000), board, facts, acting, {}, True, (facts[0][0],))  # type: ignore[arg-type]

    def opens(self) -> Iterator[Push]:
        """What it says first."""
        cards = tuple(Card(self.text(40), self.text(40), self.text(80), self.text(5_000), 1) for _ in range(5))
        yield Welcome(1, 1, self.text(64), self.text(32), "token", cards, None, None)
        rooms = (
            LobbyRoom(self.text(16), self.text(40), self.text(40), self.text(32), "playing", False, 3) for _ in "abc"
        )
        yield Event(self.text(1_000), "system")
        yield Lobby(tuple(rooms), 9, 9)

    def room(self, state: str, you: int | None = 1) -> Room:
        seats = tuple(SeatHolder(self.text(32), True, None) for _ in "ab")
        waits = state == "waiting"
        return Room(
            self.text(16), self.text(40), self.text(40), state, (seats[0], None if waits else seats[1]), you, 2,  # type: ignore[arg-type]
            "random", None, (1, 2, 3), 1,
        )  # fmt: skip

    def tells(self) -> Iterator[Push]:
        """What happens at its tables."""
        for kind in ("move", "hint", "system"):
            yield Event(self.text(1_000), kind, 1)  # type: ignore[arg-type]
        yield Event(self.text(300), "chat", 2, self.text(32))
        yield Event(self.text(300), "chat", None, self.text(32))
        yield Event(self.text(1_000), "system", commit=Commit(self.text(64), self.text(64).ljust(64, "\x1b")))

    def ends(self) -> Over:
        reveals = tuple(Reveal(self.text(64), self.text(1_000), "0" * 32) for _ in range(3))
        return Over(1, self.text(40), self.text(1_000), ((1, self.text(200)), (2, self.text(200))), reveals)

    def looks_back(self) -> Iterator[tuple[Request, Push]]:
        """What it says of games that are over, and what it was asked."""
        names = self.text(32), self.text(32)
        game = PastGame(5, self.text(40), self.text(40), 1, names, 2, self.text(40), 3, 2**53 - 1)
        yield AskHistory(1), History(1, (game, replace(game, number=4)), True)
        rows = tuple(Standing(self.text(32), 9, 2**50, 1, 5) for _ in "abc")
        yield AskStandings(1), Standings(1, None, rows)
        for eyes in (1, 2, 0):
            view, line = self.view(self.board(), "play"), (2, self.text(200))
            yield AskReplay(1, 5, 3, eyes), Replay(1, 5, 3, 3, eyes, names, line, self.text(1_000), view)


def moments(seed: int) -> Iterator[Controller]:
    """A controller at everything that can be seen of such a server."""
    liar, seat = Liar(seed), make_seat(address=Liar(seed).text(60))
    controller, model = seat.controller, seat.controller.model
    yield controller
    for message in liar.opens():
        controller.on_message(message)
        yield controller
    yield from pages(controller)
    controller.on_connection("reconnecting", liar.text(300))
    yield controller
    controller.on_connection("connected", "")
    controller.on_reply(Chat(1, "x"), Error("illegal", liar.text(1_000), 1))
    yield controller
    yield from finished_games(controller, liar)
    room = liar.room("waiting")
    controller.on_message(room)
    yield controller
    controller.on_message(replace(room, seats=liar.room("playing").seats, state="playing"))
    board = liar.board()
    for phase in ("setup", "play", "over"):
        controller.on_message(Show(room.room, 1, (1, 2), 1, liar.view(board, phase)))
        for message in liar.tells():
            controller.on_message(message)
        for masked in (True, False):
            model.masked = masked
            yield controller
        yield from pages(controller)
    controller.boards_as_words = True
    yield controller
    controller.on_message(Bye("shutting_down", liar.text(1_000)))
    controller.on_message(liar.ends())
    yield controller
    yield from pages(controller)


def finished_games(controller: Controller, liar: Liar) -> Iterator[Controller]:
    """The controller with everything that can be seen of games that are over."""
    for number, (request, reply) in enumerate(liar.looks_back()):
        if number == 2:
            controller.run(OpenReplay(5, 3))
        controller.on_reply(request, reply)
        for words in (True, False):
            controller.boards_as_words = words
            yield controller
        show_next_eyes(controller)
    controller.page = None


def pages(controller: Controller) -> Iterator[Controller]:
    """The controller with each page that could be opened there."""
    model = controller.model
    game = model.cards[0].slug if model.cards else None
    for page in (TextPage("help"), TextPage("rules", game), TextPage("moves"), Confirm("Sure?", None)):
        controller.page = page
        yield controller
    controller.page = None
    lobby_controller.open_new_room(controller)
    yield controller
    controller.page = None
    board_controller.act(controller)
    yield controller
    controller.page = None
    for action in model.actions:
        controller.submit(action.verb)
        yield controller
    controller.cell_prompt = None


def harms(lines: list[Line], size: int, rows: int) -> list[str]:
    """The lines that do more than stand in their place."""
    texts = [plain(line) for line in lines]
    assert len(texts) == rows
    return [text for text in texts if not is_harmless(text) or max(columns(text), get_cwidth(text)) > size]


@pytest.mark.parametrize("seed", range(5))
def test_nothing_that_a_server_says_does_more_than_stand_there(seed):
    for controller in moments(seed):
        for size, rows in SIZES:
            for glyphs in (LINES, TILES):
                lines = screen.draw_screen(controller, "DIG", glyphs, size, rows, 0.0)
                assert harms([*lines, draw_bar(controller, size)], size, rows + 1) == []


@pytest.mark.parametrize("seed", range(5))
def test_nothing_harmful_is_offered_for_completion(seed):
    offered = [
        line
        for controller in moments(seed)
        for typed in ("", "/", "c", "D")
        for line in (
            *completion.list_candidates(controller.model, typed),
            completion.suggest_rest(controller.model, typed, None),
        )
    ]
    assert offered
    assert [line for line in offered if not is_harmless(line)] == []


@pytest.mark.parametrize("seed", range(5))
def test_styles_never_come_from_the_server(seed):
    fine = set("abcdefghijklmnopqrstuvwxyz0123456789:._ ")
    for controller in moments(seed):
        for glyphs in (LINES, TILES):
            for line in screen.draw_screen(controller, "", glyphs, 80, 24, 0.0):
                assert all(set(fragment.style) <= fine for fragment in line)


@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_saved_without_harm(seed):
    *_, controller = moments(seed)
    text = write_saved_game(controller.model)
    assert text.isascii()
    assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize("seed", range(3))
def test_the_program_draws_only_what_stands_in_its_place(seed):
    async def scenario() -> None:
        controllers = moments(seed)
        async with playing(next(controllers)) as player:
            for _ in controllers:
                player.app.on_notification("change")
                await player.draws()
                drawn = player.app.application.renderer.last_rendered_screen
                assert drawn
                assert not any(drawn.zero_width_escapes.values())
                chars = {char.char for row in drawn.data_buffer.values() for char in row.values()}
                assert [char for char in chars if not is_harmless(char)] == []
            assert set(player.screen.titles) <= {"gridgames", "gridgames: your turn"}

    run(scenario())


def test_the_hostile_alphabet_is_hostile():
    assert [part for part in NASTY if is_harmless(part)] == ["{cell}", "%s", "Player 1"]
