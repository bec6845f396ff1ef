"""A server is found across a network: two machines on one cable, where this machine can pretend to be two.

That takes network namespaces, and so Linux and root. Elsewhere the same story is told by loopback, and says so.
"""

import asyncio
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.client.terminal import PATIENCE, PROGRAMS
from tests.wire import LOCAL, environment, run

PIPE = asyncio.subprocess.PIPE
HOST, GUEST, EVERYBODY = "10.47.43.1", "10.47.43.2", "10.47.43.255"
ADDRESSES = {"host": HOST, "guest": GUEST}


@dataclass
class Network:
    """Where programs of the host and of the guest run, and where the guest looks for servers."""

    address: str
    port: int
    searches: list[list[str]]
    inside: dict[str, list[str]]

    async def starts(self, who: str, program: str, *arguments: str, **variables: str) -> asyncio.subprocess.Process:
        """Run a program on somebody's machine."""
        return await asyncio.create_subprocess_exec(
            *self.inside[who],
            str(PROGRAMS / program),
            *arguments,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=environment(**variables),
        )


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def two_machines() -> Iterator[Network]:
    """Two namespaces with a cable between them; an OSError or CalledProcessError where there can be none."""
    names = {who: f"gridgames-{who}-{os.getpid()}" for who in ADDRESSES}
    cable = {who: f"gg{who[0]}{os.getpid()}" for who in ADDRESSES}
    try:
        for name in names.values():
            ip("netns", "add", name)
        ip("link", "add", cable["host"], "type", "veth", "peer", "name", cable["guest"])
        for who, address in ADDRESSES.items():
            ip("link", "set", cable[who], "netns", names[who])
            ip("-n", names[who], "addr", "add", f"{address}/24", "brd", "+", "dev", cable[who])
            ip("-n", names[who], "link", "set", "lo", "up")
            ip("-n", names[who], "link", "set", cable[who], "up")
            ip("-n", names[who], "route", "add", "default", "dev", cable[who])
        inside = {who: ["ip", "netns", "exec", name] for who, name in names.items()}
        searches = [[], ["--search", "255.255.255.255"], ["--search", EVERYBODY], ["--search", HOST]]
        yield Network(HOST, 4743, searches, inside)
    finally:
        for name in names.values():
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
        subprocess.run(["ip", "link", "del", cable["host"]], capture_output=True)


@pytest.fixture
def network(capsys: pytest.CaptureFixture[str]) -> Iterator[Network]:
    """Two machines, or this one twice."""
    try:
        with two_machines() as found:
            yield found
            return
    except (OSError, subprocess.CalledProcessError) as error:
        with capsys.disabled():
            print(f"\nno network of two machines can be made here ({error}): by loopback alone")
    yield Network(LOCAL, 0, [["--search", f"{LOCAL}:{{port}}"]], {"host": [], "guest": []})


async def line(process: asyncio.subprocess.Process, beginning: str) -> str:
    """The next line of a program's that begins like this."""
    assert process.stdout
    async with asyncio.timeout(PATIENCE):
        while said := (await process.stdout.readline()).decode():
            if said.startswith(beginning):
                return said.rstrip("\n")
    raise AssertionError(f"it ended without {beginning!r}: {(await process.communicate())[1].decode()}")


async def ends(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.communicate()


def test_a_server_is_found_by_calling_everybody_and_can_be_played_on(network: Network, tmp_path: Path) -> None:
    async def evening() -> None:
        flags = [
            "--no-store",
            "--name",
            "attic",
            "--port",
            str(network.port),
            "--host",
            LOCAL if not network.port else "0.0.0.0",
        ]
        host = await network.starts("host", "gridgames-server", *flags)
        try:
            announced = await line(host, "gridgames ")
            found = re.search(r"gridgames-client ([\d.]+):(\d+)", announced)
            assert found
            assert found[1] == network.address, "the address that is announced is the one that is found"
            where = f"{found[1]}:{found[2]}"
            for search in network.searches:
                places = [word.format(port=found[2]) for word in search]
                guest = await network.starts("guest", "gridgames-client", *places, XDG_STATE_HOME=str(tmp_path))
                try:
                    told = await line(guest, "On your network: ")
                    assert told == f"On your network: attic, {where}: 0 players, 0 open.", places
                finally:
                    await ends(guest)
            guest = await network.starts("guest", "gridgames-client", where, "--status")
            assert await line(guest, "server: ") == "server: attic"
            await ends(guest)
        finally:
            await ends(host)

    run(evening(), within=60.0)
