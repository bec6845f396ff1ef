"""A store for a host's commands, and the commands."""

from gridgames_server.admin import subcommands
from gridgames_server.storage.finished_games import read_games
from gridgames_server.storage.writer import Writer
from tests.server.stored_games import fail

SOUND = (0, "All rooms and games are undamaged.")


def does(capsys, *arguments, default="nowhere.sqlite"):
    """A host's command: its exit code, and the one place where it has said something."""
    code = subcommands.main([str(argument) for argument in arguments], default)
    said = capsys.readouterr()
    assert not (said.err if code == 0 else said.out), "what went well is on stdout, what went wrong on stderr"
    return code, (said.out or said.err).removesuffix("\n")


def mode(path):
    """Who may do what with a file."""
    return oct(path.stat().st_mode & 0o777)


def kept_games(path):
    """The finished games in a store."""
    writer = Writer(path, fail, fail)
    writer.load()
    games = read_games(writer.store, "1", {})
    writer.close()
    return games
