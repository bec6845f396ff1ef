"""The actions of pages: questions, choices, texts and finished games."""

from collections.abc import Iterator

from gridgames_client.state.actions.situation import Situation, both, has_page, in_replays, keys_act, shows_page
from gridgames_client.state.actions.user_action import ARROWS, LINES_A_PAGE, UserAction, on_keys, press
from gridgames_client.state.commands import Confirm, TextPage
from gridgames_client.state.dialogs import Choice, NewRoom
from gridgames_client.state.history.replay import PastGames, Replaying


def list_question_actions() -> Iterator[UserAction]:
    """The actions of questions, choices and texts."""
    confirm, choice, making, reading = has_page(Confirm), has_page(Choice), has_page(NewRoom), has_page(TextPage)
    yield UserAction("yes", press("yes"), confirm, ("y", "Y"), "yes")
    yield UserAction("no", press("close"), confirm, ("n", "N"), "no")
    yield UserAction("cancel", press("close"), confirm, ("escape", "c-c"))
    yield UserAction("open the room", press("create"), making, ("enter",), "open the room")
    yield UserAction("change", press("edit value", 1), making, (), "choose and change", "arrows")
    for key, (rows, turns) in ARROWS.items():
        yield UserAction(f"edit {key}", press("edit row", rows) if rows else press("edit value", turns), making, (key,))
    yield UserAction("edit next row", press("edit row", 1), making, ("tab",))
    yield UserAction("edit next value", press("edit value", 1), making, (" ",))
    for letter, by in (("k", -1), ("j", 1)):
        yield UserAction(f"vi edit {letter}", press("edit row", by), both(making, _vi), (letter,))
    for letter, by in (("h", -1), ("l", 1)):
        yield UserAction(f"vi turn {letter}", press("edit value", by), both(making, _vi), (letter,))
    yield UserAction("choose", press("choose"), choice, ("enter",), "choose")
    yield UserAction("choose above", press("pick row", -1), choice, ("up",))
    yield UserAction("choose below", press("pick row", 1), choice, ("down",), "move", "arrows")
    yield UserAction("back", press("close"), lambda now: making(now) or choice(now), ("escape", "c-c"), "back")
    yield UserAction("close", press("close"), reading, ("escape", "c-c", "enter"), "back")
    yield UserAction("close help", press("close"), shows_page("help"), ("f1", "?"))
    yield UserAction("close rules", press("close"), shows_page("rules"), ("f2",))
    yield UserAction("close moves", press("close"), shows_page("moves"), ("f8",))
    standings = shows_page("standings")
    yield UserAction("other game", press("standings", 1), standings, ("right",), "other games", "left right")
    yield UserAction("game before", press("standings", -1), standings, ("left",))
    yield UserAction("scroll back", press("scroll page", -1), reading, ("up",))
    yield UserAction("scroll on", press("scroll page", 1), reading, ("down",), "scroll", "arrows PgUp PgDn")
    yield UserAction("page back", press("scroll page", -LINES_A_PAGE), reading, ("pageup",))
    yield UserAction("page on", press("scroll page", LINES_A_PAGE), reading, ("pagedown", " "))


def list_replay_actions() -> Iterator[UserAction]:
    """The actions in the list of finished games and in a replay."""
    listing, replaying = both(has_page(PastGames), keys_act), both(has_page(Replaying), keys_act)
    chooses = both(listing, lambda now: bool(now.model.past_games))
    yield UserAction("replay chosen", press("replay chosen"), chooses, ("enter",), on_keys("replay"))
    yield UserAction("next step", press("step", 1), replaying, ("right", "enter", " "), on_keys("next"), "right")
    yield UserAction("previous step", press("step", -1), replaying, ("left",), on_keys("back"), "left")
    yield UserAction("next game", press("pick game", 1), chooses, ("down",), on_keys("move"), "arrows")
    yield UserAction("previous game", press("pick game", -1), chooses, ("up",))
    yield UserAction("games on", press("pick game", LINES_A_PAGE), chooses, ("pagedown",))
    yield UserAction("games back", press("pick game", -LINES_A_PAGE), chooses, ("pageup",))
    yield UserAction("close list", press("close"), lambda now: in_replays(now) and now.on_board, ("escape",), _closes)
    yield UserAction("close list at once", press("close"), in_replays, ("c-c",))
    yield UserAction("other eyes", press("eyes"), replaying, ("*", "f4"), on_keys("other eyes"))
    yield UserAction("first step", press("first step"), replaying, ("home",), on_keys("first, last"), "Home End")
    yield UserAction("last step", press("last step"), replaying, ("end",))
    yield UserAction("type here", press("type"), _types_in_list, ("tab",), "type")
    for letter, by in (("h", -1), ("l", 1)):
        yield UserAction(f"vi step {letter}", press("step", by), both(replaying, _vi), (letter,))
        yield UserAction(f"vi game {letter}", press("standings", by), both(shows_page("standings"), _vi), (letter,))
    for letter, by in (("k", -1), ("j", 1)):
        yield UserAction(f"vi row {letter}", press("pick game", by), both(chooses, _vi), (letter,))
        yield UserAction(f"vi scroll {letter}", press("scroll page", by), both(has_page(TextPage), _vi), (letter,))


def _vi(now: Situation) -> bool:
    return now.vi


def _types_in_list(now: Situation) -> bool:
    listed = isinstance(now.page, PastGames) and bool(now.model.past_games)
    return now.on_board and (isinstance(now.page, Replaying) or listed)


def _closes(now: Situation) -> str:
    return "close" if isinstance(now.page, Replaying) else "back"
