"""The five games and a sixth, played to their ends on real screens by real processes."""

from gridgames_server.games import GAMES
from tests.client.two_terminals import found, play, see_the_end, sit_down, two_screens
from tests.sixth_game import Pebbles
from tests.wire import program, run, serving


async def hunt_a_treasure(ada, bob):
    """Ada finds the treasure by two hints."""

    async def hint(cell):
        await play(ada, f"QUERY {cell}")
        return int((await found(ada, rf"{cell} (\d)\b"))[1])

    ada.press("f4")
    left = await hint("1A")
    await play(bob, "query 5C")
    right = await hint("1E")
    await play(bob, "QUERY 5B")
    ada.press("f4")
    column = (left - right + 4) // 2
    await play(ada, f"GUESS {1 + left - column}{'ABCDE'[column]}")
    await see_the_end(ada, bob)
    await ada.shows("Correct! You have found the treasure.")
    await bob.shows("Ada wins")


async def hide_and_dig(ada, bob):
    """Arrows, the menu, a choice at a cell, and Bob digs up Ada's treasure."""
    ada.press("f4")
    await ada.shows("Hide 3,3")
    ada.press("up", "up", "left", "enter")  # from the middle to 1,2
    await ada.shows("Enter again to confirm.")
    ada.press("enter")
    await bob.shows("has hidden a treasure.")
    ada.press("f4")
    await play(bob, "HIDE 5 5")
    await ada.shows("Scan 3,3")
    await play(ada, "1", then="Row (1-5):")
    ada.enters("3")
    await ada.shows("Column (1-5):")
    ada.enters("3")
    await ada.shows("Scan result: Distance is 4.")
    await play(bob, "DIG 2 2")
    await bob.shows("Dig result: No treasure at this location.")
    await ada.shows("your turn")
    ada.press("enter")
    await ada.shows("What at 3,3?")
    ada.press("d", "enter")
    await play(bob, "dig 1,2")
    await see_the_end(ada, bob)
    await bob.shows("Bob wins: Ada's treasure was at")


async def claim_cells_up_to_fifteen(ada, bob):
    """Both claim cells in their order until one has enough."""
    mover, other = ada, bob
    for cell in (f"{row}{col}" for row in "ABCDE" for col in "12345"):
        await mover.until(
            lambda mover=mover: "your turn" in mover.text() or "rematch" in mover.text(), "a turn or an end"
        )
        if "rematch" in mover.text():
            break
        await play(mover, cell)
        mover, other = other, mover
    await see_the_end(ada, bob)
    await other.shows("points")


async def capture_a_token(ada, bob):
    """Bob moves with the keys alone and captures Ada's token."""
    await play(ada, "MOVE 3", then="o  Observe")
    await play(ada, "OBSERVE 5")
    await bob.shows("Move ?")
    bob.press("f4")
    await bob.shows("Move 4")
    bob.press("right", "enter")  # from the middle to 5
    await bob.shows("What at 5?")
    bob.press("enter")
    await bob.shows("o  Observe")
    bob.press("f4")
    assert "MOVE 5" not in bob.text()
    await play(bob, "OBSERVE 3")
    await see_the_end(ada, bob)
    for player in (ada, bob):
        await player.shows("Bob wins by capturing")


async def move_the_seeker_to_a_goal(ada, bob):
    """Bob moves the Seeker to his goal."""
    await play(ada, "GOAL 2")
    await play(bob, "GOAL 1 4")
    for mover, cell in ((ada, "4,2"), (bob, "3,3"), (ada, "2,4"), (bob, "1,4")):
        await play(mover, f"move to {cell}")
        for reader in (ada, bob):
            await reader.shows(f"Seeker moved to ({cell}).")
    await see_the_end(ada, bob)
    for player in (ada, bob):
        await player.shows("has moved the Seeker to")


SCENARIO = {
    "treasure-hunt-duel": hunt_a_treasure,
    "grid-hunt": hide_and_dig,
    "grid-conquest": claim_cells_up_to_fifteen,
    "quantum-duel": capture_a_token,
    "secret-paths": move_the_seeker_to_a_goal,
}


def test_the_five_games_are_played_to_their_ends_on_two_screens(tmp_path):
    assert set(SCENARIO) == {game.card.slug for game in GAMES}

    async def scenario():
        async with program("--rate", "0") as server, two_screens(server.port, tmp_path) as (ada, bob):
            for game, story in SCENARIO.items():
                await sit_down(ada, bob, f"{game} first=host")
                await story(ada, bob)
                for player in (ada, bob):
                    player.press("f7")
                    await player.shows("Play now")
            for player in (ada, bob):
                player.press("ctrl-d")
                assert await player.ends() == 0
                assert player.is_restored()
                assert player.screen.strange == []

    run(scenario())


def test_a_sixth_game_is_played_in_the_same_client(tmp_path):
    async def whole():
        async with (
            serving(games=(*GAMES, Pebbles())) as server,
            two_screens(server.port, tmp_path) as (ada, bob),
        ):
            await ada.shows("how many pebbles are there in two hands?")
            await sit_down(ada, bob, "pebbles first=host")
            await play(ada, "HOLD 2")
            await play(bob, "3")
            await play(ada, "GUESS 4")
            await play(bob, "GUESS 6")
            await ada.shows("your turn")
            ada.press("right", "enter")  # from 4 in the middle to 5
            await see_the_end(ada, bob)
            await bob.shows("guessed it.")

    run(whole())


def test_a_finished_game_is_seen_again_step_by_step_on_a_screen(tmp_path):
    async def whole():
        store = str(tmp_path / "server.sqlite")
        async with program("--store", store) as server, two_screens(server.port, tmp_path) as (ada, bob):
            await sit_down(ada, bob, "quantum-duel first=host")
            await capture_a_token(ada, bob)
            ada.enters("/history")
            await ada.shows("Your finished games", "Quantum Duel  Bob      lost (capture)")
            ada.press("enter")
            await ada.shows("Quantum Duel   game 1", "Step 0 of 4", "As you saw it.")
            ada.press("right")
            await ada.shows("Step 1 of 4", "Ada  MOVE 3")
            ada.press("*")
            await ada.shows("As Bob [2] saw it.")
            ada.press("end", "*")
            await ada.shows("Step 4 of 4", "Everything is open.", "Bob wins by capturing")
            ada.press("home")
            await ada.shows("Step 0 of 4", "The start.")
            ada.enters("3")
            await ada.shows("Step 3 of 4", "Bob  MOVE 5")
            ada.press("escape")
            await ada.shows("Your finished games")
            ada.press("escape")
            await ada.shows("rematch")
            bob.enters("/standings")
            await bob.shows("Standings: all games", "Bob        1    1      0     0")
            for player in (ada, bob):
                assert player.screen.strange == []

    run(whole())
