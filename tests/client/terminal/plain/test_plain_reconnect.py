"""Plain lines: a connection that breaks, and what is told on coming back."""

from gridgames_client.net.address import Address
from tests.client.client_process import child
from tests.client.plain_players import BOARD, menu, plain_player, two_at_a_table
from tests.client.scripted_server import cable
from tests.wire import run, serving


def test_one_whose_line_broke_is_told_what_is_new_and_nothing_twice():
    async def whole():
        async with (
            serving() as server,
            cable(Address(server.host, server.port)) as wire,
            plain_player(server, "Ada", address=wire.address) as ada,
            plain_player(server, "Bob") as bob,
        ):
            code = await two_at_a_table(ada, bob, "grid-hunt first=host")
            ada.types("HIDE 2 3")
            await ada.reads("Player 1 has hidden a treasure.")
            await bob.reads("Player 1 has hidden a treasure.")
            wire.loses_answers = True
            bob.types("/chat are you there?", "HIDE 5 5")
            await bob.reads("Player 1's turn.")
            wire.cut()
            assert (await ada.reads_like("The ")).endswith(" Reconnecting.")
            await ada.reads_next(
                "Connected again as Ada.",
                f"You are back in room {code}.",
                "You are Player 1.",
                "Player 2 is Bob.",
                "Bob (Player 2): are you there?",
                "Player 2 has hidden a treasure.",
                "Let the game begin!",
                "Player 1's turn.",
                "Player 2's field:",
                *BOARD,
                "Your field:",
                *BOARD,
                "Scans left: Player 1: 3, Player 2: 3",
                "Your treasure: covered, /mask shows it",
                "Your turn: SCAN CELL; DIG CELL.",
                *menu(3),
            )
            assert "Player 1 is back." not in ada.printed, "who is back knows that"

    run(whole())


def test_a_line_that_is_typed_while_the_line_is_down_is_told_to_be_lost():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada:
            await server.service.stop()
            await ada.reads("The server is stopping. Try again in a while. Reconnecting.")
            ada.types("create grid-hunt")
            await ada.reads("That was not sent: the connection is down. Try again when it is back.")
            told = [line for line in ada.printed if "Reconnecting" in line]
            assert len(told) == 1, "it is told once, however many tries it takes"

    run(whole())


def test_one_who_starts_again_is_told_what_is_needed_to_go_on(tmp_path):
    async def whole():
        async with serving() as server, plain_player(server, "Bob") as bob:
            place = f"{server.host}:{server.port}"
            asked = "Player 1, enter the cell you wish to claim:"
            async with child(place, "--name", "Ada", state=tmp_path) as ada:
                ada.types("create grid-conquest first=host")
                code = (await ada.reads("Then: join ")).split()[-1]
                bob.types(f"join {code}")
                await ada.reads(asked)
                ada.types("A1", "/resign", "y")
                await ada.reads("Score: 0-1.")
                ada.types("again")
                await bob.reads("Player 1 asks for another game.")
                bob.types("again")
                await bob.reads("Player 2, enter the cell you wish to claim:")
                bob.types("C3")
                await ada.reads(asked)
                ada.types("E3")
                await bob.reads("Player 2, enter the cell you wish to claim:")
                bob.types("B2")
                await ada.reads(asked)
                assert await ada.ends() == (0, "")
                assert ada.printed[-1] == "Your game is kept; start again to go on."
            async with child(place, "--name", "Ada", state=tmp_path) as ada:
                await ada.reads(f"You are back in room {code}.")
                await ada.reads("Player 2 has claimed cell B2")
                await ada.reads("Bob's cells: B2, C3.")
                await ada.reads("Your turn: CLAIM CELL.")
                await ada.reads(asked)
                told = "\n".join(ada.printed)
                assert "resigned" not in told, "that was the game before"
                assert "Welcome to" not in told, "that was long ago"
                ada.types("D1")
                await ada.reads("Player 2's turn.")
                await ada.ends()
            async with child(place, "--name", "Ada", state=tmp_path) as ada:
                await ada.reads("Bob's cells: B2, C3.")
                await ada.reads("It is Bob's turn.")
                assert not any("away" in line or "back." in line for line in ada.printed)

    run(whole())
