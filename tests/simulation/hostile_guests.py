"""Those who did not come to play: garbage, floods, trickles, deaf ears, thieves, and doors mistaken."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import AskStatus, Hello, Join, Leave, Ping, Watch
from tests.simulation.simulated_network import Wire

if TYPE_CHECKING:
    from tests.simulation.world import World

OPENINGS = (b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"\x16\x03\x01\x02\x00\x01", b"help\n")
BOMBS = (
    b"\x80", b"\xc1\xc1", b"\xdd\xff\xff\xff\xff", b"\x81\xa4type\xa4nope", b"\x91" * 40, b"\xcb" + b"\x00" * 8,
    b"\x82\xa4type\xa4play\xa2id\xff", b"\x83\xa4type\xa4play\xa2id\x01\xa4line\x07", b"x" * 5_000,
)  # fmt: skip


class Stranger:
    """Somebody on a wire who reads nothing and does one thing."""

    def __init__(self, world: "World") -> None:
        self.world, self.rnd = world, world.rnd
        self.address = f"10.9.9.{world.rnd.randrange(3)}"
        self.wire = world.host.connect(self)
        self.ids = 0
        if self.wire:
            self.world.rnd.choice(MISCHIEF)(self)
            self.world.clock.later(15 + self.rnd.random() * 50, self._goes)

    def hears(self, wire: Wire, chunk: bytes) -> None:
        """Not listened to."""

    def is_cut_off(self, wire: Wire) -> None:
        if not wire.server_knows:
            wire.hang_up()

    def _goes(self) -> None:
        if self.wire and not self.wire.client_knows:
            self.wire.hang_up()

    def _asks(self, kind: type, *given: object) -> None:
        assert self.wire
        self.ids += 1
        request = kind(self.ids, *given)
        self.world.witness.sees_asked(self.wire, request)
        self.wire.send(encode(request))

    def _enters(self) -> None:
        self._asks(Hello, 1, f"X{self.world.next_word()}")

    # What they do -----------------------------------------------------------------------------------------------------

    def garbles(self) -> None:
        """Lines that are no messages, some of them with good ones in between."""
        assert self.wire
        if self.rnd.random() < 0.5:
            self._enters()
        for _ in range(self.rnd.randrange(1, 12)):
            junk = self.rnd.choice((*BOMBS, self.rnd.randbytes(self.rnd.randrange(1, 60))))
            self.wire.send(b"\x92" + junk.replace(b"\n", b"") + b"\n")

    def floods(self) -> None:
        """Far more than anybody should say."""
        self._enters()
        for _ in range(self.rnd.randrange(60, 200)):
            self._asks(self.rnd.choice((Ping, AskStatus)))

    def is_deaf(self) -> None:
        """Looks on, and never reads."""
        assert self.wire
        self.wire.deaf = True
        self._enters()
        code = self.world.busiest_code()
        if code:
            self._asks(Watch, code)
        self.world.clock.later(8, self._pings)

    def wants_all_and_reads_nothing(self) -> None:
        """Comes to see a room again and again."""
        assert self.wire
        self.wire.deaf = True
        self._enters()
        self._comes_and_goes()

    def _comes_and_goes(self) -> None:
        code = self.world.busiest_code()
        if self.wire and not self.wire.client_knows:
            for _ in range(5 if code else 0):
                self._asks(Watch, code)
                self._asks(Leave)
            self.world.clock.later(1.1, self._comes_and_goes)

    def _pings(self) -> None:
        if self.wire and not self.wire.client_knows:
            self._asks(Ping)
            self.world.clock.later(8, self._pings)

    def trickles(self) -> None:
        """Begins a line, and takes its time."""
        assert self.wire
        if self.rnd.random() < 0.5:
            self._enters()
        self.wire.send(b"\x82\xa4ty")

    def says_nothing(self) -> None:
        """Connects, and that is all."""

    def comes_to_the_wrong_door(self) -> None:
        """Speaks another language."""
        assert self.wire
        self.wire.send(self.rnd.choice(OPENINGS))

    def steals(self) -> None:
        """Tries a token that nobody has, and codes of rooms."""
        if self.rnd.random() < 0.5:
            self._asks(Hello, 1, "Thief", self.rnd.randbytes(32).hex())
        else:
            self._enters()
            for _ in range(15):
                self._asks(Join, "".join(self.rnd.choices("ABCDEFGH", k=6)))


MISCHIEF: tuple[Callable[[Stranger], None], ...] = (
    Stranger.garbles,
    Stranger.floods,
    Stranger.is_deaf,
    Stranger.wants_all_and_reads_nothing,
    Stranger.trickles,
    Stranger.says_nothing,
    Stranger.comes_to_the_wrong_door,
    Stranger.steals,
)
