"""Rate limits: token buckets, and tables of them by connection, address and player."""

from collections import Counter
from dataclasses import dataclass, field
from math import ceil
from typing import Literal

from gridgames_server.core.effects import AskBot
from gridgames_server.core.limits import (
    ADDRESSES_MAX,
    BURST,
    BURST_LEAST,
    GUESSES,
    GUESSES_PER_SECOND,
    HINTS_MAX,
    HINTS_PER_ADDRESS,
    LOGGED,
    OWN_CHATS,
    OWN_GAMES,
    THOUGHT_LOST,
    THOUGHTS_MAX,
    THOUGHTS_PER_ADDRESS,
    TOLD_AGAIN,
    Limits,
)
from gridgames_server.errors import Refusal


@dataclass(slots=True)
class TokenBucket:
    """A bucket that fills with time. `spend` can overdraw it."""

    rate: float
    size: float
    left: float = field(init=False)
    since: float

    def __post_init__(self) -> None:
        self.left = self.size

    def refill(self, now: float) -> None:
        """Add what the rate gives for the time since the last refill."""
        self.left = min(self.size, self.left + (now - self.since) * self.rate)
        self.since = now

    def spend(self, cost: float, now: float) -> None:
        self.refill(now)
        self.left -= cost

    def try_spend(self, cost: float, now: float) -> bool:
        """Spend the cost, or return False if there is not enough."""
        self.refill(now)
        if self.left < cost:
            return False
        self.left -= cost
        return True

    @property
    def is_overdrawn(self) -> bool:
        """True if it is overdrawn by a whole request. Requests are then refused."""
        return self.left <= -1

    @property
    def is_exhausted(self) -> bool:
        """True if it is overdrawn by its whole size. The connection is then closed."""
        return self.left < -self.size

    @property
    def seconds_to_wait(self) -> int:
        """Whole seconds until there is enough for a request."""
        return max(1, ceil((1 - self.left) / self.rate))

    def is_full(self, now: float) -> bool:
        """True if the bucket is full. It can then be forgotten."""
        return self.left + (now - self.since) * self.rate >= self.size


Own = Literal["games", "chats"]  # kinds that a seated player has an own share of
Kind = Literal["connections", "handshakes", "bursts", "tokens", "games", "chats", "told again", "logged"]


class AddressLimits:
    """The buckets of each address, for all its connections together.

    An address is an IPv4 address or an IPv6 /64 network. With a rate of 0 there are no limits.
    """

    def __init__(self, limits: Limits) -> None:
        crowd, rooms = limits.max_per_address, limits.max_rooms_per_address
        burst = limits.rate * BURST
        self.unlimited = not limits.rate
        self.sizes: dict[Kind, tuple[float, float]] = {  # rate per second, and size
            "connections": (crowd / 16, 4 * crowd),
            "handshakes": (crowd / 16, crowd),
            "bursts": (4 * limits.rate, burst * crowd),
            "tokens": (crowd / 600, 2 * crowd),
            "games": (rooms / 32, 2 * rooms),
            "chats": (crowd / 8, 4 * crowd),
            "told again": TOLD_AGAIN,
            "logged": LOGGED,
        }
        self.own_sizes: dict[Own, tuple[float, float]] = {"games": OWN_GAMES, "chats": OWN_CHATS}
        self.buckets: dict[str, dict[Kind, TokenBucket]] = {}
        self.own_buckets: dict[tuple[int, Own], TokenBucket] = {}  # by the player's number

    def try_spend(self, address: str, kind: Kind, now: float, cost: float = 1) -> bool:
        """Charge an address, or return False if it has not enough left."""
        return self.unlimited or self._bucket(address, kind, now).try_spend(cost, now)

    def try_spend_own(self, player: int, kind: Own, now: float) -> bool:
        """Charge a player's own share, or return False if it has not enough left."""
        if (player, kind) not in self.own_buckets:
            self.own_buckets[player, kind] = TokenBucket(*self.own_sizes[kind], now)
        return self.own_buckets[player, kind].try_spend(1, now)

    def take_burst(self, address: str, rate: int, now: float) -> TokenBucket | None:
        """Return the bucket of a new connection, filled from its address's bucket. None: there are no limits."""
        if self.unlimited:
            return None
        saved, allowance = self._bucket(address, "bursts", now), TokenBucket(rate, rate * BURST, now)
        saved.refill(now)
        allowance.left = max(BURST_LEAST, min(allowance.size, saved.left))
        saved.left = max(0.0, saved.left - allowance.left)
        return allowance

    def give_back(self, address: str, allowance: TokenBucket | None, now: float) -> None:
        """Return what an ended connection did not use to its address's bucket."""
        if allowance is not None and allowance.left > 0:
            saved = self._bucket(address, "bursts", now)
            saved.refill(now)
            saved.left = min(saved.size, saved.left + allowance.left)

    def forget(self, now: float) -> None:
        """Drop the addresses and players whose buckets are full."""
        self.own_buckets = {key: bucket for key, bucket in self.own_buckets.items() if not bucket.is_full(now)}
        for address in list(self.buckets):
            if all(bucket.is_full(now) for bucket in self.buckets[address].values()):
                del self.buckets[address]

    def _bucket(self, address: str, kind: Kind, now: float) -> TokenBucket:
        own = self.buckets.get(address)
        if own is None:
            if len(self.buckets) >= ADDRESSES_MAX:
                self.forget(now)
                while len(self.buckets) >= ADDRESSES_MAX:
                    del self.buckets[next(iter(self.buckets))]  # the oldest entry
            own = self.buckets[address] = {}
        if kind not in own:
            own[kind] = TokenBucket(*self.sizes[kind], now)
        return own[kind]


@dataclass(slots=True)
class GuessLimiter:
    """Limits wrong passwords and room codes by guesser: an address, or the number of a known player."""

    buckets: dict[str | int, TokenBucket] = field(default_factory=dict)

    def check(self, guesser: str | int, now: float) -> None:
        """Raise a Refusal if a guesser was wrong too often."""
        tries = self.buckets.get(guesser)
        if tries is not None:
            tries.spend(0, now)
            if tries.left < 1:
                raise Refusal("too_fast", "Too many wrong tries from your address. Wait a minute.")

    def count_wrong_guess(self, guesser: str | int, now: float) -> None:
        if guesser not in self.buckets and len(self.buckets) >= ADDRESSES_MAX:
            self.forget(now)
            while len(self.buckets) >= ADDRESSES_MAX:
                del self.buckets[next(iter(self.buckets))]
        self.buckets.setdefault(guesser, TokenBucket(GUESSES_PER_SECOND, GUESSES, now)).spend(1, now)

    def forget(self, now: float) -> None:
        """Drop the guessers whose buckets are full again."""
        past = now - GUESSES / GUESSES_PER_SECOND
        self.buckets = {guesser: tries for guesser, tries in self.buckets.items() if tries.since > past}


@dataclass(slots=True)
class BotQueue:
    """The questions to the computer. Addresses take turns, and within an address hints come last.

    At most THOUGHTS_MAX questions run at once, THOUGHTS_PER_ADDRESS of one address.
    """

    running: list[tuple[AskBot, float]] = field(default_factory=list)  # with the time since when
    waiting: dict[str, list[AskBot]] = field(default_factory=dict)  # by address, first the one whose turn it is

    def check_space(self, address: str) -> None:
        """Raise a Refusal if too many hints wait."""
        hints = Counter(
            question.address for own in self.waiting.values() for question in own if question.wants == "hint"
        )
        if hints[address] >= (HINTS_PER_ADDRESS if hints.total() < HINTS_MAX else 1):  # others get one at least
            raise Refusal("too_fast", "Too many players ask for hints. Wait a moment, then ask again.")

    def ask(self, question: AskBot) -> None:
        """Queue a question. It replaces a waiting question of the same kind from the same seat."""
        place = (question.wants, question.room, question.seat)
        own = self.waiting.get(question.address, [])
        own = [other for other in own if (other.wants, other.room, other.seat) != place]
        self.waiting[question.address] = sorted([*own, question], key=lambda one: one.wants == "hint")

    def begin(self, now: float) -> list[AskBot]:
        """Return the questions that may run now."""
        begun: list[AskBot] = []
        while len(self.running) < THOUGHTS_MAX:
            busy = Counter(question.address for question, _ in self.running)
            address = next((address for address in self.waiting if busy[address] < THOUGHTS_PER_ADDRESS), None)
            if address is None:
                break
            first, *rest = self.waiting.pop(address)
            if rest:
                self.waiting[address] = rest  # behind the other addresses
            self.running.append((first, now))
            begun.append(first)
        return begun

    def end(self, question: AskBot) -> None:
        """Free the place of a question that is answered."""
        self.running = [run for run in self.running if run[0] is not question]

    def drop(self, now: float, rooms: set[int]) -> list[AskBot]:
        """Remove and return the waiting questions of closed rooms, and those that run for THOUGHT_LOST seconds."""
        dropped = [question for question, since in self.running if now - since >= THOUGHT_LOST]
        self.running = [run for run in self.running if now - run[1] < THOUGHT_LOST]
        for address, questions in list(self.waiting.items()):
            dropped += [question for question in questions if question.room not in rooms]
            self.waiting[address] = [question for question in questions if question.room in rooms]
            if not self.waiting[address]:
                del self.waiting[address]
        return dropped
