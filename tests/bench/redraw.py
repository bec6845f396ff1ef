"""What drawing a screen costs: `python -m tests.bench.redraw`, from the project's root.

The yardstick is one pass over all places of the screen in Python. The cursor moves before each drawing, as it does when
somebody presses a key.
"""

import time
from collections.abc import Callable

from gridgames_client.render.drawing.text_layout import TILES
from gridgames_client.render.screen import draw_screen
from gridgames_client.state.controllers.controller import Controller
from tests.client.game_scripts import SWINGS, full_swing

SIZES = ((80, 24), (200, 60))
TIMES = 40


def least(work: Callable[[int], object]) -> float:
    """The shortest time of many, in milliseconds."""
    times = []
    for number in range(TIMES):
        begun = time.process_time()
        work(number)
        times.append(time.process_time() - begun)
    return 1_000 * min(times)


def draw(controller: Controller, columns: int, rows: int, number: int) -> None:
    """Draw one screen with the cursor on another cell."""
    assert controller.model.board
    controller.cursor = number % len(controller.model.board.names)
    draw_screen(controller, "", TILES, columns, rows - 2, controller.clock())


def pass_over(columns: int, rows: int) -> list[str]:
    """Look at every place of a screen once."""
    return ["".join([" " if column % 2 else "x" for column in range(columns)]) for _ in range(rows)]


def main() -> None:
    """Print a row for each game and size."""
    for columns, rows in SIZES:
        bare = least(lambda _, size=(columns, rows): pass_over(*size))  # type: ignore[misc]
        for slug in SWINGS:
            controller = full_swing(slug)
            spent = least(lambda number, who=controller, size=(columns, rows): draw(who, *size, number))  # type: ignore[misc]
            print(f"{columns}x{rows}  {slug:<20}{spent:6.2f} ms {spent / bare:6.1f} times a pass over all places")


if __name__ == "__main__":
    main()
