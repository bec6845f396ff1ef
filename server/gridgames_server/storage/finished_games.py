"""The tables of finished games and standings. They are filled from the log; each row of the log is used once."""

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from typing import Any

from gridgames_protocol.messages import AskAnalysis, AskHistory, AskRecord, AskReplay, AskStandings
from gridgames_server.core.effects import HistoryQuery
from gridgames_server.core.room_events import GameOver
from gridgames_server.storage.history_answers import PAGE, TABLE, FinishedGame, QueryResult
from gridgames_server.storage.packing import make_seal
from gridgames_server.storage.store import KeepLimits, read_note, write_note

ARCHIVED = "archived"  # name of the note that holds the last archived row of the log
PRUNED_AT_ONCE = 200  # games; deleting them takes a few milliseconds
ALL_GAMES = ""  # stands for the sum over all games in the standings

COUNT = """
INSERT INTO standings VALUES (?,?,?,?,?,?) ON CONFLICT (game, player) DO UPDATE SET name = excluded.name,
played = played + excluded.played, won = won + excluded.won, drawn = drawn + excluded.drawn
"""


def archive_games(
    store: sqlite3.Connection, finished: Iterable[tuple[int, int, GameOver]], upto: int, names: Mapping[int, str]
) -> None:
    """Add the finished games of the log up to row `upto`. `names` are the current names of the players."""
    done = read_note(store, ARCHIVED)
    for seq, at, game in finished:
        if seq > done:
            add_game(store, game, at, names)
    write_note(store, ARCHIVED, max(upto, done))


def add_game(store: sqlite3.Connection, over: GameOver, at: float, names: Mapping[int, str]) -> None:
    row = (
        join_variant(over.game, over.variant), over.edition, over.seed, over.first, *over.players, *over.names,
        json.dumps(over.lines), over.winner, over.reason, over.text, float(at),
    )  # fmt: skip
    columns = (over.game_number, over.room, over.number, *row, make_seal("game", *row))
    added = store.execute("INSERT OR IGNORE INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", columns)
    if added.rowcount:
        count_game(store, over.game, over.players, over.names, names, over.winner)


def join_variant(game: str, variant: str | None) -> str:
    """What the column `game` holds: the slug, with the variant behind a colon."""
    return game if variant is None else f"{game}:{variant}"


def split_variant(column: str) -> tuple[str, str | None]:
    """The slug and the variant that the column `game` holds."""
    game, _, variant = column.partition(":")
    return game, variant or None


def count_game(
    store: sqlite3.Connection,
    game: str,
    players: Iterable[int],
    then: Iterable[str],
    now: Mapping[int, str],
    winner: int | None,
    by: int = 1,
) -> None:
    """Add a game to the standings, or remove it with `by=-1`. A current name replaces the name at the time."""
    for seat, (player, name) in enumerate(zip(players, then, strict=True), start=1):
        counts = (now.get(player, name), by, by * (winner == seat), by * (winner is None))
        for which in (ALL_GAMES, game):
            store.execute(COUNT, (which, player, *counts))


def rename_player(store: sqlite3.Connection, player: int, name: str) -> None:
    """Change a player's name in the standings."""
    store.execute("UPDATE standings SET name = ? WHERE player = ?", (name, player))


COUNTED = "game, player1, player2, name1, name2, winner"


def prune_games(store: sqlite3.Connection, keep: KeepLimits, names: Mapping[int, str]) -> None:
    """Delete some of the finished games that are too old or too many, also from the standings."""
    old = "SELECT game_number FROM games WHERE game_number <= (SELECT max(game_number) FROM games) - :most LIMIT :some"
    late = "SELECT game_number FROM games WHERE ended < :since LIMIT :some"
    given = {"most": keep.games, "since": time.time() - keep.days * 86_400, "some": PRUNED_AT_ONCE}
    for wanted, which in ((keep.games, old), (keep.days, late)):
        if wanted:
            sql = f"DELETE FROM games WHERE game_number IN ({which}) RETURNING {COUNTED}"
            for game, *players, name1, name2, winner in store.execute(sql, given).fetchall():
                count_game(store, split_variant(game)[0], players, (name1, name2), names, winner, -1)
    if any(keep):
        store.execute("DELETE FROM standings WHERE played <= 0")


def read_last_player(store: sqlite3.Connection) -> int:
    """Return the highest player number in the standings."""
    return _read_highest(store, "SELECT max(player) FROM standings")


def read_last_game(store: sqlite3.Connection) -> int:
    """Return the highest number of a finished game."""
    return _read_highest(store, "SELECT max(game_number) FROM games")


def _read_highest(store: sqlite3.Connection, sql: str) -> int:
    try:
        (number,) = store.execute(sql).fetchone()
    except sqlite3.DatabaseError:  # the server starts even if old games are damaged
        return 0
    return number if isinstance(number, int) else 0


# Queries --------------------------------------------------------------------------------------------------------------

GAME = "game, edition, seed, first, player1, player2, name1, name2, lines, winner, reason, text, ended"
OF_SEAT = (
    "SELECT * FROM (SELECT game_number FROM games"
    " WHERE player{} = :player AND game_number < :before ORDER BY game_number DESC LIMIT :most)"
)
HISTORY = f"game_number IN ({OF_SEAT.format(1)} UNION {OF_SEAT.format(2)}) ORDER BY game_number DESC LIMIT :most"
STANDINGS = "SELECT name, played, won, drawn FROM standings WHERE game = ? ORDER BY won DESC, played DESC, name LIMIT ?"


def run_query(store: sqlite3.Connection, question: HistoryQuery, player: int) -> QueryResult:
    """Run a query about finished games."""
    match question:
        case AskHistory(before=before):
            given = {"player": player, "before": before or 2**62, "most": PAGE + 1}
            return QueryResult(games=read_games(store, HISTORY, given))
        case AskReplay(game=number) | AskRecord(game=number) | AskAnalysis(game=number):
            return QueryResult(games=read_games(store, "game_number = :number", {"number": number}))
        case AskStandings(game=game):
            return QueryResult(rows=tuple(store.execute(STANDINGS, (game or ALL_GAMES, TABLE))))


def read_games(store: sqlite3.Connection, where: str, given: Mapping[str, object]) -> tuple[FinishedGame, ...]:
    """Return the finished games that match an SQL condition. Damaged rows are left out."""
    rows = store.execute(f"SELECT game_number, seal, {GAME} FROM games WHERE {where}", given)
    return tuple(read_game(number, *row) for number, seal, *row in rows if seal == make_seal("game", *row))


def read_game(number: int, *row: Any) -> FinishedGame:
    column, edition, seed, first, player1, player2, name1, name2, lines, *ending = row
    game, variant = split_variant(column)
    return FinishedGame(
        number, game, edition, seed, first, (player1, player2), (name1, name2), lines, *ending
    )._replace(variant=variant)


def find_damaged_games(store: sqlite3.Connection) -> list[int]:
    """Return the numbers of finished games whose rows are damaged."""
    rows = store.execute(f"SELECT game_number, seal, {GAME} FROM games")
    return [number for number, seal, *row in rows if seal != make_seal("game", *row)]
