"""Answers browsers on the game's port: a page that says how to play, and the client as one file.

Only the first line of a request is read. The rest is dropped, and the connection ends with the answer.
"""

import asyncio
import base64
import hashlib
import html
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from gridgames_server.core.limits import STUCK_OUTPUT
from gridgames_server.errors import locate
from gridgames_server.net.connection import Connection

FILE = "gridgames.pyz"
DOWNLOADS_MAX = 8  # at once
DOWNLOADS_PER_ADDRESS = 2
DOWNLOAD_WITHIN = 600.0  # seconds; a few kilobytes per second are enough
BUILD_AFTER = 2.0  # seconds after the start: nobody waits for it then

log = logging.getLogger("gridgames")

STYLE = """
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.55 system-ui, sans-serif;
  color: #1d2330; background: #f6f4ee; }
h1 { margin: 0; font-size: 2rem; overflow-wrap: anywhere; }
h2 { margin: 1.6rem 0 .4rem; font-size: 1.1rem; }
.board { float: right; margin: 0 0 1rem 1rem; font: 1.3rem/1.1 monospace; letter-spacing: .2rem; color: #b98a1b; }
pre, code { font-family: ui-monospace, monospace; font-size: .95rem; }
pre { padding: .8rem 1rem; border-radius: .5rem; background: #1d2330; color: #f1e9d2; overflow-x: auto; }
code { overflow-wrap: anywhere; padding: .1rem .3rem; border-radius: .3rem; background: #e6e0cf; }
a { color: #7a5200; font-weight: 600; }
.care { padding: .7rem 1rem; border-left: .3rem solid #b98a1b; background: #fffaf0; }
@media (prefers-color-scheme: dark) {
  body { color: #e8e4d8; background: #14171f; } pre { background: #000; } code { background: #2a2f3b; }
  a { color: #e8bb52; } .care { background: #1d212b; } }
"""
# The page runs nothing and loads nothing. Its own style is allowed by its hash.
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{name}: gridgames</title>
<style>{style}</style>
<div class="board" aria-hidden="true">&#9632;&#9633;&#9633;<br>&#9633;?&#9633;<br>&#9633;&#9633;&#9632;</div>
<h1>{name}</h1>
<p>A gridgames server: five games with secrets for two players, played in a terminal. You need Python 3.11 or newer
(<a href="https://www.python.org/downloads/">python.org/downloads</a>) and two lines.</p>
<h2>Linux and macOS</h2>
<pre>curl {insecure}-O {url}/gridgames.pyz
python3 gridgames.pyz {address}</pre>
<h2>Windows (PowerShell)</h2>
<pre>curl.exe {insecure}-O {url}/gridgames.pyz
py gridgames.pyz {address}</pre>
<h2>Without curl</h2>
<p>Save <a href="/gridgames.pyz">gridgames.pyz</a>, and run it in the folder where it is.</p>
<h2>Is it the right file?</h2>
<p>Its SHA-256 is <code>{checksum}</code>. <code>sha256sum gridgames.pyz</code> shows it on Linux,
<code>shasum -a 256 gridgames.pyz</code> on macOS, <code>Get-FileHash gridgames.pyz</code> on Windows.</p>
<p class="care">Running a file from somebody means trusting them. Ask the host to read the checksum aloud.</p>
</html>
"""


class Handout(NamedTuple):
    """The file, and the SHA-256 that players compare with the host's: it takes too long for the loop."""

    file: bytes
    checksum: str


class HttpDownload:
    """Serves the page and the file, and limits the downloads."""

    def __init__(self, name: str, build: Callable[[], bytes], urls: Sequence[str] = ()) -> None:
        self.name, self.build, self.urls = name, build, urls
        self._built: asyncio.Future[Handout] | None = None
        self._downloads: dict[int, str] = {}  # connection id -> address

    def get_file(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[Handout]:
        """Return the file. It is built once, in a thread, at the first call; after a failure it is built again."""
        if self._built is None or (self._built.done() and has_failed(self._built)):
            self._built = loop.run_in_executor(None, self._build)
            self._built.add_done_callback(log_checksum)
        return self._built

    def _build(self) -> Handout:
        file = self.build()
        return Handout(file, compute_checksum(file))

    async def list_facts(self, loop: asyncio.AbstractEventLoop) -> dict[str, object]:
        """Return what the host tells a friend: the addresses to open, and the checksum of the file."""
        try:
            return {"browser": list(self.urls), "sha256": (await asyncio.shield(self.get_file(loop))).checksum}
        except Exception:  # it was logged
            return {"browser": list(self.urls)}

    def respond(self, connection: Connection, line: bytes, loop: asyncio.AbstractEventLoop) -> None:
        """Answer the first line of a request, and close."""
        request = read_request(line)
        if request is None:
            finish(connection, build_line_response("400 Bad Request", "That is no request."))
        elif request[0] not in ("GET", "HEAD"):
            finish(connection, build_line_response("405 Method Not Allowed", "Only GET and HEAD are answered."))
        elif request[1] not in ("/", f"/{FILE}"):
            finish(connection, build_line_response("404 Not Found", "There is no such page.", request[0]))
        else:
            built = self.get_file(loop)
            if built.done():  # a callback would be called beyond this turn's bound of work
                self._send(connection, *request, built)
            else:
                built.add_done_callback(partial(self._send, connection, *request))

    def forget(self, connection: Connection) -> None:
        """Remove a closed connection from the downloads."""
        self._downloads.pop(connection.id, None)

    def _send(self, connection: Connection, method: str, path: str, built: asyncio.Future[Handout]) -> None:
        """Send the page or the file. The file has been built."""
        if not connection.is_open:
            return
        if has_failed(built):
            finish(connection, build_line_response("500 Internal Server Error", "The file can't be built.", method))
        elif path == "/":
            body = build_page(self.name, connection.typed_address(), connection.has_tls, built.result().checksum)
            finish(connection, build_response("200 OK", "text/html; charset=utf-8", body, method))
        elif method == "HEAD":
            finish(connection, build_response("200 OK", "application/octet-stream", built.result().file, "HEAD"))
        elif not self._may_download(connection.address):
            finish(
                connection, build_line_response("503 Service Unavailable", "Too many downloads. Try again in a minute.")
            )
        else:
            self._downloads[connection.id] = connection.address
            connection.queue(build_response("200 OK", "application/octet-stream", built.result().file, "HEAD"))
            finish(connection, built.result().file)

    def _may_download(self, address: str) -> bool:
        own = sum(other == address for other in self._downloads.values())
        return len(self._downloads) < DOWNLOADS_MAX and own < DOWNLOADS_PER_ADDRESS


def has_failed(built: asyncio.Future[Handout]) -> bool:
    """True if the file could not be built."""
    return built.cancelled() or built.exception() is not None


def log_checksum(built: asyncio.Future[Handout]) -> None:
    """Log the checksum for the host to read aloud, or that there is no file."""
    if built.cancelled():
        return
    if error := built.exception():
        log.error("%s can't be built: %s", FILE, locate(error))
    else:
        log.info("the SHA-256 of %s is %s", FILE, built.result().checksum)


def finish(connection: Connection, answer: bytes) -> None:
    """Send the last bytes, and close."""
    connection.close_gracefully(STUCK_OUTPUT, DOWNLOAD_WITHIN, answer)


def read_request(line: bytes) -> tuple[str, str] | None:
    """Return the method and the path of a request's first line, or None if it is not HTTP/1."""
    words = line.rstrip(b"\r").split(b" ")
    if len(words) != 3 or not words[2].startswith(b"HTTP/1."):
        return None
    return words[0].decode("latin-1"), words[1].decode("latin-1").partition("?")[0]


def build_page(name: str, address: str, is_tls: bool, checksum: str) -> bytes:
    """Return the page with the commands to paste. `address` is what a player types, flags included."""
    place = address.partition(" ")[0]
    values = {
        "name": name,
        "address": address,
        "url": f"https://{place}" if is_tls else f"http://{place}",
        "insecure": "-k " if is_tls else "",
        "checksum": checksum,
    }
    escaped = {key: html.escape(value) for key, value in values.items()}
    return PAGE.format_map({**escaped, "style": STYLE}).encode()


def compute_checksum(file: bytes) -> str:
    """Return the SHA-256 that players compare with the host's."""
    return hashlib.sha256(file).hexdigest()


def build_response(status: str, kind: str, body: bytes, method: str = "GET") -> bytes:
    """Return an HTTP response, without its body for HEAD."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        f"Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cache-Control: no-store\r\n\r\n"
    )
    return head.encode() + (b"" if method == "HEAD" else body)


def build_line_response(status: str, text: str, method: str = "GET") -> bytes:
    """Return an HTTP response with one line of text."""
    return build_response(status, "text/plain; charset=utf-8", f"{text}\n".encode(), method)
