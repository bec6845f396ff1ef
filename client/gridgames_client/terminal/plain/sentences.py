"""The sentences of plain mode that need only the model."""

from collections.abc import Sequence

from gridgames_client.render.board import find_owner_mark, show_cell
from gridgames_client.state.actions.find_action import list_typed_help
from gridgames_client.state.history.ending import Ending
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Analysis, LobbyRoom, Show
from gridgames_protocol.views import Action

FULL_SCREEN_ONLY = "mouse"
LOBBY_HELP = "In the lobby, type one of these:"
CREATE_HELP = "create takes these behind the game: bot=easy, bot=medium, bot=hard, first=host, first=guest, clock=60, \
private, assist, hints."
TABLE_HELP = "At the table, type a line as the game asks for it, or the number of a choice, or one of these:"


def list_help(in_room: bool) -> list[str]:
    """The help: a line for each command."""
    rows = list_typed_help("room" if in_room else "lobby")
    commands = [f"{word}: {meaning}." for word, meaning in rows if FULL_SCREEN_ONLY not in word]
    return [TABLE_HELP, *commands] if in_room else [LOBBY_HELP, *commands, CREATE_HELP]


def name_form(action: Action) -> str:
    """The line of an action, with CELL in place of its cell."""
    return action.form.replace("{cell}", "CELL")


def list_owned_cells(show: Show) -> list[str]:
    """Whose cells the marks P1 and P2 stand for: a sentence for each player who has some."""
    board, sentences = show.view.board, list[str]()
    mine, theirs = ("Your", "The other player's") if show.you else ("Player 1's", "Player 2's")
    kinds = [show_cell(board, index, masked=True)[1] for index in range(len(board.names))]
    for owned, whose in (("mine", mine), ("theirs", theirs)):
        names = [
            name
            for index, name in enumerate(board.names)
            if kinds[index] == owned and find_owner_mark(board, index, owned)
        ]
        sentences += [f"{whose} cells: {', '.join(names)}."] if names else []
    return sentences


def list_moves(model: Model) -> list[str]:
    """The moves and openings of the finished game, a sentence for each."""
    ending = model.ending
    if ending is None:
        return []
    moves = [f"Move {number}: Player {seat} typed {line}." for number, (seat, line) in enumerate(ending.moves, start=1)]
    return [*moves, *(f"Sealed and opened: {secret.what} was {secret.value}." for secret in ending.reveals)]


def describe_room(room: LobbyRoom) -> str:
    """A room of the lobby in words."""
    host = f"{room.host} (a program)" if room.agent else room.host
    return f"{room.title}, {host}, {'open' if room.open else room.state}{', assist' if room.assist else ''}"


def list_checks(ending: Ending) -> list[str]:
    """The openings of a finished game, and whether they fit their seals."""
    sentences = [f"Opened: {secret.what} was {secret.value}." for secret in ending.reveals]
    sentences += [f"WARNING: {doubt} Do not trust this server." for doubt in ending.contradictions]
    verdict = ending.verdict
    if verdict.broken:
        broken = ", ".join(verdict.broken)
        sentences.append(f"WARNING: not what was sealed: {broken}. The server changed a secret.")
    elif verdict.fitting:
        count = "The commitment is" if verdict.fitting == 1 else f"All {verdict.fitting} commitments"
        sentences.append(f"{count} verified.")
    if verdict.unseen:
        what = "more" if verdict.fitting or verdict.broken else "commitments"
        sentences.append(f"{verdict.unseen} {what} made before you came can't be checked.")
    return sentences


JUDGEMENTS = {"?!": "not the best move", "?": "a mistake", "??": "a blunder"}


def tell_analysis(analysis: Analysis, moves: Sequence[tuple[int, str]]) -> list[str]:
    """The analysis: a sentence for each move that lost chances, for each player, and for the deciding move."""
    sentences = [f"The computer has looked at the game. The chances are those against {analysis.rival}."]
    for number, ((chance, best, line, mark), (seat, typed)) in enumerate(zip(analysis.moves, moves, strict=False), 1):
        if mark == "none":
            continue
        judged = f"Move {number}, Player {seat} {typed}: {JUDGEMENTS[mark]}"
        judged += f"; the chance to win was {_percent(chance)}" if chance is not None else ""
        better = f" {line} was better" if line else ""
        better += f", with {_percent(best)}" if line and best is not None else ""
        sentences.append(f"{judged}.{better}{'.' * bool(better)}")
    for seat, (accuracy, luck) in enumerate(zip(analysis.accuracy, analysis.luck, strict=True), start=1):
        told = [f"accuracy {accuracy} of 100"] if accuracy is not None else []
        told += [f"luck {round(luck / 10):+d} percent"] if luck is not None else []
        sentences += [f"Player {seat}: {', '.join(told)}."] if told else []
    return [*sentences, *([f"What decided the game: {analysis.turning.text}"] if analysis.turning else [])]


def _percent(chance: int | None) -> str:
    return f"{round((chance or 0) / 10)} percent"
