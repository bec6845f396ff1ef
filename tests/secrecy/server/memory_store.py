"""Where a scenario's records are kept: in memory, at once or a little later."""

import json
from collections import Counter
from collections.abc import Callable

from gridgames_protocol.messages import AskAnalysis, AskHistory, AskRecord, AskReplay, AskStandings
from gridgames_server.core.room_events import GameOver, Record, Snapshot
from gridgames_server.storage.history_answers import PAGE, TABLE, FinishedGame, HistoryQuery, Query, QueryResult
from tests.secrecy.server.fake_transports import Loop
from tests.server.stored_hub import saved


class Cupboard:
    """Answers as the store does."""

    def __init__(self, loop: Loop, delay: float) -> None:
        self.loop, self.delay = loop, delay
        self.is_disk_full = False
        self.records: list[Record] = []
        self.games: list[FinishedGame] = []

    def save(self, records: list[Record], kept: Callable[[], None]) -> None:
        if self.delay:
            self.loop.call_later(self.delay, self._put, records, kept)
        else:
            self._put(records, kept)

    def _put(self, records: list[Record], kept: Callable[[], None]) -> None:
        self.records += records
        for record in records:
            if isinstance(record, GameOver):
                self.games.append(self._bound(record))
        kept()

    def _bound(self, over: GameOver) -> FinishedGame:
        return FinishedGame(
            over.game_number or len(self.games) + 1,
            over.game,
            over.edition,
            over.seed,
            over.first,
            over.players,
            over.names,
            json.dumps(over.lines),
            over.winner,
            over.reason,
            over.text,
            self.loop.now,
        )

    def run_query(self, query: Query) -> None:
        query.send(query.build(self._found(query.question, query.player)))

    def retry_full_disk(self) -> None:
        pass

    def saved(self) -> Snapshot:
        return saved(self.records)

    def _found(self, question: HistoryQuery, player: int) -> QueryResult:
        match question:
            case AskHistory(before=before):
                own = [game for game in self.games if player in game.players and game.number < (before or 2**62)]
                return QueryResult(games=tuple(own[: -PAGE - 2 : -1]))
            case AskReplay(game=number) | AskRecord(game=number) | AskAnalysis(game=number):
                return QueryResult(games=tuple(game for game in self.games if game.number == number))
            case AskStandings(game=slug):
                return QueryResult(rows=ranking([game for game in self.games if slug in (None, game.game)]))


def ranking(games: list[FinishedGame]) -> tuple[tuple[str, int, int, int], ...]:
    """Who has played, won and drawn how many, by the names of then."""
    seats = [(game.names[seat - 1], game.winner, seat) for game in games for seat in (1, 2)]
    played = Counter(name for name, _, _ in seats)
    won = Counter(name for name, winner, seat in seats if winner == seat)
    drawn = Counter(name for name, winner, _ in seats if winner is None)
    rows = [(name, played[name], won[name], drawn[name]) for name in played]
    return tuple(sorted(rows, key=lambda row: (-row[2], -row[1], row[0]))[:TABLE])
