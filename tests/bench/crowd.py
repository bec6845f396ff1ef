"""What a crowd costs: people who watch, people in the lobby, and a lobby with many rooms."""

import statistics
from contextlib import ExitStack
from time import perf_counter

from gridgames_server.core.limits import LOBBY_PAUSE
from tests.bench.load import Load, Wire
from tests.bench.measure import Effort, Target, enter, take_turns
from tests.bench.process import Process, running, server_command

LOBBY = b"\xa4type\xa5lobby"
PEOPLE = 10

Figures = dict[str, float]


def company(game: str, rooms: int, effort: Effort) -> Figures:
    """µs of CPU a move when nobody is there, when some watch in every room, and when some are in the lobby."""
    with ExitStack() as stack:
        targets = [enter(stack, name, running(*server_command(None)), game) for name in ("alone", "watched", "lobby")]
        for target in targets:
            target.load.grow(rooms)
        _, watched, lobby = targets
        watched.load.invite(PEOPLE)
        stand_in_the_lobby(lobby.load)
        costs = take_turns(targets, rooms, effort)
    return {f"{cost.target}_us": cost.cpu for cost in costs}


def stand_in_the_lobby(load: Load) -> list[Wire]:
    """Some who look at the list of rooms, and do nothing."""
    people = load.newcomers(PEOPLE)
    for wire in people:
        wire.wait(LOBBY)
    return people


def lobby(game: str, rooms: int, times: int, people: int) -> Figures:
    """What people in the lobby take, and what it takes to list many rooms, to open one more, and to tell of it."""
    with ExitStack() as stack:
        target = enter(stack, "memory", running(*server_command(None)), game)
        connection = memory_of_connections(target.process, game, people)
        target.load.grow(rooms)
        return {
            "kib_a_connection": connection,
            "rooms": rooms,
            "idle_cpu_percent": idle(target, seconds=times / 10),
            **come_and_open(target, times),
            **tell_of_changes(target, times),
        }


def idle(target: Target, seconds: float) -> float:
    """Percent of a core that the server uses while nobody does anything."""
    cpu, begun = target.process.cpu(), perf_counter()
    while perf_counter() < begun + seconds:
        target.load.arrivals(begun + seconds - perf_counter())
    return (target.process.cpu() - cpu) / (perf_counter() - begun) * 100


def come_and_open(target: Target, times: int) -> Figures:
    """Milliseconds from `hello` to the list of rooms, and from `create` to its answer."""
    listed, opened = [], []
    for number in range(times):
        wire = Wire(target.process.port)
        begun = perf_counter()
        wire.say("hello", protocol=1, name=f"newcomer {number}")
        wire.wait(LOBBY)
        listed.append(perf_counter() - begun)
        begun = perf_counter()
        wire.say("create", game=target.load.game)
        wire.reply()
        opened.append(perf_counter() - begun)
        wire.say("leave")
        wire.reply()
        wire.socket.close()
    return {"list_ms": statistics.median(listed) * 1e3, "create_ms": statistics.median(opened) * 1e3}


def tell_of_changes(target: Target, times: int) -> Figures:
    """Milliseconds of CPU that a change costs when nobody is in the lobby, and when some are told of it."""
    (host,) = target.load.newcomers(1)
    host.wait(LOBBY)
    alone = change_often(target, host, [], times)
    people = stand_in_the_lobby(target.load)
    idle(target, 2 * LOBBY_PAUSE)  # until everybody has seen everybody come
    return {"change_ms": alone, "change_told_ms": change_often(target, host, people, times)}


def change_often(target: Target, host: Wire, people: list[Wire], times: int) -> float:
    """Open a room and leave it, so often, and let everybody see each change."""
    cpu = target.process.cpu()
    for number in range(times):
        host.say("leave" if number % 2 else "create", **({} if number % 2 else {"game": target.load.game}))
        host.reply()
        for wire in people:
            wire.wait(LOBBY)
    return (target.process.cpu() - cpu) / times * 1e3


def memory_of_connections(process: Process, game: str, count: int) -> float:
    """KiB that a connection takes whose owner is in the lobby."""
    load = Load(process.port, game)
    arrive(load, count // 10)  # what comes first takes more
    before = process.rss()
    arrive(load, count)
    grown = process.rss() - before
    load.close()
    return grown / count / 1024


def arrive(load: Load, count: int) -> None:
    """Some come to the lobby, one after the other."""
    for _ in range(count):
        (wire,) = load.newcomers(1)
        wire.wait(LOBBY)
        load.arrivals(0)
