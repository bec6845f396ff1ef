"""The sentences of plain mode that need only the model."""

import re
from collections.abc import Sequence

from gridgames_client.render.past_games import review
from gridgames_client.render.past_games.chance_chart import format_luck
from gridgames_client.state.actions.find_action import list_typed_help
from gridgames_client.state.history.ending import Ending
from gridgames_client.state.lobby_list import find_browser_address
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Analysis, Event, Over, Room
from gridgames_protocol.views import Action

FULL_SCREEN_ONLY = "mouse"
MEANINGS = {  # of words whose meaning on the help page of the full screen is too short here
    "board words": "tells boards in words; board picture draws them; board alone tells the board again",
    "claim": "takes the win or the draw that is offered to you",
    "help": "tells this",
    "hint": "tells a good line and why, against the computer or where hints are on",
    "moves": "tells what is sealed; when the game is over, the moves",
    "words": "tells four words; the other player was shown the same game if it tells them the same words",
}
LOBBY_HELP = "In the lobby, type one of these:"
CREATE_HELP = "create takes these behind the game: bot=easy, bot=medium, bot=hard, first=host, first=guest, clock=60, \
private, assist, hints."
SECRET = re.compile(r"(.+?) of ([12])(?:, .*)?")  # what was sealed, and whose it is
EVENTS_TOLD = 5  # to one who comes back
AWAY, BACK = "Player {} is away, and can return.", "Player {} is back."  # the server's sentences
KEPT = "Your game is kept; start again to go on."
TABLE_HELP = "At the table, type a line as the game asks for it, or the number of a choice, or one of these:"


def list_help(in_room: bool) -> list[str]:
    """The help: a line for each command."""
    rows = list_typed_help("room" if in_room else "lobby")
    commands = [
        f"{word}: {MEANINGS.get(word.removeprefix('/'), meaning)}."
        for word, meaning in rows
        if FULL_SCREEN_ONLY not in word
    ]
    return [TABLE_HELP, *commands] if in_room else [LOBBY_HELP, *commands, CREATE_HELP]


def name_form(action: Action) -> str:
    """The line of an action, with CELL in place of its cell."""
    return action.form.replace("{cell}", "CELL")


def name_player(model: Model, seat: int) -> str:
    """A player in a sentence of ours: you, or the name."""
    if model.room and model.room.you == seat:
        return "you"
    return model.names.get(seat, f"Player {seat}")


def name_owner(model: Model, seat: int) -> str:
    """Whose something is, at the beginning of a sentence."""
    name = name_player(model, seat)
    return "Your" if name == "you" else f"{name}'s"


def list_moves(model: Model) -> list[str]:
    """The moves and openings of the finished game, a sentence for each."""
    ending = model.ending
    if ending is None:
        return []
    moves = [
        f"Move {number}: {name_player(model, seat)} typed {line}."
        for number, (seat, line) in enumerate(ending.moves, start=1)
    ]
    return [*moves, *(f"Sealed and opened: {secret.what} was {secret.value}." for secret in ending.reveals)]


# The room -------------------------------------------------------------------------------------------------------------


def list_missed_events(sent_again: Sequence[Event], printed: Sequence[str]) -> Sequence[Event]:
    """The events after the printed ones. If nothing was printed, the last few events of the running game."""
    past = [event for event in sent_again if event.commit is None]
    words = [event.text for event in past]
    if printed:
        shared = range(min(len(printed), len(words)), 0, -1)
        return past[next((size for size in shared if printed[-size:] == words[:size]), 0) :]
    begin = max((place for place, event in enumerate(past) if event.begins is not None), default=0)
    return past[begin:][-EVENTS_TOLD:]


def is_own_absence(event: Event, model: Model) -> bool:
    """True if an event tells the others that this player is away or back."""
    you = model.room.you if model.room else None
    return event.kind == "system" and you is not None and event.text in (AWAY.format(you), BACK.format(you))


def tell_waiting(model: Model, room: Room) -> list[str]:
    """How the second player can join a room."""
    sentences = [
        f"Room {room.room}. Waiting for a second player.",
        f"The second player types: {model.join_command}",
        f"Then: join {room.room}",
    ]
    page = find_browser_address(model) if not model.friend_types else ""
    sentences += [f"Without the client, first open in a browser: {page}"] if page else []
    sentences += ["The room is private: the lobby does not list it."] if model.made_private_room else []
    return [*sentences, *tell_options(room)]


def tell_players(room: Room) -> list[str]:
    """Who plays in a room."""
    sentences = []
    for seat, holder in enumerate(room.seats, start=1):
        if room.you == seat:
            sentences.append(f"You are Player {seat}.")
        elif holder:
            who = f" (a program: {holder.agent})" if holder.agent else ""
            sentences.append(f"Player {seat} is {holder.name}{who}.")
    sentences += tell_options(room)
    if room.you is None:
        sentences += ["You are watching.", "You see what everybody sees. Secrets are shown when the game is over."]
    return sentences


def tell_options(room: Room) -> list[str]:
    """Whether the room has assist or hints."""
    sentences = ["Assist is on: each player's board shades what that player can rule out."] if room.assist else []
    return sentences + (["Hints are on: each player may type /hint."] if room.hints else [])


# The end of a game ----------------------------------------------------------------------------------------------------


def tell_ending(model: Model, over: Over) -> list[str]:
    """The result, the secrets, the review and the score."""
    ending = model.ending
    assert ending
    sentences = [over.text, *tell_secrets(model, ending), *list_checks(ending)]
    sentences += review.describe_review(over.review) if over.review else []
    if model.room:
        one, two, draws = model.room.score
        sentences.append(f"Score: {one}-{two}{f', {draws} drawn' if draws else ''}.")
    return sentences


def tell_secrets(model: Model, ending: Ending) -> list[str]:
    """Where each secret was, a sentence for each. The moves page lists the secrets that are no cell."""
    places: dict[tuple[str, int], list[str]] = {}
    for secret in ending.reveals:
        found = SECRET.fullmatch(secret.what)
        thing, seat = (found[1], int(found[2])) if found else (secret.what, 0)
        if model.board and secret.value in model.board.names:
            places.setdefault((thing, seat), []).append(secret.value)
    return [
        f"{name_owner(model, seat) if seat else 'The'} {thing} was at {', then '.join(cells)}."
        for (thing, seat), cells in places.items()
    ]


def list_checks(ending: Ending) -> list[str]:
    """Whether the openings of a finished game fit their seals."""
    sentences = [f"WARNING: {doubt} Do not trust this server." for doubt in ending.contradictions]
    verdict = ending.verdict
    if verdict.broken:
        broken = ", ".join(verdict.broken)
        sentences.append(f"WARNING: not what was sealed: {broken}. The server changed a secret.")
    elif verdict.fitting:
        count = "The commitment is" if verdict.fitting == 1 else f"All {verdict.fitting} commitments"
        sentences.append(f"{count} verified.")
    return sentences


JUDGEMENTS = {"?!": "not the best move", "?": "a mistake", "??": "a blunder"}


def tell_analysis(analysis: Analysis, model: Model) -> list[str]:
    """The analysis: a sentence for each move that lost chances, for each player, and for the deciding move."""
    moves, turning = model.ending.moves if model.ending else (), analysis.turning
    sentences = [f"The computer has looked at the game. Chances assume {analysis.rival} and what the player knew."]
    for number, ((chance, best, line, mark), (seat, typed)) in enumerate(zip(analysis.moves, moves, strict=False), 1):
        if mark == "none":
            continue
        judged = f"Move {number}, {name_player(model, seat)} typed {typed}: {JUDGEMENTS[mark]}"
        judged += f"; the chance to win was {_percent(chance)}" if chance is not None else ""
        better = f" {line} was better" if line else ""
        better += f", with {_percent(best)}" if line and best is not None else ""
        decided = " This move decided the game." if turning and turning.move == number - 1 else ""
        sentences.append(f"{judged}.{better}{'.' * bool(better)}{decided}")
    for seat, (accuracy, luck) in enumerate(zip(analysis.accuracy, analysis.luck, strict=True), start=1):
        told = [f"accuracy: {accuracy} of 100"] if accuracy is not None else []
        told += [f"luck: {format_luck(luck)}"] if luck is not None else []
        sentences += [f"{name_owner(model, seat)} {', '.join(told)}."] if told else []
    if turning and not any("decided the game" in sentence for sentence in sentences):
        sentences.append(f"What decided the game: {turning.text}")
    return sentences


def _percent(chance: int | None) -> str:
    return f"{round((chance or 0) / 10)} percent"
