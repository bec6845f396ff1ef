"""Tells the boards of a view in lines: as pictures, or in words."""

from dataclasses import dataclass, field

from gridgames_client.render.board import Overlay, describe_cells, draw, find_owner_mark, list_ruled_out, show_cell
from gridgames_client.render.drawing.text_layout import ASCII, plain
from gridgames_client.state.model import Model
from gridgames_client.terminal.plain.sentences import name_owner
from gridgames_protocol.messages import Show
from gridgames_protocol.views import Board

DOTS = "Dots mark the cells that are ruled out."
UNCHANGED = "The board has not changed."
COVERED = "covered, /mask shows it"


@dataclass(slots=True)
class BoardLines:
    """Tells boards, and remembers what it has told: each turn, words tell only what is new."""

    told: set[tuple[str, str]] = field(default_factory=set)  # the title of a board, and a sentence or a ruled-out cell
    has_explained_dots: bool = False

    def tell(self, model: Model, show: Show, as_words: bool, whole: bool) -> list[str]:
        """The boards of a view and the facts beside them. In words only what is new, unless the whole is wanted."""
        if as_words:
            return self._describe(model, show, whole)
        boards = list_boards(show)
        lines = [line for title, board in boards for line in draw_board(title, board, model.masked)]
        if not self.has_explained_dots and any(has_dots(board, model.masked) for _, board in boards):
            self.has_explained_dots = True
            lines.append(DOTS)
        return [*lines, *list_owned_cells(model, show), *list_facts(show, model.masked)]

    def _describe(self, model: Model, show: Show, whole: bool) -> list[str]:
        before, self.told = set[tuple[str, str]]() if whole else self.told, set()
        lines = list[str]()
        for title, board in list_boards(show):
            cells, dots = describe_cells(board, model.masked, show.view.legend), list_ruled_out(board, model.masked)
            sentences = self._keep_new(title, cells if cells or dots else ["The board is empty."], before)
            new_dots = self._keep_new(title, dots, before)
            if new_dots:
                sentences.append(f"{'Ruled out' if new_dots == dots else 'Also ruled out'}: {join_cells(new_dots)}.")
            lines += [f"{title}:"] if title and sentences else []
            lines += sentences
        lines = lines or [UNCHANGED]
        return lines + self._keep_new("", list_facts(show, model.masked), before)

    def _keep_new(self, title: str, sentences: list[str], before: set[tuple[str, str]]) -> list[str]:
        """Those of the sentences that were not told before. All of them count as told from now on."""
        self.told |= {(title, sentence) for sentence in sentences}
        return [sentence for sentence in sentences if (title, sentence) not in before]


def join_cells(names: list[str]) -> str:
    """Names of cells for reading aloud. A name may contain a comma."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def list_boards(show: Show) -> list[tuple[str, Board]]:
    """The boards of a view with their titles."""
    view = show.view
    return [(view.board.title, view.board), *((second.title, second.board) for second in view.boards)]


def draw_board(title: str, board: Board, masked: bool) -> list[str]:
    """A board as a picture, under its title if it has one."""
    picture = [plain(line).rstrip() for line in draw(board, Overlay(masked=masked), ASCII, compact=True)]
    return [f"{title}:", *picture] if title else picture


def has_dots(board: Board, masked: bool) -> bool:
    """True if the picture of a board has cells that are filled with dots."""
    return any(show_cell(board, index, masked)[1] == "ruled_out" for index in range(len(board.names)))


def list_facts(show: Show, masked: bool) -> list[str]:
    """The facts beside the boards. Own secrets are left out while they are covered."""
    view = show.view
    return [f"{label}: {COVERED if masked and label in view.private else value}" for label, value in view.facts]


def list_owned_cells(model: Model, show: Show) -> list[str]:
    """Whose cells the marks P1 and P2 stand for: a sentence for each player who has some."""
    board, sentences = show.view.board, list[str]()
    mine, theirs = (show.you, 3 - show.you) if show.you else (1, 2)
    kinds = [show_cell(board, index, masked=True)[1] for index in range(len(board.names))]
    for owned, seat in (("mine", mine), ("theirs", theirs)):
        names = [
            name
            for index, name in enumerate(board.names)
            if kinds[index] == owned and find_owner_mark(board, index, owned)
        ]
        sentences += [f"{name_owner(model, seat)} cells: {join_cells(names)}."] if names else []
    return sentences
