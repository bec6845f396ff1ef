"""Who is who: names that are taken, tokens, the password, and how often one may be wrong."""

import pytest

from gridgames_protocol.messages import ByeRequest, Hello, Join, Leave, Resign, Watch, Welcome
from gridgames_server.core.effects import LogLine
from gridgames_server.core.limits import GUESSES, ROOM_DESERTED, TOKEN_KEPT, TOKENS_MAX, Limits
from gridgames_server.core.players import Players, hash_token
from gridgames_server.core.rate_limit import AddressLimits, GuessLimiter
from gridgames_server.errors import Refusal
from tests.server.hub_harness import Entropy, HubHarness, word

# Names


@pytest.mark.parametrize("name", ["Ada", "ada", "ＡＤＡ", " Ada ", "𝐀da"])
def test_a_name_is_taken_while_its_holder_is_connected(name):
    server = HubHarness()
    ada = server.enter("Ada")
    late = server.connects()
    assert word(late.says(Hello, 1, name)) == "name_taken"
    ada.drops()
    assert word(late.says(Hello, 1, name)) == "welcome"


def test_a_name_is_taken_while_its_holder_has_a_seat():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    ada.drops()
    assert word(server.connects().says(Hello, 1, "ada")) == "name_taken"
    ada = ada.comes_back()
    bob.says(Resign)
    ada.says(Leave)
    assert word(server.connects().says(Hello, 1, "ada")) == "name_taken", "still connected"
    ada.says(ByeRequest)
    assert word(server.connects().says(Hello, 1, "ada")) == "welcome"


def test_a_name_is_free_when_the_room_of_one_who_is_away_has_closed():
    server = HubHarness()
    ada = server.enter("Ada")
    ada.opens("grid-hunt")
    ada.drops()
    server.passes(ROOM_DESERTED + 5)
    assert word(server.connects().says(Hello, 1, "Ada")) == "welcome"
    back = server.connects()
    assert word(back.says(Hello, 1, "Ada", ada.welcome.token)) == "name_taken", "whoever comes back needs another"
    assert back.says(Hello, 1, "Ada too", ada.welcome.token).name == "Ada too"


def test_one_who_only_watched_leaves_the_name_behind():
    server = HubHarness()
    *_, wes = server.table("grid-hunt", "Ada", "Bob", "Wes")
    wes.drops()
    assert word(server.connects().says(Hello, 1, "Wes")) == "welcome"


def test_a_refused_name_may_be_followed_by_another():
    server = HubHarness()
    server.enter("Ada")
    guest = server.connects()
    answers = [word(guest.says(Hello, 1, name)) for name in ("", "x" * 17, "A\u200bda", "ada", "Bob")]
    assert answers == ["name", "name", "name", "name_taken", "welcome"]


def test_one_may_change_the_name_when_coming_back():
    server = HubHarness()
    ada = server.enter("Ada")
    server.enter("Bob")
    ada.drops()
    guest = server.connects()
    assert word(guest.says(Hello, 1, "BOB", ada.welcome.token)) == "name_taken"
    assert guest.says(Hello, 1, "Countess", ada.welcome.token).name == "Countess"
    assert word(server.connects().says(Hello, 1, "Ada")) == "welcome", "the old one is free"


def test_a_name_is_given_up_with_the_next_one():
    server = HubHarness()
    ada = server.enter("Ada")
    ada.comes_back("Zoe")
    assert server.enter("Ada").welcome


def test_nobody_gives_up_a_name_that_is_another_players_by_now():
    server = HubHarness()
    old = server.enter("Ada")
    old.drops()
    server.enter("Ada")
    old.comes_back("Zoe")
    assert word(server.connects().says(Hello, 1, "Ada")) == "name_taken"


def test_one_may_come_back_in_other_letters_of_the_same_name():
    ada = HubHarness().enter("Ada")
    assert ada.comes_back("ADA").welcome.name == "ADA"


def test_a_name_is_shown_as_it_was_checked():
    assert HubHarness().enter("  Zoe\u0308   L ").welcome.name == "Zoë L"


# Tokens


@pytest.mark.parametrize("token", ["x", "0" * 64, "é", "\x00"])
def test_an_unknown_token_is_told_so_and_changes_nothing(token):
    server = HubHarness()
    guest = server.connects()
    reply = guest.says(Hello, 1, "Ada", token)
    assert (reply.code, reply.text) == ("token", "This server does not know your token. Say hello without one.")
    assert isinstance(guest.says(Hello, 1, "Ada"), Welcome)


def test_only_the_hash_of_a_token_is_kept_and_no_repr_shows_either():
    server = HubHarness()
    ada, _ = server.table("grid-hunt")
    token = ada.welcome.token
    player = server.hub.sessions[ada.id].player
    assert player.token_hash == hash_token(token)
    for thing in (player, server.hub.players, server.hub.sessions[ada.id], server.hub.config):
        assert token not in repr(thing)
        assert str(player.token_hash) not in repr(thing)


def test_the_log_names_nobody_and_no_code():
    server = HubHarness()
    ada, bob, wes = server.table("grid-hunt", "Adelheid", "Bobadil", "Wendelin")
    ada.types("HIDE 2 3")
    code = ada.where.room
    wes.says(Leave)
    ada.says(Leave)
    bob.says(ByeRequest)
    server.stops()
    notes = " ".join(server.notes())
    assert "room 1 opened by session 1: grid-hunt" in notes
    for private in ("Adelheid", "Bobadil", "Wendelin", code, ada.welcome.token, "HIDE"):
        assert private not in notes


def test_a_token_is_forgotten_a_day_after_it_was_last_used():
    server = HubHarness()
    ada = server.enter("Ada")
    ada.drops()
    server.hub.players.forget(server.now + TOKEN_KEPT)
    ada = ada.comes_back()
    ada.drops()
    server.hub.players.forget(server.now + TOKEN_KEPT + 1)
    assert word(server.connects().says(Hello, 1, "Ada", ada.welcome.token)) == "token"


def test_the_day_begins_when_one_goes():
    server = HubHarness()
    ada = server.enter("Ada")
    server.passes(TOKEN_KEPT / 10)
    ada.drops()
    server.hub.players.forget(server.now + TOKEN_KEPT)
    assert ada.comes_back().welcome


def test_who_is_connected_or_seated_is_never_forgotten():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    bob.drops()
    server.hub.players.forget(server.now + 10 * TOKEN_KEPT)
    assert ada.comes_back().where.you == 1
    assert bob.comes_back().where.you == 2


def test_of_too_many_tokens_those_longest_away_are_forgotten():
    known = Players(Entropy(), None, GuessLimiter(), AddressLimits(Limits(rate=0)))
    tokens = []
    for number in range(TOKENS_MAX + 3):
        player, token = known.identify(Hello(1, 1, f"p{number}"), f"here {number % 20}", 0)
        player.last_seen = number % 7
        tokens.append(token)
    known.forget(10)
    assert len(known.by_token) == TOKENS_MAX
    gone = [number for number, token in enumerate(tokens) if hash_token(token) not in known.by_token]
    assert gone == [0, 7, 14]


def test_a_crowd_of_strangers_does_not_push_out_who_has_played():
    known = Players(Entropy(), None, GuessLimiter(), AddressLimits(Limits(rate=0)))
    ada, _ = known.identify(Hello(1, 1, "Ada"), "here", 0)
    ada.last_play = 70
    for number in range(TOKENS_MAX):
        stranger, _ = known.identify(Hello(1, 1, f"p{number}"), f"there {number % 20}", 1)
        stranger.last_seen = 1
    known.forget(10)
    assert known.by_token[ada.token_hash] is ada
    assert len(known.by_token) == TOKENS_MAX


# The password


@pytest.fixture
def locked():
    return HubHarness(password="sesame")


def test_with_the_right_password_one_comes_in(locked):
    assert locked.enter("Ada", password="sesame").welcome
    assert "sesame" not in repr(locked.hub.config) + repr(locked.hub.players)


NONE_GIVEN, WRONG = "This server wants a password.", "That password is wrong."


@pytest.mark.parametrize(
    ("password", "text"),
    [
        *((password, NONE_GIVEN) for password in (None, "")),
        *((password, WRONG) for password in ("Sesame", "sesame ", "sésame", "\x00")),
    ],
)
def test_with_a_wrong_password_or_none_one_does_not(locked, password, text):
    guest = locked.connects()
    reply = guest.says(Hello, 1, "Ada", None, password)
    assert (reply.code, reply.text) == ("password", text)
    assert word(guest.says(Join, "ABCDEF")) == "hello_first"
    assert word(guest.says(Hello, 1, "Ada", None, "sesame")) == "welcome"


def test_a_token_does_not_stand_for_the_password(locked):
    ada = locked.enter("Ada", password="sesame")
    ada.drops()
    guest = locked.connects()
    assert word(guest.says(Hello, 1, "Ada", ada.welcome.token)) == "password"
    assert word(guest.says(Hello, 1, "Ada", ada.welcome.token, "sesame")) == "welcome"


def test_a_wrong_password_does_not_tell_whether_a_name_or_token_is_good(locked):
    locked.enter("Ada", password="sesame")
    guest = locked.connects()
    for name, token in (("Ada", None), ("", None), ("Bob", "0" * 64)):
        assert word(guest.says(Hello, 1, name, token, "wrong")) == "password"


def test_where_there_is_no_password_any_will_do():
    assert HubHarness().enter("Ada", password="whatever").welcome


# Guessing


def guesses(guest, most, **more):
    """What one is answered who says hello again and again."""
    return [word(guest.says(Hello, 1, "Eve", **more)) for _ in range(most)]


def test_passwords_can_not_be_found_by_trying():
    server = HubHarness(password="sesame", rate=0)
    eve = server.connects("10.6.6.6")
    assert guesses(eve, GUESSES + 2, password="x") == ["password"] * GUESSES + ["too_fast"] * 2
    assert word(eve.says(Hello, 1, "Eve", password="sesame")) == "too_fast", "not even the right one is told by then"
    assert word(server.connects("10.6.6.6").says(Hello, 1, "Eve", password="sesame")) == "too_fast"
    assert word(server.connects("10.6.6.7").says(Hello, 1, "Ada", password="sesame")) == "welcome"
    server.passes(7)
    assert word(eve.says(Hello, 1, "Eve", password="sesame")) == "welcome"


def test_asking_whether_a_password_is_wanted_is_no_wrong_try():
    server = HubHarness(password="sesame", rate=0)
    eve = server.connects("10.6.6.6")
    assert guesses(eve, GUESSES + 5) == ["password"] * (GUESSES + 5)
    assert guesses(eve, GUESSES, password="") == ["password"] * GUESSES
    assert word(eve.says(Hello, 1, "Eve", password="sesame")) == "welcome"


def test_an_unknown_token_is_no_guess_since_a_restart_may_have_forgotten_it():
    server = HubHarness(rate=0)
    eve = server.connects()
    assert guesses(eve, GUESSES + 2, token="x") == ["token"] * (GUESSES + 2)


def test_whoever_guesses_keeps_nobody_else_out():
    server = HubHarness(rate=0)
    ada, bob = server.table("grid-hunt")
    eve = server.connects()
    guesses(eve, GUESSES + 5, token="x")
    ada.drops()
    assert ada.comes_back().where.you == 1, "a known token is no guess"
    assert server.enter("Cat").welcome, "and no token is none either"
    assert word(server.enter("Dan").says(Watch, bob.where.room)) == "ok"


def test_guesses_are_forgiven_one_after_the_other():
    made = GuessLimiter()
    for _ in range(GUESSES):
        made.check("here", 0)
        made.count_wrong_guess("here", 0)
    for now in (0, 5):
        with pytest.raises(Refusal) as caught:
            made.check("here", now)
        assert caught.value.code == "too_fast"
    made.check("there", 0)
    made.check("here", 7)
    made.count_wrong_guess("here", 7)
    with pytest.raises(Refusal):
        made.check("here", 8)
    made.check("here", 70)


def test_an_address_is_forgotten_when_all_is_forgiven():
    made = GuessLimiter()
    made.count_wrong_guess("here", 0)
    made.forget(59)
    assert list(made.buckets) == ["here"]
    made.forget(61)
    assert made.buckets == {}


def test_a_hub_forgets_by_itself():
    server = HubHarness()
    server.enter("Ada").says(Join, "222222")
    assert server.hub.state.guesses.buckets
    server.passes(65)
    assert not server.hub.state.guesses.buckets


def test_a_refused_password_is_noted_without_what_was_tried(locked):
    guest = locked.connects()
    guest.says(Hello, 1, "Ada", None, "simsim")
    assert [note.text for note in locked.of(LogLine)] == [f"session {guest.id} was refused: password"]
