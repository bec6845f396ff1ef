"""What people do that concerns nobody else: questions, mistakes, nonsense. They are answered, and that is all."""

from random import Random

from gridgames_protocol.messages import (
    AskAnalysis,
    AskHint,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    AskStatus,
    Create,
    Hello,
    Join,
    Ping,
    Play,
)
from tests.secrecy.server.cues import Beat
from tests.secrecy.server.recorded_service import NO_ROOM, PASSWORD

GARBAGE = (b"\xff\xfe\n", b"\x81\xa4type\n", b"\x80\n", b"\xc1" + bytes(40) + b"\n")

WORDS = ("well", "hm", "who knows", "your turn")


def alone(who: str, slug: str, chance: Random) -> Beat:
    """Something that concerns nobody else."""
    ask = (
        lambda: (Ping,),
        lambda: (AskStatus,),
        lambda: (AskHistory,),
        lambda: (AskHistory, chance.randint(1, 3)),
        lambda: (AskStandings, chance.choice((None, slug))),
        lambda: (AskReplay, chance.randint(1, 3), chance.randint(0, 3), chance.randint(0, 2)),
        lambda: (AskRecord, chance.randint(1, 3), chance.choice((0, 0, 40))),
        lambda: (AskAnalysis, chance.randint(1, 3)),
        lambda: (AskHint,),
        lambda: (Play, "x" * chance.randint(1, 150)),
        lambda: (Play, "xyzzy", chance.randint(0, 9)),
        lambda: (Hello, 1, who, None, PASSWORD),
        lambda: (Create, "no-such-game"),
        lambda: (Join, NO_ROOM),
    )
    kind = chance.randrange(len(ask) + 3)
    if kind < len(ask):
        return Beat(who, "says", ask[kind](), alone=True)
    if kind == len(ask):
        return Beat(who, "sends", (chance.choice(GARBAGE),), alone=True)
    return Beat(who, "repeats", alone=True)


def chat(who: str, chance: Random) -> Beat:
    """Something to say to the table."""
    return Beat(who, "chats", (" ".join(chance.choices(WORDS, k=chance.randint(1, 9))),))
