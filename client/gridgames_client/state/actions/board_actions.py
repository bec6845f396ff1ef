"""The actions on the board, in the lobby's list and in the input line."""

from collections.abc import Iterator

from gridgames_client.state import commands
from gridgames_client.state.actions.situation import (
    Situation,
    at_table,
    both,
    in_lobby,
    in_replays,
    in_room,
    keys_act,
    types_line,
)
from gridgames_client.state.actions.user_action import ARROWS, UserAction, on_keys, press

VI = {"k": "up", "j": "down", "h": "left", "l": "right"}


def list_board_actions() -> Iterator[UserAction]:
    """The actions on the board, in the lobby's list and in the input line."""
    movable = both(at_table, lambda now: keys_act(now) or now.is_verb_typed())
    acting = both(movable, lambda now: now.model.to_act)
    # With a covered line they stay in the line, whatever it is: an answer would tell a verb from a whole line.
    arrows = both(movable, lambda now: not (now.typed and now.model.chooses_unseen))
    yield UserAction(
        "claim",
        lambda model, rest: commands.claim(model),
        both(in_room, lambda now: bool(now.model.claim)),
        (),
        lambda now: "" if now.model.ending else now.model.claim,
        help="takes what is offered",
        typed="room",
    )
    yield UserAction(
        "submit", press("submit"), lambda now: types_line(now) and not now.is_verb_typed(), ("enter",), _does
    )
    yield UserAction(
        "act",
        press("act"),
        movable,
        ("enter",),
        lambda now: "act" if acting(now) and (now.typed or not now.model.chooses_unseen) else "",
        help="acts at the cursor",
        place="room",
    )
    second = both(at_table, lambda now: keys_act(now) and now.hides_second)
    yield UserAction("other board", press("other board"), second, ("tab",), "other board")
    yield UserAction("act by space", press("act"), both(at_table, keys_act), (" ",))
    yield UserAction(
        "open row",
        press("choose row"),
        both(in_lobby, keys_act),
        ("enter",),
        on_keys("choose"),
        help="opens or joins a room",
        place="lobby",
    )
    for key, (rows, cols) in ARROWS.items():
        move = press("move rows", rows) if rows else press("move columns", cols)
        first = key == "up"
        yield UserAction(
            f"move {key}",
            move,
            arrows,
            (key,),
            _moves if first else "",
            "arrows",
            help="move the cursor" if first else "",
            place="room",
        )
    for letter, key in VI.items():
        rows, cols = ARROWS[key]
        move = press("move rows", rows) if rows else press("move columns", cols)
        yield UserAction(f"vi {letter}", move, both(at_table, lambda now: now.vi), (letter,))
    yield UserAction("row above", press("pick row", -1), both(in_lobby, keys_act), ("up",))
    yield UserAction(
        "row below",
        press("pick row", 1),
        both(in_lobby, keys_act),
        ("down",),
        on_keys("move"),
        "arrows",
        help="choose game or room",
        place="lobby",
    )
    yield UserAction("tile before", press("pick beside", -1), both(in_lobby, keys_act), ("left",))
    yield UserAction("tile after", press("pick beside", 1), both(in_lobby, keys_act), ("right",))
    for letter, by in (("k", -1), ("j", 1)):
        yield UserAction(f"vi row {letter}", press("pick row", by), both(in_lobby, lambda now: now.vi), (letter,))
    yield UserAction(
        "new room",
        press("new room"),
        in_lobby,
        ("+", "f6"),
        on_keys("new room"),
        help="prepares a new room",
        place="lobby",
    )
    yield UserAction(
        "watch chosen",
        press("watch row"),
        both(in_lobby, lambda now: now.is_room_chosen()),
        ("f5",),
        on_keys("watch"),
        help="watches that room",
        place="lobby",
    )


def _moves(now: Situation) -> str:
    return "move" if now.model.to_act and not now.model.chooses_unseen else ""


def _does(now: Situation) -> str:
    return "do it" if now.model.room is None or in_replays(now) else "act" if now.model.to_act else ""
