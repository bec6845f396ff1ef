"""A room is small, however long its game was, whatever was said in it and however often somebody came."""

import gc
import tracemalloc
from random import Random

import pytest

from gridgames_protocol.messages import CHAT_MAX, Chat, Leave, Watch
from gridgames_server.core.limits import ROOM_LOG, ROOM_MEMORY
from gridgames_server.games import GAMES
from gridgames_server.games.match import LINES_MAX, Match
from tests.server.hub_harness import HubHarness

LETTERS = "\U0001f600" * CHAT_MAX  # four bytes each


def next_line(match, chance):
    """Somebody's line that does not end the game, if there is one."""
    seat = min(match.to_act())
    lines = [line for action in match.view(seat).actions for line in action.lines()]
    chance.shuffle(lines)
    lines.sort(key=lambda line: line != "STAY")  # nobody walks into the other
    lasting = (line for line in lines if not match.game.play(match.state, seat, line).state.outcome)
    return seat, next(lasting, lines[-1])


def play_long(match, most):
    """Play without an end, as far as the game lets one."""
    chance = Random(1)
    while not match.outcome and match.line_count < most:
        match.play(*next_line(match, chance))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)
def test_the_longest_room_takes_no_more_than_the_limits_say(game):
    play_long(Match(game, bytes(32), 1), 400)  # fills what all rooms share
    server = HubHarness(rate=0)
    ada, _ = server.table(game.card.slug)
    wes = server.enter("Wes")
    (room,) = server.hub.rooms.by_code.values()
    gc.collect()
    tracemalloc.start()
    play_long(room.match, LINES_MAX - 1)
    for _ in range(3):
        wes.says(Watch, room.code)
        wes.says(Leave)
    for number in range(ROOM_LOG):
        ada.says(Chat, f"{number}{LETTERS}"[:CHAT_MAX])
    server.effects.clear()
    for guest in server.guests.values():
        guest.reads()
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{game.card.slug}: {room.match.line_count} lines, {taken // 1024} KiB")
    assert taken < ROOM_MEMORY
