"""The five games and a sixth as stories: who types what, up to the start, the middle or the end."""

from tests.client.evening import Evening

EXAMPLE = "53152 24251 43453 11523 12214".replace(" ", "")  # a board of Grid Conquest, row by row


def values(board: str) -> dict[str, int]:
    """The draws that lead to a board of Grid Conquest."""
    names = [row + col for row in "ABCDE" for col in "12345"]
    return {f"value of {name}": int(value) - 1 for name, value in zip(names, board, strict=True)}


DRAWS = {"treasure-hunt-duel": {"treasure": 18}, "grid-conquest": values(EXAMPLE)}

# Who types what before each moment: at the start, in the middle, at the end. The originals' examples, where there are.
STORIES: dict[str, tuple[str, str, str]] = {
    "treasure-hunt-duel": ("", "1 QUERY 2B|2 QUERY 5A|1 QUERY 3C", "2 QUERY 4B|1 GUESS 4D"),
    "grid-hunt": ("", "1 HIDE 2 3|2 HIDE 5 5|1 SCAN 3 3|2 SCAN 1 1|1 SCAN 4 4|2 DIG 2 2", "1 DIG 5 5"),
    "grid-conquest": ("", "1 C3|2 D4|1 D3|2 A1", "1 B2|2 B4|1 C5"),
    "quantum-duel": ("", "1 MOVE 4|1 OBSERVE 2|2 TUNNEL 6|2 OBSERVE 3|1 MOVE 5", "1 OBSERVE 7|2 MOVE 5|2 OBSERVE 7"),
    "secret-paths": ("", "1 GOAL 5 2|2 GOAL 1 4|1 move to 4,2", "2 move to 3,3|1 move to 2,4|2 move to 1,4"),
    "pebbles": ("", "1 HOLD 2|2 HOLD 3|1 GUESS 4", "2 GUESS 5"),
}
MOMENTS = ("start", "middle", "end")


def story(slug: str, until: str, assist: bool = False) -> Evening:
    """A game as far as it has come at a moment."""
    evening = Evening(slug, draws=DRAWS.get(slug), assist=assist)
    for lines in STORIES[slug][: MOMENTS.index(until) + 1]:
        for line in filter(None, lines.split("|")):
            evening.types(int(line[0]), line[2:])
    return evening
