"""Players: their names and their tokens."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from gridgames_protocol.messages import Hello, Level
from gridgames_server.core.limits import TOKEN_KEPT, TOKENS_MAX, TOKENS_PER_ADDRESS
from gridgames_server.core.names import check_name, make_name_key
from gridgames_server.core.rate_limit import AddressLimits, GuessLimiter
from gridgames_server.errors import Refusal

NONE_GIVEN, WRONG = "This server wants a password.", "That password is wrong."


class Place(Protocol):
    """A room, as far as this module needs to know rooms."""

    @property
    def code(self) -> str: ...
    @property
    def number(self) -> int: ...


@dataclass(slots=True, eq=False)
class Player:
    """A person with a name and a token, or a bot. A player without a session is not connected."""

    name: str
    key: str
    token_hash: bytes = field(repr=False)
    session: int | None = None
    room: Place | None = field(default=None, repr=False)
    seat: int | None = None
    last_play: int | None = None
    last_seen: float = 0.0
    number: int = 0  # in the store
    saved_name: str | None = None  # the name in the store
    bot: Level | None = None
    closing_notice: str | None = None  # why their room was closed while they were away
    address: str = ""  # the address that got the token; "" after a restart
    wants_state: bool = True  # views carry `state`
    agent: str | None = None  # the name of the program, if a program plays


BOT_NUMBERS: dict[Level, int] = {"easy": -1, "medium": -2, "hard": -3}  # in the store
BOT_LEVELS = {number: level for level, number in BOT_NUMBERS.items()}


def make_bot_player(level: Level) -> Player:
    """Return a computer player. Its name has brackets, which a person's name can't have."""
    return Player(f"Bot ({level})", "", b"", bot=level, number=BOT_NUMBERS[level])


@dataclass(slots=True)
class Players:
    """Everybody whose token is known, connected or not."""

    entropy: Callable[[int], bytes]
    password: str | None = field(repr=False)
    guesses: GuessLimiter
    limits: AddressLimits
    check_can_save: Callable[[], None] = lambda: None  # raises a Refusal while the disk is full
    by_token: dict[bytes, Player] = field(default_factory=dict, repr=False)  # by the token's hash
    by_name: dict[str, Player] = field(default_factory=dict)  # players who are connected or have a seat
    next_number: int = 1

    def identify(self, hello: Hello, address: str, now: float) -> tuple[Player, str]:
        """Return the player who sent `hello`, and the token to show next time. A Refusal changes nothing."""
        known = self.find(hello.token)
        # A valid token has its own limit, so wrong guesses of others at the same address don't lock its player out.
        self._check_password(hello, known.number if known else address, now)
        if hello.token is None:
            return self._add(hello.name, address, now)
        if known is None:  # not counted as a guess: a token has 256 bits
            raise Refusal("token", "This server does not know your token. Say hello without one.", "token")
        if known.seat is None:  # a seated player's name can't change
            self._rename(known, hello.name)
        return known, hello.token

    def find(self, token: str | None) -> Player | None:
        """Return the player with a token."""
        return self.by_token.get(hash_token(token)) if token is not None else None

    def has_seat(self, token: str | None) -> bool:
        """True if the token's player has a seat."""
        known = self.find(token)
        return known is not None and known.seat is not None

    def has_seated_players(self) -> bool:
        """True if at least one player has a seat."""
        return any(player.seat is not None for player in self.by_name.values())

    def _check_password(self, hello: Hello, guesser: str | int, now: float) -> None:
        if self.password is None:
            return
        self.guesses.check(guesser, now)
        if not hello.password:  # it asks whether one is wanted
            raise Refusal("password", NONE_GIVEN, "password")
        if not hmac.compare_digest(hello.password.encode(), self.password.encode()):
            self.guesses.count_wrong_guess(guesser, now)
            raise Refusal("password", WRONG, "password")

    def _add(self, wanted: str, address: str, now: float) -> tuple[Player, str]:
        name = self._free_name(wanted, None)
        self.check_can_save()
        if not self.limits.try_spend(address, "tokens", now):
            raise Refusal("too_fast", "Too many new players come from your address. Wait some minutes.")
        token = self.entropy(32).hex()
        player = Player(name, make_name_key(name), hash_token(token), number=self.next_number, address=address)
        self.next_number += 1
        self.by_token[player.token_hash] = self.by_name[player.key] = player
        return player, token

    def _rename(self, player: Player, wanted: str) -> None:
        name = self._free_name(wanted, player)
        if name != player.name:
            self.check_can_save()
        self.release_name(player)
        player.name, player.key = name, make_name_key(name)
        self.by_name[player.key] = player

    def _free_name(self, wanted: str, holder: Player | None) -> str:
        name = check_name(wanted)
        if self.by_name.get(make_name_key(name), holder) is not holder:
            text = "Somebody here has that name, or one that looks the same. Choose another."
            raise Refusal("name_taken", text, "name")
        return name

    def release_name(self, player: Player) -> None:
        """Free the name of a player who is neither connected nor seated."""
        if self.by_name.get(player.key) is player:
            del self.by_name[player.key]

    def forget(self, now: float) -> list[Player]:
        """Forget players who have been away for TOKEN_KEPT seconds, and those above the limits. Return them.

        An address above its limit loses its own players first. If there are too many players in all, only those who
        have never played are forgotten.
        """
        idle = [player for player in self.by_token.values() if player.session is None and player.room is None]
        idle.sort(key=lambda player: (player.last_play is not None, player.last_seen))
        own = Counter(player.address for player in idle)
        surplus = len(self.by_token) - TOKENS_MAX
        gone = []
        for player in idle:
            crowded = player.address and own[player.address] > TOKENS_PER_ADDRESS
            if now - player.last_seen > TOKEN_KEPT or crowded or (surplus > 0 and player.last_play is None):
                gone.append(player)
                own[player.address] -= 1
                surplus -= 1
        for player in gone:
            del self.by_token[player.token_hash]
        self.guesses.forget(now)
        self.limits.forget(now)
        return gone


def hash_token(token: str) -> bytes:
    """Return the hash of a token. The token itself is not stored."""
    return hashlib.sha256(token.encode()).digest()
