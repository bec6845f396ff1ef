"""Whatever searches or values lines runs in a thread. What the hub does with a request stays short, in every game.

What is counted are calls of Python functions; they are the same in each run.
"""

from random import Random
from typing import Any, get_args

import pytest

from gridgames_protocol.messages import (
    Again,
    AskAnalysis,
    AskHint,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    AskStatus,
    ByeRequest,
    Chat,
    Claim,
    Create,
    Hello,
    Join,
    Leave,
    OfferDraw,
    Ping,
    Play,
    Request,
    Resign,
    Watch,
)
from gridgames_server.analysis.hints import advise
from gridgames_server.bots import BOTS
from gridgames_server.bots.policy import list_legal_lines
from gridgames_server.core import handlers
from gridgames_server.core.effects import AskBot
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.limits import Limits
from gridgames_server.games import GAMES
from gridgames_server.games.game import Chance, Game
from tests.server.counted_calls import count_calls
from tests.server.hub_harness import Entropy, Guest, HubHarness

CALLS_MAX = 2_000  # half a millisecond. A rematch takes the most: it ends one game and begins another
THINKING = ("/gridgames_server/bots/", "/gridgames_server/analysis/")
LINES = (2, 3, 5, 40)  # after which the requests are tried: when both have hidden something, early, and late

# What is asked, and by whom: one who plays (and is to move), one in the lobby, or one who has just connected.
REQUESTS: dict[type, tuple[str, tuple[object, ...]]] = {
    Hello: ("new", (1, "Eve")),
    AskStatus: ("player", ()),
    Ping: ("player", ()),
    Create: ("lobby", ("GAME", "host", "hard")),
    Join: ("lobby", ("FREE",)),
    Watch: ("lobby", ("ROOM",)),
    Leave: ("player", ()),
    Play: ("player", ("LINE",)),
    Again: ("player", ()),
    Resign: ("player", ()),
    Claim: ("player", ()),
    OfferDraw: ("player", ()),
    AskHint: ("player", ()),
    Chat: ("player", ("well",)),
    AskHistory: ("player", ()),
    AskReplay: ("player", (1, 0, 0)),
    AskStandings: ("player", ()),
    AskRecord: ("player", (1,)),
    AskAnalysis: ("player", (1,)),
    ByeRequest: ("player", ()),
}
GRID_HUNT = next(game for game in GAMES if game.card.slug == "grid-hunt")


def begin(game: Game[Any], lines: int) -> tuple[HubHarness, Guest]:
    """Ada, who is to move after so many lines against the computer, in the room that asks most of the server."""
    server = HubHarness()
    config = ServerConfig(GAMES, limits=Limits(rate=0), bots=frozenset(BOTS), has_hints=True, has_analysis=True)
    server.hub = Hub(config, Entropy(), server.now)
    ada, chance = server.enter("Ada"), Random(game.card.slug)
    ada.says(Create, game.card.slug, "host", "hard", hints=True, assist=game.card.assist)
    for _ in range(lines):
        if ada.where.state == "over":
            ada.says(Again)
        if 1 in ada.sees.turn:
            ada.types(choose_quietly(ada, chance))
        else:
            move(server)
    while ada.where.state == "over" or 1 not in ada.sees.turn:
        ada.says(Again) if ada.where.state == "over" else move(server)
    return server, ada


def choose_quietly(guest: Guest, chance: Random) -> str:
    """A line that the view offers."""
    return chance.choice(list_legal_lines(guest.sees))


def move(server: HubHarness) -> None:
    """The computer moves."""
    question = server.of(AskBot)[-1]
    server.answers(question, BOTS[question.game](question.show, "hard", Chance(bytes(32))))


def count_request(game: Game[Any], kind: type, lines: int, folders: tuple[str, ...] = ("",)) -> int:
    """What the hub does with a request, in calls."""
    server, ada = begin(game, lines)
    who, fields = REQUESTS[kind]
    guest = {"player": lambda: ada, "lobby": lambda: server.enter("Bob"), "new": server.connects}[who]()
    meant = {"GAME": game.card.slug, "ROOM": ada.where.room, "LINE": choose_quietly(ada, Random(1))}
    if kind is Join:
        meant["FREE"] = server.enter("Cat").opens(game.card.slug, assist=game.card.assist)
    request = kind(next(server.ids), *(meant.get(str(field), field) for field in fields))
    return count_calls(lambda: server.hub.bytes_received(guest.id, 0, [request], server.now), folders)


def test_every_request_is_tried():
    assert set(REQUESTS) == set(get_args(Request))


def try_requests(game: Game[Any], folders: tuple[str, ...] = ("",)) -> dict[str, int]:
    """The most that the hub does with each kind of request."""
    return {kind.__name__: max(count_request(game, kind, lines, folders) for lines in LINES) for kind in REQUESTS}


each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)


@each_game
def test_a_request_is_no_long_work(game: Game[Any]) -> None:
    assert {kind: calls for kind, calls in try_requests(game).items() if calls > CALLS_MAX} == {}


@each_game
def test_no_request_runs_a_bot_or_an_analysis_at_once(game: Game[Any]) -> None:
    assert not any(try_requests(game, THINKING).values())


@each_game
def test_time_and_the_computers_answers_are_no_long_work(game: Game[Any]) -> None:
    server, ada = begin(game, 5)
    ada.says(OfferDraw)
    draw = server.of(AskBot)[-1]
    assert draw.wants == "draw"
    assert count_calls(lambda: server.hub.tick(server.now)) < CALLS_MAX
    assert count_calls(lambda: server.hub.bot_answered(draw, True, server.now)) < CALLS_MAX


def test_a_request_that_thinks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def hint(state: Any, session: Any, request: Any, now: float) -> list[Any]:
        room = session.player.room
        advise(room.game.card.slug, room.view_for(session.player.seat, now))
        return []

    monkeypatch.setitem(handlers.HANDLERS, AskHint, hint)
    assert count_request(GRID_HUNT, AskHint, 2, THINKING) > 100
