"""What a typed line wishes for. The client knows no game: at the table it goes by the view's actions."""

from dataclasses import dataclass
from typing import Literal

from gridgames_client.model import Model
from gridgames_protocol.messages import (
    Again,
    Chat,
    Claim,
    Create,
    Join,
    Leave,
    Play,
    Request,
    Resign,
    Watch,
)
from gridgames_protocol.records import Unfit
from gridgames_protocol.views import Action

Page = Literal["help", "rules", "moves"]
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


Wish = Ask | Confirm | Turn | Toggle | Save | Quit | Pick | Wrong

NO_ID = 1  # stands in a request until it is sent
LOBBY_HELP = "Type create and a game, join or watch and a room's code, help, or quit."
SLASHES = (
    "/chat", "/again", "/resign", "/claim", "/rules", "/moves", "/mask", "/bell", "/board", "/save", "/leave", "/help",
    "/quit",
)  # fmt: skip
TABLE_HELP = f"Commands start with a slash: {' '.join(SLASHES)}."
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
        case "help" | "?":
            return Turn("help")
        case "bell":
            return Toggle("bell")
        case "quit" | "exit" | "bye":
            return Quit()
        case _:
            return Wrong(LOBBY_HELP)


def create(model: Model, words: list[str]) -> Wish:
    """Read the options of a new room."""
    slugs = ", ".join(card.slug for card in model.cards)
    if not words or model.card(words[0].lower()) is None:
        return Wrong(f"Type create and one of these: {slugs}. For example: create {slugs.split(',')[0]} first=host.")
    options: dict[str, object] = {"game": words[0].lower()}
    for word in words[1:]:
        key, _, value = word.lower().partition("=")
        if key == "clock" and value.isdecimal():
            options[key] = int(value[:9])
        elif key == "private" and value in ("", "yes", "true", "no", "false"):
            options[key] = value not in ("no", "false")
        elif key in ("first", "bot") and value:
            options[key] = value
        else:
            return Wrong("The options are: first=random, host or guest; clock=SECONDS; private.")
    try:
        return Ask(Create(NO_ID, **options))  # type: ignore[arg-type]
    except Unfit as unfit:
        return Wrong(f"{unfit.field} must be {unfit.needs}.")


def rules(model: Model, words: list[str]) -> Wish:
    """Read which game's rules are asked for."""
    game = words[0].lower() if words else model.room.game if model.room else ""
    if model.card(game) is None:
        return Wrong("Type rules and a game: " + ", ".join(card.slug for card in model.cards) + ".")
    return Turn("rules", game)


# At the table ---------------------------------------------------------------------------------------------------------


def at_table(model: Model, text: str) -> Wish:
    """Read a line that was typed at the table."""
    if text.startswith("/"):
        word, _, rest = text[1:].partition(" ")
        return slash(model, word.lower(), rest.strip())
    word = text.lower()
    claimable = model.show is not None and model.show.view.claimable
    if word in ("again", "resign", "leave", "quit", "help") or (word == "claim" and claimable):
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
            return Confirm(RESIGN, Resign(NO_ID))
        case "claim":
            return Ask(Claim(NO_ID))
        case "leave" | "lobby":
            return Confirm(LEAVE, Leave(NO_ID)) if model.in_game else Ask(Leave(NO_ID))
        case "rules":
            return rules(model, rest.split())
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


# Completion -----------------------------------------------------------------------------------------------------------


def candidates(model: Model, typed: str) -> list[str]:
    """The lines that may be typed now and begin like what has been typed."""
    if model.room is None:
        rooms = model.lobby.rooms if model.lobby else ()
        lines = [f"{verb} {card.slug}" for verb in ("create", "rules") for card in model.cards]
        lines += [f"{verb} {room.room}" for verb in ("join", "watch") for room in rooms]
        lines += ["help", "quit"]
    elif typed.startswith("/"):
        lines = list(SLASHES)
    else:
        lines = [line for action in model.actions for line in action.lines()]
    return [line for line in lines if line.upper().startswith(typed.upper())]
