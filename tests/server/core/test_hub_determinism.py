"""The hub is a function of what it is given: the same scenario, told twice, is the same to the last byte."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Again, Chat, Claim, Create, Join, Leave, OfferDraw, Play, Resign, Watch
from gridgames_server.core.effects import Send
from gridgames_server.core.room_events import RoomEvent
from tests.server.hub_harness import MIDDLES, HubHarness, play

ROOT = Path(__file__).parents[3]


def scenario() -> HubHarness:
    """Five tables, with all that happens on a game night."""
    server = HubHarness(rate=0)
    guests = {name: server.enter(name) for name in ("Ada", "Bob", "Cat", "Wes", "Eve")}
    ada, bob, cat, wes, eve = guests.values()
    for game, lines in MIDDLES.items():
        code = ada.opens(game, first="host", clock=600)
        wes.says(Watch, code)
        bob.says(Join, code.lower())
        play(ada, bob, lines=lines)
        cat.says(Create, game, private=True)
        eve.says(Join, "NOSUCH")
        server.passes(1.5)
        bob.drops()
        ada.says(Chat, "where is he?")
        server.passes(70)
        ada.says(Claim)
        bob = bob.comes_back()
        bob.says(Play, "nonsense")
        ada.says(Again)
        bob.says(Again)
        ada.says(OfferDraw)
        ada.says(Again)
        bob.says(Again)
        ada.says(Again)
        bob.says(Again)
        bob.says(Resign)
        for guest in (ada, bob, cat, wes):
            guest.says(Leave)
    server.sleeps(100)
    server.stops()
    return server


def told(server: HubHarness) -> str:
    """Everything that was decided, in its order and to the last byte."""
    lines = [
        f"{effect.session} {b''.join(map(encode, effect.messages)).hex()}" if isinstance(effect, Send) else repr(effect)
        for effect in server.effects
    ]
    return f"{len(lines)} {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"


def test_the_same_scenario_is_the_same_to_the_last_byte_in_every_process():
    script = "from tests.server.core.test_hub_determinism import scenario, told; print(told(scenario()))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2", "31337")
    }
    assert runs == {told(scenario())}


EFFECTS = {
    *("Send", "Hangup", "LogLine", "PlayerNamed", "RoomOpened", "RoomClosed", "GameOver", "Heartbeat"),
    *(kind.__name__ for kind in get_args(RoomEvent)),
}


def test_the_scenario_has_everything_in_it():
    server = scenario()
    assert len(server.lines()) == sum(map(len, MIDDLES.values()))
    assert {type(effect).__name__ for effect in server.effects} == EFFECTS
    assert server.troubles() == []
