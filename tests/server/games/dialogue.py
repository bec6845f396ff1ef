"""Games as dialogues: who types what, and what each one at the table reads of it.

A dialogue is written down as it is heard. `1>` stands before what seat 1 types and `1!` before how it is refused.
Before a sentence stand its readers: `12w` for everybody, `1..` for seat 1 alone, `.2w` for all but seat 1; w watches.
`end 1 treasure:` stands before the last sentence: who won, and why. An indented line goes on with the one above it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import ndiff
from textwrap import dedent
from typing import Any

import pytest

from gridgames_protocol.views import Board, View
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Chance, Game, Step
from gridgames_server.games.match import Match
from gridgames_server.games.narration import Announcement
from gridgames_server.games.seats import Reader
from gridgames_server.values import value

TYPED = re.compile(r"([12])> (.*)")
SEED = bytes(range(32))


@value
class Rigged(Chance):
    """Chance whose draws were chosen, each by its label."""

    draws: Mapping[str, int] = field(default_factory=dict)

    def below(self, bound: int, label: str) -> int:
        assert 0 <= self.draws[label] < bound
        return self.draws[label]


@dataclass(frozen=True)
class WithDraws:
    """A game that draws what was chosen, whatever its seed."""

    game: Game[Any]
    draws: Mapping[str, int]

    def start(self, chance: Chance, first: int) -> Step[Any]:
        return self.game.start(Rigged(chance.seed, self.draws), first)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


class Table:
    """Two seats and a watcher around a match."""

    def __init__(self, game: Game[Any], first: int = 1, draws: Mapping[str, int] | None = None) -> None:
        self.match = Match(WithDraws(game, draws) if draws else game, SEED, first)
        self.told = self.match.announce_start()

    def types(self, seat: int, *lines: str) -> None:
        """A seat types lines that are accepted, fouls included."""
        for line in lines:
            self.told = self.match.play(seat, line).announcements

    def reads(self, reader: Reader) -> list[str]:
        """The sentences that a reader was told of the last line."""
        return [announcement.event.text for announcement in self.told if reader in announcement.readers]

    def refuses(self, seat: int, line: str) -> tuple[str, str]:
        """Code and sentence of a refusal, which changes nothing."""
        state, lines = self.match.state, list(self.match.lines)
        with pytest.raises(Refusal) as caught:
            self.match.play(seat, line)
        assert self.match.state is state
        assert self.match.lines == lines
        return caught.value.code, caught.value.text

    def sees(self, reader: Reader) -> View:
        """What a reader sees now."""
        return self.match.view(reader)

    def marks(self, reader: Reader) -> dict[str, tuple[str, str]]:
        """Text and kind of each cell in which a reader sees something written."""
        return marks_on(self.sees(reader).board)

    def second_marks(self, reader: Reader) -> dict[str, tuple[str, str]]:
        """The same for the board beside or under it."""
        (second,) = self.sees(reader).boards
        return marks_on(second.board)

    def corners(self, reader: Reader) -> dict[str, str]:
        """The small text in the corner of each cell that has one."""
        board = self.sees(reader).board
        return {name: corner for name, corner in zip(board.names, board.corners, strict=True) if corner}

    def allows(self, seat: int) -> dict[str, tuple[str, ...] | None]:
        """The verbs that a seat may type, each with its cells."""
        return {action.verb: action.cells for action in self.sees(seat).actions}

    def goes(self, script: str) -> None:
        """Type what the dialogue types, and check that all the rest is heard as it stands there."""
        wanted = re.sub(r"\n +", " ", dedent(script).strip()).splitlines()
        heard = [] if TYPED.match(wanted[0]) else [heard_as(announcement) for announcement in self.told]
        for line in wanted:
            if typed := TYPED.fullmatch(line):
                heard += self._typed(int(typed[1]), typed[2])
        assert heard == wanted, "the dialogue goes otherwise (- as written, + as heard):\n" + "\n".join(
            ndiff(wanted, heard)
        )

    def _typed(self, seat: int, line: str) -> Iterator[str]:
        yield f"{seat}> {line}"
        try:
            played = self.match.play(seat, line)
        except Refusal as refusal:
            yield f"{seat}! {refusal.code}: {refusal}"
            return
        self.told = played.announcements
        if played.foul:
            yield f"{seat}! {played.foul.code}: {played.foul}"
        yield from map(heard_as, self.told)
        if ending := self.match.outcome:
            yield f"end {ending.winner or 'nobody'} {ending.reason}: {ending.text}"


def marks_on(board: Board) -> dict[str, tuple[str, str]]:
    """Text and kind of each cell in which something is written."""
    return {name: (text, kind) for name, text, kind in zip(board.names, board.texts, board.kinds, strict=True) if text}


def heard_as(announcement: Announcement) -> str:
    """A sentence with its readers before it."""
    marks = ((1, "1"), (2, "2"), (None, "w"))
    return (
        "".join(mark if reader in announcement.readers else "." for reader, mark in marks)
        + f" {announcement.event.text}"
    )
