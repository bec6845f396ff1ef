"""The pages that can be asked for, as lines."""

from gridgames_client.render import overlays
from gridgames_client.render.drawing.text_layout import ASCII, plain
from gridgames_client.render.past_games import history_screen
from gridgames_client.state.commands import TextPage
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.history.replay import PastGames
from gridgames_client.terminal.plain.sentences import list_help, list_moves

PAGE_COLUMNS = 78
UNWRAPPED = 10_000  # columns of a line that is never wrapped


def list_page_lines(controller: Controller) -> list[str]:
    """The open page in lines."""
    model = controller.model
    match controller.page:
        case TextPage("help"):
            return list_help(model.room is not None)
        case TextPage("rules", game):
            card = model.card(game or "")
            told = [plain(line) for line in overlays.wrap_prose(card.rules, UNWRAPPED)] if card else []
            return [f"{card.title}:" if card else "There is no such game.", *told]
        case TextPage("moves"):
            return list_moves(model)
        case TextPage("standings", game):
            return history_screen.tell_standings(model, game)
        case PastGames(chosen):
            return history_screen.tell_games(controller, chosen)
    title, lines = overlays.draw_page(controller, ASCII, PAGE_COLUMNS)
    return [f"{title}:", *map(plain, lines)]
