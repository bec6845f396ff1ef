"""Moves that no person makes: a blind guess, a question whose answer is known, a win that is passed up."""

from collections.abc import Callable, Collection

from gridgames_protocol.messages import Show
from gridgames_server.bots import grid_conquest, grid_hunt, quantum_duel, secret_paths, treasure_hunt_duel

BLIND = 10  # with more cells left than this a guess is blind, as long as one may still ask


def is_odd_search(verb: str, cell: int, cells: Collection[int], ends: str, may_ask: bool) -> bool:
    """True of a line that looks for a treasure and that no person types; `ends` is the verb that can win."""
    if verb == ends:
        return cell not in cells or (len(cells) > BLIND and may_ask)
    return len({treasure_hunt_duel.DISTANCE[cell][there] for there in cells}) == 1


def is_odd_treasure(show: Show, line: str) -> bool:
    hunt, (verb, _, place) = treasure_hunt_duel.read_view(show), line.partition(" ")
    cell = treasure_hunt_duel.GRID.cells[place]
    return is_odd_search(verb, cell, hunt.possible_cells(), "GUESS", bool(hunt.askable))


def is_odd_hunt(show: Show, line: str) -> bool:
    if show.view.phase == "setup":
        return False
    hunt, (verb, _, place) = grid_hunt.read_view(show), line.partition(" ")
    return is_odd_search(verb, grid_hunt.GRID.cells[place], hunt.possible_cells(), "DIG", hunt.scans > 0)


def is_odd_conquest(show: Show, line: str) -> bool:
    board = grid_conquest.read_view(show)
    wins = [grid_conquest.claim_line(cell) for cell, points in board.known.items() if points >= board.need]
    return bool(wins) and line not in wins


def is_odd_duel(show: Show, line: str) -> bool:
    """True of a look at the own token, or where the other token can't be."""
    duel, (verb, _, place) = quantum_duel.read_view(show), line.partition(" ")
    if verb != "OBSERVE" or duel.belief is None:
        return False
    return duel.belief[int(place) - 1] == 0


def is_odd_path(show: Show, line: str) -> bool:
    if show.view.phase == "setup":
        return False
    path = secret_paths.read_view(show)
    return path.goal in secret_paths.NEAR[path.seeker] and line != secret_paths.move_line(path.goal)


IS_ODD: dict[str, Callable[[Show, str], bool]] = {
    "treasure-hunt-duel": is_odd_treasure,
    "grid-hunt": is_odd_hunt,
    "grid-conquest": is_odd_conquest,
    "quantum-duel": is_odd_duel,
    "secret-paths": is_odd_path,
}
