"""How games that are over look: the list of them, one of them step by step, and the standings."""

from gridgames_client import board, parts, review
from gridgames_client.board import Pencil, around
from gridgames_client.desk import Desk
from gridgames_client.model import Model
from gridgames_client.paint import (
    ASCII,
    Fragment,
    Glyphs,
    Line,
    beside,
    cut,
    filled,
    indented,
    plain,
    say,
    spread,
    tall,
    width,
    wrapped,
)
from gridgames_client.paint import columns as columns_of
from gridgames_client.parts import MARGIN
from gridgames_client.past import OPEN, PastGames, Replaying, ended, opponent, result
from gridgames_protocol.messages import PastGame
from gridgames_protocol.text import harmless

NONE_YET = "No finished games yet."
WHY_NONE = "A game that you play to its end is listed here, unless the server keeps none."
NO_STANDINGS = "Games that are played to their ends are counted here, unless the server keeps none."
SIDE_MIN = 26  # columns in which facts can be read beside a board
PLACE, BELOW = 3, 5  # lines below a board that tell where one is, and what was known
HIGH = 12  # rows from which the players are worth their line
FOOT = 2  # lines that the client's own word may take without covering a board
ALIGNED = 60  # columns from which a list is a table
GAP = 2  # columns between two of a table's
HEADS = ("No.", "Game", "Against", "Result", "When")


# The list -------------------------------------------------------------------------------------------------------------


def shelf(desk: Desk, page: PastGames, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The player's finished games on a whole screen, the newest first."""
    model = desk.model
    top = [parts.head("Your finished games", model.line, glyphs, columns), parts.rule(glyphs, columns)]
    foot = leaf_foot(model, columns)
    space = max(1, rows - len(top) - len(foot))
    if not model.past:
        words = [*wrapped(NONE_YET, columns - 4), [], *wrapped(WHY_NONE, columns - 4, "class:quiet")]
        return [*top, *tall(indented(words, 2), space), *foot]
    heads, *texts = table(desk, glyphs, columns - 5)
    lines = [row(text, number == page.chosen, number, glyphs) for number, text in enumerate(texts)]
    head = [say(f"   {heads}", "class:heading")] if columns >= ALIGNED and space > 2 else []
    return [*top, *head, *tall(in_sight(model, page, glyphs, lines, space - len(head)), space - len(head)), *foot]


def table(desk: Desk, glyphs: Glyphs, size: int) -> list[str]:
    """The heads of the list and its rows, in columns that are as wide as what is in them."""
    games = desk.model.past
    if size + 5 < ALIGNED:
        lines = [f"{game.number} {game.title}, {ended(game, game.you)} against {opponent(game)}" for game in games]
        return ["", *(cut(harmless(line), size, glyphs.more) for line in lines)]
    rows = [HEADS, *(cells(desk, game, result(game)) for game in games)]
    if sum(widths(rows)) > size:
        rows = [HEADS, *(cells(desk, game, ended(game, game.you)) for game in games)]
    sizes = widths(rows)
    for place in (2, 1):  # what gives way where it is tight: the name, then the title
        sizes[place] = max(min(sizes[place], 8), sizes[place] - max(0, sum(sizes) - size))
    lines = [
        "".join(filled(text, wide - GAP, glyphs.more) + " " * GAP for text, wide in zip(row, sizes, strict=True))
        for row in rows
    ]
    return [cut(line.rstrip(), size, glyphs.more) for line in lines]


def cells(desk: Desk, game: PastGame, outcome: str) -> tuple[str, ...]:
    """A game as the list's columns."""
    return str(game.number), game.title, opponent(game), outcome, desk.when(game.ended)


def widths(rows: list[tuple[str, ...]]) -> list[int]:
    """The columns that each of a table's columns takes, the gap behind it included."""
    return [max(columns_of(harmless(row[place])) for row in rows) + GAP for place in range(len(HEADS))]


def row(text: str, here: bool, number: int, glyphs: Glyphs) -> Line:
    """A row of the list, marked if it is the chosen one."""
    return [Fragment("class:chosen" if here else "", f" {glyphs.pointer if here else ' '} {text}", ("row", number))]


def in_sight(model: Model, page: PastGames, glyphs: Glyphs, lines: list[Line], space: int) -> list[Line]:
    """The part of the list that there is space for, the chosen row in it, and whether there are older ones."""
    if model.past_more:
        lines = [*lines, say(f"   {glyphs.more} older ones, further down", "class:quiet")]
    if len(lines) <= space:
        return lines
    shown = around(page.chosen, len(lines), space)
    return lines[shown.start : shown.stop]


def leaf_foot(model: Model, columns: int) -> list[Line]:
    """The lines above the input: the client's own word, and that somebody waits at the table."""
    waits = [say(" Your turn at the table: press Esc.", "class:prompt")] if model.to_act else []
    return [*parts.own_word(model, columns), *waits]


# One game, step by step -----------------------------------------------------------------------------------------------


def replay(desk: Desk, page: Replaying, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """A finished game as it stood, and the line that led there. The board's place depends on the screen alone."""
    name = f"Game {page.game.number} {glyphs.dot} {page.game.title}"
    top = [parts.head(name, desk.when(page.game.ended), glyphs, columns)]
    if rows >= HIGH:
        top += [*players(page, columns), parts.rule(glyphs, columns)]
    foot = leaf_foot(desk.model, columns)
    space = max(1, rows - len(top))
    high = max(2, space - FOOT)
    left = indented(drawn(desk, page, glyphs, columns - 2 * MARGIN, high), MARGIN)
    left_width = max(map(width, left)) + 2 * MARGIN
    if columns - left_width > SIDE_MIN:
        middle = beside(left, story(page, glyphs, columns - left_width - 1, space), left_width)
    else:
        whole = min(1 + len(page.shown.view.board.rows), space - PLACE)  # without a cursor, all of it must be in sight
        left = indented(drawn(desk, page, glyphs, columns - 2 * MARGIN, max(2, whole, high - BELOW)), MARGIN)
        middle = [*left, *indented(story(page, glyphs, columns - 2 * MARGIN, space - len(left)), MARGIN)]
    return [*top, *tall(middle, max(1, space - len(foot))), *foot]


def players(page: Replaying, columns: int) -> list[Line]:
    """Both players, and who has won; a line for each where they have no space beside each other."""
    one, two = (
        [
            Fragment(f"class:seat{seat}", f"   {page.seat_name(seat)}"),
            Fragment("class:turn", f"  {'you: ' if seat == page.game.you else ''}{ended(page.game, seat)}"),
        ]
        for seat in (1, 2)
    )
    if width(one) + width(two) + 2 > columns:
        return [one, two]
    return [spread(one, [*two, *say(" ")], columns)]


def drawn(desk: Desk, page: Replaying, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """The board as it stood, with nothing covered, since the game is over."""
    table = page.shown.view.board
    if desk.words:
        words = wrapped(" ".join(board.in_words(table, masked=False)), size if size < 2 * SIDE_MIN else size // 2)
        return tall(words, min(len(words), rows), glyphs.more)
    pencil = Pencil(masked=False, news=board.changed(page.before, table, masked=False))
    lines = board.fitted(table, pencil, glyphs, size, rows)
    return [[fragment._replace(target=None) for fragment in line] for line in lines]  # there is nothing to do in it


def story(page: Replaying, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """Where one is, what led there, whose eyes these are, and what was known then. It closes up where it is tight."""
    here: list[Line] = [[Fragment("class:heading", place(page), ("step", 0))]]
    here += wrapped(led(page), size, "class:action", "  ") + wrapped(seen_by(page), size, "class:quiet", "  ")
    end = wrapped(f"{glyphs.star} {page.named(page.shown.text)}", size, "class:result", "  ")
    end = end if page.shown.step >= page.shown.steps else []
    facts = [f"{page.named(label)}: {page.named(value)}" for label, value in page.shown.view.facts]
    known = [line for fact in facts for line in wrapped(fact, size, "class:fact", "  ")]
    decided = review.picture(page.shown.review, page.named, glyphs, size) if page.shown.review else []
    for blocks in ((here, end, decided, known), (here, end, known)):
        lines = [line for block in blocks if block for line in [[], *block]][1:]
        if len(lines) <= rows:
            break
    else:
        lines = [*here, *end, *wrapped("; ".join(facts), size, "class:fact", "  ")]
    return tall(lines, max(0, min(rows, len(lines))), glyphs.more)


def place(page: Replaying) -> str:
    """Where in the game one is."""
    return f"Step {page.shown.step} of {page.shown.steps}"


def led(page: Replaying) -> str:
    """The line that led to a step."""
    line = page.shown.line
    return f"{page.seat_name(line[0])}: {line[1]}" if line else "The start."


def seen_by(page: Replaying) -> str:
    """Whose eyes these are."""
    if page.shown.eyes == OPEN:
        return "Everything is open."
    return "As you saw it." if page.shown.eyes == page.game.you else f"As {page.seat_name(page.shown.eyes)} saw it."


# Standings ------------------------------------------------------------------------------------------------------------

COUNTS = ("Played", "Won", "Drawn", "Lost")


def standings_title(model: Model, game: str | None) -> str:
    """Which games the standings are of."""
    card = model.card(game or "")
    return f"Standings: {card.title if card else game or 'all games'}"


def standings(model: Model, glyphs: Glyphs, columns: int) -> list[Line]:
    """Who has played, won, drawn and lost how many; who has won most comes first."""
    rows = model.standings.rows if model.standings else ()
    if not rows:
        return [*wrapped(NONE_YET, columns), [], *wrapped(NO_STANDINGS, columns, "class:quiet")]
    counts = [(row.played, row.won, row.drawn, row.lost) for row in rows]
    widths = [max(len(head), *(len(str(count[place])) for count in counts)) + 2 for place, head in enumerate(COUNTS)]
    name = max(4, min(max(columns_of(row.name) for row in rows), columns - sum(widths)))
    lines = [
        say(" " * name + "".join(f"{head:>{size}}" for head, size in zip(COUNTS, widths, strict=True)), "class:heading")
    ]
    for row, count in zip(rows, counts, strict=True):
        numbers = "".join(f"{number:>{size}}" for number, size in zip(count, widths, strict=True))
        lines.append(say(filled(row.name, name, glyphs.more) + numbers))
    return lines


# In sentences ---------------------------------------------------------------------------------------------------------


def games_told(desk: Desk, first: int) -> list[str]:
    """The list from one of its games on, a sentence for each."""
    model = desk.model
    if not model.past:
        return [NONE_YET, WHY_NONE]
    told = [
        f"Game {number}: {title} against {other}, {result}, {when}."
        for number, title, other, result, when in (cells(desk, game, result(game)) for game in model.past[first:])
    ]
    more = " Type history more for older ones." if model.past_more else ""
    return [*told, f"Type replay and a number to see one again.{more}"]


def standings_told(model: Model, game: str | None) -> list[str]:
    """The standings, a sentence for each player."""
    rows = model.standings.rows if model.standings else ()
    told = [f"{row.name}: played {row.played}, won {row.won}, drawn {row.drawn}, lost {row.lost}." for row in rows]
    return [f"{standings_title(model, game)}.", *(told or [NONE_YET, NO_STANDINGS])]


def game_told(page: Replaying) -> str:
    """Whose game a replay is of."""
    one, two = (f"{name} as Player {seat}" for seat, name in enumerate(page.game.names, start=1))
    return f"Game {page.game.number}, {page.game.title}: {one}, {two}. You were Player {page.game.you}."


def replay_told(desk: Desk, page: Replaying) -> list[str]:
    """A step of a replay, a sentence for each fact."""
    shown, table = page.shown, page.shown.view.board
    line = f"Player {shown.line[0]} typed {shown.line[1]}" if shown.line else "the start"
    eyes = "everything is open" if shown.eyes == OPEN else f"as Player {shown.eyes} saw it"
    if desk.words:
        drawing = board.in_words(table, masked=False)
    else:
        drawing = [plain(line).rstrip() for line in board.draw(table, Pencil(masked=False), ASCII, compact=True)]
    ends = [shown.text] if shown.step >= shown.steps else []
    return [
        f"{place(page)}: {line}, {eyes}.",
        *drawing,
        *(f"{label}: {value}" for label, value in shown.view.facts),
        *ends,
    ]
