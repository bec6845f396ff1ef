"""What the player does in the lobby: choose a row, make a room."""

from dataclasses import replace

from gridgames_client.state import commands
from gridgames_client.state.commands import Ask
from gridgames_client.state.controllers.controls import Controls
from gridgames_client.state.dialogs import LEVELS, NewRoom
from gridgames_client.state.lobby_list import LobbyRow, build_play_now, find_next_game, find_room, list_rows
from gridgames_protocol.messages import Join, LobbyRoom, Watch

SIDE_BY_SIDE = ("game", "look back")  # kinds of rows that the lobby with tiles draws in one line


def find_chosen_row(controller: Controls) -> LobbyRow | None:
    """The row of the lobby's cursor."""
    rows = list_rows(controller.model)
    return rows[controller.chosen_row] if controller.chosen_row < len(rows) else None


def find_chosen_room(controller: Controls) -> LobbyRoom | None:
    """The room of the lobby's cursor; None on other rows."""
    row = find_chosen_row(controller)
    return find_room(controller.model, row.name) if row and row.kind == "room" else None


def choose_row(controller: Controls, watch: bool = False) -> None:
    """Play now, join or watch a room, make a room for a game, or show history or standings."""
    row, room = find_chosen_row(controller), find_chosen_room(controller)
    if row is None:
        return
    if row.kind == "game":
        open_new_room(controller, row.name)
        return
    controller.model.say("")
    if room is not None:
        kind = Join if room.open and not watch else Watch
        controller.run(Ask(kind(commands.NO_ID, room.room)))
    elif row.kind == "look back":
        controller.run(commands.read_look_back(controller.model, row.name, []))
    else:
        request = build_play_now(controller.model)
        if request is not None and not controller.is_asking(request):
            controller.run(Ask(request))


def pick_beside(controller: Controls, by: int) -> None:
    """Move the cursor to the row beside it, if it is of the same kind: the next game, or the next word."""
    rows, at = list_rows(controller.model), controller.chosen_row + by
    row = find_chosen_row(controller)
    if row and row.kind in SIDE_BY_SIDE and 0 <= at < len(rows) and rows[at].kind == row.kind:
        controller.pick_row(by)


def pick_row(controller: Controls, by: int) -> None:
    """Move the cursor up or down. Rows that are drawn side by side count as one."""
    rows, at = list_rows(controller.model), controller.chosen_row
    if not controller.has_tiles or at >= len(rows):
        controller.pick_row(by)
        return
    beside = list_beside(rows, at)
    next_row = (beside[-1] if by > 0 else beside[0]) + by
    if 0 <= next_row < len(rows):
        places = list_beside(rows, next_row)
        controller.chosen_row = places[min(beside.index(at), len(places) - 1)]
        controller.notify_change()


def list_beside(rows: list[LobbyRow], at: int) -> list[int]:
    """The rows that are drawn in the same line as a row, if the games are tiles."""
    kind = rows[at].kind
    return [number for number, row in enumerate(rows) if row.kind == kind] if kind in SIDE_BY_SIDE else [at]


def open_new_room(controller: Controls, game: str = "") -> None:
    """Open the dialogue for a new room. Without a game it begins with the game of "play now"."""
    games = tuple(card.slug for card in controller.model.cards)
    if games:
        assisted = frozenset(card.slug for card in controller.model.cards if card.assist)
        proposed = find_next_game(controller.model)
        game = game if game in games or proposed is None else proposed.slug
        # On the player's own server, the computer is the likely opponent.
        variants = {card.slug: tuple(name for name, _ in card.variants) for card in controller.model.cards}
        level = int(controller.model.owns_server)
        wants = controller.model.wants_assist
        page = NewRoom(games, games.index(game), level=level, games_with_assist=assisted, wants_assist=wants)
        controller.open(replace(page, variants=variants))
    controller.notify_change()


def edit_room(controller: Controls, rows: int = 0, turns: int = 0) -> None:
    """Move the cursor of the dialogue, or change the value in its row."""
    if isinstance(controller.page, NewRoom):
        controller.page = controller.page.move_row(rows)
        controller.page = controller.page.change_value(turns) if turns else controller.page
        controller.notify_change()


def create_room(controller: Controls) -> None:
    """Make the room that the dialogue describes."""
    page, controller.page = controller.page, None
    if isinstance(page, NewRoom):
        if page.chosen_assist is not None and LEVELS[page.level]:
            controller.model.wants_assist = page.chosen_assist
            controller.remember_assist(page.chosen_assist)
        controller.model.say("")
        controller.send(page.build_request())
        controller.notify_change()
