"""The README's pictures: `python -m tests.pictures` writes them all again."""

import asyncio
from functools import cache
from itertools import groupby
from pathlib import Path

from gridgames_client.render.drawing.text_layout import TILES, Fragment
from gridgames_client.state.controllers.controller import Controller
from gridgames_server.games import GAMES
from tests.client.finished_games import as_kept, at_shelf
from tests.client.game_scripts import ANALYSED, DRAWS, full_swing, story, type_lines
from tests.client.piped_app import Player, playing
from tests.client.screen_scenes import ROOMS, STANDARD, Scene, draw_scene
from tests.client.seated_controllers import Scenario, in_lobby
from tests.screen_svg import Screen, movie, picture

FOLDER = Path(__file__).parent / "client" / "pictures"
TITLES = {game.card.slug: game.card.title for game in GAMES}
SECONDS = 1.6  # that each screen of the film stands
FILM = "a-game"
FILMED = (
    "1 QUERY 3C",
    "2 QUERY 4B",
    "1 QUERY 2C",
    "2 QUERY 5E",
    "1 QUERY 4E",
    "2 GUESS 5C",
    "1 QUERY 5D",
    "1 GUESS 4D",
)


def scenes() -> dict[str, Scene]:
    """The scenes that are shown, by the names of their files."""
    return {
        "lobby": Scene("The lobby", in_lobby(*ROOMS).controller, on_board=True),
        "analysis": Scene("An analysed game", analysed_game(), on_board=True),
        "end": Scene("The end of a game", story("treasure-hunt-duel", "end", assist=True).controllers[1]),
        **{slug: Scene(title, full_swing(slug), on_board=True) for slug, title in TITLES.items()},
    }


def analysed_game() -> Controller:
    """A finished game of Grid Hunt at the move that decided it, with the server's analysis."""
    kept = as_kept(12, "grid-hunt", type_lines(Scenario("grid-hunt"), ANALYSED))
    seat = at_shelf(in_lobby(), kept, analyses=True)
    seat.controller.submit("replay 12 5")
    return seat.controller


@cache
def film() -> list[Screen]:
    """One short game as the first player sees it: the program runs, keys are pressed, and what it draws is kept."""
    return asyncio.run(record_film())


async def record_film() -> list[Screen]:
    """Play the game at the real program. The possible cells are in gold."""
    scenario = Scenario("treasure-hunt-duel", draws=DRAWS["treasure-hunt-duel"], assist=True)
    async with playing(scenario.controllers[1], *STANDARD) as player:
        player.app.glyphs = TILES  # the pipe's end has no colours
        player.controller.model.masked = False
        await player.draws()
        screens = [take_picture(player)]
        for line in FILMED:
            seat, verb, cell = int(line[0]), line[2:7], line[-2:]
            if seat == 1:
                await player.presses(*find_way(player.controller, cell))
                screens.append(take_picture(player))
                await player.presses("enter")
                if player.controller.page:  # several actions fit the cell
                    screens += [take_picture(player)] if verb == "GUESS" else []
                    await player.presses(verb[0].lower(), "enter")
            else:
                scenario.types(seat, line[2:])
                await player.draws()
            screens.append(take_picture(player))
    return screens


def find_way(controller: Controller, cell: str) -> list[str]:
    """The arrow keys that lead from the cursor to a cell."""
    board = controller.model.board
    assert board
    (row, col), (to_row, to_col) = (divmod(at, len(board.cols)) for at in (controller.cursor, board.names.index(cell)))
    down, right = to_row - row, to_col - col
    return ["down" if down > 0 else "up"] * abs(down) + ["right" if right > 0 else "left"] * abs(right)


def take_picture(player: Player) -> Screen:
    """What the program has drawn last, as styled lines."""
    columns, rows = STANDARD
    shown = [[(player.style_at(x, y), player.char_at(x, y)) for x in range(columns)] for y in range(rows)]
    lines = [
        [Fragment(style, "".join(char for _, char in run)) for style, run in groupby(row, lambda one: one[0])]
        for row in shown
    ]
    return Screen(lines, columns)


def pictures() -> dict[Path, str]:
    """Every picture, by its file."""
    still = {
        FOLDER / f"{name}.svg": picture(Screen(draw_scene(scene, *STANDARD), STANDARD[0]), scene.name)
        for name, scene in scenes().items()
    }
    return still | {FOLDER / f"{FILM}.svg": movie(film(), "A short game of Treasure Hunt Duel", SECONDS)}


def write() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for file, text in pictures().items():
        file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
