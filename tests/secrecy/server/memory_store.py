"""Where an evening's records are kept: in memory, at once or a little later, or not at all while it is full."""

import json
from collections import Counter
from collections.abc import Callable

from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings
from gridgames_server.deeds import GameOver, Record, Saved
from gridgames_server.history import PAGE, TABLE, Found, Kept, Question
from tests.server.kept import saved
from tests.server.twins.wires import Loop


class Cupboard:
    """Answers as the store does."""

    def __init__(self, loop: Loop, delay: float) -> None:
        self.loop, self.delay = loop, delay
        self.full = False
        self.records: list[Record] = []
        self.games: list[Kept] = []

    def keep(self, records: list[Record], kept: Callable[[], None], refused: Callable[[], None]) -> None:
        if self.full:
            refused()
        elif self.delay:
            self.loop.call_later(self.delay, self._put, records, kept)
        else:
            self._put(records, kept)

    def _put(self, records: list[Record], kept: Callable[[], None]) -> None:
        self.records += records
        for record in records:
            if isinstance(record, GameOver):
                self.games.append(self._bound(record))
        kept()

    def _bound(self, over: GameOver) -> Kept:
        return Kept(
            len(self.games) + 1,
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

    def look(self, question: Question, player: int, answer: Callable[[Found], None]) -> None:
        answer(self._found(question, player))

    def reload(self) -> Saved:
        return saved(self.records)

    def _found(self, question: Question, player: int) -> Found:
        match question:
            case AskHistory(before=before):
                own = [game for game in self.games if player in game.players and game.number < (before or 2**62)]
                return Found(games=tuple(own[: -PAGE - 2 : -1]))
            case AskReplay(game=number):
                return Found(games=tuple(game for game in self.games if game.number == number))
            case AskStandings(game=slug):
                return Found(rows=ranking([game for game in self.games if slug in (None, game.game)]))


def ranking(games: list[Kept]) -> tuple[tuple[str, int, int, int], ...]:
    """Who has played, won and drawn how many, by the names of then."""
    seats = [(game.names[seat - 1], game.winner, seat) for game in games for seat in (1, 2)]
    played = Counter(name for name, _, _ in seats)
    won = Counter(name for name, winner, seat in seats if winner == seat)
    drawn = Counter(name for name, winner, _ in seats if winner is None)
    rows = [(name, played[name], won[name], drawn[name]) for name in played]
    return tuple(sorted(rows, key=lambda row: (-row[2], -row[1], row[0]))[:TABLE])
