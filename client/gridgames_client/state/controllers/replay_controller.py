"""What the player does with finished games: the list, replays, standings."""

from dataclasses import replace

from gridgames_client.state.commands import NO_ID, Ask, OpenReplay, TextPage, is_number
from gridgames_client.state.controllers.controls import Controls
from gridgames_client.state.history.replay import LOOKS, PastGames, Replaying, open_replay
from gridgames_client.state.pages import Page
from gridgames_protocol.messages import (
    Analysis,
    AskAnalysis,
    AskHistory,
    AskReplay,
    AskStandings,
    History,
    PastGame,
    Replay,
    Request,
    Standings,
)

NOT_YOURS = "There is no game {} among yours. Type /history to see which there are."
WORDS = "Type next, back, first, last or a step's number; mine, theirs or open for other eyes; close to end it."
LAST, FIRST = "That was the last step.", "This is the start."

Answer = History | Replay | Standings | Analysis


# The list -------------------------------------------------------------------------------------------------------------


def pick_game(controller: Controls, by: int) -> None:
    """Move the cursor in the list. Below its end, older games are asked for."""
    page, games = controller.page, controller.model.past_games
    if isinstance(page, PastGames) and games:
        controller.page = PastGames(min(max(page.row + by, 0), len(games) - 1))
        if page.row + by >= len(games) and controller.model.has_older_games:
            ask_once(controller, AskHistory(NO_ID, games[-1].number))
        controller.notify_change()


def ask_once(controller: Controls, request: Request) -> None:
    """Send a request unless the same one is unanswered. A held key repeats itself."""
    if not controller.is_asking(request):
        controller.run(Ask(request))


def choose_game(controller: Controls) -> None:
    """Replay the chosen game."""
    if isinstance(controller.page, PastGames) and controller.page.row < len(controller.model.past_games):
        controller.model.say("")
        controller.run(OpenReplay(controller.model.past_games[controller.page.row].number))


def find_replay(controller: Controls, command: OpenReplay, typed: str) -> None:
    """Ask for a replay. If the game is not listed yet, ask for its entry first: it names the player's seat."""
    game = next((game for game in controller.model.past_games if game.number == command.number), None)
    if game is None:
        look_up = AskHistory(NO_ID, command.number + 1)
        controller.replay_requests[look_up] = command
        controller.run(Ask(look_up), typed)
    else:
        ask_replay(controller, game, command.step, typed)


def ask_replay(controller: Controls, game: PastGame, step: int, typed: str) -> None:
    """Ask for a step of a game, as this player saw it."""
    request = AskReplay(NO_ID, game.number, min(step, game.lines), game.you)
    controller.replay_requests[request] = game
    controller.run(Ask(request), typed)


# One game, step by step -----------------------------------------------------------------------------------------------


def take_line(controller: Controls, text: str) -> bool:
    """Take a typed line, if it is meant for the list or the replay."""
    page, word = controller.page, text.strip().lower()
    if isinstance(page, PastGames | Replaying) and word in ("close", "q"):
        controller.close_page()
        return True
    if isinstance(page, PastGames) and is_number(word) and int(word):
        return controller.run(OpenReplay(int(word)), text)
    target = page.read_line(text) if isinstance(page, Replaying) else None
    if target is not None:
        go_to(controller, target, stepping=word not in LOOKS)
    return target is not None


def step(controller: Controls, by: int) -> None:
    """Go some steps forward or back."""
    if isinstance(controller.page, Replaying):
        go_to(controller, controller.page.at(controller.page.step + by))


def step_to(controller: Controls, end: bool) -> None:
    """Go to the start or to the last step."""
    if isinstance(controller.page, Replaying):
        go_to(controller, controller.page.at(controller.page.game.lines if end else 0))


def show_next_eyes(controller: Controls) -> None:
    """Show the step as the next reader sees it."""
    if isinstance(controller.page, Replaying):
        go_to(controller, controller.page.at(controller.page.step, controller.page.next_eyes()), stepping=False)


def go_to(controller: Controls, target: Replaying, stepping: bool = True) -> None:
    """Show another step, or ask for it. While a request is unanswered, only the latest wanted step is kept."""
    page = controller.page
    assert isinstance(page, Replaying)
    controller.page = target
    stays = stepping and target.wanted == page.wanted
    controller.model.say(
        LAST if stays and target.step == target.game.lines else FIRST if stays and not target.step else ""
    )
    if not page.waits:
        ask_wanted_step(controller)
    controller.notify_change()


def ask_wanted_step(controller: Controls) -> None:
    """Ask for the step that the player wants. The server answers one question at a time: the analysis comes first."""
    page = controller.page
    if isinstance(page, Replaying) and page.waits and not controller.is_asking(AskAnalysis(NO_ID, page.game.number)):
        controller.run(Ask(page.request))


def drop_request(controller: Controls, request: Request) -> None:
    """Drop what waits for a request that failed."""
    controller.replay_requests.pop(request, None)
    if isinstance(request, AskReplay | AskAnalysis) and isinstance(controller.page, Replaying):
        controller.page = controller.page.drop_request()


def find_page_below(controller: Controls) -> Page | None:
    """The page to go back to; None if there is none."""
    page = controller.page
    if not isinstance(page, Replaying) or not page.listed:
        return None
    return PastGames(
        next((row for row, game in enumerate(controller.model.past_games) if game.number == page.game.number), 0)
    )


# Standings ------------------------------------------------------------------------------------------------------------


def show_next_standings(controller: Controls, by: int) -> None:
    """Ask for the standings of the next game. All games together come before the first."""
    if isinstance(controller.page, TextPage) and controller.page.page == "standings":
        games = [None, *(card.slug for card in controller.model.cards)]
        here = games.index(controller.page.game) if controller.page.game in games else 0
        ask_once(controller, AskStandings(NO_ID, games[(here + by) % len(games)]))


# Replies --------------------------------------------------------------------------------------------------------------


def take_reply(controller: Controls, request: Request, reply: Answer, typed: str) -> None:
    """Take a reply about finished games."""
    wanted, page = controller.replay_requests.pop(request, None), controller.page
    match request, reply:
        case AskHistory(), History() if isinstance(wanted, OpenReplay):
            open_listed_game(controller, wanted, reply, typed)
        case AskHistory(), History():
            show_list(controller, request, reply, typed)
        case AskReplay(), Replay() if isinstance(wanted, PastGame):
            controller.open(open_replay(wanted, request, reply, isinstance(controller.page, PastGames)))
            ask_once(controller, AskAnalysis(NO_ID, wanted.number))
        case AskAnalysis(), Analysis() if isinstance(page, Replaying) and page.game.number == request.game:
            controller.page = replace(page, analysis=reply)
            ask_wanted_step(controller)
        case AskReplay(), Replay():
            show_step(controller, request, reply)
        case AskStandings(), Standings():
            controller.open(TextPage("standings", request.game))


def open_listed_game(controller: Controls, command: OpenReplay, history: History, typed: str) -> None:
    """Ask for the replay of a game whose entry was asked for, if it is the player's."""
    game = history.games[0] if history.games else None
    if game is not None and game.number == command.number:
        ask_replay(controller, game, command.step, typed)
    else:
        controller.refuse(NOT_YOURS.format(command.number), typed)


def show_list(controller: Controls, request: AskHistory, history: History, typed: str) -> None:
    """Show the list. The cursor goes to the first of the new games."""
    older = request.before is not None
    known = len(controller.model.past_games) - len(history.games) if older else 0
    if isinstance(controller.page, PastGames) or typed or not older:  # not if the player has closed the list meanwhile
        controller.open(PastGames(max(0, min(known, len(controller.model.past_games) - 1))))


def show_step(controller: Controls, request: AskReplay, reply: Replay) -> None:
    """Show a step. Ask for the next one if the player has gone on meanwhile."""
    page = controller.page
    if isinstance(page, Replaying) and page.game.number == request.game:
        controller.page = page.add_reply(request, reply)
        ask_wanted_step(controller)
