"""What a typed line wishes for. The client knows no game: at the table it goes by the view's actions."""

from dataclasses import dataclass
from typing import Literal, cast

from gridgames_client.model import Model
from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskStandings,
    Chat,
    Claim,
    Create,
    First,
    Join,
    Leave,
    Level,
    Play,
    Request,
    Resign,
    Watch,
)
from gridgames_protocol.records import Unfit
from gridgames_protocol.views import Action, Card

Page = Literal["help", "rules", "moves", "standings"]
Setting = Literal["mask", "bell", "board", "words"]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to the server; its id is set when it is sent."""

    request: Request


@dataclass(frozen=True, slots=True)
class Confirm:
    """Something that is asked about first: a request, or to leave the program."""

    question: str
    request: Request | None


@dataclass(frozen=True, slots=True)
class Turn:
    """A page to show."""

    page: Page
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Toggle:
    """Something on this side to switch."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class Save:
    """Write the game that is over to a file."""

    path: str


@dataclass(frozen=True, slots=True)
class Rerun:
    """A finished game to see again, from one of its steps on."""

    number: int
    step: int = 0


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the program."""


@dataclass(frozen=True, slots=True)
class Pick:
    """An action was chosen whose cell is still to be named: row and column are asked for."""

    action: Action


@dataclass(frozen=True, slots=True)
class Wrong:
    """Nothing that could be done, and what could."""

    text: str


Wish = Ask | Confirm | Turn | Toggle | Save | Rerun | Quit | Pick | Wrong

NO_ID = 1  # stands in a request until it is sent
LOBBY_HELP = "Type create and a game, join or watch and a room's code, history, standings, help, or quit."
SLASHES = (
    "/chat", "/again", "/resign", "/claim", "/rules", "/moves", "/mask", "/bell", "/board", "/save", "/history",
    "/replay", "/standings", "/leave", "/help", "/quit",
)  # fmt: skip
TABLE_HELP = f"Commands start with a slash: {' '.join(SLASHES)}."
VALUES = {"private": ("", "yes", "true", "no", "false"), "assist": ("", "on", "off")}
OPTIONS = (
    "The options are: bot=easy, medium or hard; first=random, host or guest; clock=SECONDS, 5 or more; private; assist."
)
WHICH = "Type replay and the number of a game that history lists, for example: replay 12."
RESIGN = "Give this game to the other player?"
LEAVE = "Leave this game? That gives it to the other player."


def read(model: Model, text: str) -> Wish:
    """What a typed line wishes for."""
    text = text.strip()
    return at_table(model, text) if model.room else in_lobby(model, text)


# In the lobby ---------------------------------------------------------------------------------------------------------


def in_lobby(model: Model, text: str) -> Wish:
    """Read a line that was typed in the lobby."""
    word, *rest = text.removeprefix("/").split() or [""]
    match word.lower():
        case "create" | "new":
            return create(model, rest)
        case "join" | "watch" as verb:
            if len(rest) != 1:
                return Wrong(f"Type {verb} and a room's code, for example: {verb} K7QX2M.")
            kind = Join if verb == "join" else Watch
            return Ask(kind(NO_ID, rest[0][:16].upper()))
        case "rules":
            return rules(model, rest)
        case "history" | "replay" | "standings" as verb:
            return look_back(model, verb, rest)
        case "help" | "?":
            return Turn("help")
        case "bell":
            return Toggle("bell")
        case "board":
            return Toggle("words" if rest[:1] == ["words"] else "board")
        case "quit" | "exit" | "bye":
            return Quit()
        case _:
            return Wrong(LOBBY_HELP)


def create(model: Model, words: list[str]) -> Wish:
    """Read the options of a new room."""
    card = game_named(model, words[0]) if words else None
    if card is None:
        slugs = [card.slug for card in model.cards] or ["GAME"]
        return Wrong(f"Type create and one of these: {', '.join(slugs)}. For example: create {slugs[-1]} first=host.")
    options: dict[str, str] = {}
    for word in words[1:]:
        key, _, value = word.lower().partition("=")
        if value not in VALUES.get(key, (value,)) or key not in ("first", "clock", "private", "bot", "assist"):
            return Wrong(OPTIONS)
        options[key] = value
    try:
        return Ask(room_wish(card.slug, options))
    except (Unfit, ValueError):
        return Wrong(OPTIONS)


def room_wish(game: str, options: dict[str, str]) -> Create:
    """The request for a room with these options; the record itself checks them."""
    first, bot = cast("First", options.get("first", "random")), cast("Level | None", options.get("bot"))
    clock = int(options["clock"]) if "clock" in options else None
    private, assist = options.get("private", "no") not in ("no", "false"), options.get("assist", "off") != "off"
    return Create(NO_ID, game, first, bot, private, clock, assist)


def game_named(model: Model, word: str) -> Card | None:
    """The game that a word means: its name on the wire, or the beginning of only one."""
    found = [card for card in model.cards if card.slug.startswith(word.lower())]
    return model.card(word.lower()) or (found[0] if len(found) == 1 else None)


def rules(model: Model, words: list[str]) -> Wish:
    """Read which game's rules are asked for."""
    card = game_named(model, words[0]) if words else model.card(model.room.game) if model.room else None
    if card is None:
        return Wrong("Type rules and a game: " + ", ".join(card.slug for card in model.cards) + ".")
    return Turn("rules", card.slug)


# Games that are over --------------------------------------------------------------------------------------------------


def look_back(model: Model, verb: str, words: list[str]) -> Wish:
    """Read which finished games are asked for, and in what way."""
    match verb, [word.lower() for word in words]:
        case "history" | "replay", []:
            return Ask(AskHistory(NO_ID))
        case "history", ["more"]:
            return older(model)
        case "history", _:
            return Wrong("Type history for your newest games, history more for older ones.")
        case "replay", [number] if is_number(number) and int(number):
            return Rerun(int(number))
        case "replay", [number, step] if is_number(number) and int(number) and is_number(step):
            return Rerun(int(number), int(step))
        case "replay", _:
            return Wrong(WHICH)
    return standings(model, words)


def is_number(text: str) -> bool:
    """True for a whole number that a game, or a step of it, could have."""
    return text.isascii() and text.isdecimal() and len(text) <= 15


def older(model: Model) -> Wish:
    """The wish for older games than those that are listed."""
    if not model.past:
        return Ask(AskHistory(NO_ID))
    return Ask(AskHistory(NO_ID, model.past[-1].number)) if model.past_more else Wrong("There are no older ones.")


def standings(model: Model, words: list[str]) -> Wish:
    """Read which game's standings are asked for; all games together where none is named."""
    card = game_named(model, words[0]) if words else None
    if words and card is None:
        slugs = ", ".join(card.slug for card in model.cards)
        return Wrong(f"Type standings for all games together, or standings and one of these: {slugs}.")
    return Ask(AskStandings(NO_ID, card.slug if card else None))


# At the table ---------------------------------------------------------------------------------------------------------


def at_table(model: Model, text: str) -> Wish:
    """Read a line that was typed at the table."""
    if text.startswith("/"):
        word, _, rest = text[1:].partition(" ")
        return slash(model, word.lower(), rest.strip())
    word = text.lower()
    if word in ("again", "resign", "leave", "quit", "help") or (word == "claim" and model.claimable):
        return slash(model, word, "")
    return game_line(model, text)


def slash(model: Model, word: str, rest: str) -> Wish:
    """Read a command of the room."""
    match word:
        case "chat" | "c" if rest:
            return Ask(Chat(NO_ID, rest)) if len(rest) <= 300 else Wrong("That is too long: at most 300 characters.")
        case "chat" | "c":
            return Wrong("Type /chat and what you want to say.")
        case "again":
            return Ask(Again(NO_ID))
        case "resign":
            return Confirm(RESIGN, Resign(NO_ID)) if model.in_game else Wrong("There is no game to give up.")
        case "claim":
            return Ask(Claim(NO_ID))
        case "leave" | "lobby":
            return Confirm(LEAVE, Leave(NO_ID)) if model.in_game else Ask(Leave(NO_ID))
        case "rules":
            return rules(model, rest.split())
        case "history" | "replay" | "standings":
            return look_back(model, word, rest.split())
        case "help":
            return Turn("help")
        case "moves":
            return Turn("moves") if model.ending else Wrong("The moves are shown when the game is over.")
        case "mask":
            return Toggle("mask")
        case "bell":
            return Toggle("bell")
        case "board":
            return Toggle("words" if rest.lower() == "words" else "board")
        case "save" if not rest:
            return Wrong("Type /save and the name of a file.")
        case "save":
            return Save(rest) if model.ending else Wrong("A game can be saved when it is over.")
        case "quit" | "exit":
            return Quit()
        case _:
            return Wrong(TABLE_HELP)


def game_line(model: Model, text: str) -> Wish:
    """Read a line of the game: a menu's key, a bare verb, a bare cell, or a whole line."""
    if not text:
        return Wrong("Type a line, or choose a cell with the arrow keys and press Enter.")
    for action in model.actions:
        if text in (action.key, action.form) or text.upper() == action.verb:
            return Pick(action) if action.cells is not None else play(model, action.form)
    if len(model.actions) == 1 and not text[0].isalpha():
        text = f"{model.actions[0].verb} {text}"  # there is only one thing to do: a cell is enough
    return play(model, text)


def play(model: Model, line: str) -> Wish:
    """The wish to play a line at the table as it is seen now."""
    if len(line) > 200:
        return Wrong("That is too long for a line of the game.")
    return Ask(Play(NO_ID, line, model.show.rev if model.show else None))
