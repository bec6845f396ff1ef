"""Every world that a seat may be in: each other secret is dealt, and what the seat would have been told is compared."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from gridgames_protocol.views import View
from gridgames_server.games.game import Chance, Game, KnownChance, Step
from gridgames_server.games.grid import Grid
from gridgames_server.games.narration import Announcement
from gridgames_server.games.seats import other
from tests.secrecy.games.phrases import letter

Told = tuple[tuple[Announcement, ...], list[str], View]

# What a seat's rival keeps from it, in a state; None where it has not come to exist.
SOUGHT: Mapping[str, Callable[[Any, int], int | None]] = {
    "treasure-hunt-duel": lambda state, rival: state.treasure,
    "grid-hunt": lambda state, rival: state.treasures[rival - 1],
    "quantum-duel": lambda state, rival: state.tokens[rival - 1],
    "secret-paths": lambda state, rival: state.goals[rival - 1],
    "pebbles": lambda state, rival: None if None in state.hands else state.hands[rival - 1],
}

# What the server may have drawn, where it draws anything.
DEALS: Mapping[str, tuple[dict[str, int], ...]] = {
    "treasure-hunt-duel": tuple({"treasure": cell} for cell in range(25)),
    "grid-conquest": ({f"value of {letter(row)}{col}": 0 for row in range(1, 6) for col in range(1, 6)},),
}


def worlds(game: Game[Any], chance: Chance, first: int, seat: int, lines: Iterable[tuple[int, str]]) -> Iterator[int]:
    """How many secrets the rival may have by all that the seat was told, at the start and after each line."""
    truth = game.start(chance, first)
    deals = (KnownChance(b"", drawn) for drawn in DEALS.get(game.card.slug, ({},)))
    open_ = distinct(
        step.state for deal in deals if told(game, step := game.start(deal, first), seat) == told(game, truth, seat)
    )
    yield secrets(game, open_, seat)
    for mover, line in lines:
        step = game.play(truth.state, mover, line)
        heard = told(game, step, seat)
        secret = mover != seat and is_secret(game, truth.state, mover, line)
        tried = (
            game.play(state, mover, instead)
            for state in open_
            for instead in (secret_lines(game, state, mover) if secret else (line,))
        )
        open_ = distinct(other_step.state for other_step in tried if told(game, other_step, seat) == heard)
        truth = step
        yield secrets(game, open_, seat)


def distinct(states: Iterable[Any]) -> list[Any]:
    """Each state once."""
    return list({key(tuple(vars(state).values())): state for state in states}.values())


def key(value: Any) -> Any:
    """Something that is the same for equal parts of a state, and can be looked up."""
    if isinstance(value, Mapping):
        return frozenset((name, key(held)) for name, held in value.items())
    if isinstance(value, tuple):
        return tuple(map(key, value))
    return None if isinstance(value, Grid) else value


def told(game: Game[Any], step: Step[Any], seat: int) -> Told:
    """All that reaches a seat: sentences, what was sealed, and the view."""
    heard = tuple(said for said in step.announcements if seat in said.readers)
    return heard, list(step.secrets or ()), game.view(step.state, seat)


def secret_lines(game: Game[Any], state: Any, seat: int) -> list[str]:
    """Every line that a seat may type in secret."""
    return [line for action in game.view(state, seat).actions if action.secret for line in action.lines()]


def is_secret(game: Game[Any], state: Any, seat: int, line: str) -> bool:
    """True if the other sees that the line was typed, and not what it says."""
    word = line.split()[0].upper()
    return any(action.secret for action in game.view(state, seat).actions if action.verb == word)


def secrets(game: Game[Any], states: Iterable[Any], seat: int) -> int:
    """How many different secrets the rival has in these worlds."""
    found = {SOUGHT[game.card.slug](state, other(seat)) for state in states} - {None}
    return len(found)
