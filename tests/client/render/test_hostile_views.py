"""A view of any values that the protocol allows can be drawn: what can't is refused where it is read."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest

from gridgames_client.render import screen
from gridgames_client.render.drawing.text_layout import LINES, TILES
from gridgames_client.state import completion
from gridgames_client.state.controllers import board_controller
from gridgames_protocol.codec import encode
from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import Show
from gridgames_protocol.rules import Length, Only, Range
from gridgames_protocol.views import Board, CellName, SecondBoard, View
from tests.client.game_scripts import SWINGS, full_swing
from tests.protocol.vectors import decode

SIZES = ((20, 5), (40, 16), (80, 24), (200, 60))
TEXTS = ("", "1", "²", "٣", "12", "x", "P1", "字", "é", "Player 1", "{cell}", "a long sentence. Player 2 did it. " * 28)
VIEWS = 200  # of each game


def make_value(lot: Random, hint: Any, cells: tuple[str, ...]) -> Any:
    """A value that an annotation allows. Most names of cells are those of the board."""
    origin, args = get_origin(hint), get_args(hint)
    if hint == CellName:
        return lot.choice((*cells, "Z9"))
    if origin is Annotated:
        return make_limited(lot, args[0], args[1], cells)
    if origin is Literal:
        return lot.choice(args)
    if origin is tuple:
        return tuple(make_value(lot, arg, cells) for arg in args)
    if hint is bool:
        return lot.random() < 0.5
    if hasattr(hint, "__record__"):
        return hint(*(make_value(lot, field.hint, cells) for field in hint.__record__.fields))
    if origin is Mapping:
        return {}
    return make_value(lot, lot.choice([arg for arg in args if arg is not NoneType]), cells)


def make_limited(lot: Random, base: Any, limit: object, cells: tuple[str, ...]) -> Any:
    match limit:
        case Range(least, most):
            return lot.choice((least, most, lot.randint(least, most)))
        case Only(_, test):
            return lot.choice([text for text in TEXTS if test(text)])
        case Length(least, most) if base is str:
            return lot.choice([text[:most] for text in TEXTS if len(text) >= least])
        case Length(least, most):
            many = lot.choice((least, min(most, len(cells)), lot.randint(least, min(most, 5))))
            return tuple(make_value(lot, get_args(base)[0], cells) for _ in range(many))
    return make_value(lot, base, cells)


def bend(lot: Random, view: View) -> View:
    """The view with other values in up to three fields of it or its board."""
    for _ in range(lot.randint(1, 3)):
        where: Any = view.board if lot.random() < 0.5 else view
        field = lot.choice([field for field in where.__record__.fields if field.key not in ("board", "boards")])
        if field.key == "frame":
            names = tuple(lot.choice(view.board.names) for _ in view.board.names)
            bent = replace(where, frame=replace(view.board.frame, names=names))
        else:
            bent = replace(where, **{field.key: make_value(lot, field.hint, view.board.names)})
        view = replace(view, board=bent) if isinstance(bent, Board) else bent
    if lot.random() < 0.2:
        view = replace(view, boards=(SecondBoard("Beside", lot.choice(("beside", "under")), view.board),))
    return view


@pytest.mark.parametrize("slug", SWINGS)
def test_whatever_is_read_of_a_view_can_be_drawn(slug):
    lot, seen = Random(slug), Counter[str]()
    controller = full_swing(slug)
    show = controller.model.show
    assert show
    for number in range(1, VIEWS + 1):
        sent = replace(show, rev=show.rev + number, view=bend(lot, show.view))
        try:
            read = decode("push", encode(sent)[:-1])
        except WireError:
            seen["refused"] += 1
            continue
        assert isinstance(read, Show)
        seen["read"] += 1
        controller.on_message(read)
        controller.model.masked = lot.random() < 0.5
        controller.boards_as_words = lot.random() < 0.2
        for columns, rows in SIZES:
            screen.draw_screen(controller, lot.choice(("", "1", "DIG")), lot.choice((LINES, TILES)), columns, rows, 0.0)
        completion.list_candidates(controller.model, "")
        board_controller.act(controller)
        controller.page = controller.cell_prompt = None
    assert min(seen.values()) > VIEWS / 10
