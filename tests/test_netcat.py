"""People with nothing but netcat play every game to its end, through the door that `gridgames-client guests` opens."""

import contextlib
import re
import shutil
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from tests.client.pseudo_terminal import PROGRAMS
from tests.wire import environment

SMOKE = Path(__file__).parents[1] / "deploy" / "smoke"
# Where there is no netcat: the same in Python.
NETCAT = """
import os, socket, sys, threading
there = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def read():
    while chunk := there.recv(65536):
        os.write(1, chunk)
threading.Thread(target=read, daemon=True).start()
while chunk := os.read(0, 65536):
    there.sendall(chunk)
"""


def load_smoke():
    """`deploy/smoke`, which knows how to play every game to its end."""
    loader = SourceFileLoader("smoke", str(SMOKE))
    module = module_from_spec(spec_from_loader("smoke", loader))
    loader.exec_module(module)
    return module


smoke = load_smoke()


@contextlib.contextmanager
def running(name, *command):
    started = smoke.Program(name, *command, env=environment(PYTHONUNBUFFERED="1"))
    try:
        yield started
    finally:
        started.kill()


@contextlib.contextmanager
def open_door():
    """A server and a door to it: the command that brings a guest in."""
    flags = ("--host", "127.0.0.1", "--port", "0", "--no-store", "--no-discovery", "--rate", "0")
    with running("the server", PROGRAMS / "gridgames-server", *flags) as server:
        port = server.reads(r"gridgames-client 127\.0\.0\.1:(\d+)")[1]
        door = (PROGRAMS / "gridgames-client", "guests", "--listen", "127.0.0.1:0", f"127.0.0.1:{port}")
        with running("the door", *door) as guests:
            told = guests.reads(r"Guests come in with: nc (\S+) (\d+)$")
            netcat = [shutil.which("nc")] if shutil.which("nc") else [sys.executable, "-c", NETCAT]
            yield [*netcat, told[1], told[2]]


def enter(guest, name):
    guest.reads("come back:$")
    guest.types(name)
    guest.reads("^Your word to come back is ")
    guest.reads("^You are in the lobby")


@pytest.mark.parametrize("game", smoke.GAMES)
def test_two_people_with_netcat_play_a_game_to_its_end(game):
    with open_door() as netcat, running("Ada", *netcat) as ada, running("Bo", *netcat) as bo:
        for player in (ada, bo):
            enter(player, player.name)
        ada.types(f"create {game} first=host")
        code = ada.reads(r"^Then: join (\w+)")[1]
        bo.types(f"join {code}")
        for player in (ada, bo):
            player.reads("^Welcome to ")
        smoke.GAMES[game](ada, bo)
        for player in (ada, bo):
            assert re.search("verified", player.reads("verified").string)
