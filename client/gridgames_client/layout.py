"""The containers: one screen that is drawn as a whole, the input line, the bar, and pages that float above."""

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
    ConditionalContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.processors import ConditionalProcessor, PasswordProcessor
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.widgets import Frame, TextArea

from gridgames_client import commands, pages, render
from gridgames_client.desk import Desk
from gridgames_client.paint import Line, Target, width

if TYPE_CHECKING:
    from gridgames_client.app import App

PAGE_COLUMNS = 76


class Legal(Completer):
    """Completes what is legal now, and only that."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def get_completions(self, document: Document, complete_event: CompleteEvent):  # type: ignore[no-untyped-def]
        typed = document.text_before_cursor
        for line in commands.candidates(self.desk.model, typed):
            yield Completion(line, start_position=-len(typed))


class Ghost(AutoSuggest):
    """Suggests the rest of a line when only one is left."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        found = commands.candidates(self.desk.model, document.text) if document.text.strip() else []
        return Suggestion(found[0][len(document.text) :]) if len(found) == 1 else None


class Screen:
    """The layout of the whole program; the one that there is for as long as it runs."""

    def __init__(self, app: "App") -> None:
        self.app = app
        desk = app.desk
        hidden = Condition(lambda: desk.model.types_secret and desk.model.masked and not app.input.text.startswith("/"))
        app.input = self.input = TextArea(
            multiline=False,
            height=1,
            completer=Legal(desk),
            auto_suggest=Ghost(desk),
            complete_while_typing=False,
            history=app.history,
            input_processors=[ConditionalProcessor(PasswordProcessor(), hidden)],
        )
        self.body = FormattedTextControl(
            self.body_text, focusable=True, show_cursor=True, get_cursor_position=self.cursor
        )
        self.page = FormattedTextControl(self.page_text, focusable=True, show_cursor=False)
        self.page_window = Window(self.page, height=self.page_height, width=self.page_width, style="class:page")
        bar = FormattedTextControl(lambda: self.clickable([render.bar_line(desk, app.on_board(), self.columns())]))
        asks = FormattedTextControl(lambda: [("class:prompt", f" {desk.asking.question if desk.asking else '>'} ")])
        # Beside the input, not in it: what hides a typed secret would hide the question too.
        line = VSplit([Window(asks, dont_extend_width=True, height=1), self.input])
        content = HSplit(
            [Window(self.body, wrap_lines=False), line, Window(bar, height=1)],
            window_too_small=Window(FormattedTextControl("The window is too small.")),
        )
        frame = Frame(self.page_window, title=lambda: pages.page(desk, app.glyphs, PAGE_COLUMNS)[0])
        page_open = Condition(lambda: desk.page is not None)
        self.layout = Layout(
            FloatContainer(
                content,
                [
                    Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True),
                    Float(ConditionalContainer(frame, page_open)),
                ],
            ),
            focused_element=self.body,
        )

    # What is drawn ----------------------------------------------------------------------------------------------------

    def columns(self) -> int:
        return self.app.application.output.get_size().columns

    def rows(self) -> int:
        return max(1, self.app.application.output.get_size().rows - 2)

    def body_lines(self) -> list[Line]:
        """The screen as it is now."""
        app = self.app
        model = app.desk.model
        typed = "" if model.types_secret and model.masked else self.input.text
        return render.screen(app.desk, typed, app.glyphs, self.columns(), self.rows(), app.clock())

    def body_text(self) -> StyleAndTextTuples:
        return self.clickable(self.body_lines())

    def cursor(self) -> Point:
        """Where the terminal's cursor stands: on the chosen cell or row, for those who read with their fingers."""
        desk = self.app.desk
        wanted: Target = ("row", desk.chosen) if desk.model.room is None else ("cell", desk.cursor)
        for y, line in enumerate(self.body_lines()):
            x = 0
            for fragment in line:
                if fragment.target == wanted:
                    return Point(x + 2, y)
                x += len(fragment.text)
        return Point(0, 0)

    def whole_page(self) -> list[Line]:
        columns = min(PAGE_COLUMNS, self.columns() - 4)
        return pages.page(self.app.desk, self.app.glyphs, columns)[1]

    def page_lines(self) -> list[Line]:
        """The page from where it is scrolled to."""
        return self.whole_page()[self.app.page_scroll :]

    def page_text(self) -> StyleAndTextTuples:
        return self.clickable(self.page_lines())

    def page_height(self) -> Dimension:
        return Dimension(preferred=max(1, len(self.page_lines())), max=max(1, self.rows() - 2))

    def page_width(self) -> Dimension:
        widest = max(map(width, self.whole_page()), default=0)
        return Dimension(preferred=min(widest + 1, self.columns() - 4))

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

    def listener(self, target: Target):  # type: ignore[no-untyped-def]
        """What to do when a fragment is clicked."""

        def clicked(event: MouseEvent) -> object:
            if event.event_type != MouseEventType.MOUSE_UP:
                return NotImplemented
            self.app.click(target)
            return None

        return clicked
