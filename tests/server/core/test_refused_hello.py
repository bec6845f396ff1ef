"""A refused hello leaves no trace: nobody is renamed, no name is taken, no token or number is used up."""

from random import Random

import pytest

from gridgames_protocol.messages import Error, Hello, Join, Welcome
from gridgames_server.admin import commands
from gridgames_server.core.limits import TOKEN_KEPT
from gridgames_server.core.names import make_name_key
from tests.server.hub_harness import HubHarness, word

DAY = 86_400.0


def snapshot(server):
    """All that the server knows of players, without what counts wrong passwords."""
    state = server.hub.state
    return {
        "players": {
            token: {name: getattr(player, name) for name in player.__slots__ if name != "room"}
            | {"at": str(player.room)}
            for token, player in state.players.by_token.items()
        },
        "names": {key: player.token_hash for key, player in state.players.by_name.items()},
        "next": state.players.next_number,
        "sessions": {id: session.player and session.player.name for id, session in state.sessions.items()},
        "online": state.online,
        "rooms": [room.rev for room in state.rooms.by_code.values()],
        "newcomers": set(state.lobby_newcomers),
        "bans": dict(state.bans),
        "entropy": repr(server.hub.state.entropy.drawn),
        "tokens left": {
            address: own["tokens"].left for address, own in state.limits.buckets.items() if "tokens" in own
        },
    }


def kicked(server):
    eve = server.enter("Eve", password="sesame")
    server.does(commands.kick(server.hub, "Eve", server.now))
    return ("Zoe", eve.welcome.token, "sesame")


def banned(server):
    eve = server.enter("Eve", password="sesame")
    server.does(commands.ban(server.hub, "5 Eve", server.now))
    return ("Zoe", eve.welcome.token, "sesame")


def banned_while_away(server):
    eve = server.enter("Eve", password="sesame")
    eve.drops()
    server.does(commands.ban(server.hub, "5 Eve", server.now))
    return ("Zoe", eve.welcome.token, "sesame")


def banned_at_the_table(server):
    eve, bob = (server.enter(name, password="sesame") for name in ("Eve", "Bob"))
    bob.says(Join, eve.opens("grid-hunt"))
    eve.drops()
    server.does(commands.ban(server.hub, "5 Eve", server.now))
    return ("Zoe", eve.welcome.token, "sesame")


def banned_by_name(server):
    server.does(commands.ban(server.hub, "5 Zoe", server.now))
    return ("ZOË", None, "sesame")


def wrong_password(server):
    ada = server.enter("Ada", password="sesame")
    ada.drops()
    return ("Zoe", ada.welcome.token, "wrong")


def no_password(server):
    return ("Zoe", None, None)


def unknown_token(server):
    return ("Zoe", "0" * 64, "sesame")


def bad_name(server):
    ada = server.enter("Ada", password="sesame")
    return ("The host", ada.welcome.token, "sesame")


def taken_name(server):
    ada = server.enter("Ada", password="sesame")
    server.enter("Zoe", password="sesame")
    return ("Zoe", ada.welcome.token, "sesame")


def taken_name_of_a_newcomer(server):
    server.enter("Zoe", password="sesame")
    return ("Zoe", None, "sesame")


def full_disk(server):
    server.hub.state.can_save = lambda: False
    return ("Zoe", None, "sesame")


def full_disk_and_a_new_name(server):
    ada = server.enter("Ada", password="sesame")
    ada.drops()
    server.hub.state.can_save = lambda: False
    return ("Zoe", ada.welcome.token, "sesame")


def too_many_tokens(server):
    last = None
    while not isinstance(last, Error):
        guest = server.connects("10.0.0.9")
        last = guest.says(Hello, 1, f"p{len(server.guests)}", None, "sesame")
        guest.drops()
    return ("Zoe", None, "sesame")


REASONS = {
    **dict.fromkeys((kicked, banned, banned_while_away, banned_at_the_table, banned_by_name, full_disk), "not_now"),
    **dict.fromkeys((full_disk_and_a_new_name,), "not_now"),
    **dict.fromkeys((wrong_password, no_password), "password"),
    **dict.fromkeys((taken_name, taken_name_of_a_newcomer), "name_taken"),
    unknown_token: "token",
    bad_name: "name",
    too_many_tokens: "too_fast",
}


@pytest.mark.parametrize(("prepare", "code"), REASONS.items(), ids=lambda given: getattr(given, "__name__", given))
def test_a_refused_hello_changes_nothing(prepare, code):
    server = HubHarness(password="sesame", max_per_address=2, rate=0 if prepare is not too_many_tokens else 20)
    name, token, password = prepare(server)
    guest = server.connects("10.0.0.9")
    before = snapshot(server)
    assert word(guest.says(Hello, 1, name, token, password)) == code
    assert snapshot(server) == before


def test_a_hello_of_another_version_changes_nothing():
    server = HubHarness()
    guest, before = server.connects(), snapshot(server)
    assert word(guest.says(Hello, 99, "Zoe")) == "protocol"
    assert snapshot(server) == before


@pytest.mark.parametrize("prepare", [kicked, banned, banned_while_away, banned_at_the_table])
def test_the_name_that_a_banned_player_asked_for_is_free(prepare):
    server = HubHarness(password="sesame")
    name, token, password = prepare(server)
    assert word(server.connects().says(Hello, 1, name, token, password)) == "not_now"
    assert server.enter(name, password="sesame").welcome.name == name


def test_a_kicked_players_names_are_free_when_the_token_is_forgotten():
    server = HubHarness(password="sesame")
    name, token, password = kicked(server)
    assert word(server.connects().says(Hello, 1, name, token, password)) == "not_now"
    server.now += TOKEN_KEPT + DAY
    server.hub.players.forget(server.now)
    assert make_name_key(name) not in server.hub.players.by_name


def test_a_ban_frees_the_seat_of_one_who_is_away():
    server = HubHarness(password="sesame")
    banned_at_the_table(server)
    assert make_name_key("Eve") not in server.hub.players.by_name


def test_whoever_was_banned_by_name_does_not_come_back_by_another():
    server = HubHarness(password="sesame")
    _, token, password = banned(server)
    for name in ("Zoe", "Eve", "EVE", "Ева"):
        assert word(server.connects().says(Hello, 1, name, token, password)) == "not_now"
    server.passes(5 * 60)
    assert isinstance(server.connects().says(Hello, 1, "Zoe", token, password), Welcome)


def test_a_name_is_not_taken_for_an_address():
    server = HubHarness()
    server.enter("Ada", "192.168.1.20")
    server.does(commands.ban(server.hub, "5 1.9.2.168.120", server.now))
    assert server.enter("Bob", "192.168.1.20")


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_asked_for_a_refusal_changes_nothing(seed):
    luck, server = Random(seed), HubHarness(password="sesame", rate=0, max_players=1000)
    tokens, guests, refused = [None, "0" * 64], [], 0
    for _ in range(300):
        server.hub.state.can_save = luck.choice([lambda: True] * 4 + [lambda: False])
        match luck.randrange(6):
            case 0 if guests:
                guests.pop(luck.randrange(len(guests))).drops()
            case 1 if luck.random() < 0.3 and server.hub.state.can_save():
                name = luck.choice(["Ada", "Bob", "Eve"])
                server.does(commands.ban(server.hub, f"1 {name}", server.now))
                guests = [guest for guest in guests if not guest.closed]
            case 2:
                server.now += luck.randrange(20)
        guest, before = server.connects(), snapshot(server)
        name, password = (
            luck.choice(["Ada", "ada", "Bob", "Eve", "host", "Zoe"]),
            luck.choice(["sesame"] * 4 + ["no", None]),
        )
        reply = guest.says(Hello, 1, name, luck.choice(tokens), password)
        if isinstance(reply, Error):
            refused += 1
            before["bans"] = {who: until for who, until in before["bans"].items() if until > server.now}
            after = snapshot(server)
            after["bans"] = {who: until for who, until in after["bans"].items() if until > server.now}
            assert after == before, (name, reply)
            guest.drops()
        else:
            guests = [other for other in guests if not other.closed]
            guests.append(guest)
            tokens = [*tokens, reply.token][-12:]
    assert refused > 50
