"""What the player is asked over the table: which of several actions, and what a new room should be like."""

from dataclasses import dataclass, replace

from gridgames_client.commands import NO_ID
from gridgames_protocol.messages import Create, First, Level
from gridgames_protocol.views import Action

FIRSTS: tuple[First, ...] = ("random", "host", "guest")
LEVELS: tuple[Level | None, ...] = (None, "easy", "medium", "hard")  # of a computer to play against; None: a friend
CLOCKS = (None, 30, 60, 120, 300)


@dataclass(frozen=True, slots=True)
class Choice:
    """Several actions fit one cell: which?"""

    actions: tuple[Action, ...]
    cell: str

    def line(self, number: int) -> str:
        """What is typed for one of them."""
        return self.actions[number].form.replace("{cell}", self.cell)


@dataclass(frozen=True, slots=True)
class NewRoom:
    """The dialogue that makes a room: a game, and five options."""

    games: tuple[str, ...]
    game: int = 0
    level: int = 0
    first: int = 0
    clock: int = 0
    private: bool = False
    assist: bool = False
    row: int = 0
    helped: frozenset[str] = frozenset()  # the games that can have assist

    def moved(self, by: int) -> "NewRoom":
        """Go to another row."""
        return replace(self, row=(self.row + by) % 6)

    def turned(self, by: int) -> "NewRoom":
        """Change what the row says."""
        match self.row:
            case 0:
                return replace(self, game=(self.game + by) % len(self.games))
            case 1:
                return replace(self, level=(self.level + by) % len(LEVELS))
            case 2:
                return replace(self, first=(self.first + by) % len(FIRSTS))
            case 3:
                return replace(self, clock=(self.clock + by) % len(CLOCKS))
            case 4:
                return replace(self, private=not self.private)
            case _:
                return replace(self, assist=not self.assist)

    @property
    def assisted(self) -> bool | None:
        """True if the room will have assist; None if its game has none."""
        return self.assist if self.games[self.game] in self.helped else None

    def request(self) -> Create:
        """What to ask the server for."""
        game, first, clock = self.games[self.game], FIRSTS[self.first], CLOCKS[self.clock]
        return Create(NO_ID, game, first, LEVELS[self.level], self.private, clock, bool(self.assisted))
