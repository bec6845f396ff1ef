"""A server whose records are on disk, and games that are played to their ends.

server = Archive(tmp_path / "server.sqlite")
ada, bob = server.table("grid-hunt")
ada.says(Resign)
assert [game.reason for game in ada.says(AskHistory).games] == ["resigned"]
"""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

from gridgames_protocol.messages import Push
from gridgames_protocol.views import View
from gridgames_server.core.effects import Effect, RunQuery
from gridgames_server.core.room_events import GameOver, Record
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match
from gridgames_server.storage.history_answers import Query, QueryResult, build_answer
from gridgames_server.storage.writer import Writer
from tests.server.hub_harness import Guest, HubHarness

BY_SLUG = {game.card.slug: game for game in GAMES}
LUCK = 38  # with which none of the games takes long


class Archive(HubHarness):
    """A server with a store. What the writer's thread has to say is waited for, so that everything comes in order."""

    def __init__(self, path: Path, **more: Any) -> None:
        super().__init__(**{"rate": 0, **more})
        self.calls: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self.storage = Writer(path, self.calls.put, fail)
        self.storage.load()
        self.storage.start()

    def closes(self) -> None:
        """Everything is on disk, and the file is free."""
        self.storage.close()

    def keeps(self, *records: Record) -> None:
        """Put records on disk."""
        self.storage.save(list(records), lambda: None)
        self.calls.get()()

    def does(self, effects: list[Effect]) -> None:
        """Perform effects, as the shell does: what is behind a record waits for the disk."""
        records = [effect for effect in effects if isinstance(effect, Record)]
        if records:
            self.keeps(*records)
        for effect in effects:
            if isinstance(effect, RunQuery):
                self.looks_up(effect)
            else:
                super().does([effect])

    def looks_up(self, asked: RunQuery) -> None:
        """Answer a question out of the store."""

        def build(found: QueryResult) -> Push:
            return build_answer(asked.question, found, asked.player, self.hub.config.games)

        def send(reply: Push) -> None:
            self.does(self.hub.query_answered(asked.session, reply, self.now))

        self.storage.run_query(Query(asked.question, asked.player, build, send))
        self.calls.get()()


def fail(why: object) -> None:
    """The store has met with something that no test here is about."""
    raise AssertionError(why)


def offered(view: View) -> list[str]:
    """The lines that a view offers."""
    return [line for action in view.actions for line in action.lines()]


def play_out(*seats: Guest, fouls: bool = False) -> list[tuple[View, ...]]:
    """Type what the views offer until it is over; how it looked to everybody here, at the start and after each line."""
    chance, scenes = Random(LUCK), [looks(*seats)]
    while turn := seats[0].sees.turn:
        guest = seats[turn[0] - 1]
        if fouls and guest.sees.view.phase == "play" and len(scenes) % 4 == 0:
            assert guest.types("MOVE 9 9") == ["illegal"]
        else:
            assert guest.types(chance.choice(offered(guest.sees.view))) == ["ok"]
        scenes.append(looks(*seats))
    return scenes


def looks(*guests: Guest) -> tuple[View, ...]:
    """What everybody sees."""
    return tuple(guest.sees.view for guest in guests)


def played_out(game: Game[Any], seed: bytes, first: int) -> Match:
    """A match in which each seat types something that its view offers, up to the end."""
    match, chance = Match(game, seed, first), Random(LUCK)
    while seats := sorted(match.to_act()):
        seat = chance.choice(seats)
        match.play(seat, chance.choice(offered(match.view(seat))))
    return match


def over(match: Match, number: int = 1, players: tuple[int, int] = (1, 2), **more: Any) -> GameOver:
    """The record of a match that is over, or of one that ended as `more` says."""
    ending = match.outcome
    told = {"winner": ending.winner, "reason": ending.reason, "text": ending.text} if ending else {}
    return GameOver(
        **{
            "room": 1,
            "number": number,
            "game": match.game.card.slug,
            "edition": match.game.card.edition,
            "seed": match.seed,
            "first": match.first,
            "players": players,
            "names": ("Ada", "Bob"),
            "lines": tuple((line.seat, line.text) for line in match.lines),
            **told,
            **more,
        }
    )


def resigned(number: int = 1, players: tuple[int, int] = (1, 2), winner: int | None = 1, **more: Any) -> GameOver:
    """The record of a game that ended before anybody typed a line."""
    match = Match(BY_SLUG[more.pop("game", "grid-hunt")], bytes(32), 1)
    return over(match, number, players, winner=winner, reason="resigned" if winner else "clock", text="Over.", **more)
