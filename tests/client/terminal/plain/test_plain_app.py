"""Plain lines: the menu, secrets, chat, boards as words, and the lobby."""

import pytest

from gridgames_client.state import commands
from gridgames_protocol.messages import Event
from gridgames_server.games.treasure_hunt_duel import GRID as HUNT
from tests.client.plain_players import BOARD, menu, plain_player, scenario, table_of, two_at_a_table
from tests.client.scripted_server import pretending
from tests.wire import run, serving

# The menu -------------------------------------------------------------------------------------------------------------


@scenario("grid-hunt first=host")
async def test_the_menu_counts_the_scans_that_are_left_and_asks_for_row_and_column(server, code, ada, bob):
    ada.types("HIDE 2 3")
    bob.types("HIDE 5 5")
    for left in (3, 2, 1):
        await ada.reads(menu(left)[0])
        await ada.reads_next(*menu(left)[1:])
        ada.types("1")
        await ada.reads_next("Row (1-5):")
        ada.types("3")
        await ada.reads_next("Column (1-5):")
        ada.types("3")
        await ada.reads("Scan result: Distance is 4.")
        await bob.reads("Player 2's turn.")
        bob.types("dig 1 1")
    await ada.reads(*menu(0))
    ada.types("scan 3 3")
    await ada.reads("You have no scans left. Dig with a row and a column, for example DIG 1,1.", *menu(0))
    ada.types("2", "5", "5")
    await ada.reads("You found the opponent's treasure and won the game!")


@scenario("grid-hunt first=host")
async def test_a_wrong_answer_to_the_menu_is_asked_again(server, code, ada, bob):
    await ada.reads("Row (1-5):")
    ada.types("7")
    await ada.reads_next("7 is none of them. Row (1-5):")
    ada.types("2")
    await ada.reads_next("Column (1-5):")
    ada.types("x")
    await ada.reads_next("x is none of them. Column (1-5):")
    ada.types("3")
    await bob.reads("Player 1 has hidden a treasure.")


@scenario("grid-hunt first=host")
async def test_after_a_refused_line_the_question_is_asked_anew(server, code, ada, bob):
    await ada.reads("Row (1-5):")
    ada.types("HIDE 9 9")
    await ada.reads("That is off the grid: rows are 1 to 5, columns 1 to 5.")
    await ada.reads_next("Player 1, hide your treasure.", "Row (1-5):")


# Secrets --------------------------------------------------------------------------------------------------------------


@scenario("grid-hunt first=host")
async def test_own_secrets_are_covered_until_they_are_uncovered(server, code, ada, bob):
    ada.types("HIDE 2 3")
    bob.types("HIDE 5 5")
    await ada.reads("Player 1's turn.", *BOARD)
    ada.types("/mask")
    await ada.reads("Your secrets are shown.", "2 |     |     |  T  |     |     |")
    ada.types("/mask")
    await ada.reads("Your secrets are covered.", *BOARD)


@scenario("grid-hunt first=host")
async def test_nothing_that_is_typed_is_printed(server, code, ada, bob):
    before = len(ada.printed)
    ada.types("HIDE 2 3")
    await bob.reads("Player 1 has hidden a treasure.")
    await ada.reads("Player 1 has hidden a treasure.")
    assert not any("2 3" in line or "2,3" in line or "HIDE" in line for line in ada.printed[before:])


def test_the_echo_is_off_while_a_secret_is_typed():
    async def whole():
        shown = []

        def echo(on):
            shown.append(on)
            return len(shown) < 2 or shown[-2] != on

        async with (
            serving() as server,
            plain_player(server, "Ada", echo=echo) as ada,
            plain_player(server, "Bob") as bob,
        ):
            assert set(shown) == {True}
            await two_at_a_table(ada, bob, "quantum-duel first=host")
            await ada.reads(
                "What you type now is not shown. /mask shows it.", "Player 1, first move your token in secret:"
            )
            assert shown[-1] is False
            ada.types("/mask")
            assert shown[-1] is True
            ada.types("/mask")
            assert shown[-1] is False
            ada.types("MOVE 3")
            await ada.reads("Player 1, now look: observe a position:")
            assert shown[-1] is True

    run(whole())


# The board, help, rules -----------------------------------------------------------------------------------------------


@scenario("treasure-hunt-duel first=host")
async def test_the_board_can_be_told_in_words(server, code, ada, bob):
    treasure = table_of(server, code).treasure
    await ada.reads("Player 1, query a cell or guess the treasure's:")
    ada.types("/board words")
    await ada.reads_next("Boards are told in words.", "The board is empty.", "Queried: 0 of 25", "Owes a turn: nobody")
    await ada.reads_next("Your hints: covered, /mask shows it")
    ada.types("/mask")
    ada.types("QUERY 2B")
    await bob.reads("Player 2's turn.")
    bob.types("QUERY 5A")
    distance = HUNT.distance(HUNT.names.index("2B"), treasure)
    await ada.reads("Player 1's turn.", f"2B: {distance}, steps away.", "5A: P2, they asked.")
    ada.types("/board picture")
    await ada.reads("     A     B     C     D     E", f"2 |     |  {distance}  |     |     |     |")


@scenario("grid-hunt")
async def test_help_tells_the_commands_and_no_keys(server, code, ada, bob):
    ada.types("/help")
    await ada.reads("At the table, type a line as the game asks for it, or the number of a choice, or one of these:")
    await ada.reads("/draw: offers, takes a draw.", "/quit: ends the program.")
    assert not any("F1" in line or "arrows" in line for line in ada.printed)


@scenario("grid-hunt")
async def test_the_rules_are_read_out(server, code, ada, bob):
    ada.types("/rules")
    await ada.reads("Grid Hunt:")
    await ada.reads_like("  HIDE 2 3")


# The lobby ------------------------------------------------------------------------------------------------------------


def test_the_lobby_tells_the_games_and_what_is_new():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada:
            assert ada.printed[1] == (
                "You are in the lobby. Type create and a game, join or watch and a code, help, or quit."
            )
            await ada.reads_like("Game grid-hunt: hide yours, find theirs: three scans, endless digs.")
            async with plain_player(server, "Bob") as bob:
                bob.types("create quantum-duel first=guest clock=60")
                await bob.reads_like("Room ")
                await bob.reads_next(f"The second player types: gridgames-client {server.host}:{server.port}")
                code = (await bob.reads_like("Then: join ")).split()[-1]
                await server.later(1)
                await ada.reads(f"Room {code}: Quantum Duel, Bob, open, 60 seconds a turn.")
                ada.types(f"join {code.lower()}")
                await ada.reads("Player 1 is Bob.", "You are Player 2.", "Welcome to Quantum Duel!")
                await ada.reads("You have 60 seconds.")
                ada.types("resign")
                await ada.reads("Give this game to the other player? (y/n)")
                ada.types("y")
                await bob.reads("Player 2 has resigned. Player 1 wins.", "Score: 1-0.")
                bob.types("/leave")
                await bob.reads_like("You are in the lobby.")
                ada.types("/leave")
                await ada.reads_like("You are in the lobby.")
                await server.later(1)
                await bob.reads(f"Room {code} is closed.")

    run(whole())


def test_what_can_not_be_done_is_told_in_the_servers_words():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada:
            ada.types("join ABCDEF")
            await ada.reads("There is no room with that code.")
            ada.types("dance")
            await ada.reads(commands.LOBBY_HELP)

    run(whole())


# Talk, watching, the end ----------------------------------------------------------------------------------------------


def test_one_who_watches_sees_what_is_public_and_can_talk():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada, plain_player(server, "Bob") as bob:
            code = await two_at_a_table(ada, bob, "grid-hunt first=host")
            async with plain_player(server, "Eve") as eve:
                eve.types(f"watch {code}")
                await eve.reads("Player 1 is Ada.", "Player 2 is Bob.", "You are watching.")
                eve.types("/chat Player 1's turn.")
                for reader in (ada, bob, eve):
                    await reader.reads("Eve (watching): Player 1's turn.")
                ada.types("HIDE 2 3", "/chat hi")
                await eve.reads("Player 1 has hidden a treasure.", "Ada (Player 1): hi")
                eve.types("HIDE 1 1")
                await eve.reads("You are watching. Only the two players can do that.")
                assert not any("2,3" in line for line in eve.printed)

    run(whole())


@scenario("grid-hunt first=host")
async def test_a_rematch_begins_when_both_want_it(server, code, ada, bob):
    ada.types("/resign", "yes")
    await bob.reads("Type /again for a rematch, or /leave for the lobby.")
    bob.types("again")
    await ada.reads("Player 2 asks for another game.")
    ada.types("again")
    for player in (ada, bob):
        await player.reads("You are Player 1." if player is ada else "Player 1 is Ada.", "Welcome to Grid Hunt!")


@scenario("grid-hunt first=host")
async def test_a_question_is_answered_yes_or_no_and_by_nothing_else(server, code, ada, bob):
    for answer in ("n", "No"):
        ada.types("/resign")
        await ada.reads("Give this game to the other player? (y/n)")
        for unclear in ("", "perhaps", "HIDE 1 1"):
            ada.types(unclear)
            await ada.reads_next("Type y or n. Give this game to the other player? (y/n)")
        ada.types(answer)
        await ada.reads_next("Nothing was done.", "Row (1-5):")
    ada.types("HIDE 1 1")
    await bob.reads("Player 1 has hidden a treasure.")


@scenario("grid-hunt first=host")
async def test_one_who_quits_in_the_middle_of_a_game_is_asked_first(server, code, ada, bob):
    ada.types("/quit")
    await ada.reads("Leave the program? The game waits for you: your seat is kept for a while. (y/n)")
    assert not ada.table.ended.is_set()
    ada.types("y")
    assert ada.table.ended.is_set()


@scenario("grid-hunt first=host")
async def test_a_broken_promise_is_told_loudly(server, code, ada, bob):
    ada.types("HIDE 2 3")
    bob.types("HIDE 5 5")
    await ada.reads("Player 1's turn.")
    ada.model.commits["treasure of 2"] = "0" * 64
    ada.types("DIG 5 5")
    await ada.reads("WARNING: not what was sealed: treasure of 2. The server changed a secret.")
    await bob.reads("All 2 commitments verified.")


def test_who_has_made_a_private_room_is_told_that_it_is():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada:
            ada.types("create grid-hunt private")
            await ada.reads_like("Then: join ")
            await ada.reads_next("The room is private: the lobby does not list it.")

    run(whole())


# What is never printed ------------------------------------------------------------------------------------------------


@scenario("grid-hunt first=host")
async def test_one_who_has_left_is_told_nothing_more(server, code, ada, bob):
    ada.types("/quit", "y")
    ada.unread()
    bob.types("/chat bye")
    await bob.reads("Bob (Player 2): bye")
    await server.later(1)
    assert ada.unread() == []


def test_when_nobody_reads_any_more_it_is_time_to_leave():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada:

            def broken(line):
                raise BrokenPipeError

            ada.table.write = broken
            ada.types("help")
            assert ada.table.ended.is_set()

    run(whole())


@pytest.mark.parametrize("text", ["\x1b[2J\x1b]0;owned\x07", "\u202eevil", "a\rb", "\x9b31m"])
def test_no_escape_is_printed_whatever_a_server_says(text):
    async def story(peer):
        await peer.welcomes()
        peer.says(Event(f"before{text}after", "system"))
        await peer.is_left()

    async def whole():
        async with pretending(story) as address, plain_player(None, "Ada", address=address) as ada:
            line = await ada.reads_like("before")
            assert line.endswith("after")
            assert line.isprintable()

    run(whole())


def test_each_turn_is_told_exactly_once_and_a_foul_asks_once():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada, plain_player(server, "Bob") as bob:
            await two_at_a_table(ada, bob, "secret-paths first=host")
            ada.types("GOAL 2")
            bob.types("GOAL 4")
            await ada.reads("Your turn: MOVE CELL.")
            before = len(ada.printed)
            ada.types("MOVE 1 1", "y")
            await ada.reads("Illegal moves: Player 1: 1, Player 2: 0")
            ada.types("MOVE 4 3")
            await ada.reads("Seeker moved to (4,3).")
            assert not [line for line in ada.printed[before:] if line.startswith("Your turn")]
            await bob.reads("Your turn: MOVE CELL.")
            bob.types("MOVE 3 3")
            await ada.reads("Your turn: MOVE CELL.")
            assert [line.startswith("Your turn") for line in ada.printed].count(True) == 3

    run(whole())


def test_no_question_of_the_game_is_asked_after_leaving_it():
    async def whole():
        async with serving() as server, plain_player(server, "Ada") as ada, plain_player(server, "Bob") as bob:
            await two_at_a_table(ada, bob, "grid-hunt first=host")
            await ada.reads("Row (1-5):")
            ada.types("/leave", "y")
            await ada.reads_like("You are in the lobby.")
            asked = [line for line in ada.printed if line == "Row (1-5):"]
            assert len(asked) == 1
            assert len([line for line in ada.printed if line.startswith("Game grid-hunt:")]) == 1

    run(whole())
