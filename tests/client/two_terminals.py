"""Two people before two real screens, at one server."""

import re
from contextlib import asynccontextmanager

from gridgames_client.net.remembered_choices import store_choice
from gridgames_server.games import GAMES
from tests.client.pseudo_terminal import terminal

CONFIRM = "Enter again to confirm."


def screen(port, name, state, *flags, **variables):
    """A full screen for somebody."""
    arguments = ("gridgames-client", f"127.0.0.1:{port}", "--name", name, *flags)
    return terminal(*arguments, XDG_STATE_HOME=str(state), **variables)


@asynccontextmanager
async def two_screens(port, state, *flags):
    """Ada and Bob, each before a full screen, in the lobby. They know all games, so no lesson stands on it."""
    store_choice("guided", [game.card.slug for game in GAMES], state / "gridgames")
    async with screen(port, "Ada", state, *flags) as ada, screen(port, "Bob", state, *flags) as bob:
        await ada.shows("Play now", "Ada")
        await bob.shows("Play now", "Bob")
        yield ada, bob


async def sit_down(ada, bob, room):
    """Ada opens a room by a typed line, Bob joins it; the room's code."""
    ada.enters(f"create {room}")
    code = await code_of_room(ada)
    bob.enters(f"join {code}")
    for player in (ada, bob):
        await player.shows("1 Ada", "Bob 2")
    return code


async def code_of_room(host):
    """The code that is shown while the second player is missing."""
    return (await found(host, r"join ([0-9A-Z]{6})"))[1]


async def play(mover, line, then=""):
    """Type a line when it is one's turn, and wait until the turn is over, or until what comes then."""
    await mover.shows("your turn")
    mover.enters(line)

    def is_taken():
        return "your turn" not in mover.text() or (then and then in mover.text())

    await mover.until(lambda: is_taken() or CONFIRM in mover.text(), f"{line!r} to be taken")
    if CONFIRM in mover.text():
        mover.press("enter")
        await mover.until(is_taken, f"{line!r} to be confirmed")


async def found(player, pattern):
    """What a pattern finds on the screen, once it does."""
    await player.until(lambda: re.search(pattern, player.text()), pattern)
    return re.search(pattern, player.text())


async def see_the_end(*players):
    """Everybody sees that the secrets were what they had been sealed as, and nothing strange was drawn."""
    for player in players:
        await player.shows("fit", "rematch")
        assert player.screen.strange == []
