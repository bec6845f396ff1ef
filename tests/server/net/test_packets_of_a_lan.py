"""The network stories again, in a network namespace whose packets hold 1500 bytes as on a LAN, and on a bad link.

Slow readers, watchers, long ends, players who come back, and the smoke test of the installed programs.

That takes Linux and the right to make namespaces. Elsewhere a line says so, and the stories are told by loopback alone.
"""

import functools
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[3]
STORIES = [
    "tests/server/net/test_busy_rooms.py",
    "tests/server/net/test_slow_readers.py",
    "tests/client/terminal/test_end_to_end_faults.py",
]
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
COMMANDS = {
    **{Path(story).stem: (*PYTEST, story) for story in STORIES},
    "smoke": (sys.executable, "deploy/smoke", "--installed", str(Path(sys.executable).parent)),
}
LAN = "ip link set lo mtu 1500 && ip link set lo up"
LINKS = {
    "packets of 1500 bytes": LAN,
    "slow, lossy and delayed": f"{LAN} && tc qdisc add dev lo root netem delay 4ms 2ms loss 1% rate 20mbit",
}


def inside(setup, *command):
    """Run a command in a network of its own."""
    script = f'{setup} && exec "$@"'
    words = ["unshare", "-n", "sh", "-c", script, "sh", *command]
    return subprocess.run(words, capture_output=True, text=True, cwd=TOP)


@functools.cache
def why_not(link):
    """Why a link can't be made on this machine; "" if it can."""
    if not shutil.which("unshare"):
        return "there is no unshare"
    tried = inside(LINKS[link], "true")
    return (tried.stderr.strip().splitlines() or ["no reason given"])[-1] if tried.returncode else ""


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("story", COMMANDS)
def test_the_network_stories_hold_on(story, link, capsys):
    if why := why_not(link):
        with capsys.disabled():
            print(f"\n{link}: can't be made here ({why})")
        return
    told = inside(LINKS[link], *COMMANDS[story])
    assert told.returncode == 0, told.stdout[-3_000:] + told.stderr
