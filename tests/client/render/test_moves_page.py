"""The page of moves: each line with its round and its answer, in one spelling."""

from gridgames_client.render.drawing.text_layout import TILES, plain
from gridgames_client.render.past_games.moves_page import draw_moves_page, list_lines, lower_words
from tests.client.game_scripts import story
from tests.client.seated_controllers import Scenario


def rows(scenario: Scenario, columns: int = 70) -> list[str]:
    return [" ".join(plain(line).split()) for line in list_lines(scenario.controllers[1].model, TILES, columns)]


def test_each_line_has_its_round_its_player_and_its_answer():
    assert rows(story("grid-hunt", "end")) == [
        "Ada hide 2 3",
        "Bo hide 5 5",
        "1 Ada scan 3,3 4",
        "1 Bo scan 1,1 3",
        "2 Ada scan 4,4 2",
        "2 Bo dig 2,2 no",
        "3 Ada dig 5,5 yes",
    ]


def test_a_wrong_guess_says_so():
    scenario = Scenario("treasure-hunt-duel", draws={"treasure": 18})
    scenario.types(1, "guess 1a")
    scenario.stops(2, "resigned", "Player 1 has resigned. Player 2 wins.")
    assert rows(scenario) == ["1 Ada guess 1A no"]


def test_words_are_small_and_cells_are_large():
    assert [lower_words(line) for line in ("QUERY 2b", "Move To 4,2", "c5")] == ["query 2B", "move to 4,2", "C5"]


def test_the_page_tells_the_fouls_of_both():
    scenario = story("secret-paths", "middle")
    scenario.types(2, "move to 1,1")
    scenario.controllers[2].confirm(True)
    scenario.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    text = [plain(line) for line in draw_moves_page(scenario.controllers[1].model, TILES, 70)]
    assert any(line.startswith("Fouls Bo") and line.endswith("1 of 3") for line in text)


def test_a_long_name_is_not_cut_where_it_has_space():
    scenario = Scenario("grid-conquest", names=("Ada", "Bot (medium)"))
    scenario.types(1, "C3")
    scenario.types(2, "A1")
    scenario.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    page = [plain(line) for line in draw_moves_page(scenario.controllers[1].model, TILES, 70)]
    assert sum("Bot (medium)" in line for line in page) >= 2
