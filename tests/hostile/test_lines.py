"""Two million hostile lines through the decoder and a hub: what comes out is on closed lists, nobody else notices."""

import pytest

from gridgames_protocol.messages import Error, ErrorCode
from gridgames_server.core.effects import LogBug, Send
from tests.hostile.corpus import corpus
from tests.hostile.hostile_hub import Den, check_books

SEEDS = range(8)
LINES = 250_000  # for each seed
LONG = 4  # times as many, where there is time
PHASES = ("new", "lobby", "seated", "watching")
KNOWN = {"granted", *ErrorCode.__args__} - {"internal", "shutting_down", "password"}


@pytest.mark.parametrize("phase", PHASES)
def test_every_line_that_was_worth_keeping_gets_its_one_answer_in_every_phase(phase):
    den = Den(phase)
    den.newcomer("seated")
    for about, line in corpus().items():
        stranger = den.newcomer(phase)
        before = den.seen.total()
        den.deliver(stranger, line + b"\n")
        assert den.seen.total() == before + 1, about
        check_books(den.hub)
        if not stranger.gone:
            den.ask(stranger, type="bye")
    den.end()
    assert set(den.seen) <= KNOWN


@pytest.mark.parametrize("seed", SEEDS)
def test_a_quarter_of_a_million_bent_lines_do_not_disturb_another_game(seed, long):
    den = Den(seed)
    den.suffer(LINES * (LONG if long else 1))
    assert set(den.seen) <= KNOWN
    assert min(den.seen[code] for code in ("bad_line", "unknown_type", "bad_request", "granted")) > LINES / 50
    assert min(den.seen[code] for code in ("too_long", "illegal", "syntax", "stale", "not_your_turn")) > 0
    den.end()
    check_books(den.hub)


def test_a_word_to_somebody_else_and_a_bug_in_the_hub_would_not_go_unnoticed():
    den = Den("planted")
    with pytest.raises(AssertionError, match="Error"):
        den.perform([Send(den.table[0], (Error("internal", "Oh."),))])
    with pytest.raises(ZeroDivisionError):
        den.perform([LogBug("1", ZeroDivisionError())])
    den.hub.sessions[den.table[0]].player.session = None
    with pytest.raises(AssertionError):
        check_books(den.hub)
