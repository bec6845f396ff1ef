"""One whole match of each game, kept as a page beside the tests: what changes in it is reviewed as a diff."""

from difflib import unified_diff
from pathlib import Path

import pytest

from gridgames_server.games import GAMES
from tests.server.games.transcript import transcript
from tests.sixth_game import Pebbles

STORED = Path(__file__).parent / "transcripts"
ALL = {game.card.slug: game for game in (*GAMES, Pebbles())}

# Each: the seed's number, who moves first, and what is typed, wrong lines included.
SCRIPTS: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "treasure-hunt-duel": (
        13,
        1,
        (
            "1> hello",
            "1> QUERY 2B",
            "1> QUERY 3C",
            "2> QUERY 2B",
            "2> QUERY 6F",
            "2> query (5,a)",
            "1> GUESS 3E",
            "2> GUESS 1A",
            "1> QUERY 3C",
            "2> GUESS 3E",
            "1> QUERY 4D",
            "1> GUESS 4D",
            "2> GUESS 4D",
        ),
    ),
    "grid-hunt": (
        2,
        1,
        (
            "2> HIDE 5 5",
            "2> HIDE 1 1",
            "1> SCAN 3 3",
            "1> HIDE 6 1",
            "1> hide (2,3)",
            "2> SCAN 1 1",
            "1> SCAN 3,3",
            "2> SCAN 1,1",
            "1> SCAN 4,4",
            "2> DIG 2,2",
            "1> SCAN 53",
            "2> SCAN 4 4",
            "1> SCAN 1 1",
            "1> DIG 4 4",
            "2> 1",
            "2> DIG 5 5",
            "1> DIG 5,5",
        ),
    ),
    "grid-conquest": (
        3,
        2,
        (
            "2> claim",
            "2> F9",
            "2> c3",
            "2> B3",
            "1> 3C",
            "1> B3",
            "2> B2",
            "1> CLAIM E5",
            "2> A3",
            "1> (D,5)",
            "2> 4 b",
        ),
    ),
    "quantum-duel": (
        4,
        1,
        (
            "1> OBSERVE 3",
            "1> STAY",
            "1> MOVE 8",
            "1> MOVE 3",
            "1> MOVE 4",
            "1> OBSERVE 5",
            "2> TUNNEL 6",
            "2> OBSERVE 4",
            "1> MOVE 6",
            "1> MOVE 4",
            "1> OBSERVE 5",
            "1> OBSERVE 7",
            "2> TUNNEL 1",
            "2> MOVE 1",
            "2> MOVE 5",
            "2> OBSERVE 3",
            "1> STAY",
            "1> OBSERVE 6",
            "2> STAY",
            "2> OBSERVE 2",
            "1> TUNNEL 5",
            "1> OBSERVE 5",
        ),
    ),
    "secret-paths": (
        5,
        1,
        (
            "1> MOVE 4 2",
            "1> GOAL 1 2",
            "1> GOAL 2",
            "1> GOAL 3",
            "2> GOAL 1 4",
            "1> jump to 4,2",
            "1> move to 1,1",
            "2> move to 1,4",
            "1> move to 3,3",
            "1> move to 4,2",
            "2> MOVE 33",
            "1> move to 6,3",
            "1> move to 2,4",
            "2> move to 1,4",
        ),
    ),
    "pebbles": (6, 2, ("1> HOLD 2", "1> HOLD 3", "2> HOLD 5", "2> HOLD 3", "2> GUESS 4", "1> GUESS 4", "1> GUESS 5")),
}


@pytest.mark.parametrize("slug", ALL)
def test_a_match_goes_as_its_transcript_says(slug, rewrite):
    number, first, script = SCRIPTS[slug]
    page, file = transcript(ALL[slug], number.to_bytes(32, "big"), first, script), STORED / f"{slug}.txt"
    if rewrite:
        STORED.mkdir(exist_ok=True)
        file.write_text(page, encoding="utf-8", newline="\n")
    if not file.exists():
        pytest.fail(f"{slug} has no transcript: run pytest with --rewrite, and read what it writes to {file.name}.")
    stored = file.read_text(encoding="utf-8")
    if stored != page:
        difference = unified_diff(stored.splitlines(), page.splitlines(), "as stored", "as it goes now", lineterm="")
        pytest.fail("\n".join(difference), pytrace=False)


def test_every_transcript_belongs_to_a_game():
    assert {file.stem for file in STORED.iterdir()} <= set(ALL)


@pytest.mark.parametrize("slug", ALL)
def test_a_transcript_tells_a_game_to_its_end_with_a_few_refusals(slug):
    number, first, script = SCRIPTS[slug]
    page = transcript(ALL[slug], number.to_bytes(32, "big"), first, script)
    assert "\nover     winner" in page
    assert page.count("! ") >= 3
