"""Moments at a desk, as screens: each with a name, and all that is needed to draw it.

A page holds several scenes of one kind and size. What is on the pages is the whole terminal: the screen, the input line
and the bar.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gridgames_client import completion, render
from gridgames_client.bar import bar_line
from gridgames_client.desk import Desk
from gridgames_client.leafing import pick_game
from gridgames_client.paint import ASCII, LINES, Fragment, Glyphs, Line, cut_line
from gridgames_protocol.messages import Bye, Event, Over
from gridgames_server.history import Kept
from tests.client.evening import Evening, at_desk, in_lobby, listed, room_of
from tests.client.shelf import at_shelf, finished
from tests.client.stories import DRAWS, MOMENTS, STORIES, story

STANDARD = (80, 24)
SIZES = (STANDARD, (60, 20), (40, 16))


@dataclass(frozen=True)
class Scene:
    """A desk at one moment; what is typed there, and whether the keys mean the board or the list."""

    name: str
    desk: Desk
    typed: str = ""
    on_board: bool = False


def drawn(scene: Scene, columns: int, rows: int, glyphs: Glyphs = LINES) -> list[Line]:
    """The whole terminal in lines."""
    desk, typed = scene.desk, scene.typed
    covered = completion.covered(desk.model, typed)
    lines = render.screen(desk, "" if covered else typed, glyphs, columns, rows - 2, desk.clock())
    question = desk.asking.question if desk.asking else ">"
    line = [Fragment("class:prompt", f" {question} "), Fragment("", "*" * len(typed) if covered else typed)]
    return [*lines, cut_line(line, columns), bar_line(desk, scene.on_board, columns)]


# The five games, and a sixth ------------------------------------------------------------------------------------------


def game(slug: str) -> Iterator[Scene]:
    """A game at its start, in its middle and at its end, from both seats."""
    for moment in MOMENTS:
        evening = story(slug, moment)
        for seat in (1, 2):
            yield Scene(f"{moment}, seat {seat}", evening.desks[seat])


# The lobby ------------------------------------------------------------------------------------------------------------

ROOMS = (
    listed(),
    listed("9FWT4C", "quantum-duel", "Cy", "playing", 2),
    listed("X3RM8P", "secret-paths", "編集者編集者編集", "over"),
)


def lobby() -> Iterator[Scene]:
    """What one sees before and between games."""
    yield Scene("connecting", at_desk().desk, on_board=True)
    yield Scene("no rooms", in_lobby(players=1).desk, on_board=True)
    some = in_lobby(*ROOMS).desk
    some.pick_row(6)
    yield Scene("some rooms, one chosen", some, on_board=True)
    many = in_lobby(*(listed(f"AAAA{number}", host=f"Guest {number}") for number in range(10, 50))).desk
    many.pick_row(25)
    yield Scene("many rooms", many, on_board=True)
    typing = in_lobby(*ROOMS).desk
    typing.submit("create chess")
    yield Scene("a line that is wrong", typing, "create chess")
    lost = in_lobby(*ROOMS).desk
    lost.line_is("reconnecting", "The connection to 192.168.1.20:4743 is lost.")
    yield Scene("reconnecting", lost, "join K7Q")
    closed = story("grid-hunt", "middle").desks[None]
    closed.heard(Event("All players have left, so the room is closed.", "system"))
    closed.heard(in_lobby().desk.model.lobby)
    yield Scene("after a room was closed", closed, on_board=True)


def waiting(address: str = "192.168.1.20:4743") -> Desk:
    """A room with one player in it."""
    desk = in_lobby().desk
    desk.model.address = address
    desk.heard(room_of("grid-hunt", "waiting", ("Ada", None), clock=60, number=0))
    return desk


def rooms() -> Iterator[Scene]:
    """The making of a room, and waiting in it."""
    making = in_lobby().desk
    making.new_room(1)
    yield Scene("new room", making, on_board=True)
    options = in_lobby().desk
    options.new_room(1)
    for row in range(4):
        options.edit_room(rows=1, turns=row % 2 + 1)
    yield Scene("new room with options", options, on_board=True)
    yield Scene("waiting", waiting())
    yield Scene("waiting on one machine", waiting("127.0.0.1:4743"))
    private = waiting()
    private.model.unlisted = True
    yield Scene("waiting in a private room", private)


# Pages ----------------------------------------------------------------------------------------------------------------


def with_page(desk: Desk, line: str) -> Desk:
    """A desk at which something was typed that opens a page."""
    desk.submit(line)
    return desk


def pages() -> Iterator[Scene]:
    """What opens over a screen."""
    yield Scene("help in the lobby", with_page(in_lobby().desk, "help"), on_board=True)
    yield Scene("help at the table", with_page(story("grid-hunt", "middle").desks[1], "/help"), on_board=True)
    for slug in list(STORIES)[:5]:
        yield Scene(f"rules of {slug}", with_page(story(slug, "start").desks[1], "/rules"), on_board=True)
    scrolled = with_page(story("treasure-hunt-duel", "start").desks[1], "/rules")
    scrolled.page_top = 3
    yield Scene("rules, scrolled", scrolled, on_board=True)
    choice = story("treasure-hunt-duel", "middle").desks[2]
    choice.move_cursor(1, 1)
    choice.act()
    yield Scene("a choice", choice, on_board=True)
    yield Scene("are you sure?", with_page(story("grid-hunt", "middle").desks[1], "/resign"), on_board=True)
    yield Scene("the moves", with_page(story("quantum-duel", "end").desks[1], "/moves"), on_board=True)


# Games that are over --------------------------------------------------------------------------------------------------

PLAYED = (
    finished(58, "quantum-duel", "Bot (hard)"),
    finished(57, "secret-paths", "編集者編集者編集", seat=2),
    finished(41, "grid-hunt"),
    finished(7, "grid-hunt", "W" * 16, moment="start"),
)


def shelf(*lines: str, games: tuple[Kept, ...] = PLAYED) -> Desk:
    """A desk in the lobby at which lines were typed."""
    seat = at_shelf(in_lobby(), *games)
    for line in lines:
        seat.desk.submit(line)
    return seat.desk


def past() -> Iterator[Scene]:
    """The list of finished games, some of them again, and the standings."""
    yield Scene("no finished games", shelf("history", games=()), on_board=True)
    chosen = shelf("history")
    pick_game(chosen, 2)
    yield Scene("finished games, one chosen", chosen, on_board=True)
    many = shelf("history", games=tuple(PLAYED[2]._replace(number=number) for number in range(90, 150)))
    pick_game(many, 14)
    yield Scene("many finished games", many, on_board=True)
    older = shelf("history", "58", games=(PLAYED[0]._replace(edition=9), *PLAYED[1:]))
    yield Scene("a game of older rules", older, "58")
    for lines in (
        ("41",),
        ("41 4",),
        ("41 6", "next"),
        ("41 4", "theirs"),
        ("41 4", "open"),
        ("58 3",),
        ("57 6",),
        ("7",),
    ):
        yield Scene(f"replay {', '.join(lines)}", shelf(f"replay {lines[0]}", *lines[1:]), on_board=True)
    yield Scene("the last step, and no next one", shelf("replay 41 7", "next"), "next")
    yield Scene("a replay in words", shelf("replay 41 4", "/board words"), on_board=True)
    evening = Evening("grid-conquest", draws=DRAWS["grid-conquest"])
    yield Scene("a replay while the table waits", with_page(at_shelf(evening.seats[1], *PLAYED).desk, "/replay 41 4"))
    lost = shelf("replay 41 4")
    lost.line_is("reconnecting", "The connection to 192.168.1.20:4743 is lost.")
    yield Scene("a replay without a line", lost, on_board=True)
    yield Scene("a game that is not there", shelf("replay 99"), "replay 99")
    yield Scene("standings", shelf("standings"), on_board=True)
    yield Scene("standings of one game", shelf("standings quantum"), on_board=True)
    yield Scene("no standings yet", shelf("standings secret"), on_board=True)


# Things that happen at a table ----------------------------------------------------------------------------------------


def refused() -> Scene:
    desk = story("secret-paths", "middle").desks[2]
    desk.submit("move to 1,1")
    return Scene("a refusal", desk, "move to 1,1")


def typed_secret(shown: bool) -> Scene:
    desk = story("grid-hunt", "start").desks[1]
    if shown:
        desk.toggle_mask()
    return Scene(f"a secret being typed, {'shown' if shown else 'covered'}", desk, "HIDE 2 3")


def uncovered() -> Scene:
    desk = story("quantum-duel", "middle").desks[1]
    desk.toggle_mask()
    return Scene("own secrets shown", desk)


def pencilled() -> Scene:
    desk = story("treasure-hunt-duel", "middle").desks[2]
    for _ in range(3):
        desk.mark()
        desk.move_cursor(1, 0)
        desk.mark()
        desk.move_cursor(-1, 1)
    return Scene("pencil marks", desk, on_board=True)


def asked() -> Scene:
    desk = story("grid-hunt", "middle").desks[1]
    desk.submit("1")
    return Scene("the menu's question", desk)


def timed() -> Scene:
    evening = Evening("grid-conquest", draws=DRAWS["grid-conquest"], clock=60)
    evening.time.now += 18
    return Scene("a clock", evening.desks[1])


def long_names() -> Scene:
    evening = Evening(
        "treasure-hunt-duel", draws=DRAWS["treasure-hunt-duel"], names=("漢字漢字漢字漢字", "W" * 16), clock=60
    )
    evening.types(1, "GUESS 1A")
    return Scene("long names", evening.desks[1])


def away(claimable: bool) -> Scene:
    evening = story("treasure-hunt-duel", "middle")
    one, two = evening.room.seats
    assert two
    evening.says(Event("Player 2 is away, and can return.", "system", 2))
    evening.tell_room(seats=(one, replace(two, online=False)))
    evening.show(claimable=claimable)
    return Scene(f"the other is away{', and the win can be claimed' if claimable else ''}", evening.desks[1])


def talked() -> Scene:
    evening = story("grid-conquest", "middle")
    evening.types(1, "/chat " + "Are you getting closer, or do you only look as if you were? " * 3)
    evening.desks[None].submit("/c I look on, and say nothing of it.")
    evening.tell_room(watchers=2, score=(1, 2, 1), number=5)
    evening.show()
    return Scene("chat, watchers and a score", evening.desks[1])


def scrolled_log() -> Scene:
    desk = story("quantum-duel", "end").desks[1]
    desk.scroll(6)
    return Scene("the log, scrolled back", desk)


def lost_line() -> Scene:
    desk = story("treasure-hunt-duel", "middle").desks[2]
    desk.line_is("reconnecting", "The connection to 192.168.1.20:4743 is lost.")
    return Scene("reconnecting in the middle of a line", desk, "QUERY 4")


def broken() -> Scene:
    evening = story("grid-hunt", "middle")
    evening.table.match.secrets[1] = replace(evening.table.match.secrets[1], value="1,1")
    evening.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    return Scene("a commitment that was broken", evening.desks[1])


def drawn_game() -> Scene:
    evening = story("grid-conquest", "middle")
    evening.stops(None, "clock", "Both players have run out of time.")
    evening.tell_room(seats=(evening.room.seats[0], None))
    return Scene("a draw, and the other has left", evening.desks[1])


def asked_again(seat: int) -> Scene:
    evening = story("grid-hunt", "end")
    evening.says(Event("Player 1 asks for another game.", "system", 1))
    return Scene(f"another game is asked for, seat {seat}", evening.desks[seat])


def lost_words() -> Scene:
    desk = story("treasure-hunt-duel", "middle").desks[2]
    desk.ask = desk.unanswered
    desk.line_is("reconnecting", "The server has stopped; waiting for it to come back.")
    desk.submit("QUERY 4D")
    return Scene("a line that was not sent", desk, "QUERY 4D")


def as_words() -> Scene:
    desk = story("grid-conquest", "middle").desks[1]
    desk.submit("/board words")
    return Scene("the board as words", desk)


def stopping() -> Scene:
    desk = story("secret-paths", "middle").desks[1]
    desk.heard(Bye("shutting_down", "The server is stopping. Your game is kept."))
    desk.line_is("reconnecting", "The server is stopping. Your game is kept.")
    return Scene("the server stops", desk)


def watched(moment: str) -> Scene:
    return Scene(f"watching, {moment}", story("grid-hunt", moment).desks[None])


def joined_late() -> Scene:
    evening = story("quantum-duel", "end")
    desk, over = at_desk(evening.time).desk, evening.desks[None].model.ending
    assert over
    desk.line_is("connected", "")
    desk.heard(replace(evening.room, you=None))
    desk.heard(evening.shown(None))
    desk.heard(Over(over.over.winner, over.over.reason, over.over.text, over.moves, over.reveals))
    return Scene("watching from the end on", desk)


def table() -> Iterator[Scene]:
    """What can happen at a table."""
    yield from (refused(), typed_secret(False), typed_secret(True), uncovered(), pencilled(), asked(), timed())
    yield from (long_names(), away(False), away(True), talked(), scrolled_log(), lost_line(), stopping(), as_words())
    yield from (watched("start"), watched("middle"), watched("end"), joined_late(), broken(), drawn_game())
    yield from (long_review(), asked_again(1), asked_again(2), lost_words())


# A room with assist, and how a long game was decided ------------------------------------------------------------------


def assist() -> Iterator[Scene]:
    """Who can rule out what, and where one learns of it."""
    yield Scene("in the lobby", in_lobby(replace(ROOMS[0], assist=True), *ROOMS[1:]).desk, on_board=True)
    making = in_lobby().desk
    making.new_room(0)
    making.edit_room(rows=-1, turns=1)
    yield Scene("new room", making, on_board=True)
    without = in_lobby().desk
    without.new_room(2)
    without.edit_room(rows=-1, turns=1)
    yield Scene("new room for a game without it", without, on_board=True)
    room = waiting()
    room.heard(replace(room_of("grid-hunt", "waiting", ("Ada", None), number=0), assist=True))
    yield Scene("waiting", room)
    for slug in ("treasure-hunt-duel", "grid-hunt", "quantum-duel", "pebbles"):
        yield Scene(slug, story(slug, "middle", assist=True).desks[1], on_board=True)
    shown = story("quantum-duel", "middle", assist=True).desks[1]
    shown.toggle_mask()
    yield Scene("quantum-duel, own secrets shown", shown, on_board=True)
    yield Scene("the other seat", story("grid-hunt", "middle", assist=True).desks[2], on_board=True)
    yield Scene("one who watches", story("grid-hunt", "middle", assist=True).desks[None])
    words = story("treasure-hunt-duel", "middle", assist=True).desks[2]
    words.submit("/board words")
    yield Scene("in words", words)
    yield Scene("the end", story("treasure-hunt-duel", "end", assist=True).desks[2])


def long_review() -> Scene:
    evening = story("treasure-hunt-duel", "middle")
    for number in range(60):
        evening.types(2 - number % 2, f"GUESS {number % 3 + 1}A")
    evening.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    return Scene("how a long game was decided", evening.desks[1])


# The pages they are kept on -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """Scenes that are kept together, in one size."""

    name: str
    scenes: Callable[[], Iterator[Scene]]
    columns: int
    rows: int
    glyphs: Glyphs = LINES

    @property
    def file(self) -> str:
        return f"{self.name}.{self.columns}x{self.rows}{'.ascii' if self.glyphs is ASCII else ''}.txt"


KINDS: dict[str, Callable[[], Iterator[Scene]]] = {
    "lobby": lobby,
    "rooms": rooms,
    "pages": pages,
    "table": table,
    "past": past,
    "assist": assist,
    **{slug: lambda slug=slug: game(slug) for slug in STORIES},
}
PAGES = [Page(name, scenes, *size) for name, scenes in KINDS.items() for size in SIZES]
PAGES += [Page(name, scenes, *STANDARD, ASCII) for name, scenes in KINDS.items()]
