"""A whole match as a page to read: what is typed, what each reader is told, and what each sees change."""

import json
from collections.abc import Iterator
from typing import Any

from gridgames_protocol.commitments import commitment
from gridgames_protocol.views import Action, Board, Meter, SecondBoard, View
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match, make_closing
from gridgames_server.games.narration import Announcement
from gridgames_server.games.seats import Reader
from tests.server.games.dialogue import TYPED, heard_as

READERS: dict[Reader, str] = {1: "Player 1", 2: "Player 2", None: "Watchers"}
BLANK = {"hidden": ".", "empty": "_"}  # how a cell with nothing written in it is drawn

LEGEND = """\
Before a sentence stand its readers: 12w is everybody, 1.. Player 1 alone, .2w all but Player 1; w are the watchers.
After a sentence about a move stands <the line> that everybody may read.
A cell shows its text and its kind; one without a text is . if hidden, _ if empty.
Of what each reader sees, the parts are shown that have changed."""


def transcript(game: Game[Any], seed: bytes, first: int, script: tuple[str, ...]) -> str:
    """The page that a script of typed lines (`1> QUERY 2B`) leads to."""
    match = Match(game, seed, first)
    seen: dict[Reader, dict[str, str]] = {reader: {} for reader in READERS}
    page = [f"{game.card.title}, edition {game.card.edition}", f"Seed {seed.hex()}; Player {first} moves first.", ""]
    page += [LEGEND, "", *map(told, match.announce_start()), *changes(match, seen)]
    for line in script:
        page += ["", "-" * 100, line, *answered(match, line), *changes(match, seen)]
    if match.outcome:
        page += ["", "-" * 100, *closed(match)]
    return "\n".join(page) + "\n"


def answered(match: Match, line: str) -> Iterator[str]:
    """What a typed line leads to."""
    typed = TYPED.fullmatch(line)
    assert typed, f"a script's line starts with 1> or 2>: {line}"
    try:
        played = match.play(int(typed[1]), typed[2])
    except Refusal as refusal:
        yield f"{typed[1]}! {refusal.code}: {refusal}"
        return
    if played.foul:
        yield f"{typed[1]}! {played.foul.code}, a foul: {played.foul}"
    yield from map(told, played.announcements)


def told(announcement: Announcement) -> str:
    """A sentence with its readers, its kind where it is a hint, and its commitment."""
    hint = " [hint]" if announcement.event.kind == "hint" else ""
    commit = (
        f" {announcement.event.commit.what} -> {announcement.event.commit.hash}" if announcement.event.commit else ""
    )
    line = f" <{announcement.event.line}>" if announcement.event.line is not None else ""
    return heard_as(announcement) + hint + line + commit


def changes(match: Match, seen: dict[Reader, dict[str, str]]) -> Iterator[str]:
    """The parts of each reader's view that are not as they were."""
    for reader, name in READERS.items():
        parts = parts_of(match.view(reader))
        new = [(label, text) for label, text in parts.items() if seen[reader].get(label) != text]
        if new:
            yield f"\n{name}:"
        for label, text in new:
            yield f"  {label:9}{text}".replace("\n", "\n" + " " * 11)
        seen[reader] = parts


def parts_of(view: View) -> dict[str, str]:
    """A view, part by part, as text."""
    covered, private = covered_on(view.board), [f"label: {label}" for label in view.private]
    return {
        "goal": view.goal,
        "legend": "; ".join(f"{mark}{seat or ''} {text}" for mark, seat, text in view.legend) or "none",
        "phase": view.phase,
        "board": drawn_board(view.board),
        "layers": layers_of(view.board),
        "second": "\n".join(map(second_board, view.boards)) or "none",
        "covered": ", ".join(covered + private) or "nothing",
        "facts": "\n".join(f"{label}: {text}" for label, text in view.facts),
        "meters": "; ".join(f"{label}{seat or ''} {n}/{most} {text}" for label, seat, n, most, text in view.meters)
        or "none",
        "moves": ", ".join(" ".join(map(str, filter(None, move))) for move in view.moves) or "none",
        "last": ", ".join(f"{cell} on board {number} by {seat}" for seat, number, cell in view.last) or "nothing",
        "actions": "\n".join(written(action, view.board.names) for action in view.actions) or "none",
        "seals": view.seals or "nothing",
        "prompt": view.prompt,
        "claim": "may be made" if view.claimable else "no",
        "state": json.dumps(view.state),
    }


def covered_on(board: Board) -> list[str]:
    """The cells and layers of a board that are covered with the reader's own secret."""
    cells = [f"{name} as {drawn(text, kind)}" for name, text, kind in board.masks]
    return cells + [f"layer: {layer}" for layer in board.private]


def written_meter(meter: Meter) -> str:
    label, seat, value, most, text = meter
    return f"{label}{seat or ''} {value}/{most} {text}"


def layers_of(board: Board) -> str:
    """What lies over the cells of a board."""
    lines = [f"title: {board.title}"] if board.title else []
    for label, values in (("corners", board.corners), ("heat", board.heat)):
        found = [f"{name} {value}" for name, value in zip(board.names, values, strict=False) if value]
        lines += [f"{label}: {', '.join(found)}"] if found else []
    lines += [f"possible: {listed(board.possible, board.names)}"] if board.possible else []
    lines += [f"trail: {', '.join(f'{seat} {a}-{b}' for seat, a, b in board.trail)}"] if board.trail else []
    lines += [f"zone of {seat}: {listed(names, board.names)}" for seat, names in board.zones]
    return "\n".join(lines) or "none"


def second_board(second: SecondBoard) -> str:
    """The board beside or under the first one, with what is covered on it."""
    board, covered = second.board, covered_on(second.board)
    parts = [f"{second.title}, {second.place}", drawn_board(board), layers_of(board)]
    return "\n".join([*parts, f"covered: {', '.join(covered)}"] if covered else parts)


def drawn_board(board: Board) -> str:
    """The board, each cell with its text and its kind."""
    cells = [drawn(text, kind) for text, kind in zip(board.texts, board.kinds, strict=True)]
    width = max(map(len, (*cells, *board.cols))) + 2
    lines = ["  " + "".join(label.ljust(width) for label in board.cols)]
    for row, label in enumerate(board.rows):
        here = cells[row * len(board.cols) : (row + 1) * len(board.cols)]
        lines.append(f"{label:2}" + "".join(cell.ljust(width) for cell in here))
    return "\n".join(line.rstrip() for line in lines)


def drawn(text: str, kind: str) -> str:
    return f"{text}:{kind}" if text or kind not in BLANK else BLANK[kind]


def written(action: Action, names: tuple[str, ...]) -> str:
    """An action with its key, its help, and the cells that it may name."""
    key = f"{action.key}. " if action.key else ""
    secret = " (secret)" if action.secret else ""
    secret += " (private)" if action.private else ""
    tells = f"; tells: {action.tells}" if action.tells else ""
    cells = "" if action.cells is None else f"; cells: {listed(action.cells, names)}"
    return f"{key}{action.form} - {action.help}{secret}{tells}{cells}"


def listed(cells: tuple[str, ...], names: tuple[str, ...]) -> str:
    """Some of a board's cells, or those that are missing if they are fewer."""
    missing = [name for name in names if name not in cells]
    if len(missing) >= len(cells):
        return " ".join(cells) or "none"
    return "all but " + " ".join(missing) if missing else "all"


def closed(match: Match) -> Iterator[str]:
    """The end as everybody is sent it."""
    for part in make_closing(match):
        yield from (f"move     {seat}> {line}" for seat, line in part.moves)
        for opening in part.reveal:
            fits = commitment(opening.what, opening.value, opening.nonce)
            yield f"opening  {opening.what} = {opening.value}, nonce {opening.nonce}\n         -> {fits}"
    assert match.outcome
    yield from reviewed(match)
    yield f"over     winner {match.outcome.winner or 'nobody'}, {match.outcome.reason}: {match.outcome.text}"


def reviewed(match: Match) -> Iterator[str]:
    """How it was decided, a line for each row."""
    review = match.review()
    assert review
    yield f"review   {review.title}, after {', '.join(map(str, review.after))} moves"
    for row in review.rows:
        yield f"         {row.label}, of {row.most}: {' '.join(map(str, row.numbers))}. {row.note}".rstrip()
