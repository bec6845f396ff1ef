"""An honest server is never accused, whatever happens at the table: neither now nor by the saved game."""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from gridgames_client.state.history.saved_game import write_saved_game
from gridgames_client.state.history.verify import verify_saved_game
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Again, Claim, Leave, OfferDraw, Ok, Play, Push, Request, Resign, Watch, Welcome
from gridgames_server.admin.verify_saved import check_saved_game
from gridgames_server.core.limits import ABSENCE
from gridgames_server.games import GAMES, VARIANTS
from gridgames_server.games.game import Step
from gridgames_server.games.seats import Reader
from tests.server.hub_harness import MIDDLES, Guest, HubHarness, play
from tests.server.stored_games import offered
from tests.sixth_game import Pebbles, State

KINDS = [*((game.card.slug, None) for game in GAMES), *VARIANTS, ("pebbles", None)]
LINES_MOST = 60  # then somebody resigns

every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


@dataclass(eq=False)
class Player(Guest):
    """Somebody with our client, which keeps what it is told."""

    model: Model = field(default_factory=lambda: Model("a:1"))
    asked: dict[int, Request] = field(default_factory=dict)
    lost: dict[int, Request] = field(default_factory=dict)  # plays of the last connection without a reply
    deaf: bool = False  # nothing arrives any more

    def says(self, kind: type, *fields: object, id: int | None = None, **more: object) -> Any:
        id = id or next(self.server.ids)
        self.asked[id] = kind(id, *fields, **more)
        return super().says(kind, *fields, id=id, **more)

    def is_sent(self, message: Push) -> None:
        super().is_sent(message)
        if self.deaf:
            return
        self.model.apply(message, request=self.asked.get(getattr(message, "re", None) or 0))
        if isinstance(message, Welcome):  # as the connection settles what was lost
            for id, request in self.lost.items():
                if id <= (message.last_play or 0):
                    self.model.apply(Ok(id), request=request)

    def loses(self, line: str) -> "Player":
        """Type a line whose reply is lost with the connection, and come back."""
        self.deaf, id = True, next(self.server.ids)
        self.says(Play, line, id=id)
        return self.returns({id: self.asked[id]})

    def returns(self, lost: dict[int, Request] | None = None) -> "Player":
        """Lose the connection, and come back with the same client."""
        self.drops()
        assert isinstance(self.server, House)
        self.server.next_client = {"model": self.model, "lost": lost or {}}
        back = self.comes_back()
        assert isinstance(back, Player)
        return back


class House(HubHarness):
    """A server whose guests have our client."""

    next_client: dict[str, Any]

    def connects(self, address: str = "192.168.1.20") -> Player:
        given, self.next_client = getattr(self, "next_client", {}), {}
        id = len(self.guests) + 1
        guest = self.guests[id] = Player(self, id, address, **given)
        self.does(self.hub.connect(id, address, self.now))
        return guest


def sit(kind: tuple[str, str | None], *more: str, **options: Any) -> tuple[House, list[Player]]:
    """Two at a table, and those who watch."""
    server = House((*GAMES, Pebbles(), Boats()), rate=0)
    return server, list(server.table(kind[0], "Ada", "Bob", *more, variant=kind[1], **options))


def goes_on(players: list[Player], choose: Random, lines: int = LINES_MOST, breaks: bool = False) -> None:
    """Play some lines, fouls too. Where the line breaks, either player loses the connection and comes back."""
    for number in range(lines):
        if not (turn := players[0].sees.turn):
            return
        seat = choose.choice(turn) - 1
        can_foul = players[seat].sees.view.state.get("fouls") is not None and players[seat].sees.view.phase == "play"
        line = "MOVE 9 9" if can_foul and number % 5 == 4 else choose.choice(offered(players[seat].sees.view))
        match choose.randrange(4) if breaks else 3:
            case 0:
                players[seat] = players[seat].loses(line)
            case 1:
                players[1 - seat] = players[1 - seat].returns()
                players[seat].types(line)
            case _:
                players[seat].types(line)


def ends(players: list[Player]) -> None:
    """Play to the end, or until somebody resigns. Nobody has a doubt about the server."""
    goes_on(players, Random(7))
    if players[0].model.ending is None:
        players[0].says(Resign)
    has_no_doubt(players)


def has_no_doubt(players: list[Player]) -> None:
    games = (*GAMES, Pebbles(), Boats())
    for player in players:
        ending = player.model.ending
        assert ending
        assert ending.contradictions == ending.verdict.broken == ()
        assert ending.verdict.fitting == len(ending.reveals)
        text = write_saved_game(player.model)
        told, fits = verify_saved_game(text)
        assert fits, told
        assert check_saved_game(text, games) == []


# What happens at tables -----------------------------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize("seed", range(4))
def test_connections_break_and_replies_are_lost(kind, seed):
    _, players = sit(kind)
    goes_on(players, Random(seed), breaks=True)
    ends(players)


@every_kind
@pytest.mark.parametrize("lines", [0, 1, 5])
def test_a_player_comes_back_with_a_new_client(kind, lines):
    _, players = sit(kind)
    goes_on(players, Random(1), lines)
    for seat, player in enumerate(players):
        player.drops()
        players[seat] = player.comes_back()
    ends(players)


@every_kind
def test_people_begin_to_watch_at_any_time_and_after_the_end(kind):
    server, players = sit(kind, "Wes")
    for number, name in enumerate(("Xia", "Yan", "Zoe")):
        watcher = server.enter(name)
        watcher.says(Watch, players[0].where.room)
        players.append(watcher)
        goes_on(players, Random(number), 3)
    players[2].says(Leave)
    players[2].says(Watch, players[0].where.room)
    ends(players)
    late = server.enter("Liu")
    late.says(Watch, players[0].where.room)
    assert isinstance(late, Player)
    has_no_doubt([late])


@every_kind
def test_game_follows_game(kind):
    _, players = sit(kind, "Wes")
    for _ in range(3):
        ends(players)
        players[0].says(Again)
        players[1] = players[1].returns()
        players[1].says(Again)
        assert players[0].model.ending is None
    ends(players)


@every_kind
def test_a_rematch_begins_while_a_player_is_away(kind):
    _, players = sit(kind)
    ends(players)
    players[0].says(Again)
    players[0].drops()
    players[1].says(Again)
    players[0] = players[0].returns()
    ends(players)


@every_kind
@pytest.mark.parametrize("lines", [0, 1, 5])
def test_both_start_afresh(kind, lines):
    _, players = sit(kind, "Wes")
    goes_on(players, Random(2), lines)
    for player in players[:2]:
        player.says(Again)
    ends(players)


@every_kind
def test_games_that_are_ended_from_outside(kind):
    server, players = sit(kind, "Wes")
    for stop in (Resign, OfferDraw, None):
        goes_on(players, Random(5), 2)
        assert players[0].model.ending is None
        if stop is None:
            (seat, *_) = players[0].sees.turn
            players[seat - 1].drops()
            server.passes(ABSENCE + 1)
            players[2 - seat].says(Claim)
            players[seat - 1] = players[seat - 1].returns()
        else:
            players[0].says(stop)
            if stop is OfferDraw:
                players[1].says(stop)
        has_no_doubt(players)
        for player in players[:2]:
            player.says(Again)


def test_a_foul_whose_reply_is_lost_is_no_move():
    _, players = sit(("secret-paths", None))
    play(*players, lines=MIDDLES["secret-paths"])
    for _ in range(3):
        players[1] = players[1].loses("MOVE 9 9")
    players[0].says(Claim)
    has_no_doubt(players)


# A stranger's game ----------------------------------------------------------------------------------------------------


class Boats(Pebbles):
    """A game whose secrets are no cells: `HOLD 3` and `HOLD 1 3` both seal `1-3`."""

    card = type(Pebbles.card)("boats", "Boats", "pebbles in a row", "HOLD 1 3, then GUESS 2 to 6.", 1)

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        step = super().play(state, seat, line.replace("HOLD 1 ", "HOLD "))
        sealed = {what: f"1-{value}" for what, value in (step.secrets or {}).items()}
        return Step(step.state, step.announcements, sealed or None, turn=step.turn)

    def view(self, state: State, reader: Reader) -> Any:
        view = super().view(state, reader)
        assert view.seals in ("", f"pebbles of {reader}")
        return replace(view, seals="")


@pytest.mark.parametrize("line", ["HOLD 3", "HOLD 1 3"])
def test_a_game_whose_secrets_are_no_cells_leaves_no_doubt(line):
    _, players = sit(("boats", None))
    for player in players:
        assert player.types(line) == ["ok"]
    assert [player.model.secret_cells for player in players] == [{}, {}]
    ends(players)
    assert {reveal.value for reveal in players[0].model.ending.reveals} == {"1-3"}
