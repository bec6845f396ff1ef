"""The servers that were found on the network, and the choice among them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_address

from gridgames_protocol.discovery import Answer
from gridgames_protocol.messages import PROTOCOL
from gridgames_protocol.safe_text import harmless

LISTED_MAX = 50  # present servers; more answers than that are no real servers
ROWS_MAX = 2 * LISTED_MAX  # listed ones, with those that have gone
HEARD_MAX = 500  # servers that are kept; one that sends answers without end must not fill the memory
SILENT = 16.0  # seconds without an answer; three calls are unanswered then
HERE = "Play here, against the computer or at two terminals of this machine"
OTHER_VERSION = "another version"
SILENT_WORDS = "does not answer now"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that has answered, and its host."""

    host: str
    answer: Answer
    answers: bool = True  # False if it was listed and does not answer any more

    def is_at(self, other: "Server") -> bool:
        """True if both have one address: then the newer one has taken the other's place."""
        return (self.host, self.answer.port) == (other.host, other.answer.port)

    def is_same(self, other: "Server") -> bool:
        """True if both are one server, whatever way its answers came."""
        mine, others = self.answer, other.answer
        return self.is_at(other) or (mine.instance, mine.port) == (others.instance, others.port)

    @property
    def address_text(self) -> str:
        """The address to type."""
        return f"{self.host}:{self.answer.port}"

    @property
    def is_compatible(self) -> bool:
        """True if this client understands that server."""
        return self.answer.protocol == PROTOCOL

    @property
    def name(self) -> str:
        """The server's name, without control characters."""
        return harmless(self.answer.server).strip() or "a server"

    @property
    def facts(self) -> str:
        """What a player needs to enter, and how many players and open rooms there are."""
        if not self.answers:
            return SILENT_WORDS
        if not self.is_compatible:
            return f"{OTHER_VERSION} ({harmless(self.answer.version)})"
        players, rooms = self.answer.players, self.answer.open
        facts = ["password"] * self.answer.password + ["TLS"] * self.answer.tls
        facts += [f"{players} player{'s' * (players != 1)}", f"{rooms} open"]
        return ", ".join(facts)


@dataclass
class FoundServers:
    """The servers that have answered, each once, and when each has answered last."""

    heard: dict[tuple[str, int], tuple[Server, float]] = field(default_factory=dict)  # by instance and port

    def add(self, host: str, answer: Answer, now: float) -> bool:
        """Take an answer. True if it tells anything new. An address that other machines can use is preferred."""
        key, server = (answer.instance, answer.port), Server(host, answer)
        known, at = self.heard.get(key, (None, now))
        if known is None or now - at >= SILENT:  # it takes the place of one at its address, and of all that are silent
            known = None
            self.heard = {
                other: (old, at)
                for other, (old, at) in self.heard.items()
                if not server.is_at(old) and now - at < SILENT
            }
            if len(self.heard) >= HEARD_MAX and not self._make_place(host):
                return False
        elif host != known.host and not _is_loopback(known.host):
            server, now = Server(known.host, answer), at  # only answers from its own host keep an address
        self.heard[key] = server, now
        return known != server

    def _make_place(self, host: str) -> bool:
        """Forget the newest server of the host that has the most, if it has more than this host."""
        hosts = Counter(server.host for server, _ in self.heard.values())
        fullest = max(hosts, key=lambda one: hosts[one])
        if hosts[fullest] <= hosts[host]:
            return False
        del self.heard[next(key for key, (server, _) in reversed(self.heard.items()) if server.host == fullest)]
        return True

    def list_present(self, now: float) -> tuple[Server, ...]:
        """The servers that have answered lately, compatible ones first. If there are too many, hosts take turns."""
        hosts: Counter[str] = Counter()
        present: list[tuple[int, Server]] = []
        for server in (server for server, at in self.heard.values() if now - at < SILENT):
            hosts[server.host] += 1
            present.append((hosts[server.host], server))
        present.sort(key=lambda numbered: numbered[0])
        return tuple(sorted((server for _, server in present[:LISTED_MAX]), key=_order))


def has_place(listed: Sequence[Server | None], host: str, most: int) -> bool:
    """True if a list has a place for one more server of a host: each gets at most as many as are left for others."""
    return sum(server is not None and server.host == host for server in listed) < most - len(listed)


def _is_loopback(host: str) -> bool:
    return ip_address(host).is_loopback


def _order(server: Server) -> tuple[bool, str, int, int]:
    return not server.is_compatible, server.name.casefold(), int(ip_address(server.host)), server.answer.port


@dataclass(frozen=True, slots=True)
class PickedServer:
    """The chosen server and the typed password. None means a server on this machine."""

    server: Server | None
    password: str | None = field(default=None, repr=False)


# Choosing -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """The list and its cursor. The row after the last server is this machine."""

    servers: tuple[Server, ...]
    row: int = 0
    word: str = ""  # why the last choice was not possible

    def move_cursor(self, by: int) -> "ServerChoice":
        """Move the cursor by some rows, round the ends."""
        return replace(self, row=(self.row + by) % (len(self.servers) + 1), word="")

    def move_to(self, row: int) -> "ServerChoice":
        """Move the cursor to a row, if it exists."""
        return replace(self, row=row, word="") if 0 <= row <= len(self.servers) else self

    def update(self, found: tuple[Server, ...]) -> "ServerChoice":
        """Take what was found since. No row moves: a silent server is marked, and a new one comes below the others."""
        rows: list[Server] = []
        for row in self.servers:
            now = next((server for server in found if server.is_same(row)), None)
            rows.append(now or replace(row, answers=False))
        for server in found:
            if not any(server.is_same(row) for row in self.servers) and has_place(rows, server.host, ROWS_MAX):
                rows.append(server)
        here = self.row == len(self.servers)
        return replace(self, servers=tuple(rows), row=len(rows) if here else self.row)

    @property
    def server(self) -> Server | None:
        """The chosen server; None for this machine."""
        return self.servers[self.row] if self.row < len(self.servers) else None

    def say_refusal(self) -> "ServerChoice":
        """Say that the chosen server has another version."""
        assert self.server
        version = harmless(self.server.answer.version)
        return replace(self, word=f"{self.server.name} is gridgames {version}, which this client does not understand.")


def find_row(typed: str, rows: int, here: int) -> int | None:
    """The row that a typed line names; None if it names none. `here` is the row of this machine."""
    word = typed.strip()
    if word.lower() in ("", "h", "here"):
        return here
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 4 else 0
    return number - 1 if 1 <= number <= rows else None


def list_as_lines(rows: Iterable[Server | None], first: int = 1) -> list[str]:
    """Rows as lines, numbered from `first`. None is this machine."""
    texts = [f"{row.name}, {row.address_text}: {row.facts}" if row else HERE for row in rows]
    return [f"{number}. {text}" for number, text in enumerate(texts, first)]
