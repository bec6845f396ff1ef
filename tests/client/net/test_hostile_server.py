"""A server that misbehaves is left with a clear sentence, before it can fill the memory."""

import pytest

from gridgames_client.net.address import Refused
from gridgames_client.net.connection import Connection
from gridgames_client.net.credentials import Identity
from gridgames_protocol.messages import Opening
from tests.client.scripted_server import SOON, pretending, refusal
from tests.client.seated_controllers import in_lobby
from tests.wire import run


@pytest.mark.parametrize("last_play", [2**53 - 1, 2**53 - 2])
def test_a_server_that_has_used_up_the_numbers_is_left_with_a_sentence(last_play):
    async def first(peer):
        await peer.welcomes(last_play=last_play)
        await peer.is_left()

    async def story():
        async with pretending(first) as address:
            assert await refusal(address) == (
                f"{address} has used up the numbers for requests. Ask its host to start it anew."
            )

    run(story())


def test_a_server_that_opens_without_end_is_left_with_a_sentence():
    async def first(peer):
        await peer.welcomes()
        part = Opening(tuple((1, "SCAN 1 1") for _ in range(4_000)), ())
        while True:
            peer.says(part)
            await peer.writer.drain()

    async def story():
        async with pretending(first) as address:
            connection = Connection(address, Identity(), in_lobby().controller, timeouts=SOON)
            with pytest.raises(Refused, match="moves and openings without end"):
                await connection.run()

    run(story())
