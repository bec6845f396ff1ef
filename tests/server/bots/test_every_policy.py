"""What holds for the computer at every game: it is handed what a client is handed, and does what a client may do."""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

import pytest

import gridgames_server.bots
from gridgames_protocol.messages import Over
from gridgames_server.bots import BOTS, STRATEGIES
from gridgames_server.bots.policy import list_legal_lines
from gridgames_server.games import GAMES, VARIANTS
from gridgames_server.games.game import Chance
from gridgames_server.games.match import Match
from tests.server.bots.bot_seat import LEVELS, MOODS, each_level, over_the_wire, reached, shown
from tests.server.hub_harness import HubHarness

PLAYED = {game.card.slug: game for game in GAMES} | {f"{slug}-{name}": game for (slug, name), game in VARIANTS.items()}
each_game = pytest.mark.parametrize("game", PLAYED.values(), ids=PLAYED)
WORK = 25_000  # calls of functions in one thought; so many take from 5 to 20 ms
VIEWS = 100  # of each game, and more lines than most games have
MODULES = sorted(Path(gridgames_server.bots.__file__).parent.glob("*.py"))
CLIENTS_KNOW = {  # what a client of somebody else's could hold as well: the messages, chance, and the games' constants
    "gridgames_protocol.messages": {"Level", "Show"},
    "gridgames_server.games.game": {"Chance"},
}


def test_every_game_has_a_policy():
    assert [game.card.slug for game in GAMES] == [*BOTS]


@each_game
@each_level
def test_from_any_view_comes_a_line_that_is_listed_and_accepted(game, level):
    for show, match in islice(reached(game, range(12)), 3 * VIEWS):
        line = BOTS[game.card.slug](show, level, MOODS[0])
        assert line in list_legal_lines(show)
        assert match.game.play(match.state, show.you, line)


@each_game
@each_level
def test_the_chances_of_all_lines_sum_up_to_one(game, level):
    for show, _ in islice(reached(game, range(12)), VIEWS):
        chances = STRATEGIES[game.card.slug](show, level)
        assert sum(chances.values()) == pytest.approx(1)
        assert min(chances.values()) >= 0


@each_game
@each_level
def test_the_same_line_comes_from_the_bytes_that_a_client_is_sent(game, level):
    for show, _ in islice(reached(game, range(12)), VIEWS):
        here, there = (BOTS[game.card.slug](table, level, MOODS[1]) for table in (show, over_the_wire(show)))
        assert here == there


@each_game
def test_one_who_has_come_back_is_shown_enough_to_go_on(game):
    server, policy = HubHarness(rate=0), BOTS[game.card.slug]
    seats = dict(zip((1, 2), server.table(game.card.slug), strict=True))
    for number in count():
        if not seats[1].sees.turn:
            break
        seat = seats[1].sees.turn[0]
        level = LEVELS[number % 3]
        before = policy(seats[seat].sees, level, MOODS[seat])
        seats[seat].drops()
        seats[seat] = seats[seat].comes_back()
        line = policy(seats[seat].sees, level, MOODS[seat])
        assert line == before
        assert seats[seat].types(line) == ["ok"]
    assert number > 2
    assert seats[1].reads(Over)


def opening(game, level, mood: int) -> tuple[str, ...]:
    """The first lines of a game of the computer against itself."""
    match, policy = Match(game, bytes(32), 1), BOTS[game.card.slug]
    while (to_act := match.to_act()) and match.line_count < 12:
        seat = min(to_act)
        match.play(seat, policy(shown(match, seat), level, Chance(bytes([mood, seat]) * 16)))
    return tuple(line.text for line in match.lines)


@each_game
@each_level
def test_games_vary_though_the_same_secrets_give_the_same_game(game, level):
    openings = [opening(game, level, mood) for mood in range(6)]
    assert opening(game, level, 0) == openings[0]
    assert len({*openings}) > len(openings) / 2


@contextmanager
def calls() -> Iterator[list[int]]:
    """Counts the functions that are called meanwhile, those of the interpreter too."""
    counted = [0]

    def note(frame: object, event: str, argument: object) -> None:
        counted[0] += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield counted
    finally:
        sys.setprofile(before)


@each_game
def test_no_line_takes_more_thought_than_there_is_time_for(game):
    policy = BOTS[game.card.slug]
    policy(shown(Match(game, bytes(32), 1), 1), "hard", MOODS[0])  # what is worked out once for all games
    for show, _ in islice(reached(game, range(6)), VIEWS):
        with calls() as counted:
            policy(show, "hard", MOODS[2])
        assert counted[0] < WORK


def taken(source: str) -> Iterator[tuple[str, str]]:
    """What a module takes from the project's other modules, each name with where it is from."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gridgames"):
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.startswith("gridgames"))


def may_take(module: str, name: str) -> bool:
    """True of what no secret can be had from."""
    if name in CLIENTS_KNOW.get(module, ()) or module.startswith("gridgames_server.bots"):
        return True
    return module.startswith("gridgames_server.games.") and name.isupper()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_policy_cannot_get_at_a_game_but_through_what_it_is_shown(path):
    assert [found for found in taken(path.read_text(encoding="utf-8")) if not may_take(*found)] == []


@pytest.mark.parametrize(
    "source",
    [
        "from gridgames_server.games.grid_hunt import State",
        "from gridgames_server.games.grid_hunt import GRID, GridHunt",
        "from gridgames_server.games.match import Match",
        "import gridgames_server.core.room",
        "def think():\n    from gridgames_server import match",
    ],
)
def test_a_way_around_that_would_be_found(source):
    assert not all(may_take(*found) for found in taken(source))
