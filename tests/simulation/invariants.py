"""What must always hold, each with its name; and how it is said that something does not."""

INVARIANTS = {
    "acknowledged": "what was acknowledged is in the store, as it was typed",
    "once": "a play is in the store once, and a player's plays are in their order",
    "order": "a room's events follow on one another without a gap",
    "commit": "nothing leaves before its record is on disk",
    "replay": "what the server has is what the store leads to, to the last field and byte",
    "revisions": "the revisions that a reader sees have no gap, and each shows one and the same table",
    "replies": "each request gets one reply, in the order of the requests, and nothing follows on a goodbye",
    "one seat": "a seat has one live connection, and a connection one player; who has none is away",
    "place": "everybody is in the room that they were told, or in the lobby if they were told so",
    "bounds": "queues, buffers and timers are bounded",
    "secrets": "no byte sent to anybody holds a secret of somebody else",
    "clocks": "no clock runs while nobody could play, and each runs out in time",
    "coming back": "whoever was welcome is known again, with the last of their plays",
    "side file": "the number in the side file is that of the last row, or of the one before it after a crash",
    "shell": "no exception leaves the core or the shell",
    "check": "a finished game is right by the rules, and `check` says so",
    "end": "when everything heals, every game can end and every request has its reply",
}


class Breach(BaseException):
    """Something that must hold does not; no part of the server may catch it."""

    def __init__(self, invariant: str, text: str) -> None:
        super().__init__(invariant, text)
        self.invariant, self.text = invariant, text

    def __str__(self) -> str:
        return f"{self.invariant}: {INVARIANTS[self.invariant]}. But {self.text}"


def breach(invariant: str, text: str) -> Breach:
    """What is raised when an invariant does not hold."""
    assert invariant in INVARIANTS
    return Breach(invariant, text)
