"""People who ask for their history all the time: `python -m tests.bench.askers PORT`."""

import select
import sys

from tests.bench.busy_store import ASKERS, token_of
from tests.bench.load import Wire


def main(port: int) -> None:
    """Ask until the process is ended."""
    wires: dict[int, Wire] = {}
    poll = select.epoll()
    for number in range(ASKERS):
        wire = Wire(port)
        wire.say("hello", protocol=1, name=f"asker {number}", token=token_of(number))
        wire.reply()
        wires[wire.socket.fileno()] = wire
        poll.register(wire.socket.fileno(), select.EPOLLIN)
        wire.say("history")
    print("asking", flush=True)
    while True:
        for file, _ in poll.poll():
            if b"history" in wires[file].hear():
                wires[file].say("history")


if __name__ == "__main__":
    main(int(sys.argv[1]))
