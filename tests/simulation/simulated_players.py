"""Players who want to play: they come, sit down, type lines, lose their wires and come back.

Each has a character: how often they hit Enter twice, type nonsense or out of turn, and by which policy they play.
"""

from typing import TYPE_CHECKING, Any

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.framing import SERVER_LINE_MAX, Splitter
from gridgames_protocol.messages import (
    Again,
    AskHint,
    AskHistory,
    AskReplay,
    AskStandings,
    AskStatus,
    ByeRequest,
    Chat,
    Claim,
    Create,
    Hello,
    Join,
    Leave,
    OfferDraw,
    Ping,
    Play,
    Request,
    Resign,
    Show,
    Watch,
)
from gridgames_server.bots import BOTS
from gridgames_server.core.players import hash_token
from gridgames_server.games import VARIANTS
from gridgames_server.games.game import Chance
from tests.simulation.invariants import breach
from tests.simulation.play_styles import NONSENSE, Character, disguised
from tests.simulation.raw_maps import unpacked
from tests.simulation.simulated_network import Wire

if TYPE_CHECKING:
    from tests.simulation.world import World

ANSWER_WITHIN = 30.0  # then the wire is dead, as far as a client can tell
HEARTBEAT = 12.0
PATIENCE = 60  # lines of one's own in a game, then it is given up
ASKS = 0.06  # the chance that an action is a question


class Guest:
    """Somebody at a terminal."""

    def __init__(self, world: "World", name: str, character: Character) -> None:
        self.world, self.name, self.character = world, name, character
        self.rnd, self.clock = world.rnd, world.clock
        self.address = f"10.0.0.{1 + world.rnd.randrange(9)}"
        self.token: str | None = None
        self.next_id = 1
        self.wire: Wire | None = None
        self.unsettled: Play | None = None  # typed, and nobody knows whether it was accepted
        self.wants_to_go = self.gone = False
        self.is_curious = True  # asks for the finished games before leaving
        self.tries = 0
        self._on_a_new_wire()
        self.next_action = self.clock.later(world.rnd.random() * 3, self._acts)

    def _on_a_new_wire(self) -> None:
        self.splitter = Splitter(SERVER_LINE_MAX)
        self.welcomed = False
        self.waiting: dict[int, float] = {}  # requests, and since when
        self.place: dict[str, Any] | None = None
        self.view: dict[str, Any] | None = None
        self.view_line = b""
        self.lobby: dict[str, Any] | None = None
        self.secret_room: int | None = None  # the request for a private one
        self.said_at = self.came_at = self.clock.now
        self.typed = 0  # lines of one's own in the game on the table

    # The wire ---------------------------------------------------------------------------------------------------------

    def comes(self) -> None:
        """Connect, and say hello."""
        self._on_a_new_wire()
        self.wire = self.world.host.connect(self)
        if self.wire is None:
            self.tries += 1
            return
        self.says(Hello(self._id(), 1, self.name, self.token))

    def says(self, request: Request) -> None:
        """Make a request."""
        assert self.wire
        if isinstance(request, Play) and self.token:
            self.world.typed.setdefault((hash_token(self.token), request.id), set()).add(request.line)
        self.world.witness.sees_asked(self.wire, request)
        self.waiting.setdefault(request.id, self.clock.now)
        self.said_at = self.clock.now
        self.wire.send(encode(request))

    def _id(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    def hangs_up(self) -> None:
        """Go away without a word."""
        if self.wire:
            self.wire.hang_up()
            self.wire = None

    def forgets(self) -> None:
        """The program is killed; only the token is in its file."""
        self.hangs_up()
        self.next_id, self.unsettled = 1, None

    def is_cut_off(self, wire: Wire) -> None:
        if wire is self.wire:
            self.wire = None
            if not wire.snapped or not wire.server_knows:
                wire.hang_up()
            self._acts_in(self.rnd.random() * 2)

    def hears(self, wire: Wire, chunk: bytes) -> None:
        if wire is not self.wire:
            return
        for line in self.splitter.feed(chunk):
            assert isinstance(line, bytes)
            self._takes(line, unpacked(line))

    # What is heard ----------------------------------------------------------------------------------------------------

    def _takes(self, line: bytes, told: dict[str, Any]) -> None:
        if "re" in told:
            self.waiting.pop(told["re"], None)
        match told["type"]:
            case "welcome":
                self._is_welcome(told)
            case "lobby":
                self.lobby, self.place, self.view = told, None, None
            case "room":
                if self.place and told["number"] != self.place["number"]:
                    self.typed = 0
                self.place = told
            case "view":
                self.view, self.view_line = told, line
                if told["you"] in told["turn"]:
                    self._acts_in(0.02 + self.rnd.random() * 0.3)
            case "over":
                self._acts_in(self.rnd.random())
            case "ok" | "error":
                self._is_answered(told)

    def _is_welcome(self, told: dict[str, Any]) -> None:
        self.token, self.name, self.welcomed, self.tries = told["token"], told["name"], True, 0
        last = told["last_play"] or 0
        self.next_id = max(self.next_id, last + 1)
        play = self.unsettled
        if play is not None:
            if play.id > last or self.rnd.random() < 0.3:  # it did not arrive; or it did, and is sent again for nothing
                self.world.counts("play sent again after coming back")
                self.says(play)
            else:
                self.unsettled = None
        self._acts_in(self.rnd.random())

    def _is_answered(self, told: dict[str, Any]) -> None:
        if self.unsettled and told.get("re") == self.unsettled.id:
            self.unsettled = None
        if told["type"] == "ok" and told["re"] == self.secret_room:
            self.world.whispered.append(told["room"])
        if told["type"] == "error" and not self.welcomed:
            if told["code"] == "token":
                raise breach("coming back", f"{self.name} was welcome, and is not known any more")
            if told["code"] == "name_taken":
                self.name = f"{self.name.split()[0]} {self.rnd.randrange(1_000)}"
            self.hangs_up()

    # What is done -----------------------------------------------------------------------------------------------------

    def _acts_in(self, seconds: float) -> None:
        self.next_action.cancel()
        self.next_action = self.clock.later(seconds, self._acts)

    def _acts(self) -> None:
        pause = 0.5 + self.rnd.random() * 2
        if self.gone:
            return
        if self.wire is None:
            self.comes()
            pause = min(0.3 * 2**self.tries, 8.0)
        elif self._is_forsaken():
            self.hangs_up()
        elif self.welcomed:
            if self.clock.now - self.said_at > HEARTBEAT:
                self.says(Ping(self._id()))
            self._does_something()
        self._acts_in(pause)

    def _is_forsaken(self) -> bool:
        """True if nothing comes back on this wire."""
        oldest = min(self.waiting.values(), default=self.clock.now)
        late = self.clock.now - oldest > ANSWER_WITHIN
        # A wire that was slow before everything healed may still carry the answer.
        wire = self.wire
        is_silent = wire is not None and not wire.snapped and wire.down_at <= self.clock.now
        if late and self.world.healed and is_silent and oldest > self.world.healed:
            raise breach("end", f"{self.name} has no reply to {sorted(self.waiting)}")
        return late

    def _does_something(self) -> None:
        if self.rnd.random() < ASKS and not (self.wants_to_go or self.waiting):
            self._asks()
        elif self.place is None:
            self._in_lobby()
        elif self.rnd.random() < self.character.chats and not self.wants_to_go:
            self._chats()
        elif self.place["you"] is None:
            self._watches()
        elif self.place["state"] == "playing":
            self._plays()
        elif self.place["state"] == "waiting":
            if self.wants_to_go or self.rnd.random() < 0.05:
                self.says(Leave(self._id()))
        elif self.wants_to_go or self.rnd.random() < 0.4:
            self.says(Leave(self._id()))
        elif None in self.place["seats"]:
            self._chats()  # to whoever looks on
        else:
            self.says(Again(self._id()))

    def _chats(self) -> None:
        self.says(Chat(self._id(), f"word {self.world.next_word()}"))

    def _asks(self) -> None:
        """Ask for finished games, for the server, or for a room that there is not."""
        asks = (AskHistory(1), AskStandings(1), AskStatus(1), AskReplay(1, 1, 3, 0), Join(1, "QQQQQQ"))
        request = self.rnd.choice(asks)
        self.says(type(request)(self._id(), *[getattr(request, key) for key in request.__match_args__[1:]]))

    def _in_lobby(self) -> None:
        if self.wants_to_go:
            if self.is_curious and not self.waiting:
                self.is_curious = False
                self.says(AskHistory(self._id()))
            elif not self.waiting and self.clock.now - self.came_at > 1:
                self.says(ByeRequest(self._id()))
                self.gone = True
            return
        if self.waiting or self.lobby is None:
            return
        chance, rooms = self.rnd.random(), self.lobby["rooms"]
        open_rooms = [row["room"] for row in rooms if row["open"]] + self.world.whispered
        if open_rooms:
            code = self.rnd.choice(open_rooms)
            if code in self.world.whispered:
                self.world.whispered.remove(code)
            self.says(Join(self._id(), code))
        elif rooms and chance < self.character.watches:
            self.says(Watch(self._id(), self.rnd.choice(rooms)["room"]))
        else:
            self._opens()

    def _opens(self) -> None:
        rnd = self.rnd
        bot = rnd.choice(("easy", "medium")) if rnd.random() < 0.2 else None
        clock = rnd.choice((10, 20, 600)) if rnd.random() < 0.5 else None
        first, private, assist = rnd.choice(("random", "host", "guest")), rnd.random() < 0.15, rnd.random() < 0.2
        slug, variant = rnd.choice((*((slug, None) for slug in BOTS), *VARIANTS))
        self.secret_room = self.next_id if private else None
        self.says(Create(self._id(), slug, first, bot, private, clock, assist, variant, hints=rnd.random() < 0.3))

    def _watches(self) -> None:
        if self.wants_to_go or self.rnd.random() < 0.2:
            self.says(Leave(self._id()))
        elif self.rnd.random() < self.character.errs:
            self.says(Resign(self._id()))

    def _plays(self) -> None:
        chance, character = self.rnd.random(), self.character
        if self.unsettled:
            if chance < character.repeats:
                self.world.counts("play sent twice")
                self.says(self.unsettled)
        elif self.view is None:
            return
        elif self.view["claimable"] and chance < 0.7:
            self.says(Claim(self._id()))
        elif self.typed > PATIENCE:
            self.says(Resign(self._id()))
        elif chance < character.resigns and not self.wants_to_go:
            self.says(self.rnd.choice((Resign, Leave))(self._id()))
        elif chance < character.resigns + 0.01 and not self.wants_to_go:
            self.says(Again(self._id()))
        elif chance < character.resigns + 0.05 and self._may_ask_hint():
            self.says(AskHint(self._id()))
        elif self._offers_draw() and not self.wants_to_go:
            self.says(OfferDraw(self._id()))
        elif self.rnd.random() < character.errs and not self.wants_to_go:
            self.world.counts("nonsense typed")
            self._types(self.rnd.choice((*NONSENSE, self._line())), self.view["rev"] - self.rnd.randrange(2))
        elif self.place and self.place["you"] in self.view["turn"]:
            self._types(self._line(), self.view["rev"] if chance > 0.5 else None)

    def _offers_draw(self) -> bool:
        """Offer a draw now and then; a rival's offer is accepted more often."""
        assert self.place
        offers = self.place.get("draw", ())
        return self.place["you"] not in offers and self.rnd.random() < (0.3 if offers else 0.01)

    def _may_ask_hint(self) -> bool:
        """True where hints are given: in rooms with hints, and against the computer."""
        assert self.place
        return self.place.get("hints", False) or any(seat and seat["bot"] for seat in self.place["seats"])

    def _types(self, line: str, rev: int | None) -> None:
        self.typed += 1
        self.unsettled = Play(self._id(), line, rev)
        self.says(self.unsettled)
        if self.rnd.random() < self.character.repeats:
            self.world.counts("play sent twice")
            self.says(self.unsettled)

    def _line(self) -> str:
        """What to type, from what is shown; what is secret is typed as nobody else would type it."""
        assert self.view
        assert self.place
        actions = self.view["actions"]
        if not actions:
            return "C3"
        if self.character.level and self.typed < PATIENCE // 2:
            show = decode_push(self.view_line)
            assert isinstance(show, Show)
            line = BOTS[self.place["game"]](show, self.character.level, Chance(b"%f" % self.rnd.random()))
        else:
            action = self.rnd.choice([action for action in actions if action.get("cells") is None or action["cells"]])
            line = action["form"].replace("{cell}", self.rnd.choice(action.get("cells") or ("",)))
        secret = {action["verb"] for action in actions if action["secret"]}
        return disguised(line) if line.split()[0] in secret else line
