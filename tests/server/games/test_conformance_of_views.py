"""What holds for everything that every game shows and says: it fits on the wire, and any client can draw it."""

import re

from gridgames_protocol.messages import Event, decode_push, encode
from gridgames_protocol.text import columns, is_harmless
from gridgames_protocol.views import CELL_COLUMNS, View
from gridgames_server.games.tell import SEATS, other
from gridgames_server.match import Match
from tests.server.games.playouts import ALL, READERS, SEEDS, all_shown, each_game, lingering, playout, seed, shown

VIEW_BYTES = 2_048  # a board takes 600, actions and a dozen of history as much again; four hundred lines would not fit


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
            for telling in told:
                event = Event(telling.event.text, telling.event.kind, telling.event.seat, None, telling.event.commit)
                assert decode_push(encode(event)[:-1]) == event
                assert re.fullmatch(r"[A-Z].*[.!:]|Distance: \d", telling.event.text)
                assert telling.readers


@each_game
def test_the_doers_alone_read_hints_and_the_table_speaks_to_everybody(game):
    for number in SEEDS:
        for _, told in playout(game, number):
            for telling in told:
                if telling.event.kind == "system":
                    assert (telling.event.seat, telling.readers) == (None, {1, 2, None})
                elif telling.event.kind == "hint":
                    assert telling.readers == {telling.event.seat}
                else:
                    assert telling.readers >= {other(telling.event.seat), None}


def check_board(view: View) -> None:
    board = view.board
    assert len(set(board.names)) == len(board.names)
    for text in (*board.texts, *(text for _, text, _ in board.masks)):
        assert columns(text) <= CELL_COLUMNS
    assert {name for name, _, _ in board.masks} <= set(board.names)
    assert set(view.private) <= {label for label, _ in view.facts}
    assert len({label for label, _ in view.facts}) == len(view.facts)


def check_actions(view: View) -> None:
    assert len({action.verb for action in view.actions}) == len(view.actions)
    for action in view.actions:
        assert re.fullmatch(r"[A-Z]+", action.verb)
        assert action.form == (action.verb if action.cells is None else f"{action.verb} {{cell}}")
        if action.cells is not None:
            assert action.cells == tuple(name for name in view.board.names if name in action.cells)
        assert is_harmless(action.help)
    keys = [action.key for action in view.actions if action.key]
    assert len(set(keys)) == len(keys)


@each_game
def test_boards_facts_and_actions_are_as_every_client_expects_them(game):
    for number in SEEDS:
        for match, _ in playout(game, number):
            for reader in READERS:
                check_board(match.view(reader))
                check_actions(match.view(reader))


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
        if len(match.lines) % 50 == 0:
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
    assert Match(game, seed(1), 1).opening[0].event.text == f"Welcome to {game.card.title}!"
