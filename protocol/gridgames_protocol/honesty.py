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

    `typed` holds the player's accepted lines, all of them if `complete`. `chosen` holds the cells that the player chose
    for own secrets. Whoever comes in or comes back is told all seals again, so each secret has a seal in `commits`.
    """
    own = [line for seat, line in moves if seat == you]
    return [
        *_compare_lines(typed, own, complete),
        *_compare_secrets(chosen, reveals),
        *_find_unsealed(commits, reveals),
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
    opened = {reveal.what: reveal.value for reveal in reveals}
    for what, cell in chosen.items():
        if what not in opened:
            yield f"{what}: you chose {cell}, and the server did not open it."
        elif cell != opened[what]:
            yield f"{what}: you chose {cell}, and the server opened {opened[what]}."


def _find_unsealed(commits: Mapping[str, str], reveals: Iterable[Reveal]) -> Iterable[str]:
    for reveal in reveals:
        if reveal.what not in commits:
            yield f"{reveal.what} was opened, but you were never shown its seal."


def _find_opened_twice(reveals: Iterable[Reveal]) -> Iterable[str]:
    values: dict[str, str] = {}
    for reveal in reveals:
        if values.setdefault(reveal.what, reveal.value) != reveal.value:
            yield f"{reveal.what} was opened twice, as two different things."
