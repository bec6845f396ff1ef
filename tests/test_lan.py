"""A server across a network: two machines on one cable, where this machine can pretend to be two.

That takes network namespaces, and so Linux and root. Elsewhere the same story is told by loopback, and says so.
"""

import asyncio
import os
import re
import subprocess
import venv
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.client.pseudo_terminal import PATIENCE, PROGRAMS
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

    async def starts(
        self, who: str, program: str | Path, *arguments: str, **variables: str
    ) -> asyncio.subprocess.Process:
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
def two_machines(has_route: bool) -> Iterator[Network]:
    """Two namespaces with a cable between them; an OSError or CalledProcessError where there can be none.

    A route says that everything else can be reached by the cable too. Without it there is no way to anywhere else.
    """
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
            if has_route:
                ip("-n", names[who], "route", "add", "default", "dev", cable[who])
        inside = {who: ["ip", "netns", "exec", name] for who, name in names.items()}
        searches = [[], ["--search", "255.255.255.255"], ["--search", EVERYBODY], ["--search", HOST]]
        yield Network(HOST, 4743, searches, inside)
    finally:
        for name in names.values():
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
        subprocess.run(["ip", "link", "del", cable["host"]], capture_output=True)


@pytest.fixture
def network(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Iterator[Network]:
    """Two machines, or this one twice."""
    try:
        with two_machines(has_route=getattr(request, "param", True)) as found:
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


@asynccontextmanager
async def serving_on(network: Network, *flags: str) -> AsyncIterator[re.Match[str]]:
    """Run a server on the host's machine: the address and the port that it announces."""
    address = LOCAL if not network.port else "0.0.0.0"
    given = ("--no-store", "--name", "attic", "--port", str(network.port), "--host", address, *flags)
    host = await network.starts("host", "gridgames-server", *given)
    try:
        found = re.search(r"gridgames-client ([\d.]+):(\d+)", await line(host, "gridgames "))
        assert found
        yield found
    finally:
        await ends(host)


def test_a_server_is_found_by_calling_everybody_and_can_be_played_on(network: Network, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving_on(network) as found:
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

    run(scenario(), within=60.0)


# A friend with nothing but Python -------------------------------------------------------------------------------------

FETCH = """
import hashlib, http.client, re, sys

def get(path):
    there = http.client.HTTPConnection(sys.argv[1], int(sys.argv[2]))
    there.request("GET", path)
    return there.getresponse().read()

file = get("/gridgames.pyz")
checksum = hashlib.sha256(file).hexdigest()
assert checksum == re.search("[0-9a-f]{64}", get("/").decode())[0], "the page names another file"
open(sys.argv[3], "wb").write(file)
print("fetched", checksum)
"""
DIGS = [f"DIG {row} {column}" for row in range(1, 6) for column in range(1, 6)]
GAME = ["create grid-hunt bot=easy first=host", "HIDE 2 3", *DIGS, "/leave", "quit"]


@pytest.mark.parametrize("network", [False], indirect=True, ids=["no-way-out"])
def test_a_bare_python_gets_the_client_from_the_server_and_plays(network: Network, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    python, file = tmp_path / "bare" / "bin" / "python", tmp_path / "gridgames.pyz"

    async def scenario() -> None:
        async with serving_on(network, "--bot-delay", "0", "--rate", "0") as found:
            address, port = found[1], found[2]
            guest = await network.starts("guest", python, "-I", "-c", FETCH, address, port, str(file))
            said, wrong = await guest.communicate()
            assert (said[:8], wrong) == (b"fetched ", b"")

            search = [word.format(port=port) for word in network.searches[0]]
            guest = await network.starts("guest", python, "-I", str(file), *search, XDG_STATE_HOME=str(tmp_path))
            assert (
                await line(guest, "On your network: ")
                == f"On your network: attic, {address}:{port}: 0 players, 0 open."
            )
            await ends(guest)

            flags = (f"{address}:{port}", "--plain", "--wait")
            guest = await network.starts("guest", python, "-I", str(file), *flags, XDG_STATE_HOME=str(tmp_path))
            said, wrong = await guest.communicate("\n".join([*GAME, ""]).encode())
            assert (guest.returncode, wrong) == (0, b"")
            assert b"verified" in said, said.decode()

    run(scenario(), within=60.0)
