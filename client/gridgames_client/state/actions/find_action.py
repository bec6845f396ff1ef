"""Looks up actions in the table: for the bar, typed words, completion and help."""

from gridgames_client.state import commands
from gridgames_client.state.actions.action_table import ACTIONS
from gridgames_client.state.actions.situation import BareSituation, Situation
from gridgames_client.state.actions.user_action import UserAction, Where
from gridgames_client.state.commands import Command, Invalid
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import harmless

HELP_LAST = "help"  # the action that stays in the bar when space is short


def find(name: str) -> UserAction:
    return next(action for action in ACTIONS if action.name == name)


def list_bar(now: Situation) -> list[UserAction]:
    """The actions in the bar, the most useful first."""
    return [action for action in ACTIONS if action.possible(now) and action.label_now(now)]


def read_line(model: Model, text: str) -> Command:
    """The command that a typed line means."""
    text = text.strip()
    if model.room is None:
        return _read_word(model, text.removeprefix("/"), "lobby") or Invalid(_suggest(text, "lobby"))
    if is_command(model, text):
        return _read_word(model, text.removeprefix("/"), "room") or Invalid(_suggest(text, "room"))
    return commands.read_game_line(model, text)


def is_command(model: Model, text: str) -> bool:
    """True if a line typed in a room is a command. A word that the game does not use needs no slash."""
    word = text.strip().partition(" ")[0].lower()
    if word.startswith("/"):
        return True
    if word == "claim":
        return bool(model.claim)  # otherwise it may be a line of the game out of turn
    is_letter = len(word) == 1 and word.isalpha()  # a letter stands for a verb of the game
    verbs = {action.verb.lower() for action in model.actions}
    return not is_letter and word not in verbs and word in _list_synonyms("room")


def _read_word(model: Model, text: str, where: Where) -> Command | None:
    word, _, rest = text.partition(" ")
    for action in ACTIONS:
        if action.typed in (where, "both") and word.lower() in (action.name, *action.also):
            return action.run(model, rest.strip())
    return None


def _suggest(text: str, where: Where) -> str:
    """What to say of an unknown command: the command that is nearest to it, or else all of them."""
    import difflib  # takes a few milliseconds, and most players type no unknown command

    slash, word = "/" if where == "room" else "", text.removeprefix("/").partition(" ")[0].lower()
    if where == "lobby" and word in _list_synonyms("room"):
        return f"Type {word} when you are in a room."
    if where == "room" and word in _list_synonyms("lobby"):
        return f"Type {word} when you are in the lobby. /leave leads there."
    near = difflib.get_close_matches(word, _list_synonyms(where), n=1)
    if near:
        return f"There is no command {slash}{harmless(word)}. Did you mean {slash}{near[0]}?"
    return TABLE_HELP if where == "room" else commands.LOBBY_HELP


def _list_synonyms(where: Where) -> list[str]:
    return [word for action in ACTIONS if action.typed in (where, "both") for word in (action.name, *action.also)]


def list_words(where: Where) -> list[str]:
    """Every word that can be typed at a place."""
    return [action.name for action in ACTIONS if action.typed in (where, "both")]


def list_slashes(model: Model) -> list[str]:
    """The typed commands of a room that work now."""
    now = BareSituation(model)
    works = (action for action in ACTIONS if action.typed in ("room", "both") and action.possible(now))
    return [f"/{action.name}" for action in works]


def list_help(where: Where) -> list[tuple[str, str]]:
    """Each action of a place: its keys and word, and what it does. Actions with keys come first."""
    slash = "/" if where == "room" else ""
    rows = sorted((action for action in ACTIONS if action.is_in_help(where)), key=lambda action: not action.name_keys())
    return [(f"{action.name_keys()} {action.name_word(slash)}".strip(), action.help) for action in rows]


def list_typed_help(where: Where) -> list[tuple[str, str]]:
    """Each word that can be typed at a place, and what it does."""
    slash = "/" if where == "room" else ""
    rows = [action for action in ACTIONS if action.typed and action.is_in_help(where)]
    return [(action.name_word(slash), action.help) for action in rows]


TABLE_HELP = f"Commands start with a slash: {' '.join(f'/{word}' for word in list_words('room'))}."
