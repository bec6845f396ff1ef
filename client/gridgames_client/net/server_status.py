"""How a server is: one question, one answer."""

import asyncio
import hashlib

from gridgames_client.address import Address, Refused, no_answer, no_gridgames, no_server, reach
from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import AskStatus, Bye, Error, Push, Status, decode_push, encode

STATUS_WITHIN = 5.0  # whoever watches over a server does not wait longer


async def ask_status(address: Address, tls: bool = False, within: float = STATUS_WITHIN) -> Status:
    """Ask a server how it is. Raises Refused with the reason if it does not say."""
    try:
        async with asyncio.timeout(within):
            answer = await _answer(address, tls, within)
    except OSError as error:
        raise Refused(no_answer(address, error)) from None
    except asyncio.IncompleteReadError:
        raise Refused(no_server(address)) from None
    except (asyncio.LimitOverrunError, WireError):
        raise Refused(no_gridgames(address)) from None
    if isinstance(answer, Status):
        return answer
    raise Refused(answer.text if isinstance(answer, Bye | Error) else no_gridgames(address))


async def _answer(address: Address, tls: bool, within: float) -> Push:
    reader, writer = await reach(address, tls, within)
    try:
        writer.write(encode(AskStatus(1)))
        return decode_push((await reader.readuntil(b"\n"))[:-1])
    finally:
        writer.close()


def report(status: Status) -> list[str]:
    """What a status says, a line for each fact, in the order in which people ask."""
    return [
        f"server: {status.server}",
        f"uptime: {status.uptime} s",
        f"players: {status.players}",
        f"rooms: {status.rooms}",
        f"games: {status.games}",
        f"moves: {status.moves}",
        *([f"version: {status.version}"] if status.version else []),
    ]


async def certificate(address: Address, within: float = STATUS_WITHIN) -> str:
    """The fingerprint of the certificate that a server shows, as its log has it."""
    try:
        _, writer = await reach(address, True, within)
    except OSError as error:
        raise Refused(no_answer(address, error)) from None
    try:
        return hashlib.sha256(writer.get_extra_info("ssl_object").getpeercert(True)).hexdigest()
    finally:
        writer.close()
