"""Games that are over: lists of one's own, any of them again move by move, and who has won how many."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gridgames_protocol.messages import (
    AskHistory,
    AskReplay,
    AskStandings,
    Error,
    History,
    PastGame,
    Push,
    Replay,
    Standing,
    Standings,
)
from gridgames_server.games.game import Game, Outcome
from gridgames_server.match import replay

Question = AskHistory | AskReplay | AskStandings

PAGE = 20  # games of one answer
TABLE = 50  # names of one answer


class Kept(NamedTuple):
    """A finished game as the store knows it."""

    number: int
    game: str
    edition: int
    seed: bytes
    first: int
    players: tuple[int, int]
    names: tuple[str, str]
    lines: str  # JSON: [[seat, line], …]
    winner: int | None
    reason: str
    text: str
    ended: float

    def moves(self) -> list[tuple[int, str]]:
        """Its lines, fouls included."""
        return [(int(seat), str(text)) for seat, text in json.loads(self.lines)]

    def __repr__(self) -> str:
        return f"Kept({self.number})"


@dataclass(frozen=True, slots=True)
class Found:
    """What the store has found for a question."""

    games: tuple[Kept, ...] = ()
    rows: tuple[tuple[str, int, int, int], ...] = ()  # name, played, won, drawn


def answer(question: Question, found: Found, player: int, games: Sequence[Game[Any]]) -> Push:
    """What is said to the player who asked."""
    match question:
        case AskHistory():
            return listed(question, found.games, player, games)
        case AskReplay():
            return replayed(question, found.games[0] if found.games else None, player, games)
        case AskStandings():
            return ranked(question, found.rows)


def listed(question: AskHistory, kept: Sequence[Kept], player: int, games: Sequence[Game[Any]]) -> History:
    """The newest of a player's games, one more than fits telling that there are more."""
    titles = {game.card.slug: game.card.title for game in games}
    rows = tuple(
        PastGame(
            game.number,
            game.game,
            titles.get(game.game, game.game),
            1 + game.players.index(player),
            game.names,
            game.winner,
            game.reason,
            len(game.moves()),
            int(game.ended),
        )
        for game in kept[:PAGE]
    )
    return History(question.id, rows, len(kept) > PAGE)


def replayed(question: AskReplay, kept: Kept | None, player: int, games: Sequence[Game[Any]]) -> Replay | Error:
    """A finished game as it stood after some of its lines: it is over, so every eye may see it."""
    if kept is None or player not in kept.players:
        return Error("not_now", "There is no such game in your history.", question.id)
    rules = next((game for game in games if game.card.slug == kept.game and game.card.edition == kept.edition), None)
    if rules is None:
        return Error("not_now", "That game was played by older rules, which this server does not know.", question.id)
    try:
        lines = kept.moves()
        step = min(question.step, len(lines))
        match = replay(rules, kept.seed, kept.first, lines[:step])
    except Exception:  # whatever a damaged disk has made of it: who asked is told, and nobody else is disturbed
        return Error("not_now", "What the server kept of that game is damaged.", question.id)
    ended = Outcome(kept.winner, kept.reason, kept.text)
    if question.eyes == 0 and not match.outcome:  # a state that is over hides nothing
        match.stop(ended)
    view = match.view(question.eyes or None)
    if not match.outcome:
        match.stop(ended)
    return Replay(
        re=question.id,
        game=kept.number,
        step=step,
        steps=len(lines),
        eyes=question.eyes,
        names=kept.names,
        line=lines[step - 1] if step else None,
        text=kept.text,
        view=view,
        review=match.review() if step == len(lines) else None,
    )


def ranked(question: AskStandings, rows: Sequence[tuple[str, int, int, int]]) -> Standings:
    """Who has played, won, drawn and lost how many; those who won most come first."""
    table = tuple(Standing(name, played, won, drawn, played - won - drawn) for name, played, won, drawn in rows[:TABLE])
    return Standings(question.id, question.game, table)
