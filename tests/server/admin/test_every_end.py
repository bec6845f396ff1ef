"""However an honest game ends: `check` finds its store sound, and both checks of its saved record find nothing."""

import pytest

from gridgames_client.state.history.verify import verify_saved_game
from gridgames_protocol.messages import FOUL_REASONS, OUTSIDE_REASONS, Again, Claim, Leave, OfferDraw, Resign
from gridgames_server.admin.subcommands import check_store
from gridgames_server.admin.verify_saved import check_saved_game
from gridgames_server.core.limits import ABSENCE, ROOM_DESERTED
from gridgames_server.games import GAMES, VARIANTS, find_variant
from gridgames_server.games.match import LINES_MAX, Match
from gridgames_server.storage.history_answers import write_game_record
from tests.server.hub_harness import MIDDLES, ended, play
from tests.server.stored_games import BY_SLUG, Archive, over, play_out

CLOCK = 10
KINDS = [*((slug, None) for slug in BY_SLUG), *VARIANTS]  # slug and variant
FOULS = [kind for kind in KINDS if kind[0] == "secret-paths"]

every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)
with_fouls = pytest.mark.parametrize("kind", FOULS, ids=str)


@pytest.fixture
def server(tmp_path):
    """A server with a store."""
    return Archive(tmp_path / "server.sqlite")


def begin(server, kind, **options):
    """Two at a table in the middle of a game, and the game."""
    slug, variant = kind
    ada, bob = server.table(slug, variant=variant, **options)
    play(ada, bob, lines=MIDDLES[slug])
    server.read_by_all()
    return ada, bob, server.room(ada.where.room).match


def faults(server, kind, match):
    """What the checks say of a finished game and of the store that it is in."""
    game = find_variant(BY_SLUG[kind[0]], kind[1])
    lines = [(line.seat, line.text) for line in match.lines]
    found = []
    for you in (1, 2):
        text = write_game_record(game, match.seed, match.first, lines, ("Ada", "Bob"), you, match.outcome, kind[1])
        found += check_saved_game(text, GAMES)
        told, fits = verify_saved_game(text)
        found += [] if fits else told
    server.closes()
    return found + check_store(server.storage.path)


@every_kind
def test_a_game_that_is_played_to_its_end(server, kind):
    ada, bob, match = begin(server, kind)
    play_out(ada, bob, fouls=kind[0] == "secret-paths")
    assert match.outcome.reason not in OUTSIDE_REASONS | FOUL_REASONS
    assert faults(server, kind, match) == []


@every_kind
@pytest.mark.parametrize("gives_up", [Resign, Leave])
def test_a_player_resigns_or_leaves(server, kind, gives_up):
    ada, _, match = begin(server, kind)
    ada.says(gives_up)
    assert match.outcome.reason == "resigned"
    assert faults(server, kind, match) == []


@every_kind
def test_both_agree_to_a_draw(server, kind):
    ada, bob, match = begin(server, kind)
    ada.says(OfferDraw)
    bob.says(OfferDraw)
    assert ended(ada).reason == match.outcome.reason == "agreed"
    assert faults(server, kind, match) == []


@every_kind
def test_a_player_stays_away(server, kind):
    ada, bob, match = begin(server, kind)
    here, away = (ada, bob) if ada.sees.turn == (2,) else (bob, ada)
    away.drops()
    server.passes(ABSENCE + 1)
    here.says(Claim)
    assert match.outcome.reason == "absence"
    assert faults(server, kind, match) == []


@every_kind
def test_a_players_time_runs_out(server, kind):
    _, _, match = begin(server, kind, clock=CLOCK)
    server.passes(CLOCK + 1)
    assert match.outcome.reason == "clock"
    assert faults(server, kind, match) == []


@every_kind
def test_both_players_time_runs_out_before_anybody_has_typed(server, kind):
    ada, _ = server.table(kind[0], variant=kind[1], clock=CLOCK)
    server.passes(CLOCK + 1)
    match = server.room(ada.where.room).match
    assert match.outcome.reason == "clock"
    assert faults(server, kind, match) == []


@every_kind
def test_both_start_afresh(server, kind):
    ada, bob, match = begin(server, kind)
    ada.says(Again)
    bob.says(Again)
    assert match.outcome.reason == "afresh"
    assert faults(server, kind, match) == []


@every_kind
def test_a_deserted_room_is_closed(server, kind):
    ada, bob, match = begin(server, kind)
    ada.drops()
    bob.drops()
    server.passes(ROOM_DESERTED + 10)
    assert match.outcome.reason == "closed"
    assert faults(server, kind, match) == []


@with_fouls
def test_a_forfeit_is_claimed(server, kind):
    ada, bob, match = begin(server, kind)
    assert bob.types(*["MOVE 9 9"] * 3) == ["illegal"] * 3
    ada.says(Claim)
    assert (match.outcome.winner, match.outcome.reason) == (1, "forfeit")
    assert faults(server, kind, match) == []


def test_a_draw_by_repetition_is_claimed(server):
    kind = ("secret-paths", None)
    ada, bob, match = begin(server, kind)
    while not ada.sees.view.claimable:
        play(ada, bob, lines=((2, "MOVE 3 2"), (1, "MOVE 4 2")))
        if bob.sees.view.claimable:
            break
    (ada if ada.sees.view.claimable else bob).says(Claim)
    assert (match.outcome.winner, match.outcome.reason) == (None, "repetition")
    assert faults(server, kind, match) == []


ENDLESS = {  # lines that go round, after those of the setup
    "secret-paths": (((1, "GOAL 2"), (2, "GOAL 4")), ((1, "MOVE 9 9"), (1, "MOVE 3 2"), (2, "MOVE 3 3"))),
    "quantum-duel": (
        ((1, "MOVE 1"), (1, "OBSERVE 5"), (2, "MOVE 7"), (2, "OBSERVE 4")),
        tuple((seat, line) for look in ("2", "3") for seat in (1, 2) for line in ("STAY", f"OBSERVE {look}")),
    ),
}


@pytest.mark.parametrize("slug", ENDLESS)
def test_a_game_gets_too_long(server, slug):
    match = Match(BY_SLUG[slug], bytes(32), 1)
    setup, round_of_lines = ENDLESS[slug]
    for seat, line in setup:
        match.play(seat, line)
    while not match.outcome:
        match.play(*round_of_lines[(match.line_count - len(setup)) % len(round_of_lines)])
    assert (match.outcome.reason, match.line_count) == ("length", LINES_MAX)
    server.keeps(over(match))
    assert faults(server, (slug, None), match) == []
