"""A sixth game, as a stranger would add one: both hold some pebbles in secret, then guess how many there are in all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gridgames_protocol.views import Action, Card, Review, View
from gridgames_server.errors import illegal, syntax
from gridgames_server.games import narration
from gridgames_server.games.game import Chance, Outcome, Step, choose_prompt, split_verb, with_seat
from gridgames_server.games.grid import Grid
from gridgames_server.games.possibilities import NOTHING, Moment, Possibilities, count_possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player

LINE = Grid(("",), tuple("123456"), "{col}")  # one hand holds 1 to 3 pebbles; both together 2 to 6


@dataclass(frozen=True, repr=False)
class State:
    turn: int
    hands: tuple[int | None, int | None] = (None, None)
    guesses: tuple[int, ...] = ()
    outcome: Outcome | None = None


class Pebbles:
    card = Card(
        slug="pebbles",
        title="Pebbles",
        summary="how many pebbles are there in two hands?",
        edition=1,
        rules="HOLD 1 to 3, then GUESS 2 to 6.",
        assist=True,
    )

    def start(self, chance: Chance, first: int) -> Step[State]:
        return Step(State(first), (narration.announce("Hold 1 to 3 pebbles."),))

    def to_act(self, state: State) -> frozenset[int]:
        return frozenset() if state.outcome else empty_hands(state) or frozenset({state.turn})

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = split_verb(line)
        if verb not in ("HOLD", "GUESS"):
            raise syntax("Type HOLD or GUESS and a number.")
        number = LINE.read(rest) + 1
        if (verb == "HOLD") != bool(empty_hands(state)):
            raise illegal("Hold first, then guess.")
        return hold(state, seat, number) if verb == "HOLD" else guess(state, seat, number)

    def view(self, state: State, reader: Reader) -> View:
        to_act, setup = self.to_act(state), bool(empty_hands(state))
        board = LINE.board("hidden")
        for number in state.guesses:
            board = board.put(number - 1, "x", "miss")
        own = state.hands[reader - 1] if reader else None
        if own:
            board = board.add_secret(own - 1, "H", "mine")
        return View(
            phase="over" if state.outcome else "setup" if setup else "play",
            prompt=choose_prompt(state, to_act, reader, "How many?"),
            board=board,
            facts=(("Guesses", str(len(state.guesses))),),
            actions=(action(state, setup),) if reader in to_act else (),
            state={
                "hands": tuple(
                    h if state.outcome or s == reader else None for s, h in zip(SEATS, state.hands, strict=True)
                )
            },
            seals=f"pebbles of {reader}" if setup and reader in to_act else "",
        )

    def claim(self, state: State, seat: int) -> Outcome | None:
        return None

    def possibilities(self, state: State, seat: int) -> Possibilities:
        own = state.hands[seat - 1]
        if own is None or empty_hands(state):
            return NOTHING
        sums = frozenset(range(2, 7))
        left = sums.intersection(range(own + 1, own + 4)).difference(state.guesses)
        return Possibilities(
            *(frozenset(number - 1 for number in found) for found in (sums, left, sums.difference(state.guesses)))
        )

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return count_possibilities("Numbers of pebbles that were possible", moments, self.possibilities)

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        return {}


def empty_hands(state: State) -> frozenset[int]:
    """The seats that hold nothing yet."""
    return frozenset(seat for seat, hand in zip(SEATS, state.hands, strict=True) if hand is None)


def action(state: State, setup: bool) -> Action:
    """The one thing that may be done."""
    if setup:
        return Action("HOLD", "HOLD {cell}", "hold pebbles", tuple("123"), secret=True)
    free = tuple(str(number) for number in range(2, 7) if number not in state.guesses)
    return Action("GUESS", "GUESS {cell}", "guess how many there are", free)


def hold(state: State, seat: int, number: int) -> Step[State]:
    """Close a hand around some pebbles."""
    if number > 3:
        raise illegal("A hand holds 1 to 3 pebbles.")
    state = replace(state, hands=with_seat(state.hands, seat, number))
    told = (narration.tell_everybody(seat, f"{player(seat)} holds pebbles."),)
    secrets = {f"pebbles of {seat}": str(number)}
    if empty_hands(state):
        return Step(state, told, secrets)
    return Step(state, (*told, narration.BEGIN), secrets, turn=state.turn)


def guess(state: State, seat: int, number: int) -> Step[State]:
    """Guess the number in both hands together."""
    if number in state.guesses or number < 2:
        raise illegal(f"It is not {number}.")
    said = narration.tell_everybody(seat, f"{player(seat)} guessed {number}.")
    one, two = state.hands
    assert one
    assert two
    if one + two == number:
        return Step(replace(state, outcome=Outcome(seat, "guessed", f"{player(seat)} guessed it.")), (said,))
    state = replace(state, guesses=(*state.guesses, number), turn=other(seat))
    return Step(state, (said, narration.announce("No.")), turn=state.turn)
