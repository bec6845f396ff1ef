"""A shelf of finished games, and a desk before it: every question is answered as the server answers it.

seat = at_shelf(in_lobby(), finished(1, "grid-hunt"), finished(2, "quantum-duel"))
seat.desk.submit("replay 2")
assert seat.desk.page.shown.step == 0
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from gridgames_client.connection import Listener
from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings, PastGame, Push, Replay, Request
from gridgames_server.games import GAMES
from gridgames_server.history import PAGE, Found, Kept, answer
from tests.client.evening import Seat
from tests.client.stories import story

ME = 10  # what the store calls the player at the desk
EVENING = 1_785_600_000  # seconds since 1970
ROWS = (("Ada", 12, 7, 1), ("編集者編集者編集", 3, 2, 0), ("Bot (hard)", 12, 2, 1))  # name, played, won, drawn


def finished(number: int, slug: str, other: str = "Bo", seat: int = 1, edition: int = 1, moment: str = "end") -> Kept:
    """A game that is over, as the store has it. Its story is one in which nothing was drawn by lot."""
    match = story(slug, moment).table.match
    ended = match.outcome
    winner, reason, text = (
        (ended.winner, ended.reason, ended.text) if ended else (1, "resigned", "Player 2 has resigned.")
    )
    players, names = ((ME, 11), ("Ada", other)) if seat == 1 else ((11, ME), (other, "Ada"))
    lines = json.dumps([[line.seat, line.text] for line in match.lines])
    return Kept(
        number, slug, edition, match.seed, 1, players, names, lines, winner, reason, text, EVENING + 60 * number
    )


class Shelf:
    """What the server has kept."""

    def __init__(self, *games: Kept) -> None:
        self.games = sorted(games, key=lambda game: -game.number)

    def answers(self, request: Request) -> Push:
        """The answer to a question about finished games."""
        match request:
            case AskHistory(before=before):
                older = tuple(game for game in self.games if before is None or game.number < before)
                return answer(request, Found(games=older[: PAGE + 1]), ME, GAMES)
            case AskReplay(game=number):
                found = tuple(game for game in self.games if game.number == number)
                return answer(request, Found(games=found), ME, GAMES)
            case AskStandings(game=game):
                return answer(request, Found(rows=() if game == "secret-paths" else ROWS), ME, GAMES)
        raise AssertionError(request)


def at_shelf(seat: Seat, *games: Kept, listener: Listener | None = None) -> Seat:
    """The seat, whose questions about finished games are answered at once; other requests go where they went."""
    shelf, elsewhere = Shelf(*games), seat.desk.ask

    def ask(request: Request) -> None:
        if isinstance(request, AskHistory | AskReplay | AskStandings):
            seat.asked.append(request)
            (listener or seat.desk).answered(request, shelf.answers(request))
        else:
            elsewhere(request)

    seat.desk.ask, seat.desk.when = ask, day
    return seat


def day(seconds: int) -> str:
    """A time as it is written in no time zone of its own."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def past(kept: Kept) -> PastGame:
    """A game as the list has it."""
    history = Shelf(kept).answers(AskHistory(1))
    return history.games[0]  # type: ignore[union-attr]


def steps(kept: Kept, eyes: int = 1) -> Iterator[tuple[AskReplay, Replay]]:
    """Every step of a game, with the question that it answers."""
    for step in range(len(kept.moves()) + 1):
        question = AskReplay(1, kept.number, step, eyes)
        reply = Shelf(kept).answers(question)
        assert isinstance(reply, Replay)
        yield question, reply
