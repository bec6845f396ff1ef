"""Where to play: on a server that was found on the network, or on one of one's own."""

import argparse
import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from gridgames_client import servers
from gridgames_client.address import Address
from gridgames_client.search import everywhere
from gridgames_client.servers import Picked, Picking, Server

Lines = asyncio.Queue[str | None]  # what is typed, and None at its end


def places(wanted: tuple[Address, ...] | None) -> list[Address]:
    """Where to look for servers: where the player says, or everywhere."""
    return everywhere() if wanted is None else list(wanted)


async def pick_on_screen(found: tuple[Server, ...], options: argparse.Namespace) -> Picked | None:
    """Let the player choose on the full screen; None if they want to leave."""
    from gridgames_client.pick import Picker  # takes its time, and is not needed for plain lines

    return await Picker(found, options.password is not None, options.ascii, not options.no_color).run()


async def password_on_screen() -> str | None:
    """Ask for a password, which nobody sees being typed; None if the player wants to leave."""
    from prompt_toolkit import PromptSession

    try:
        return await PromptSession[str]("Password: ", is_password=True).prompt_async()
    except (EOFError, KeyboardInterrupt):
        return None


@dataclass
class Teller:
    """Asks in plain lines."""

    lines: Lines
    write: Callable[[str], None]
    echo: Callable[[bool], object]  # whether what is typed can be seen

    async def pick(self, found: tuple[Server, ...], knows_password: bool) -> Picked | None:
        """What was picked; None if nothing more is typed."""
        for line in servers.spoken(found):
            self.write(line)
        self.write("Type a number, or nothing to play here:")
        while (typed := await self.lines.get()) is not None:
            row = servers.row_of(typed, len(found))
            picking = Picking(found).at(row if row is not None else len(found))
            if row is None:
                self.write(f"Type a number from 1 to {len(found) + 1}, or nothing to play here:")
            elif picking.server is None:
                return Picked(None)
            elif not picking.server.fits:
                self.write(picking.refused().word)
            elif picking.server.answer.password and not knows_password:
                return await self.with_password(picking.server)
            else:
                return Picked(picking.server)
        return None

    async def with_password(self, server: Server) -> Picked | None:
        """What was picked, and its password; None if nothing more is typed."""
        typed = await self.password()
        return Picked(server, typed or None) if typed is not None else None

    async def password(self) -> str | None:
        """Ask for a password, which nobody sees being typed."""
        self.echo(False)  # before anybody can begin to type
        try:
            self.write("Password:")
            typed = await self.lines.get()
        finally:
            self.echo(True)
        return typed.strip() if typed is not None else None
