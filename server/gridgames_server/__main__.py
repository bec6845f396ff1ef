"""The program `gridgames-server`: it serves, or carries out one of the host's commands.

The imports are late on purpose: `--version` and `--help` need none of the games.
"""

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

# New objects between two runs of the cycle collector. With the default, 700, it takes a tenth of a move, and of the
# start; with this 3 %. With 50,000 it took nothing of a move, but up to 80 ms at once when many connections end.
GARBAGE = 5_000
# Seconds after which a thread that thinks lets the event loop go on. With the default of 0.005 the slowest of 100 short
# turns beside two such threads took 96 to 229 ms, with this 0.3 to 40 ms, and the threads thought as fast.
SWITCH_AFTER = 0.0005


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the server until a signal ends it, or one command."""
    gc.set_threshold(GARBAGE)
    sys.setswitchinterval(SWITCH_AFTER)
    os.umask(0o077)  # the store, its side files and backups hold secrets
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0][:1] not in ("", "-"):
        run_command(given)
    from gridgames_server.options import parse

    options = parse(given)
    from gridgames_server.serve import run

    run(options)


def run_command(given: list[str]) -> None:
    """Carry out a command and end the program."""
    from gridgames_server.admin import subcommands
    from gridgames_server.options import BAD_USAGE, find_default_store, print_and_exit

    if given[0] == "pyz" and len(given) == 2:
        sys.exit(write_archive(given[1]))
    if given[0] in subcommands.COMMANDS:
        sys.exit(subcommands.main(given, find_default_store() or Path("server.sqlite")))
    if given[0] == "pyz":
        print_and_exit(BAD_USAGE, "give one file to write: gridgames-server pyz FILE")
    from difflib import get_close_matches

    found = get_close_matches(given[0], (*subcommands.COMMANDS, "pyz"), 1)
    nearest = f"; the nearest is {found[0]}" if found else ""
    print_and_exit(BAD_USAGE, f"there is no command {given[0]}{nearest}; see gridgames-server --help")


def write_archive(path: str) -> int:
    """Write `gridgames.pyz` for a USB stick. Return the exit code."""
    from gridgames_protocol.machine.output import print_line
    from gridgames_protocol.safe_text import harmless
    from gridgames_server.net.http_download import compute_checksum
    from gridgames_server.net.pyz_builder import build_pyz

    file = build_pyz()
    try:
        Path(path).write_bytes(file)
        Path(path).chmod(0o755)
    except OSError as error:
        print_line(f"gridgames-server: can't write {harmless(path)}: {error.strerror}", sys.stderr)
        return 1
    print_line(f"{harmless(path)}: {len(file)} bytes, SHA-256 {compute_checksum(file)}")
    return 0


if __name__ == "__main__":
    main()
