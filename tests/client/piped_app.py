"""The real program with a pipe for a keyboard. Everything waits for something to be drawn; nothing sleeps.

async def scenario():
    async with playing(seat) as player:
        await player.presses("+")
        await player.sees("New room")

run(scenario())
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.output import DummyOutput

from gridgames_client.render.drawing.text_layout import find_middle, find_target
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.terminal.app import App
from tests.wire import until

KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "tab": "\t", "escape": "\x1b",
    "space": " ", "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F", "backspace": "\x7f",
    "c-c": "\x03", "c-d": "\x04", "c-l": "\x0c", "c-n": "\x0e", "c-p": "\x10", "c-q": "\x11", "f1": "\x1bOP",
    "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~", "f7": "\x1b[18~",
    "f8": "\x1b[19~", "f9": "\x1b[20~",
}  # fmt: skip


class Screen(DummyOutput):
    """A terminal of a size, which counts its bells and remembers its titles."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.bells = 0
        self.titles: list[str] = []
        self.mouse = False
        self.erased = 0

    def get_size(self) -> Size:
        return Size(self.rows, self.columns)

    def bell(self) -> None:
        self.bells += 1

    def set_title(self, title: str) -> None:
        self.titles.append(title)

    def clear_title(self) -> None:
        self.titles.append("")

    def erase_screen(self) -> None:
        self.erased += 1

    def enable_mouse_support(self) -> None:
        self.mouse = True

    def disable_mouse_support(self) -> None:
        self.mouse = False


class Player:
    """Somebody at the program: presses keys, and looks."""

    def __init__(self, app: App, pipe: PipeInput, screen: Screen, running: "asyncio.Task[None]") -> None:
        self.app, self.pipe, self.screen, self.running = app, pipe, screen, running
        self.pressed = self.drawings = self.undrawn = 0
        self.changed = asyncio.Event()
        app.application.key_processor.after_key_press += self._pressed
        app.application.after_render += self._drawn

    def _pressed(self, sender: object) -> None:
        self.pressed += 1
        self.undrawn = self.drawings  # what a key does is drawn after it

    def _drawn(self, sender: object) -> None:
        self.drawings += 1
        self.changed.set()

    @property
    def controller(self) -> Controller:
        return self.app.controller

    @property
    def typed(self) -> str:
        """What stands in the input line."""
        return self.app.screen.input.text

    @property
    def focus(self) -> str:
        """Where the keys go."""
        return "board" if self.app.controller.on_board else "input"

    # What is done -----------------------------------------------------------------------------------------------------

    async def presses(self, *keys: str) -> None:
        """Press keys, one after the other, each drawn before the next."""
        for key in keys:
            before = self.pressed
            self.pipe.send_text(KEYS.get(key, key))
            await self._done(before + 1)

    async def _done(self, pressed: int) -> None:
        """Wait until so many keys have been pressed in all, and what they do has been drawn."""
        keys = self.app.application.key_processor
        await until(lambda: self.pressed >= pressed and not keys.input_queue and not keys.key_buffer)
        await until(lambda: self.drawings > self.undrawn)

    async def types(self, text: str) -> None:
        """Type text, as fast as it comes."""
        before = self.pressed
        self.pipe.send_text(text)
        await self._done(before + len(text))

    async def enters(self, text: str) -> None:
        """Type a line, and hand it in."""
        await self.types(text)
        await self.presses("enter")

    async def clicks(self, words: str, drawn: bool = True) -> None:
        """Click in the middle of some words on the screen."""
        await self.clicks_at(*self.place(words), drawn=drawn)

    async def clicks_cell(self, name: str) -> None:
        """Click on a cell of the board."""
        await self.clicks_at(*self.cell(name))

    async def clicks_at(self, x: int, y: int, drawn: bool = True) -> None:
        """Click at a place."""
        before = self.pressed
        self.pipe.send_text(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")
        if drawn:
            await until(lambda: self.pressed >= before + 2)
            await self.draws()

    async def turns_wheel(self, down: bool) -> None:
        """Turn the mouse's wheel near the middle of the screen."""
        before = self.pressed
        self.pipe.send_text(f"\x1b[<{65 if down else 64};{self.screen.columns // 2};{self.screen.rows // 2}M")
        await self._done(before + 1)

    # What is seen -----------------------------------------------------------------------------------------------------

    async def draws(self) -> None:
        """Wait until the screen has been drawn once more."""
        self.changed.clear()
        self.app.application.invalidate()
        await self.changed.wait()

    async def ended(self) -> None:
        """Wait until the program has ended."""
        await asyncio.wait({self.running})

    async def sees(self, words: str) -> None:
        """Wait until some words are on the screen."""
        while words not in self.text():
            self.changed.clear()
            await self.changed.wait()

    def lines(self) -> list[str]:
        """The screen as it was drawn last."""
        drawn = self.app.application.renderer.last_rendered_screen
        assert drawn
        rows = (drawn.data_buffer[y] for y in range(self.screen.rows))
        return ["".join(row[x].char for x in range(self.screen.columns)).rstrip() for row in rows]

    def text(self) -> str:
        return "\n".join(self.lines())

    def cell(self, name: str) -> tuple[int, int]:
        """Column and row of the middle of a cell."""
        board = self.controller.model.board
        assert board
        places = find_target(self.app.screen.lines, ("cell", board.names.index(name)))
        if places:
            return find_middle(places)
        raise AssertionError(f"{name} is not on the screen:\n{self.text()}")

    def char_at(self, x: int, y: int) -> str:
        """The character at a place."""
        return self._at(x, y).char

    def style_at(self, x: int, y: int) -> str:
        """The style at a place."""
        return self._at(x, y).style

    def _at(self, x: int, y: int) -> Char:
        drawn = self.app.application.renderer.last_rendered_screen
        assert drawn
        return drawn.data_buffer[y][x]

    def cursor(self) -> tuple[int, int]:
        """Column and row of the terminal's cursor."""
        application = self.app.application
        drawn = application.renderer.last_rendered_screen
        assert drawn
        point = drawn.get_cursor_position(application.layout.current_window)
        return point.x, point.y

    def place(self, words: str) -> tuple[int, int]:
        """Column and row of the middle of some words."""
        for y, line in enumerate(self.lines()):
            if words in line:
                return line.index(words) + len(words) // 2, y
        raise AssertionError(f"{words!r} is not on the screen:\n{self.text()}")


@asynccontextmanager
async def playing(
    controller: Controller, columns: int = 80, rows: int = 24, patient: bool = False
) -> AsyncIterator[Player]:
    """Run the program at a controller until the story ends; without the pauses that are there for eyes and fingers."""
    screen = Screen(columns, rows)
    with create_pipe_input() as pipe:
        app = App(controller, source=pipe, output=screen, clock=controller.clock)
        if not patient:
            app.application.min_redraw_interval = None
            app.application.timeoutlen = app.application.ttimeoutlen = 0.005
        running = asyncio.create_task(app.run())
        player = Player(app, pipe, screen, running)
        await player.draws()
        try:
            yield player
        finally:
            app.leave()
            await running
