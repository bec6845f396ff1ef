"""Two dialogues: choose one of several actions, and make a new room."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from gridgames_client.state.commands import NO_ID
from gridgames_protocol.messages import Create, First, Level
from gridgames_protocol.views import Action

FIRST_PLAYERS: tuple[First, ...] = ("random", "host", "guest")
LEVELS: tuple[Level | None, ...] = (None, "easy", "medium", "hard")  # of a computer to play against; None: a friend
CLOCKS = (None, 30, 60, 120, 300)
RoomRow = Literal["Game", "Against", "Begins", "Clock", "Listed", "Assist", "Hints", "Rules"]
ROOM_ROWS: tuple[RoomRow, ...] = get_args(RoomRow)


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice among several actions for one cell."""

    actions: tuple[Action, ...]
    cell: str

    def build_line(self, number: int) -> str:
        """The line of one action."""
        return self.actions[number].form.replace("{cell}", self.cell)


@dataclass(frozen=True, slots=True)
class NewRoom:
    """The dialogue for a new room: a game and its options."""

    games: tuple[str, ...]
    game: int = 0
    level: int = 0
    first: int = 0
    clock: int = 0
    private: bool = False
    chosen_assist: bool | None = None  # None: the player has not chosen
    row: int = 0
    games_with_assist: frozenset[str] = frozenset()  # the games that can have assist
    wants_assist: bool = True  # against the computer, unless the player chooses otherwise here
    hints: bool = False
    variant: int = 0  # 0: the usual rules
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by game

    def move_row(self, by: int) -> "NewRoom":
        """Move the cursor by some rows."""
        return replace(self, row=(self.row + by) % len(self.rows))

    @property
    def rows(self) -> tuple[RoomRow, ...]:
        """The rows. Rules can be chosen only if the game has several."""
        return ROOM_ROWS if self.own_variants else ROOM_ROWS[:-1]

    @property
    def own_variants(self) -> tuple[str, ...]:
        """The variants of the chosen game."""
        return self.variants.get(self.games[self.game], ())

    def change_value(self, by: int) -> "NewRoom":
        """Change the value in the cursor's row."""
        match self.rows[self.row]:
            case "Game":
                return replace(self, game=(self.game + by) % len(self.games), variant=0)
            case "Against":
                return replace(self, level=(self.level + by) % len(LEVELS))
            case "Begins":
                return replace(self, first=(self.first + by) % len(FIRST_PLAYERS))
            case "Clock":
                return replace(self, clock=(self.clock + by) % len(CLOCKS))
            case "Listed":
                return replace(self, private=not self.private)
            case "Assist":
                return replace(self, chosen_assist=not self.will_assist)
            case "Hints":
                return replace(self, hints=not self.hints)
            case "Rules":
                return replace(self, variant=(self.variant + by) % (1 + len(self.own_variants)))

    @property
    def will_assist(self) -> bool | None:
        """True if the room will have assist; None if its game has none. Against a friend it is off at first."""
        if self.games[self.game] not in self.games_with_assist:
            return None
        is_wanted = self.wants_assist and LEVELS[self.level] is not None
        return is_wanted if self.chosen_assist is None else self.chosen_assist

    @property
    def will_hint(self) -> bool:
        """True if both players may ask for hints. Against the computer one always may."""
        return self.hints or LEVELS[self.level] is not None

    def build_request(self) -> Create:
        """The request for this room."""
        return Create(
            NO_ID,
            self.games[self.game],
            FIRST_PLAYERS[self.first],
            LEVELS[self.level],
            self.private,
            CLOCKS[self.clock],
            bool(self.will_assist),
            self.own_variants[self.variant - 1] if self.variant else None,
            hints=self.hints,
        )
