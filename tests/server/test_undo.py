"""When there is no space: what was decided is taken back, and nobody ends up between two states."""

import pytest

from gridgames_protocol.messages import (
    Again,
    AskHistory,
    Chat,
    Claim,
    Create,
    Error,
    Hello,
    History,
    Join,
    Leave,
    Lobby,
    Ping,
    Play,
    Resign,
    Show,
    Watch,
)
from gridgames_server.deeds import Deed
from gridgames_server.effects import Look, Send, Think
from gridgames_server.limits import ABSENCE
from gridgames_server.restore import CANNOT_SAVE, undo
from tests.server.house import word
from tests.server.kept import KeptHouse, Shelf, saved, standing


class FullHouse(KeptHouse):
    """A house with a slow disk that may turn out to be full."""

    def __init__(self):
        super().__init__(Shelf())

    def asks(self, guest, kind, *given, **more):
        """Somebody makes a request, and the disk is slow; its id."""
        self.keeper.slow = True
        id = more.pop("id", None) or next(self.ids)
        self.does(self.hub.receive(guest.id, kind(id, *given, **more), self.now))
        return id

    def is_full(self):
        """Nothing of what waits can be kept; from then on there is space."""
        self.keeper.refuses()
        self.keeper.slow = False
        self.agrees()

    def agrees(self):
        """What the server has is what is kept, and everybody is in one place."""
        fresh = KeptHouse(Shelf(), saved(self.keeper.records), games=self.hub.house.games)
        assert rooms(self) == rooms(fresh)
        for room in self.hub.rooms.by_code.values():
            for seat, holder in room.here.seats.items():
                assert holder is None or (holder.room, holder.seat) == (room, seat)
            assert all((guest.room, guest.seat) == (room, None) for guest in room.here.watchers)
        for player in self.hub.players.by_token.values():
            assert player.room is None or player in player.room.here.everybody()
            assert player.room in (None, *self.hub.rooms.by_code.values())
            assert player.room is None or self.hub.players.by_name[player.key] is player


def rooms(house):
    return [standing(room) for room in sorted(house.hub.rooms.by_code.values(), key=lambda room: room.number)]


@pytest.fixture
def house():
    return FullHouse()


def replies(guest):
    """How each request was answered, by its id."""
    return {message.re: word(message) for message in guest.inbox if getattr(message, "re", None)}


def test_a_play_is_refused_everybody_sees_the_table_again_and_it_can_be_tried_again(house):
    ada, bob, wes = house.table("grid-conquest", "Ada", "Bob", "Wes")
    views = [guest.sees for guest in (ada, bob, wes)]
    id = house.asks(ada, Play, "C3")
    assert [guest.inbox for guest in (ada, bob, wes)] == [[], [], []]
    house.is_full()
    assert ada.reads(Error) == [Error("not_now", CANNOT_SAVE, id)]
    assert [guest.sees for guest in (ada, bob, wes)] == views
    assert bob.reads(Error) == []
    assert word(ada.says(Play, "C3", id=id)) == "ok"
    assert [guest.sees.rev for guest in (ada, bob, wes)] == [2, 2, 2]
    assert len(house.lines()) == 1


def test_a_play_that_ends_the_game_does_not_count_twice(house):
    ada, _ = house.table("grid-conquest")
    house.asks(ada, Resign)
    house.is_full()
    assert (ada.where.state, ada.where.score) == ("playing", (0, 0, 0))
    ada.says(Resign)
    assert (ada.where.state, ada.where.score) == ("over", (0, 1, 0))


def test_plays_that_rest_on_one_another_are_all_taken_back(house):
    ada, bob = house.table("grid-conquest")
    asked = [house.asks(ada, Play, "C3"), house.asks(bob, Play, "D4"), house.asks(ada, Play, "A1")]
    house.is_full()
    assert replies(ada) == {asked[0]: "not_now", asked[2]: "not_now"}
    assert replies(bob) == {asked[1]: "not_now"}
    assert ada.types("C3") == ["ok"]
    assert bob.types("D4") == ["ok"]


def test_a_play_that_was_repeated_while_it_waited_is_refused_twice(house):
    ada, _ = house.table("grid-conquest")
    id = house.asks(ada, Play, "C3")
    house.asks(ada, Play, "C3", id=id)
    house.is_full()
    assert [error.re for error in ada.reads(Error)] == [id, id]
    assert word(ada.says(Play, "C3", id=id)) == "ok"
    assert len(house.lines()) == 1


def test_a_play_that_is_kept_and_comes_again_is_not_said_to_be_undone(house):
    ada, _ = house.table("grid-conquest")
    id = next(house.ids)
    ada.says(Play, "C3", id=id)
    ada.reads()
    chat = house.asks(ada, Chat, "was that heard?")
    house.asks(ada, Play, "C3", id=id)
    house.is_full()
    assert replies(ada) == {chat: "not_now", id: "ok"}
    assert len(house.lines()) == 1


def test_one_who_was_not_kept_is_not_known_and_their_name_is_free(house):
    eve = house.connects()
    id = house.asks(eve, Hello, 1, "Eve")
    house.is_full()
    assert eve.reads() == [Error("not_now", CANNOT_SAVE, id)]
    assert eve.closed
    assert house.enter("Eve").welcome.name == "Eve"


def test_a_newcomer_who_took_a_seat_at_once_is_gone_from_it(house):
    ada = house.enter("Ada")
    code = ada.opens("grid-hunt")
    eve = house.connects()
    house.asks(eve, Hello, 1, "Eve")
    house.asks(eve, Join, code)
    house.asks(ada, Chat, "welcome!")
    house.is_full()
    assert eve.closed
    assert (ada.where.state, ada.where.seats[1]) == ("waiting", None)


def test_a_newcomer_who_looked_on_at_once_does_not_look_on_for_ever(house):
    ada, _ = house.table("grid-conquest")
    eve = house.connects()
    house.asks(eve, Hello, 1, "Eve")
    house.asks(eve, Watch, ada.where.room)
    house.is_full()
    assert eve.closed
    assert ada.where.watchers == 0
    assert house.room(ada.where.room).here.watchers == []


def test_a_room_that_was_not_kept_is_gone_with_all_who_came_to_it(house):
    ada, bob, wes = (house.enter(name) for name in ("Ada", "Bob", "Wes"))
    house.asks(ada, Create, "grid-hunt")
    (code,) = house.hub.rooms.by_code
    house.asks(wes, Watch, code)
    house.asks(bob, Join, code)
    house.read_by_all()
    house.is_full()
    for guest in (ada, bob, wes):
        assert [word(message) for message in guest.reads()] == ["not_now", "lobby"]
    assert word(bob.says(Join, code)) == "no_such_room"
    assert ada.opens("grid-hunt") != code


def test_one_who_left_one_room_and_opened_another_is_back_in_the_first(house):
    ada, bob = house.table("grid-conquest")
    house.asks(ada, Leave)
    house.asks(ada, Create, "grid-hunt")
    house.is_full()
    assert (ada.where.room, ada.where.you, ada.where.state) == (bob.where.room, 1, "playing")
    assert ada.types("C3") == ["ok"]


def test_one_who_left_one_room_and_watches_another_is_back_in_the_first_alone(house):
    ada, _ = house.table("grid-conquest")
    cat, _ = house.table("grid-hunt", "Cat", "Dan")
    house.asks(ada, Leave)
    house.asks(ada, Watch, cat.where.room)
    house.is_full()
    assert ada.where.you == 1
    cat.says(Chat, "who is there?")
    assert cat.where.watchers == 0


def test_one_who_left_one_room_and_joined_another_is_back_in_the_first_alone(house):
    ada, _ = house.table("grid-conquest")
    cat = house.enter("Cat")
    code = cat.opens("grid-hunt")
    house.asks(ada, Leave)
    house.asks(ada, Join, code)
    house.is_full()
    assert (ada.where.you, ada.where.game, cat.where.state) == (1, "grid-conquest", "waiting")


def test_one_who_joined_in_vain_and_went_away_leaves_no_absence_behind(house):
    ada, bob, cat = (house.enter(name) for name in ("Ada", "Bob", "Cat"))
    code = ada.opens("grid-conquest")
    house.asks(bob, Join, code)
    bob.drops()
    house.is_full()
    cat.says(Join, code)
    assert [holder.online for holder in ada.where.seats] == [True, True]


def test_one_who_sat_in_no_room_and_joined_is_in_the_lobby(house):
    ada, bob = house.enter("Ada"), house.enter("Bob")
    code = ada.opens("grid-hunt")
    house.asks(bob, Join, code)
    house.is_full()
    assert bob.reads(Lobby)
    assert word(bob.says(Join, code)) == "ok"


def test_a_room_that_both_left_is_there_again(house):
    ada, bob, wes = house.table("grid-conquest", "Ada", "Bob", "Wes")
    house.asks(ada, Leave)
    house.asks(bob, Leave)
    house.read_by_all()
    house.is_full()
    assert (ada.where.you, bob.where.you, ada.where.state) == (1, 2, "playing")
    assert [word(message) for message in wes.reads()] == ["lobby"], "the watchers had gone to the lobby"


def test_watchers_stay(house):
    ada, _, wes = house.table("grid-conquest", "Ada", "Bob", "Wes")
    house.asks(ada, Play, "C3")
    house.is_full()
    assert (wes.sees.rev, ada.where.watchers) == (1, 1)
    ada.types("C3")
    assert wes.sees.rev == 2


def test_absence_goes_on(house):
    ada, bob = house.table("grid-conquest")
    ada.drops()
    house.passes(ABSENCE)
    assert bob.sees.view.claimable
    house.asks(bob, Chat, "come on")
    house.is_full()
    assert bob.sees.view.claimable
    bob.reads()
    house.passes(5)
    assert bob.hears() == [], "it has been told"
    assert word(bob.says(Claim)) == "ok"


def test_the_wish_for_another_game_is_taken_back(house):
    ada, bob = house.table("grid-conquest")
    bob.says(Again)
    house.asks(ada, Again)
    house.is_full()
    assert (ada.where.number, house.room(ada.where.room).wishes) == (1, {2})
    ada.says(Again)
    assert ada.where.number == 2


def test_a_new_name_is_taken_back_with_all_the_rest(house):
    ada, _ = house.table("grid-conquest")
    house.asks(ada, Leave)
    ada.drops()
    again = house.connects()
    house.asks(again, Hello, 1, "Adele", token=ada.welcome.token)
    house.is_full()
    assert again.closed
    back = ada.comes_back("Adele")
    assert (back.welcome.name, back.where.you) == ("Ada", 1)


def test_a_new_name_that_was_taken_back_can_be_taken_again_and_is_kept(house):
    ada = house.enter("Ada")
    ada.drops()
    again = house.connects()
    house.asks(again, Hello, 1, "Adele", token=ada.welcome.token)
    house.is_full()
    assert ada.comes_back("Adele").welcome.name == "Adele"
    assert [player.name for player in saved(house.keeper.records).players] == ["Adele"]


def test_one_who_came_back_in_vain_can_come_back_again(house):
    ada, bob = house.table("grid-conquest")
    ada.drops()
    again = house.connects()
    house.asks(bob, Chat, "there you are")
    house.asks(again, Hello, 1, "Ada", token=ada.welcome.token)
    house.is_full()
    assert [word(message) for message in again.reads()] == ["not_now"]
    assert again.closed
    assert [holder.online for holder in bob.where.seats] == [False, True]
    assert ada.comes_back().where.you == 1


def test_a_question_about_past_games_is_answered_nevertheless(house):
    ada, bob = house.table("grid-conquest")
    house.asks(ada, Play, "C3")
    asked = AskHistory(77)
    house.does(house.hub.receive(bob.id, asked, house.now))
    house.does([Send(bob.id, (History(78, (), False),))])
    house.is_full()
    assert house.of(Look) == [Look(bob.id, 2, asked)]
    assert [history.re for history in bob.reads(History)] == [77, 78]


def test_whom_nothing_was_on_its_way_to_is_told_nothing(house):
    ada, _ = house.table("grid-conquest")
    cat, dan = house.table("grid-hunt", "Cat", "Dan")
    eve = house.enter("Eve")
    house.read_by_all()
    house.asks(ada, Play, "C3")
    house.is_full()
    assert [guest.reads() for guest in (cat, dan, eve)] == [[], [], []]
    assert word(eve.says(Ping)) == "ok"


def test_a_full_disk_again_and_again_never_lets_a_view_run_ahead(house):
    ada, bob = house.table("grid-conquest")
    for _ in range(5):
        house.asks(ada, Play, "C3")
        house.is_full()
    assert (ada.sees.rev, bob.sees.rev) == (1, 1)
    house.asks(ada, Play, "C3")
    house.keeper.keeps()
    ada, bob = house.again().all_back(ada, bob)
    assert (ada.sees.rev, bob.sees.rev) == (2, 2)
    assert isinstance(bob.view, Show)


def test_a_bot_at_another_table_goes_on_thinking(house):
    ada, _ = house.table("grid-conquest")
    eve = house.enter("Eve")
    eve.says(Create, "grid-conquest", "guest", "easy")
    thought = house.of(Think)[-1]
    told = [Deed(house.room(ada.where.room).number, 99, house.now, "chat"), thought]
    again = undo(house.hub, told, saved(house.keeper.records), house.now)
    assert [effect for effect in again if isinstance(effect, Think)] == [thought]
