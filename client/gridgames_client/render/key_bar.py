"""The bar at the bottom: the keys that work now, the most useful first."""

from gridgames_client.render.drawing.text_layout import Fragment, Line, width
from gridgames_client.state.actions.find_action import HELP_LAST, list_bar
from gridgames_client.state.actions.user_action import UserAction
from gridgames_client.state.controllers.controller import Controller


def draw_bar(controller: Controller, columns: int, spaced: bool = False) -> Line:
    """The bar as a line. Keys that do not fit are left out from the end; help stays longest."""
    keys = list(enumerate(list_bar(controller)))
    for count in range(len(keys), -1, -1):
        left_out = [each for each in keys[count:] if each[1].name == HELP_LAST]
        line = [
            fragment
            for number, key in keys[:count] + left_out
            for fragment in draw_entry(controller, number, key, spaced)
        ]
        if width(line) <= columns:
            return line
    return []


def draw_entry(controller: Controller, number: int, action: UserAction, spaced: bool) -> Line:
    """A key of the bar, and what it does."""
    target = ("key", number)
    return [
        Fragment("class:key", f" {action.key_now(controller)} ", target),
        Fragment("class:does", f"{' ' * spaced}{action.label_now(controller)} ", target),
    ]
