"""Hints: the best line, and a sentence that says why. Each game has its own reasons."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from gridgames_protocol.messages import Show
from gridgames_server.analysis.line_values import EVEN, VALUES, list_hard_lines, value_lines
from gridgames_server.bots.grid_conquest import read_view as see_conquest
from gridgames_server.bots.grid_hunt import read_view as see_hunt
from gridgames_server.bots.quantum_duel import read_view as see_duel
from gridgames_server.bots.secret_paths import measure_dangers
from gridgames_server.bots.secret_paths import read_view as see_paths
from gridgames_server.bots.treasure_hunt_duel import read_view as see_treasure
from gridgames_server.games import grid_conquest, grid_hunt, secret_paths, treasure_hunt_duel
from gridgames_server.games.grid import Grid


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The best line from what the player knows, and why."""

    line: str
    why: str


def suggest(slug: str, show: Show) -> Suggestion | None:
    """Return the best line for the seat of a view, or None if it is not to act or its lines have no values."""
    if slug not in VALUES or not show.view.actions:
        return None
    values = value_lines(slug, show)
    if values:
        line = max(values, key=values.__getitem__)
        return Suggestion(line, REASONS[slug](show, line))
    return Suggestion(min(list_hard_lines(slug, show) or {show.view.actions[0].lines()[0]}), SETUPS[slug])


def advise(slug: str, show: Show) -> tuple[str, str] | None:
    """Return the suggestion as a pair: the line and the reason."""
    found = suggest(slug, show)
    return (found.line, found.why) if found else None


def accepts_draw(slug: str, show: Show, lines: int) -> bool:
    """True if a bot accepts a draw: DRAW_AFTER of the game's lines were played, and its chances are about even."""
    if slug not in VALUES or lines < DRAW_AFTER:
        return False
    values = VALUES[slug](show)
    return bool(values) and abs(max(values.values()) - EVEN) <= ABOUT


DRAW_AFTER = 30
ABOUT = 0.1  # chances that differ less from a half are even

SETUPS: Mapping[str, str] = {
    "grid-hunt": "A scan tells least about cells in the middle of the board, so they are found late.",
    "secret-paths": "Every column is as good as the others, as long as nobody knows yours.",
}


def explain_search(verb: str, cell: str, cells: Iterable[int], grid: Grid, ends: str) -> str:
    """Return why to query or to name a cell, by the cells that fit."""
    fitting = list(cells)
    if verb == ends:
        if len(fitting) == 1:
            return f"Only {cell} fits all your answers."
        return f"{len(fitting)} cells fit; to ask once more would most likely be too late."
    kinds = len({grid.distance(grid.cells[cell], there) for there in fitting})
    if kinds == len(fitting):
        return f"{len(fitting)} cells fit; {verb} {cell} tells them all apart."
    return f"{len(fitting)} cells fit; {verb} {cell} has {kinds} different answers among them."


def explain_treasure(show: Show, line: str) -> str:
    verb, _, cell = line.partition(" ")
    return explain_search(verb, cell, see_treasure(show).possible_cells(), treasure_hunt_duel.GRID, "GUESS")


def explain_hunt(show: Show, line: str) -> str:
    verb, _, cell = line.partition(" ")
    return explain_search(verb, cell, see_hunt(show).possible_cells(), grid_hunt.GRID, "DIG")


def explain_conquest(show: Show, line: str) -> str:
    board, name = see_conquest(show), line.partition(" ")[2]
    cell = grid_conquest.GRID.cells[name]
    points, opens = board.known.get(cell), len(board.hidden.intersection(grid_conquest.GRID.neighbours(cell)))
    if points is not None and points >= board.need:
        return f"{name} is worth {points} points and wins."
    worth = f"{name} is worth {points} points" if points is not None else f"Nobody knows what {name} is worth"
    cells = "no hidden cell" if not opens else "one hidden cell" if opens == 1 else f"{opens} hidden cells"
    return f"{worth}; claiming it shows the other player {cells}."


def explain_duel(show: Show, line: str) -> str:
    duel, (verb, _, cell) = see_duel(show), line.partition(" ")
    if verb == "OBSERVE":
        if duel.belief is None:
            return "Their token is not on the line yet, so no look can find it."
        return f"Their token is at {cell} with a chance of about {round(100 * duel.belief[int(cell) - 1])} %."
    if duel.at is None or duel.belief is None:
        return "Any place is about as good; do not choose the same one every time."
    if verb == "STAY":
        return "A step may run into their token, and they have no sure way to find yours where it is."
    values = value_lines("quantum-duel", show)
    moved, stayed = (round(100 * values[one]) for one in (line, "STAY"))
    return f"At {cell} you have a {moved} % chance to win; if you stay at {duel.at + 1}, {stayed} %."


def explain_paths(show: Show, line: str) -> str:
    path, name = see_paths(show), line.partition(" ")[2]
    cell = secret_paths.GRID.cells[name]
    if cell == path.goal:
        return "That is your goal: you win."
    if not measure_dangers(path)[cell]:
        return f"From {name} the other player can't reach a goal of theirs in one step."
    return f"Every step leaves the other player a chance; {name} leaves the smallest."


REASONS: Mapping[str, Callable[[Show, str], str]] = {
    "treasure-hunt-duel": explain_treasure,
    "grid-hunt": explain_hunt,
    "grid-conquest": explain_conquest,
    "quantum-duel": explain_duel,
    "secret-paths": explain_paths,
}
