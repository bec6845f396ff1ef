"""Who reads every byte that the server says and every record that it keeps, and holds the one against the other."""

import hashlib
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridgames_protocol.messages import (
    Again,
    AskHint,
    AskHistory,
    AskReplay,
    AskStandings,
    Chat,
    Claim,
    Create,
    Join,
    Leave,
    OfferDraw,
    Play,
    Request,
    Resign,
)
from gridgames_server.core.players import hash_token
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import LinePlayed, Record, RoomEvent
from gridgames_server.core.state import CANNOT_SAVE
from tests.simulation.clock_fairness import ClockWatcher
from tests.simulation.invariants import breach
from tests.simulation.raw_maps import unpacked
from tests.simulation.shadow_hub import Shadow
from tests.simulation.simulated_host import MARK
from tests.simulation.simulated_network import Wire

if TYPE_CHECKING:
    from tests.simulation.world import World

RAW, HEX = MARK, MARK.hex().encode()
TYPED = (b"hIdE", b"gOaL", b"mOvE")  # how a secret line is typed here, and nowhere else
OPEN = {"over", "opening", "replay"}  # where everything may be read
LATER = (AskHint, AskHistory, AskReplay, AskStandings)  # answered when a thread has found it
QUERIES = (AskHistory, AskReplay, AskStandings)
TABLE = ("phase", "turn", "you", "prompt", "board", "facts", "actions", "state", "private")  # what a revision shows
KEPT: dict[type, str] = {  # the record that each of these leads to
    Again: "again",
    Claim: "stop",
    Create: "sit",
    Join: "sit",
    Leave: "left",
    OfferDraw: "draw",
    Resign: "resigned",
}


@dataclass
class Heard:
    """What was said on a wire, both ways."""

    asked: deque[Request] = field(default_factory=deque)  # and not yet answered
    later: dict[int, Request] = field(default_factory=dict)
    rest: bytes = b""  # of a line that is not complete
    player: int = 0  # who was welcomed on it
    place: dict[str, Any] | None = None  # the room that the reader is in, as last told
    revs: dict[str, int] = field(default_factory=dict)
    parted: bool = False  # a goodbye was said
    help: bool = False  # the reader came to the wrong door
    present: bool = True  # the server counts on the wire, and does not only say its last words


class Witness:
    """Knows what is kept, and sees to it that nobody is told anything else."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.shadow = Shadow()
        self.clocks = ClockWatcher(world, self.shadow)
        self.digest = hashlib.blake2b()
        self.wires: dict[int, Heard] = {}
        self.shown: dict[tuple[str, int | None, int], dict[str, Any]] = {}
        self.acknowledged: Counter[tuple[int, str]] = Counter()
        self.touched: set[int] = set()  # rooms with records since they were last held against the shadow
        self.records = self.lines = 0

    # The disk ---------------------------------------------------------------------------------------------------------

    def sees_kept(self, record: Record) -> None:
        """A record is on disk."""
        self.records += 1
        self.digest.update(repr(record).encode())
        self.shadow.keeps(record)
        if isinstance(record, RoomEvent):
            self.touched.add(record.room)
            self.clocks.sees(record)
            if isinstance(record, LinePlayed):
                self._was_typed(record)

    def _was_typed(self, event: LinePlayed) -> None:
        holder = self.shadow.rooms[event.room].audience.seats[event.seat]
        if holder and not holder.bot and event.line not in self.world.typed.get((holder.token_hash, event.play), ()):
            raise breach("acknowledged", f"play {event.play} of player {holder.number} is kept as nobody has typed it")

    # The wires --------------------------------------------------------------------------------------------------------

    def sees_asked(self, wire: Wire, request: Request) -> None:
        """A client says something."""
        heard = self.wires.setdefault(wire.number, Heard())
        if isinstance(request, LATER):
            heard.later[request.id] = request
        else:
            heard.asked.append(request)

    def hears(self, wire: Wire, chunk: bytes) -> None:
        """The server says something: it must be true, and no secret."""
        self.digest.update(b"%d:" % wire.number + chunk)
        heard = self.wires.setdefault(wire.number, Heard())
        if chunk.startswith((b"This is a gridgames server", b"HTTP/1.0")):
            heard.help = True
            return
        if heard.help or heard.parted:
            raise breach("replies", f"wire {wire.number} is told more after a goodbye")
        heard.present = wire.connection.id in self.world.host.hub.sessions
        *lines, heard.rest = (heard.rest + chunk).split(b"\n")  # long output is sent in pieces
        marked = any(HEX in line or RAW in line or any(typed in line for typed in TYPED) for line in lines)
        for line in lines:
            self.lines += 1
            told = unpacked(line)
            if marked:
                self._keeps_secrets(heard, line, told)
            check = CHECKS.get(told["type"])
            if check:
                check(self, heard, told)
            if "re" in told:
                self._is_reply(heard, told)

    def _keeps_secrets(self, heard: Heard, line: bytes, told: dict[str, Any]) -> None:
        if RAW in line or line.count(HEX) != (told["type"] == "welcome"):
            raise breach("secrets", f"a {told['type']} has a seed or a token in it")
        if told["type"] not in OPEN and any(typed in line for typed in TYPED):
            raise breach("secrets", f"a {told['type']} has a line in it that was typed in secret")

    def _is_reply(self, heard: Heard, told: dict[str, Any]) -> None:
        re = told["re"]
        if re in heard.later:
            del heard.later[re]
            return
        if not heard.asked or heard.asked[0].id != re:
            expected = heard.asked[0].id if heard.asked else "nothing"
            raise breach("replies", f"a {told['type']} answers {re} where {expected} comes first")
        request = heard.asked.popleft()
        if told["type"] == "ok":
            self._is_granted(heard, request, told)
        elif told["type"] == "error" and isinstance(request, Play):
            self._is_refused(heard, request, told)

    def _is_granted(self, heard: Heard, request: Request, told: dict[str, Any]) -> None:
        """What a nod says has happened is on disk."""
        shadow = self.shadow
        match request:
            case Play(id, line):
                if shadow.played.get((heard.player, id)) is None:
                    raise breach("acknowledged", f"play {id} of player {heard.player} is not on disk")
                if shadow.played[heard.player, id] != line:
                    raise breach("acknowledged", f"play {id} of player {heard.player} is another one on disk")
            case Chat(text=text):
                said = shadow.told[self._room(heard).number].chats
                if not any(chat.endswith("\n" + text) for chat in said):
                    raise breach("commit", "a chat is acknowledged that is not on disk")
            case Again() | Create() | Join() | Claim() | Resign() | Leave() | OfferDraw():
                if isinstance(request, Create | Join) and told["room"] not in shadow.codes:
                    raise breach("commit", "a room is named that is not on disk")
                if isinstance(request, Leave) and not (heard.place and heard.place["you"]):
                    return
                key = heard.player, KEPT[type(request)]
                self.acknowledged[key] += 1
                if self.acknowledged[key] > shadow.done[key]:
                    raise breach("commit", f"a {type(request).__name__} is acknowledged that is not on disk")

    def _is_refused(self, heard: Heard, play: Play, told: dict[str, Any]) -> None:
        """What was refused has left no trace, but for a foul; on a wire that ends, `last_play` has the last word."""
        if told["code"] in ("illegal", "bad_request", "too_fast") or not heard.present:
            return
        if any(later.id == play.id for later in heard.asked):
            return  # it came again, and what became of that is said next
        if (heard.player, play.id) in self.shadow.played:
            why = "for want of space" if told["text"] == CANNOT_SAVE else told["code"]
            raise breach("acknowledged", f"play {play.id} of player {heard.player} is on disk, and refused: {why}")

    # What is told -----------------------------------------------------------------------------------------------------

    def _room(self, heard: Heard) -> Room:
        if heard.place is None:
            raise breach("place", f"player {heard.player} is told what happens in a room, and not in which")
        return self.shadow.codes[heard.place["room"]]

    def _welcome(self, heard: Heard, told: dict[str, Any]) -> None:
        player = self.shadow.by_token.get(hash_token(told["token"]))
        if player is None:
            raise breach("commit", "somebody is welcomed who is not on disk")
        heard.player = player.number
        if told["last_play"] != player.last_play:
            text = f"player {player.number} is told that {told['last_play']} was their last play"
            raise breach("coming back", f"{text}, and it was {player.last_play}")
        if told["room"] is None and player.room is not None:
            raise breach("coming back", f"player {player.number} has a seat, and is not told so")

    def _is_in(self, heard: Heard, told: dict[str, Any]) -> None:
        """The room as it is told has been kept so."""
        room = self.shadow.codes.get(told["room"])
        if room is None:
            raise breach("commit", "a room is described that is not on disk")
        ahead = told["number"] > room.games or any(a > b for a, b in zip(told["score"], room.score, strict=True))
        if ahead or (told["state"] == "over" and not self.shadow.told[room.number].ends):
            raise breach("commit", "a room is described as it is not on disk")
        if not heard.place or heard.place["room"] != told["room"]:
            heard.revs.pop(told["room"], None)
        heard.place = told

    def _is_in_lobby(self, heard: Heard, told: dict[str, Any]) -> None:
        heard.place = None
        for row in told["rooms"]:
            room = self.shadow.codes.get(row["room"])
            if room is None or (row["state"] != "waiting" and not room.games):
                raise breach("commit", "the lobby is told of what is not on disk")
            if room.private:
                raise breach("secrets", "the lobby is told of a private room")

    def _sees(self, heard: Heard, told: dict[str, Any]) -> None:
        """A table that is shown has been kept so, and comes next."""
        code, rev, you = told["room"], told["rev"], told["you"]
        room = self.shadow.codes.get(code)
        if room is None or rev > room.rev:
            raise breach("commit", f"revision {rev} is shown, and the disk has {room and room.rev}")
        holder = room.audience.seats[you] if you else None
        if holder and holder.number != heard.player:
            raise breach("secrets", f"player {heard.player} is shown what player {holder.number} sees")
        before = heard.revs.get(code)
        if before is not None and not before <= rev <= before + 1:
            raise breach("revisions", f"revision {rev} is shown after {before}")
        heard.revs[code] = rev
        first = self.shown.setdefault((code, you, rev), told)
        if first is not told and any(first.get(part) != told.get(part) for part in TABLE):
            raise breach("revisions", f"revision {rev} shows two tables to one reader")
        if rev == room.rev and (rev + self.lines) % 8 == 0 and not self.shadow.told[room.number].closed:
            again = self.shadow.view(room, you)
            if any(again.get(part) != told.get(part) for part in TABLE):
                raise breach("replay", f"revision {rev} of a {room.game.card.slug} is shown as no replay shows it")

    def _reads(self, heard: Heard, told: dict[str, Any]) -> None:
        """An event that is told has been kept."""
        if told["kind"] == "chat":
            said = self.shadow.told[self._room(heard).number].chats
            if f"{told['name']}\n{told['text']}" not in said:
                raise breach("commit", "a chat is told that is not on disk")
        commit = told.get("commit")
        if commit and commit["hash"] not in self.shadow.told[self._room(heard).number].seals:
            raise breach("commit", "a seal is shown of what is not on disk")

    def _is_over(self, heard: Heard, told: dict[str, Any]) -> None:
        """A result that is told has been kept, with all the moves that led there."""
        ends = self.shadow.told[self._room(heard).number].ends
        for end in ends:
            same = (end.winner, end.reason, end.text) == (told["winner"], told["reason"], told["text"])
            if same and end.moves[len(end.moves) - len(told["moves"]) :] == told["moves"]:
                return
        raise breach("commit", "a result is told that is not on disk")

    def _is_wrong(self, heard: Heard, told: dict[str, Any]) -> None:
        if told["code"] != "internal":
            return
        if self.world.failed_queries and isinstance(heard.later.get(told["re"]), QUERIES):
            self.world.failed_queries -= 1
        else:
            raise breach("shell", f"player {heard.player} is told that something went wrong on the server")

    def _parts(self, heard: Heard, told: dict[str, Any]) -> None:
        heard.parted = True


CHECKS: dict[str, Any] = {
    "welcome": Witness._welcome,
    "room": Witness._is_in,
    "lobby": Witness._is_in_lobby,
    "view": Witness._sees,
    "event": Witness._reads,
    "over": Witness._is_over,
    "error": Witness._is_wrong,
    "bye": Witness._parts,
}
