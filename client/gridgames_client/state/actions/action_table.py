"""Everything that the player can do in the program, in one table.

The key bindings, the bar, clicks, typed words and the help page all come from `ACTIONS`. A row says which words and
keys mean it, its label in the bar, when it is possible, and its command. `Controller.run` runs the command. The actions
of a game are not here: they come with the view.
"""

from collections.abc import Callable, Iterator

from gridgames_client.state import commands
from gridgames_client.state.actions.board_actions import list_board_actions
from gridgames_client.state.actions.page_actions import list_question_actions, list_replay_actions
from gridgames_client.state.actions.situation import (
    Situation,
    always,
    at_table,
    both,
    can_ask_again,
    has_seat,
    in_lobby,
    in_replays,
    in_room,
    is_over,
    no_page,
    types_line,
)
from gridgames_client.state.actions.user_action import UserAction, press
from gridgames_client.state.commands import Command, TextPage, Toggle
from gridgames_client.state.model import Model

EVENTS_A_PAGE = 4  # events by which PgUp and PgDn scroll the log

# Commands -----------------------------------------------------------------------------------------------------------


def _look_back(verb: str) -> Callable[[Model, str], Command]:
    return lambda model, rest: commands.read_look_back(model, verb, rest.split())


def _page_of(page: commands.PageName) -> Callable[[Model, str], Command]:
    return lambda model, rest: TextPage(page)


def _toggle(setting: commands.Setting) -> Callable[[Model, str], Command]:
    return lambda model, rest: Toggle(setting)


def _rooms() -> Iterator[UserAction]:
    """The actions in a room."""
    yield UserAction(
        "again",
        commands.ask_rematch,
        both(in_room, can_ask_again),
        ("f6",),
        lambda now: "rematch" if is_over(now) else "",
        help="asks for a rematch",
        typed="room",
    )
    yield UserAction(
        "leave",
        commands.leave,
        in_room,
        ("f7",),
        _leaves,
        help="leaves for the lobby",
        typed="room",
        also=("lobby",),
    )
    yield UserAction(
        "moves",
        commands.show_moves,
        in_room,
        ("f8",),
        lambda now: "moves" if is_over(now) else "",
        help="the seals, the moves",
        typed="room",
    )
    yield UserAction(
        "complete",
        press("complete"),
        _completes,
        (),
        lambda now: "complete" if now.typed or not in_room(now) else "",
        "Tab",
        help="types, completes",
    )
    yield UserAction("type in the lobby", press("type"), lambda now: in_lobby(now) and now.on_board, ("tab",), "type")
    yield UserAction(
        "to the list", press("drop line"), lambda now: in_lobby(now) and not now.on_board, ("escape",), "list"
    )
    yield UserAction("to the keys", press("board"), _types_nothing_in_list, ("escape",), "keys")
    yield UserAction(
        "help",
        _page_of("help"),
        no_page,
        ("?", "f1"),
        "help",
        help="opens this page",
        typed="both",
        also=("?",),
    )
    yield UserAction("leave the game", commands.leave, both(in_room, _is_playing), (), "leave", "F7")
    yield UserAction(
        "mask",
        _toggle("mask"),
        lambda now: now.model.board is not None and now.model.involves_secret and not in_replays(now),
        ("*", "f4"),
        _covers,
        help="shows, covers secrets",
        typed="room",
    )
    yield UserAction(
        "rules",
        lambda model, rest: commands.read_rules(model, rest.split()),
        no_page,
        help="how a game is played",
        typed="both",
        argument="GAME",
    )
    yield UserAction(
        "rules of this game",
        lambda model, rest: commands.read_rules(model, []),
        in_room,
        ("f2",),
        "rules",
        help="this game's rules",
        place="room",
    )
    yield UserAction(
        "chat",
        commands.read_chat,
        in_room,
        ("'", "f3"),
        "talk",
        help="talks to the room",
        typed="room",
        argument="TEXT",
        also=("c",),
    )
    yield UserAction(
        "mark",
        press("mark"),
        at_table,
        (".", "f5"),
        lambda now: "mark" if _is_playing(now) else "",
        help="marks a cell for you",
        place="room",
    )
    yield UserAction(
        "type",
        press("type"),
        lambda now: in_room(now) and now.on_board and not now.hides_second,
        ("tab",),
        lambda now: "type" if _is_playing(now) else "",
    )
    yield UserAction(
        "to the board",
        press("board"),
        lambda now: in_room(now) and not now.on_board and not now.typed and not now.log_offset,
        ("escape",),
        lambda now: "board" if _is_playing(now) and not now.model.to_act else "",
    )
    yield UserAction("drop line", press("drop line"), types_line, ("escape",), help="drops the typed line")
    yield UserAction("clear", press("clear"), types_line, ("c-u",))
    yield UserAction(
        "resign", commands.resign, both(in_room, lambda now: now.model.in_game), help="gives the game up", typed="room"
    )
    yield UserAction(
        "save",
        commands.save_game,
        both(in_room, is_over),
        help="saves a finished game",
        typed="room",
        argument="FILE",
    )
    yield UserAction(
        "draw",
        commands.offer_draw,
        both(in_room, lambda now: now.model.in_game),
        help="offers, takes a draw",
        typed="room",
    )
    yield UserAction(
        "hint",
        commands.ask_hint,
        both(in_room, lambda now: now.model.in_game and now.model.can_ask_hint),
        help="the computer's advice",
        typed="room",
    )
    yield UserAction(
        "words",
        commands.show_words,
        in_room,
        typed="room",
        help="four words to compare",
    )


def _types_nothing_in_list(now: Situation) -> bool:
    return in_replays(now) and not now.on_board and not now.typed


def _completes(now: Situation) -> bool:
    return (no_page(now) or in_replays(now)) and not now.on_board and (now.model.room is None or now.model.to_act)


def _is_playing(now: Situation) -> bool:
    return has_seat(now) and now.model.show is not None and not is_over(now)


def _leaves(now: Situation) -> str:
    if now.model.show is None:
        return "close the room" if has_seat(now) else "lobby"
    return "lobby" if is_over(now) or not has_seat(now) else ""


def _covers(now: Situation) -> str:
    return "" if is_over(now) or now.page else "show" if now.model.masked else "cover"


def _is_log_scrolled(now: Situation) -> bool:
    return no_page(now) and now.log_offset > 0


def _quits(now: Situation) -> str:
    return "quit" if now.page is None and (now.model.show is None or is_over(now)) else ""


def _programs() -> Iterator[UserAction]:
    """The actions of the lobby, and those of the whole program."""
    yield UserAction(
        "create",
        lambda model, rest: commands.read_create(model, rest.split()),
        in_lobby,
        typed="lobby",
        also=("new",),
        argument="GAME",
        help="makes a room",
    )
    yield UserAction(
        "play",
        lambda model, rest: commands.read_play(model, rest.split()),
        in_lobby,
        typed="lobby",
        argument="GAME",
        help="plays the computer",
    )
    yield UserAction(
        "join",
        lambda model, rest: commands.read_room(model, "join", rest.split()),
        in_lobby,
        typed="lobby",
        argument="CODE",
        help="takes the second seat",
    )
    yield UserAction(
        "watch",
        lambda model, rest: commands.read_room(model, "watch", rest.split()),
        in_lobby,
        typed="lobby",
        argument="CODE",
        help="watches a room",
    )
    yield UserAction(
        "go",
        commands.go_elsewhere,
        lambda now: bool(now.model.elsewhere) and not now.model.in_game,
        help="goes to a new server",
        typed="both",
    )
    yield UserAction(
        "tutorial",
        lambda model, rest: commands.read_tutorial(model, rest.split()),
        in_lobby,
        argument="GAME",
        help="explains a first game",
        typed="lobby",
    )
    yield UserAction(
        "skip",
        press("skip"),
        both(in_room, lambda now: now.model.against_computer),
        help="ends the explanations",
        typed="room",
    )
    yield UserAction("history", _look_back("history"), no_page, typed="both", help="your finished games")
    yield UserAction("replay", _look_back("replay"), no_page, typed="both", argument="N", help="shows one of them")
    yield UserAction(
        "standings",
        _look_back("standings"),
        no_page,
        typed="both",
        help="who has won how many",
    )
    yield UserAction("bell", _toggle("bell"), no_page, typed="both", help="the bell on or off")
    yield UserAction(
        "board",
        lambda model, rest: Toggle("words" if rest.lower().startswith("words") else "board"),
        no_page,
        typed="both",
        argument="words",
        help="the board in words",
    )
    yield UserAction("mouse", press("mouse"), always, ("f9",), help="mouse to the terminal", typed="both")
    yield UserAction(
        "log back",
        press("scroll log", EVENTS_A_PAGE),
        no_page,
        ("pageup",),
        help="scroll the log",
        shown="PgUp PgDn",
        place="room",
    )
    yield UserAction("log on", press("scroll log", -EVENTS_A_PAGE), no_page, ("pagedown",))
    yield UserAction("newest events", press("newest"), _is_log_scrolled, ("escape",), "newest")
    yield UserAction(
        "quit",
        lambda model, rest: commands.Quit(),
        no_page,
        ("c-c",),
        help="ends the program",
        typed="both",
        also=("exit", "bye"),
    )
    yield UserAction("quit by key", lambda model, rest: commands.Quit(), always, ("c-q",), _quits)
    yield UserAction("leave at once", press("leave"), always, ("c-d",), help="ends without asking")
    yield UserAction("redraw", press("redraw"), always, ("c-l",), help="draws everything anew")
    yield UserAction("suspend", press("suspend"), always, ("c-z",), help="stops it until fg")


ACTIONS = (*list_question_actions(), *list_board_actions(), *list_replay_actions(), *_rooms(), *_programs())
