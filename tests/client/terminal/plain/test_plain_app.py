"""Plain lines: the five games word for word, the menu, secrets, chat, boards as words, and coming back."""

import pytest

from gridgames_client import commands
from gridgames_client.address import Address
from gridgames_protocol.messages import Event
from gridgames_server.games.grid_conquest import GRID as CONQUEST
from gridgames_server.games.treasure_hunt_duel import GRID as HUNT
from tests.client.line import cable, pretending
from tests.client.scribe import sitting, two_at_a_table
from tests.wire import run, serving


def table_of(house, code):
    """The secrets of a game, as only the server knows them."""
    return house.service.hub.rooms.by_code[code].match.state


def evening(wish):
    """Run a story of two players at a table."""

    def play(story):
        async def whole():
            async with serving() as house, sitting(house, "Ada") as ada, sitting(house, "Bob") as bob:
                code = await two_at_a_table(ada, bob, wish)
                await story(house, code, ada, bob)

        def test():
            run(whole())

        test.__name__ = story.__name__
        return test

    return play


BOARD = [
    "     1     2     3     4     5",
    "1 |     |     |     |     |     |",
    "2 |     |     |     |     |     |",
    "3 |     |     |     |     |     |",
    "4 |     |     |     |     |     |",
    "5 |     |     |     |     |     |",
]


# The five games -------------------------------------------------------------------------------------------------------


@evening("treasure-hunt-duel first=host")
async def test_treasure_hunt_duel_is_told_word_for_word(house, code, ada, bob):
    treasure = table_of(house, code).treasure
    cells = [cell for cell in range(len(HUNT)) if cell != treasure]
    query, miss, right = HUNT.names[cells[0]], HUNT.names[cells[1]], HUNT.names[treasure]

    await ada.reads("Player 1's turn.", "Player 1, query a cell or guess the treasure's:")
    ada.types(f"query {query}")
    await ada.reads(f"Player 1 queried {query}.", f"Distance: {HUNT.distance(cells[0], treasure)}", "Player 2's turn.")
    await bob.reads(f"Player 1 queried {query}.", "Player 2's turn.")
    bob.types(f"QUERY {query}")
    line = await bob.reads_like(f"Cell {query} has already been queried.")
    assert line.startswith(f"Cell {query} has already been queried. Please select a different cell.")
    await bob.reads_next("Player 2, query a cell or guess the treasure's:")
    bob.types(f"GUESS {miss}")
    await bob.reads("Incorrect guess. You will lose your next turn.", "Player 1's turn.")
    await ada.reads("Incorrect guess. Player 2 will lose the next turn.")
    ada.types(f"QUERY {miss}")
    await ada.reads("Player 2 loses this turn.", "Player 1's turn.")
    ada.types(f"guess {right[::-1]}")
    await ada.reads("Correct! You have found the treasure.", f"Player 1 wins: the treasure was at {right}.")
    await bob.reads("Correct! Player 1 has found the treasure.")
    for player in (ada, bob):
        await player.reads(f"Opened: treasure was {right}.", "The commitment is verified.")
    assert not any("Distance:" in line for line in bob.printed), "distances are private"


@evening("grid-hunt first=host")
async def test_grid_hunt_is_told_word_for_word(house, code, ada, bob):
    await ada.reads("Player 1, hide your treasure.", *BOARD, "Player 1, hide your treasure.", "Row (1-5):")
    await bob.reads("Player 2, hide your treasure.", *BOARD, "Player 2, hide your treasure.", "Row (1-5):")
    ada.types("2")
    await ada.reads_next("Column (1-5):")
    ada.types("3")
    bob.types("HIDE 5 5")
    await ada.reads("Let the game begin!", "Player 1's turn.")
    ada.types("SCAN 3,3")
    await ada.reads("Scan result: Distance is 4.")
    await bob.reads("Player 1 scanned (3,3).", "Player 2's turn.")
    bob.types("scan (1,1)")
    await bob.reads("Scan result: Distance is 3.")
    await ada.reads("Player 1's turn.")
    ada.types("SCAN 44")
    await ada.reads("Scan result: Distance is 2.")
    await bob.reads("Player 2's turn.")
    bob.types("DIG 2 2")
    await bob.reads("Dig result: No treasure at this location.")
    await ada.reads("Player 2 dug at (2,2).", "No treasure was there.", "Player 1's turn.")
    ada.types("DIG 5 5")
    await ada.reads("You found the opponent's treasure and won the game!", "All 2 commitments verified.")
    await bob.reads("Player 1 found Player 2's treasure and won the game!", "All 2 commitments verified.")


@evening("grid-conquest first=host")
async def test_grid_conquest_is_told_word_for_word(house, code, ada, bob):
    values = table_of(house, code).values
    scores, free = [0, 0], sorted(range(len(CONQUEST)), key=lambda cell: -values[cell])
    mover, other, seat = ada, bob, 0
    while max(scores) < 15:
        cell = free.pop(0)
        name = CONQUEST.names[cell]
        scores[seat] += values[cell]
        await mover.reads(f"Player {seat + 1}, enter the cell you wish to claim:")
        mover.types(name if seat else f"CLAIM {name[::-1]}")
        await mover.reads(
            f"You have claimed cell {name} with a value of {values[cell]}.", f"Your new score is {scores[seat]}."
        )
        await other.reads(f"Player {seat + 1} has claimed cell {name} with a value of {values[cell]}.")
        mover, other, seat = other, mover, 1 - seat
    await other.reads(f"Congratulations! You have reached {max(scores)} points and won the game!")
    await mover.reads(f"Player {2 - seat} has reached {max(scores)} points and won the game!")
    for player in (ada, bob):
        await player.reads("Opened: values was " + "".join(map(str, values)) + ".", "The commitment is verified.")


@evening("quantum-duel first=host")
async def test_quantum_duel_is_told_word_for_word_up_to_a_capture(house, code, ada, bob):
    await ada.reads("Player 1's turn.", "Player 1, move your token in secret:")
    ada.types("MOVE 3")
    await ada.reads("Player 1 has moved.", "Player 1, observe a position:")
    ada.types("OBSERVE 5")
    for player in (ada, bob):
        await player.reads("Player 2's token is not at position 5.", "Player 2's turn.")
    await bob.reads("Player 2, move your token in secret:")
    bob.types("TUNNEL 5", "/board")
    await bob.reads("Player 2 has moved.", "Your tunnel: covered, /mask shows it", "Player 2, observe a position:")
    bob.types("OBSERVE 3")
    for player in (ada, bob):
        await player.reads(
            "Player 1's token is at position 3.",
            "Player 2 wins by capturing Player 1's token!",
            "Opened: token of 1, move 1 was 3.",
            "Opened: token of 2, move 1 was 5.",
            "All 2 commitments verified.",
        )


@evening("quantum-duel first=host")
async def test_quantum_duel_is_told_word_for_word_up_to_a_collision(house, code, ada, bob):
    for player, move, look in ((ada, "MOVE 4", 1), (bob, "MOVE 6", 1), (ada, "MOVE 5", 2), (bob, "MOVE 5", 7)):
        seat, rival = (1, 2) if player is ada else (2, 1)
        await player.reads(f"Player {seat}'s turn.")
        player.types(move)
        await player.reads(f"Player {seat} has moved.")
        player.types(f"OBSERVE {look}")
        await player.reads(f"Player {rival}'s token is not at position {look}.")
    for player in (ada, bob):
        await player.reads("Player 1 wins! Player 2's token destabilized in collision.", "All 4 commitments verified.")


@evening("secret-paths first=host")
async def test_secret_paths_is_told_word_for_word(house, code, ada, bob):
    await ada.reads("Player 1, choose your Goal Cell (row 5, any column 1-5):", "Column (1-5):")
    await bob.reads("Player 2, choose your Goal Cell (row 1, any column 1-5):", "Column (1-5):")
    ada.types("2")
    await ada.reads("Goal Cell selected.")
    bob.types("GOAL 1 4")
    await bob.reads("Goal Cell selected.", "Let the game begin!")
    for player, cell in ((ada, "4,2"), (bob, "3,3"), (ada, "2,4"), (bob, "1,4")):
        await player.reads(f"Player {1 if player is ada else 2}'s turn.")
        player.types(f"move to {cell}")
        for reader in (ada, bob):
            await reader.reads(f"Seeker moved to ({cell}).")
    for player in (ada, bob):
        assert "The Seeker starts at (3,3)." in player.printed
        await player.reads(
            "Player 2 has moved the Seeker to their Goal Cell and wins the game!",
            "Opened: goal of 1 was 5,2.",
            "Opened: goal of 2 was 1,4.",
            "All 2 commitments verified.",
            "Score: 0-1.",
            "Type /again for a rematch, or /leave for the lobby.",
        )


@evening("secret-paths first=host")
async def test_three_illegal_moves_offer_the_win_to_the_other(house, code, ada, bob):
    ada.types("GOAL 2")
    bob.types("GOAL 4")
    await ada.reads("Player 1's turn.")
    for number in (1, 2, 3):
        ada.types("move to 3,3")
        await ada.reads_like("The Seeker stands at (3,3) and may not stay.")
        await bob.reads(f"Player 1 made an illegal move, number {number}.")
    await bob.reads("You may claim the win: /claim")
    bob.types("/claim")
    for player in (ada, bob):
        await player.reads("Player 2 claims the win: Player 1 has forfeited it.")


# The menu -------------------------------------------------------------------------------------------------------------


def menu(left):
    return ("Choose an action:", f"1. Scan ({left} Scans remaining)", "2. Dig", "Enter your choice (1 or 2):")


@evening("grid-hunt first=host")
async def test_the_menu_counts_the_scans_that_are_left_and_asks_for_row_and_column(house, code, ada, bob):
    ada.types("HIDE 2 3")
    bob.types("HIDE 5 5")
    for left in (3, 2, 1, 0):
        await ada.reads(menu(left)[0])
        await ada.reads_next(*menu(left)[1:])
        ada.types("1")
        await ada.reads_next("Row (1-5):")
        ada.types("3")
        await ada.reads_next("Column (1-5):")
        ada.types("3")
        if left:
            await ada.reads("Scan result: Distance is 4.")
            await bob.reads("Player 2's turn.")
            bob.types("dig 1 1")
    await ada.reads("You have used all 3 scans. Dig instead, for example DIG 1,1.", *menu(0))
    ada.types("2", "5", "5")
    await ada.reads("You found the opponent's treasure and won the game!")


@evening("grid-hunt first=host")
async def test_a_wrong_answer_to_the_menu_is_asked_again(house, code, ada, bob):
    await ada.reads("Row (1-5):")
    ada.types("7")
    await ada.reads_next("7 is none of them. Row (1-5):")
    ada.types("2")
    await ada.reads_next("Column (1-5):")
    ada.types("x")
    await ada.reads_next("x is none of them. Column (1-5):")
    ada.types("3")
    await bob.reads("Player 1 has hidden a treasure.")


@evening("grid-hunt first=host")
async def test_after_a_refused_line_the_question_is_asked_anew(house, code, ada, bob):
    await ada.reads("Row (1-5):")
    ada.types("HIDE 9 9")
    await ada.reads("That is off the grid: rows are 1 to 5, columns 1 to 5.")
    await ada.reads_next("Player 1, hide your treasure.", "Row (1-5):")


# Secrets --------------------------------------------------------------------------------------------------------------


@evening("grid-hunt first=host")
async def test_own_secrets_are_covered_until_they_are_uncovered(house, code, ada, bob):
    ada.types("HIDE 2 3")
    bob.types("HIDE 5 5")
    await ada.reads("Player 1's turn.", *BOARD)
    ada.types("/mask")
    await ada.reads("Your secrets are shown.", "2 |     |     |  T  |     |     |")
    ada.types("/mask")
    await ada.reads("Your secrets are covered.", *BOARD)


@evening("grid-hunt first=host")
async def test_nothing_that_is_typed_is_printed(house, code, ada, bob):
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

        async with serving() as house, sitting(house, "Ada", echo=echo) as ada, sitting(house, "Bob") as bob:
            assert set(shown) == {True}
            await two_at_a_table(ada, bob, "quantum-duel first=host")
            await ada.reads("Player 1, move your token in secret:", "What you type now is not shown. /mask shows it.")
            assert shown[-1] is False
            ada.types("/mask")
            assert shown[-1] is True
            ada.types("/mask")
            assert shown[-1] is False
            ada.types("MOVE 3")
            await ada.reads("Player 1, observe a position:")
            assert shown[-1] is True

    run(whole())


# The board, help, rules -----------------------------------------------------------------------------------------------


@evening("treasure-hunt-duel first=host")
async def test_the_board_can_be_told_in_words(house, code, ada, bob):
    treasure = table_of(house, code).treasure
    await ada.reads("Player 1, query a cell or guess the treasure's:")
    ada.types("/board words")
    await ada.reads_next("The board is empty.", "Queried: 0 of 25", "Owes a turn: nobody")
    ada.types("QUERY 2B")
    await bob.reads("Player 2's turn.")
    bob.types("QUERY 5A")
    distance = HUNT.distance(HUNT.names.index("2B"), treasure)
    await ada.reads("Player 1's turn.", f"2B: {distance}, hint.", "5A: P2, theirs.")
    ada.types("/board")
    await ada.reads("     A     B     C     D     E", f"2 |     |  {distance}  |     |     |     |")


@evening("grid-hunt")
async def test_help_tells_the_commands_and_no_keys(house, code, ada, bob):
    ada.types("/help")
    await ada.reads("In the lobby, type one of these:")
    assert not any("F1" in line or "arrows" in line for line in ada.printed)


@evening("grid-hunt")
async def test_the_rules_are_read_out(house, code, ada, bob):
    ada.types("/rules")
    await ada.reads("Grid Hunt:")
    await ada.reads_like("  HIDE 2 3")


# The lobby ------------------------------------------------------------------------------------------------------------


def test_the_lobby_tells_the_games_and_what_is_new():
    async def whole():
        async with serving() as house, sitting(house, "Ada") as ada:
            assert ada.printed[1] == (
                "You are in the lobby. Type create and a game, join or watch and a code, help, or quit."
            )
            await ada.reads_like("Game grid-hunt: hide yours, find theirs: three scans, endless digs.")
            async with sitting(house, "Bob") as bob:
                bob.types("create quantum-duel first=guest clock=60")
                await bob.reads_like("Room ")
                await bob.reads_next(f"The second player types: gridgames-client {house.host}:{house.port}")
                code = (await bob.reads_like("Then: join ")).split()[-1]
                await house.later(1)
                await ada.reads(f"Room {code}: Quantum Duel, Bob, open.")
                ada.types(f"join {code.lower()}")
                await ada.reads("Player 1 is Bob.", "Player 2 is Ada (you).", "Welcome to Quantum Duel!")
                await ada.reads("You have 60 seconds.")
                ada.types("resign")
                await ada.reads("Give this game to the other player? (y/n)")
                ada.types("y")
                await bob.reads("Player 2 has resigned. Player 1 wins.", "Score: 1-0.")
                bob.types("/leave")
                await bob.reads_like("You are in the lobby.")
                ada.types("/leave")
                await ada.reads_like("You are in the lobby.")
                await house.later(1)
                await bob.reads(f"Room {code} is closed.")

    run(whole())


def test_what_can_not_be_done_is_told_in_the_servers_words():
    async def whole():
        async with serving() as house, sitting(house, "Ada") as ada:
            ada.types("join ABCDEF")
            await ada.reads("There is no room with that code.")
            ada.types("dance")
            await ada.reads(commands.LOBBY_HELP)

    run(whole())


# Talk, watching, the end ----------------------------------------------------------------------------------------------


def test_one_who_watches_sees_what_is_public_and_can_talk():
    async def whole():
        async with serving() as house, sitting(house, "Ada") as ada, sitting(house, "Bob") as bob:
            code = await two_at_a_table(ada, bob, "grid-hunt first=host")
            async with sitting(house, "Eve") as eve:
                eve.types(f"watch {code}")
                await eve.reads("Player 1 is Ada.", "Player 2 is Bob.", "You are watching.", "Welcome to Grid Hunt!")
                eve.types("/chat Player 1's turn.")
                for reader in (ada, bob, eve):
                    await reader.reads("Eve (watching): Player 1's turn.")
                ada.types("HIDE 2 3", "/chat hi")
                await eve.reads("Player 1 has hidden a treasure.", "Ada (Player 1): hi")
                eve.types("HIDE 1 1")
                await eve.reads("You are watching. Only the two players can do that.")
                assert not any("2,3" in line for line in eve.printed)

    run(whole())


@evening("grid-hunt first=host")
async def test_a_rematch_begins_when_both_want_it(house, code, ada, bob):
    ada.types("/resign", "yes")
    await bob.reads("Type /again for a rematch, or /leave for the lobby.")
    bob.types("again")
    await ada.reads("Player 2 asks for another game.")
    ada.types("again")
    for player in (ada, bob):
        await player.reads("Player 1 is Ada (you)." if player is ada else "Player 1 is Ada.", "Welcome to Grid Hunt!")


@evening("grid-hunt first=host")
async def test_a_question_is_answered_yes_or_no_and_by_nothing_else(house, code, ada, bob):
    for answer in ("n", "No"):
        ada.types("/resign")
        await ada.reads("Give this game to the other player? (y/n)")
        for unclear in ("", "perhaps", "HIDE 1 1"):
            ada.types(unclear)
            await ada.reads_next("Type y or n.")
        ada.types(answer)
    ada.types("HIDE 1 1")
    await bob.reads("Player 1 has hidden a treasure.")


@evening("grid-hunt first=host")
async def test_one_who_quits_in_the_middle_of_a_game_is_asked_first(house, code, ada, bob):
    ada.types("/quit")
    await ada.reads("Leave the program? Your seat is kept for a while, and the game goes on. (y/n)")
    assert not ada.table.ended.is_set()
    ada.types("y")
    assert ada.table.ended.is_set()


@evening("grid-hunt first=host")
async def test_a_broken_promise_is_told_loudly(house, code, ada, bob):
    ada.types("HIDE 2 3")
    bob.types("HIDE 5 5")
    await ada.reads("Player 1's turn.")
    ada.model.commits["treasure of 2"] = "0" * 64
    ada.types("DIG 5 5")
    await ada.reads("WARNING: not what was sealed: treasure of 2. The server changed a secret.")
    await bob.reads("All 2 commitments verified.")


def test_who_has_made_a_private_room_is_told_that_it_is():
    async def whole():
        async with serving() as house, sitting(house, "Ada") as ada:
            ada.types("create grid-hunt private")
            await ada.reads_like("Then: join ")
            await ada.reads_next("The room is private: the lobby does not list it.")

    run(whole())


# Coming back ----------------------------------------------------------------------------------------------------------


def test_one_whose_line_broke_is_told_what_is_new_and_nothing_twice():
    async def whole():
        async with (
            serving() as house,
            cable(Address(house.host, house.port)) as wire,
            sitting(house, "Ada", address=wire.address) as ada,
            sitting(house, "Bob") as bob,
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
                *BOARD,
                "Scans left: Player 1: 3, Player 2: 3",
                *menu(3),
                "Player 1 is back.",
            )

    run(whole())


def test_a_line_that_is_typed_while_the_line_is_down_is_told_to_be_lost():
    async def whole():
        async with serving() as house, sitting(house, "Ada") as ada:
            await house.service.stop()
            await ada.reads("The server is stopping. Try again in a while. Reconnecting.")
            ada.types("create grid-hunt")
            await ada.reads("That was not sent: the connection is down. Try again when it is back.")
            told = [line for line in ada.printed if "Reconnecting" in line]
            assert len(told) == 1, "it is told once, however many tries it takes"

    run(whole())


# What is never printed ------------------------------------------------------------------------------------------------


@evening("grid-hunt first=host")
async def test_one_who_has_left_is_told_nothing_more(house, code, ada, bob):
    ada.types("/quit", "y")
    ada.unread()
    bob.types("/chat bye")
    await bob.reads("Bob (Player 2): bye")
    await house.later(1)
    assert ada.unread() == []


def test_when_nobody_reads_any_more_it_is_time_to_leave():
    async def whole():
        async with serving() as house, sitting(house, "Ada") as ada:

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
        async with pretending(story) as address, sitting(None, "Ada", address=address) as ada:
            line = await ada.reads_like("before")
            assert line.endswith("after")
            assert line.isprintable()

    run(whole())
