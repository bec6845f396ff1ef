"""What a client is put through. Each check is a function of a stage; it raises a Failure with what went wrong."""

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from gridgames_protocol.conform.stage import Failure, Stage
from gridgames_protocol.messages import (
    PROTOCOL,
    Bye,
    ByeRequest,
    Commit,
    Error,
    Event,
    Hello,
    Ok,
    Opening,
    Over,
    Play,
    Push,
    Request,
    Reveal,
    Room,
    RoomState,
    SeatHolder,
    Show,
    Welcome,
)
from gridgames_protocol.schema import plain_map
from gridgames_protocol.views import Action, Board, Card, Frame, View

ROOM, TOKEN, NONCE = "CONF01", "c0nf0rm" * 6, "0123456789abcdef" * 2
CARD = Card("pick", "Pick", "a game that nobody knows", "Pick a cell.", 1)
CELLS = ("A", "B", "C")
BOARD = Board(Frame(("",), CELLS, CELLS), ("", "", ""), ("hidden", "hidden", "hidden"))
PICK = Action("PICK", "PICK {cell}", "pick a cell", CELLS)
SEATS = (SeatHolder("ann", True, None), SeatHolder("ben", True, None))
SECOND = 1.5  # seconds in which a client that should not act would have acted


class Goodbye(Failure):
    """The client has said goodbye by itself."""

    def __init__(self, id: int) -> None:
        super().__init__("it said goodbye")
        self.id = id


class Check(NamedTuple):
    name: str
    run: Callable[[Stage], None]
    must: bool  # a client without it breaks; otherwise it is merely less comfortable


def welcome(re: int, last_play: int | None = None) -> Welcome:
    """Let the client in, to the seat that is held for it."""
    return Welcome(re, PROTOCOL, "conformance", "ann", TOKEN, (CARD,), ROOM, last_play)


def room(state: RoomState = "playing", number: int = 1, again: tuple[int, ...] = ()) -> Room:
    return Room(ROOM, "pick", "Pick", state, SEATS, 1, 0, "host", None, (0, 0, 0), number, again=again)


def view(rev: int, turn: tuple[int, ...] = (1,)) -> Show:
    """A table at which seat 1, the client, may pick a cell."""
    phase = "play" if turn else "over"
    actions = (PICK,) if 1 in turn else ()
    return Show(ROOM, rev, turn, 1, View(phase, "Pick a cell.", BOARD, (), actions, {}))  # type: ignore[arg-type]


def refuse(request: Request) -> Push | None:
    """The answer to what a client asks while it should play."""
    if isinstance(request, ByeRequest):
        raise Goodbye(request.id)
    return Error("in_room", "You are in a room already.", request.id)


def sit_down(stage: Stage, rev: int = 3, pieces: int = 0) -> None:
    """Let the client in, and show it a table at which it is to act."""
    hello = stage.accept()
    stage.send(welcome(hello.id), room(), view(rev), pieces=pieces)


def wait_for_play(stage: Stage, rev: int) -> Play:
    """The client's line, which must be a legal one for the view that it was shown."""
    stage.type("PICK B")
    play = stage.expect(Play, refuse)
    if play.line.upper().strip() not in {f"PICK {cell}" for cell in CELLS}:
        raise Failure(f"it played {play.line!r}, which is not legal")
    if play.rev not in (None, rev):
        raise Failure(f"it sent the rev {play.rev} for the view {rev}")
    return play


def expect_silence(stage: Stage, what: str) -> None:
    """Fail if the client plays now."""
    assert stage.peer
    stage.peer.settimeout(SECOND)
    try:
        stage.expect(Play, refuse)
    except Goodbye as goodbye:
        stage.send(Ok(goodbye.id))
    except Failure as failure:
        if "silent" not in str(failure):
            raise
    else:
        raise Failure(what)
    finally:
        stage.peer.settimeout(stage.patience)


# Musts ----------------------------------------------------------------------------------------------------------------


def plays(stage: Stage) -> None:
    sit_down(stage)
    wait_for_play(stage, 3)


def plays_byte_by_byte(stage: Stage) -> None:
    sit_down(stage, pieces=1)
    wait_for_play(stage, 3)


def stuffs(stage: Stage) -> None:
    """Numbers that pack to an LF and to a C1 have to be stuffed, on the way in and on the way out."""
    hello = stage.accept()
    stage.send(welcome(hello.id), room())
    for rev in (10, 193, 0x0AC1):
        stage.send(view(rev))
        play = wait_for_play(stage, rev)
        stage.send(Ok(play.id), view(rev, (2,)))


def skips_what_it_does_not_know(stage: Stage) -> None:
    hello = stage.accept()
    strange = {"type": "weather", "text": "It rains.", "more": [1, {"a": None}]}
    more = {**plain_map(view(3)), "mood": "fine", "layers": [{"x": 1}]}
    odd = {"type": "event", "text": "A kind of tomorrow.", "kind": "whisper"}
    stage.send({**plain_map(welcome(hello.id)), "colour": "red"}, strange, odd, plain_map(room()), more, b"\n")
    wait_for_play(stage, 3)


def plays_once(stage: Stage) -> None:
    sit_down(stage)
    play = wait_for_play(stage, 3)
    stage.send(view(3), view(3))
    expect_silence(stage, "it played twice for one view")
    stage.send(Ok(play.id), view(4, (2,)))
    expect_silence(stage, "it played when it was not its turn")


def takes_a_long_end(stage: Stage) -> None:
    over(stage, NONCE)


def stays_away(stage: Stage) -> None:
    sit_down(stage)
    wait_for_play(stage, 3)
    stage.send(Bye("replaced", "You have connected from somewhere else."))
    stage.cut()
    if stage.comes_back(SECOND):
        raise Failure("it connected again after bye, replaced")


# Shoulds --------------------------------------------------------------------------------------------------------------


def comes_back(stage: Stage) -> None:
    sit_down(stage)
    wait_for_play(stage, 3)
    stage.cut()
    hello = stage.accept()
    if hello.token != TOKEN:
        raise Failure("it came back without its token")


def comes_back_after_a_restart(stage: Stage) -> None:
    """The new server has kept nothing, so the client has to come in without its token."""
    sit_down(stage)
    wait_for_play(stage, 3)
    stage.send(Bye("shutting_down", "The server is stopping."))
    stage.cut()
    hello = stage.accept()
    stage.send(Error("token", "This server does not know your token. Say hello without one.", hello.id, "token"))
    hello = stage.expect(Hello)
    if hello.token is not None:
        raise Failure("it insisted on a token that the server does not know")


def comes_back_from_half_a_line(stage: Stage) -> None:
    hello = stage.accept()
    stage.send(welcome(hello.id), room())
    stage.send(b"\x8d\xa4type\xa4view")
    stage.cut()
    hello = stage.accept()
    stage.send(welcome(hello.id), room(), view(4))
    wait_for_play(stage, 4)


def plays_no_line_twice(stage: Stage) -> None:
    sit_down(stage)
    play = wait_for_play(stage, 3)
    stage.cut()
    hello = stage.accept()
    stage.send(welcome(hello.id, play.id), room(), view(4, (2,)))
    expect_silence(stage, "it played again what was accepted already")
    stage.send(view(5))
    again = wait_for_play(stage, 5)
    if again.id <= play.id:
        raise Failure(f"its next id, {again.id}, is not above last_play, {play.id}")


def notices_a_bad_seal(stage: Stage) -> None:
    """What it prints at the end must not be the same for an honest opening and a false one."""
    honest = over(stage, NONCE)
    twin = Stage(stage.command, stage.patience)
    try:
        false = over(twin, NONCE[::-1])
    finally:
        twin.close()
    if honest == false:
        raise Failure("it says nothing when an opening does not fit its seal")


def over(stage: Stage, nonce: str) -> bytes:
    """Play a game to an end in three parts; what the client has printed by then."""
    hello = stage.accept()
    seal = Commit("treasure", sha256(f"{NONCE}:treasure=B".encode()).hexdigest())
    stage.send(welcome(hello.id), room(), Event("Welcome to Pick!", "system", begins=1))
    stage.send(Event("Sealed: treasure.", "system", commit=seal), view(3))
    play = wait_for_play(stage, 3)
    moves = tuple((1 + number % 2, "PICK A") for number in range(2_000))
    reveal = Reveal("treasure", "B", nonce)
    end = Over(1, "treasure", "Player 1 wins.", ((1, play.line),), (reveal,))
    stage.send(Ok(play.id), view(4, ()), room("over"), Opening(moves, ()), Opening(moves, ()), end, pieces=1_000)
    expect_silence(stage, "it played when the game was over")
    stage.send(Bye("shutting_down", "The check is over."))
    stage.cut()
    return stage.output()


CHECKS = (
    Check("plays a legal line for the view that it was shown", plays, True),
    Check("reads lines that arrive byte by byte", plays_byte_by_byte, True),
    Check("stuffs and unstuffs", stuffs, True),
    Check("skips fields, messages and kinds that it does not know", skips_what_it_does_not_know, True),
    Check("plays once for a view that comes twice", plays_once, True),
    Check("takes an end in several parts", takes_a_long_end, True),
    Check("stays away after bye, replaced", stays_away, True),
    Check("comes back with its token", comes_back, False),
    Check("comes back after a restart, and without its token if that is unknown", comes_back_after_a_restart, False),
    Check("comes back when a line breaks off", comes_back_from_half_a_line, False),
    Check("plays no line again that was accepted", plays_no_line_twice, False),
    Check("notices an opening that does not fit its seal", notices_a_bad_seal, False),
)
