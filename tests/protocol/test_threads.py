"""Several threads pack and read at once, and nobody's bytes get into another's message."""

import sys
from threading import Barrier, Thread

import pytest

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import Show
from gridgames_server.games import GAMES
from gridgames_server.games.match import replay
from tests.server.hub_harness import MIDDLES

THREADS = 4
TIMES = 20  # that each thread packs all of its messages


@pytest.fixture
def impatient():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def views(seed):
    """Views of every game, as a hub makes them."""
    for game in GAMES:
        match = replay(game, seed.to_bytes(32, "big"), 1, MIDDLES[game.card.slug])
        for reader in (1, 2, None):
            yield Show("ABC234", seed, tuple(sorted(match.to_act())), reader, match.view(reader))


@pytest.mark.usefixtures("impatient")
def test_threads_that_pack_at_once_get_the_bytes_that_one_thread_gets():
    messages = [list(views(seed)) for seed in range(THREADS)]
    alone = [[encode(message) for message in own] for own in messages]
    start, wrong = Barrier(THREADS), []

    def pack(own, right):
        start.wait()
        try:
            for _ in range(TIMES):
                for message, line in zip(own, right, strict=True):
                    packed = encode(message)
                    if packed != line or decode_push(packed[:-1]) != decode_push(line[:-1]):
                        wrong.append((line, packed))
        except Exception as error:  # a packer in two threads also fails
            wrong.append(error)

    threads = [Thread(target=pack, args=given) for given in zip(messages, alone, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
