"""Commands, and how typed lines become commands. The lines of a game come from the view's actions."""

from dataclasses import dataclass
from typing import Literal, cast

from gridgames_client.state.actions.game_actions import find_begun_action
from gridgames_client.state.cell_names import names_other_cell, parse_cell, parse_choice
from gridgames_client.state.model import Model
from gridgames_protocol.messages import (
    CHAT_MAX,
    LINE_MAX,
    Again,
    AskHint,
    AskHistory,
    AskStandings,
    Chat,
    Claim,
    Create,
    First,
    Join,
    Leave,
    Level,
    OfferDraw,
    Play,
    Request,
    Resign,
    Watch,
)
from gridgames_protocol.rules import InvalidField
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Action, Card

PageName = Literal["help", "rules", "moves", "seals", "standings"]
Setting = Literal["mask", "bell", "board", "words"]
Step = Literal[
    "act", "board", "choose", "choose row", "clear", "close", "complete", "create", "drop line",
    "edit row", "edit value", "eyes", "first step", "go", "last step", "leave", "mark", "mouse", "move columns",
    "move rows", "new room", "newest", "other board", "pick beside", "pick game", "pick row", "redraw", "replay chosen",
    "scroll log", "scroll page", "skip", "standings", "step", "submit", "suspend", "type", "watch row", "yes",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to the server; its id is set when it is sent."""

    request: Request


@dataclass(frozen=True, slots=True)
class Confirm:
    """Ask the player first, then send the request. None means to leave the program."""

    question: str
    request: Request | None


@dataclass(frozen=True, slots=True)
class TextPage:
    """Show a page of text."""

    page: PageName
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Toggle:
    """Switch a setting of the client."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class Save:
    """Write the game that is over to a file."""

    path: str


@dataclass(frozen=True, slots=True)
class OpenReplay:
    """Replay a finished game from one of its steps."""

    number: int
    step: int = 0


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the program."""


@dataclass(frozen=True, slots=True)
class ChooseCell:
    """Ask for the row and the column of an action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Press:
    """A step of the client, and by how much."""

    step: Step
    by: int = 0


@dataclass(frozen=True, slots=True)
class Tutorial:
    """Start a guided game against the computer."""

    game: str


@dataclass(frozen=True, slots=True)
class Say:
    """Show a message of the client."""

    text: str


@dataclass(frozen=True, slots=True)
class Invalid:
    """The line is not possible. The text says what is."""

    text: str


Command = Ask | Confirm | TextPage | Toggle | Save | OpenReplay | Quit | ChooseCell | Press | Say | Tutorial | Invalid

NO_ID = 1  # a request's id until it is sent
LOBBY_HELP = "Type create and a game, join or watch and a room's code, history, standings, help, or quit."
ON_OFF = ("", "on", "off")
VALUES = {"private": ("", "yes", "true", "no", "false"), "assist": ON_OFF, "hints": ON_OFF}
OPTION_KEYS = ("first", "clock", "private", "bot", "assist", "hints", "variant")
OPTIONS = (
    "The options are: bot=easy, medium or hard; first=random, host or guest; clock=SECONDS, 5 or more; private; assist;"
    " hints; variant=NAME, as the game's rules tell."
)
WHICH = "Type replay and the number of a game that history lists, for example: replay 12."
RESIGN = "Give this game to the other player?"
LEAVE = "Leave this game? That gives it to the other player."


# In the lobby ---------------------------------------------------------------------------------------------------------


def read_tutorial(model: Model, words: list[str]) -> Command:
    """Read which game to be guided through."""
    card, _ = split_game(model, words)
    if card is None:
        return Invalid("Type tutorial and a game: " + ", ".join(card.slug for card in model.cards) + ".")
    return Tutorial(card.slug)


def read_room(model: Model, verb: Literal["join", "watch"], words: list[str]) -> Command:
    """Read which room to join or to watch."""
    if len(words) != 1:
        return Invalid(f"Type {verb} and a room's code, for example: {verb} K7QX2M.")
    kind = Join if verb == "join" else Watch
    return Ask(kind(NO_ID, words[0][:16].upper()))


def go_elsewhere(model: Model, rest: str) -> Command:
    """Go to the server that was found."""
    return Press("go") if model.elsewhere else Invalid("No new server has appeared since you started.")


def read_create(model: Model, words: list[str]) -> Command:
    """Read the options of a new room."""
    card, words = split_game(model, words)
    if card is None:
        slugs = [card.slug for card in model.cards] or ["GAME"]
        return Invalid(f"Type create and one of these: {', '.join(slugs)}. For example: create {slugs[-1]} first=host.")
    options: dict[str, str] = {}
    for word in words:
        key, _, value = word.lower().partition("=")
        if value not in VALUES.get(key, (value,)) or key not in OPTION_KEYS:
            return Invalid(OPTIONS)
        options[key] = value
    try:
        return Ask(build_create(card.slug, options))
    except (InvalidField, ValueError):
        return Invalid(OPTIONS)


def read_play(model: Model, words: list[str]) -> Command:
    """Read a game against the computer. It plays easily and with assist, unless the words say otherwise."""
    card = split_game(model, words)[0]
    if card is None:
        slugs = ", ".join(card.slug for card in model.cards)
        return Invalid(f"Type play and one of these, to play the computer: {slugs}.")
    usual = ["bot=easy", *(["assist"] if card.assist and model.wants_assist else [])]
    typed = {word.lower().partition("=")[0] for word in words}
    return read_create(model, [*words, *(word for word in usual if word.partition("=")[0] not in typed)])


def build_create(game: str, options: dict[str, str]) -> Create:
    """The request for a room. `Create` checks the options."""
    first, bot = cast("First", options.get("first", "random")), cast("Level | None", options.get("bot"))
    clock = int(options["clock"]) if "clock" in options else None
    private, assist = options.get("private", "no") not in ("no", "false"), options.get("assist", "off") != "off"
    hints = options.get("hints", "off") != "off"
    return Create(NO_ID, game, first, bot, private, clock, assist, options.get("variant"), hints=hints)


def split_game(model: Model, words: list[str]) -> tuple[Card | None, list[str]]:
    """The game that the first words name, by its slug or its title, and the words behind it."""
    for count in range(len(words), 0, -1):
        card = find_game(model, "-".join(words[:count]))
        if card:
            return card, words[count:]
    return None, words


def find_game(model: Model, word: str) -> Card | None:
    """The game with this slug, or the only one whose slug begins so."""
    found = [card for card in model.cards if card.slug.startswith(word.lower())]
    return model.card(word.lower()) or (found[0] if len(found) == 1 else None)


def read_rules(model: Model, words: list[str]) -> Command:
    """Read which game's rules are asked for."""
    card = model.card(model.room.game) if model.room and not words else split_game(model, words)[0]
    if card is None:
        return Invalid("Type rules and a game: " + ", ".join(card.slug for card in model.cards) + ".")
    return TextPage("rules", card.slug)


# Finished games -------------------------------------------------------------------------------------------------------


def read_look_back(model: Model, verb: str, words: list[str]) -> Command:
    """Read a line of history, replay or standings."""
    match verb, [word.lower() for word in words]:
        case "history" | "replay", []:
            return Ask(AskHistory(NO_ID))
        case "history", ["more"]:
            return ask_older_games(model)
        case "history", _:
            return Invalid("Type history for your newest games, history more for older ones.")
        case "replay", [number] if is_number(number) and int(number):
            return OpenReplay(int(number))
        case "replay", [number, step] if is_number(number) and int(number) and is_number(step):
            return OpenReplay(int(number), int(step))
        case "replay", _:
            return Invalid(WHICH)
    return read_standings(model, words)


def is_number(text: str) -> bool:
    """True for a number of a game or of a step."""
    return text.isascii() and text.isdecimal() and len(text) <= 15


def ask_older_games(model: Model) -> Command:
    """Ask for games older than the listed ones."""
    if not model.past_games:
        return Ask(AskHistory(NO_ID))
    if not model.has_older_games:
        return Invalid("There are no older ones.")
    return Ask(AskHistory(NO_ID, model.past_games[-1].number))


def read_standings(model: Model, words: list[str]) -> Command:
    """Read which game's standings are asked for. No game means all of them."""
    card, _ = split_game(model, words)
    if words and card is None:
        slugs = ", ".join(card.slug for card in model.cards)
        return Invalid(f"Type standings for all games together, or standings and one of these: {slugs}.")
    return Ask(AskStandings(NO_ID, card.slug if card else None))


# In a room ------------------------------------------------------------------------------------------------------------


def read_chat(model: Model, text: str) -> Command:
    """Send a chat line to the room."""
    if not text:
        return Invalid("Type /chat and what you want to say.")
    return (
        Ask(Chat(NO_ID, text))
        if len(text) <= CHAT_MAX
        else Invalid(f"That is too long: at most {CHAT_MAX} characters.")
    )


def ask_rematch(model: Model, rest: str) -> Command:
    """Ask for another game."""
    return Ask(Again(NO_ID))


def resign(model: Model, rest: str) -> Command:
    """Give the game up, after a question."""
    return Confirm(RESIGN, Resign(NO_ID)) if model.in_game else Invalid("There is no game to give up.")


def leave(model: Model, rest: str) -> Command:
    """Go back to the lobby. In a running game the player is asked first."""
    return Confirm(LEAVE, Leave(NO_ID)) if model.in_game else Ask(Leave(NO_ID))


def offer_draw(model: Model, rest: str) -> Command:
    """Offer a draw, or accept one."""
    return Ask(OfferDraw(NO_ID)) if model.in_game else Invalid("There is no game to end.")


def ask_hint(model: Model, rest: str) -> Command:
    """Ask for the best line and why."""
    return Ask(AskHint(NO_ID)) if model.in_game else Invalid("There is no game to give a hint for.")


def claim(model: Model) -> Command:
    """Claim what is offered."""
    return Ask(Claim(NO_ID))


def show_moves(model: Model, rest: str) -> Command:
    """Show the moves of a finished game, or the seals of a running one."""
    return TextPage("moves" if model.ending else "seals")


def show_words(model: Model, rest: str) -> Command:
    """Show the four words by which both players compare what they were shown."""
    if not model.commits:
        return Invalid("There is nothing to compare yet: nothing is sealed in this game.")
    return Say(f"{model.phrase}. The other player types /words too: the same words mean that you were shown the same.")


def save_game(model: Model, path: str) -> Command:
    """Save a finished game to a file."""
    if not path:
        return Invalid("Type /save and the name of a file.")
    return Save(path) if model.ending else Invalid("A game can be saved when it is over.")


def read_game_line(model: Model, text: str) -> Command:
    """Read a line of the game: a menu's key, a verb, a cell, or a complete line."""
    if not text:
        return Invalid("Type a line, or choose a cell with the arrow keys and press Enter.")
    for action in model.actions:
        if text in (action.key, action.form) or text.upper() == action.verb:
            return ChooseCell(action) if action.cells is not None else play_line(model, action.form)
    if len(model.actions) == 1 and not text[0].isalpha():
        text = f"{model.actions[0].verb} {text}"  # with one action, its cell is enough
    word, _, cell = text.partition(" ")
    begun, board = find_begun_action(model, word), model.board
    if begun and not cell and begun.cells is None:
        return play_line(model, begun.form)
    if begun and board and word.upper() != begun.verb and (parse_cell(board, cell) or parse_choice(board, begun, cell)):
        text = f"{begun.verb} {cell}"  # the letter that the screen shows beside the action
    return play_line(model, text)


def play_line(model: Model, line: str) -> Command:
    """Play a line, with the revision of the view that the player sees."""
    if len(line) > LINE_MAX:
        return Invalid("That is too long for a line of the game.")
    request = Play(NO_ID, line, model.show.rev if model.show else None)
    warning = find_warning(model, line)
    return Confirm(f"{warning} Play it all the same?", request) if warning else Ask(request)


def find_warning(model: Model, line: str) -> str:
    """The game's warning about a line; empty for most lines."""
    board = model.board
    warns = (action for action in model.actions if action.warning and board and names_other_cell(board, action, line))
    return next((harmless(action.warning) for action in warns), "")
