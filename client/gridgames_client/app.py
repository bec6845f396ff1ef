"""The full-screen program: one desk, one layout, the keys, and the network beside them."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import merge_key_bindings
from prompt_toolkit.key_binding.bindings.auto_suggest import load_auto_suggest_bindings
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.widgets import TextArea

from gridgames_client import keys, render
from gridgames_client.commands import Turn, slash
from gridgames_client.desk import Choice, Desk, Happening, NewRoom
from gridgames_client.layout import Screen
from gridgames_client.paint import ASCII, LINES, Target
from gridgames_client.style import STYLE

REDRAW = 0.05  # seconds between two drawings at least: a flood of news must not cost a core


class App:
    """What the player looks at."""

    input: TextArea

    def __init__(
        self,
        desk: Desk,
        ascii: bool = False,
        color: bool = True,
        source: Input | None = None,
        output: Output | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.desk, self.clock = desk, clock
        desk.tell = self.happened
        self.glyphs = ASCII if ascii else LINES
        self.history = InMemoryHistory()  # never a file: secrets are typed here
        self.mouse = True
        self.page_scroll = 0
        self.last_page: object = None
        self.screen = Screen(self)
        self.application: Application[None] = Application(
            layout=self.screen.layout,
            key_bindings=merge_key_bindings([load_auto_suggest_bindings(), keys.bindings(self)]),
            style=STYLE,
            full_screen=True,
            mouse_support=Condition(lambda: self.mouse),
            min_redraw_interval=REDRAW,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            input=source,
            output=output,
        )
        self.application.ttimeoutlen = self.application.timeoutlen = 0.05  # Escape should not take half a second

    async def run(self) -> None:
        """Draw until the player leaves; every way out restores the terminal."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with contextlib.suppress(AttributeError, NotImplementedError):  # Windows has neither
                loop.add_signal_handler(getattr(signal, name), self.leave)
        ticking = loop.create_task(self.tick())
        try:
            await self.application.run_async(set_exception_handler=False, handle_sigint=False)
        finally:
            ticking.cancel()
            await asyncio.gather(ticking, return_exceptions=True)

    async def tick(self) -> None:
        """Draw the clock anew every second, while there is one."""
        while True:
            await asyncio.sleep(1)
            if self.desk.model.clock_ends is not None:
                self.application.invalidate()

    # What happens -----------------------------------------------------------------------------------------------------

    def happened(self, what: Happening) -> None:
        """The desk has something to show."""
        if what == "quit":
            self.leave()
        elif what == "accepted" and self.input.text == self.desk.typed:
            self.input.buffer.reset()
        elif what == "your turn" and self.desk.model.bell:
            self.application.output.bell()
        self.show_turn()
        self.follow_page()
        self.application.invalidate()

    def show_turn(self) -> None:
        """Say in the window's title whether it is the player's turn."""
        title = "gridgames: your turn" if self.desk.model.to_act else "gridgames"
        if title != getattr(self, "title", None):
            self.title = title
            self.application.output.set_title(title)

    def follow_page(self) -> None:
        """Keep the focus where the player looks: a page, the board, or the input line."""
        page, table = self.desk.page, self.desk.model.board is not None
        if (page is None, table) != self.last_page:
            self.last_page = (page is None, table)
            self.page_scroll = 0
            if page is not None:
                self.application.layout.focus(self.screen.page)
            elif table:
                self.focus_input()
            else:
                self.focus_board()

    # What the player wants --------------------------------------------------------------------------------------------

    def submit(self) -> None:
        """Hand in the typed line; it stays if something is wrong with it."""
        text, secret = self.input.text, self.desk.model.types_secret
        done = self.desk.submit(text)
        if not secret:
            self.history.append_string(text)
        if done and self.input.text == text:
            self.input.buffer.reset()

    def on_board(self) -> bool:
        """True while keys mean the board or the list."""
        return self.application.layout.has_focus(self.screen.body)

    def room_chosen(self) -> bool:
        """True if the lobby's cursor is on a room."""
        return self.desk.chosen >= len(self.desk.model.cards)

    def focus_input(self) -> None:
        """Type."""
        self.application.layout.focus(self.input)

    def focus_board(self) -> None:
        """Move on the board, or in the list."""
        self.desk.asking = None
        self.application.layout.focus(self.screen.body)

    def start_chat(self) -> None:
        """Begin to type a message."""
        self.focus_input()
        self.input.text = "/chat "
        self.input.buffer.cursor_position = len(self.input.text)

    def toggle_mouse(self) -> None:
        """Take the mouse, or give it back to the terminal for selecting text."""
        self.mouse = not self.mouse
        self.desk.model.say("The mouse is " + ("ours: click a cell." if self.mouse else "the terminal's: select text."))
        self.application.invalidate()

    def scroll_page(self, by: int) -> None:
        """Read on, or back."""
        lines = len(self.screen.whole_page())
        self.page_scroll = min(max(self.page_scroll + by, 0), max(0, lines - 5))

    def redraw(self) -> None:
        """Draw everything anew."""
        self.application.renderer.clear()

    def leave(self) -> None:
        """End the program."""
        if self.application.is_running and not self.application.is_done:
            self.application.exit()

    def click(self, target: Target) -> None:
        """Do what a click means."""
        kind, number = target
        desk = self.desk
        if kind == "cell":
            desk.cursor = number
            desk.act()
        elif kind == "key":
            self.intend(render.bar(desk, self.on_board())[number][2])
        elif isinstance(desk.page, Choice):
            desk.choose(number)
        elif isinstance(desk.page, NewRoom):
            desk.page = desk.page.moved(number - desk.page.row).turned(1)
        else:
            desk.chosen = number
            desk.choose_row()

    def intend(self, intent: str) -> None:
        """Do what a key of the bar does."""
        desk, model = self.desk, self.desk.model
        match intent:
            case "yes":
                desk.confirm(True)
            case "close":
                desk.close_page()
            case "enter" if isinstance(desk.page, NewRoom):
                desk.create_room()
            case "enter" if isinstance(desk.page, Choice):
                desk.choose(desk.chosen)
            case "enter" if self.input.text:
                self.submit()
            case "enter":
                desk.act() if model.board else desk.choose_row()
            case "new":
                desk.new_room()
            case "watch":
                desk.choose_row(watch=True)
            case "help":
                desk.grant(Turn("help"))
            case "again" | "leave" | "moves" | "rules" as word:
                desk.grant(slash(model, word, ""))
            case "chat":
                self.start_chat()
            case "mask":
                desk.toggle_mask()
            case "mark":
                desk.mark()
            case "focus":
                self.focus_input() if self.on_board() else self.focus_board()
            case "quit":
                desk.quit()
