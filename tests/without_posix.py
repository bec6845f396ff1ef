"""An environment in which Python programs find no POSIX calls: what Windows lacks is hidden or refused.

A `sitecustomize` does it, so that children of the programs live in the same world. `msvcrt` is played by POSIX locks.
"""

from pathlib import Path

from tests.wire import environment

HIDE = """
import asyncio, fcntl, os, signal, socket, sys, tempfile, types
msvcrt = sys.modules["msvcrt"] = types.ModuleType("msvcrt")  # after the imports: a module that finds it uses Windows
msvcrt.LK_NBLCK = fcntl.LOCK_EX | fcntl.LOCK_NB
msvcrt.locking = lambda file, how, size: fcntl.flock(file, how)
for name in ("termios", "fcntl", "tty", "pty", "resource", "pwd", "grp", "syslog", "readline"):
    sys.modules[name] = None

def refuse(*given, **more):
    raise NotImplementedError

loop = asyncio.SelectorEventLoop
for name in ("add_signal_handler", "remove_signal_handler", "add_reader", "add_writer", "create_unix_server",
             "create_unix_connection", "create_datagram_endpoint"):
    setattr(loop, name, refuse)
for name in ("open_unix_connection", "start_unix_server"):
    delattr(asyncio, name)
pair, unix = socket.socketpair, socket.AF_UNIX
socket.socketpair = lambda *given: pair(unix)  # the loop's own, which every system has
del socket.AF_UNIX
for name in ("SIGHUP", "SIGQUIT", "SIGTSTP", "SIGUSR1", "SIGUSR2", "SIGALRM"):
    delattr(signal, name)
for name in ("fchmod", "fchown", "chown", "getuid", "geteuid", "getgid", "fork", "killpg", "setsid", "getpgid"):
    delattr(os, name)
"""


def environment_without_posix(folder: Path, **variables: str) -> dict[str, str]:
    """The variables with which a Python program finds itself in such a world, and keeps its files in a folder."""
    world = folder / "without posix"
    world.mkdir(exist_ok=True)
    (world / "sitecustomize.py").write_text(HIDE)
    given = {"PYTHONPATH": str(world), "XDG_STATE_HOME": str(folder), "GRIDGAMES_SEARCH": "none", **variables}
    return environment(**given)
