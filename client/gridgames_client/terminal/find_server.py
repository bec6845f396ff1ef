"""Lets the player choose a server: one that was found on the network, or one on this machine."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from gridgames_client.net.address import Address
from gridgames_client.net.found_servers import (
    ROWS_MAX,
    PickedServer,
    Server,
    ServerChoice,
    find_row,
    has_place,
    list_as_lines,
)
from gridgames_client.net.lan_search import Search, list_own_networks
from gridgames_client.state.controllers.controller import Controller

T = TypeVar("T")

TOLD_MAX = 30  # servers; a neighbour that announces new ones without end must not fill the log

Lines = asyncio.Queue[str | None]  # typed lines, then None


def list_places(wanted: tuple[Address, ...] | None) -> list[Address]:
    """The addresses to search: those that the player names, or the local network."""
    return list_own_networks() if wanted is None else list(wanted)


async def ask_beside(question: Coroutine[object, object, T], following: Coroutine[object, object, None]) -> T:
    """The answer to a question. `following` runs until then; a bug in it ends the question."""
    try:
        async with asyncio.TaskGroup() as tasks:
            beside = tasks.create_task(following)
            answer = await question
            beside.cancel()
    except BaseExceptionGroup as bugs:
        raise bugs.exceptions[0] from None  # callers know single exceptions, as BrokenPipeError
    return answer


async def ask_password_on_screen() -> str | None:
    """Ask for a password without echo; None if the player wants to leave."""
    from prompt_toolkit import PromptSession

    try:
        return await PromptSession[str]("Password: ", is_password=True).prompt_async()
    except (EOFError, KeyboardInterrupt):
        return None


@dataclass
class Elsewhere:
    """Servers that appear while the player is on a server of their own."""

    search: Search
    declined: tuple[Server, ...]  # listed at the start, and not chosen
    told: list[Server] = field(default_factory=list)
    server: Server | None = None  # the last one of `told` that answers now
    goal: Server | None = None  # where the player wants to go
    why_not: str = ""  # why nobody can go there

    async def follow(self, controller: Controller) -> None:
        """Tell the player of each new server. In a game nobody is disturbed, and nothing is searched."""
        model = controller.model
        model.elsewhere = self.server.name if self.server else ""  # the player may have come back

        def is_free() -> bool:
            return not model.in_game and (model.room is not None or model.lobby is not None)

        async for found in self.search.follow(is_free):
            if not is_free():
                continue
            compatible = [server for server in found if server.is_compatible]
            for server in compatible:
                is_known = any(server.is_same(known) for known in (*self.declined, *self.told))
                if not is_known and has_place(self.told, server.host, TOLD_MAX):
                    self.told.append(server)
                    controller.tell_of_server(server.name, server.address_text)
            answering = [server for known in self.told for server in compatible if server.is_same(known)]
            self.server = answering[-1] if answering else None
            elsewhere = self.server.name if self.server else ""
            if model.elsewhere != elsewhere:
                model.elsewhere = elsewhere
                controller.notify_change()


@dataclass
class PlainPicker:
    """Asks in plain lines."""

    lines: Lines
    write: Callable[[str], None]
    echo: Callable[[bool], object]  # switches the terminal's echo
    rows: list[Server | None] = field(default_factory=list)  # as they were printed; None is this machine

    async def pick(
        self, found: tuple[Server, ...], knows_password: bool, updates: AsyncIterator[tuple[Server, ...]]
    ) -> PickedServer | None:
        """The chosen server; None at the end of the input."""
        self.write("On your network:")
        self.print_rows([*found, None])
        picked = await ask_beside(self.choose(), self.follow(updates))
        if picked and picked.server and picked.server.answer.password and not knows_password:
            return await self.add_password(picked.server)
        return picked

    def print_rows(self, rows: Sequence[Server | None]) -> None:
        """Print rows below those that were printed, and the question."""
        for line in list_as_lines(rows, len(self.rows) + 1):
            self.write(line)
        self.rows += rows
        self.write("Type a number, or nothing to play here:")

    async def follow(self, updates: AsyncIterator[tuple[Server, ...]]) -> None:
        """Print the servers that appear. A printed number goes on meaning the address that was printed with it."""
        async for found in updates:
            new: list[Server] = []
            for server in found:
                rows = [*self.rows, *new]
                if not any(row and server.is_at(row) for row in rows) and has_place(rows, server.host, ROWS_MAX):
                    new.append(server)
            if new:
                self.print_rows(new)

    async def choose(self) -> PickedServer | None:
        """The chosen server, without its password; None at the end of the input."""
        while (typed := await self.lines.get()) is not None:
            number = find_row(typed, len(self.rows), self.rows.index(None))
            if number is None:
                self.write(f"Type a number from 1 to {len(self.rows)}, or nothing to play here:")
            elif (server := self.rows[number]) and not server.is_compatible:
                self.write(ServerChoice((server,)).say_refusal().word)
            else:
                return PickedServer(server)
        return None

    async def add_password(self, server: Server) -> PickedServer | None:
        """The chosen server and its password; None at the end of the input."""
        typed = await self.ask_password()
        return PickedServer(server, typed or None) if typed is not None else None

    async def ask_password(self) -> str | None:
        """Ask for a password without echo."""
        self.echo(False)  # before the player can begin to type
        try:
            self.write("Password:")
            typed = await self.lines.get()
        finally:
            self.echo(True)
        return typed.strip() if typed is not None else None
