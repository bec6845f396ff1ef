"""The queue of bytes for one peer."""

from gridgames_server.net.output_queue import PIECE, OutputQueue


def test_a_reply_and_the_lobby_behind_it_go_out_in_one_piece():
    queue = OutputQueue()
    queue.put(b"ok")
    queue.put_latest(b"lobby")
    assert queue.take() == b"oklobby"
    assert not queue


def test_only_the_newest_of_several_lobbies_is_sent():
    queue = OutputQueue()
    queue.put_latest(b"old")
    queue.put_latest(b"new")
    assert queue.size == 3
    assert queue.take() == b"new"


def test_a_lobby_behind_a_long_output_can_still_be_replaced():
    queue = OutputQueue()
    queue.put(b"x" * (PIECE + 1))
    queue.put_latest(b"old")
    assert queue.take() == b"x" * PIECE
    queue.put_latest(b"new")
    assert queue.take() == b"xnew"


def test_a_long_output_goes_out_whole_and_in_order():
    queue = OutputQueue()
    said = [bytes([65 + number]) * (PIECE // 3 + number) for number in range(20)]
    for chunk in said:
        queue.put(chunk)
    pieces = []
    while queue:
        pieces.append(queue.take())
    assert b"".join(pieces) == b"".join(said)
    assert {len(piece) for piece in pieces[:-1]} == {PIECE}
    assert queue.size == 0


def test_what_is_put_after_a_lobby_stays_after_it():
    queue = OutputQueue()
    queue.put_latest(b"lobby")
    queue.put(b"room")
    assert queue.take() == b"lobbyroom"
