"""`features` in `status` and `welcome` say what the running program really does."""

import asyncio
from pathlib import Path

import pytest

from gridgames_protocol.messages import (
    Analysis,
    AskHint,
    AskHistory,
    AskStatus,
    Create,
    Error,
    Features,
    Hint,
    History,
    Leave,
    Ok,
    Ping,
    Resign,
)
from tests.wire import LOCAL, Program, program, run

LEVELS = ("easy", "medium", "hard")


async def try_bots(place: Program) -> tuple[str, ...]:
    """The levels on which the computer takes the second seat."""
    found = []
    for level in LEVELS:
        guest = await place.guest(f"Ada {level}")
        if isinstance(await guest.says(Create, game="treasure-hunt-duel", bot=level), Ok):
            found.append(level)
    return tuple(found)


async def try_rest(place: Program) -> tuple[bool, bool, bool, bool]:
    """Whether a variant can be played, a hint asked for, a game analysed, and a finished game looked up."""
    bob, guest = await place.guest("Bob"), await place.guest("Cy")
    variant = isinstance(await bob.says(Create, game="secret-paths", variant="burning"), Ok)
    await guest.says(Create, game="treasure-hunt-duel", bot="easy", first="host")
    hint = isinstance(await guest.says(AskHint), Hint)
    await guest.types("QUERY 3C")
    await guest.says(Resign)
    analysis = isinstance(await guest.sees(Analysis), Analysis)
    await guest.says(Leave)
    history = await guest.says(AskHistory)
    return variant, hint, analysis, isinstance(history, History) and len(history.games) > 0


async def try_handout(port: int) -> bool:
    """Whether a browser gets a page."""
    reader, writer = await asyncio.open_connection(LOCAL, port)
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    found = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return found.startswith(b"HTTP/1.1 200")


async def try_burst(place: Program, most: int) -> int:
    """How many requests are answered at once before one is too fast."""
    guest = await place.guest("Eve")
    for number in range(most):
        if isinstance(await guest.says(Ping), Error):
            return number
    return most


@pytest.mark.parametrize("has_store", [False, True], ids=["no store", "store"])
@pytest.mark.parametrize("has_handout", [False, True], ids=["no hand-out", "hand-out"])
def test_features_are_what_the_server_does(tmp_path: Path, has_store: bool, has_handout: bool) -> None:
    async def evening() -> None:
        flags = ["--store", str(tmp_path / "store.sqlite")] if has_store else []
        flags += [] if has_handout else ["--no-handout"]
        async with program("--rate", "0", "--bot-delay", "0", *flags) as place:
            guest = await place.guest("Ada")
            features: Features = (await guest.says(AskStatus)).features
            assert features.bots == await try_bots(place)
            assert (features.variants, features.hints, features.analysis, features.store) == await try_rest(place)
            assert features.handout == await try_handout(place.port)
            assert (features.store, features.handout) == (has_store, has_handout)

    run(evening())


def test_rate_and_burst_are_what_the_server_allows() -> None:
    async def evening() -> None:
        async with program("--rate", "2") as place:
            features = (await (await place.connection()).says(AskStatus)).features
            assert features.rate == 2
            assert 1 <= await try_burst(place, features.burst * 3) <= features.burst + features.rate

    run(evening())
