"""How typed lines are read, as the common part of the rules says it: case, spaces, and the ways to name a cell."""

import re

PART = r"(\d+|[A-Z])"  # a row or a column: a number, or one letter
SHAPES = (
    rf"\( *{PART} *, *{PART} *\)",  # (3,3)
    rf"{PART} *, *{PART}",  # 3,3
    rf"{PART} +{PART}",  # 3 3
    r"(\d)(\d)",  # 33
    r"(\d+)([A-Z])",  # 2B
    r"([A-Z])(\d+)",  # B2
)


def verb_of(line):
    """The first word in capitals, and the rest without the spaces around it; nothing if it has foreign letters."""
    if not line.isascii():
        return "", ""
    verb, _, rest = line.strip(" ").upper().partition(" ")
    return verb, rest.strip(" ")


def parts_of(cell):
    """The two parts of a cell as they are written, or None where it is no cell."""
    for shape in SHAPES:
        if found := re.fullmatch(shape, cell):
            return found.groups()
    return None


def numbers_of(cell):
    """Row and column of a cell named by two numbers, or None."""
    parts = parts_of(cell)
    if parts is None or not (parts[0].isdigit() and parts[1].isdigit()):
        return None
    return int(parts[0]), int(parts[1])


def number_and_letter_of(cell):
    """The number and the letter of a cell that is named by one of each, in any order, or None."""
    parts = parts_of(cell)
    if parts is None or parts[0].isdigit() == parts[1].isdigit():
        return None
    number, letter = parts if parts[0].isdigit() else parts[::-1]
    return int(number), letter


def letter_at(number):
    """The letter that stands at a row or column of a grid with letters; what is off the grid gets none."""
    return "ABCDE"[number - 1] if 1 <= number <= 5 else "-"


def steps_between(one, two):
    """The Manhattan distance of two cells, each a row and a column as numbers."""
    return abs(one[0] - two[0]) + abs(one[1] - two[1])
