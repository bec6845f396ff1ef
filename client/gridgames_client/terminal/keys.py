"""The key bindings: every key of the action table, and letters, which begin a typed line.

A letter never acts at once where a line can be typed, so that every word can be typed: only Enter runs it. Questions
and the dialogue for a new room take no line. With `keys = "vi"` the letters h j k l move; there a slash begins a word.
"""

from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, Filter, has_completions
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from gridgames_client.state.actions.action_table import ACTIONS
from gridgames_client.state.actions.situation import allows_key
from gridgames_client.state.actions.user_action import UserAction
from gridgames_client.state.commands import Confirm, TextPage
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.dialogs import Choice, NewRoom


class InputLine(Protocol):
    """What the bindings need of the input line."""

    holds_refused_line: bool  # it holds a refused line, not edited since

    def begin_line(self, text: str) -> None:
        """Type the beginning of a line."""

    def edit_refused_line(self, sender: object = None) -> None:
        """Edit the refused line: the next characters are added to it."""

    def can_complete(self) -> bool:
        """True if the line has a rest that Tab types."""

    def complete(self) -> None:
        """Type the rest of the line."""


def bind(keys: KeyBindings, *names: str, when: Filter, do: Callable[[], object]) -> None:
    """Bind keys to a function while a condition holds."""

    def pressed(event: KeyPressEvent) -> None:
        do()

    for name in names:
        keys.add(name, filter=when)(pressed)


def bind_action(keys: KeyBindings, action: UserAction, controller: Controller) -> None:
    """Bind the keys of one action."""
    for key in action.keys:
        possible = Condition(lambda key=key: action.possible(controller) and allows_key(key, controller))  # type: ignore[misc]
        bind(keys, key, when=possible, do=lambda: controller.do(action))


def make_bindings(controller: Controller, line: InputLine, buffer: Buffer) -> KeyBindings:
    """Every key of the full-screen program."""
    keys = KeyBindings()

    def can_begin_line() -> bool:
        return controller.on_board and not isinstance(controller.page, Confirm | NewRoom)

    def may_replace_line() -> bool:
        return not controller.on_board and (line.holds_refused_line or len(controller.typed) == 1)

    @keys.add(Keys.Any, filter=Condition(lambda: can_begin_line() or may_replace_line()))
    def _(event: KeyPressEvent) -> None:
        """Any other character begins a typed line. It closes a choice among actions and a text."""
        if not event.data.isprintable() or (isinstance(controller.page, Choice) and event.data.isspace()):
            return
        if isinstance(controller.page, Choice | TextPage):
            controller.close_page()
        line.begin_line(event.data)

    for action in ACTIONS:
        bind_action(keys, action, controller)
    bind(keys, "tab", when=Condition(line.can_complete) & ~has_completions, do=line.complete)
    completing = has_completions & Condition(lambda: not controller.on_board)
    keys.add("escape", filter=completing)(lambda event: buffer.cancel_completion())
    bind(
        keys,
        "end",
        "c-e",
        when=Condition(lambda: line.holds_refused_line and not controller.on_board),
        do=line.edit_refused_line,
    )
    return keys
