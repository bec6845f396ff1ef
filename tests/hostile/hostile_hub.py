"""A hub without wires, with hostile connections in every phase and, beside them, a game that nobody may disturb."""

from collections import Counter, deque
from random import Random

import msgpack

from gridgames_protocol.codec import decode_request, encode
from gridgames_protocol.errors import BadLine, BadMessage, TooLong, UnknownKey, UnknownType, WireError
from gridgames_protocol.framing import CLIENT_LINE_MAX, Splitter, stuff
from gridgames_protocol.messages import (
    PROTOCOL,
    Again,
    Create,
    Error,
    Hello,
    Join,
    Lobby,
    Ok,
    Over,
    Play,
    Show,
)
from gridgames_server.bots import BOTS
from gridgames_server.core.effects import Hangup, LogBug, RunQuery, Send
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.limits import CLOCK_GAP, Limits
from gridgames_server.games import GAMES
from tests.hostile.mutations import BENDS, GOOD, line_of, with_alien

SLUGS = [game.card.slug for game in GAMES]
TREE = {BadLine, TooLong, UnknownType, BadMessage, UnknownKey}  # all that may be wrong with a line
OWN = [line_of(vector) for vector in GOOD if vector["direction"] == "request"] * 8 + [line_of(v) for v in GOOD]
HOSTILE = 8  # connections at a time
ROOMS = 60  # at the most: each costs something at every tick, and deserted ones stay for a while
AT_ONCE = 8  # lines in a chunk
FORGIVEN = 0.995  # of the chunks, so that most strangers go on for longer than eight bad lines
ENCODED = 1 / 64  # how much of what is said is packed as well: it takes longer than all the rest


def pick(chance, some):
    """One of some, faster than `choice`."""
    return some[int(chance.random() * len(some))]


class Stranger:
    """A hostile connection, and what it has learnt."""

    def __init__(self, id):
        self.id = id
        self.splitter = Splitter(CLIENT_LINE_MAX)
        self.view = None
        self.gone = False


class Den:
    """Everything follows from the seed; what must hold is checked at every line."""

    def __init__(self, seed):
        self.chance = Random(f"den {seed}")
        self.now = 1_000.0
        self.hub = Hub(
            ServerConfig(GAMES, "den", None, Limits(rate=0, max_rooms=ROOMS), bots=frozenset(BOTS)),
            self.chance.randbytes,
            self.now,
        )
        self.ids = iter(range(1, 10**9))
        self.strangers = {}
        self.codes = deque(maxlen=HOSTILE)  # of rooms that strangers have opened
        self.seen = Counter()  # what became of lines
        self.views, self.overs = {}, 0
        self.expected = set()  # who may be told things now, besides strangers
        self.bystander = self.innocent("Eve")
        self.table = (self.innocent("Ada"), self.innocent("Bob"))
        code = self.says(self.table[0], Create, "grid-conquest", first="host", private=True).room
        self.says(self.table[1], Join, code)

    # The game beside them ---------------------------------------------------------------------------------------------

    def innocent(self, name):
        id = next(self.ids)
        self.expected = {id}
        self.perform(self.hub.connect(id, "192.168.1.2", self.now))
        self.says(id, Hello, PROTOCOL, name)
        return id

    def says(self, id, request, *fields, **more):
        """One of the innocent says something and is answered; the others at the table may hear of it."""
        self.expected = {id, *getattr(self, "table", ())}
        effects = self.hub.bytes_received(id, 0, [request(next(self.ids), *fields, **more)], self.now)
        self.perform(effects)
        self.expected = set()
        said = [
            message
            for effect in effects
            if isinstance(effect, Send) and effect.session == id
            for message in effect.messages
        ]
        (reply,) = [message for message in said if hasattr(message, "re")]
        assert not isinstance(reply, Error), reply
        return reply

    def move(self):
        """The next move of the undisturbed game, or another game."""
        shown = self.views[self.table[0]]
        if not shown.turn:
            for seat in self.table:
                self.says(seat, Again)
            return
        seat = self.table[shown.turn[0] - 1]
        offered = [line for action in self.views[seat].view.actions for line in action.lines()]
        self.says(seat, Play, self.chance.choice(offered))

    def end(self):
        """The undisturbed game goes on to its end."""
        overs = self.overs
        while self.overs == overs:
            self.move()

    # The strangers ----------------------------------------------------------------------------------------------------

    def suffer(self, lines):
        """Take so many hostile lines, while the game goes on and time passes."""
        until = self.seen.total() + lines
        while self.seen.total() < until:
            for _ in range(125):
                self.deliver(self.somebody(), self.chunk)
            self.move()
            self.pass_time()
            check_books(self.hub)

    def pass_time(self):
        """Half a minute passes, so that rooms which strangers have deserted are closed before there are too many."""
        for _ in range(6):
            self.now += CLOCK_GAP
            for id in (self.bystander, *self.table, *list(self.strangers)):
                self.perform(self.hub.bytes_received(id, 1, (), self.now))
            self.perform(self.hub.tick(self.now))

    def somebody(self):
        """A stranger, perhaps one who has just come and goes as far in as they can."""
        if len(self.strangers) < HOSTILE:
            return self.newcomer()
        stranger = self.chance.choice(list(self.strangers.values()))
        if self.chance.random() < 0.08:
            self.enter(stranger)
        return stranger

    def newcomer(self, phase=None):
        """One who connects, and mostly says hello and enters a room."""
        stranger = Stranger(next(self.ids))
        self.strangers[stranger.id] = stranger
        self.perform(self.hub.connect(stranger.id, f"10.0.0.{stranger.id % 250}", self.now))
        phase = phase or self.chance.choice(("new", "lobby", "seated", "seated", "watching"))
        if phase != "new":
            self.ask(stranger, type="hello", protocol=PROTOCOL, name=f"s{stranger.id}")
        if phase == "seated":
            self.enter(stranger)
        if phase == "watching" and self.codes:
            self.ask(stranger, type="watch", room=self.codes[-1])
        return stranger

    def enter(self, stranger):
        """Wish for a seat, at a table of one's own or at another stranger's."""
        if self.codes and self.chance.random() < 0.5:
            self.ask(stranger, type="join", room=self.codes.popleft())
        else:
            options = {"bot": self.chance.choice((None, None, "easy")), "private": self.chance.random() < 0.8}
            self.ask(stranger, type="create", game=self.chance.choice(SLUGS), first="host", **options)

    def ask(self, stranger, **message):
        self.take(stranger, stuff(msgpack.packb(message | {"id": next(self.ids)}))[:-1])

    def chunk(self, stranger):
        """Some hostile lines for one connection, which end anywhere."""
        lines = [self.line(stranger) for _ in range(AT_ONCE)]
        stream = b"\n".join(lines) + b"\n"
        return stream[: len(stream) - int(self.chance.random() * 20)]

    def line(self, stranger):
        """A line that is bent in some way, or one that was meant for just this moment and is bent only a little."""
        if self.chance.random() < 0.92:
            return pick(self.chance, BENDS)(self.chance, pick(self.chance, OWN))
        message = {"type": "play", "id": next(self.ids), "line": self.typed(stranger)}
        match int(self.chance.random() * 8):
            case 0:
                message |= {"type": "chat", "text": "\u202e" + message["line"]}
            case 1:
                message["rev"] = int(self.chance.random() * 9)
            case 2:
                message["type"] = self.chance.choice(("again", "claim", "ping", "status", "history", "standings"))
            case 3:
                return with_alien(self.chance, message)
        return stuff(msgpack.packb(message))[:-1]

    def typed(self, stranger):
        actions = stranger.view.view.actions if stranger.view else ()
        lines = [line for action in actions[:2] for line in action.lines()[:9]]
        return pick(self.chance, lines or ["MOVE 3", "", "x" * 200, "HIDE 2 3", "1"])

    # What becomes of a line -------------------------------------------------------------------------------------------

    def deliver(self, stranger, chunk):
        """Bytes arrive, as they do at the shell."""
        sent = chunk(stranger) if callable(chunk) else chunk
        self.perform(self.hub.bytes_received(stranger.id, len(sent), (), self.now))
        for found in stranger.splitter.feed(sent):
            if stranger.gone:
                return
            try:
                self.take(stranger, found)
            except Exception as error:
                error.add_note(f"after {self.seen.total()} lines, at {found.hex() if type(found) is bytes else found}")
                raise
        if stranger.id in self.hub.sessions and self.chance.random() < FORGIVEN:
            self.hub.sessions[stranger.id].bad_lines = 0

    def take(self, stranger, found):
        """One line, as the shell reads it."""
        try:
            if isinstance(found, WireError):
                raise found
            request = decode_request(found)
        except WireError as error:
            self.garbled(stranger, error)
        else:
            self.received(stranger, request)

    def garbled(self, stranger, error):
        """A line that was none: who sent it is answered, and nobody else hears of it unless it was one too many."""
        assert type(error) in TREE
        answer, *rest = self.hub.bytes_received(stranger.id, 0, [error], self.now)
        (said,) = answer.messages
        assert (answer.session, said.code, said.re) == (stranger.id, error.code, error.re)
        assert not rest or isinstance(rest[1], Hangup), "a goodbye, or nothing"
        self.seen[error.code] += 1
        self.perform([answer, *rest])

    def received(self, stranger, request):
        """A request: it gets one reply."""
        effects = self.hub.bytes_received(stranger.id, 0, [request], self.now)
        answers = [effect for effect in effects if answers_to(effect, stranger.id, request.id)]
        assert len(answers) == 1, request
        self.note(answers[0])
        self.perform(effects)

    def note(self, answer):
        message = answer.messages[0] if isinstance(answer, Send) else None
        self.seen[message.code if isinstance(message, Error) else "granted"] += 1
        if isinstance(message, Ok) and message.room:
            self.codes.append(message.room)

    def perform(self, effects):
        """What the shell would do, where only strangers, and who acted, may be told anything."""
        for effect in effects:
            match effect:
                case Send(id, said):
                    for message in said:
                        self.tell(id, message)
                case Hangup(id):
                    assert id in self.strangers, "an innocent connection was ended"
                    self.strangers.pop(id).gone = True
                    self.perform(self.hub.disconnect(id, self.now))
                case LogBug(_, error):
                    raise error

    def tell(self, id, message):
        if id in self.strangers:
            if isinstance(message, Show):
                self.strangers[id].view = message
        else:
            assert id in self.expected or (id == self.bystander and isinstance(message, Lobby)), message
            if isinstance(message, Show):
                self.views[id] = message
            self.overs += isinstance(message, Over)
        if self.chance.random() < ENCODED:
            encode(message)


def answers_to(effect, session, request):
    """True for the reply to a request; one that is looked up is replied to later."""
    if isinstance(effect, RunQuery):
        return effect.session == session and effect.question.id == request
    if not isinstance(effect, Send) or effect.session != session:
        return False
    return any(getattr(message, "re", None) == request for message in effect.messages)


def check_books(hub):
    """All that the hub keeps agrees with itself."""
    assert all(room.audience.out == [] for room in hub.rooms.by_code.values())
    assert hub.state.lobby_newcomers == set()
    for id, session in hub.sessions.items():
        assert session.id == id
        player = session.player
        if player:
            assert player.session == id
            assert hub.players.by_name[player.key] is player
            assert hub.players.by_token[player.token_hash] is player
            assert player.room is None or hub.rooms.by_code[player.room.code] is player.room
    for player in hub.players.by_name.values():
        assert player.room or hub.sessions[player.session].player is player
    for code, room in hub.rooms.by_code.items():
        assert room.code == code
        assert not room.is_deserted
        for seat, holder in room.audience.seats.items():
            assert holder is None or (holder.room is room and holder.seat == seat) or holder.bot
        for watcher in room.audience.watchers:
            assert (watcher.room, watcher.seat) == (room, None)
            assert watcher.session in hub.sessions
