"""Moments at a controller, as screens: each with a name, and all that is needed to draw it.

A page holds several scenes of one kind and size. What is on the pages is the whole terminal: the screen, the input line
and the bar.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gridgames_client.render import screen
from gridgames_client.render.drawing.text_layout import TILES, Fragment, Glyphs, Line, pad
from gridgames_client.render.key_bar import draw_bar
from gridgames_client.state import completion
from gridgames_client.state.controllers import board_controller, lobby_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.controllers.replay_controller import pick_game
from gridgames_protocol.messages import Bye, Event, Over
from gridgames_server.games.match import PackedRows
from gridgames_server.storage.history_answers import FinishedGame
from tests.client.finished_games import analysis, at_shelf, finished
from tests.client.game_scripts import DRAWS, MOMENTS, STORIES, SWINGS, story
from tests.client.seated_controllers import Scenario, in_lobby, listed, make_seat, room_of

STANDARD = (80, 24)
SIZES = (STANDARD, (60, 20), (40, 16))
LARGE = ((120, 40), (200, 60))


@dataclass(frozen=True)
class Scene:
    """A controller at one moment; what is typed there, and whether the keys mean the board or the list."""

    name: str
    controller: Controller
    typed: str = ""
    on_board: bool = False


def draw_scene(scene: Scene, columns: int, rows: int, glyphs: Glyphs = TILES) -> list[Line]:
    """The whole terminal in lines."""
    controller, typed = scene.controller, scene.typed
    covered = completion.is_covered(controller.model, typed)
    lines = screen.draw_screen(controller, "" if covered else typed, glyphs, columns, rows - 2, controller.clock())
    question = controller.cell_prompt.question if controller.cell_prompt else glyphs.pointer
    line = [Fragment("class:field", f" {question} {'*' * len(typed) if covered else typed}")]
    controller.on_board, controller.typed = scene.on_board, typed
    return [*lines, pad(line, columns, "class:field"), draw_bar(controller, columns, glyphs.filled)]


# The five games, and a sixth ------------------------------------------------------------------------------------------


def game(slug: str) -> Iterator[Scene]:
    """A game at its start, in its middle and at its end, from both seats; and its replay."""
    for moment in MOMENTS:
        scenario = story(slug, moment)
        for seat in (1, 2):
            yield Scene(f"{moment}, seat {seat}", scenario.controllers[seat])
        if slug == "treasure-hunt-duel" and moment == "middle":
            scenario.controllers[1].toggle_mask()
            scenario.controllers[1].model.say("")
            yield Scene("middle, seat 1, own answers shown", scenario.controllers[1])
    yield analysed(slug)
    if slug in SWINGS:
        for step in (2, len(story(slug, "end").table.match.lines)):
            yield Scene(f"replay, step {step}", shelf(f"replay 1 {step}", games=(finished(1, slug),)), on_board=True)


def analysed(slug: str) -> Scene:
    """The end of a game whose analysis has arrived."""
    scenario = story(slug, "end")
    scenario.says(analysis([seat for seat, _ in scenario.table.match.moves()]))
    return Scene("end, analysed", scenario.controllers[1])


# The lobby ------------------------------------------------------------------------------------------------------------

ROOMS = (
    listed(),
    listed("9FWT4C", "quantum-duel", "Cy", "playing", 2),
    listed("X3RM8P", "secret-paths", "編集者編集者編集", "over"),
)


def lobby() -> Iterator[Scene]:
    """What one sees before and between games."""
    yield Scene("connecting", make_seat().controller, on_board=True)
    yield Scene("no rooms", in_lobby(players=1).controller, on_board=True)
    some = in_lobby(*ROOMS).controller
    some.pick_row(1)
    yield Scene("some rooms, one chosen", some, on_board=True)
    many = in_lobby(*(listed(f"AAAA{number}", host=f"Guest {number}") for number in range(10, 50))).controller
    many.pick_row(25)
    yield Scene("many rooms", many, on_board=True)
    typing = in_lobby(*ROOMS).controller
    typing.submit("create chess")
    yield Scene("a line that is wrong", typing, "create chess")
    lost = in_lobby(*ROOMS).controller
    lost.on_connection("reconnecting", "The connection to 192.168.1.20:4743 is lost.")
    yield Scene("reconnecting", lost, "join K7Q")
    closed = story("grid-hunt", "middle").controllers[None]
    closed.on_message(Event("All players have left, so the room is closed.", "system"))
    closed.on_message(in_lobby().controller.model.lobby)
    yield Scene("after a room was closed", closed, on_board=True)


def waiting(address: str = "192.168.1.20:4743") -> Controller:
    """A room with one player in it."""
    controller = in_lobby().controller
    controller.model.address = address
    controller.on_message(room_of("grid-hunt", "waiting", ("Ada", None), clock=60, number=0))
    return controller


def rooms() -> Iterator[Scene]:
    """The making of a room, and waiting in it."""
    making = in_lobby().controller
    lobby_controller.open_new_room(making, "grid-hunt")
    yield Scene("new room", making, on_board=True)
    options = in_lobby().controller
    lobby_controller.open_new_room(options, "grid-hunt")
    for row in range(4):
        lobby_controller.edit_room(options, rows=1, turns=row % 2 + 1)
    yield Scene("new room with options", options, on_board=True)
    yield Scene("waiting", waiting())
    yield Scene("waiting on one machine", waiting("127.0.0.1:4743"))
    private = waiting()
    private.model.made_private_room = True
    yield Scene("waiting in a private room", private)


# Pages ----------------------------------------------------------------------------------------------------------------


def with_page(controller: Controller, line: str) -> Controller:
    """A controller at which something was typed that opens a page."""
    controller.submit(line)
    return controller


def pages() -> Iterator[Scene]:
    """What opens over a screen."""
    yield Scene("help in the lobby", with_page(in_lobby().controller, "help"), on_board=True)
    yield Scene("help at the table", with_page(story("grid-hunt", "middle").controllers[1], "/help"), on_board=True)
    for slug in list(STORIES)[:5]:
        yield Scene(f"rules of {slug}", with_page(story(slug, "start").controllers[1], "/rules"), on_board=True)
    scrolled = with_page(story("treasure-hunt-duel", "start").controllers[1], "/rules")
    scrolled.page_top = 3
    yield Scene("rules, scrolled", scrolled, on_board=True)
    choice = story("treasure-hunt-duel", "middle").controllers[2]
    board_controller.move_cursor(choice, 1, 1)
    board_controller.act(choice)
    yield Scene("a choice", choice, on_board=True)
    yield Scene("are you sure?", with_page(story("grid-hunt", "middle").controllers[1], "/resign"), on_board=True)
    yield Scene("the moves", with_page(story("quantum-duel", "end").controllers[1], "/moves"), on_board=True)


# Games that are over --------------------------------------------------------------------------------------------------

PLAYED = (
    finished(58, "quantum-duel", "Bot (hard)"),
    finished(57, "secret-paths", "編集者編集者編集", seat=2),
    finished(41, "grid-hunt"),
    finished(7, "grid-hunt", "W" * 16, moment="start"),
)


def shelf(*lines: str, games: tuple[FinishedGame, ...] = PLAYED) -> Controller:
    """A controller in the lobby at which lines were typed."""
    seat = at_shelf(in_lobby(), *games)
    for line in lines:
        seat.controller.submit(line)
    return seat.controller


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
    scenario = Scenario("grid-conquest", draws=DRAWS["grid-conquest"])
    yield Scene(
        "a replay while the table waits", with_page(at_shelf(scenario.seats[1], *PLAYED).controller, "/replay 41 4")
    )
    lost = shelf("replay 41 4")
    lost.on_connection("reconnecting", "The connection to 192.168.1.20:4743 is lost.")
    yield Scene("a replay without a line", lost, on_board=True)
    yield Scene("a game that is not there", shelf("replay 99"), "replay 99")
    yield Scene("standings", shelf("standings"), on_board=True)
    yield Scene("standings of one game", shelf("standings quantum"), on_board=True)
    yield Scene("no standings yet", shelf("standings secret"), on_board=True)


# Things that happen at a table ----------------------------------------------------------------------------------------


def refused() -> Scene:
    controller = story("secret-paths", "middle").controllers[2]
    controller.submit("move to 1,1")
    controller.confirm(True)
    return Scene("a refusal", controller, "move to 1,1")


def typed_secret(shown: bool) -> Scene:
    controller = story("grid-hunt", "start").controllers[1]
    if shown:
        controller.toggle_mask()
    return Scene(f"a secret being typed, {'shown' if shown else 'covered'}", controller, "HIDE 2 3")


def uncovered() -> Scene:
    controller = story("quantum-duel", "middle").controllers[1]
    controller.toggle_mask()
    return Scene("own secrets shown", controller)


def pencilled() -> Scene:
    controller = story("treasure-hunt-duel", "middle").controllers[2]
    for _ in range(3):
        board_controller.mark(controller)
        board_controller.move_cursor(controller, 1, 0)
        board_controller.mark(controller)
        board_controller.move_cursor(controller, -1, 1)
    return Scene("pencil marks", controller, on_board=True)


def asked() -> Scene:
    controller = story("grid-hunt", "middle").controllers[1]
    controller.submit("1")
    return Scene("the menu's question", controller)


def timed() -> Scene:
    scenario = Scenario("grid-conquest", draws=DRAWS["grid-conquest"], clock=60)
    scenario.time.now += 18
    return Scene("a clock", scenario.controllers[1])


def long_names() -> Scene:
    scenario = Scenario(
        "treasure-hunt-duel", draws=DRAWS["treasure-hunt-duel"], names=("漢字漢字漢字漢字", "W" * 16), clock=60
    )
    scenario.types(1, "GUESS 1A")
    return Scene("long names", scenario.controllers[1])


def away(claimable: bool) -> Scene:
    scenario = story("treasure-hunt-duel", "middle")
    one, two = scenario.room.seats
    assert two
    scenario.says(Event("Player 2 is away, and can return.", "system", 2))
    scenario.tell_room(seats=(one, replace(two, online=False)))
    scenario.show(claimable=claimable)
    return Scene(f"the other is away{', and the win can be claimed' if claimable else ''}", scenario.controllers[1])


def talked() -> Scene:
    scenario = story("grid-conquest", "middle")
    scenario.types(1, "/chat " + "Are you getting closer, or do you only look as if you were? " * 3)
    scenario.controllers[None].submit("/c I look on, and say nothing of it.")
    scenario.tell_room(watchers=2, score=(1, 2, 1), number=5)
    scenario.show()
    return Scene("chat, watchers and a score", scenario.controllers[1])


def scrolled_log() -> Scene:
    controller = story("quantum-duel", "end").controllers[1]
    controller.scroll(6)
    return Scene("the log, scrolled back", controller)


def lost_line() -> Scene:
    controller = story("treasure-hunt-duel", "middle").controllers[2]
    controller.on_connection("reconnecting", "The connection to 192.168.1.20:4743 is lost.")
    return Scene("reconnecting in the middle of a line", controller, "QUERY 4")


def broken() -> Scene:
    scenario = story("grid-hunt", "middle")
    match = scenario.table.match
    match._secrets = PackedRows([match.secrets[0], ("treasure of 2", "1,1")])
    scenario.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    return Scene("a commitment that was broken", scenario.controllers[1])


def drawn_game() -> Scene:
    scenario = story("grid-conquest", "middle")
    scenario.stops(None, "clock", "Both players have run out of time.")
    scenario.tell_room(seats=(scenario.room.seats[0], None))
    return Scene("a draw, and the other has left", scenario.controllers[1])


def asked_again(seat: int) -> Scene:
    scenario = story("grid-hunt", "end")
    scenario.tell_room(again=(1,))
    return Scene(f"another game is asked for, seat {seat}", scenario.controllers[seat])


def lost_words() -> Scene:
    controller = story("treasure-hunt-duel", "middle").controllers[2]
    controller.ask = controller.on_lost
    controller.on_connection("reconnecting", "The server has stopped; waiting for it to come back.")
    controller.submit("QUERY 4D")
    return Scene("a line that was not sent", controller, "QUERY 4D")


def as_words() -> Scene:
    controller = story("grid-conquest", "middle").controllers[1]
    controller.submit("/board words")
    return Scene("the board as words", controller)


def stopping() -> Scene:
    controller = story("secret-paths", "middle").controllers[1]
    controller.on_message(Bye("shutting_down", "The server is stopping. Your game is kept."))
    controller.on_connection("reconnecting", "The server is stopping. Your game is kept.")
    return Scene("the server stops", controller)


def watched(moment: str) -> Scene:
    return Scene(f"watching, {moment}", story("grid-hunt", moment).controllers[None])


def joined_late() -> Scene:
    scenario = story("quantum-duel", "end")
    controller, over = make_seat(scenario.time).controller, scenario.controllers[None].model.ending
    assert over
    controller.on_connection("connected", "")
    controller.on_message(replace(scenario.room, you=None))
    for seal in scenario.table.match.list_seals():
        controller.on_message(replace(seal, past=True))
    controller.on_message(scenario.shown(None))
    controller.on_message(Over(over.over.winner, over.over.reason, over.over.text, over.moves, over.reveals))
    return Scene("watching from the end on", controller)


def table() -> Iterator[Scene]:
    """What can happen at a table."""
    yield from (refused(), typed_secret(False), typed_secret(True), uncovered(), pencilled(), asked(), timed())
    yield from (long_names(), away(False), away(True), talked(), scrolled_log(), lost_line(), stopping(), as_words())
    yield from (watched("start"), watched("middle"), watched("end"), joined_late(), broken(), drawn_game())
    yield from (long_review(), asked_again(1), asked_again(2), lost_words())


# A room with assist, and how a long game was decided ------------------------------------------------------------------


def assist() -> Iterator[Scene]:
    """Who can rule out what, and where one learns of it."""
    yield Scene("in the lobby", in_lobby(replace(ROOMS[0], assist=True), *ROOMS[1:]).controller, on_board=True)
    making = in_lobby().controller
    lobby_controller.open_new_room(making, "treasure-hunt-duel")
    lobby_controller.edit_room(making, rows=-1, turns=1)
    yield Scene("new room", making, on_board=True)
    without = in_lobby().controller
    lobby_controller.open_new_room(without, "grid-conquest")
    lobby_controller.edit_room(without, rows=-1, turns=1)
    yield Scene("new room for a game without it", without, on_board=True)
    room = waiting()
    room.on_message(replace(room_of("grid-hunt", "waiting", ("Ada", None), number=0), assist=True))
    yield Scene("waiting", room)
    for slug in ("treasure-hunt-duel", "grid-hunt", "quantum-duel", "pebbles"):
        yield Scene(slug, story(slug, "middle", assist=True).controllers[1], on_board=True)
    for slug in ("treasure-hunt-duel", "quantum-duel"):
        shown = story(slug, "middle", assist=True).controllers[1]
        shown.toggle_mask()
        yield Scene(f"{slug}, own secrets shown", shown, on_board=True)
    yield Scene("the other seat", story("grid-hunt", "middle", assist=True).controllers[2], on_board=True)
    yield Scene("one who watches", story("grid-hunt", "middle", assist=True).controllers[None])
    words = story("treasure-hunt-duel", "middle", assist=True).controllers[2]
    words.submit("/board words")
    yield Scene("in words", words)
    yield Scene("the end", story("treasure-hunt-duel", "end", assist=True).controllers[2])


def long_review() -> Scene:
    scenario = story("treasure-hunt-duel", "middle")
    for number in range(60):
        scenario.types(2 - number % 2, f"GUESS {number % 3 + 1}A")
    scenario.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    return Scene("how a long game was decided", scenario.controllers[1])
