"""The servers that were found on the network, and the choice among them. The last row is this machine."""

from dataclasses import dataclass, field, replace
from ipaddress import ip_address

from gridgames_protocol.discovery import Answer
from gridgames_protocol.messages import PROTOCOL
from gridgames_protocol.safe_text import harmless

LISTED_MAX = 50  # rows; more answers than that are no real servers
HERE = "Play here, against the computer or at two terminals of this machine"
OTHER_VERSION = "another version"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that has answered, and its host."""

    host: str
    answer: Answer

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
        if not self.is_compatible:
            return f"{OTHER_VERSION} ({harmless(self.answer.version)})"
        players, rooms = self.answer.players, self.answer.open
        facts = ["password"] * self.answer.password + ["TLS"] * self.answer.tls
        facts += [f"{players} player{'s' * (players != 1)}", f"{rooms} open"]
        return ", ".join(facts)


def merge_answers(heard: list[tuple[str, Answer]]) -> tuple[Server, ...]:
    """List each server once. An address that other machines can use is preferred. Compatible servers come first."""
    best: dict[tuple[str, int], Server] = {}
    for host, answer in heard:
        known = best.get((answer.instance, answer.port))
        if known is None or (_is_loopback(known.host) and not _is_loopback(host)):
            best[answer.instance, answer.port] = Server(host, answer)
    return tuple(sorted(best.values(), key=_order)[:LISTED_MAX])


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

    @property
    def server(self) -> Server | None:
        """The chosen server; None for this machine."""
        return self.servers[self.row] if self.row < len(self.servers) else None

    def say_refusal(self) -> "ServerChoice":
        """Say that the chosen server has another version."""
        assert self.server
        version = harmless(self.server.answer.version)
        return replace(self, word=f"{self.server.name} is gridgames {version}, which this client does not understand.")


def find_row(typed: str, servers: int) -> int | None:
    """The row that a typed line names; None if it names none."""
    word = typed.strip()
    if word.lower() in ("", "h", "here"):
        return servers
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 4 else 0
    return number - 1 if 1 <= number <= servers + 1 else None


def list_as_lines(servers: tuple[Server, ...]) -> list[str]:
    """The list as numbered lines."""
    lines = [f"{number}. {one.name}, {one.address_text}: {one.facts}" for number, one in enumerate(servers, 1)]
    return ["On your network:", *lines, f"{len(servers) + 1}. {HERE}"]
