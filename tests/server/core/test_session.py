"""A connection: what it may spend, and who may say what in which phase."""

import pytest

from gridgames_protocol.messages import (
    REQUESTS,
    AskAnalysis,
    AskRecord,
    AskReplay,
    Chat,
    Create,
    Hello,
    Join,
    Ping,
    Play,
    Watch,
)
from gridgames_server.core.limits import BURST, Limits
from gridgames_server.core.permissions import ALLOWED, check_allowed
from gridgames_server.core.players import Player
from gridgames_server.core.rate_limit import AddressLimits, TokenBucket
from gridgames_server.core.state import Session
from gridgames_server.errors import Refusal

# The allowance


def test_what_is_saved_can_be_spent_at_once():
    purse = TokenBucket(rate=10, size=30, since=0)
    for _ in range(30):
        purse.spend(1, 0)
        assert not purse.is_overdrawn
    purse.spend(1, 0)
    assert purse.is_overdrawn


def test_it_fills_with_time_and_not_above_its_size():
    purse = TokenBucket(rate=10, size=30, since=0)
    purse.spend(30, 0)
    purse.spend(0, 1)
    assert purse.left == 10
    purse.spend(0, 100)
    assert purse.left == 30


def test_less_than_a_request_too_much_is_let_pass():
    purse = TokenBucket(rate=10, size=30, since=0)
    purse.spend(30.75, 0)
    assert not purse.is_overdrawn
    purse.spend(0.25, 0)
    assert purse.is_overdrawn


def test_as_much_again_may_be_overdrawn_before_it_is_exhausted():
    purse = TokenBucket(rate=10, size=30, since=0)
    purse.spend(60, 0)
    assert purse.is_overdrawn
    assert not purse.is_exhausted
    purse.spend(0.1, 0)
    assert purse.is_exhausted


def test_a_connection_saves_three_seconds_of_its_rate():
    purse = AddressLimits(Limits(rate=20)).take_burst("here", 20, 5)
    assert (purse.rate, purse.size, purse.left, purse.since) == (20, 20 * BURST, 60, 5)


def test_a_rate_of_nothing_is_no_limit():
    assert AddressLimits(Limits(rate=0)).take_burst("here", 0, 5) is None
    free = Session(1, "here", 0, 0, None)
    free.spend(1_000_000)


# Phases


def test_the_phase_follows_from_where_the_player_is():
    session = Session(1, "here", 0, 0, None)
    assert session.phase == "new"
    session.player = player = Player("Ada", "ada", b"")
    assert session.phase == "lobby"
    player.room = object()
    assert session.phase == "watching"
    player.seat = 2
    assert session.phase == "seated"


FIELDS = {
    Hello: (1, "Ada"),
    AskReplay: (1, 0, 0),
    **dict.fromkeys((AskRecord, AskAnalysis), (1,)),
    **dict.fromkeys((Create, Join, Watch, Play, Chat), ("x",)),
}


@pytest.mark.parametrize("phase", ALLOWED)
@pytest.mark.parametrize("kind", REQUESTS.values())
def test_every_request_is_either_allowed_or_refused_with_a_sentence(phase, kind):
    request = kind(1, *FIELDS.get(kind, ()))
    if kind in ALLOWED[phase]:
        check_allowed(phase, request)
        return
    with pytest.raises(Refusal, match=r"\.$"):
        check_allowed(phase, request)


def test_the_sentence_says_what_to_do():
    with pytest.raises(Refusal, match="Say hello first, with your name"):
        check_allowed("new", Ping(1))
    with pytest.raises(Refusal, match="Create one, or join one with its code"):
        check_allowed("lobby", Play(1, "C3"))
