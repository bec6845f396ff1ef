"""Whether a server told the truth about a finished game, as far as one player can know it.

Seals alone are not enough: a server could seal something else than the player chose. So the player's own client keeps
what was typed, and compares it with what the server says at the end.
"""

from collections.abc import Iterable, Mapping, Sequence

from gridgames_protocol.messages import Reveal


def find_contradictions(
    you: int | None,
    typed: Sequence[str],
    chosen: Mapping[str, str],
    complete: bool,
    moves: Iterable[tuple[int, str]],
    commits: Mapping[str, str],
    reveals: Sequence[Reveal],
) -> list[str]:
    """Return a sentence for everything that does not fit.

    `typed` holds the player's accepted lines. `chosen` holds the cell that the player chose for each own secret.
    `complete` says that the player was there from the start of the game to its end.
    """
    own = [line for seat, line in moves if seat == you]
    return [
        *_compare_lines(typed, own, complete),
        *_compare_secrets(chosen, reveals),
        *_find_unsealed(commits, reveals if you is not None and complete else ()),
        *_find_opened_twice(reveals),
    ]


def _compare_lines(typed: Sequence[str], own: Sequence[str], complete: bool) -> Iterable[str]:
    mine, theirs = [_normalize(line) for line in typed], [_normalize(line) for line in own]
    if not complete:
        rest = iter(theirs)
        for line in mine:
            if line not in rest:
                yield f"You typed {line}, and the server's list of your moves does not have it."
                return
        return
    for number, (line, other) in enumerate(zip(mine, theirs, strict=False), start=1):
        if line != other:
            yield f"Your move {number} was {line}, and the server says that it was {other}."
            return
    if len(mine) != len(theirs):
        yield f"You made {len(mine)} moves, and the server lists {len(theirs)} of yours."


def _normalize(line: str) -> str:
    return " ".join(line.split()).upper()


def _compare_secrets(chosen: Mapping[str, str], reveals: Iterable[Reveal]) -> Iterable[str]:
    for reveal in reveals:
        cell = chosen.get(reveal.what)
        if cell is not None and cell != reveal.value:
            yield f"{reveal.what}: you chose {cell}, and the server opened {reveal.value}."


def _find_unsealed(commits: Mapping[str, str], reveals: Iterable[Reveal]) -> Iterable[str]:
    for reveal in reveals:
        if reveal.what not in commits:
            yield f"{reveal.what} was opened, but you were never shown its seal."


def _find_opened_twice(reveals: Iterable[Reveal]) -> Iterable[str]:
    values: dict[str, str] = {}
    for reveal in reveals:
        if values.setdefault(reveal.what, reveal.value) != reveal.value:
            yield f"{reveal.what} was opened twice, as two different things."
