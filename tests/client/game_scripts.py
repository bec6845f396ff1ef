"""The five games and a sixth as stories: who types what, up to the start, the middle or the end."""

from gridgames_client.state.controllers.controller import Controller
from tests.client.seated_controllers import Scenario

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
# Bo hides in the middle, Ada asks a question that tells her little, and Bo is quicker.
ANALYSED = "1 HIDE 1 5|2 HIDE 4 4|1 SCAN 2 2|2 SCAN 1 4|1 SCAN 2 3|2 DIG 1 3|1 SCAN 3 5|2 DIG 2 4|1 DIG 1 5|2 DIG 1 5"
MOMENTS = ("start", "middle", "end")


def story(slug: str, until: str, assist: bool = False) -> Scenario:
    """A game as far as it has come at a moment."""
    scenario = Scenario(slug, draws=DRAWS.get(slug), assist=assist)
    for lines in STORIES[slug][: MOMENTS.index(until) + 1]:
        type_lines(scenario, lines)
    return scenario


def type_lines(scenario: Scenario, lines: str) -> Scenario:
    """Let both players type their lines in turn."""
    for line in filter(None, lines.split("|")):
        scenario.types(int(line[0]), line[2:])
    return scenario


# Positions in full swing, with the cursor where the next move might go. Secrets are shown; assist is on where it is.
SWINGS = {
    "treasure-hunt-duel": ("1 QUERY 3C|2 QUERY 4B|1 QUERY 2C|2 QUERY 5E", "4D"),
    "grid-hunt": ("1 HIDE 2 3|2 HIDE 5 5|1 SCAN 2 4|2 SCAN 4 4|1 DIG 5 3|2 DIG 2 5", "4,2"),
    "grid-conquest": ("1 C3|2 D4|1 D3|2 A1|1 B2|2 B4", "C5"),
    "quantum-duel": (
        "1 MOVE 2|1 OBSERVE 5|2 MOVE 6|2 OBSERVE 4|1 MOVE 3|1 OBSERVE 7|2 MOVE 7|2 OBSERVE 1|1 STAY|1 OBSERVE 4|2 STAY|"
        "2 OBSERVE 5|1 MOVE 4|1 OBSERVE 1|2 MOVE 6|2 OBSERVE 2|1 MOVE 5|1 OBSERVE 7|2 STAY|2 OBSERVE 3|1 MOVE 4",
        "6",
    ),
    "secret-paths": (
        "1 GOAL 5 2|2 GOAL 1 4|1 move to 4,2|2 move to 3,1|1 move to 2,1|2 move to 1,2|1 move to 2,2|2 move to 2,3|"
        "1 move to 3,4|2 move to 2,5",
        "3,5",
    ),
}


def full_swing(slug: str) -> Controller:
    """The first player's controller in the middle of a game."""
    lines, cursor = SWINGS[slug]
    scenario = Scenario(slug, draws=DRAWS.get(slug), clock=60, assist=slug != "grid-conquest")
    scenario.tell_room(score=(1, 0, 0), number=2)
    type_lines(scenario, lines)
    scenario.types(2, "/chat getting warm?")
    controller = scenario.controllers[1]
    controller.model.masked = False
    scenario.time.now += 18
    controller.cursor = controller.model.board.names.index(cursor) if controller.model.board else 0
    return controller
