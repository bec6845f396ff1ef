"""The stage itself: its cupboard answers as the store does, and nothing but a hash is overlooked."""

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings, Commit, Event
from gridgames_server.storage.history_answers import Query
from tests.secrecy.server.fake_transports import Loop, Written
from tests.secrecy.server.memory_store import Cupboard
from tests.secrecy.server.recorded_service import THE_LOG, Stage
from tests.secrecy.server.server_twins import BY_SLUG, Leak, compare, masked
from tests.secrecy.server.twin_scenarios import Scenario
from tests.server.stored_games import Archive, resigned

GAMES = (
    resigned(1, (1, 2), 1),
    resigned(2, (2, 1), 1, names=("Bob", "Ada")),
    resigned(3, (3, 1), None, names=("Cyd", "Ada"), game="grid-conquest"),
)
QUESTIONS = (
    AskHistory(1),
    AskHistory(1, 3),
    AskReplay(1, 2, 0, 0),
    AskReplay(1, 9, 0, 0),
    AskStandings(1),
    AskStandings(1, "grid-hunt"),
    AskStandings(1, "quantum-duel"),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_the_cupboard_finds_what_the_store_finds(question, tmp_path):
    server, cupboard, found = Archive(tmp_path / "store"), Cupboard(Loop(), 0.0), []
    server.keeps(*GAMES)
    cupboard.save(list(GAMES), lambda: None)
    query = Query(question, 1, lambda result: result, found.append)
    server.storage.run_query(query)
    server.calls.get()()
    cupboard.run_query(query)
    server.closes()
    stored, kept = ((tuple(game._replace(ended=0) for game in one.games), one.rows) for one in found)
    assert stored == kept


def sealed(what="treasure", hash="ab" * 32, **more):
    return Written(1.0, "Ada0", encode(Event("Sealed.", "system", commit=Commit(what, hash), **more)))


def test_the_hash_of_a_commitment_is_overlooked():
    assert masked(sealed()) == masked(sealed(hash="cd" * 32)) != sealed()


@pytest.mark.parametrize("other", [sealed("treasury"), sealed(hash="AB" * 32), sealed(seat=1), sealed(past=True)])
def test_nothing_else_in_a_commitment_is_overlooked(other):
    assert masked(sealed()) != masked(other)


ONE = sealed()
DIFFERENCES = {
    "a byte": [ONE._replace(chunk=encode(Event("Sealed!", "system")))],
    "a moment": [ONE._replace(at=1.0625)],
    "a reader": [ONE._replace(who="Ada1")],
    "a write more": [ONE, ONE],
    "a write less": [],
    "where a write ends": [ONE._replace(chunk=ONE.chunk[:-1]), ONE._replace(chunk=ONE.chunk[-1:])],
    "a line of the log": [ONE, Written(1.0, THE_LOG, b"INFO")],
}
NIGHT = Scenario(BY_SLUG["grid-hunt"], 7, (), (), 0.0)


def on_paper(*written):
    stage = Stage(NIGHT.game)
    stage.paper = [one._replace(who={"Ada0": "Lou", "Ada1": "Sam"}.get(one.who, one.who)) for one in written]
    return stage


@pytest.mark.parametrize("other", DIFFERENCES.values(), ids=DIFFERENCES)
def test_every_difference_counts(other):
    compare(NIGHT, "outside", on_paper(ONE), on_paper(ONE))
    with pytest.raises(Leak):
        compare(NIGHT, "outside", on_paper(ONE), on_paper(*other))


def test_a_leak_says_where_it_is_and_how_to_see_it_again():
    two = Written(2.5, "Ada0", encode(Event("Sealed!", "system")))
    with pytest.raises(Leak) as found:
        compare(NIGHT, "outside", on_paper(two, two), on_paper(two))
    assert str(found.value).splitlines() == [
        "grid-hunt, scenario 7: Lou can tell two worlds apart that are one to outside.",
        "  in one world:  2.5000 s, Lou: [{'type': 'event', 'text': 'Sealed!', 'kind': 'system'}]",
        "  in the other:  nothing more",
        "  again with:    python -m tests.secrecy.server.server_twins grid-hunt 7",
    ]
