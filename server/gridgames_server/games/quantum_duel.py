"""Quantum Duel: two unseen tokens on a line of seven; move in secret, then look where the other might be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from gridgames_protocol.views import Action, Board, Card, Review, View
from gridgames_server.games import tell
from gridgames_server.games.game import (
    ALONE,
    NO_ONE,
    Chance,
    Outcome,
    Step,
    illegal,
    prompt_of,
    replace,
    syntax,
    verb_and_rest,
    with_seat,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.quest import NOTHING, Moment, Quest, counted
from gridgames_server.games.tell import SEATS, Reader, other, player

LINE = Grid(("",), tuple("1234567"), "{col}")
ANYWHERE = (1 << len(LINE)) - 1  # a bit for each position
OBSERVATIONS_SHOWN = 12  # the latest, of both players; even, so that a look pushes out one of the same seat's
TUNNEL_FACT = "Your tunnel"
OBSERVED = {seat: f"{player(seat)} observed" for seat in SEATS}
TUNNEL = {True: (TUNNEL_FACT, "not used"), False: (TUNNEL_FACT, "used")}
ASK = {
    moved: {seat: f"{player(seat)}, {ask}" for seat in SEATS}
    for moved, ask in ((False, "move your token in secret:"), (True, "observe a position:"))
}

CARD = Card(
    slug="quantum-duel",
    title="Quantum Duel",
    summary="move unseen on a line of seven, then look",
    edition=1,
    rules="""\
Each player has a token on a line of positions 1 to 7. Nobody sees the other's token. Both start off the line. Find the
other's token by looking at its position, and win.

A turn has two parts. First move, in secret; the other learns only that you have moved:

  MOVE 3     the first time: put your token anywhere. Later: to a position beside it, or the one where it stands.
  STAY       leaves it where it is.
  TUNNEL 7   puts it anywhere, once in the whole game, instead of a move.

Then look, for everybody to see:

  OBSERVE 5  is answered truly: the other's token is there, and you win, or it is not. You may not look twice running
             at the same position.

If your movement puts both tokens in one position, your token breaks and the other player wins; you learn it after
your look. That comes before a capture.

On the line, Q is your token, x your last look, o the other's. Watchers see x for Player 1, o for Player 2.""",
    assist=True,
)


# The same few thoughts come up in every game; to look one up takes less than half of working it out.
thought_before = lru_cache(4_096)


class Suspicion(NamedTuple):
    """Where a token may be that is not seen, a bit for each position: its tunnel unused, and used. Nowhere at first."""

    fresh: int = 0
    spent: int = 0

    @thought_before
    def moved(self) -> "Suspicion":
        """What can be thought after a movement: a step, a stay, or the tunnel if it may be unused."""
        if not self.fresh | self.spent:
            return Suspicion(ANYWHERE, ANYWHERE)
        fresh, spent = ((bits | bits << 1 | bits >> 1) & ANYWHERE for bits in self)
        return Suspicion(fresh, ANYWHERE if fresh else spent)

    @thought_before
    def without(self, position: int | None) -> "Suspicion":
        """What can be thought once it is told that the token is not at a position."""
        rest = ANYWHERE if position is None else ANYWHERE & ~(1 << position)
        return Suspicion(self.fresh & rest, self.spent & rest)

    def positions(self) -> frozenset[int]:
        """Where the token may be."""
        return frozenset(at for at in range(len(LINE)) if (self.fresh | self.spent) >> at & 1)


Fact = tuple[str, str]


@dataclass(frozen=True, repr=False)
class State:
    turn: int
    moved: bool = False  # the movement of this turn is done, the observation is due
    tokens: tuple[int | None, int | None] = (None, None)  # off the line at first
    tunnels: frozenset[int] = frozenset({1, 2})  # seats that still have theirs
    movements: tuple[int, int] = (0, 0)
    observations: tuple[tuple[int, int], ...] = ()  # the latest: seat, and position as it is typed
    observed: tuple[Fact, Fact] = ((OBSERVED[1], "nothing yet"), (OBSERVED[2], "nothing yet"))  # the same in words
    looks: tuple[int | None, int | None] = (None, None)  # each one's last
    suspicions: tuple[Suspicion, Suspicion] = (Suspicion(), Suspicion())  # each seat's, of the other's token
    rumours: tuple[Suspicion, Suspicion] = (Suspicion(), Suspicion())  # the same, had the seat no token of its own
    outcome: Outcome | None = None


class QuantumDuel:
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        return Step(State(first), (tell.turn(first),))

    def to_act(self, state: State) -> frozenset[int]:
        return NO_ONE if state.outcome else ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = verb_and_rest(line)
        if verb not in ("MOVE", "STAY", "TUNNEL", "OBSERVE") or (verb == "STAY" and rest):
            raise syntax(how_to(state, seat))
        position = token(state, seat) if verb == "STAY" else LINE.read(rest)
        if (verb == "OBSERVE") != state.moved:
            raise illegal(how_to(state, seat))
        if position is None:
            raise illegal("Your token is not on the line yet. Put it somewhere first, for example MOVE 4.")
        if verb == "OBSERVE":
            return observe(state, seat, position)
        return tunnel(state, seat, position) if verb == "TUNNEL" else move(state, seat, position)

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        return View(
            phase="over" if state.outcome else "play",
            prompt=prompt_of(state, to_act, reader, ASK[state.moved][state.turn]),
            board=drawn(state, reader),
            facts=(*state.observed, TUNNEL[reader in state.tunnels]) if reader else state.observed,
            actions=actions(state, reader) if reader is not None and reader in to_act else (),
            state={
                "moved": state.moved,
                "tokens": typed(state.tokens, reader, state.outcome is not None),
                "tunnel": reader in state.tunnels if reader else None,
                "observations": state.observations,
                "movements": state.movements,
            },
            private=(TUNNEL_FACT,) if reader else (),
        )

    def quest(self, state: State, seat: int) -> Quest:
        if not state.movements[other(seat) - 1]:
            return NOTHING
        left, covered = (minds[seat - 1].positions() for minds in (state.suspicions, state.rumours))
        return Quest(frozenset(range(len(LINE))), left, covered)

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return counted("Where the other's token could be", moments, self.quest)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        return {}


def token(state: State, seat: int) -> int | None:
    """Where a seat's token is."""
    return state.tokens[seat - 1]


def how_to(state: State, seat: int) -> str:
    """What can be typed now."""
    may = actions(state, seat)
    example = may[0].lines()[0]
    if state.moved:
        return f"You have moved. Now look at a position, for example {example}."
    *verbs, last = (action.verb for action in may)
    return f"First move your token with {', '.join(verbs)} or {last}, for example {example}."


@cache
def reachable(at: int | None) -> tuple[int, ...]:
    """The positions that a plain move of a token may name."""
    return tuple(to for to in range(len(LINE)) if at is None or abs(to - at) <= 1)


def ways_on(state: State, seat: int) -> str:
    """Where a seat's token can go, in words."""
    near = ", ".join(LINE.named(reachable(token(state, seat))))
    anywhere = ", or anywhere with TUNNEL, once" if seat in state.tunnels else ""
    return f"Your token can go to {near}{anywhere}."


def move(state: State, seat: int, to: int) -> Step[State]:
    """Move to a position within reach, or stay."""
    if to not in reachable(token(state, seat)):
        raise illegal(f"That is too far. {ways_on(state, seat)}")
    return moved(state, seat, to)


def tunnel(state: State, seat: int, to: int) -> Step[State]:
    """Move to any position, once."""
    if seat not in state.tunnels:
        raise illegal(f"You have used your tunnel. {ways_on(state, seat)}")
    return moved(replace(state, tunnels=state.tunnels - {seat}), seat, to)


def moved(state: State, seat: int, to: int) -> Step[State]:
    """The movement done: everybody learns that, and nothing more."""
    number, rival = state.movements[seat - 1] + 1, other(seat)
    state = replace(
        state,
        moved=True,
        tokens=with_seat(state.tokens, seat, to),
        movements=with_seat(state.movements, seat, number),
        suspicions=with_seat(state.suspicions, rival, state.suspicions[rival - 1].moved()),
        rumours=with_seat(state.rumours, rival, state.rumours[rival - 1].moved()),
    )
    secret = f"token of {seat}, move {number}"
    return Step(state, (tell.everybody(seat, f"{player(seat)} has moved."),), {secret: LINE.names[to]})


def observe(state: State, seat: int, at: int) -> Step[State]:
    """Look at a position. A collision that the movement made is told only now, and comes before a capture."""
    if at == state.looks[seat - 1]:
        example = LINE.names[0 if at else 1]
        raise illegal(
            f"You observed position {LINE.names[at]} on your last turn. Choose another, for example {example}."
        )
    rival = other(seat)
    there = token(state, rival) == at
    told = (
        tell.everybody(seat, f"{player(seat)} observed position {LINE.names[at]}."),
        tell.table(f"{player(rival)}'s token is {'' if there else 'not '}at position {LINE.names[at]}."),
    )
    latest = (*state.observations, (seat, at + 1))[-OBSERVATIONS_SHOWN:]
    looked: dict[str, Any] = {
        "observations": latest,
        "observed": with_seat(state.observed, seat, (OBSERVED[seat], in_words(latest, seat))),
        "looks": with_seat(state.looks, seat, at),
    }
    if token(state, seat) == token(state, rival):
        text = f"{player(rival)} wins! {player(seat)}'s token destabilized in collision."
        return Step(replace(state, **looked, outcome=Outcome(rival, "collision", text)), told)
    if there:
        text = f"{player(seat)} wins by capturing {player(rival)}'s token!"
        return Step(replace(state, **looked, outcome=Outcome(seat, "capture", text)), told)
    state = replace(state, **looked, **missed(state, seat, at), turn=rival, moved=False)
    return Step(state, (*told, tell.turn(rival)))


def in_words(observations: Sequence[tuple[int, int]], seat: int) -> str:
    """What a seat has observed."""
    return ", ".join([str(at) for looker, at in observations if looker == seat])


def missed(state: State, seat: int, at: int) -> dict[str, tuple[Suspicion, Suspicion]]:
    """What can be thought after a look that found nothing and brought no collision to light."""
    minds, tokens = state.suspicions, state.tokens
    minds = (minds[0].without(tokens[0]), minds[1].without(tokens[1]))
    return {
        "suspicions": with_seat(minds, seat, minds[seat - 1].without(at)),
        "rumours": with_seat(state.rumours, seat, state.rumours[seat - 1].without(at)),
    }


def actions(state: State, seat: int) -> tuple[Action, ...]:
    """What a seat that is to act may type."""
    if state.moved:
        return looks(state.looks[seat - 1])
    return movements(token(state, seat), seat in state.tunnels)


@cache
def looks(last: int | None) -> tuple[Action, ...]:
    """The observations of a seat that looked there last."""
    cells = LINE.named(at for at in range(len(LINE)) if at != last)
    return (Action("OBSERVE", "OBSERVE {cell}", "look whether the other's token is there", cells),)


@cache
def movements(at: int | None, has_tunnel: bool) -> tuple[Action, ...]:
    """The movements of a token that stands there."""
    may = [Action("MOVE", "MOVE {cell}", "move your token in secret", LINE.named(reachable(at)), secret=True)]
    if at is not None:
        may.append(Action("STAY", "STAY", "leave your token where it is", secret=True))
    if has_tunnel:
        may.append(Action("TUNNEL", "TUNNEL {cell}", "move anywhere, once in the game", LINE.names, secret=True))
    return tuple(may)


@cache
def typed(tokens: tuple[int | None, int | None], reader: Reader, over: bool) -> tuple[int | None, ...]:
    """The positions of both tokens as they are typed, as far as a reader may know them."""
    known = (at if over or seat == reader else None for seat, at in zip(SEATS, tokens, strict=True))
    return tuple(None if at is None else at + 1 for at in known)


def drawn(state: State, reader: Reader) -> Board:
    """The line: each one's last look and the own token; at the end both tokens."""
    if state.outcome:
        return opened(*state.tokens)
    return line(state.looks, reader or 1, token(state, reader) if reader else None)


@cache
def line(looks: tuple[int | None, int | None], eyes: int, own: int | None) -> Board:
    """The line while the game lasts, with the eyes of a seat."""
    board = LINE.board("hidden")
    for seat, look in zip(SEATS, looks, strict=True):
        if look is not None:
            board = board.add(look, "x" if seat == eyes else "o", "miss" if seat == eyes else "theirs")
    return board if own is None else board.add_secret(own, "Q", "token")


def opened(one: int | None, two: int | None) -> Board:
    """The line at the end."""
    board = LINE.board("hidden")
    for seat, at in zip(SEATS, (one, two), strict=True):
        if at is not None:
            board = board.put(at, "Q12" if one == two else f"Q{seat}", "both" if one == two else "token")
    return board
