"""Somebody who types at random: mostly what is allowed, in all spellings, and also what is not, and what is no line."""

from string import printable

UNREADABLE = (
    *("", " ", "?", "hello", "1", "2", "again", "help me", "()", "(,)", "QUERY", "SCAN", "MOVE", "STAY 3", "OBSERVE"),
    *("GOAL", "HIDE", "DIG", "CLAIM", "TUNNEL", "MOVE TO", "QUERY 2B 3C", "SCAN 1 2 3", "DIG 1", "HIDE A B", "FLY 2B"),
    *("CLAIM C", "CLAIM 3", "MOVE X", "TUNNEL ONE", "OBSERVE 3 4", "GOAL X", "GUESS 4", "GUESS D", "QUERY 2,,B"),
    *("QUERY 2\u0412", "MOVE \u0663", "MOVE \u00b3", "\u2800", "SCAN 3\u00a03", "MOVE 3\n", "\x1b[2J", "DIG 3\t3"),
)
VERBS = ("QUERY", "GUESS", "HIDE", "SCAN", "DIG", "CLAIM", "MOVE", "MOVE TO", "STAY", "TUNNEL", "OBSERVE", "GOAL")


def spelled(chance, parts):
    """A cell in one of the ways that the rules allow; a position of a line is just its number."""
    if len(parts) == 1:
        return parts[0]
    if parts[0].isdigit() != parts[1].isdigit() and chance.random() < 0.3:
        parts = parts[::-1]
    glued = len(parts[0] + parts[1]) == 2 or not (parts[0] + parts[1]).isdigit()
    ways = ["{},{}", "({},{})", "{} {}", "( {} , {} )", "{}  ,{}", *(["{}{}"] * 3 if glued else [])]
    return chance.choice(ways).format(*parts)


def disguised(chance, line):
    """The same line with other letters large and small, and spaces to spare."""
    if chance.random() < 0.5:
        line = "".join(chance.choice((letter.lower(), letter.upper())) for letter in line)
    if chance.random() < 0.3:
        line = " " * chance.randrange(3) + line.replace(" ", chance.choice((" ", "   "))) + " " * chance.randrange(3)
    return line


def allowed(chance, oracle, seat):
    """A legal line, in any spelling, or in one of the short forms."""
    verb, _, cell = chance.choice(oracle.legal(seat)).partition(" ")
    if not cell:
        return verb
    parts = cell.split(",") if "," in cell else list(cell)
    if verb == "CLAIM" and chance.random() < 0.5:
        return spelled(chance, parts)
    if verb == "GOAL" and chance.random() < 0.5:
        return f"GOAL {parts[1]}"
    if verb == "MOVE" and len(parts) == 2 and chance.random() < 0.5:
        verb = "MOVE TO"
    return f"{verb} {spelled(chance, parts)}"


def anything(chance, oracle, seat):
    """A verb of this game or another one with a cell of any kind, on the grid or off it."""
    own = oracle.legal(seat)[0].partition(" ")[0]
    verb = own if chance.random() < 0.5 else chance.choice(VERBS)
    number, letter = str(chance.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 123))), chance.choice("ABCDEFZ")
    other = str(chance.randrange(10))
    parts = chance.choice(((number,), (number, letter), (number, other), (number, other), (letter, number)))
    return f"{verb} {spelled(chance, parts)}"


def types(chance, oracle, seat):
    """A line of this seat's, whether it may act or not."""
    if not oracle.may_act():
        return "1"
    dice = chance.random()
    if dice < 0.75:
        return disguised(chance, allowed(chance, oracle, seat))
    if dice < 0.9:
        return disguised(chance, anything(chance, oracle, seat))
    if dice < 0.98:
        return disguised(chance, chance.choice(UNREADABLE))
    return "".join(chance.choice(printable) for _ in range(chance.randrange(12)))
