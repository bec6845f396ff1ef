"""The scenarios are of every kind, and the worlds differ: twins that are too much alike would prove nothing."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from gridgames_protocol.messages import PUSHES
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from tests.secrecy.games.game_twins import unpacked
from tests.secrecy.server.fake_transports import Written
from tests.secrecy.server.other_secrets import EYES, another
from tests.secrecy.server.recorded_service import THE_LOG, Stage, performed
from tests.secrecy.server.server_twins import seen
from tests.secrecy.server.twin_scenarios import LOU, SAM, Scenario, scenario
from tests.secrecy.server.twin_tables import READERS

SCENARIOS = 60
HIDDEN = {"seat 1": "Bob", "seat 2": "Ada", "watchers": "Ada", "outside": "Ada"}
CODES = "bad_line bad_request protocol hello_first name_taken password token no_such_game no_such_room room_full"
MORE_CODES = "not_in_room in_room not_seated not_your_turn illegal syntax stale not_now internal bye replaced"
DOINGS = "connects comes drops says chats sends repeats opens joins joins_before agrees intrudes poses types_in_vain"
MORE_DOINGS = "opens_secrets passes sleeps restarts challenges"

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)


def messages(stage: Stage, night: Scenario) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that is compared: to whom, and what."""
    for eyes in EYES:
        for written in seen(night, eyes, stage):
            if written.who != THE_LOG:
                for line in written.chunk.split(b"\n")[:-1]:
                    yield written.who, unpacked(line + b"\n")


def test_the_scenarios_have_everything_in_them() -> None:
    doings, kinds, codes, people, past = Counter[str](), Counter[str](), Counter[str](), Counter[str](), 0
    for number in range(SCENARIOS):
        night = scenario(GAMES[1], number)
        stage = performed(night.game, night.cues, night.delay, night.analysed)
        doings.update(cue.do for cue in night.cues)
        for who, message in messages(stage, night):
            kinds[message["type"]] += 1
            people[who.rstrip("012")] += 1
            past += bool(message.get("past"))
            if message["type"] in ("error", "bye"):
                codes[message["code"]] += 1
    assert set(doings) == {*DOINGS.split(), *MORE_DOINGS.split()}
    assert set(kinds) >= set(PUSHES) - {"opening"}, "an opening is for games of a thousand lines"
    assert set(codes) >= {*CODES.split(), *MORE_CODES.split()}
    assert set(people) == {"Ada", "Bob", "Wes", LOU, SAM}
    assert past > SCENARIOS


def sent(stage: Stage, name: str) -> list[Written]:
    """What was written to those of a name."""
    return [written for written in stage.paper if written.who.startswith(name)]


@every_game
def test_who_has_the_secrets_is_sent_other_bytes(game: Game[Any]) -> None:
    for number in range(4):
        night = scenario(game, number)
        truth = performed(game, night.cues, night.delay)
        for eyes, who in HIDDEN.items():
            other = performed(game, another(night, eyes), night.delay)
            assert sent(truth, who) != sent(other, who)


@every_game
def test_secret_lines_have_other_lengths(game: Game[Any]) -> None:
    longer = 0
    for number in range(10):
        night = scenario(game, number)
        truth = {cue.number: cue for cue in night.cues if cue.line is not None}
        for cue in another(night, "watchers"):
            if cue.line is not None:
                assert cue.at == truth[cue.number].at
                longer += len(cue.given[-1]) > len(truth[cue.number].given[-1])
    assert longer > 20


@every_game
def test_most_tables_have_another_world_for_every_reader(game: Game[Any]) -> None:
    tables = [table for number in range(20) for table in scenario(game, number).tables]
    for reader in READERS:
        assert sum(table.differs(reader) for table in tables) > len(tables) / 2
