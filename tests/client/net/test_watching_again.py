"""One who only watches has no place that is held: after the line was down, the client looks for the room again."""

import pytest

from gridgames_client.state import commands
from gridgames_protocol.messages import Error, Lobby, Ok, Watch
from tests.client.piped_app import playing
from tests.client.seated_controllers import CODE, Scenario, Seat, in_lobby, listed, room_of, welcome
from tests.wire import run


def comes_back(seat: Seat) -> None:
    """The line breaks, and the server welcomes its player to the lobby."""
    seat.asked.clear()
    seat.controller.on_connection("reconnecting", "It broke.")
    seat.controller.on_connection("connected", "")
    seat.controller.on_message(welcome())
    seat.controller.on_message(Lobby((listed(state="playing"),), 3, 0))


def watching() -> Seat:
    """Somebody who has seen a room without a seat in it, and comes back."""
    seat = in_lobby()
    seat.controller.on_message(room_of("grid-hunt", you=None))
    comes_back(seat)
    return seat


def test_who_watched_when_the_line_broke_watches_again():
    seat = watching()
    assert seat.asked == [Watch(commands.NO_ID, CODE)]
    seat.controller.on_message(Lobby((), 3, 0))
    assert len(seat.asked) == 1, "it is asked once"
    seat.controller.on_reply(seat.asked[0], Ok(1, CODE))
    assert seat.controller.room_to_watch_again, "on the way until the room is seen"
    seat.controller.on_message(room_of("grid-hunt", you=None))
    assert not seat.controller.room_to_watch_again


def test_a_room_that_is_gone_is_not_asked_for_again():
    seat = watching()
    seat.controller.on_reply(seat.asked[0], Error("no_such_room", "There is no room with that code."))
    assert seat.controller.model.notice == "There is no room with that code."
    seat.controller.on_message(Lobby((), 3, 0))
    assert len(seat.asked) == 1


def test_a_way_back_that_is_lost_as_well_is_tried_again():
    seat = watching()
    seat.controller.on_lost(seat.asked[0])
    comes_back(seat)
    assert seat.asked == [Watch(commands.NO_ID, CODE)]


def test_who_had_a_seat_or_was_in_the_lobby_goes_nowhere_by_themselves():
    seat = in_lobby()
    comes_back(seat)
    assert not seat.asked
    seat.controller.on_message(room_of("grid-hunt"))
    comes_back(seat)
    assert not seat.asked


@pytest.mark.parametrize("is_there", [True, False])
def test_a_watchers_line_stays_while_the_room_is_looked_for_and_goes_if_it_is_gone(is_there):
    async def scenario():
        table = Scenario("grid-hunt")
        seat = table.seats[None]
        seat.controller.ask = seat.asked.append
        async with playing(seat.controller) as player:
            await player.types("/chat well")
            seat.controller.on_connection("reconnecting", "It broke.")
            seat.controller.on_connection("connected", "")
            seat.controller.on_message(welcome("Wim"))
            seat.controller.on_message(Lobby((), 3, 0))
            await player.types(" played")
            assert player.typed == "/chat well played"
            if is_there:
                seat.controller.on_reply(seat.asked[-1], Ok(1, CODE))
                table.tell_room()
                table.show()
            else:
                seat.controller.on_reply(seat.asked[-1], Error("no_such_room", "There is no room with that code."))
            await player.types("!")
            assert player.typed == ("/chat well played!" if is_there else "!")

    run(scenario())
