"""The work of an answer does not depend on what its reader may not know, so its time tells nothing.

Work is counted in bytecodes of Python, by function; times are too noisy to compare. What is compared is the answer to
a seat's own line: playing it, the events and the views of both seats and of the watchers, and packing all of them, for
all of it happens before the seat is answered. Two worlds that the seat can't tell apart must take the same work.

The truth is played twice and counted the second time, the other world is played once. So a cache whose keys hold a
secret is found too: it knows the truth and not the other world.

Two things are not compared. The answer to the other seat's line: a reader does not know when that line was typed. And
packing the list of the other seat's actions, since a seat whose tunnel is used has one action less. That takes
1 to 5 µs.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Error, Ok, Push, Show
from gridgames_protocol.views import Board
from gridgames_server.core.audience import READERS, events_for
from gridgames_server.errors import Refusal
from gridgames_server.games import GAMES, quantum_duel
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel
from tests.secrecy.games.game_twins import typed_instead
from tests.secrecy.games.histories import history
from tests.secrecy.games.other_worlds import RECAST

HISTORIES = 60  # of each game; every other three with assist
WORLDS = 2  # of each history
ACTIONS = {("<Action.as_map>", "as_map"), ("<Show.as_map>", "as_map.<locals>.<listcomp>")}

Work = Counter[tuple[str, str]]  # bytecodes by file and function


def count_work(call: Callable[[], object]) -> Work:
    """The bytecodes that a call takes."""
    work: Work = Counter()

    def step(frame: Any, event: str, arg: object) -> Any:
        if event == "opcode":
            work[frame.f_code.co_filename, frame.f_code.co_qualname] += 1
        return step

    def enter(frame: Any, event: str, arg: object) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return step

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return work


def answer(match: Match, seat: int, line: str) -> list[bytes]:
    """Everything that a line makes the server send."""
    try:
        played = match.play(seat, line)
    except Refusal as refusal:
        return [encode(Error(refusal.code, refusal.text, 1))]
    said: list[Push] = [Error(played.foul.code, played.foul.text, 1) if played.foul else Ok(1)]
    for reader in READERS:
        said += events_for(played.announcements, reader)
        said.append(Show("TWIN", match.line_count, tuple(sorted(match.to_act())), reader, match.view(reader)))
    return [encode(message) for message in said]


def work_of_lines(match: Match, reader: int, lines: list[tuple[int, str | None]]) -> Iterator[Work]:
    """The work of the answers to a reader's own lines."""
    for opened in READERS:
        match.view(opened)
    for seat, line in lines:
        if line is not None and seat == reader:
            yield count_work(lambda line=line: answer(match, reader, line))  # type: ignore[misc]
        elif line is not None:
            answer(match, seat, line)


def find_differences(game: Game[Any]) -> dict[str, int]:
    """The functions whose work differs in worlds that a seat can't tell apart, and by how much in the first of them."""
    for number in range(HISTORIES):
        past, reader = history(game, number), 1 + number % 2
        for world in islice(RECAST[past.slug](past, reader, Random(number)), WORLDS):
            truth: list[tuple[int, str | None]] = [attempt[:2] for attempt in past.attempts[: world.until]]
            list(work_of_lines(past.match(), reader, truth))
            ones = list(work_of_lines(past.match(), reader, truth))
            twos = list(work_of_lines(past.match(world.draws), reader, list(typed_instead(past, reader, world))))
            for one, two in zip(ones, twos, strict=True):
                found = {place: two[place] - one[place] for place in one | two if one[place] != two[place]}
                if not found.keys() <= ACTIONS:
                    return {function: more for (_, function), more in found.items()}
    return {}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)
def test_an_answer_takes_the_same_work_in_twin_worlds(game: Game[Any]) -> None:
    assert find_differences(game) == {}


# These tests can fail


def test_a_cache_whose_keys_hold_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Board, "add_secret", lru_cache(1_024)(Board.add_secret))
    assert "Board.add_secret" in find_differences(quantum_duel.QuantumDuel())


def test_a_way_out_that_a_secret_opens_is_found() -> None:
    class Hasty(TreasureHuntDuel):
        def view(self, state: Any, reader: int | None) -> Any:
            shown = super().view(state, reader)
            return shown if state.treasure % 2 else cache(lambda: shown)()

    assert any("Hasty" in name for name in find_differences(Hasty()))
