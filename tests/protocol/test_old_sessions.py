"""Sessions of the release before are understood: `old_sessions.txt.gz` has the lines of two clients and their server.

Each game begins with a line `# slug`. `1> …` was sent by the first client, `1< …` to it; in hex, without LF.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridgames_client.state.model import Model
from gridgames_protocol.codec import decode_push, decode_request
from gridgames_protocol.commitments import Verdict
from gridgames_protocol.messages import REQUESTS, Error, Event, Join, Over, Push, Request, Show, Welcome
from gridgames_server.games import GAMES
from tests.server.hub_harness import Guest, HubHarness

FILE = Path(__file__).with_name("old_sessions.txt.gz")
SLUGS = [game.card.slug for game in GAMES]
each_game = pytest.mark.parametrize("slug", SLUGS)


def session_of(slug: str) -> Iterator[tuple[int, Request | Push]]:
    """The messages of one game in order, read with today's code, each with the client that sent or received it."""
    text = gzip.decompress(FILE.read_bytes()).decode()
    (part,) = [part for part in text.split("# ") if part.startswith(slug)]
    for line in part.splitlines()[1:]:
        way, payload = line.split()
        decode = decode_request if way[1] == ">" else decode_push
        yield int(way[0]), decode(bytes.fromhex(payload))


@each_game
def test_the_lines_of_the_old_server_are_understood(slug):
    said = [message for _, message in session_of(slug)]
    assert [card.slug for card in next(said for said in said if isinstance(said, Welcome)).games] == SLUGS
    shown = [message.view for message in said if isinstance(message, Show)]
    assert all(view.board.names and view.goal == "" and view.meters == () for view in shown), "it knew no goal"
    assert any(action.lines() for view in shown for action in view.actions)
    assert [message.reason for message in said if isinstance(message, Over)] == ["resigned", "resigned"]


@each_game
def test_the_lines_of_the_old_client_are_answered_as_they_were(slug):
    house = HubHarness(rate=0)
    guests: dict[int, Guest] = {1: house.connects(), 2: house.connects()}
    refused = {
        (client, message.re): message.code
        for client, message in session_of(slug)
        if isinstance(message, Error) and message.re is not None
    }
    code = ""
    for client, request in session_of(slug):
        if type(request) not in REQUESTS.values():
            continue
        fields = {key: getattr(request, key) for key in request.__match_args__ if key != "id"}
        if isinstance(request, Join):
            fields["room"] = code
        answer = guests[client].says(type(request), id=request.id, **fields)
        code = getattr(answer, "room", None) or code
        assert (answer.code if isinstance(answer, Error) else None) == refused.get((client, request.id))


@each_game
@pytest.mark.parametrize("client", [1, 2])
def test_our_client_follows_a_whole_game_on_the_old_server(slug, client):
    model = Model("old.example:4743")
    requests: dict[int, Request] = {}
    seals = 0
    for to, message in session_of(slug):
        if to != client:
            continue
        if type(message) in REQUESTS.values():
            requests[message.id] = message
            continue
        seals += isinstance(message, Event) and message.commit is not None
        model.apply(message, request=requests.get(getattr(message, "re", None)))
        if isinstance(message, Over):
            break  # one of them leaves after that
    assert (model.room.game, model.room.state, model.room.you) == (slug, "over", client)
    assert (model.show.view.phase, model.show.turn, model.actions) == ("over", (), ())
    ending = model.ending
    assert (ending.over.winner, ending.over.reason) == (1, "resigned")
    assert (ending.verdict, ending.contradictions) == (Verdict(seals, ()), ())
    accepted = [line.split()[0].upper() for line in model.own_lines]
    assert accepted == [line.split()[0].upper() for seat, line in ending.moves if seat == client]
