"""The page of the server's README that shows an analysed game."""

from pathlib import Path

from tests.server.analysis.analysed_game import make_page

README = Path(__file__).parents[3] / "server" / "README.md"


def test_the_analysed_game_of_the_readme_is_what_the_analysis_says():
    assert make_page() in README.read_text(encoding="utf-8")
