"""What the two players of each game type: a legal game of usual length that ends before anybody has won.

A script is a generator: it yields a seat and the line that this seat types, and is sent back the bytes that the seat
was answered with. Secrets differ from game to game, so a script that must not stumble upon one reads its answer.
"""

import re
from collections.abc import Callable, Generator

Script = Generator[tuple[int, str], bytes, None]

_VALUE = re.compile(rb"with a value of (\d)\.")
_REVEALED = re.compile(rb"Revealed: ([^.]*)\.")
_WORTH = re.compile(rb"([A-E]\d) (\d)")


def treasure_hunt_duel() -> Script:
    """Ten queries, and a wrong guess of each in the middle: both miss a turn, so the turns go on as before."""
    wrong = {1: "", 2: ""}
    for number, cell in enumerate(("2B", "5A", "3C", "4B", "1E", "4D", "2D", "3A", "5E", "1C")):
        seat = 1 + number % 2
        heard = yield seat, f"QUERY {cell}"
        if b"Distance: 0" not in heard:
            wrong[seat] = cell
        if number == 5:
            for seat in (1, 2):
                yield seat, f"GUESS {wrong[seat]}"


def grid_hunt() -> Script:
    """Three scans and five misses of each, around the treasures that `SETUPS` hides."""
    for lines in (("SCAN 3 3", "SCAN 2 4", "SCAN 4 2"), ("DIG 1 2", "DIG 2 2", "DIG 4 5", "DIG 3 1", "DIG 5 2")):
        for line in lines:
            for seat in (1, 2):
                yield seat, line


def grid_conquest() -> Script:
    """Everybody claims the least that is in sight, as long as that makes no winner."""
    worth: dict[str, int] = {}
    scores = {1: 0, 2: 0}
    seat, cell = 1, "C3"
    while True:
        heard = yield seat, f"CLAIM {cell}"
        value, shown = _VALUE.search(heard), _REVEALED.search(heard)
        scores[seat] += int(value[1]) if value else 0
        worth.pop(cell, None)
        worth.update({name.decode(): int(points) for name, points in _WORTH.findall(shown[1])} if shown else {})
        seat, cell = 3 - seat, min(worth, key=lambda name: (worth[name], name), default="")
        if not cell or scores[seat] + worth[cell] >= 15:
            return


def quantum_duel() -> Script:
    """Four turns of each at their own end of the line, looking at the middle of it."""
    for number in range(4):
        for seat, home in ((1, (1, 2)), (2, (7, 6))):
            yield seat, "STAY" if number == 2 else f"MOVE {home[number % 2]}"
            yield seat, f"OBSERVE {3 + (number + seat) % 3}"


def secret_paths() -> Script:
    """Twelve moves around the middle, away from the goals that `SETUPS` chooses."""
    path = ("2 2", "2 3", "2 4", "3 4", "4 4", "4 3", "4 2", "3 2", "3 3", "4 4", "3 5", "2 4")
    for number, cell in enumerate(path):
        yield 1 + number % 2, f"MOVE {cell}"


SCRIPTS: dict[str, Callable[[], Script]] = {
    "treasure-hunt-duel": treasure_hunt_duel,
    "grid-hunt": grid_hunt,
    "grid-conquest": grid_conquest,
    "quantum-duel": quantum_duel,
    "secret-paths": secret_paths,
}
# What is typed before the first turn. It is not measured.
SETUPS = {"grid-hunt": {1: "HIDE 1 1", 2: "HIDE 5 5"}, "secret-paths": {1: "GOAL 5 1", 2: "GOAL 1 5"}}


def setup(game: str) -> Script:
    """The lines of a game's setup, as a script."""
    lines = SETUPS.get(game, {})
    for seat in lines:
        yield seat, lines[seat]
