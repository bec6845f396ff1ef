"""Two guests at a table over a real connection, who type what their views offer."""

from random import Random
from typing import Any

from gridgames_protocol.messages import Create, Event, Join, Ok, Over, Reveal, Show
from gridgames_server.games import GAMES
from gridgames_server.games.match import commitment
from tests.server.hub_harness import MIDDLES
from tests.wire import Guest, Place

SLUGS = [game.card.slug for game in GAMES]


class Table:
    """A room with both seats taken; seat 1 moves first. Everybody who is here has seen the latest view."""

    def __init__(self, room: str, one: Guest, two: Guest) -> None:
        self.room = room
        self.seats = {1: one, 2: two}
        self.watchers: list[Guest] = []
        self.chance = Random(7)

    @property
    def shown(self) -> Show:
        """What seat 1 sees."""
        table = self.seats[1].table
        assert table
        return table

    def next(self) -> tuple[int, str]:
        """A seat that is to act, and a line that its view offers."""
        seat = self.shown.turn[0]
        seen = self.seats[seat].table
        assert seen
        return seat, self.chance.choice([line for action in seen.view.actions for line in action.lines()])

    async def move(self) -> None:
        """Somebody types a line, and everybody sees what it led to."""
        await self.types(*self.next())

    async def types(self, seat: int, line: str) -> None:
        """A seat types this line, and everybody sees what it led to."""
        rev = self.shown.rev + 1
        await self.seats[seat].types(line)
        await self.see(rev)

    async def play_to_the_middle(self, game: str) -> None:
        """Type some lines that do not end the game."""
        for seat, line in MIDDLES[game]:
            await self.types(seat, line)

    async def see(self, rev: int) -> None:
        """Everybody sees the next view, and none is left out."""
        for guest in (*self.seats.values(), *self.watchers):
            assert (await guest.sees(Show, lambda show: show.rev >= rev)).rev == rev

    async def play(self, moves: int = 4_000) -> None:
        """Play so many moves, or to the end."""
        for _ in range(moves):
            if not self.shown.turn:
                return
            await self.move()

    async def end(self) -> Over:
        """Play to the end, which everybody is told alike."""
        await self.play()
        first, *others = [await guest.sees(Over) for guest in (*self.seats.values(), *self.watchers)]
        assert all(other == first for other in others)
        return first


async def sit_down(place: Place, game: str, names: tuple[str, str] = ("Ada", "Bob"), **hello: Any) -> Table:
    """Two newcomers open a room and begin a game."""
    ada, bob = await place.guest(names[0], **hello), await place.guest(names[1], **hello)
    opened = await ada.says(Create, game=game, first="host")
    assert isinstance(opened, Ok), opened
    assert opened.room
    table = Table(opened.room, ada, bob)
    assert isinstance(await bob.says(Join, room=opened.room), Ok)
    await table.see(1)
    return table


def sealed(guest: Guest) -> dict[str, str]:
    """The commitments that a guest was told, each by what it is about."""
    return {event.commit.what: event.commit.hash for event in guest.heard if isinstance(event, Event) and event.commit}


def opened(reveals: tuple[Reveal, ...]) -> dict[str, str]:
    """The commitments that revealed secrets lead to."""
    return {reveal.what: commitment(reveal.what, reveal.value, reveal.nonce) for reveal in reveals}
