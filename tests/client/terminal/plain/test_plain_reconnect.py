"""Plain lines: a connection that breaks, and what is told on coming back."""

from gridgames_client.net.address import Address
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
                "Player 1 is Ada (you).",
                "Player 2 is Bob.",
                "Bob (Player 2): are you there?",
                "Player 2 has hidden a treasure.",
                "Let the game begin!",
                "Player 1's turn.",
                "Player 1 is away, and can return.",
                "Player 2's field:",
                *BOARD,
                "Your field:",
                *BOARD,
                "Scans left: Player 1: 3, Player 2: 3",
                "Your treasure: covered, /mask shows it",
                "Your turn: SCAN CELL; DIG CELL.",
                *menu(3),
                "Player 1 is back.",
            )

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
