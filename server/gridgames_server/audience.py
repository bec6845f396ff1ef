"""Who is in a room, and what each of them is told, now and when they come back."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gridgames_protocol.messages import Event, Push
from gridgames_server.effects import Effect, Send
from gridgames_server.games.tell import Reader, Telling
from gridgames_server.limits import ROOM_LOG
from gridgames_server.session import Player

READERS: tuple[Reader, ...] = (1, 2, None)


def _empty_log() -> dict[Reader, list[Event]]:
    # One for each reader: how much of it the one has seen must not depend on what only the other was told.
    return {reader: [] for reader in READERS}


@dataclass(slots=True, eq=False)
class Audience:
    """The two seats and the watchers. What is said to them goes to `out`, in the order in which it was decided."""

    out: list[Effect] = field(repr=False)
    seats: dict[int, Player | None] = field(default_factory=lambda: {1: None, 2: None})
    watchers: list[Player] = field(default_factory=list)
    log: dict[Reader, list[Event]] = field(default_factory=_empty_log, repr=False)

    def readers_of(self, reader: Reader) -> list[Player]:
        """Who reads what a seat reads, or what watchers read."""
        if reader is None:
            return self.watchers
        holder = self.seats[reader]
        return [holder] if holder else []

    def everybody(self) -> list[Player]:
        """All who are here."""
        return [guest for reader in READERS for guest in self.readers_of(reader)]

    def listeners(self, reader: Reader) -> list[Player]:
        """Those of a reader's who are connected."""
        return [guest for guest in self.readers_of(reader) if guest.session is not None]

    def send(self, guests: Iterable[Player], *said: Push) -> None:
        """Say something to those of them who are connected."""
        for guest in guests:
            if guest.session is not None:
                self.out.append(Send(guest.session, said))

    def announce(self, text: str, seat: int | None = None) -> None:
        """Tell everybody what happened in the room."""
        self.spread(Event(text, "system", seat))

    def forget_seals(self) -> None:
        """A new game begins: the seals of the one before have been opened, and are nothing to check any more."""
        for events in self.log.values():
            for place, event in enumerate(events):
                if event.commit:
                    events[place] = replace(event, commit=None)

    def spread(self, event: Event) -> None:
        """Send an event to everybody, and keep it for those who come back."""
        for reader in READERS:
            self.note(reader, [event])
            self.send(self.readers_of(reader), event)

    def heard(self, told: Iterable[Telling], reader: Reader) -> list[Event]:
        """What a reader may know of it, which is kept for those who come back."""
        events = [event for event, readers in told if reader in readers]
        self.note(reader, events)
        return events

    def note(self, reader: Reader, events: list[Event]) -> None:
        """Keep what a reader was told, the latest of it."""
        log = self.log[reader]
        log += events
        if len(log) > ROOM_LOG:
            del log[:-ROOM_LOG]
