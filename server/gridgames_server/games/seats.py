"""The two seats, and the readers of a game."""

SEATS = (1, 2)
Reader = int | None  # a seat, or None for the watchers

PLAYERS = {seat: f"Player {seat}" for seat in SEATS}


def other(seat: int) -> int:
    """Return the other seat."""
    return 3 - seat


def player(seat: int) -> str:
    """Return how the games' sentences name a seat. The games do not know players' names."""
    return PLAYERS[seat]
