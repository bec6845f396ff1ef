"""Lines that are worth keeping: each has been, or would be, a surprise to somebody who reads lines from strangers."""

from pathlib import Path

STORED = Path(__file__).with_name("corpus.txt")


def corpus():
    """Every kept line by what it is about, without its LF, as a splitter yields it."""
    kept = {}
    for row in STORED.read_text(encoding="ascii").splitlines():
        if row and not row.startswith("#"):
            about, _, digits = row.rpartition(": ")
            assert about not in kept, about
            kept[about] = bytes.fromhex(digits)
    return kept
