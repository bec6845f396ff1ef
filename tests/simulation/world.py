"""A scenario of many players with everything going wrong that can, from one seed; then everything heals."""

from collections import Counter
from dataclasses import dataclass
from random import Random

from gridgames_server.admin.subcommands import check_game
from gridgames_server.games import GAMES
from tests.simulation.faults import strike
from tests.simulation.hub_checks import check_hub
from tests.simulation.invariants import breach
from tests.simulation.play_styles import CHARACTERS
from tests.simulation.simulated_clock import Clock
from tests.simulation.simulated_disk import USUAL_LATENCY
from tests.simulation.simulated_host import Crash, Host
from tests.simulation.simulated_players import Guest
from tests.simulation.wire_witness import Witness

NAMES = ("Ada", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
HEALED_WITHIN = 3_000.0  # of simulated time: the longest clock of a turn, and half an hour until a deserted room closes
STEPS_MAX = 400_000


@dataclass
class Weather:
    """How the disk is."""

    latency: float = USUAL_LATENCY
    full: bool = False
    failing: bool = False
    no_files: bool = False  # nobody on this machine gets another descriptor or thread


class World:
    """Everything that there is."""

    def __init__(self, seed: int, games: int = 20, faults: float = 1.0, guests: int = 8) -> None:
        self.seed, self.wanted, self.pace = seed, games, faults
        self.rnd = Random(seed)
        self.clock = Clock()
        self.weather = Weather()
        self.faults: Counter[str] = Counter()
        self.splits = self.words = 0
        self.failed_queries = 0  # nobody was told of these yet
        self.fuse = 0  # points that the server still passes before it crashes; 0: it does not
        self.typed: dict[tuple[bytes, int], set[str]] = {}  # the lines of each play, by the token's hash
        self.whispered: list[str] = []  # codes of private rooms, told outside the server
        self.checked: tuple[object, ...] = ()  # what the server was like when it was last looked at
        self.checks = 0
        self.healed = 0.0  # when everything went well again
        self.witness = Witness(self)
        self.host = Host(self, seed)
        self.guests = [Guest(self, name, self.rnd.choice(CHARACTERS)) for name in NAMES[:guests]]

    # For those who live here ------------------------------------------------------------------------------------------

    def counts(self, fault: str) -> None:
        """Something has gone wrong."""
        self.faults[fault] += 1

    def next_word(self) -> int:
        """A number that nobody has said."""
        self.words += 1
        return self.words

    def busiest_code(self) -> str | None:
        """The code of the room with most to tell."""
        rooms = self.host.hub.rooms.by_code.values() if self.host.up else ()
        return max(rooms, key=lambda room: (len(room.audience.latest[None]), room.number)).code if rooms else None

    def reaches_a_point(self) -> None:
        """The server has got this far; it may get no further, whatever it still tries."""
        if self.fuse:
            self.fuse -= 1
            self.host.loop.alive = bool(self.fuse)
        if not self.host.loop.alive:
            raise Crash

    # The scenario -----------------------------------------------------------------------------------------------------

    def run(self) -> "World":
        """Let it all happen; raises the Breach if something that must hold does not."""
        try:
            self.clock.later(self.rnd.expovariate(self.pace), self._goes_wrong)
            while self.witness.shadow.games < self.wanted:
                self._step()
            self._heal()
            while not self._is_quiet():
                self._step()
            self._check_end()
        except Exception as error:
            raise breach("shell", f"{error!r} got out") from error
        return self

    def _step(self) -> None:
        try:
            self.clock.step()
        except Crash:
            self._crash()
        if self.host.up:
            check_hub(self)
        if self.clock.steps > STEPS_MAX:
            raise breach("end", f"there is no end after {self.witness.shadow.games} games")
        if self.healed and self.clock.now - self.healed > HEALED_WITHIN:
            left = [guest.name for guest in self.guests if not guest.gone]
            raise breach("end", f"{left} are not done, long after everything was well again")

    def _crash(self) -> None:
        self.fuse = 0
        self.weather.failing = False
        self.host.crash(self.rnd.choice((0.1, 1.0, 5.0, 40.0)) * self.rnd.random())

    def _goes_wrong(self) -> None:
        if not self.healed:
            self.clock.later(self.rnd.expovariate(self.pace), self._goes_wrong)
            if self.host.up:
                self.counts(strike(self))

    def _heal(self) -> None:
        self.healed = self.clock.now
        self.fuse = 0
        self.weather.full = self.weather.failing = self.weather.no_files = False
        self.weather.latency = USUAL_LATENCY
        for guest in self.guests:
            guest.wants_to_go = True

    def _is_quiet(self) -> bool:
        host = self.host
        return (
            host.up
            and all(guest.gone for guest in self.guests)
            and not host.hub.sessions
            and not host.service.outbox.waiting
            and not host.hub.rooms.by_code
        )

    def _check_end(self) -> None:
        """Nothing is left, on the disk neither, and every finished game is what `check` says that it must be."""
        if self.witness.shadow.rooms:
            raise breach("end", f"rooms {list(self.witness.shadow.rooms)} are open on disk, and nowhere else")
        for game in self.host.disk.list_finished_games():
            fault = check_game(game, GAMES)
            if fault:
                raise breach("check", f"{game.game} ended by {game.reason}: {fault}")

    def summary(self) -> str:
        """What has happened, as one line that is the same in every run."""
        digest = self.witness.digest.hexdigest()[:32]
        return f"{digest} {self.clock.now!r} {self.clock.steps} {sorted(self.faults.items())}"
