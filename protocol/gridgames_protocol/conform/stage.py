"""One performance: the client's process, and the scripted end of its connections."""

import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgpack

from gridgames_protocol.codec import decode_request, encode
from gridgames_protocol.errors import WireError
from gridgames_protocol.framing import CLIENT_LINE_MAX, Splitter, stuff
from gridgames_protocol.messages import Hello, Ok, Ping, Push, Request

R = TypeVar("R", bound=Request)


class Failure(Exception):
    """The client did something else than the check wants."""


class Stage:
    """A listening socket, the client that was started for it, and the connection that it made last."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self.command = command
        self.patience = patience  # seconds to wait for what a client should do
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(patience)
        port = self.listener.getsockname()[1]
        self.printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `close`
        self.home = tempfile.TemporaryDirectory()
        environment = {**os.environ, "HOME": self.home.name, "XDG_STATE_HOME": str(Path(self.home.name) / "state")}
        self.process = subprocess.Popen(
            fill_in(command, port), stdin=subprocess.PIPE, stdout=self.printed, stderr=self.printed, env=environment
        )
        self.peer: socket.socket | None = None
        self.waiting: list[bytes] = []
        self.ids: list[int] = []  # of all requests, over all connections

    # The connection ---------------------------------------------------------------------------------------------------

    def accept(self) -> Hello:
        """Wait for the client to connect and to say hello."""
        try:
            self.peer, _ = self.listener.accept()
        except TimeoutError:
            raise Failure("it did not connect") from None
        self.peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.peer.settimeout(self.patience)
        self.splitter, self.waiting = Splitter(CLIENT_LINE_MAX), []
        return self.expect(Hello)

    def comes_back(self, within: float) -> bool:
        """True if the client connects again."""
        self.listener.settimeout(within)
        try:
            self.peer, _ = self.listener.accept()
        except TimeoutError:
            return False
        finally:
            self.listener.settimeout(self.patience)
        return True

    def send(self, *messages: Push | dict[str, Any] | bytes, pieces: int = 0) -> None:
        """Send messages; in pieces of so many bytes, or all at once."""
        raw = b"".join(map(as_line, messages))
        assert self.peer
        try:
            for start in range(0, len(raw), pieces or len(raw)):
                self.peer.sendall(raw[start : start + (pieces or len(raw))])
        except OSError:
            raise Failure("it has closed the connection") from None

    def cut(self) -> None:
        """End the connection without a word."""
        assert self.peer
        self.peer.close()

    def next_request(self) -> Request:
        """The next request but pings, which are answered here."""
        while True:
            while not self.waiting:
                self._read()
            try:
                request = decode_request(self.waiting.pop(0))
            except WireError as error:
                raise Failure(f"it sent a line that can't be read: {error}") from None
            self.ids.append(request.id)
            if not isinstance(request, Ping):
                return request
            self.send(Ok(request.id))

    def _read(self) -> None:
        assert self.peer
        try:
            chunk = self.peer.recv(65_536)
        except TimeoutError:
            raise Failure("it stayed silent") from None
        except OSError:
            chunk = b""
        if not chunk:
            raise Failure("it closed the connection")
        for line in self.splitter.feed(chunk):
            if isinstance(line, WireError):
                raise Failure(str(line))
            self.waiting.append(line)

    def expect(self, kind: type[R], answer: Callable[[Request], Push | None] = lambda request: None) -> R:
        """Wait for a request of a kind; others before it get their answers."""
        while True:
            request = self.next_request()
            if isinstance(request, kind):
                return request
            reply = answer(request)
            if reply is not None:
                self.send(reply)

    # The process ------------------------------------------------------------------------------------------------------

    def type(self, line: str) -> None:
        """Type a line, as the person at the client would; a bot does not read it."""
        assert self.process.stdin
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            return

    def output(self) -> bytes:
        """What the client has printed up to its end."""
        if self.process.stdin:
            self.process.stdin.close()
        self.process.stdin = None
        try:
            self.process.wait(self.patience / 2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.printed.seek(0)
        return self.printed.read()

    def close(self) -> None:
        """End the client and everything that belongs to it."""
        if self.peer:
            self.peer.close()
        self.listener.close()
        self.process.kill()
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait()
        self.printed.close()
        self.home.cleanup()


def fill_in(command: Sequence[str], port: int) -> list[str]:
    """A client's command with the server's address in it: where it says so, or at its end."""
    words = {"{host}": "127.0.0.1", "{port}": str(port), "{address}": f"127.0.0.1:{port}"}
    if not any(word in part for part in command for word in words):
        command = [*command, "{address}"]
    filled = list(command)
    for word, value in words.items():
        filled = [part.replace(word, value) for part in filled]
    return filled


def as_line(message: Push | dict[str, Any] | bytes) -> bytes:
    """A message as a line; bytes are sent as they are."""
    if isinstance(message, bytes):
        return message
    if isinstance(message, dict):
        return stuff(msgpack.packb(message))
    return encode(message)
