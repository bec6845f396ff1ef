"""Digits and figures made of dots, for tiles that are large enough. A dot is one column wide and half a row high."""

Shape = tuple[str, ...]

# Five rows of three dots, each row read as a binary number: 7 is ###, 5 is # #.
_SMALL = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71317", "4": "55711", "5": "74717", "6": "74757", "7": "71222",
    "8": "75757", "9": "75717", "?": "71202", "!": "22202", "*": "05250", "+": "02720", "-": "00700",
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755",
    "I": "72227", "J": "11157", "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "75557", "P": "75744",
    "Q": "75571", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775", "X": "55255",
    "Y": "55222", "Z": "71247",
}  # fmt: skip
# Seven rows of five dots, each row read as a hexadecimal number of two digits.
_LARGE = {
    "0": "0e 11 13 15 19 11 0e", "1": "04 0c 04 04 04 04 0e", "2": "0e 11 01 06 08 10 1f", "3": "0e 11 01 06 01 11 0e",
    "4": "02 06 0a 12 1f 02 02", "5": "1f 10 1e 01 01 11 0e", "6": "06 08 10 1e 11 11 0e", "7": "1f 01 02 04 04 04 04",
    "8": "0e 11 11 0e 11 11 0e", "9": "0e 11 11 0f 01 02 0c", "?": "0e 11 01 02 04 00 04", "P": "1e 11 11 1e 10 10 10",
}  # fmt: skip


def _dots(numbers: list[int], width: int) -> Shape:
    return tuple(f"{number:0{width}b}".replace("0", ".").replace("1", "#") for number in numbers)


SMALL = {letter: _dots([int(digit) for digit in rows], 3) for letter, rows in _SMALL.items()}
LARGE = {letter: _dots([int(row, 16) for row in rows.split()], 5) for letter, rows in _LARGE.items()}

# The figures, the largest first. `#` is the colour, `o` a lighter one.
GEMS: tuple[Shape, ...] = (
    (
        "...#########...",
        "..#oo########..",
        ".#oo##########.",
        "#oo############",
        ".#oo##########.",
        "..#oo########..",
        "...#oo######...",
        "....#o#####....",
        ".....#####.....",
        "......###......",
        ".......#.......",
    ),
    (
        "..#######..",
        ".#oo######.",
        "#oo########",
        ".#o#######.",
        "..#o#####..",
        "...#####...",
        "....###....",
        ".....#.....",
    ),
    (".#####.", "#oo####", ".#o###.", "..###..", "...#..."),
    (".###.", "#oo##", "#####", ".###.", "..#.."),
    (".###.", "#####", "..#.."),
)
PAWNS: tuple[Shape, ...] = (
    (
        ".....###.....",
        "....#####....",
        "...#######...",
        "...#######...",
        "....#####....",
        "...#######...",
        ".....###.....",
        ".....###.....",
        "....#####....",
        "....#####....",
        "...#######...",
        "..#########..",
        "..#########..",
        ".###########.",
        ".###########.",
    ),
    (
        "..###..",
        ".#####.",
        ".#####.",
        "..###..",
        "...#...",
        "..###..",
        ".#####.",
        ".#####.",
        "#######",
    ),
    ("..#..", ".###.", "..#..", ".###.", "#####"),
    (".#.", "###", ".#.", "###"),
    (".#.", ".#.", "###"),
)
CROSSES: tuple[Shape, ...] = (
    (
        "##.......##",
        ".##.....##.",
        "..##...##..",
        "...##.##...",
        "....###....",
        "...##.##...",
        "..##...##..",
        ".##.....##.",
        "##.......##",
    ),
    ("#...#", ".#.#.", "..#..", ".#.#.", "#...#"),
    ("#.#", ".#.", "#.#"),
)
SQUARES: tuple[Shape, ...] = (("#####",) * 5, ("###",) * 3, ("#",))
FIGURES = {"gem": GEMS, "pawn": PAWNS, "cross": CROSSES, "square": SQUARES}


def spell(text: str, font: dict[str, Shape]) -> Shape | None:
    """Text as one shape, a dot between two letters; None if the font lacks a letter."""
    if not text or any(letter not in font for letter in text):
        return None
    rows = zip(*(font[letter] for letter in text), strict=True)
    return tuple(".".join(row) for row in rows)
