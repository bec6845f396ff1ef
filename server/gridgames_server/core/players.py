"""Who is who: names, tokens, and how often somebody may guess at one."""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field

from gridgames_protocol.messages import Hello
from gridgames_server import names
from gridgames_server.games.game import Refusal
from gridgames_server.limits import GUESSES, GUESSES_PER_SECOND, TOKEN_KEPT, TOKENS_MAX
from gridgames_server.session import Allowance, Player

NONE_GIVEN, WRONG = "This server wants a password.", "That password is wrong."


@dataclass(slots=True)
class Guesses:
    """Wrong passwords, tokens and room codes, by address."""

    made: dict[str, Allowance] = field(default_factory=dict)

    def check(self, address: str, now: float) -> None:
        """Refuse one who has been wrong too often."""
        tries = self.made.get(address)
        if tries is not None:
            tries.spend(0, now)
            if tries.left < 1:
                raise Refusal("too_fast", "Too many wrong tries from your address. Wait a minute.")

    def wrong(self, address: str, now: float) -> None:
        """Count a wrong one."""
        self.made.setdefault(address, Allowance(GUESSES_PER_SECOND, GUESSES, now)).spend(1, now)

    def forget(self, now: float) -> None:
        """Forget those whose guesses have been forgiven by now."""
        past = now - GUESSES / GUESSES_PER_SECOND
        self.made = {address: tries for address, tries in self.made.items() if tries.since > past}


@dataclass(slots=True)
class Players:
    """Everybody whose token is known, connected or not."""

    entropy: Callable[[int], bytes]
    password: str | None = field(repr=False)
    guesses: Guesses
    by_token: dict[bytes, Player] = field(default_factory=dict, repr=False)  # by the token's hash
    by_name: dict[str, Player] = field(default_factory=dict)  # those who are connected or seated
    next_number: int = 1

    def identify(self, hello: Hello, address: str, now: float) -> tuple[Player, str]:
        """The player who says hello, and the token that proves it next time."""
        if self.password is not None:
            self.guesses.check(address, now)
            if not hmac.compare_digest((hello.password or "").encode(), self.password.encode()):
                self.guesses.wrong(address, now)
                raise Refusal("password", WRONG if hello.password else NONE_GIVEN)
        if hello.token is None:
            return self._newcomer(hello.name)
        known = self.by_token.get(token_hash(hello.token))
        if known is None:  # not counted as a guess: a token has 256 bits, and a restart may have forgotten many at once
            raise Refusal("token", "This server does not know your token. Say hello without one.")
        if known.seat is None:  # at a table the name stays
            self._rename(known, hello.name)
        return known, hello.token

    def _newcomer(self, wish: str) -> tuple[Player, str]:
        name = self._free_name(wish, None)
        token = self.entropy(32).hex()
        player = Player(name, names.key(name), token_hash(token), number=self.next_number)
        self.next_number += 1
        self.by_token[player.token_hash] = self.by_name[player.key] = player
        return player, token

    def _rename(self, player: Player, wish: str) -> None:
        name = self._free_name(wish, player)
        self.release_name(player)
        player.name, player.key = name, names.key(name)
        self.by_name[player.key] = player

    def _free_name(self, wish: str, holder: Player | None) -> str:
        name = names.checked(wish)
        if self.by_name.get(names.key(name), holder) is not holder:
            raise Refusal("name_taken", "Somebody here has that name, or one that looks the same. Choose another.")
        return name

    def release_name(self, player: Player) -> None:
        """Let others have the name of one who is neither connected nor seated."""
        if self.by_name.get(player.key) is player:
            del self.by_name[player.key]

    def forget(self, now: float) -> list[Player]:
        """Forget those who have been away for long, and if there are too many, first those who never played."""
        idle = [player for player in self.by_token.values() if player.session is None and player.room is None]
        # A crowd of strangers must not push out those who have games to come back to, and a history.
        idle.sort(key=lambda player: (player.last_play is not None, player.last_seen))
        surplus = len(self.by_token) - TOKENS_MAX
        gone = [player for n, player in enumerate(idle) if n < surplus or now - player.last_seen > TOKEN_KEPT]
        for player in gone:
            del self.by_token[player.token_hash]
        self.guesses.forget(now)
        return gone


def token_hash(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()
