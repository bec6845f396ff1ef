"""The hub is a function of what it is given: the same evening, told twice, is the same to the last byte."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from gridgames_protocol.messages import Again, Chat, Claim, Create, Join, Leave, Play, Resign, Watch, encode
from gridgames_server.effects import Send
from tests.server.house import MIDDLES, House, play

ROOT = Path(__file__).parents[2]


def evening() -> House:
    """Five tables, with all that happens on a game night."""
    house = House(rate=0)
    guests = {name: house.enter(name) for name in ("Ada", "Bob", "Cat", "Wes", "Eve")}
    ada, bob, cat, wes, eve = guests.values()
    for game, lines in MIDDLES.items():
        code = ada.opens(game, first="host", clock=600)
        wes.says(Watch, code)
        bob.says(Join, code.lower())
        play(ada, bob, lines=lines)
        cat.says(Create, game, private=True)
        eve.says(Join, "NOSUCH")
        house.passes(1.5)
        bob.drops()
        ada.says(Chat, "where is he?")
        house.passes(70)
        ada.says(Claim)
        bob = bob.comes_back()
        bob.says(Play, "nonsense")
        ada.says(Again)
        bob.says(Again)
        ada.says(Again)
        bob.says(Again)
        bob.says(Resign)
        for guest in (ada, bob, cat, wes):
            guest.says(Leave)
    house.sleeps(100)
    house.stops()
    return house


def told(house: House) -> str:
    """Everything that was decided, in its order and to the last byte."""
    lines = [
        f"{effect.session} {b''.join(map(encode, effect.said)).hex()}" if isinstance(effect, Send) else repr(effect)
        for effect in house.effects
    ]
    return f"{len(lines)} {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"


def test_the_same_evening_is_the_same_to_the_last_byte_in_every_process():
    script = "from tests.server.test_hub_determinism import evening, told; print(told(evening()))"
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
    assert runs == {told(evening())}


EFFECTS = "Send Hangup Note PlayerNamed RoomOpened RoomClosed Deed GameOver Lived"


def test_the_evening_has_everything_in_it():
    house = evening()
    assert len(house.lines()) == sum(map(len, MIDDLES.values()))
    assert {type(effect).__name__ for effect in house.effects} == set(EFFECTS.split())
    assert house.troubles() == []
