"""Which key wishes for what. Each binding is one line of the player's intent."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Always, Condition, Filter, has_completions, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from gridgames_client import leafing
from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import LOG_STEP
from gridgames_client.dialogues import Choice, NewRoom
from gridgames_client.past import PastGames, Replaying

if TYPE_CHECKING:
    from gridgames_client.app import App

MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
LETTERS = {"k": "up", "j": "down", "h": "left", "l": "right"}
PAGE_STEP = 10  # lines that a page goes on by


def bind(keys: KeyBindings, *names: str, when: Filter, do: Callable[[], object]) -> None:
    """Let some keys do something while a filter holds."""
    for name in names:
        keys.add(name, filter=when)(_only(do))


def _only(do: Callable[[], object]) -> Callable[[KeyPressEvent], None]:
    def pressed(event: KeyPressEvent) -> None:
        do()

    return pressed


def bindings(app: "App") -> KeyBindings:
    """Every key of the full-screen program."""
    keys = KeyBindings()
    desk, model = app.desk, app.desk.model
    page_open = Condition(lambda: desk.page is not None)
    leaf = Condition(lambda: isinstance(desk.page, PastGames | Replaying))  # a page at which one may type
    typing = has_focus(app.screen.input)
    empty = Condition(lambda: not app.screen.input.text)
    at_table = Condition(lambda: model.board is not None)
    in_lobby = Condition(lambda: model.room is None)
    free = ~page_open & (~typing | empty)  # keys may mean the board or the list
    on_board = ~page_open & ~typing
    on = partial(bind, keys)

    for name, (rows, cols) in MOVES.items():
        on(name, when=free & at_table, do=partial(desk.move_cursor, rows, cols))
    for letter, name in LETTERS.items():
        on(letter, when=on_board & at_table, do=partial(desk.move_cursor, *MOVES[name]))
    on("up", when=free & in_lobby, do=partial(desk.pick_row, -1))
    on("down", when=free & in_lobby, do=partial(desk.pick_row, 1))

    on("enter", " ", when=free & at_table, do=desk.act)
    on("enter", when=free & in_lobby, do=desk.choose_row)
    on("enter", when=(~page_open | leaf) & typing & ~empty, do=app.submit)
    on("n", when=on_board & in_lobby, do=lambda: desk.new_room(desk.chosen))
    on("w", when=on_board & in_lobby & Condition(app.room_chosen), do=partial(desk.choose_row, watch=True))
    on("m", when=on_board & at_table, do=desk.mark)
    on("?", when=free, do=partial(desk.grant, Turn("help")))
    on("i", when=on_board & at_table, do=app.focus_input)
    on("tab", when=on_board | (leaf & ~typing), do=app.focus_input)
    on("escape", when=(~page_open | leaf) & typing & ~has_completions, do=app.focus_board)
    on("escape", when=(~page_open | leaf) & typing & has_completions, do=app.screen.input.buffer.cancel_completion)

    on("f1", when=~page_open, do=partial(app.intend, "help"))
    on("f2", when=~page_open & ~in_lobby, do=partial(app.intend, "rules"))
    on("f3", when=~page_open & ~in_lobby, do=partial(app.intend, "chat"))
    on("f4", when=at_table, do=partial(app.intend, "mask"))
    on("f5", when=~page_open & at_table, do=partial(app.intend, "mark"))
    on("f6", when=~page_open & ~in_lobby, do=partial(app.intend, "again"))
    on("f7", when=~page_open & ~in_lobby, do=partial(app.intend, "leave"))
    on("f8", when=~page_open & ~in_lobby, do=partial(app.intend, "moves"))
    on("f9", when=Always(), do=app.toggle_mouse)
    on("pageup", when=~page_open, do=partial(desk.scroll, LOG_STEP))
    on("pagedown", when=~page_open, do=partial(desk.scroll, -LOG_STEP))
    on("c-c", when=~page_open, do=desk.quit)
    on("c-d", "c-q", when=Always(), do=app.leave)
    on("c-l", when=Always(), do=app.redraw)

    page_keys(keys, app)
    leaf_keys(keys, app, typing, empty)

    refused = typing & Condition(lambda: app.refused)
    on("end", "c-e", when=refused, do=app.keep_refused)

    @keys.add(Keys.Any, filter=on_board | (leaf & ~typing) | refused)
    def _(event: KeyPressEvent) -> None:
        """Any other letter starts a typed line."""
        if event.data.isprintable():
            app.begin_line(event.data)

    return keys


def page_keys(keys: KeyBindings, app: "App") -> None:
    """The keys of whatever page is open."""
    desk = app.desk
    confirm = Condition(lambda: isinstance(desk.page, Confirm))
    choice = Condition(lambda: isinstance(desk.page, Choice))
    making = Condition(lambda: isinstance(desk.page, NewRoom))
    reading = Condition(lambda: isinstance(desk.page, Turn))
    on = partial(bind, keys)

    on("escape", "c-c", when=confirm | choice | making | reading, do=desk.close_page)
    on("y", "Y", when=confirm, do=partial(desk.confirm, True))
    on("n", "N", when=confirm, do=partial(desk.confirm, False))
    on("up", "k", when=choice, do=partial(desk.pick_row, -1))
    on("down", "j", when=choice, do=partial(desk.pick_row, 1))
    on("enter", when=choice, do=lambda: desk.choose(desk.chosen))
    for digit in "123456789":
        on(digit, when=choice, do=partial(desk.choose, int(digit) - 1))

    @keys.add(Keys.Any, filter=choice)
    def _(event: KeyPressEvent) -> None:
        """Any other letter is the beginning of a line: whoever types has chosen none of these."""
        if event.data.isprintable() and not event.data.isspace():
            desk.close_page()
            app.begin_line(event.data)

    on("up", "k", when=making, do=partial(desk.edit_room, rows=-1))
    on("down", "j", "tab", when=making, do=partial(desk.edit_room, rows=1))
    on("left", "h", when=making, do=partial(desk.edit_room, turns=-1))
    on("right", "l", " ", when=making, do=partial(desk.edit_room, turns=1))
    on("enter", when=making, do=desk.create_room)
    on("up", "k", when=reading, do=partial(app.scroll_page, -1))
    on("down", "j", when=reading, do=partial(app.scroll_page, 1))
    on("pageup", when=reading, do=partial(app.scroll_page, -PAGE_STEP))
    on("pagedown", " ", when=reading, do=partial(app.scroll_page, PAGE_STEP))
    on("enter", "q", when=reading, do=desk.close_page)
    standings = Condition(lambda: isinstance(desk.page, Turn) and desk.page.page == "standings")
    on("left", "h", when=standings, do=partial(leafing.turn_standings, desk, -1))
    on("right", "l", when=standings, do=partial(leafing.turn_standings, desk, 1))


def leaf_keys(keys: KeyBindings, app: "App", typing: Filter, empty: Filter) -> None:
    """The keys of the finished games: letters mean something only while nobody types."""
    desk = app.desk
    listing = Condition(lambda: isinstance(desk.page, PastGames))
    replaying = Condition(lambda: isinstance(desk.page, Replaying))
    free = ~typing | empty
    on = partial(bind, keys)

    on("escape", "q", when=(listing | replaying) & ~typing, do=desk.close_page)
    on("c-c", when=listing | replaying, do=desk.close_page)
    for key, rows in (("up", -1), ("down", 1), ("pageup", -PAGE_STEP), ("pagedown", PAGE_STEP)):
        on(key, when=listing & free, do=partial(leafing.pick_game, desk, rows))
    on("k", when=listing & ~typing, do=partial(leafing.pick_game, desk, -1))
    on("j", when=listing & ~typing, do=partial(leafing.pick_game, desk, 1))
    on("enter", when=listing & free, do=partial(leafing.choose_game, desk))
    on("right", "enter", when=replaying & free, do=partial(leafing.step, desk, 1))
    on("n", "l", " ", when=replaying & ~typing, do=partial(leafing.step, desk, 1))
    on("left", when=replaying & free, do=partial(leafing.step, desk, -1))
    on("p", "h", when=replaying & ~typing, do=partial(leafing.step, desk, -1))
    on("home", when=replaying & free, do=partial(leafing.step_to, desk, False))
    on("end", when=replaying & free, do=partial(leafing.step_to, desk, True))
    on("e", when=replaying & ~typing, do=partial(leafing.turn_eyes, desk))
