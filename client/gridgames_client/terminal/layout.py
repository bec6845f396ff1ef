"""The layout: the screen, which is drawn as a whole, the input line, and the bar of keys."""

from collections.abc import Callable, Iterable
from typing import Protocol

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.layout import (
    CompletionsMenu,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.processors import (
    ConditionalProcessor,
    Processor,
    Transformation,
    TransformationInput,
)
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.widgets import TextArea

from gridgames_client.render import screen
from gridgames_client.render.drawing.text_layout import Glyphs, Line, Target, find_middle, find_target
from gridgames_client.render.game_screen import hides_second
from gridgames_client.render.key_bar import draw_bar
from gridgames_client.render.lobby_cards import fits
from gridgames_client.state import completion
from gridgames_client.state.controllers.controller import Controller
from gridgames_protocol.safe_text import harmless

STARS = "********"  # for a covered line
WHEEL = {MouseEventType.SCROLL_UP: -1, MouseEventType.SCROLL_DOWN: 1}


class LegalCompleter(Completer):
    """Completes the lines that are possible now."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        for line in completion.list_candidates(self.controller.model, typed):
            yield Completion(line, start_position=-len(typed))


class Stars(Processor):
    """Covers the typed line. There are always as many stars: their number would tell MOVE from TUNNEL."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        stars = STARS if transformation_input.document.text else ""
        return Transformation([("", stars)], lambda place: len(stars), lambda place: 0)


class RestOfLine(Processor):
    """Draws the rest of the line that Enter completes. It is computed anew whenever it is drawn."""

    def __init__(self, find_rest: Callable[[], str]) -> None:
        self.find_rest = find_rest

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        rest = self.find_rest()
        return Transformation([*transformation_input.fragments, ("class:auto-suggestion", rest)])


class Viewer(Protocol):
    """What the layout needs of the program."""

    controller: Controller
    glyphs: Glyphs
    history: History

    def get_size(self) -> Size:
        """The terminal's columns and rows."""

    def get_time(self) -> float:
        """The time on this machine's clock."""

    def find_target(self) -> Target:
        """The target under the cursor of the board, the list or a page."""

    def click(self, target: Target) -> None:
        """Run what a click on a target means."""

    def turn_wheel(self, by: int) -> None:
        """Scroll."""


class ScreenControl(FormattedTextControl):
    """The screen above the input line. The mouse wheel scrolls it."""

    def __init__(self, screen: "Screen") -> None:
        super().__init__(screen.draw, focusable=True, show_cursor=True, get_cursor_position=screen.find_cursor)
        self.screen = screen

    def mouse_handler(self, mouse_event: MouseEvent) -> object:
        if mouse_event.event_type in WHEEL:
            self.screen.app.turn_wheel(WHEEL[mouse_event.event_type])
            return None
        return super().mouse_handler(mouse_event)


class Screen:
    """The layout of the program. It is made once."""

    def __init__(self, app: Viewer) -> None:
        self.app = app
        self.lines: list[Line] = []  # as they were drawn last
        controller, model = app.controller, app.controller.model
        self.input = TextArea(
            multiline=False,
            height=1,
            completer=LegalCompleter(controller),
            complete_while_typing=False,
            history=app.history,
            input_processors=[
                ConditionalProcessor(Stars(), Condition(lambda: completion.is_covered(model, self.input.text))),
                RestOfLine(self.find_rest),
            ],
        )
        self.body = ScreenControl(self)
        asks = FormattedTextControl(self.get_prompt)
        bar = FormattedTextControl(
            lambda: self.make_clickable([draw_bar(controller, self.columns(), app.glyphs.filled)])
        )
        # Beside the input, not in it: covering a typed secret would cover the question too.
        line = VSplit([Window(asks, dont_extend_width=True, height=1), self.input], style="class:field")
        content = HSplit(
            [Window(self.body, wrap_lines=False, style="class:page"), line, Window(bar, height=1, style="class:page")],
            window_too_small=Window(FormattedTextControl("The window is too small.")),
        )
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        self.layout = Layout(FloatContainer(content, [menu]), focused_element=self.body)

    def find_rest(self) -> str:
        """The rest of the line that Enter completes; empty while the text is edited in the middle."""
        model, document = self.app.controller.model, self.input.document
        if not document.is_cursor_at_the_end:
            return ""
        cell = model.board.names[self.app.controller.cursor] if model.board else None
        return completion.suggest_rest(model, document.text, cell)

    def columns(self) -> int:
        """The terminal's columns."""
        return self.app.get_size().columns

    def rows(self) -> int:
        """The rows above the input line."""
        return max(1, self.app.get_size().rows - 2)

    def get_prompt(self) -> StyleAndTextTuples:
        """The text before the input: the menu's question, or a prompt sign."""
        asking = self.app.controller.cell_prompt
        return [("class:prompt", f" {harmless(asking.question) if asking else '>'} ")]

    def draw(self) -> StyleAndTextTuples:
        """The lines of the current screen."""
        app = self.app
        controller = app.controller
        controller.has_tiles = fits(controller.model, app.glyphs, self.columns(), self.rows())
        controller.hides_second = hides_second(controller.model, self.columns(), self.rows())
        typed = "" if completion.is_covered(controller.model, self.input.text) else self.input.text
        self.lines = screen.draw_screen(controller, typed, app.glyphs, self.columns(), self.rows(), app.get_time())
        return self.make_clickable(self.lines)

    def find_cursor(self) -> Point:
        """The place of the terminal's cursor: the chosen cell or row, for braille displays."""
        target = self.app.find_target()
        places = find_target(self.lines, target) if target else []
        if not places:
            return Point(0, 0)
        if target and target[0] == "cell":
            return Point(*find_middle(places))
        return Point(places[0][0] + 2, places[0][1])

    def make_clickable(self, lines: list[Line]) -> StyleAndTextTuples:
        """Lines as prompt_toolkit fragments, with handlers for clicks."""
        text: StyleAndTextTuples = []
        for number, line in enumerate(lines):
            if number:
                text.append(("", "\n"))
            for style, words, target in line:
                if target is None:
                    text.append((style, words))
                else:
                    text.append((style, words, self.make_click_handler(target)))
        return text

    def make_click_handler(self, target: Target) -> Callable[[MouseEvent], object]:
        """The handler for clicks on a target."""

        def clicked(event: MouseEvent) -> object:
            if event.event_type != MouseEventType.MOUSE_UP:
                return NotImplemented
            self.app.click(target)
            return None

        return clicked
