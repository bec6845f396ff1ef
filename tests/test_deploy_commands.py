"""The commands of `deploy/README.md`, run as they stand, on a small machine of their own.

The machine is a folder: paths at the top (`/opt`, `/var/lib`, `/etc`, `/somewhere`) are inside it, and so is the home.
`sudo` does what it is told. What would change the real machine (systemctl, podman, pip, the firewall) only notes its
words; those commands are named below.
"""

import os
import re
import shutil
import stat
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.client.pseudo_terminal import PROGRAMS
from tests.wire import environment

TOP = Path(__file__).parents[1]
PAGE = (TOP / "deploy" / "README.md").read_text("utf-8")
BLOCKS = [block.replace("\\\n", " ") for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)]
NOTED = ("systemctl", "podman", "ufw", "firewall-cmd", "pip")
SERVES = re.compile(r"^~/gridgames/bin/gridgames-server( --.*)?$", re.MULTILINE)  # runs until it is ended


FOLDERS = (
    *("bin", "home/gridgames/bin", "opt/gridgames/bin"),
    *("var/lib/gridgames", "somewhere/else", "etc/systemd/system"),
)
TESTED = (  # words of each block
    *("pip install .\n~", "ufw", "correct horse", "openssl", "systemctl enable", "podman build", "status --json"),
    *("podman exec gridgames gridgames-server status", "server check", "copy.sqlite --store", "podman cp gridgames:"),
    *("~/.local/state", "systemctl stop", "podman stop"),
)


class Machine:
    """A folder that stands for a machine with the programs installed."""

    def __init__(self, folder):
        self.folder, self.noted = folder, folder / "noted"
        for path in FOLDERS:
            (folder / path).mkdir(parents=True)
        for place in ("bin", "home/gridgames/bin", "opt/gridgames/bin"):
            for program in ("gridgames-server", "gridgames-client"):
                (folder / place / program).symlink_to(PROGRAMS / program)
        for name in NOTED:
            self.write(f"bin/{name}", f'#!/bin/sh\necho "{name} $*" >> "{self.noted}"\n')
        for place in ("home", "opt"):
            (folder / place / "gridgames" / "bin" / "pip").symlink_to(folder / "bin" / "pip")
        self.write("bin/sudo", '#!/bin/sh\nexec "$@"\n')
        self.write("bin/python3", "#!/bin/sh\nexit 0\n")  # `python3 -m venv`: it is there already

    def write(self, path, text):
        (self.folder / path).write_text(text)
        (self.folder / path).chmod(0o755)

    def run(self, block, **variables):
        """Run commands one after the other; all must end well. What they print."""
        text = re.sub(r"(?<![\w.~/])/(opt|var/lib|etc|somewhere)/", rf"{self.folder}/\1/", block)
        told = environment(HOME=str(self.folder / "home"), PATH=f"{self.folder}/bin:/usr/bin:/bin", **variables)
        told.pop("XDG_STATE_HOME", None)
        ended = subprocess.run(["bash", "-e", "-u", "-c", text], capture_output=True, text=True, env=told, cwd=TOP)
        assert ended.returncode == 0, f"{text}\n{ended.stdout}{ended.stderr}"
        return ended.stdout

    @contextmanager
    def serving(self, command, store):
        """A server that was started with a command of the page, on a free port."""
        told = environment(HOME=str(self.folder / "home"), GRIDGAMES_PORT="0", GRIDGAMES_STORE=str(store))
        process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=told
        )
        try:
            yield process.stdout.readline()
        finally:
            process.terminate()
            assert process.wait() == 0
            process.stdout.close()


@pytest.fixture
def machine():
    with tempfile.TemporaryDirectory(prefix="gg") as folder:  # short: the path of a socket has 108 bytes at most
        yield Machine(Path(folder))


def block_with(words):
    """The one block of the page with these words."""
    (found,) = [block for block in BLOCKS if words in block]
    return found


def test_every_block_is_run_by_a_test_here():
    assert {block_with(words) for words in TESTED} == set(BLOCKS)


@pytest.mark.parametrize("words", ["pip install .\n~", "correct horse", "openssl"])
def test_a_server_is_started_as_the_page_says(words, machine):
    before, command = SERVES.split(block_with(words))[0], SERVES.search(block_with(words))[0]
    if "openssl" not in before or shutil.which("openssl"):
        machine.run(before)
        with machine.serving(command, machine.folder / "server.sqlite") as announced:
            assert "is listening" in announced
            assert ("--tls" in announced) == ("openssl" in before)


@pytest.mark.parametrize("words", ["ufw", "systemctl enable", "podman build"])
def test_what_changes_the_machine_is_said_in_words_that_a_shell_understands(words, machine):
    block = block_with(words)
    machine.run(block)
    noted = machine.noted.read_text().splitlines()
    for name in NOTED:
        assert sum(line.startswith(f"{name} ") for line in noted) == len(re.findall(rf"(?:^|[ /]){name} ", block, re.M))
    if "systemctl enable" in block:
        assert (machine.folder / "etc/systemd/system/gridgames.service").exists()


def test_the_host_looks_after_a_server_and_restores_a_backup(machine):
    """One evening: every command for a running server, a backup, a check, and both ways to restore it."""
    home = machine.folder / "home/.local/state/gridgames/server.sqlite"
    with machine.serving("~/gridgames/bin/gridgames-server", home) as announced:
        port = re.search(r":(\d+)", announced)[1]
        command = [PROGRAMS / "gridgames-client", f"127.0.0.1:{port}", "--plain", "--name", "Eve"]
        told = environment(XDG_STATE_HOME=str(machine.folder))
        eve = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=told)
        while "You are in the lobby" not in eve.stdout.readline():
            pass
        lines = block_with("status --json")
        machine.run(lines.partition("gridgames-server drain ")[0])
        eve.communicate()
        machine.run(block_with("server check"))
        drain, within, undrain = re.findall(r"^gridgames-server (?:un)?drain.*$", lines, re.MULTILINE)
        machine.run(undrain)
        machine.run(within)  # nobody plays, so the server ends at once
    copy = machine.folder / "somewhere/else/games.sqlite"
    machine.run(block_with("~/.local/state"))
    assert home.read_bytes() == copy.read_bytes()
    with machine.serving("~/gridgames/bin/gridgames-server", home) as announced:
        assert "is listening" in announced
        machine.run(drain)

    service = machine.folder / "var/lib/gridgames/server.sqlite"
    owner = 4743 if os.geteuid() == 0 else os.geteuid()
    os.chown(service.parent, owner, -1)
    machine.run(block_with("systemctl stop"))
    assert service.read_bytes() == copy.read_bytes()
    assert (service.stat().st_uid, stat.S_IMODE(service.stat().st_mode)) == (owner, 0o600)
    with machine.serving("~/gridgames/bin/gridgames-server", service):
        machine.run(block_with("podman exec gridgames gridgames-server status"))
        copy.unlink()
        machine.run(block_with("copy.sqlite --store"))
    assert copy.exists()
    for words in ("podman cp gridgames:", "podman stop"):
        machine.run(block_with(words))
