"""What each tile of a board shows: its colours, its text, its figure. Nothing here knows a tile's size."""

from typing import NamedTuple

from gridgames_client.render.board import Overlay, show_cell
from gridgames_protocol.views import Board

PLAIN = ("hidden", "empty")
BARE = (*PLAIN, "ruled_out")  # kinds of cells that are empty
TRAIL_MAX = 12  # steps of a path that a view holds
ENTRIES_MAX = 2  # into a cell of a variant, whose corner tells how many are left
CORNER_MAX = 100  # a corner has two digits; after 99 it begins again
FEW = 4  # gold is bright if at most one cell in FEW is possible


class Tile(NamedTuple):
    """One cell, ready to be painted in any size."""

    ground: str
    ink: str
    text: str = ""
    corner: str = ""
    figure: str = ""  # drawn instead of the text, if it fits
    dotted: bool = False  # ruled out
    edge: bool = False  # possible, although the cell is not empty
    legal: bool = False
    split: bool = False  # both seats' colours
    danger: bool = False  # in a zone of the other seat that only the reader sees
    figure_ink: str = ""  # of the figure, if it is not the ink of the text


def resolve(board: Board, overlay: Overlay, walked: bool = True) -> list[Tile]:
    """The tiles in reading order. The cells of a path have the colour of their player."""
    hidden = set(board.private) if overlay.masked else set()
    possible = frozenset(board.possible if "possible" not in hidden else ())
    gold = choose_gold(board, overlay)
    zones = {name: seat for seat, names in board.zones for name in names if "zones" not in hidden}
    corners = board.corners if "corners" not in hidden else ()
    trail = list_trail(board, overlay)
    rounds = number_steps(len(trail), _steps_before(board, corners, len(trail)))
    steps = {to: (seat, number) for (seat, _, to), number in zip(trail, rounds, strict=True)} if walked else {}
    heat = board.heat if "heat" not in hidden else ()
    legal = find_legal(board, overlay)
    feared = {name for name, seat in zones.items() if seat != overlay.you and "zones" in board.private}
    secrets = set() if overlay.masked else {name for name, *_ in board.masks}
    tiles = []
    for index, name in enumerate(board.names):
        text, kind = show_cell(board, index, overlay.masked)
        tile = _by_kind(kind, text, corners[index] if corners else "", overlay.you, heat[index] if heat else 0)
        if name in steps and kind in (*BARE, "token"):
            seat, number = steps[name]
            tile = tile._replace(ground=f"seat{seat}", ink=f"seat{seat}_text", dotted=False)
            corner = number if tile.corner.isdigit() else tile.corner
            tile = tile._replace(text=tile.text if text or not number else number, corner=corner)
        elif kind in BARE and name in possible:
            tile = tile._replace(ground=gold, ink=f"{gold}_text", dotted=False)
        elif name in zones and (kind in PLAIN or (kind == "goal" and name in feared & secrets)):
            colours = f"seat{zones[name]}_dim", f"seat{zones[name]}_dim_text"
            figure_ink = tile.ink if tile.figure else ""
            tile = tile._replace(ground=colours[0], ink=colours[1], danger=name in feared, figure_ink=figure_ink)
        elif kind in PLAIN and name in legal:
            tile = tile._replace(ground="legal", ink="legal_text")
        tiles.append(tile._replace(edge=name in possible and kind not in BARE, legal=name in legal))
    return tiles


def choose_gold(board: Board, overlay: Overlay) -> str:
    """The gold of the possible cells: bright if they are few."""
    covered = overlay.masked and "possible" in board.private
    return "possible" if covered or len(board.possible) * FEW <= len(board.names) else "maybe"


def find_legal(board: Board, overlay: Overlay) -> frozenset[str]:
    """The legal cells to mark; none if all empty cells are legal."""
    looks = [show_cell(board, index, overlay.masked) for index in range(len(board.names))]
    bare = {name for name, (text, kind) in zip(board.names, looks, strict=True) if kind in BARE and not text}
    return overlay.legal if overlay.legal and bare - overlay.legal else frozenset()


def _by_kind(kind: str, text: str, corner: str, you: int, heat: int) -> Tile:
    """The tile of a cell by its kind alone."""
    other = 3 - you
    seat = int(corner[1]) if corner in ("P1", "P2") else other if kind == "theirs" else you
    if not text and corner.isdigit():
        text, corner = corner, ""  # a number alone is drawn large
    match kind:
        case "mine" | "hint" | "theirs":
            return Tile(f"seat{seat}", f"seat{seat}_text", text, corner)
        case "both":
            return Tile("seat1", "seat1_text", text, corner, split=True)
        case "known":
            return Tile(f"known{heat or 4}", "known_text", text, corner)
        case "token":
            return Tile("token", f"seat{_owner(text, you)}_ink", text, corner, "pawn")
        case "goal":
            return Tile("goal", "gem", text, corner, "gem")
        case "ruled_out" if text in ("P1", "P2"):
            return Tile(f"seat{text[1]}", f"seat{text[1]}_text", text, corner)
        case "miss" | "ruled_out" if text:
            return Tile("out", f"seat{_owner(corner, you)}_ink", text, corner, "cross" if len(text) < 2 else "")
        case "ruled_out" | "miss":
            return Tile("out", "out_text", text, corner, dotted=True)
        case _:
            return Tile("hidden", "hidden_text", text, corner)


def _owner(mark: str, you: int) -> int:
    """The seat that a mark such as P1 or Q2 names; the reader's own if it names none."""
    return int(mark[-1]) if mark[-1:] in ("1", "2") and len(mark) == 2 else you


def find_tokens(board: Board, overlay: Overlay) -> dict[int, int]:
    """The cell of each seat's token, as far as they are in sight. Q12 stands for both tokens."""
    found: dict[int, int] = {}
    for cell in range(len(board.names)):
        text, kind = show_cell(board, cell, overlay.masked)
        if kind in ("token", "both"):
            found |= {seat: cell for seat in (1, 2) if str(seat) in text} or {overlay.you: cell}
    return found


def list_trail(board: Board, overlay: Overlay) -> tuple[tuple[int, str, str], ...]:
    """The steps that are drawn on a board; none while they are covered."""
    return () if overlay.masked and "trail" in board.private else board.trail


def number_steps(steps: int, before: int | None) -> list[str]:
    """The round of each step of a path; empty texts if the number of steps before them is not known.

    The seats take turns. A round begins with the seat that began, as in the table of moves.
    """
    if before is None:
        return [""] * steps
    return [str((before + step) // 2 + 1) for step in range(steps)]


def _steps_before(board: Board, corners: tuple[str, ...], shown: int) -> int | None:
    """The number of steps before the visible ones. The corner of the last one holds its number.

    In a variant it holds something smaller. Then the number is known only while no step is left out.
    """
    if not shown or not corners:
        return None
    if shown < TRAIL_MAX:
        return 0
    last = corners[board.names.index(board.trail[-1][2])]
    return (int(last) - shown) % CORNER_MAX if last.isdecimal() and int(last) > ENTRIES_MAX else None
