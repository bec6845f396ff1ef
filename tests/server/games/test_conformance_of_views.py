"""What holds for everything that every game shows and says: it fits on the wire, and any client can draw it."""

import re

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import Event
from gridgames_protocol.safe_text import columns, is_harmless
from gridgames_protocol.views import CELL_COLUMNS, Board, View
from gridgames_server.games import GAMES
from gridgames_server.games.match import Match, replay
from gridgames_server.games.possibilities import NOTHING
from gridgames_server.games.seats import SEATS, other
from tests.server.games.playouts import ALL, READERS, SEEDS, all_shown, each_game, lingering, playout, seed, shown

VIEW_BYTES = 3_072  # two boards take up to 1,800, actions, meters and moves the rest; four hundred lines would not fit


@each_game
def test_every_view_fits_on_the_wire_and_reads_back(game):
    for number in SEEDS:
        for match, _ in playout(game, number):
            for reader in READERS:
                line = shown(match, reader)
                assert decode_push(line[:-1]).view == match.view(reader)


@each_game
def test_every_sentence_fits_on_the_wire_and_reads_back(game):
    for number in SEEDS:
        for _, told in playout(game, number):
            for announcement in told:
                event = Event(
                    announcement.event.text,
                    announcement.event.kind,
                    announcement.event.seat,
                    None,
                    announcement.event.commit,
                )
                assert decode_push(encode(event)[:-1]) == event
                assert re.fullmatch(r"[A-Z].*[.!:]|Distance: \d", announcement.event.text)
                assert announcement.readers


@each_game
def test_the_doers_alone_read_hints_and_the_table_speaks_to_everybody(game):
    for number in SEEDS:
        for _, told in playout(game, number):
            for announcement in told:
                if announcement.event.kind == "system":
                    assert (announcement.event.seat, announcement.readers) == (None, {1, 2, None})
                elif announcement.event.kind == "hint":
                    assert announcement.readers == {announcement.event.seat}
                else:
                    alone, others = {announcement.event.seat}, {other(announcement.event.seat), None}
                    assert announcement.readers == alone or announcement.readers >= others


def check_board(board: Board) -> None:
    names = set(board.names)
    assert len(names) == len(board.names)
    for text in (*board.texts, *(text for _, text, _ in board.masks)):
        assert columns(text) <= CELL_COLUMNS
    assert {name for name, _, _ in board.masks} <= names
    assert board.possible == tuple(name for name in board.names if name in board.possible)
    assert {name for _, *ends in board.trail for name in ends} <= names
    assert {name for _, zone in board.zones for name in zone} <= names


def check_labels(view: View) -> None:
    assert set(view.private) <= {label for label, _ in view.facts} | {meter[0] for meter in view.meters}
    assert len({label for label, _ in view.facts}) == len(view.facts)
    assert all(value <= most for _, _, value, most, _ in view.meters)
    boards = [view.board, *(second.board for second in view.boards)]
    assert all(cell in boards[number].names for _, number, cell in view.last)
    for text in (view.goal, *(entry[2] for entry in view.legend), *(action.tells for action in view.actions)):
        assert is_harmless(text)


def check_actions(view: View) -> None:
    assert len({action.verb for action in view.actions}) == len(view.actions)
    for action in view.actions:
        assert re.fullmatch(r"[A-Z]+", action.verb)
        assert action.form == (action.verb if action.cells is None else f"{action.verb} {{cell}}")
        if action.cells is not None:
            assert action.cells or action.private, "only what can be used now is an action, or what an onlooker may see"
            assert action.cells == tuple(name for name in view.board.names if name in action.cells)
        assert is_harmless(action.help)
        assert ":" not in action.tells, "clients write the action and a colon before it"
    keys = [action.key for action in view.actions if action.key]
    assert len(set(keys)) == len(keys)


@each_game
def test_boards_facts_and_actions_are_as_every_client_expects_them(game):
    for number in SEEDS:
        for match, _ in playout(game, number):
            for reader in READERS:
                view = match.view(reader)
                for board in (view.board, *(second.board for second in view.boards)):
                    check_board(board)
                check_labels(view)
                check_actions(view)


@each_game
def test_an_assisted_view_fits_on_the_wire_too_and_names_the_possible_cells(game):
    for number in SEEDS:
        for live, _ in playout(game, number):
            match = replay(game, live.seed, live.first, [(line.seat, line.text) for line in live.lines])
            match.assist = True
            for reader in READERS:
                view = match.view(reader)
                assert decode_push(shown(match, reader)[:-1]).view == view
                check_board(view.board)
                check_labels(view)
                found = game.possibilities(match.state, reader) if reader and not match.outcome else NOTHING
                assert {view.board.names.index(name) for name in view.board.possible} == found.left


MOMENTS = {"start", "turn", "wait", "hint", "few", "one", "over"}


def test_every_game_of_ours_says_its_goal_and_teaches_itself():
    for game in GAMES:
        assert len(game.card.picture) == 5
        assert 3 <= len(game.card.guide) <= 6
        verbs = {action.verb for match, _ in playout(game, 11) for seat in SEATS for action in match.view(seat).actions}
        assert {moment for moment, _ in game.card.guide} <= verbs | MOMENTS
        for match, _ in playout(game, 11):
            for view in map(match.view, READERS):
                assert view.goal
                assert all(action.tells for action in view.actions)


def test_who_has_one_possibility_left_has_a_lesson_of_their_own():
    for game in GAMES:
        lessons = dict(game.card.guide)
        assert ("one" in lessons) == ("few" in lessons) == game.card.assist
        assert "only one" not in lessons.get("few", "").lower(), "with one cell left, this lesson does not come"


def test_lessons_name_no_colour_and_come_at_moments_that_fit_them():
    for game in GAMES:
        for moment, sentence in game.card.guide:
            assert not re.search(r"\b(gold|blue|rose|red|green|grey|bright|dim)\b", sentence), (
                "plain mode has no colours"
            )
            assert moment != "hint", "a private sentence may also be the answer to a wrong guess or a dig"
        early = {"start", "turn", "wait"} | {action.verb for action in Match(game, seed(1), 1).view(1).actions}
        assert len([moment for moment, _ in game.card.guide if moment in early]) >= 3, "before anything is decided"


@each_game
def test_a_move_is_told_with_its_line_once_and_a_secret_one_without_its_secret(game):
    for number in SEEDS:
        for match, told in playout(game, number):
            for reader in READERS:
                lines = [one.event.line for one in told if reader in one.readers and one.event.line is not None]
                typed = match.lines[-1].text if match.lines else ""
                assert lines in ([], [typed], [typed.partition(" ")[0]])


@each_game
def test_the_names_of_the_cells_never_change(game):
    boards = {
        (view.board.rows, view.board.cols, view.board.names)
        for match, _ in playout(game, 9)
        for view in map(match.view, READERS)
    }
    assert len(boards) == 1


@each_game
def test_a_view_holds_the_same_keys_for_everybody_all_the_time(game):
    keys = {tuple(match.view(reader).state) for match, _ in playout(game, 9) for reader in READERS}
    assert len(keys) == 1


@each_game
def test_watchers_have_nothing_to_type_to_cover_or_to_claim(game):
    for match, _ in playout(game, 10):
        view = match.view(None)
        assert (view.actions, view.board.masks, view.private, view.claimable) == ((), (), (), False)


@each_game
def test_a_view_does_not_grow_with_the_game(game):
    for match in lingering(game, number=1):
        if match.line_count % 50 == 0:
            assert max(map(len, all_shown(match))) <= VIEW_BYTES
    assert max(map(len, all_shown(match))) <= VIEW_BYTES


# The card


@each_game
def test_a_card_can_be_shown_as_it_is(game):
    card = game.card
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", card.slug)
    assert card.title == card.slug.replace("-", " ").title()
    for text in (card.title, card.summary):
        assert is_harmless(text)
        assert text == text.strip()
    for line in card.rules.split("\n"):
        assert columns(line) <= 120
        assert is_harmless(line)
        assert line == line.rstrip()
    assert card.rules == card.rules.strip()


@each_game
def test_the_rules_name_every_verb(game):
    verbs = {action.verb for match, _ in playout(game, 11) for seat in SEATS for action in match.view(seat).actions}
    assert all(verb in game.card.rules for verb in verbs)


def test_no_two_games_share_a_slug_or_a_title():
    assert len({game.card.slug for game in ALL}) == len({game.card.title for game in ALL}) == len(ALL) == 6


@each_game
def test_a_match_opens_with_the_welcome(game):
    assert Match(game, seed(1), 1).announce_start()[0].event.text == f"Welcome to {game.card.title}!"
