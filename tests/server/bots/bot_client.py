"""A computer player as a client: a process of its own that has nothing but its connection to a server.

`python -m tests.server.bots.bot_client PORT NAME LEVEL create GAME` opens a room and prints its code.
`... join ROOM` takes the other seat. The policy chooses in each view in which its seat is to act. After every
third line the connection breaks, and it comes back with its token. At the end it prints who has won, and why.
"""

import socket
import sys
from itertools import count
from typing import Any, get_args

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import (
    PROTOCOL,
    Create,
    Error,
    Hello,
    Join,
    Level,
    Over,
    Play,
    Push,
    Room,
    Show,
    Welcome,
)
from gridgames_server.bots import BOTS
from gridgames_server.games.game import Chance

PATIENCE = 20.0  # seconds until it gives up waiting


class Guest:
    """A connection, and the token to come back with."""

    def __init__(self, port: int, name: str) -> None:
        self.port, self.name = port, name
        self.ids = count(1)
        self.token: str | None = None
        self.connects()

    def connects(self) -> None:
        """Connect, and say who one is."""
        self.wire = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.lines = self.wire.makefile("rb")
        welcome = self.says(Hello, protocol=PROTOCOL, name=self.name, token=self.token)
        assert isinstance(welcome, Welcome), welcome
        self.token = welcome.token

    def breaks(self) -> None:
        """The connection is gone."""
        self.lines.close()
        self.wire.close()

    def hears(self) -> Push:
        """The next message."""
        return decode_push(self.lines.readline().removesuffix(b"\n"))

    def says(self, request: type, **fields: Any) -> Any:
        """Make a request, and get the reply. What came before it is past: what a request leads to follows it."""
        id = next(self.ids)
        self.wire.sendall(encode(request(id, **fields)))
        while getattr(message := self.hears(), "re", None) != id:
            pass
        assert not isinstance(message, Error), message
        return message


def play(guest: Guest, level: Level) -> Over:
    """Play until the game is over; each view that asks for a line gets one."""
    chance, game, typed = Chance(guest.name.encode().ljust(32)), "", 0
    while not isinstance(message := guest.hears(), Over):
        if isinstance(message, Room):
            game = message.game
        elif isinstance(message, Show) and message.you in message.turn:
            guest.says(Play, line=BOTS[game](message, level, chance))
            typed += 1
            if typed % 3 == 0:
                guest.breaks()
                guest.connects()
    return message


def main(port: str, name: str, word: str, verb: str, which: str) -> None:
    """Play one game."""
    (level,) = (level for level in get_args(Level) if level == word)
    guest = Guest(int(port), name)
    if verb == "create":
        print(guest.says(Create, game=which).room, flush=True)
    else:
        guest.says(Join, room=which)
    over = play(guest, level)
    print(over.winner, over.reason)
    guest.breaks()


if __name__ == "__main__":
    main(*sys.argv[1:])
