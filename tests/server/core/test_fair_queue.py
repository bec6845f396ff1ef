"""A queue that people share."""

from typing import NamedTuple

from gridgames_server.core.fair_queue import FairQueue


class Item(NamedTuple):
    address: str
    number: int


def filled_with(*items):
    queue = FairQueue()
    for address, number in items:
        queue.put(Item(address, number))
    return queue


def take_all(queue):
    return [queue.take() for _ in range(len(queue))]


def test_addresses_take_turns_and_each_keeps_its_order():
    queue = filled_with(("evil", 1), ("evil", 2), ("evil", 3), ("home", 4), ("home", 5))
    assert take_all(queue) == [("evil", 1), ("home", 4), ("evil", 2), ("home", 5), ("evil", 3)]
    assert not queue


def test_what_is_dropped_came_last_from_the_address_that_has_most():
    queue = filled_with(("home", 1), ("evil", 2), ("evil", 3))
    queue.drop()
    assert take_all(queue) == [("home", 1), ("evil", 2)]
    queue = filled_with(("home", 1))
    queue.drop()
    assert not queue
