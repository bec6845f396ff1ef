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

from gridgames_client import keys, leafing, pages
from gridgames_client.bar import bar
from gridgames_client.commands import Turn, slash
from gridgames_client.desk import Desk, Happening
from gridgames_client.dialogues import Choice, NewRoom
from gridgames_client.layout import Screen
from gridgames_client.paint import ASCII, LINES, Target
from gridgames_client.past import PastGames, Replaying
from gridgames_client.style import STYLE

REDRAW = 0.05  # seconds between two drawings at least: a flood of news must not cost a core
ESCAPE = 0.05  # seconds to wait for the rest of an escape sequence: the key alone should not take half a second


class App:
    """What the player looks at."""

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
        self.title = ""
        self.place = "lobby"  # what is drawn below any page
        self.typed_before: bool | None = None  # whether the input had the focus when a page opened; None: no page
        self.page_kind: type = type(None)  # of the page that is open
        self.refused = False  # the input holds a line that came back, as it was
        self.screen = Screen(self)
        self.screen.input.buffer.on_text_changed += self.keep_refused
        self.screen.input.buffer.on_cursor_position_changed += self.keep_refused
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
        self.application.ttimeoutlen = self.application.timeoutlen = ESCAPE

    async def run(self) -> None:
        """Draw until the player leaves; every way out restores the terminal."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with contextlib.suppress(AttributeError, NotImplementedError):  # Windows has neither
                loop.add_signal_handler(getattr(signal, name), self.leave)
        self.happened("change")
        ticking = loop.create_task(self.tick())
        try:
            await self.application.run_async(set_exception_handler=False, handle_sigint=False)
        finally:
            self.application.renderer.reset()  # a bug in the very first drawing would leave the other screen on
            self.application.output.clear_title()
            self.application.output.flush()
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
        elif what == "given back":
            self.put_back(self.desk.given_back)
            if isinstance(self.desk.page, PastGames | Replaying):
                self.focus_input()
        elif what == "your turn" and self.desk.model.bell:
            self.application.output.bell()
        self.show_turn()
        self.follow()
        self.application.invalidate()

    def show_turn(self) -> None:
        """Say in the window's title whether it is the player's turn."""
        title = "gridgames: your turn" if self.desk.model.to_act else "gridgames"
        if title != self.title:
            self.title = title
            self.application.output.set_title(title)

    def follow(self) -> None:
        """Keep the focus where the player looks: a page, the board, the list, or the input line."""
        model, page = self.desk.model, self.desk.page
        place = "lobby" if model.room is None else "room" if model.board is None else "table"
        if place != self.place and not self.desk.returning:
            self.place, self.typed_before = place, None
            if place == "lobby":
                self.screen.input.buffer.reset()  # what was typed at a table means nothing here
                self.focus_board()
            else:
                self.focus_input()
        if page is not None and (self.typed_before is None or type(page) is not self.page_kind):
            self.typed_before = not self.on_board() if self.typed_before is None else self.typed_before
            self.application.layout.focus(self.screen.body)
        elif page is None and self.typed_before is not None:
            if self.typed_before:
                self.focus_input()
            self.typed_before = None
        self.page_kind = type(page)

    # What the player wants --------------------------------------------------------------------------------------------

    def submit(self) -> None:
        """Hand in the typed line; it comes back if something is wrong with it."""
        text = self.screen.input.text
        if not self.desk.model.is_secret(text):
            self.history.append_string(text)
        self.screen.input.buffer.reset()
        self.refused = False
        if not self.desk.submit(text):
            self.put_back(text)
        elif isinstance(self.desk.page, PastGames | Replaying) and not self.screen.input.text:
            self.application.layout.focus(self.screen.body)  # most of what one does there is done by keys

    def put_back(self, text: str) -> None:
        """Give a line back for correction, unless the player has begun another."""
        if not self.screen.input.text:
            self.screen.input.text = text
            self.screen.input.buffer.cursor_position = len(text)
            self.refused = True

    def keep_refused(self, sender: object = None) -> None:
        """Let what is typed next be part of the line that came back."""
        self.refused = False

    def begin_line(self, text: str) -> None:
        """Type the beginning of a line, in the place of one that came back and was not touched."""
        self.focus_input()
        if self.refused and not text.isspace():  # nobody begins a line with a space: it goes on with the old one
            self.screen.input.buffer.reset()
        self.refused = False
        self.screen.input.buffer.insert_text(text)

    def on_board(self) -> bool:
        """True while keys mean the board or the list."""
        return self.application.layout.has_focus(self.screen.body)

    def looked_at(self) -> Target:
        """What the cursor of the board, the list or a page is on."""
        page, desk = self.desk.page, self.desk
        if isinstance(page, NewRoom):
            return "row", page.row
        if isinstance(page, PastGames):
            return "row", page.chosen
        if isinstance(page, Replaying):
            return "step", 0
        return ("row", desk.chosen) if isinstance(page, Choice) or desk.model.room is None else ("cell", desk.cursor)

    def room_chosen(self) -> bool:
        """True if the lobby's cursor is on a room."""
        return self.desk.chosen_room() is not None

    def focus_input(self) -> None:
        """Type."""
        self.application.layout.focus(self.screen.input)

    def focus_board(self) -> None:
        """Move on the board, or in the list."""
        self.desk.asking = None
        self.application.layout.focus(self.screen.body)

    def start_chat(self) -> None:
        """Begin to type a message."""
        self.focus_input()
        if not self.screen.input.text.startswith("/chat "):
            self.screen.input.text = "/chat " + self.screen.input.text
        self.screen.input.buffer.cursor_position = len(self.screen.input.text)

    def toggle_mouse(self) -> None:
        """Take the mouse, or give it back to the terminal for selecting text."""
        self.mouse = not self.mouse
        self.desk.model.say("The mouse is " + ("ours: click a cell." if self.mouse else "the terminal's: select text."))
        self.application.invalidate()

    def scroll_page(self, by: int) -> None:
        """Read on, or back."""
        columns, rows = self.screen.columns(), self.screen.rows()
        lines = pages.page(self.desk, self.glyphs, pages.text_columns(columns))[1]
        self.desk.page_top = min(max(self.desk.page_top + by, 0), pages.last_top(len(lines), rows))

    def turn_wheel(self, by: int) -> None:
        """Scroll the page that is open, or the log; go through a list or a replay."""
        leafing.pick_game(self.desk, by)
        leafing.step(self.desk, by)
        if isinstance(self.desk.page, Turn):
            self.scroll_page(by)
        elif self.desk.page is None:
            self.desk.scroll(-by)

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
        if kind == "key":
            self.intend(bar(desk, self.on_board())[number].intent)
        elif isinstance(desk.page, Choice):
            desk.choose(number)
        elif isinstance(desk.page, NewRoom):
            desk.edit_room(rows=number - desk.page.row, turns=1)
        elif isinstance(desk.page, PastGames):
            desk.page = PastGames(number)
            leafing.choose_game(desk)
        elif isinstance(desk.page, Replaying):
            leafing.step(desk, 1)
        elif kind == "cell":
            desk.cursor = number
            desk.act()
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
            case "enter" if isinstance(desk.page, PastGames) and self.on_board():
                leafing.choose_game(desk)
            case "next" | "previous":
                leafing.step(desk, 1 if intent == "next" else -1)
            case "eyes":
                leafing.turn_eyes(desk)
            case "enter" if self.screen.input.text:
                self.submit()
            case "enter":
                desk.act() if model.board else desk.choose_row()
            case "new":
                desk.new_room(desk.chosen)
            case "watch":
                desk.choose_row(watch=True)
            case "help":
                desk.grant(Turn("help"))
            case "again" | "leave" | "moves" | "rules" | "claim" as word:
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
