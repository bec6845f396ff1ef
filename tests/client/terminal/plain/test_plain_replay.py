"""Finished games in plain lines: the list, a replay, standings, each fact on a line of its own."""

from gridgames_client.state.controllers.replay_controller import WORDS
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_protocol.messages import Play
from tests.client.client_process import child
from tests.client.finished_games import at_shelf, finished
from tests.client.seated_controllers import Scenario, in_lobby
from tests.client.terminal.plain.test_plain_program import two_at_a_table
from tests.wire import LOCAL, program, run

HUNT, DUEL = finished(3, "grid-hunt"), finished(5, "quantum-duel", "Cy")
BOARD = ["     1     2     3     4     5", *(f"{row} |     |     |     |     |     |" for row in range(1, 6))]


class Reader:
    """Somebody at plain lines who has finished some games."""

    def __init__(self, seat=None, games=(HUNT, DUEL)):
        self.printed = []
        self.seat = seat or in_lobby()
        self.table = Plain(self.seat.controller, self.printed.append)
        at_shelf(self.seat, *games)

    def types(self, *lines):
        """What is printed after some lines."""
        before = len(self.printed)
        for line in lines:
            self.table.take_line(line)
        return self.printed[before:]


def test_the_list_is_a_sentence_for_each_game():
    assert Reader().types("history") == [
        "Game 5: Quantum Duel against Cy, won (collision), 2026-08-01 16:05.",
        "Game 3: Grid Hunt against Bo, won (treasure), 2026-08-01 16:03.",
        "Type replay and a number to see one again.",
    ]


def test_an_empty_list_says_so():
    assert Reader(games=()).types("/history")[0] == "No finished games yet."


def test_a_long_list_is_read_page_by_page():
    reader = Reader(games=[HUNT._replace(number=number) for number in range(1, 26)])
    first, second, third = reader.types("history"), reader.types("history more"), reader.types("history more")
    assert (len(first), first[0][:8], first[-1]) == (
        21,
        "Game 25:",
        "Type replay and a number to see one again. Type history more for older ones.",
    )
    assert (len(second), second[0][:7], second[-1]) == (6, "Game 5:", "Type replay and a number to see one again.")
    assert third == ["There are no older ones."]


def test_a_replay_is_opened_with_what_can_be_typed_and_told_step_by_step():
    reader = Reader()
    assert reader.types("replay 3") == [
        "Game 3, Grid Hunt: Ada as Player 1, Bo as Player 2. You were Player 1.",
        WORDS,
        "Step 0 of 7: the start, as Player 1 saw it.",
        *BOARD,
        "Scans left: Player 1: 3, Player 2: 3",
    ]
    assert reader.types("")[0] == "Step 1 of 7: Player 1 typed HIDE 2 3, as Player 1 saw it."
    assert reader.types("theirs")[0] == "Step 1 of 7: Player 1 typed HIDE 2 3, as Player 2 saw it."
    assert reader.types("open")[0] == "Step 1 of 7: Player 1 typed HIDE 2 3, everything is open."
    assert reader.types("last")[-1] == "Player 1 wins: Player 2's treasure was at (5,5)."
    assert reader.types("next") == ["That was the last step."]
    assert reader.types("close") == ["The replay is closed."]
    assert reader.types("") == []


def test_the_board_of_a_replay_can_be_told_in_words():
    reader = Reader()
    reader.types("replay 3 4")
    assert reader.types("/board words")[2:3] == ["3,3: 4, hint."]
    assert "Step 5 of 7" in reader.types("next")[0]


def test_the_same_replay_is_opened_again_with_all_its_words():
    reader = Reader()
    opened = reader.types("replay 3")
    assert reader.types("close", "replay 3")[1:] == opened


def test_what_can_not_be_shown_is_told():
    reader = Reader(games=(finished(3, "grid-hunt", edition=7),))
    assert reader.types("replay 7") == ["There is no game 7 among yours. Type /history to see which there are."]
    assert reader.types("replay 3") == ["That game was played by older rules, which this server does not know."]
    assert reader.types("replay it")[0].startswith("Type replay and the number")


def test_standings_are_a_sentence_for_each_player():
    reader = Reader()
    assert reader.types("standings quantum")[:2] == [
        "Standings: Quantum Duel.",
        "Ada: played 12, won 7, drawn 1, lost 4.",
    ]
    assert reader.types("standings secret")[:2] == ["Standings: Secret Paths.", "No finished games yet."]


def test_at_the_table_the_words_have_a_slash_and_game_lines_are_still_played():
    scenario = Scenario("grid-conquest")
    reader = Reader(scenario.seats[1])
    assert reader.types("/replay 3")[2].startswith("Step 0 of 7")
    reader.types("C3")
    assert [request for request in reader.seat.asked if isinstance(request, Play)] == [Play(1, "C3", 1)]
    assert reader.types("next")[0].startswith("Step 1 of 7")


def test_a_replay_ends_when_it_is_ones_turn_since_what_is_typed_then_is_the_games():
    scenario = Scenario("grid-conquest")
    reader = Reader(scenario.seats[2])
    reader.types("/replay 3")
    before = len(reader.printed)
    scenario.types(1, "C3")
    reader.table.controller.on_message(scenario.shown(2))
    assert "The replay is closed." in reader.printed[before:]
    assert reader.seat.controller.page is None


# The real program -----------------------------------------------------------------------------------------------------


def test_a_game_is_played_listed_replayed_saved_and_verified_through_pipes(tmp_path):
    async def scenario():
        async with (
            program("--store", str(tmp_path / "server.sqlite")) as server,
            child(f"{LOCAL}:{server.port}", "--name", "Ada", state=tmp_path) as ada,
            child(f"{LOCAL}:{server.port}", "--name", "Bob", state=tmp_path) as bob,
        ):
            await two_at_a_table(ada, bob, "quantum-duel first=host")
            ada.types("MOVE 3", "OBSERVE 5")
            await bob.reads("Player 2's turn.")
            bob.types("MOVE 5", "OBSERVE 3")
            for player in (ada, bob):
                await player.reads("All 2 commitments verified.")
            file = tmp_path / "game.json"
            ada.types(f"/save {file}", "/leave", "history", "replay 1", "next", "open", "last", "close", "standings")
            await ada.reads("Saved to ")
            for line in (
                "Game 1: Quantum Duel against Bob, lost (capture), ",
                "Game 1, Quantum Duel: Ada as Player 1, Bob as Player 2. You were Player 1.",
                "Step 0 of 4: the start, as Player 1 saw it.",
                "Step 1 of 4: Player 1 typed MOVE 3, as Player 1 saw it.",
                "Step 1 of 4: Player 1 typed MOVE 3, everything is open.",
                "Step 4 of 4: Player 2 typed OBSERVE 3, everything is open.",
                "Player 2 wins by capturing Player 1's token!",
                "The replay is closed.",
                "Standings: all games.",
                "Bob: played 1, won 1, drawn 0, lost 0.",
                "Ada: played 1, won 0, drawn 0, lost 1.",
            ):
                await ada.reads(line)
            assert await ada.ends() == (0, "")
            assert all(line.isprintable() and line.isascii() for line in ada.printed)
            async with child("verify", file, state=tmp_path) as checked:
                assert await checked.ends() == (0, "")
                assert checked.printed[-1] == "Both sealed secrets fit."

    run(scenario())
