"""The containers: one screen that is drawn as a whole, the input line, and the bar of keys."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
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
from prompt_toolkit.layout.processors import ConditionalProcessor, PasswordProcessor
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.widgets import TextArea

from gridgames_client import completion, render
from gridgames_client.bar import bar_line
from gridgames_client.desk import Desk
from gridgames_client.paint import Line, Target
from gridgames_protocol.text import harmless

if TYPE_CHECKING:
    from gridgames_client.app import App

WHEEL = {MouseEventType.SCROLL_UP: -1, MouseEventType.SCROLL_DOWN: 1}


class Legal(Completer):
    """Completes what is legal now, and only that."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        for line in completion.candidates(self.desk.model, typed):
            yield Completion(line, start_position=-len(typed))


class Ghost(AutoSuggest):
    """Suggests the rest of the line that is likely meant."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        board = self.desk.model.board
        rest = completion.suggestion(self.desk.model, document.text, board.names[self.desk.cursor] if board else None)
        return Suggestion(rest) if rest else None


class Canvas(FormattedTextControl):
    """The screen above the input line, on which the wheel turns what can be scrolled."""

    def __init__(self, screen: "Screen") -> None:
        super().__init__(screen.text, focusable=True, show_cursor=True, get_cursor_position=screen.cursor)
        self.screen = screen

    def mouse_handler(self, mouse_event: MouseEvent) -> object:
        if mouse_event.event_type in WHEEL:
            self.screen.app.turn_wheel(WHEEL[mouse_event.event_type])
            return None
        return super().mouse_handler(mouse_event)


class Screen:
    """The layout of the whole program; the one that there is for as long as it runs."""

    def __init__(self, app: "App") -> None:
        self.app = app
        self.lines: list[Line] = []  # as they were drawn last
        desk, model = app.desk, app.desk.model
        self.input = TextArea(
            multiline=False,
            height=1,
            completer=Legal(desk),
            auto_suggest=Ghost(desk),
            complete_while_typing=False,
            history=app.history,
            input_processors=[
                ConditionalProcessor(PasswordProcessor(), Condition(lambda: completion.covered(model, self.input.text)))
            ],
        )
        self.body = Canvas(self)
        asks = FormattedTextControl(self.question)
        bar = FormattedTextControl(lambda: self.clickable([bar_line(desk, app.on_board(), self.columns())]))
        # Beside the input, not in it: what hides a typed secret would hide the question too.
        line = VSplit([Window(asks, dont_extend_width=True, height=1), self.input])
        content = HSplit(
            [Window(self.body, wrap_lines=False), line, Window(bar, height=1)],
            window_too_small=Window(FormattedTextControl("The window is too small.")),
        )
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        self.layout = Layout(FloatContainer(content, [menu]), focused_element=self.body)

    def columns(self) -> int:
        """How wide the terminal is."""
        return self.app.application.output.get_size().columns

    def rows(self) -> int:
        """How many rows there are above the input line."""
        return max(1, self.app.application.output.get_size().rows - 2)

    def question(self) -> StyleAndTextTuples:
        """What stands before the input: what the menu asks for, or a mere sign."""
        asking = self.app.desk.asking
        return [("class:prompt", f" {harmless(asking.question) if asking else '>'} ")]

    def text(self) -> StyleAndTextTuples:
        """The screen as it is now."""
        app = self.app
        typed = "" if completion.covered(app.desk.model, self.input.text) else self.input.text
        self.lines = render.screen(app.desk, typed, app.glyphs, self.columns(), self.rows(), app.clock())
        return self.clickable(self.lines)

    def cursor(self) -> Point:
        """Where the terminal's cursor stands: on the chosen cell or row, for those who read with their fingers."""
        for y, line in enumerate(self.lines):
            x = 0
            for fragment in line:
                if fragment.target is not None and fragment.target == self.app.looked_at():
                    return Point(x + 2, y)
                x += len(fragment.text)
        return Point(0, 0)

    def clickable(self, lines: list[Line]) -> StyleAndTextTuples:
        """Lines as prompt_toolkit wants them, with an ear for clicks."""
        text: StyleAndTextTuples = []
        for number, line in enumerate(lines):
            if number:
                text.append(("", "\n"))
            for style, words, target in line:
                if target is None:
                    text.append((style, words))
                else:
                    text.append((style, words, self.listener(target)))
        return text

    def listener(self, target: Target) -> Callable[[MouseEvent], object]:
        """What to do when a fragment is clicked."""

        def clicked(event: MouseEvent) -> object:
            if event.event_type != MouseEventType.MOUSE_UP:
                return NotImplemented
            self.app.click(target)
            return None

        return clicked
