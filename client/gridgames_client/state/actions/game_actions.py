"""The actions of the game: which of them can be used, the letter of each, and which one a typed line begins with."""

from collections.abc import Sequence

from gridgames_client.state.model import Model
from gridgames_protocol.views import Action


def list_usable(model: Model) -> list[Action]:
    """The actions that can be used somewhere."""
    return [action for action in model.actions if action.cells is None or action.cells]


def is_possible(model: Model, action: Action, cell: str) -> bool:
    """True if an action can be used at a cell, or no cell is shown. A covered private action is possible anywhere."""
    return not cell or action.cells is None or cell in action.cells or (model.masked and action.private)


def find_default(model: Model, actions: Sequence[Action], cell: str) -> int:
    """The place of the action that Enter chooses at a cell: the first one, or if it is impossible one without a cell.

    No other action at this cell is chosen by itself: a guess or a tunnel may cost something.
    """
    if is_possible(model, actions[0], cell):
        return 0
    return next((place for place, action in enumerate(actions) if action.cells is None), 0)


def choose_letters(actions: list[Action]) -> list[str]:
    """A letter for each action: the first of its verb that no earlier one has."""
    taken: list[str] = []
    for action in actions:
        free = [
            letter for letter in action.verb.lower() if letter.isascii() and letter.isalnum() and letter not in taken
        ]
        taken.append(free[0] if free else "")
    return taken


def find_by_letter(actions: list[Action], letter: str) -> int | None:
    """The place of the action with a letter."""
    letters = choose_letters(actions)
    return letters.index(letter.lower()) if letter and letter.lower() in letters else None


def find_begun_action(model: Model, word: str) -> Action | None:
    """The action that a word means: its letter, its verb, or a beginning that no other verb has."""
    actions = list_usable(model)
    place = find_by_letter(actions, word)
    if place is not None:
        return actions[place]
    begun = [action for action in actions if word and action.verb.startswith(word.upper())]
    return begun[0] if len(begun) == 1 else None


def find_typed_verb(model: Model, typed: str) -> Action | None:
    """The action of a typed line that names no cell yet."""
    word = typed.strip()
    return find_begun_action(model, word) if " " not in word else None


def replaces_letter(model: Model, typed: str, letter: str) -> bool:
    """True if a letter means another action than the only letter that is typed, and does not continue its verb."""
    actions = list_usable(model)
    continues = any(action.verb.startswith((typed + letter).upper()) for action in actions)
    before, after = find_by_letter(actions, typed), find_by_letter(actions, letter)
    return None not in (before, after) and before != after and not continues
