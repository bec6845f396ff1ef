"""Plain lines: the five games word for word."""

from gridgames_server.games.grid_conquest import GRID as CONQUEST
from gridgames_server.games.treasure_hunt_duel import GRID as HUNT
from tests.client.plain_players import BOARD, scenario, table_of


@scenario("treasure-hunt-duel first=host")
async def test_treasure_hunt_duel_is_told_word_for_word(server, code, ada, bob):
    treasure = table_of(server, code).treasure
    cells = [cell for cell in range(len(HUNT)) if cell != treasure]
    query, miss, right = HUNT.names[cells[0]], HUNT.names[cells[1]], HUNT.names[treasure]

    await ada.reads("Player 1's turn.", "Player 1, query a cell or guess the treasure's:")
    ada.types("/mask")
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
    ada.types("/mask")
    await ada.reads("Your secrets are covered.", "Your hints: covered, /mask shows it")
    ada.types(f"guess {right[::-1]}")
    await ada.reads("Correct! You have found the treasure.", f"Player 1 wins: the treasure was at {right}.")
    await bob.reads("Correct! Player 1 has found the treasure.")
    for player in (ada, bob):
        await player.reads(f"The treasure was at {right}.", "The commitment is verified.")
    assert not any("Distance:" in line for line in bob.printed), "distances are private"


@scenario("grid-hunt first=host")
async def test_grid_hunt_is_told_word_for_word(server, code, ada, bob):
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


@scenario("grid-conquest first=host")
async def test_grid_conquest_is_told_word_for_word(server, code, ada, bob):
    values = table_of(server, code).values
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
        await player.reads("The commitment is verified.")
        assert not any("".join(map(str, values)) in line for line in player.printed), "the board shows the values"


@scenario("grid-conquest first=guest")
async def test_grid_conquest_tells_own_cells_from_the_others_in_words(server, code, ada, bob):
    await bob.reads("Player 2, enter the cell you wish to claim:")
    bob.types("A1")
    await ada.reads("Bob's cells: A1.", "Player 1, enter the cell you wish to claim:")
    ada.types("E5")
    await bob.reads("Your cells: A1.")
    await bob.reads_next("Ada's cells: E5.")


@scenario("quantum-duel first=host")
async def test_quantum_duel_is_told_word_for_word_up_to_a_capture(server, code, ada, bob):
    await ada.reads("Player 1's turn.", "Player 1, first move your token in secret:")
    ada.types("MOVE 3")
    await ada.reads("Player 1 has moved.", "Player 1, now look: observe a position:")
    ada.types("OBSERVE 5")
    for player in (ada, bob):
        await player.reads("Player 2's token is not at position 5.", "Player 2's turn.")
    await bob.reads("Player 2, first move your token in secret:")
    bob.types("TUNNEL 5", "/board")
    await bob.reads(
        "Player 2 has moved.", "Your tunnel: covered, /mask shows it", "Player 2, now look: observe a position:"
    )
    bob.types("OBSERVE 3")
    for player in (ada, bob):
        await player.reads(
            "Player 1's token is at position 3.",
            "Player 2 wins by capturing Player 1's token!",
            "Your token was at 3." if player is ada else "Ada's token was at 3.",
            "Your token was at 5." if player is bob else "Bob's token was at 5.",
            "All 2 commitments verified.",
        )


@scenario("quantum-duel first=host")
async def test_quantum_duel_is_told_word_for_word_up_to_a_collision(server, code, ada, bob):
    for player, move, look in ((ada, "MOVE 4", 1), (bob, "MOVE 6", 1), (ada, "MOVE 5", 2), (bob, "MOVE 5", 7)):
        seat, rival = (1, 2) if player is ada else (2, 1)
        await player.reads(f"Player {seat}'s turn.")
        player.types(move)
        await player.reads(f"Player {seat} has moved.")
        player.types(f"OBSERVE {look}")
        await player.reads(f"Player {rival}'s token is not at position {look}.")
    for player in (ada, bob):
        await player.reads("Player 1 wins! Player 2's token destabilized in collision.", "All 4 commitments verified.")


@scenario("secret-paths first=host")
async def test_secret_paths_is_told_word_for_word(server, code, ada, bob):
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
            "Your goal was at 5,2." if player is ada else "Ada's goal was at 5,2.",
            "Your goal was at 1,4." if player is bob else "Bob's goal was at 1,4.",
            "All 2 commitments verified.",
            "Score: 0-1.",
            "Type /again for a rematch, or /leave for the lobby.",
        )


FAR = "That is not one step: an illegal move. After three, the other may claim the win. Play it all the same? (y/n)"


@scenario("secret-paths first=host")
async def test_three_illegal_moves_offer_the_win_to_the_other(server, code, ada, bob):
    ada.types("GOAL 2")
    bob.types("GOAL 4")
    await ada.reads("Player 1's turn.")
    for number in (1, 2, 3):
        ada.types("move to 3,3")
        await ada.reads(FAR)
        ada.types("y")
        await ada.reads_like("The Seeker stands at (3,3) and may not stay.")
        await bob.reads(f"Player 1 made an illegal move, number {number}.")
    await bob.reads("You may claim the win: /claim")
    bob.types("/claim")
    for player in (ada, bob):
        await player.reads("Player 2 claims the win: Player 1 has forfeited it.")
