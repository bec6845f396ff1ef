"""The servers that were found on the network, as a list to choose from; the last row is a server of one's own."""

from dataclasses import dataclass, field, replace
from ipaddress import ip_address

from gridgames_client import parts
from gridgames_client.paint import Fragment, Glyphs, Line, cut, cut_line, filled, indented, say, tall, wrapped
from gridgames_protocol.discovery import Answer
from gridgames_protocol.messages import PROTOCOL
from gridgames_protocol.text import harmless

LISTED_MAX = 50  # a network with more servers is a joke of somebody's
NAME, PLACE = 18, 21  # columns of the list where there is space
WORDY = 60
HERE = "Play here, against the computer or at two terminals of this machine"
NOBODY = "another version"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that has answered, and where it is."""

    host: str
    answer: Answer

    @property
    def place(self) -> str:
        """What one types to go there."""
        return f"{self.host}:{self.answer.port}"

    @property
    def fits(self) -> bool:
        """True if this client understands that server."""
        return self.answer.protocol == PROTOCOL

    @property
    def name(self) -> str:
        """What the server calls itself, as far as it can be shown."""
        return harmless(self.answer.server).strip() or "a server"

    @property
    def facts(self) -> str:
        """What it takes to come in, and who is there."""
        if not self.fits:
            return f"{NOBODY} ({harmless(self.answer.version)})"
        players, rooms = self.answer.players, self.answer.open
        facts = ["password"] * self.answer.password + ["TLS"] * self.answer.tls
        facts += [f"{players} player{'s' * (players != 1)}", f"{rooms} open"]
        return ", ".join(facts)


def merged(heard: list[tuple[str, Answer]]) -> tuple[Server, ...]:
    """Each server once, by the way that others can use too; those one can play on first, then by name."""
    best: dict[tuple[str, int], Server] = {}
    for host, answer in heard:
        known = best.get((answer.instance, answer.port))
        if known is None or (_is_loopback(known.host) and not _is_loopback(host)):
            best[answer.instance, answer.port] = Server(host, answer)
    return tuple(sorted(best.values(), key=_order)[:LISTED_MAX])


def _is_loopback(host: str) -> bool:
    return ip_address(host).is_loopback


def _order(server: Server) -> tuple[bool, str, int, int]:
    return not server.fits, server.name.casefold(), int(ip_address(server.host)), server.answer.port


@dataclass(frozen=True, slots=True)
class Picked:
    """Where to play: on a server, or on none but one's own; with a password that was asked for."""

    server: Server | None
    password: str | None = field(default=None, repr=False)


# Choosing -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Picking:
    """A choice under way: the row after the last server is this machine."""

    servers: tuple[Server, ...]
    row: int = 0
    word: str = ""  # why the last choice was none

    def moved(self, by: int) -> "Picking":
        """Go to another row."""
        return replace(self, row=(self.row + by) % (len(self.servers) + 1), word="")

    def at(self, row: int) -> "Picking":
        """Go to a row, if there is one like that."""
        return replace(self, row=row, word="") if 0 <= row <= len(self.servers) else self

    @property
    def server(self) -> Server | None:
        """The server that is chosen; None for one's own."""
        return self.servers[self.row] if self.row < len(self.servers) else None

    def refused(self) -> "Picking":
        """Say why the chosen server can't be played on."""
        assert self.server
        version = harmless(self.server.answer.version)
        return replace(self, word=f"{self.server.name} is gridgames {version}, which this client does not understand.")


def screen(picking: Picking, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The list on a screen of this size."""
    top = [parts.head(f"gridgames {glyphs.dot} on your network", "", glyphs, columns), parts.rule(glyphs, columns)]
    lines = [say("  Servers", "class:heading")]
    lines += [_row(picking, number, row_text(server, columns, glyphs), glyphs, columns)
              for number, server in enumerate(picking.servers)]  # fmt: skip
    lines += [[], say("  This machine", "class:heading")]
    lines.append(_row(picking, len(picking.servers), HERE, glyphs, columns))
    foot = indented(wrapped(picking.word, columns - 2, "class:bad"), 1) if picking.word else []
    space = max(1, rows - len(top) - len(foot))
    return [cut_line(line, columns) for line in [*top, *_in_sight(picking, lines, space), *foot]]


def row_text(server: Server, columns: int, glyphs: Glyphs) -> str:
    """A server in one line."""
    if columns < WORDY:
        return f"{server.name} {glyphs.dot} {server.place}"
    return f"{filled(server.name, NAME, glyphs.more)} {filled(server.place, PLACE, glyphs.more)} {server.facts}"


def _row(picking: Picking, number: int, text: str, glyphs: Glyphs, columns: int) -> Line:
    here = picking.row == number
    words = cut(harmless(f"  {glyphs.pointer if here else ' '} {text}"), columns - 1, glyphs.more)
    return [Fragment("class:chosen" if here else "", words, ("row", number))]


def _in_sight(picking: Picking, lines: list[Line], space: int) -> list[Line]:
    """As many lines as there is space for, the chosen row among them."""
    here = next(y for y, line in enumerate(lines) if line and line[-1].target == ("row", picking.row))
    top = min(max(0, here - space + 1), max(0, len(lines) - space))
    return tall(lines[top:], space)


def row_of(typed: str, servers: int) -> int | None:
    """The row that a typed line means; the one after the last server is this machine. None if it means none."""
    word = typed.strip()
    if word.lower() in ("", "h", "here"):
        return servers
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 4 else 0
    return number - 1 if 1 <= number <= servers + 1 else None


def spoken(servers: tuple[Server, ...]) -> list[str]:
    """The list in plain lines, numbered."""
    lines = [f"{number}. {server.name}, {server.place}: {server.facts}" for number, server in enumerate(servers, 1)]
    return ["On your network:", *lines, f"{len(servers) + 1}. {HERE}"]
