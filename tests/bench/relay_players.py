"""The players of the yardstick, and the game that it plays back to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.bench.load import Load, Room, Wire, messages_in
from tests.bench.move_scripts import Script

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """A move that was written down: what was typed, and what the two were told."""

    seat: int
    line: str
    to_mover: list[Message]
    to_other: list[Message]


def written_down(load: Load) -> list[Move]:
    """A game in the first room, move by move."""
    room, script, heard, game = load.rooms[0], load.script(), None, []
    while True:
        try:
            seat, line = script.send(heard)
        except StopIteration:
            return game
        room.types(seat, line)
        told = dict.fromkeys(room.seats, b"")
        done = False
        while not done:
            for wire, chunk in load.arrivals():
                if wire in told:
                    told[wire] += chunk
                    done = room.hears(wire, chunk)
        mover, other = room.seats if seat == 1 else room.seats[::-1]
        heard = told[mover]
        game.append(Move(seat, line, messages_in(heard), messages_in(told[other])))


class RelayLoad(Load):
    """Its rooms have no code, no setup and no end."""

    def __init__(self, port: int, game: str, moves: list[Move]) -> None:
        super().__init__(port, game)
        self.moves = moves

    def script(self) -> Script:
        for move in self.moves:
            yield move.seat, move.line

    def _open(self, numbers: Sequence[int]) -> None:
        new = [Room("", (self.add(Wire(self.port)), self.add(Wire(self.port)))) for _ in numbers]
        for number, room in zip(numbers, new, strict=True):
            for seat, wire in enumerate(room.seats, start=1):
                wire.say("sit", room=number, seat=seat)
                wire.reply()
        self._seat(new)

    def start_afresh(self) -> None:
        """Nothing: a script that has come to its end finds the relay at the start of its game."""
