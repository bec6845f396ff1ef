"""Choosing one of the servers that were found, on the full screen."""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.widgets import TextArea

from gridgames_client import servers
from gridgames_client.keys import bind
from gridgames_client.paint import ASCII, LINES, Fragment, Line, Target, cut_line
from gridgames_client.servers import Picked, Picking, Server
from gridgames_client.style import STYLE

ESCAPE = 0.05  # seconds to wait for the rest of an escape sequence
BAR = ((" Enter ", "play "), (" \u2191\u2193 ", "choose "), (" h ", "here "), (" q ", "quit "))
ASCII_BAR = ((" Enter ", "play "), (" Up Down ", "choose "), (" h ", "here "), (" q ", "quit "))
PASSWORD_BAR = ((" Enter ", "go in "), (" Esc ", "back "))


class Picker:
    """The list on the full screen."""

    def __init__(
        self,
        found: tuple[Server, ...],
        knows_password: bool,
        ascii: bool = False,
        color: bool = True,
        source: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.picking = Picking(found)
        self.knows_password, self.ascii = knows_password, ascii
        self.asking = False  # for a password
        self.input = TextArea(multiline=False, height=1, password=True)
        self.body = FormattedTextControl(self.text, focusable=True, show_cursor=False)
        asks = Window(FormattedTextControl([("class:prompt", " Password: ")]), dont_extend_width=True, height=1)
        line = ConditionalContainer(VSplit([asks, self.input]), Condition(lambda: self.asking))
        bar = Window(FormattedTextControl(self.bar), height=1)
        layout = Layout(HSplit([Window(self.body, wrap_lines=False), line, bar]), focused_element=self.body)
        self.application: Application[Picked | None] = Application(
            layout=layout,
            key_bindings=self.keys(),
            style=STYLE,
            full_screen=True,
            mouse_support=True,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            input=source,
            output=output,
        )
        self.application.ttimeoutlen = self.application.timeoutlen = ESCAPE

    async def run(self) -> Picked | None:
        """What was picked; None if the player wants to leave."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with contextlib.suppress(AttributeError, NotImplementedError):  # Windows has neither
                loop.add_signal_handler(getattr(signal, name), self.leave)
        return await self.application.run_async(handle_sigint=False)

    def keys(self) -> KeyBindings:
        """Every key of the list."""
        keys, listing = KeyBindings(), Condition(lambda: not self.asking)
        on = partial(bind, keys)
        on("up", "k", when=listing, do=lambda: self.go(self.picking.moved(-1)))
        on("down", "j", "tab", when=listing, do=lambda: self.go(self.picking.moved(1)))
        on("enter", " ", when=listing, do=self.choose)
        on("h", "H", when=listing, do=lambda: self.take(len(self.picking.servers)))
        for digit in "123456789":
            on(digit, when=listing, do=partial(self.take, int(digit) - 1))
        on("q", "escape", when=listing, do=self.leave)
        on("enter", when=~listing, do=self.enter_password)
        on("escape", when=~listing, do=self.back)
        on("c-c", "c-d", "c-q", when=Condition(lambda: True), do=self.leave)
        return keys

    # What the player wants --------------------------------------------------------------------------------------------

    def go(self, picking: Picking) -> None:
        """Show another row as chosen."""
        self.picking = picking
        self.application.invalidate()

    def take(self, row: int) -> None:
        """Choose a row at once."""
        self.go(self.picking.at(row))
        if self.picking.row == row:
            self.choose()

    def choose(self) -> None:
        """Play on what is chosen, once its password is known."""
        server = self.picking.server
        if server is not None and not server.fits:
            self.go(self.picking.refused())
        elif server is not None and server.answer.password and not self.knows_password:
            self.asking = True
            self.application.layout.focus(self.input)
        else:
            self.end(Picked(server))

    def enter_password(self) -> None:
        """Play with the password that was typed."""
        if self.input.text:
            self.end(Picked(self.picking.server, self.input.text))

    def back(self) -> None:
        """Choose again."""
        self.asking = False
        self.input.text = ""
        self.application.layout.focus(self.body)

    def leave(self) -> None:
        """Play nowhere."""
        self.end(None)

    def end(self, picked: Picked | None) -> None:
        """Close the list."""
        if self.application.is_running and not self.application.is_done:
            self.application.exit(result=picked)

    # Drawing ----------------------------------------------------------------------------------------------------------

    def text(self) -> StyleAndTextTuples:
        """The list as it is now."""
        size = self.application.output.get_size()
        rows = max(1, size.rows - 1 - self.asking)
        lines = servers.screen(self.picking, ASCII if self.ascii else LINES, size.columns, rows)
        return self.clickable(lines)

    def clickable(self, lines: list[Line]) -> StyleAndTextTuples:
        """Lines as prompt_toolkit wants them, with an ear for clicks."""
        text: StyleAndTextTuples = []
        for number, line in enumerate(lines):
            text += [("", "\n")] * bool(number)
            for style, words, target in line:
                text.append((style, words) if target is None else (style, words, self.listener(target)))
        return text

    def listener(self, target: Target) -> Callable[[MouseEvent], object]:
        """What a click on a row does."""

        def clicked(event: MouseEvent) -> object:
            if event.event_type != MouseEventType.MOUSE_UP or self.asking:
                return NotImplemented
            self.take(target[1])
            return None

        return clicked

    def bar(self) -> StyleAndTextTuples:
        """The keys that do something."""
        shown = PASSWORD_BAR if self.asking else ASCII_BAR if self.ascii else BAR
        line = [Fragment(style, words) for key, does in shown
                for style, words in (("class:key", key), ("class:does", f" {does}"))]  # fmt: skip
        return [(style, words) for style, words, _ in cut_line(line, self.application.output.get_size().columns)]
