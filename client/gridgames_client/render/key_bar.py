"""The bar at the bottom: the keys that work now, the most useful first."""

from typing import NamedTuple

from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import Desk
from gridgames_client.dialogues import Choice, NewRoom
from gridgames_client.paint import Fragment, Line, width
from gridgames_client.past import PastGames, Replaying


class Key(NamedTuple):
    """A key, what it does, and the intent that a click on it has."""

    key: str
    does: str
    intent: str = ""


BACK, MOVE, COMPLETE = Key("Esc", "back", "close"), Key("arrows", "move"), Key("Tab", "complete")
HELP, RULES, CHAT = Key("F1", "help", "help"), Key("F2", "rules", "rules"), Key("F3", "chat", "chat")
SHOW, COVER, MARK = Key("F4", "show", "mask"), Key("F4", "cover", "mask"), Key("F5", "mark", "mark")
AGAIN, LOBBY, MOVES = Key("F6", "rematch", "again"), Key("F7", "lobby", "leave"), Key("F8", "moves", "moves")
TYPE, BOARD, LIST = Key("Tab", "type", "focus"), Key("Esc", "board", "focus"), Key("Esc", "list", "focus")
NEXT, PREVIOUS, EYES = Key("right", "next", "next"), Key("left", "back", "previous"), Key("e", "other eyes", "eyes")
QUIT = Key("Ctrl-Q", "quit", "quit")


def bar(desk: Desk, on_board: bool) -> list[Key]:
    """The keys that work now."""
    match desk.page:
        case Confirm():
            return [Key("y", "yes", "yes"), Key("n", "no", "close")]
        case NewRoom():
            return [Key("Enter", "open the room", "enter"), Key("arrows", "choose and change"), BACK]
        case Choice():
            return [Key("Enter", "choose", "enter"), MOVE, BACK]
        case PastGames() | Replaying() if not on_board:
            return [Key("Enter", "do it", "enter"), Key("Esc", "keys", "focus"), COMPLETE]
        case PastGames():
            return [Key("Enter", "replay", "enter"), MOVE, TYPE, BACK] if desk.model.past else [BACK]
        case Replaying():
            return [NEXT, PREVIOUS, Key("Esc", "close", "close"), EYES, Key("Home End", "first, last"), TYPE]
        case Turn("standings"):
            return [BACK, Key("left right", "other games"), Key("up down", "scroll")]
        case Turn():
            return [BACK, Key("arrows PgUp PgDn", "scroll")]
    if desk.model.room is None:
        return in_lobby(desk, on_board)
    if desk.model.show is None:
        return [Key("F7", "close the room", "leave"), HELP, RULES, CHAT, QUIT]
    return at_end(desk) if desk.model.ending else at_table(desk, on_board)


def in_lobby(desk: Desk, on_list: bool) -> list[Key]:
    """The keys of the lobby."""
    if not on_list:
        return [Key("Enter", "do it", "enter"), COMPLETE, LIST, HELP, QUIT]
    keys = [Key("Enter", "choose", "enter"), MOVE, Key("n", "new room", "new")]
    if desk.chosen_room():
        keys.append(Key("w", "watch", "watch"))
    return [*keys, TYPE, HELP, QUIT]


def at_table(desk: Desk, on_board: bool) -> list[Key]:
    """The keys of a game under way."""
    model = desk.model
    keys = [Key("/claim", "the win", "claim")] if model.claimable else []
    if model.to_act:
        keys += [Key("Enter", "act", "enter"), MOVE]
        keys += [] if on_board else [COMPLETE]
    keys += [HELP, RULES, CHAT]
    if model.covers:
        keys.append(SHOW if model.masked else COVER)
    if model.room and model.room.you is None:
        return [LOBBY, *keys]
    return [*keys, MARK, TYPE if on_board else BOARD]


def at_end(desk: Desk) -> list[Key]:
    """The keys of a game that is over."""
    seated = desk.model.room is not None and desk.model.room.you is not None
    return [*([AGAIN] if seated and not desk.model.deserted else []), LOBBY, MOVES, HELP, RULES, CHAT, QUIT]


def bar_line(desk: Desk, on_board: bool, columns: int) -> Line:
    """The bar as a line; what does not fit is left out from the end, help last of all."""
    keys = list(enumerate(bar(desk, on_board)))
    for count in range(len(keys), -1, -1):
        line = [
            fragment
            for number, key in keys[:count] + [left_out for left_out in keys[count:] if left_out[1] is HELP]
            for fragment in entry(number, key)
        ]
        if width(line) <= columns:
            return line
    return []


def entry(number: int, key: Key) -> Line:
    """A key of the bar, and what it does."""
    target = ("key", number)
    return [Fragment("class:key", f" {key.key} ", target), Fragment("class:does", f"{key.does} ", target)]
