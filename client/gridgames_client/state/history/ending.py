"""A finished game at the table, before it is listed in the history."""

from dataclasses import dataclass

from gridgames_protocol import commitments
from gridgames_protocol.messages import Analysis, Over, Reveal


@dataclass(slots=True)
class Ending:
    """A finished game: its result, its moves and openings, and what came of checking them."""

    over: Over
    moves: tuple[tuple[int, str], ...]
    reveals: tuple[Reveal, ...]
    verdict: commitments.Verdict
    analysis: Analysis | None = None  # None until it arrives
    contradictions: tuple[str, ...] = ()  # where the server contradicts itself or this client
