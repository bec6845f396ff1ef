"""A room's code in large letters, to be read across a room: each three columns wide and five rows high."""

from gridgames_client.paint import Fragment, Glyphs, Line

# A digit is a row of three dots, read as a binary number: 7 is ###, 5 is # #.
LETTERS = {
    "2": "71747", "3": "71317", "4": "55711", "5": "74717",
    "6": "74757", "7": "71222", "8": "75757", "9": "75717",
    "A": "25755", "B": "65656", "C": "34443", "D": "65556",
    "E": "74647", "F": "74644", "G": "74557", "H": "55755",
    "J": "11157", "K": "55655", "L": "44447", "M": "57755",
    "N": "65555", "P": "75744", "Q": "75571", "R": "65655",
    "S": "34216", "T": "72222", "U": "55557", "V": "55552",
    "W": "55775", "X": "55255", "Y": "55222", "Z": "71247",
}  # fmt: skip


def large(code: str, glyphs: Glyphs) -> list[Line]:
    """The code as five lines; a letter that has no large form is left out."""
    shapes = [LETTERS[letter] for letter in code if letter in LETTERS]
    return [[Fragment("class:code", "  ".join(dots(shape[row], glyphs.block) for shape in shapes))] for row in range(5)]


def dots(digit: str, block: str) -> str:
    """One row of one letter."""
    return f"{int(digit):03b}".replace("0", " ").replace("1", block)
