"""What the player does with games that are over: look one up in the list, step through it, see who has won most."""

from typing import TYPE_CHECKING

from gridgames_client.commands import NO_ID, Ask, Rerun, Turn, is_number
from gridgames_client.past import LOOKS, PastGames, Replaying, opened
from gridgames_protocol.messages import (
    AskHistory,
    AskReplay,
    AskStandings,
    History,
    PastGame,
    Replay,
    Request,
    Standings,
)

if TYPE_CHECKING:
    from gridgames_client.desk import Desk, Page

NOT_YOURS = "There is no game {} among yours. Type /history to see which there are."
WORDS = "Type next, back, first, last or a step's number; mine, theirs or open for other eyes; close to end it."
LAST, FIRST = "That was the last step.", "This is the start."


# The list -------------------------------------------------------------------------------------------------------------


def pick_game(desk: "Desk", by: int) -> None:
    """Move in the list; below its end, older games are asked for."""
    page, games = desk.page, desk.model.past
    if isinstance(page, PastGames) and games:
        desk.page = PastGames(min(max(page.chosen + by, 0), len(games) - 1))
        if page.chosen + by >= len(games) and desk.model.past_more:
            ask_once(desk, AskHistory(NO_ID, games[-1].number))
        desk.tell("change")


def ask_once(desk: "Desk", request: Request) -> None:
    """Ask for something, unless it is asked for already: a key that is held down wishes it many times."""
    if not desk.is_asking(request):
        desk.grant(Ask(request))


def choose_game(desk: "Desk") -> None:
    """See the chosen game again."""
    if isinstance(desk.page, PastGames) and desk.page.chosen < len(desk.model.past):
        desk.model.say("")
        desk.grant(Rerun(desk.model.past[desk.page.chosen].number))


def seek(desk: "Desk", wish: Rerun, typed: str) -> None:
    """Ask for a game that is over; where it is not in the list yet, the list is asked first, which knows the seat."""
    game = next((game for game in desk.model.past if game.number == wish.number), None)
    if game is None:
        look_up = AskHistory(NO_ID, wish.number + 1)
        desk.sought[look_up] = wish
        desk.grant(Ask(look_up), typed)
    else:
        rerun(desk, game, wish.step, typed)


def rerun(desk: "Desk", game: PastGame, step: int, typed: str) -> None:
    """Ask how a game stood, as its player saw it."""
    request = AskReplay(NO_ID, game.number, min(step, game.lines), game.you)
    desk.sought[request] = game
    desk.grant(Ask(request), typed)


# One game, step by step -----------------------------------------------------------------------------------------------


def read(desk: "Desk", text: str) -> bool:
    """Take a typed line, if it means what is being leafed through."""
    page, word = desk.page, text.strip().lower()
    if isinstance(page, PastGames | Replaying) and word in ("close", "q"):
        desk.close_page()
        return True
    if isinstance(page, PastGames) and is_number(word) and int(word):
        return desk.grant(Rerun(int(word)), text)
    wish = page.typed(text) if isinstance(page, Replaying) else None
    if wish is not None:
        look(desk, wish, stepping=word not in LOOKS)
    return wish is not None


def step(desk: "Desk", by: int) -> None:
    """Go some steps on, or back."""
    if isinstance(desk.page, Replaying):
        look(desk, desk.page.at(desk.page.step + by))


def step_to(desk: "Desk", end: bool) -> None:
    """Go to the start or to the last step."""
    if isinstance(desk.page, Replaying):
        look(desk, desk.page.at(desk.page.game.lines if end else 0))


def turn_eyes(desk: "Desk") -> None:
    """See it with other eyes."""
    if isinstance(desk.page, Replaying):
        look(desk, desk.page.at(desk.page.step, desk.page.next_eyes()), stepping=False)


def look(desk: "Desk", wish: Replaying, stepping: bool = True) -> None:
    """Show another step, or ask for it; while one is asked for, only the last wish is remembered."""
    page = desk.page
    assert isinstance(page, Replaying)
    desk.page = wish
    stays = stepping and wish.wish == page.wish
    desk.model.say(LAST if stays and wish.step == wish.game.lines else FIRST if stays and not wish.step else "")
    if wish.waits and not page.waits:
        desk.grant(Ask(wish.request))
    desk.tell("change")


def stay(desk: "Desk", request: Request) -> None:
    """Stop waiting for what can't be had."""
    desk.sought.pop(request, None)
    if isinstance(request, AskReplay) and isinstance(desk.page, Replaying):
        desk.page = desk.page.given_up()


def under(desk: "Desk") -> "Page | None":
    """What lies under the page that is open."""
    page = desk.page
    if not isinstance(page, Replaying) or not page.listed:
        return None
    return PastGames(next((row for row, game in enumerate(desk.model.past) if game.number == page.game.number), 0))


# Standings ------------------------------------------------------------------------------------------------------------


def turn_standings(desk: "Desk", by: int) -> None:
    """Go on to the standings of another game; all games together come before the first."""
    if isinstance(desk.page, Turn) and desk.page.page == "standings":
        games = [None, *(card.slug for card in desk.model.cards)]
        here = games.index(desk.page.game) if desk.page.game in games else 0
        ask_once(desk, AskStandings(NO_ID, games[(here + by) % len(games)]))


# What the server answers ----------------------------------------------------------------------------------------------


def answered(desk: "Desk", request: Request, reply: History | Replay | Standings, typed: str) -> None:
    """The server has said what was asked of games that are over."""
    sought = desk.sought.pop(request, None)
    match request, reply:
        case AskHistory(), History() if isinstance(sought, Rerun):
            found(desk, sought, reply, typed)
        case AskHistory(), History():
            listed(desk, request, reply, typed)
        case AskReplay(), Replay() if isinstance(sought, PastGame):
            desk.open(opened(sought, request, reply, isinstance(desk.page, PastGames)))
        case AskReplay(), Replay():
            told(desk, request, reply)
        case AskStandings(), Standings():
            desk.model.standings = reply
            desk.open(Turn("standings", request.game))


def found(desk: "Desk", wish: Rerun, history: History, typed: str) -> None:
    """Go on to the replay of a game that was looked up, if it is the player's."""
    game = history.games[0] if history.games else None
    if game is not None and game.number == wish.number:
        rerun(desk, game, wish.step, typed)
    else:
        desk.refuse(NOT_YOURS.format(wish.number), typed)


def listed(desk: "Desk", request: AskHistory, history: History, typed: str) -> None:
    """Show a page of the list; of older games, the first of them is chosen."""
    older = request.before is not None
    known = len(desk.model.past) if older else 0
    desk.model.look_back(history, older)
    if isinstance(desk.page, PastGames) or typed or not older:  # who has closed the list meanwhile does not want it
        desk.open(PastGames(max(0, min(known, len(desk.model.past) - 1))))


def told(desk: "Desk", request: AskReplay, reply: Replay) -> None:
    """Show a step that has come, and ask for the next one if the player has gone on meanwhile."""
    page = desk.page
    if isinstance(page, Replaying) and page.game.number == request.game:
        desk.page = page = page.told(request, reply)
        if page.waits:
            desk.grant(Ask(page.request))
