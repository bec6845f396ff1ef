"""What goes wrong from outside: with wires, the disk, the host, and by those who mean no good."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.simulation.hostile_guests import Stranger
from tests.simulation.simulated_network import USUAL_LAG, Wire

if TYPE_CHECKING:
    from tests.simulation.simulated_players import Guest
    from tests.simulation.world import World


def strike(world: "World") -> str:
    """Let one of them happen; its name."""
    trouble = world.rnd.choices(TROUBLES, WEIGHTS)[0]
    trouble(world)
    return trouble.__name__.replace("_", " ")


def _guest(world: "World") -> "Guest":
    return world.rnd.choice(world.guests)


def _wire(world: "World") -> Wire | None:
    return _guest(world).wire


def wire_cut(world: "World") -> None:
    wire = _wire(world)
    if wire:
        wire.snap(server_learns=True, client_learns=True)


def wire_half_open(world: "World") -> None:
    wire = _wire(world)
    if wire:
        wire.snap(server_learns=False, client_learns=world.rnd.random() < 0.7)


def wire_lost_for_the_server_alone(world: "World") -> None:
    wire = _wire(world)
    if wire:
        wire.snap(server_learns=True, client_learns=False)


def wire_slow(world: "World") -> None:
    wire = _wire(world)
    if wire:
        wire.lag = world.rnd.choice((0.5, 2.0, 8.0))
        world.clock.later(world.rnd.random() * 10, setattr, wire, "lag", USUAL_LAG)


def client_killed(world: "World") -> None:
    _guest(world).forgets()


def client_started_twice(world: "World") -> None:
    """The same token comes from a second connection while the first one is there."""
    guest = _guest(world)
    if guest.token and guest.wire:
        guest.wire = None
        guest.comes()


def server_crash(world: "World") -> None:
    world.fuse = world.fuse or world.rnd.randrange(1, 40)


def host_asleep(world: "World") -> None:
    world.clock.leap(world.rnd.choice((1.5, 4.0, 8.0, 70.0, 3_600.0, 30_000.0)) * (0.5 + world.rnd.random()))
    if world.rnd.random() < 0.6:  # others on the same disk have woken up too
        disk_full(world)


def disk_full(world: "World") -> None:
    world.weather.full = True
    world.clock.later(world.rnd.choice((0.05, 0.5, 3.0)) * world.rnd.random(), setattr, world.weather, "full", False)


def disk_slow(world: "World") -> None:
    world.weather.latency = world.rnd.choice((0.2, 1.0, 5.0, 20.0))
    world.clock.later(world.rnd.random() * 10, setattr, world.weather, "latency", 0.01)


def disk_failing(world: "World") -> None:
    world.weather.failing = True


def files_run_out(world: "World") -> None:
    world.weather.no_files = True
    world.clock.later(
        world.rnd.choice((0.5, 3.0, 20.0)) * world.rnd.random(), setattr, world.weather, "no_files", False
    )


def stranger(world: "World") -> None:
    Stranger(world)


TROUBLES: tuple[Callable[["World"], None], ...] = (
    wire_cut, wire_half_open, wire_lost_for_the_server_alone, wire_slow, client_killed, client_started_twice,
    server_crash, host_asleep, disk_full, disk_slow, disk_failing, files_run_out, stranger,
)  # fmt: skip
WEIGHTS = (10, 4, 4, 8, 4, 6, 5, 3, 8, 5, 1, 6, 8)
