"""What an address may do over all its connections, the closed ones included."""

import pytest

from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskStandings,
    Chat,
    Create,
    Error,
    Event,
    Hello,
    Join,
    Leave,
    Ping,
    Show,
    Watch,
    Welcome,
)
from gridgames_server.core.effects import AskBot, RunQuery
from gridgames_server.core.limits import (
    ADDRESSES_MAX,
    BURST,
    BURST_LEAST,
    HINTS_MAX,
    HINTS_PER_ADDRESS,
    RETURNING_PER_ADDRESS,
    RETURNING_WITHIN,
    ROOM_CHATS,
    THOUGHT_LOST,
    THOUGHTS_MAX,
    THOUGHTS_PER_ADDRESS,
    TOKENS_PER_ADDRESS,
    TOLD_AGAIN,
    WAITING_DESERTED,
    Limits,
)
from gridgames_server.core.players import Players
from gridgames_server.core.rate_limit import AddressLimits, BotQueue, GuessLimiter
from gridgames_server.errors import Refusal
from gridgames_server.games import GAMES
from gridgames_server.games.match import Match
from tests.server.hub_harness import Entropy, HubHarness, word

SHOW = Show("ABC234", 7, (2,), 2, Match(GAMES[0], b"seed", 1).view(2))
EVIL, HOME = "10.6.6.6", "192.168.1.20"


def test_whoever_reconnects_all_the_time_is_granted_no_new_burst_each_time():
    server = HubHarness(rate=20, max_per_address=4)
    granted = 0
    for _ in range(100):
        guest = server.connects(EVIL)
        while not guest.closed and word(guest.says(Hello, 1, "")) != "too_fast":
            granted += 1
        if not guest.closed:
            guest.drops()
    assert granted <= 4 * 20 * BURST + 4 * 4 * BURST_LEAST


def test_an_address_that_makes_connections_without_end_waits():
    server = HubHarness(max_per_address=4)
    closed = []
    for _ in range(30):
        guest = server.connects(EVIL)
        closed.append(guest.closed)
        if not guest.closed:
            guest.drops()
    assert closed == [False] * 16 + [True] * 14
    assert server.enter("Ada", HOME), "nobody else notices"
    server.passes(60)
    assert server.enter("Eve", EVIL)


def test_an_address_gets_no_more_than_some_tokens_and_one_with_a_token_comes_in():
    server = HubHarness(max_per_address=4)
    ada = server.enter("Ada", EVIL)
    replies = []
    for number in range(12):
        guest = server.connects(EVIL)
        replies.append(word(guest.says(Hello, 1, f"Eve {number}")))
        guest.drops()
    assert replies == ["welcome"] * 7 + ["too_fast"] * 5
    ada.drops()
    assert ada.comes_back().welcome


def test_an_address_pushes_out_its_own_players_and_nobody_else():
    known = Players(Entropy(), None, GuessLimiter(), AddressLimits(Limits(rate=0)))
    ada, _ = known.identify(Hello(1, 1, "Ada"), HOME, 0)
    for number in range(TOKENS_PER_ADDRESS + 50):
        evil, _ = known.identify(Hello(1, 1, f"e{number}"), EVIL, 1)
        evil.last_play = 1
        evil.last_seen = number
    gone = known.forget(10)
    assert len(gone) == 50
    assert ada not in gone
    assert all(player.address == EVIL for player in gone)


def test_wrong_passwords_of_others_lock_nobody_out_who_has_a_token_and_the_password():
    server = HubHarness(password="sesame")
    ada = server.enter("Ada", EVIL, password="sesame")
    ada.drops()
    for _ in range(10):
        guest = server.connects(EVIL)
        assert word(guest.says(Hello, 1, "Eve", None, "wrong")) == "password"
        guest.drops()
    assert word(server.connects(EVIL).says(Hello, 1, "Eve", None, "sesame")) == "too_fast"
    assert isinstance(server.connects(EVIL).says(Hello, 1, "Ada", ada.welcome.token, "sesame"), Welcome)


def test_a_token_is_no_way_to_try_passwords_without_end():
    server = HubHarness(password="sesame")
    ada = server.enter("Ada", EVIL, password="sesame")
    ada.drops()
    replies = []
    for _ in range(12):
        guest = server.connects(EVIL)
        replies.append(word(guest.says(Hello, 1, "Ada", ada.welcome.token, "wrong")))
        guest.drops()
    assert replies == ["password"] * 10 + ["too_fast"] * 2


def test_games_that_begin_at_one_address_are_bounded():
    server = HubHarness(rate=1_000, max_rooms_per_address=4)
    eve = server.enter("Eve", EVIL)
    replies = []
    for _ in range(10):
        replies.append(word(eve.says(Create, "grid-hunt")))
        if replies[-1] == "ok":
            eve.says(Leave)
    assert replies == ["ok"] * 8 + ["too_fast"] * 2
    assert server.enter("Ada", HOME).opens("grid-hunt")


# Those who have a seat and share the address


def table_at(server, address):
    """Two who have played at an address."""
    ada, bob = server.enter("Ada", address), server.enter("Bob", address)
    bob.says(Join, ada.opens("grid-conquest", first="host"))
    ada.types("C3")
    bob.types("D4")
    return ada, bob


def test_a_neighbour_who_uses_up_all_games_refuses_nobody_a_rematch():
    server = HubHarness(rate=1_000, max_rooms_per_address=4)
    ada, bob = table_at(server, EVIL)
    eve = server.enter("Eve", EVIL)
    while word(eve.says(Create, "grid-hunt")) == "ok":
        eve.says(Leave)
    assert [word(ada.says(Again)), word(bob.says(Again))] == ["ok", "ok"]
    assert word(eve.says(Create, "grid-hunt")) == "too_fast"
    assert [word(ada.says(Again)), word(ada.says(Again))] == ["ok", "too_fast"], "the share has an end"


def test_a_neighbour_who_uses_up_all_chat_keeps_no_seated_player_from_talking():
    server = HubHarness(rate=10_000, max_per_address=4)
    ada, _ = table_at(server, EVIL)
    crowd = [server.enter(f"Eve {number}", EVIL) for number in range(2)]
    for eve in crowd:
        eve.opens("grid-hunt")
        while word(eve.says(Chat, "!")) == "ok":
            pass
    assert word(ada.says(Chat, "Your turn.")) == "ok"


def test_wrong_codes_of_a_neighbour_lock_nobody_out_who_has_played():
    server = HubHarness(rate=1_000)
    ada, bob = table_at(server, EVIL)
    eve = server.enter("Eve", EVIL)
    while word(eve.says(Join, "NOSUCH")) != "too_fast":
        pass
    ada.says(Leave)
    bob.says(Leave)
    code = server.enter("Cat", HOME).opens("grid-hunt", private=True)
    assert word(eve.says(Join, code)) == "too_fast"
    assert word(ada.says(Join, code)) == "ok"


def last_words(guest, request):
    """What somebody is told who makes this request and is sent away for it."""
    guest.server.does(guest.server.hub.bytes_received(guest.id, 10, [request], guest.server.now))
    assert guest.closed
    return guest.words()


@pytest.mark.parametrize("limits", [{"max_per_address": 4}, {"max_per_address": 99, "max_players": 4}, {}])
def test_who_has_a_seat_comes_back_however_many_connections_a_neighbour_makes(limits):
    server = HubHarness(**limits)
    ada, _ = table_at(server, EVIL)
    ada.drops()
    for _ in range(600):
        server.connects(EVIL)
    assert len(server.hub.sessions) == (4 if limits else Limits().max_per_address) + RETURNING_PER_ADDRESS
    assert last_words(server.connects(EVIL), Ping(1)) == ["server_full"]
    assert last_words(server.connects(EVIL), Hello(1, 1, "Eve")) == ["server_full"]
    assert ada.comes_back().welcome.room


def test_who_has_a_seat_comes_back_after_connections_that_came_too_fast():
    server = HubHarness(max_per_address=4)
    ada, _ = table_at(server, EVIL)
    ada.drops()
    while not (eve := server.connects(EVIL)).server.hub.sessions[eve.id].bye_over_limit:
        eve.drops()
    assert last_words(eve, Ping(1)) == ["too_fast"]
    assert ada.comes_back().welcome.room


def test_an_address_that_the_host_has_banned_is_sent_away_at_once():
    server = HubHarness()
    ada, _ = table_at(server, EVIL)
    server.hub.state.ban(EVIL, server.now + 60)
    ada.drops()
    assert server.connects(EVIL).words() == ["too_fast"]


def test_a_refused_connection_shows_a_seats_token_within_seconds_or_goes():
    server = HubHarness(max_per_address=3)
    table_at(server, EVIL)
    server.connects(EVIL)
    waiting = [server.connects(EVIL) for _ in range(RETURNING_PER_ADDRESS + 2)]
    assert [guest.closed for guest in waiting] == [True] * 2 + [False] * RETURNING_PER_ADDRESS
    server.passes(RETURNING_WITHIN + 1)
    assert all(guest.words() == ["server_full"] for guest in waiting)


# Chat


def test_watchers_share_one_allowance_for_chat_and_the_players_have_their_own():
    server = HubHarness(rate=1_000)
    ada, bob = server.table("grid-conquest")
    watchers = [server.enter(f"w{number}") for number in range(4)]
    for watcher in watchers:
        watcher.says(Watch, ada.where.room)
    said = [word(watcher.says(Chat, "spam")) for watcher in watchers for _ in range(26)]
    assert said == ["ok"] * ROOM_CHATS + ["too_fast"] * (4 * 26 - ROOM_CHATS)
    assert word(ada.says(Chat, "please stop")) == word(bob.says(Chat, "yes")) == "ok"
    server.passes(1)
    assert word(watchers[0].says(Chat, "sorry")) == "ok"


# Long games


def test_long_games_are_watched_from_one_address_only_so_often_and_players_come_back():
    server = HubHarness(rate=10_000)
    ada, bob = server.table("quantum-duel")
    for number in range(100):
        for guest, place in ((ada, "1"), (bob, "7")):
            guest.types(f"MOVE {place}")
            guest.types(f"OBSERVE {3 + number % 2}")
    code, times = ada.where.room, 0
    eve, wes = server.enter("Eve", EVIL), server.enter("Wes", HOME)
    while word(eve.says(Watch, code)) == "ok":
        times += 1
        eve.says(Leave)
        eve.reads()
    assert times == TOLD_AGAIN[1] // 200, "200 seals each time"
    assert eve.says(Watch, code).text == "Too much is watched from your address. Wait a moment, then go on."
    assert word(wes.says(Watch, code)) == "ok"
    assert len([event for event in ada.comes_back().reads(Event) if event.commit]) == 200
    server.passes(1)
    assert word(eve.says(Watch, code)) == "ok"


def test_in_a_quiet_room_only_the_seats_chat():
    server = HubHarness()
    ada, bob, eve = (server.enter(name) for name in ("Ada", "Bob", "Eve"))
    code = ada.opens("grid-hunt", quiet=True)
    bob.says(Join, code)
    eve.says(Watch, code)
    assert eve.where.quiet
    assert word(bob.says(Chat, "hello")) == "ok"
    refused = eve.says(Chat, "hello")
    assert (refused.code, refused.text) == ("not_now", "Only the two players chat in this room.")


# Questions about finished games


def asked(server, guest, request):
    """The queries that a request leads to; nobody answers them."""
    effects = server.hub.bytes_received(guest.id, 0, [request], server.now)
    return [effect for effect in effects if isinstance(effect, RunQuery)], effects


def test_a_player_has_one_question_at_a_time_on_whatever_connection():
    server = HubHarness()
    ada = server.enter("Ada")
    assert asked(server, ada, AskHistory(90))[0]
    queries, (refusal,) = asked(server, ada, AskHistory(91))
    assert (queries, word(refusal.messages[0])) == ([], "too_fast")
    ada.drops()
    assert asked(server, ada.comes_back(), AskHistory(92))[0], "what nobody waits for is dropped"


def test_the_standings_of_a_game_that_does_not_exist_are_not_looked_for():
    server = HubHarness()
    ada = server.enter("Ada")
    queries, (refusal,) = asked(server, ada, AskStandings(90, "no-such-game"))
    assert (queries, word(refusal.messages[0])) == ([], "no_such_game")


# Bots


def question(room, address, seat=2):
    return AskBot(room, "grid-hunt", seat, "hard", SHOW, address)


def hint(room, address):
    return AskBot(room, "grid-hunt", 1, "hard", SHOW, address, "hint", session=room, re=7)


def asked_of_computer(*questions):
    """A queue with questions, none of which runs."""
    queue = BotQueue()
    for one in questions:
        queue.ask(one)
    return queue


def runs_in_turn(queue):
    """The rooms of the questions in the order in which they run, each as soon as one has ended."""
    order, running = [], queue.begin(0.0)
    while running:
        assert len(running) <= THOUGHTS_MAX
        order.append(running[0].room)
        queue.end(running[0])
        running = [*running[1:], *queue.begin(0.0)]
    return order


def test_addresses_take_turns_however_many_questions_one_of_them_has():
    flood = [hint(room, EVIL) for room in range(20)]
    queue = asked_of_computer(*flood, question(98, HOME), question(99, HOME))
    assert set(runs_in_turn(queue)[:4]) == {0, 98, 1, 99}


def test_one_address_has_only_some_of_the_threads():
    queue = asked_of_computer(*(question(room, EVIL) for room in range(20)))
    assert len(queue.begin(0.0)) == THOUGHTS_PER_ADDRESS
    queue.ask(question(99, HOME))
    assert queue.begin(0.0) == [question(99, HOME)], "others don't wait for them"


def test_the_hints_of_an_address_wait_for_its_bots():
    queue = asked_of_computer(hint(1, HOME), hint(2, HOME), question(3, HOME), hint(4, HOME), question(5, HOME))
    assert runs_in_turn(queue) == [3, 5, 1, 2, 4]


def test_a_seat_waits_for_one_answer_of_a_kind():
    queue = asked_of_computer(question(1, HOME), hint(1, HOME), hint(1, HOME), question(1, HOME))
    assert runs_in_turn(queue) == [1, 1]


def test_questions_that_run_at_once_are_bounded_in_all():
    queue = asked_of_computer(*(question(room, f"10.0.0.{room}") for room in range(100)))
    assert len(queue.begin(0.0)) == THOUGHTS_MAX


def test_hints_that_wait_are_bounded_by_address_and_in_all():
    queue = asked_of_computer(*(hint(room, EVIL) for room in range(HINTS_PER_ADDRESS)))
    with pytest.raises(Refusal, match="Too many players ask for hints"):
        queue.check_space(EVIL)
    queue.check_space(HOME)
    for room in range(HINTS_MAX - HINTS_PER_ADDRESS):
        queue.ask(hint(1_000 + room, f"10.0.0.{room}"))
    queue.check_space(HOME)
    queue.ask(hint(5_000, HOME))
    with pytest.raises(Refusal, match="Too many players ask for hints"):
        queue.check_space(HOME)


def test_a_thought_that_is_lost_or_whose_room_is_closed_takes_no_place_for_ever():
    queue = asked_of_computer(*(question(room, EVIL) for room in range(20)))
    (lost,) = queue.begin(0.0)
    assert {one.room for one in queue.drop(THOUGHT_LOST - 1, {18, 19})} == set(range(1, 18))
    assert queue.begin(THOUGHT_LOST - 1) == []
    assert queue.drop(THOUGHT_LOST, {18, 19}) == [lost]
    assert runs_in_turn(queue) == [18, 19]


def test_again_against_a_bot_from_many_connections_asks_few_bots_at_once():
    server = HubHarness(rate=1_000)
    server.computer_is_quick = False
    for number in range(3 * THOUGHTS_PER_ADDRESS):
        eve = server.enter(f"e{number}", EVIL)
        eve.says(Create, "grid-conquest", bot="hard", first="guest")
        eve.says(Again)
    assert len(server.of(AskBot)) == THOUGHTS_PER_ADDRESS


# Bounds


def test_the_table_of_addresses_is_bounded_and_forgets_those_that_used_up_nothing():
    limits = AddressLimits(Limits())
    for number in range(ADDRESSES_MAX + 10):
        assert limits.try_spend(f"10.{number}", "games", 0.0)
    assert len(limits.buckets) == ADDRESSES_MAX
    limits.forget(1_000.0)
    assert limits.buckets == {}


@pytest.mark.parametrize("kind", ["connections", "tokens", "games", "chats"])
def test_a_rate_of_0_limits_nothing(kind):
    limits = AddressLimits(Limits(rate=0))
    assert all(limits.try_spend(EVIL, kind, 0.0) for _ in range(10_000))


def test_who_plays_as_people_do_is_never_too_fast_however_many_share_the_address():
    server = HubHarness()
    guests = [server.enter(f"g{number}") for number in range(40)]
    for _ in range(30):
        server.passes(1)
        assert all(not isinstance(guest.says(Ping), Error) for guest in guests)


# Rooms that nobody comes back to


def test_a_finished_room_closes_soon_when_one_has_left_and_the_other_is_away():
    house = HubHarness()
    ada, bob = house.table("grid-conquest")
    ada.drops()
    bob.says(Leave)
    house.passes(WAITING_DESERTED - 10)
    assert house.hub.rooms.by_code
    house.passes(20)
    assert not house.hub.rooms.by_code
