"""Asks a server for its status."""

import asyncio
from collections.abc import Callable
from functools import partial

from gridgames_client.net.address import (
    Address,
    Refused,
    check_certificate,
    explain_hang_up,
    explain_no_answer,
    explain_other_protocol,
    open_connection,
)
from gridgames_client.net.credentials import find_other_certificate
from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import AskStatus, Bye, Error, Push, Status

STATUS_WITHIN = 5.0  # seconds; monitors do not wait longer


async def ask_status(
    address: Address,
    tls: bool = False,
    within: float = STATUS_WITHIN,
    check: Callable[[asyncio.StreamWriter], object] = lambda writer: None,
) -> Status:
    """Ask a server for its status. Raises Refused with the reason if there is no answer.

    `check` checks the connection before the request is sent. It may raise Refused.
    """
    try:
        async with asyncio.timeout(within):
            answer = await _ask(address, tls, within, check)
    except OSError as error:
        raise Refused(explain_no_answer(address, error)) from None
    except asyncio.IncompleteReadError:
        raise Refused(explain_hang_up(address)) from None
    except (asyncio.LimitOverrunError, WireError):
        raise Refused(explain_other_protocol(address)) from None
    if isinstance(answer, Status):
        return answer
    raise Refused(answer.text if isinstance(answer, Bye | Error) else explain_other_protocol(address))


async def _ask(address: Address, tls: bool, within: float, check: Callable[[asyncio.StreamWriter], object]) -> Push:
    reader, writer = await open_connection(address, tls, within)
    try:
        check(writer)
        writer.write(encode(AskStatus(1)))
        return decode_push((await reader.readuntil(b"\n"))[:-1])
    finally:
        writer.close()


async def list_facts(address: Address, tls: bool = False, fingerprint: str | None = None) -> list[str]:
    """The status of a server, a line for each fact, and the certificate of the same connection."""
    shown: list[str] = []

    def check(writer: asyncio.StreamWriter) -> None:
        find_other = partial(find_other_certificate, str(address))
        shown.append(check_certificate(address, writer, fingerprint, find_other))

    lines = describe_status(await ask_status(address, tls, check=check))
    return [*lines, *(f"certificate: {one}" for one in shown if one)]


def describe_status(status: Status) -> list[str]:
    """A status as lines, one for each fact."""
    return [
        f"server: {status.server}",
        f"uptime: {status.uptime} s",
        f"players: {status.players}",
        f"rooms: {status.rooms}",
        f"games: {status.games}",
        f"moves: {status.moves}",
        *([f"version: {status.version}"] if status.version else []),
    ]
