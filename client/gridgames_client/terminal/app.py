"""The full-screen program: one controller, one layout, and the keys."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle

from gridgames_client.render import overlays
from gridgames_client.render.drawing.text_layout import ASCII, LINES, TILES, Target
from gridgames_client.render.game_screen import GLOW, is_glowing
from gridgames_client.state.actions.find_action import list_bar
from gridgames_client.state.actions.game_actions import replaces_letter
from gridgames_client.state.commands import TextPage
from gridgames_client.state.controllers import board_controller, lobby_controller, replay_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.controllers.notifications import FrontEndAction, Notification, Replied
from gridgames_client.state.dialogs import Choice, NewRoom
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_client.terminal import keys
from gridgames_client.terminal.layout import Screen
from gridgames_client.terminal.output import open_output
from gridgames_client.terminal.style import Theme, choose_depth, make_style
from gridgames_client.terminal.window import GAINED, LOST, Window
from gridgames_protocol.machine.signals import call_on_signals
from gridgames_protocol.messages import Error, Play, Push, Request

REDRAW = 0.05  # seconds between two drawings at least, so that many messages do not use a whole core
ESCAPE = 0.05  # seconds to wait for the rest of an escape sequence after Esc


class App:
    """The full-screen program of one player."""

    def __init__(
        self,
        controller: Controller,
        ascii: bool = False,
        color: bool = True,
        source: Input | None = None,
        output: Output | None = None,
        mouse: bool = True,
        notifies: bool = True,
        clock: Callable[[], float] = time.monotonic,
        animate: bool = False,
        theme: Theme = "dark",
        typed_before: str = "",
    ) -> None:
        self.controller, self.get_time = controller, clock
        controller.notify = self.on_notification
        controller.confirms_secrets = True
        controller.animated = animate and color
        self.glyphs = ASCII if ascii else TILES if color else LINES
        self.history: History = InMemoryHistory()  # never a file: secrets are typed here
        self.mouse = mouse
        self.title = ""
        self.place = "lobby"  # the screen below any page
        self.input_had_focus: bool | None = None  # whether the input had the focus when a page opened; None: no page
        self.page_kind: type = type(None)  # of the page that is open
        self.holds_refused_line = False  # the input holds a refused line, not edited since
        controller.on_board, controller.typed = True, ""
        self.screen = Screen(self)
        self.screen.input.buffer.on_text_changed += self.copy_typed_line
        self.screen.input.buffer.on_cursor_position_changed += self.edit_refused_line
        depth = choose_depth(os.environ) if output is None else None
        bindings = keys.make_bindings(controller, self, self.screen.input.buffer)
        self.application: Application[None] = Application(
            layout=self.screen.layout,
            key_bindings=bindings,
            style=DynamicStyle(lambda: make_style(theme, self.application.color_depth)),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=Condition(lambda: self.mouse),
            min_redraw_interval=REDRAW,
            color_depth=depth if color else ColorDepth.DEPTH_1_BIT,
            input=source,
            output=output or open_output(),
        )
        if parser := getattr(self.application.input, "vt100_parser", None):  # Windows has none
            parser.feed(typed_before)  # it is read with the next key
        self.application.ttimeoutlen = self.application.timeoutlen = ESCAPE
        self.window = Window(self.application.output, os.environ, notifies)
        self.application.before_render += self.window.begin_frame
        self.application.after_render += self.window.end_frame
        for key, focused in ((GAINED, True), (LOST, False)):
            bindings.add(key)(partial(self.take_focus, focused))
        if self.application.color_depth is ColorDepth.DEPTH_1_BIT and not ascii:
            self.glyphs = LINES  # NO_COLOR, or a terminal without any

    async def run(self) -> None:
        """Draw until the player leaves. The terminal is restored in every case."""
        call_on_signals(("SIGTERM", "SIGHUP"), self.leave)
        self.window.open()
        self.on_notification("change")
        self.tick()
        try:
            await self.application.run_async(set_exception_handler=False, handle_sigint=False)
        finally:
            self.application.renderer.reset()  # if the first drawing fails, the alternate screen would stay on
            self.window.close()
            self.application.output.clear_title()
            self.application.output.flush()
            self.ticking.cancel()

    def tick(self) -> None:
        """Draw again every second while a clock is shown. The loop's exception handler ends the program after a bug."""
        self.ticking = asyncio.get_running_loop().call_later(1, self.tick)
        if self.controller.model.clock_ends is not None:
            self.application.invalidate()

    # What happens -----------------------------------------------------------------------------------------------------

    def on_notification(self, what: Notification) -> None:
        """Take a notification of the controller."""
        if what == "quit":
            self.leave()
        elif what == "restore line":
            self.put_back(self.controller.line_to_restore)
            if isinstance(self.controller.page, PastGames | Replaying):
                self.focus_input()
        elif what == "your turn":
            self.window.tell_turn(self.controller.model.bell)
        elif isinstance(what, FrontEndAction):
            self.do_step(what)
        elif isinstance(what, Replied):
            self.take_reply(what.request, what.reply)
        self.show_turn()
        self.update_focus()
        self.application.invalidate()
        if self.application.loop and is_glowing(self.controller, self.get_time()):
            self.application.loop.call_later(GLOW + REDRAW, self.application.invalidate)

    def take_reply(self, request: Request, reply: Push) -> None:
        """Act at the cell of a line that is only a cell, if the game does not understand it."""
        if isinstance(request, Play) and isinstance(reply, Error) and reply.code == "syntax":
            board_controller.act_on_refused_cell(self.controller, request.line)

    def do_step(self, wanted: FrontEndAction) -> None:
        """Run a step that only the front end can do."""
        match wanted.step:
            case "submit":
                self.submit()
            case "type":
                self.focus_input()
            case "board":
                self.focus_board()
            case "chat":
                self.start_chat()
            case "clear":
                self.clear_line()
            case "complete":
                self.complete()
            case "drop line":
                self.clear_line()
                self.focus_board()
            case "mouse":
                self.toggle_mouse()
            case "scroll page":
                self.scroll_page(wanted.by)
            case "redraw":
                self.redraw()
            case "suspend":
                self.suspend()
            case "leave":
                self.leave()

    def show_turn(self) -> None:
        """Say in the window's title whether it is the player's turn."""
        title = "gridgames: your turn" if self.controller.model.to_act else "gridgames"
        if title != self.title:
            self.title = title
            self.application.output.set_title(title)

    def update_focus(self) -> None:
        """Set the focus: a page, the board, the list, or the input line."""
        model, page = self.controller.model, self.controller.page
        place = "lobby" if model.room is None else "room" if model.board is None else "table"
        if place != self.place and not self.controller.room_to_watch_again:
            if "lobby" in (place, self.place):
                self.clear_line()  # a half-typed line of a room means nothing in the lobby, and vice versa
            self.place, self.input_had_focus = place, None
            if place == "lobby":
                self.focus_board()
            else:
                self.focus_input()
        if page is not None and (self.input_had_focus is None or type(page) is not self.page_kind):
            if self.input_had_focus is None:
                self.input_had_focus = not self.controller.on_board
            self.focus_body()
        elif page is None and self.input_had_focus is not None:
            if self.input_had_focus:
                self.focus_input()
            self.input_had_focus = None
        self.page_kind = type(page)

    # What the player wants --------------------------------------------------------------------------------------------

    def submit(self) -> None:
        """Submit the typed line. It stays if it is refused."""
        text = self.screen.input.text + self.screen.find_rest()
        if not self.controller.model.is_secret(text):
            self.history.append_string(text)
        self.clear_line()
        if not self.controller.submit(text):
            self.put_back(text)
        elif isinstance(self.controller.page, PastGames | Replaying) and not self.screen.input.text:
            self.focus_body()  # replays are mostly used by keys

    def put_back(self, text: str) -> None:
        """Put a refused line back, unless the player has begun another."""
        if not self.screen.input.text:
            self.screen.input.text = text
            self.screen.input.buffer.cursor_position = len(text)
            self.holds_refused_line = True

    def clear_line(self) -> None:
        """Empty the input line."""
        self.screen.input.buffer.reset()
        self.copy_typed_line()  # resetting a buffer triggers no event

    def copy_typed_line(self, sender: object = None) -> None:
        """Copy the text of the input line to the controller."""
        self.controller.typed = self.screen.input.text
        self.holds_refused_line = False

    def edit_refused_line(self, sender: object = None) -> None:
        """Edit the refused line: the next characters are added to it."""
        self.holds_refused_line = False

    def begin_line(self, text: str) -> None:
        """Type the beginning of a line. It replaces a refused line that was not edited, and another verb's letter."""
        self.focus_input()
        replaces_refused = self.holds_refused_line and not text.isspace()  # a space continues the refused line
        if replaces_refused or replaces_letter(self.controller.model, self.controller.typed, text):
            self.clear_line()
        self.screen.input.buffer.insert_text(text)

    def can_complete(self) -> bool:
        """True if the line has a rest that Tab types."""
        return not self.controller.on_board and bool(self.screen.find_rest())

    def complete(self) -> None:
        """Type the rest of the line, or offer the lines that can be typed."""
        if self.can_complete():
            self.screen.input.buffer.insert_text(self.screen.find_rest())
        else:
            self.screen.input.buffer.start_completion(insert_common_part=True)

    def get_size(self) -> Size:
        """The terminal's columns and rows."""
        return self.application.output.get_size()

    def find_target(self) -> Target:
        """The target under the cursor of the board, the list or a page."""
        page, controller = self.controller.page, self.controller
        if isinstance(page, NewRoom):
            return "row", page.row
        if isinstance(page, PastGames):
            return "row", page.row
        if isinstance(page, Replaying):
            return "step", 0
        return (
            ("row", controller.chosen_row)
            if isinstance(page, Choice) or controller.model.room is None
            else ("cell", controller.cursor)
        )

    def focus_input(self) -> None:
        """Move the focus to the input line."""
        self.controller.on_board = False
        self.application.layout.focus(self.screen.input)

    def focus_board(self) -> None:
        """Move the focus to the board or the list."""
        self.controller.cell_prompt = None
        self.focus_body()

    def focus_body(self) -> None:
        """Move the focus to the screen above the input line."""
        self.controller.on_board = True
        self.application.layout.focus(self.screen.body)

    def start_chat(self) -> None:
        """Begin to type a chat line."""
        self.focus_input()
        if not self.screen.input.text.startswith("/chat "):
            self.screen.input.text = "/chat " + self.screen.input.text
        self.screen.input.buffer.cursor_position = len(self.screen.input.text)

    def toggle_mouse(self) -> None:
        """Take the mouse, or give it back to the terminal for selecting text."""
        self.mouse = not self.mouse
        self.controller.model.say(
            "The mouse is " + ("ours: click a cell." if self.mouse else "the terminal's: select text.")
        )
        self.application.invalidate()

    def scroll_page(self, by: int) -> None:
        """Scroll the open page."""
        columns, rows = self.screen.columns(), self.screen.rows()
        lines = overlays.draw_page(self.controller, self.glyphs, overlays.measure_text(columns))[1]
        self.controller.page_top = min(max(self.controller.page_top + by, 0), overlays.find_last_top(len(lines), rows))

    def turn_wheel(self, by: int) -> None:
        """Scroll the open page or the log, or move in a list or a replay."""
        replay_controller.pick_game(self.controller, by)
        replay_controller.step(self.controller, by)
        if isinstance(self.controller.page, TextPage):
            self.scroll_page(by)
        elif self.controller.page is None:
            self.controller.scroll(-by)

    def redraw(self) -> None:
        """Clear the terminal and draw everything."""
        self.application.renderer.clear()

    def take_focus(self, focused: bool, event: object) -> None:
        """Note whether the window has the focus."""
        self.window.focused = focused

    def suspend(self) -> None:
        """Stop the program until the shell continues it."""
        if hasattr(signal, "SIGTSTP"):
            self.window.close()
            self.application.suspend_to_background()
            self.application.before_render += self.resume

    def resume(self, sender: object) -> None:
        """Draw again after the shell has continued the program."""
        self.application.before_render -= self.resume
        self.window.open()

    def leave(self) -> None:
        """End the program."""
        if self.application.is_running and not self.application.is_done:
            self.application.exit()

    def click(self, target: Target) -> None:
        """Run what a click on a target means."""
        kind, number = target
        controller = self.controller
        page = controller.page
        if kind == "key":
            self.controller.do(list_bar(controller)[number])
        elif isinstance(page, Choice):
            board_controller.choose(controller, number)
        elif isinstance(page, NewRoom):
            lobby_controller.edit_room(controller, rows=number - page.row, turns=1)
        elif isinstance(page, PastGames):
            controller.page = PastGames(number)
            replay_controller.choose_game(controller)
        elif isinstance(page, Replaying):
            replay_controller.step(controller, 1)
        elif kind == "cell":
            board_controller.act_at(controller, number)
        else:
            controller.chosen_row = number
            lobby_controller.choose_row(controller)
