"""Prints the analysed game of `server/README.md`: python -m tests.server.analysis.analysed_game"""

from gridgames_protocol.messages import Analysis
from gridgames_server.analysis.analyse import GameRecord, analyse
from tests.server.analysis.test_analyse import hunt

LINES = ("1> QUERY 1A", "2> QUERY 5A", "1> QUERY 5E", "2> QUERY 1E", "1> QUERY 3C", "2> GUESS 2D")


def percent(thousandths: int | None) -> str:
    return "" if thousandths is None else f"{round(thousandths / 10)} %"


def print_game(record: GameRecord, found: Analysis) -> str:
    """A table of the moves, and what was said of the whole game."""
    rows = ["| move | chance after it | after the best | best line | mark |", "| --- | --- | --- | --- | --- |"]
    for (seat, line), (chance, best, best_line, mark) in zip(record.lines, found.moves, strict=True):
        shown = "" if mark == "none" else f"`{mark}`"
        rows.append(f"| {seat}: {line} | {percent(chance)} | {percent(best)} | {best_line} | {shown} |")
    one, two = found.accuracy
    assert found.turning
    said = f"Accuracy: Player 1 {one}, Player 2 {two}. {found.turning.text}"
    return "\n".join([*rows, "", said])


def make_page() -> str:
    """The game with its analysis, as the page shows it."""
    record = hunt("2D", *LINES, winner=2)
    found = analyse(record)
    assert found
    return print_game(record, found)


if __name__ == "__main__":
    print(make_page())
