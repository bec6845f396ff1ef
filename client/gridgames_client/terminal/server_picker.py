"""The list of found servers on the full screen."""

from collections.abc import AsyncIterator, Callable
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle
from prompt_toolkit.widgets import TextArea

from gridgames_client.net.found_servers import HERE, PickedServer, Server, ServerChoice
from gridgames_client.render.drawing.text_layout import ASCII, LINES, Fragment, Line, Target, clip_line
from gridgames_client.render.server_list import ServerRow, draw_servers
from gridgames_client.terminal.find_server import ask_beside
from gridgames_client.terminal.keys import bind
from gridgames_client.terminal.output import open_output
from gridgames_client.terminal.style import make_style
from gridgames_protocol.machine.signals import call_on_signals

REDRAW = 0.05  # seconds between two drawings at least: answers may come without end
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
        updates: AsyncIterator[tuple[Server, ...]] | None = None,
        word: str = "",
    ) -> None:
        self.picking = ServerChoice(found, word=word)
        self.updates = updates  # the servers as they come and go
        self.knows_password, self.ascii = knows_password, ascii
        self.asks_password = False  # a password is being asked for
        self.input = TextArea(multiline=False, height=1, password=True)
        self.body = FormattedTextControl(self.draw, focusable=True, show_cursor=False)
        asks = Window(FormattedTextControl([("class:prompt", " Password: ")]), dont_extend_width=True, height=1)
        line = ConditionalContainer(VSplit([asks, self.input]), Condition(lambda: self.asks_password))
        bar = Window(FormattedTextControl(self.draw_bar), height=1)
        layout = Layout(
            HSplit([Window(self.body, wrap_lines=False), line, bar], style="class:page"), focused_element=self.body
        )
        self.application: Application[PickedServer | None] = Application(
            layout=layout,
            key_bindings=self.make_keys(),
            style=DynamicStyle(lambda: make_style(depth=self.application.color_depth)),
            include_default_pygments_style=False,
            full_screen=True,
            min_redraw_interval=REDRAW,
            mouse_support=True,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            input=source,
            output=output or open_output(),
        )
        self.application.ttimeoutlen = self.application.timeoutlen = ESCAPE

    async def run(self) -> PickedServer | None:
        """The chosen server; None if the player wants to leave."""
        call_on_signals(("SIGTERM", "SIGHUP"), self.leave)
        screen = self.application.run_async(set_exception_handler=False, handle_sigint=False)
        return await ask_beside(screen, self.follow())

    async def follow(self) -> None:
        """Show the servers as they come and go."""
        if self.updates is not None:
            async for found in self.updates:
                self.move_to(self.picking.update(found))

    def make_keys(self) -> KeyBindings:
        """The key bindings of the list."""
        keys, listing = KeyBindings(), Condition(lambda: not self.asks_password)
        on = partial(bind, keys)
        on("up", "k", when=listing, do=lambda: self.move_to(self.picking.move_cursor(-1)))
        on("down", "j", "tab", when=listing, do=lambda: self.move_to(self.picking.move_cursor(1)))
        on("enter", " ", when=listing, do=self.choose)
        on("h", "H", when=listing, do=lambda: self.play_on_row(len(self.picking.servers)))
        for digit in "123456789":
            on(digit, when=listing, do=partial(self.play_on_row, int(digit) - 1))
        on("q", "escape", when=listing, do=self.leave)
        on("enter", when=~listing, do=self.enter_password)
        on("escape", when=~listing, do=self.close_password)
        on("c-c", "c-d", "c-q", when=Condition(lambda: True), do=self.leave)
        return keys

    # What the player wants --------------------------------------------------------------------------------------------

    def move_to(self, picking: ServerChoice) -> None:
        """Move the cursor."""
        self.picking = picking
        self.application.invalidate()

    def play_on_row(self, row: int) -> None:
        """Play on the server of a row."""
        self.move_to(self.picking.move_to(row))
        if self.picking.row == row:
            self.choose()

    def choose(self) -> None:
        """Play on the chosen server. If it has a password, ask for it first."""
        server = self.picking.server
        if server is not None and not server.is_compatible:
            self.move_to(self.picking.say_refusal())
        elif server is not None and server.answer.password and not self.knows_password:
            self.asks_password = True
            self.application.layout.focus(self.input)
        else:
            self.finish(PickedServer(server))

    def enter_password(self) -> None:
        """Play with the typed password."""
        if self.input.text:
            self.finish(PickedServer(self.picking.server, self.input.text))

    def close_password(self) -> None:
        """Go back from the password to the list."""
        self.asks_password = False
        self.input.text = ""
        self.application.layout.focus(self.body)

    def leave(self) -> None:
        """Leave without a server."""
        self.finish(None)

    def finish(self, picked: PickedServer | None) -> None:
        """Close the list."""
        if self.application.is_running and not self.application.is_done:
            self.application.exit(result=picked)

    # Drawing ----------------------------------------------------------------------------------------------------------

    def draw(self) -> StyleAndTextTuples:
        """The lines of the list."""
        size = self.application.output.get_size()
        rows = max(1, size.rows - 1 - self.asks_password)
        servers = [ServerRow(one.name, one.address_text, one.facts, one.answers) for one in self.picking.servers]
        glyphs = ASCII if self.ascii else LINES
        lines = draw_servers(servers, HERE, self.picking.row, self.picking.word, glyphs, size.columns, rows)
        return self.make_clickable(lines)

    def make_clickable(self, lines: list[Line]) -> StyleAndTextTuples:
        """Lines as prompt_toolkit fragments, with handlers for clicks."""
        text: StyleAndTextTuples = []
        for number, line in enumerate(lines):
            text += [("", "\n")] * bool(number)
            for style, words, target in line:
                text.append((style, words) if target is None else (style, words, self.make_click_handler(target)))
        return text

    def make_click_handler(self, target: Target) -> Callable[[MouseEvent], object]:
        """The handler for clicks on a row."""

        def clicked(event: MouseEvent) -> object:
            if event.event_type != MouseEventType.MOUSE_UP or self.asks_password:
                return NotImplemented
            self.play_on_row(target[1])
            return None

        return clicked

    def draw_bar(self) -> StyleAndTextTuples:
        """The bar of keys."""
        shown = PASSWORD_BAR if self.asks_password else ASCII_BAR if self.ascii else BAR
        line = [Fragment(style, words) for key, does in shown
                for style, words in (("class:key", key), ("class:does", f" {does}"))]  # fmt: skip
        return [(style, words) for style, words, _ in clip_line(line, self.application.output.get_size().columns)]
