"""Values: equal by what they hold, and with no room for more."""

import pytest

from gridgames_server.values import value


@value
class Coin:
    worth: int
    owner: str = "nobody"


def test_values_are_equal_if_they_hold_the_same_and_may_be_keys():
    assert Coin(1) == Coin(1, "nobody") != Coin(2)
    assert {Coin(1): "one"}[Coin(1)] == "one"


def test_a_value_has_no_room_for_other_fields():
    with pytest.raises(AttributeError):
        Coin(1).weight = 3
