"""Play with somebody's program: it reads a view as one line of JSON and writes its move as one line.

So a bot can be written in any language, without the codec.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from gridgames_client.net.address import Address, Refused
from gridgames_client.net.connection import DEFAULT_TIMEOUTS, Connection, Timeouts
from gridgames_client.net.credentials import Identity, refuse_dropped_tls, trust_first_certificate
from gridgames_client.state.model import ConnectionState
from gridgames_protocol.messages import (
    LINE_MAX,
    Again,
    ByeRequest,
    Create,
    Error,
    Join,
    Leave,
    Level,
    Lobby,
    Ok,
    Over,
    Play,
    Push,
    Request,
    Room,
    Show,
    Welcome,
)
from gridgames_protocol.schema import plain_map

NO_ID = 1  # the connection numbers requests itself
ERRORS_MAX = 20  # refused lines in a row: such a program has no use for another try
ENDS_WITHIN = 0.5  # seconds that a program has after the end of its input


@dataclass
class BotRunner:
    """A program at a table: what it is told, what it plays, and how many games are left."""

    program: asyncio.subprocess.Process
    opening: Request  # what brings it to a table
    games: int
    report: Callable[[str], None]
    connection: Connection = field(init=False)
    room: Room | None = None
    counted: tuple[str, int] | None = None  # the room and number of the last game that has ended
    view: Show | None = None  # the newest, until a line is accepted: another one follows then
    asked: tuple[str, int] | None = None  # the room and rev of the view that the program looks at
    playing: bool = False  # a line is on its way, and not answered yet
    errors: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)  # set when the program may have to be asked

    # What the connection tells ----------------------------------------------------------------------------------------

    def on_connection(self, state: ConnectionState, why: str) -> None:
        """Say on the terminal that the line is up or down."""
        if why:
            self.report(why)

    def on_message(self, message: Push) -> None:
        """Hand each view in which the program may act to it, and the end of each game."""
        match message:
            case Welcome(room=None):
                self.room = None
                self.connection.ask(self.opening if self.games > 0 else ByeRequest(NO_ID))
            case Room():
                self.room = message
            case Lobby() if self.room and self.games > 0:
                raise Refused("The room was closed.")
            case Show():
                self.view = message
                self.changed.set()
            case Over() if self.room:  # a server may tell it before the room: the game can't be counted then
                self._end_game(message, self.room)

    def on_reply(self, request: Request, reply: Push) -> None:
        """Let the program try again after a refusal."""
        if isinstance(request, Play):
            self.playing = False
        if isinstance(reply, Error):
            self.report(f"{reply.code}: {reply.text}")
            if not isinstance(request, Play):
                raise Refused(reply.text)
            self.errors += 1
            if self.errors >= ERRORS_MAX:
                raise Refused(f"The program was refused {ERRORS_MAX} times in a row.")
            asyncio.get_running_loop().call_later(reply.wait or 0, self._ask_again)
        elif isinstance(request, Play):
            self.errors, self.view = 0, None
        elif isinstance(reply, Ok) and reply.room:
            self.report(f"room {reply.room}")

    def on_lost(self, request: Request) -> None:
        """The view that comes with the next connection is offered anew."""
        self.asked, self.playing = None, False

    # What the program does --------------------------------------------------------------------------------------------

    def _ask_again(self) -> None:
        self.asked = None
        self.changed.set()

    async def _next_turn(self) -> Show:
        """Wait for a view in which the program may act and has not been asked.

        Only the newest view counts: in a setup the other player may act while the program thinks.
        """
        while True:
            await self.changed.wait()
            self.changed.clear()
            view = self.view
            if view and not self.playing and view.you in view.turn and (view.room, view.rev) != self.asked:
                self.asked = (view.room, view.rev)
                return view

    def _end_game(self, over: Over, room: Room) -> None:
        """Count the game, and ask for the next one or leave. After a reconnect the same end is told again."""
        game = (room.room, room.number)
        if game != self.counted:
            self.counted = game
            self.games -= 1
            self.report(over.text)
            self._write(over)
        if self.games > 0:
            if room.you not in room.again:
                self.connection.ask(Again(NO_ID))
        else:
            self.connection.ask(Leave(NO_ID))  # or the seat would be held
            self.connection.ask(ByeRequest(NO_ID))

    def _write(self, message: Show | Over) -> None:
        assert self.program.stdin
        self.program.stdin.write(json.dumps(plain_map(message)).encode() + b"\n")

    async def think(self) -> None:
        """Ask the program for its line whenever it may act. Raises Refused when it has ended."""
        assert self.program.stdout
        while True:
            view = await self._next_turn()
            self._write(view)
            line = await self.program.stdout.readline()
            if not line:
                raise Refused("The program has ended.")
            text = line.decode("utf-8", "replace").strip()[:LINE_MAX]
            self.playing = True
            self.connection.ask(Play(NO_ID, text, view.rev))


async def run_bot(
    address: Address,
    command: Sequence[str],
    *,
    name: str | None,
    game: str,
    against: Level | None,
    room: str | None,
    games: int,
    report: Callable[[str], None],
    password: str | None = None,
    tls: bool = False,
    fingerprint: str | None = None,
    timeouts: Timeouts = DEFAULT_TIMEOUTS,
) -> None:
    """Let a program play some games. With TLS the server's first certificate is reported and remembered."""
    if command[0].startswith("-"):
        raise Refused(f"Flags stand before HOST: type {command[0]} there.")
    if not tls:
        refuse_dropped_tls(str(address))
    pipe = asyncio.subprocess.PIPE
    try:
        program = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=1_000_000)
    except OSError as error:
        raise Refused(f"{command[0]} can't be started: {error.strerror}.") from None
    opening: Request = Join(NO_ID, room) if room else Create(NO_ID, game, bot=against)
    runner = BotRunner(program, opening, games, report)
    runner.connection = Connection(
        address,
        Identity("program"),
        runner,
        name=name,
        password=password,
        tls=tls,
        find_other_certificate=partial(trust_first_certificate, str(address), report),
        fingerprint=fingerprint,
        timeouts=timeouts,
        bot=True,
    )
    thinking = asyncio.create_task(runner.think())
    staying = asyncio.create_task(runner.connection.run())
    try:
        done, _ = await asyncio.wait({thinking, staying}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        thinking.cancel()
        staying.cancel()
        await asyncio.gather(thinking, staying, return_exceptions=True)
        await end_program(program)


async def end_program(program: asyncio.subprocess.Process) -> None:
    """Close the program's input, and terminate it if it does not end then.

    To terminate one that has just ended by itself would make asyncio complain about an unknown process.
    """
    if program.stdin:
        program.stdin.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(ENDS_WITHIN):
            await program.wait()
    if program.returncode is None:
        program.terminate()
    await program.wait()
