"""While the disk is full, requests that would have to be kept are refused, and nothing is decided."""

import pytest

from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskStatus,
    Chat,
    Claim,
    Create,
    Error,
    Hello,
    Join,
    Leave,
    OfferDraw,
    Ping,
    Play,
    Resign,
    Watch,
    Welcome,
)
from gridgames_server.core.effects import RunQuery
from gridgames_server.core.limits import ABSENCE, FORGET_EVERY, ROOM_DESERTED, TOKEN_KEPT
from gridgames_server.core.permissions import ALLOWED, RECORDED
from gridgames_server.core.state import CANNOT_SAVE
from tests.server.hub_harness import word
from tests.server.stored_hub import Shelf, StoredHub, standing


class FullDiskHub(StoredHub):
    """A server whose disk can be full. Then nothing may be given to it, and no room may change."""

    def __init__(self):
        super().__init__(Shelf())

    def fill(self):
        self.storage.is_disk_full = True
        self.before = self.rooms(), len(self.storage.records)

    def clear(self):
        assert (self.rooms(), len(self.storage.records)) == self.before
        self.storage.is_disk_full = False

    def rooms(self):
        return [standing(room) for room in self.hub.rooms.by_code.values()]


@pytest.fixture
def server():
    return FullDiskHub()


SEATED = [(Play, "C3"), (Again,), (Resign,), (Claim,), (OfferDraw,), (Chat, "hello"), (Leave,)]


@pytest.mark.parametrize("request_", SEATED, ids=lambda given: given[0].__name__)
def test_a_request_of_a_seat_is_refused_and_can_be_made_again(server, request_):
    kind, *given = request_
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    if kind is Claim:
        bob.drops()
        ada.types("C3")
        server.passes(ABSENCE + 1)
        server.read_by_all()
    server.fill()
    id = next(server.ids)
    assert ada.says(kind, *given, id=id) == Error("not_now", CANNOT_SAVE, id)
    assert bob.reads() == wes.reads() == []
    server.clear()
    assert word(ada.says(kind, *given, id=id)) == "ok"


def test_nobody_opens_a_room_or_sits_down(server):
    ada, bob = server.enter("Ada"), server.enter("Bob")
    code = ada.opens("grid-hunt")
    server.fill()
    assert [word(bob.says(Join, code)), word(bob.says(Create, "grid-hunt"))] == ["not_now"] * 2
    server.clear()
    assert word(bob.says(Join, code)) == "ok"


def test_every_request_that_leads_to_a_record_is_refused_by_its_type():
    kinds = frozenset().union(*ALLOWED.values())
    seated = {kind for kind, *_ in SEATED} - {Leave}  # a watcher's leave is not kept
    assert kinds >= RECORDED == seated | {Create, Join}


def test_a_newcomer_is_not_known_and_can_try_again_on_the_same_connection(server):
    eve = server.connects()
    server.fill()
    assert word(eve.says(Hello, 1, "Eve")) == "not_now"
    assert server.hub.players.by_name == {}
    server.clear()
    assert isinstance(eve.says(Hello, 1, "Eve"), Welcome)


def test_one_who_comes_back_under_the_old_name_is_let_in(server):
    ada, _ = server.table("grid-conquest")
    eve = server.enter("Eve")
    server.fill()
    ada.drops()
    eve.drops()
    assert ada.comes_back().where.you == 1
    assert eve.comes_back().welcome.name == "Eve"
    server.clear()


def test_a_new_name_is_refused_and_the_old_one_stays(server):
    ada = server.enter("Ada")
    ada.drops()
    server.fill()
    again = server.connects()
    assert word(again.says(Hello, 1, "Adele", token=ada.welcome.token)) == "not_now"
    assert again.says(Hello, 1, "Ada", token=ada.welcome.token).name == "Ada"
    server.clear()
    again.drops()
    assert ada.comes_back("Adele").welcome.name == "Adele"


def test_a_play_that_is_kept_and_comes_again_is_acknowledged(server):
    ada, _ = server.table("grid-conquest")
    id = next(server.ids)
    ada.says(Play, "C3", id=id)
    server.fill()
    assert word(ada.says(Play, "C3", id=id)) == "ok"
    server.clear()


def test_whoever_wants_nothing_kept_is_served(server):
    ada, _ = server.table("grid-conquest")
    wes = server.enter("Wes")
    server.fill()
    assert word(wes.says(Watch, ada.where.room)) == "ok"
    assert wes.sees.rev == ada.sees.rev
    assert [word(wes.says(kind)) for kind in (Ping, AskStatus, Leave)] == ["ok", "status", "ok"]
    asked = AskHistory(77)
    server.does(server.hub.bytes_received(wes.id, 0, [asked], server.now))
    assert server.of(RunQuery)[-1].question == asked
    server.clear()


def test_a_game_whose_clock_has_run_out_ends_when_there_is_space(server):
    ada, _ = server.table("grid-conquest", clock=30)
    server.fill()
    server.passes(60)
    assert ada.where.state == "playing"
    server.clear()
    server.passes(1)
    assert (ada.where.state, ada.where.score) == ("over", (0, 1, 0))


def test_a_deserted_room_is_closed_and_an_old_token_forgotten_when_there_is_space(server):
    ada, bob = server.table("grid-conquest")
    server.fill()
    for guest in (ada, bob):
        guest.drops()
    server.passes(ROOM_DESERTED + 1)
    server.hub.players.by_token[next(iter(server.hub.players.by_token))].last_seen -= TOKEN_KEPT
    server.clear()
    server.passes(FORGET_EVERY + 1)
    assert (server.rooms(), len(server.hub.players.by_token)) == ([], 1)
