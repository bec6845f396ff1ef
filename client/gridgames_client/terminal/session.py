"""Runs the client on a server, from the first connection to the goodbye."""

import argparse
import asyncio
import contextlib
import getpass
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from gridgames_client.net import credentials
from gridgames_client.net.address import Address, Refused, explain_no_answer, open_connection
from gridgames_client.net.connection import ADVICE, DEFAULT_NAME, DEFAULT_TIMEOUTS, Connection, WrongPassword
from gridgames_client.net.remembered_choices import read_choices, store_choice
from gridgames_client.net.start_commands import client_command
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.stdio import (
    Echo,
    EndedBySignal,
    ask_until_signal,
    format_time,
    read_lines,
    ring_bell,
)
from gridgames_protocol.machine.output import write_line
from gridgames_protocol.messages import PASSWORD_MAX
from gridgames_protocol.safe_text import harmless

# Each way to play imports what it needs, so that the first screen comes sooner.
if TYPE_CHECKING:
    from gridgames_client.net.found_servers import PickedServer, Server
    from gridgames_client.net.lan_search import Search
    from gridgames_client.net.local_server import LocalServer
    from gridgames_client.net.server_process import ServerProcess
    from gridgames_client.terminal.app import App
    from gridgames_client.terminal.find_server import Elsewhere

T = TypeVar("T")
Lines = asyncio.Queue[str | None]  # typed lines, then None
Page = tuple[str, bytes]  # the colour of the terminal's page, and what was typed while the terminal was asked for it

HOME = "local"  # the name of the player's own server in the stored credentials
FLEETING = "local-not-kept"  # its name if it stores no games, so that its tokens do not replace those of HOME
GOODBYE_WITHIN = 0.5
WELCOME_WITHIN = 0.1  # seconds that the first drawing waits for the server
# Anybody can answer a search in the name of a server.
DROPPED_TLS = "The answer to the search says that it does not use TLS now: somebody may want to listen in."
PASSWORDS_ASKED = 3  # attempts


async def play(options: argparse.Namespace, first: "ServerProcess | None" = None) -> None:
    """Play on the given server, or else on one that is found or started here; `first` is being started already."""
    with contextlib.suppress(EndedBySignal):
        if options.address is not None:
            if not options.tls:
                credentials.refuse_dropped_tls(str(options.address))
            await play_with_password(options.address, options)
        else:
            await play_found_server(options, first)


async def play_found_server(options: argparse.Namespace, first: "ServerProcess | None") -> None:
    """Play on a server that is found, or on one that is started here."""
    from gridgames_client.net.found_servers import PickedServer
    from gridgames_client.net.lan_search import search_servers
    from gridgames_client.net.local_server import find_other_local_server, run_local_server
    from gridgames_client.terminal import find_server

    lines: Lines | None = None
    async with AsyncExitStack() as here:
        search = await here.enter_async_context(search_servers(find_server.list_places(options.search)))
        neighbour = first.neighbour if first and options.search != () else 0
        beside = await find_other_local_server(neighbour) if neighbour else ()
        loading = asyncio.create_task(load_screen_later(options))  # runs while the server starts
        home: LocalServer | Refused
        try:
            home = await here.enter_async_context(
                run_local_server(first)
            )  # other servers have time to answer meanwhile
        except Refused as refused:
            home = refused
        page = await loading
        found = (*beside, *await search.collect())
        if found and asks_in_lines(options):
            lines = asyncio.Queue()
            read_lines(lines.put_nowait)
        picked, why_not = PickedServer(None) if not found else None, ""
        while found:
            picked = await pick_server(found, options, lines, follow(search, beside), why_not)
            if not (picked and picked.server and (why_not := await explain_no_server(picked.server))):
                break
        if picked is None:
            return
        if picked.server is None:
            if isinstance(home, Refused):
                raise home
            if lines is None and asks_in_lines(options):
                lines = asyncio.Queue()  # one reader for this server and the next
                read_lines(lines.put_nowait)
            elsewhere = find_server.Elsewhere(search, found) if search.places else None
            server = FLEETING if home.why_not_stored else HOME
            eager = bool(found)
            while await play_at(home.address, server, options, lines, home, eager, page, elsewhere):
                assert elsewhere
                page, eager = page and (page[0], b""), False
                if not elsewhere.why_not:
                    break
            else:
                return
            picked = PickedServer(elsewhere.goal)
    assert picked.server
    address = Address(picked.server.host, picked.server.answer.port)
    options.tls, options.password = picked.server.answer.tls, picked.password or options.password
    if not options.tls:
        credentials.refuse_dropped_tls(str(address), DROPPED_TLS)
    await play_with_password(address, options, lines, page)


async def explain_no_server(server: "Server") -> str:
    """Why nobody can go to a found server; empty if it answers, or if it is refused later."""
    address = Address(server.host, server.answer.port)
    if not server.answer.tls and credentials.find_known_certificate(str(address)):
        return ""
    try:
        _, writer = await ask_until_signal(open_connection(address, server.answer.tls, DEFAULT_TIMEOUTS.answer))
    except OSError as error:
        return explain_no_answer(address, error)
    writer.close()
    return ""


async def follow(search: "Search", beside: "tuple[Server, ...]") -> "AsyncIterator[tuple[Server, ...]]":
    """The servers as they come and go, and those that no search finds."""
    async for found in search.follow():
        yield (*beside, *found)


async def load_screen_later(options: argparse.Namespace) -> Page | None:
    """Import what draws, where something is drawn."""
    return load_screen(options) if may_draw(options) else None


async def play_with_password(
    address: Address, options: argparse.Namespace, lines: Lines | None = None, page: Page | None = None
) -> None:
    """Play on a server. If it wants a password and input is a terminal, ask for it a few times."""
    for _ in range(PASSWORDS_ASKED):
        try:
            await play_at(address, str(address), options, lines, page=page)
            return
        except WrongPassword as wrong:
            if lines is None and asks_in_lines(options):
                lines = asyncio.Queue()
                read_lines(lines.put_nowait)
            options.password = await ask_password(wrong, options, lines)
            page = None if page is None else (page[0], b"")
    await play_at(address, str(address), options, lines)


async def ask_password(wrong: WrongPassword, options: argparse.Namespace, lines: Lines | None) -> str:
    """Ask for a server's password. Without a terminal or an answer, the refusal is raised again."""
    if lines is None and not may_draw(options):
        raise wrong
    from gridgames_client.terminal.find_server import PlainPicker, ask_password_on_screen

    write_line(harmless(str(wrong).removesuffix(ADVICE["password"])))
    if lines is None:
        typed = await ask_until_signal(ask_password_on_screen())
    else:
        typed = await ask_until_signal(PlainPicker(lines, write_line, Echo().show).ask_password())
    if not typed:
        raise wrong
    return typed[:PASSWORD_MAX]


async def pick_server(
    found: "tuple[Server, ...]",
    options: argparse.Namespace,
    lines: Lines | None,
    updates: "AsyncIterator[tuple[Server, ...]]",
    why_not: str = "",
) -> "PickedServer | None":
    """Let the player choose a server; None to leave. Without a terminal the servers are only printed.

    `why_not` says why the last choice was not possible.
    """
    from gridgames_client.net.found_servers import PickedServer
    from gridgames_client.terminal.find_server import PlainPicker

    knows_password = options.password is not None
    if lines is not None:
        if why_not:
            write_line(why_not)
        picker = PlainPicker(lines, write_line, Echo().show)
        return await ask_until_signal(picker.pick(found, knows_password, updates))
    if may_draw(options):
        from gridgames_client.terminal.server_picker import Picker  # slow to import, and not needed for plain lines

        color = not options.no_color
        return await Picker(found, knows_password, options.ascii, color, updates=updates, word=why_not).run()
    for server in found:
        write_line(f"On your network: {server.name}, {server.address_text}: {server.facts}.")
    write_line("You play on a server of your own. With its address behind gridgames-client you play on another one.")
    return PickedServer(None)


def may_ask(options: argparse.Namespace) -> bool:
    """True if a person sits at a terminal."""
    return may_draw(options) or asks_in_lines(options)


def asks_in_lines(options: argparse.Namespace) -> bool:
    """True for plain lines on a terminal."""
    return not may_draw(options) and bool(sys.stdin) and sys.stdin.isatty()


async def play_at(
    address: Address,
    server: str,
    options: argparse.Namespace,
    lines: Lines | None = None,
    home: "LocalServer | None" = None,
    eager: bool = False,
    page: Page | None = None,
    elsewhere: "Elsewhere | None" = None,
) -> bool:
    """Play until the player leaves. True if they go elsewhere.

    `lines` may hold typed lines already; `eager` opens the dialogue for a new room.
    """
    who = credentials.take_identity(server, options.name)
    who.name = who.name or guess_name()
    model = Model(str(address), owns_server=home is not None, tls=options.tls, bell=not options.no_bell)
    controller = Controller(
        model,
        ask=lambda request: None,
        notify=lambda what: None,
        save=save_file,
        clock=time.monotonic,
        format_time=format_time,
    )
    model.command = client_command(sys.argv[0])
    use_settings(controller, options)
    app = make_full_screen(controller, options, page)
    tell = write_line if app is None else model.say
    if home is not None and home.why_not_stored:
        tell(home.why_not_stored)
    why_not = elsewhere.why_not if elsewhere else ""
    if why_not and app is None:
        tell(why_not)
    connect = partial(
        Connection,
        address,
        who,
        name=options.name,
        password=options.password,
        tls=options.tls,
        fingerprint=options.fingerprint,
        find_other_certificate=partial(credentials.trust_first_certificate, server, tell),
    )
    beside = (elsewhere.follow(controller),) if elsewhere and may_ask(options) else ()

    async def stays() -> bool:
        """True if the player wants to go to a server that does not answer."""
        if not (elsewhere and model.goes_elsewhere):
            return False
        elsewhere.goal = elsewhere.server or elsewhere.told[-1]
        elsewhere.why_not = await explain_no_server(elsewhere.goal)
        return bool(elsewhere.why_not)

    try:
        if app is not None:
            controller.opens_new_room = eager
            connection = connect(controller)
            playing = draw_when_welcome(app, connection, why_not)
            await run_until_goodbye(connection, controller, playing, *beside, stays=stays)
        else:
            await play_in_plain_lines(connect, controller, lines, options.wait, home, *beside, stays=stays)
    except WrongPassword:
        if app is not None and model.notice:  # what the screen said of the certificate, before a password goes to it
            write_line(harmless(model.notice))
        raise
    finally:
        who.close()
    return model.goes_elsewhere


async def draw_when_welcome(app: "App", connection: Connection, why_not: str) -> None:
    """Run the full screen. A fast server answers before the first drawing, so that nothing is drawn twice.

    `why_not` says why the player could not go elsewhere. It is said here, since entering a room clears the notice.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(WELCOME_WITHIN):
            await connection.first_welcome.wait()
    if why_not:
        app.controller.model.say(why_not, bad=True)
    await app.run()


def use_settings(controller: Controller, options: argparse.Namespace) -> None:
    """Apply the player's settings and remembered choices to the controller."""
    settings, choices = options.settings, read_choices()
    guided = choices.get("guided")
    if isinstance(guided, list):
        controller.guide.known_games = {game for game in guided if isinstance(game, str)}
    controller.remember_guide = lambda game: store_choice("guided", sorted(controller.guide.known_games))
    controller.model.last_game = str(choices.get("game", ""))
    controller.remember_game = partial(store_choice, "game")
    controller.model.wants_assist = choices.get("assist") is not False
    controller.remember_assist = partial(store_choice, "assist")
    controller.boards_as_words, controller.vi = options.words, settings.keys == "vi"
    if not may_draw(options):
        controller.boards_as_words |= choices.get("words") is True
    if settings.covers == "auto":
        controller.model.shows_secrets = choices.get("covers") is False
        controller.remember_cover = partial(store_choice, "covers")
    else:
        controller.model.shows_secrets = settings.covers == "never"
    controller.model.always_covers = settings.covers == "always"


async def play_in_plain_lines(
    connect: Callable[[Controller], Connection],
    controller: Controller,
    lines: Lines | None,
    waits: bool,
    home: "LocalServer | None",
    *beside: Coroutine[object, object, None],
    stays: Callable[[], Awaitable[bool]],
) -> None:
    """Play in plain lines. Raises KeyboardInterrupt after Ctrl-C."""
    echo = Echo()
    from gridgames_client.terminal.plain.plain_app import Plain
    from gridgames_client.terminal.plain.typed_lines import run_until_ended

    table = Plain(controller, write_line, echo.show, asyncio.get_running_loop().call_soon)
    if sys.stdout and sys.stdout.isatty():
        table.count_columns, table.ring = lambda: shutil.get_terminal_size().columns, ring_bell
    table.remember_words = partial(store_choice, "words")
    if home is not None and home.why_not_stored:
        table.goodbye_in_game = ""
    connection = connect(controller)
    try:
        playing = run_until_ended(table, connection, lines, waits)
        await run_until_goodbye(connection, controller, playing, *beside, stays=stays)
    finally:
        echo.show(True)
    if table.is_interrupted:
        raise KeyboardInterrupt


def guess_name() -> str:
    """The user's login name, reduced to what a player's name may hold."""
    with contextlib.suppress(Exception):  # the exception for a user without a name depends on the platform
        return "".join(char for char in getpass.getuser() if char.isalnum() or char in "-_.")[:16] or DEFAULT_NAME
    return DEFAULT_NAME


async def never() -> bool:
    """False."""
    return False


async def run_until_goodbye(
    connection: Connection,
    controller: Controller,
    playing: Coroutine[object, object, None],
    *beside: Coroutine[object, object, None],
    stays: Callable[[], Awaitable[bool]] = never,
) -> None:
    """Run the connection, the front end and what goes on beside them. The end or a bug of one ends the others.

    If the player `stays`, no goodbye is said: the server keeps the seat for the next connection.
    """
    loop = asyncio.get_running_loop()
    bug: asyncio.Future[None] = loop.create_future()

    def struck(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and not bug.done():
            bug.set_exception(error)

    loop.set_exception_handler(struck)
    controller.ask = connection.ask
    line, *others = [loop.create_task(one) for one in (connection.run(), playing, *beside)]
    try:
        ended, _ = await asyncio.wait({line, *others, bug}, return_when=asyncio.FIRST_COMPLETED)
        for one in ended:
            one.result()
        if not await stays() and connection.is_connected:
            controller.say_goodbye()
            await asyncio.wait({line}, timeout=GOODBYE_WITHIN)
    finally:
        for one in (line, *others, bug):
            one.cancel()
        await asyncio.gather(line, *others, return_exceptions=True)


def may_draw(options: argparse.Namespace) -> bool:
    """True if the full screen is wanted and there is a terminal."""
    term = os.environ.get("TERM") or ("" if sys.platform == "win32" else "dumb")
    terminal = all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return not options.plain and terminal and term != "dumb"


def load_screen(options: argparse.Namespace) -> Page:
    """Import what draws, and ask the terminal for the colour of its page meanwhile."""
    from gridgames_client.terminal.background import ask_page, may_ask

    asks = options.settings.theme in ("auto", "16") and not options.no_color and may_ask(os.environ)
    with ask_page(sys.stdin.fileno(), sys.stdout.fileno()) if asks else contextlib.nullcontext() as read_answer:
        import gridgames_client.terminal.app  # noqa: F401  (takes longer than a terminal does to answer)

        return read_answer() if read_answer is not None else ("", b"")


def make_full_screen(controller: Controller, options: argparse.Namespace, page: Page | None = None) -> "App | None":
    """The full-screen program; None if it is not wanted or not possible."""
    if not may_draw(options):
        return None
    colour, typed = page or load_screen(options)
    from gridgames_client.terminal.app import App
    from gridgames_client.terminal.style import choose_theme

    return make_unless_no_console(
        lambda: App(
            controller,
            options.ascii,
            not options.no_color,
            mouse=options.settings.mouse,
            notifies=options.settings.notify,
            animate=not options.no_animation,
            theme=choose_theme(options.settings.theme, os.environ, colour),
            typed_before=typed.decode(errors="ignore"),
        )
    )


def make_unless_no_console(make: Callable[[], T]) -> T | None:
    """The made value, or None on a Windows terminal that programs can't draw on."""
    try:
        return make()
    except Exception as error:
        if type(error).__name__ != "NoConsoleScreenBufferError":  # other systems can't import it
            raise
        return None


def save_file(path: str, text: str) -> str:
    """Write a game to a new file. Returns the message to show."""
    try:
        with open(os.path.expanduser(path), "x", encoding="utf-8") as file:
            file.write(text + "\n")
    except (OSError, ValueError) as error:
        return f"Not saved: {path}: {getattr(error, 'strerror', 'that is no name of a file')}."
    name = f'"{os.path.expanduser(path)}"' if " " in path else path
    return f"Saved to {path}. To check it: gridgames-client verify {name}"
