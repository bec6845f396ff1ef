"""Runs the steps of the action table. A step that only the front end can do goes to `notify`."""

from gridgames_client.state.commands import Step
from gridgames_client.state.controllers import board_controller, lobby_controller, replay_controller
from gridgames_client.state.controllers.controls import Controls
from gridgames_client.state.controllers.notifications import FrontEndAction


def press(controller: Controls, step: Step, by: int) -> None:
    """Run a step."""
    match step:
        case "act":
            board_controller.act(controller)
        case "mark":
            board_controller.mark(controller)
        case "other board":
            board_controller.switch_board(controller)
        case "move rows":
            board_controller.move_cursor(controller, by, 0)
        case "move columns":
            board_controller.move_cursor(controller, 0, by)
        case "scroll log":
            controller.scroll(by)
        case "newest":
            controller.scroll(-controller.log_offset)
        case "pick row" if controller.page is None:
            lobby_controller.pick_row(controller, by)
        case "pick row":
            controller.pick_row(by)
        case "pick beside":
            lobby_controller.pick_beside(controller, by)
        case "choose row" | "watch row":
            lobby_controller.choose_row(controller, watch=step == "watch row")
        case "go":
            controller.model.goes_elsewhere = True
            controller.notify("quit")
        case "new room":
            row = lobby_controller.find_chosen_row(controller)
            lobby_controller.open_new_room(controller, row.name if row else "")
        case "edit row":
            lobby_controller.edit_room(controller, rows=by)
        case "edit value":
            lobby_controller.edit_room(controller, turns=by)
        case "create":
            lobby_controller.create_room(controller)
        case "choose":
            board_controller.choose(controller, controller.chosen_row)
        case "yes":
            controller.confirm(True)
        case "close":
            controller.close_page()
        case "pick game":
            replay_controller.pick_game(controller, by)
        case "replay chosen":
            replay_controller.choose_game(controller)
        case "step":
            replay_controller.step(controller, by)
        case "first step" | "last step":
            replay_controller.step_to(controller, step == "last step")
        case "eyes":
            replay_controller.show_next_eyes(controller)
        case "skip":
            game = controller.guide.skip()
            if game:
                controller.remember_guide(game)
            controller.model.say("The lessons are over." if game else "There are no lessons now.")
        case "standings":
            replay_controller.show_next_standings(controller, by)
        case _:
            controller.notify(FrontEndAction(step, by))
