"""Who is in a room, and what each of them is told, now and when they come back."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gridgames_protocol.messages import Event, Push
from gridgames_server.effects import Effect, Send
from gridgames_server.games.tell import EVERYBODY, Reader, Telling
from gridgames_server.limits import ROOM_LOG
from gridgames_server.session import Player

READERS: tuple[Reader, ...] = (1, 2, None)
# Tellings, before those go that nobody is told again: to look for them each time would take longer than all the rest.
# The games say what they have said before, or little; what people say is long, so a chat looks sooner.
LOG_MAX, LOG_OF_CHAT = 3 * ROOM_LOG, ROOM_LOG * 3 // 2


@dataclass(slots=True, eq=False)
class Audience:
    """The two seats and the watchers. What is said to them goes to `out`, in the order in which it was decided."""

    out: list[Effect] = field(repr=False)
    seats: dict[int, Player | None] = field(default_factory=lambda: {1: None, 2: None})
    watchers: list[Player] = field(default_factory=list)
    log: list[Telling] = field(default_factory=list, repr=False)

    def everybody(self) -> list[Player]:
        """All who are here."""
        return [*filter(None, self.seats.values()), *self.watchers]

    def sessions_of(self, reader: Reader) -> list[int]:
        """The connections of a seat's player, or of the watchers."""
        if reader is None:
            return [guest.session for guest in self.watchers if guest.session is not None]
        holder = self.seats[reader]
        return [] if holder is None or holder.session is None else [holder.session]

    def all_sessions(self) -> list[int]:
        """The connections of everybody."""
        return [session for reader in READERS for session in self.sessions_of(reader)]

    def send(self, sessions: Iterable[int], said: tuple[Push, ...]) -> None:
        """Say something on some connections, to all of them the same."""
        for session in sessions:
            self.out.append(Send(session, said))

    def announce(self, text: str, seat: int | None = None) -> None:
        """Tell everybody what happened in the room."""
        self.spread(Event(text, "system", seat))

    def spread(self, event: Event) -> None:
        """Send an event to everybody, and keep it for those who come back."""
        self.note([Telling(event, EVERYBODY)], LOG_OF_CHAT)
        self.send(self.all_sessions(), (event,))

    def note(self, told: Iterable[Telling], most: int = LOG_MAX) -> None:
        """Keep what was told."""
        self.log += told
        if len(self.log) > most:
            self._forget()

    def latest(self, reader: Reader) -> list[Event]:
        """What a reader was told lately. How much of it that is must not depend on what only others were told."""
        return heard(self.log, reader)[-ROOM_LOG:]

    def _forget(self) -> None:
        """Drop what is not among the latest of any reader."""
        wanting, kept = dict.fromkeys(READERS, ROOM_LOG), []
        for telling in reversed(self.log):
            wanted = False
            for reader in telling.readers:
                if wanting[reader]:
                    wanting[reader] -= 1
                    wanted = True
            if wanted:
                kept.append(telling)
        self.log[:] = kept[::-1]

    def forget_seals(self) -> None:
        """A new game begins: the seals of the one before have been opened, and are nothing to tell again."""
        self.log[:] = [telling for telling in self.log if not telling.event.commit]


def heard(told: Iterable[Telling], reader: Reader) -> list[Event]:
    """What a reader may know of what is told."""
    return [telling.event for telling in told if reader in telling.readers]
