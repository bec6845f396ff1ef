"""Adapts the cursor and the open page to what the server shows."""

from gridgames_client.state import cell_input
from gridgames_client.state.commands import Confirm
from gridgames_client.state.controllers.controls import Controls
from gridgames_client.state.controllers.notifications import FrontEndAction
from gridgames_client.state.dialogs import Choice
from gridgames_client.state.lobby_list import LobbyRow, find_first_row, list_rows
from gridgames_protocol.messages import Event, Play, Room, Show


def take_view(controller: Controls, show: Show, before: Show | None) -> None:
    """Adapt to a new view. A message or a question about an older one is dropped."""
    offered = controller.model.actions
    if show.view.last != controller.last_moves:
        controller.last_moves = show.view.last
        controller.moved_at = controller.clock() if before else None
    if before is None or before.view.phase != show.view.phase == "setup":
        controller.cursor = cell_input.find_start(controller.model)
    elif before.view.phase == "setup" != show.view.phase or controller.cursor >= len(show.view.board.names):
        controller.cursor = cell_input.find_middle(controller.model)
    if controller.cell_prompt is not None and controller.cell_prompt.action not in offered:
        controller.cell_prompt = None
    if isinstance(controller.page, Choice) and not set(controller.page.actions) <= set(offered):
        controller.page = None
    asked = controller.page.request if isinstance(controller.page, Confirm) else None
    if isinstance(asked, Play) and asked.rev != show.rev:
        controller.page = None


def take_event(controller: Controls, event: Event) -> None:
    """Let an event of somebody else replace an error, and keep the visible events of the log in place."""
    you = controller.model.room.you if controller.model.room else None
    if controller.model.notice_is_error and event.commit is None and event.seat != (you or 0):
        controller.model.drop_notice()
    if controller.log_offset:
        controller.scroll(1)


def take_room(controller: Controls, room: Room, before: Room | None) -> None:
    """Forget what was typed and asked for the game before, if a rematch begins."""
    if before and before.room == room.room and 0 < before.number != room.number:
        controller.line_to_confirm, controller.log_offset = "", 0
        if isinstance(controller.page, Confirm | Choice):
            controller.page = None
        controller.notify(FrontEndAction("clear"))


def take_lobby(controller: Controls, chosen: LobbyRow | None, is_new: bool) -> None:
    """Keep the cursor on the same row of the changed list."""
    rows = list_rows(controller.model)
    if is_new or chosen is None:
        controller.chosen_row = find_first_row(rows, controller.model)
    else:
        last = max(0, min(controller.chosen_row, len(rows) - 1))
        controller.chosen_row = rows.index(chosen) if chosen in rows else last
    controller.cell_prompt = None
    if isinstance(controller.page, Confirm | Choice):
        controller.page = None
