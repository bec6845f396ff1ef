"""Answers to queries about finished games: a player's list, a replay, a record, the standings."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gridgames_protocol.messages import (
    RECORD_PART,
    Analysis,
    AskAnalysis,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    Error,
    History,
    PastGame,
    Push,
    RecordPart,
    Replay,
    Standing,
    Standings,
)
from gridgames_protocol.saved_game import FORMAT, write_record
from gridgames_server.analysis.analyse import GameRecord, find_analysis
from gridgames_server.core.effects import HistoryQuery
from gridgames_server.errors import Refusal
from gridgames_server.games import find_variant
from gridgames_server.games.game import Game, Outcome
from gridgames_server.games.match import Match, replay

PAGE = 20  # games in one answer
TABLE = 50  # names in one answer
DAMAGED = "What the server kept of that game is damaged."


class FinishedGame(NamedTuple):
    """A row of the table of finished games."""

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
    variant: str | None = None

    def moves(self) -> list[tuple[int, str]]:
        """Return its lines, fouls included."""
        return [(int(seat), str(text)) for seat, text in json.loads(self.lines)]

    def __repr__(self) -> str:
        return f"FinishedGame({self.number})"  # the rest may be secret


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The rows that a query has found."""

    games: tuple[FinishedGame, ...] = ()
    rows: tuple[tuple[str, int, int, int], ...] = ()  # name, played, won, drawn


class Query(NamedTuple):
    """A player's query."""

    question: HistoryQuery
    player: int
    build: Callable[[QueryResult], Push]  # makes the answer; runs in the thread of the queries
    send: Callable[[Push], object]  # sends it; runs in the event loop's thread
    is_wanted: Callable[[], bool] = lambda: True  # False if the player has left
    address: str = ""  # of the player; addresses take turns


def build_answer(question: HistoryQuery, found: QueryResult, player: int, games: Sequence[Game[Any]]) -> Push:
    """Return the answer for the player who asked."""
    match question:
        case AskHistory():
            return list_games(question, found.games, player, games)
        case AskStandings():
            return rank_players(question, found.rows)
    try:
        return answer_about_game(question, *find_game(found, player, games), player)
    except Refusal as refusal:
        return Error(refusal.code, refusal.text, question.id, refusal.field)


def answer_about_game(
    question: AskReplay | AskAnalysis | AskRecord, kept: FinishedGame, rules: Game[Any], player: int
) -> Replay | Analysis | RecordPart:
    """Return the answer to a query about one finished game, or raise a Refusal."""
    match question:
        case AskReplay():
            return replay_game(question, kept, rules)
        case AskAnalysis():
            return analyse_game(question, kept)
        case AskRecord():
            return answer_record(question, kept, rules, player)


def find_game(found: QueryResult, player: int, games: Sequence[Game[Any]]) -> tuple[FinishedGame, Game[Any]]:
    """Return the game that a player has asked for and its rules, or raise a Refusal."""
    if not found.games or player not in found.games[0].players:
        raise refuse_game("There is no such game in your history.")
    kept = found.games[0]
    rules = find_rules(kept, games)
    if rules is None:
        raise refuse_game("That game was played by older rules, which this server does not know.")
    return kept, rules


def refuse_game(text: str) -> Refusal:
    """Return the refusal of a query about a game that can't be shown."""
    return Refusal("not_now", text, "game")


def list_games(question: AskHistory, kept: Sequence[FinishedGame], player: int, games: Sequence[Game[Any]]) -> History:
    """Return a page of a player's games, newest first. If more than PAGE were found, there is another page."""
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
            game.variant,
        )
        for game in kept[:PAGE]
    )
    return History(question.id, rows, len(kept) > PAGE)


def find_rules(kept: FinishedGame, games: Sequence[Game[Any]]) -> Game[Any] | None:
    """Return the game with the variant and edition that were played, or None if this server does not have them."""
    known = (game for game in games if (game.card.slug, game.card.edition) == (kept.game, kept.edition))
    return next((find_variant(game, kept.variant) for game in known), None)


def replay_game(question: AskReplay, kept: FinishedGame, rules: Game[Any]) -> Replay:
    """Return a finished game as it was after some of its lines, seen from any seat."""
    try:
        lines = kept.moves()
        step = min(question.step, len(lines))
        match = replay(rules, kept.seed, kept.first, lines[:step])
        match.assist = True  # a replay shows what could be ruled out
    except Exception:  # the store is damaged; only this query fails
        raise refuse_game(DAMAGED) from None
    ended = Outcome(kept.winner, kept.reason, kept.text)
    if question.eyes == 0 and not match.outcome:  # the view of a stopped game shows everything
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


def answer_record(question: AskRecord, kept: FinishedGame, rules: Game[Any], player: int) -> RecordPart:
    """Return a part of a finished game's record."""
    ended, you = Outcome(kept.winner, kept.reason, kept.text), 1 + kept.players.index(player)
    try:
        text = write_game_record(rules, kept.seed, kept.first, kept.moves(), kept.names, you, ended, kept.variant)
    except Exception:  # the store is damaged; only this query fails
        raise refuse_game(DAMAGED) from None
    return cut_part(question, text)


def cut_part(question: AskRecord, text: str) -> RecordPart:
    """Return the requested part of a record."""
    part = text[question.at : question.at + RECORD_PART]
    return RecordPart(question.id, question.game, question.at, len(text), part)


def write_game_record(
    game: Game[Any],
    seed: bytes,
    first: int,
    lines: Sequence[tuple[int, str]],
    names: Sequence[str],
    you: int,
    ended: Outcome,
    variant: str | None = None,
) -> str:
    """Replay a game and return its record for the player in seat `you`."""
    match, told = Match(game, seed, first), list[str]()
    for seat, line in lines:
        played = match.play(seat, line)
        told += [said.event.text for said in played.announcements if said.event.kind == "hint" and you in said.readers]
    if not match.outcome:
        match.stop(ended)
    return write_record(
        {
            "format": FORMAT,
            "game": game.card.slug,
            **({} if variant is None else {"variant": variant}),
            "you": you,
            "players": list(names),
            "winner": ended.winner,
            "reason": ended.reason,
            "text": ended.text,
            "moves": match.moves(),
            "told": told,
            "commits": {seal.commit.what: seal.commit.hash for seal in match.list_seals() if seal.commit},
            "reveal": [{"what": it.what, "value": it.value, "nonce": it.nonce} for it in match.list_reveals()],
        }
    )


def analyse_game(question: AskAnalysis, kept: FinishedGame) -> Analysis:
    """Return the analysis of a finished game."""
    try:
        lines = tuple(kept.moves())
        found = find_analysis(GameRecord(kept.game, kept.seed, kept.first, lines, kept.winner, kept.variant))
    except Exception:  # the store is damaged; only this query fails
        raise refuse_game(DAMAGED) from None
    if found is None:
        raise refuse_game("There is no analysis of that game.")
    return replace(found, number=kept.number, re=question.id)


def rank_players(question: AskStandings, rows: Sequence[tuple[str, int, int, int]]) -> Standings:
    """Return the standings. The players with the most wins come first."""
    table = tuple(Standing(name, played, won, drawn, played - won - drawn) for name, played, won, drawn in rows[:TABLE])
    return Standings(question.id, question.game, table)
