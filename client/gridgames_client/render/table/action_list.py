"""Draws the player's actions, each with a letter, the cursor's cell, and what it will tell."""

from gridgames_client.render.drawing.text_layout import Glyphs, Line, blank, indent, say, width, wrap
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.drawing.widgets import draw_key, insert_short_names
from gridgames_client.state.actions.game_actions import (
    choose_letters,
    find_begun_action,
    find_default,
    is_possible,
    list_usable,
)
from gridgames_client.state.cell_input import find_shown_cell
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Action

INDENT = 4
GAP = 2  # columns between the parts of a row
TYPE_IT = ("type it unseen, * shows", "type it unseen", "type it")  # the longest that fits
NAMES = {"setup": "BEFORE THE GAME", "play": "YOUR TURN", "over": ""}


def find_marked_action(model: Model, typed: str) -> Action | None:
    """The action whose cells the board marks: the typed one, or else the first. It does not change with the cursor."""
    return find_begun_action(model, typed.strip().partition(" ")[0]) or next(iter(list_usable(model)), None)


def find_chosen_action(controller: Controller, typed: str) -> Action | None:
    """The action that the typed line begins with; else the first one that is possible at the cell in the frame."""
    begun = find_begun_action(controller.model, typed.strip().partition(" ")[0])
    actions = list_usable(controller.model)
    if begun or not actions:
        return begun
    cell = find_shown_cell(controller.model, controller.cursor, typed)
    return actions[find_default(controller.model, actions, cell)]


def covers_cells(model: Model, action: Action) -> bool:
    """True while an action's cells would reveal an own secret."""
    return model.masked and action.private


def spell(model: Model, action: Action, cell: str) -> tuple[str, bool]:
    """An action with a cell, and whether it may be done there. The cell is empty while the cursor is hidden."""
    if action.cells is None:
        return action.form.capitalize(), True
    named = f"{action.form.replace('{cell}', '').strip().capitalize()} {cell or '?'}"
    return named, is_possible(model, action, cell)


def draw_actions(
    controller: Controller, typed: str, glyphs: Glyphs, wide: int, large: bool, tight: bool = False
) -> list[Line]:
    """The lines of the actions. Without actions, what the player waits for."""
    model = controller.model
    assert model.show
    if model.claim:
        claim = [draw_key("/claim", glyphs), blank(1), *say(f"take {model.claim}", "class:good")]
        return [claim, *_list_actions(controller, typed, glyphs, wide, tight, large)]
    listed = _list_actions(controller, typed, glyphs, wide, tight, large)
    if listed and large:
        return [say(NAMES[model.show.view.phase], "class:heading"), *listed]
    return listed or wrap(explain_wait(model), wide, "class:quiet")


def _list_actions(
    controller: Controller, typed: str, glyphs: Glyphs, wide: int, tight: bool, large: bool
) -> list[Line]:
    """A line for each action. What it tells stands beside it, below the chosen one, or below each if there is space."""
    lines: list[Line] = []
    actions = list_usable(controller.model)
    chosen = find_chosen_action(controller, typed)
    cell = find_shown_cell(controller.model, controller.cursor, typed)
    for action, letter in zip(actions, choose_letters(actions), strict=True):
        words, legal = spell(controller.model, action, cell)
        cap = draw_key(letter, glyphs, chosen=action is chosen)
        words += f" {glyphs.turn[1]}" if action is chosen and not glyphs.filled else ""
        line = [cap, blank(1), *say(words, "class:strong" if legal else "class:quiet")]
        told = action.tells or action.help if legal else "not possible here"
        told = harmless(insert_short_names(controller.model, told))
        beside = wide - width(line) - 2
        if columns_of(told) <= beside:
            lines.append([*line, blank(2), *say(told, "class:text" if action is chosen else "class:quiet")])
        elif tight or (action is not chosen and not large):
            lines.append(line)
        else:
            lines += [line, *indent(wrap(told, wide - INDENT, "class:quiet"), INDENT)]
    return lines


def draw_tells(controller: Controller, typed: str) -> Line:
    """What the chosen action will tell, in a row of its own."""
    action = find_chosen_action(controller, typed)
    if action is None or controller.model.ending:
        return []
    words = action.tells or action.help
    return say(f" {action.verb.capitalize()}: {insert_short_names(controller.model, words)}", "class:quiet")


def explain_wait(model: Model) -> str:
    """What the player waits for."""
    assert model.show
    if model.show.you is None:
        return "You watch: you see what both players may know, and no secret."
    return insert_short_names(model, model.show.view.prompt)


def draw_row(controller: Controller, typed: str, glyphs: Glyphs, columns: int) -> Line:
    """The actions in one row, for screens without a pane."""
    actions = list_usable(controller.model)
    chosen = find_chosen_action(controller, typed)
    cell = find_shown_cell(controller.model, controller.cursor, typed)
    line: Line = []
    for action, letter in zip(actions, choose_letters(actions), strict=True):
        words, legal = spell(controller.model, action, cell)
        line += [blank(2)] if line else [blank(1)]
        line += [draw_key(letter, glyphs, action is chosen), blank(1)]
        line += say(words, "class:strong" if legal else "class:quiet")
    if controller.model.chooses_unseen:
        more = next((text for text in TYPE_IT if width(line) + GAP + columns_of(text) <= columns), "")
        line += [blank(GAP), *say(more, "class:quiet")] if more else []
    return line
