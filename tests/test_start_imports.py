"""What the programs import when they start: a module that is not needed yet would delay the first screen."""

import subprocess
import sys

import pytest

from tests.wire import environment, program, run

# Slow modules that `--version` and `--help` do without.
SLOW = {"asyncio", "dataclasses", "inspect", "logging", "msgpack", "prompt_toolkit", "sqlite3", "ssl", "subprocess"}


def imported_by(*words, **variables):
    """The modules that a Python program imports."""
    command = [sys.executable, "-X", "importtime", "-P", *words]
    ended = subprocess.run(
        command, capture_output=True, stdin=subprocess.DEVNULL, check=True, env=environment(**variables)
    )
    lines = [line for line in ended.stderr.decode().splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def ours(names):
    return {name for name in names if name.startswith("gridgames_")}


@pytest.mark.parametrize("flag", ["--version", "--help"])
@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("gridgames_client", {"gridgames_client", "gridgames_client.options"}),
        (
            "gridgames_server",
            {"gridgames_server", "gridgames_server.core", "gridgames_server.core.limits", "gridgames_server.options"},
        ),
    ],
)
def test_version_and_help_import_next_to_nothing(name, own, flag):
    names = imported_by("-m", name, flag)
    assert not SLOW & names
    printing = {"gridgames_protocol.machine", "gridgames_protocol.machine.output", "gridgames_protocol.safe_text"}
    assert ours(names) == own | printing | {"gridgames_protocol", "gridgames_protocol.version"}


def test_plain_lines_import_nothing_of_the_full_screen(tmp_path):
    async def whole():
        async with program() as server:
            address = f"127.0.0.1:{server.port}"
            return imported_by("-m", "gridgames_client", address, "--plain", XDG_STATE_HOME=str(tmp_path))

    names = run(whole())
    assert "gridgames_client.terminal.plain.plain_app" in names
    assert not {"prompt_toolkit", "gridgames_client.terminal.app", "sqlite3", "tomllib"} & names
    assert not {name for name in names if name.startswith("gridgames_server")}


def test_the_full_screen_imports_neither_plain_lines_nor_the_search_nor_a_server():
    names = imported_by("-c", "import gridgames_client.terminal.session, gridgames_client.terminal.app")
    assert "prompt_toolkit" in names
    late = ("terminal.plain", "terminal.server_picker", "net.lan_search", "net.local_server", "net.bot_runner")
    assert not {name for name in names if name.removeprefix("gridgames_client.").startswith(late)}
    assert not {name for name in names if name.startswith(("gridgames_server", "tomllib", "sqlite3", "pygments"))}


def test_an_own_server_is_started_before_anything_slow_is_imported():
    names = imported_by("-c", "import gridgames_client.__main__, gridgames_client.net.server_process")
    assert not (SLOW - {"subprocess"}) & names
    assert not {name for name in names if name.startswith(("gridgames_client.state", "gridgames_client.terminal"))}
