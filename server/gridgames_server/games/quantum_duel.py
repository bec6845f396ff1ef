"""Quantum Duel: two unseen tokens on a line of seven; move in secret, then look where the other may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

from gridgames_protocol.views import Action, Board, Card, LastCell, LegendEntry, Meter, Review, SecondBoard, View
from gridgames_server.errors import illegal, not_understood
from gridgames_server.games import narration
from gridgames_server.games.game import (
    MARKS,
    Chance,
    Game,
    Moves,
    Outcome,
    Pair,
    Step,
    add_move,
    choose_prompt,
    may_know,
    replace,
    share,
    split_verb,
    with_seat,
)
from gridgames_server.games.grid import Grid
from gridgames_server.games.possibilities import NOTHING, Moment, Possibilities, Suspicion, count_possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player
from gridgames_server.games.turn_diagram import Boards, Trail, TurnDiagram

LINE = Grid(("",), tuple("1234567"), "{col}")
OBSERVATIONS_SHOWN = 12  # the latest of both players; an even number, so a look replaces one of the same seat
LOOKS = TurnDiagram(LINE, OBSERVATIONS_SHOWN)  # the diagram under the line: a row for each look
STEPS_SHOWN = 7  # of each track at the end: a board has at most 12 steps
TUNNEL_FACT = "Your tunnel"
TUNNEL_METER = "Tunnel"
TARGET = "May be at"
PRIVATE = (TUNNEL_FACT, TUNNEL_METER)
OBSERVED = {seat: f"{player(seat)} observed" for seat in SEATS}
TUNNEL = {True: (TUNNEL_FACT, "not used"), False: (TUNNEL_FACT, "used")}
METERS: Mapping[tuple[int, bool], tuple[Meter, ...]] = {
    (seat, unused): ((TUNNEL_METER, seat, int(unused), 1, TUNNEL[unused][1]),)
    for seat in SEATS
    for unused in (True, False)
}
ASK = {
    moved: {seat: f"{player(seat)}, {ask}" for seat in SEATS}
    for moved, ask in ((False, "first move your token in secret:"), (True, "now look: observe a position:"))
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

Who begins looks once before the other's token is on the line, so that first look finds nothing. If your movement puts
both tokens in one position, your token breaks and the other player wins; you learn it after your look. That comes
before a capture.

On the line, Q is your token, x your last look, o the other's. Watchers see x for Player 1, o for Player 2.""",
    assist=True,
    picture=("mmmtmmm", "......1", "..2....", "1......", "....2.."),
    guide=(
        (
            "turn",
            "A turn is a move and then a look. First put your token anywhere: MOVE 4, for example. Nobody sees where.",
        ),
        (
            "MOVE",
            "Now look for their token: OBSERVE 5 asks whether it is at 5. If you find it, you win.",
        ),
        (
            "OBSERVE",
            "Looking is public. Their token may still walk there, but you may not look twice running at one position.",
        ),
        ("wait", "The other player now moves and looks. Do not stand where they are likely to look."),
        (
            "few",
            "Few positions are left for their token. Look at one, and beware: whoever walks into the other's loses.",
        ),
        ("one", "Only one position is left for their token. Do not move onto it: look at it."),
    ),
)

GOALS: Mapping[Reader, str] = {
    **{seat: f"Look where {player(other(seat))}'s token is: you win. Move onto it: you lose." for seat in SEATS},
    None: "Who looks where the other's token is wins. Who moves onto it loses.",
}
LEGEND: Mapping[Reader, tuple[LegendEntry, ...]] = {
    **{
        seat: (("token", seat, "you"), ("miss", seat, "you looked"), ("theirs", other(seat), "they looked"))
        for seat in SEATS
    },
    None: (("miss", 1, "looked"), ("theirs", 2, "looked")),
}

Fact = tuple[str, str]
Tracks = tuple[Pair, ...]


@dataclass(frozen=True, repr=False)
class State:
    turn: int
    moved: bool = False  # the movement of this turn is done, the observation is due
    tokens: Pair = (None, None)  # off the line at first
    tunnels: frozenset[int] = frozenset({1, 2})  # seats that have not used theirs
    movements: tuple[int, int] = (0, 0)
    observations: tuple[tuple[int, int], ...] = ()  # the latest: seat, and position as it is typed
    look_facts: tuple[Fact, Fact] = ((OBSERVED[1], "nothing yet"), (OBSERVED[2], "nothing yet"))  # the same as text
    looks: Pair = (None, None)  # each seat's last look
    suspicions: tuple[Suspicion, Suspicion] = (Suspicion(), Suspicion())  # what each seat knows about the other's token
    public_suspicions: tuple[Suspicion, Suspicion] = (Suspicion(), Suspicion())  # without what the own token rules out
    tracks: Tracks = ()  # both tokens at each of the observations
    diagrams: Boards = field(default_factory=lambda: dict.fromkeys(SEATS, LOOKS.blank))  # of each seat
    moves: Moves = ()
    last: tuple[LastCell, ...] = ()
    outcome: Outcome | None = None


class QuantumDuel(Game[State]):
    card = CARD

    def start(self, chance: Chance, first: int) -> Step[State]:
        return Step(State(first), turn=first)

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        verb, rest = split_verb(line)
        if verb not in ("MOVE", "STAY", "TUNNEL", "OBSERVE") or (verb == "STAY" and rest):
            raise not_understood(explain_lines(state, seat))
        position = state.tokens[seat - 1] if verb == "STAY" else LINE.read(rest)
        if (verb == "OBSERVE") != state.moved:
            raise illegal(explain_lines(state, seat))
        if position is None:
            raise illegal("Your token is not on the line yet. Put it somewhere first, for example MOVE 4.")
        if verb == "OBSERVE":
            return observe(state, seat, position)
        return tunnel(state, seat, position) if verb == "TUNNEL" else move(state, seat, position)

    def view(self, state: State, reader: Reader) -> View:
        to_act = self.to_act(state)
        return View(
            phase="over" if state.outcome else "play",
            prompt=choose_prompt(state, to_act, reader, ASK[state.moved][state.turn]),
            board=draw_board(state, reader),
            facts=(*state.look_facts, TUNNEL[reader in state.tunnels]) if reader else state.look_facts,
            actions=list_actions(state, reader) if reader is not None and reader in to_act else (),
            state={
                "moved": state.moved,
                "tokens": name_tokens(state, reader),
                "tunnel": reader in state.tunnels if reader else None,
                "observations": state.observations,
                "movements": state.movements,
            },
            private=PRIVATE if reader else (),
            goal=GOALS[reader],
            legend=LEGEND[reader],
            meters=METERS[reader, reader in state.tunnels] if reader else (),
            moves=state.moves,
            last=state.last,
            boards=draw_looks(state, reader) if state.observations else (),
            seals=name_movement(state, reader) if reader is not None and reader in to_act and not state.moved else "",
        )

    def possibilities(self, state: State, seat: int) -> Possibilities:
        if not state.movements[other(seat) - 1]:
            return NOTHING
        left, covered = (minds[seat - 1].positions() for minds in (state.suspicions, state.public_suspicions))
        return Possibilities(frozenset(range(len(LINE))), left, covered, TARGET)

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        return count_possibilities("Where the other's token could be", moments, self.possibilities)


def explain_lines(state: State, seat: int) -> str:
    """Return a sentence about what can be typed now. It is shown on a covered screen too: no token, no tunnel in it."""
    if state.moved:
        return f"You have moved. Now look at a position, for example {list_actions(state, seat)[0].lines()[0]}."
    if state.tokens[seat - 1] is None:
        return "First put your token anywhere on the line, for example MOVE 4."
    return "First move your token: MOVE and a position beside it, STAY, or TUNNEL and any position, once in the game."


@cache
def find_reachable(at: int | None) -> tuple[int, ...]:
    """Return the positions that a token can reach with MOVE."""
    return tuple(to for to in range(len(LINE)) if at is None or abs(to - at) <= 1)


def describe_reach(state: State, seat: int) -> str:
    """Return a sentence about where a seat's token can go."""
    near = ", ".join(LINE.name_cells(find_reachable(state.tokens[seat - 1])))
    anywhere = ", or anywhere with TUNNEL, once" if seat in state.tunnels else ""
    return f"Your token can go to {near}{anywhere}."


def move(state: State, seat: int, to: int) -> Step[State]:
    """Move to a position within reach, or stay."""
    if to not in find_reachable(state.tokens[seat - 1]):
        raise illegal(f"That is too far. {describe_reach(state, seat)}")
    return finish_movement(state, seat, to)


def tunnel(state: State, seat: int, to: int) -> Step[State]:
    """Move to any position, once."""
    if seat not in state.tunnels:
        raise illegal(f"You have used your tunnel. {describe_reach(state, seat)}")
    return finish_movement(replace(state, tunnels=state.tunnels - {seat}), seat, to)


def name_movement(state: State, seat: int) -> str:
    """Return the name under which a seat's next movement is sealed."""
    return f"token of {seat}, move {state.movements[seat - 1] + 1}"


def finish_movement(state: State, seat: int, to: int) -> Step[State]:
    """Put the token on a position. Everybody is told only that it has moved."""
    secret, rival = name_movement(state, seat), other(seat)
    state = replace(
        state,
        moved=True,
        tokens=PAIRS[with_seat(state.tokens, seat, to)],
        movements=with_seat(state.movements, seat, state.movements[seat - 1] + 1),
        suspicions=with_seat(state.suspicions, rival, state.suspicions[rival - 1].after_movement()),
        public_suspicions=with_seat(
            state.public_suspicions, rival, state.public_suspicions[rival - 1].after_movement()
        ),
    )
    return Step(state, (narration.tell_everybody(seat, f"{player(seat)} has moved."),), {secret: LINE.names[to]})


def observe(state: State, seat: int, at: int) -> Step[State]:
    """Look at a position. A collision by the movement is announced only now, and counts before a capture."""
    if at == state.looks[seat - 1]:
        example = LINE.names[0 if at else 1]
        raise illegal(
            f"You observed position {LINE.names[at]} on your last turn. Choose another, for example {example}."
        )
    rival = other(seat)
    there = state.tokens[rival - 1] == at
    told = (
        narration.tell_everybody(seat, f"{player(seat)} observed position {LINE.names[at]}."),
        narration.announce(f"{player(rival)}'s token is {'' if there else 'not '}at position {LINE.names[at]}."),
    )
    latest = (*state.observations, share((seat, at + 1)))[-OBSERVATIONS_SHOWN:]
    tracks = (*state.tracks, state.tokens)[-OBSERVATIONS_SHOWN:]
    positions = ", ".join([str(look) for looker, look in latest if looker == seat])
    looked: dict[str, Any] = {
        "observations": latest,
        "look_facts": with_seat(state.look_facts, seat, (OBSERVED[seat], positions)),
        "looks": with_seat(state.looks, seat, at),
        "tracks": tracks,
        "diagrams": draw_look(state, seat, at, "yes" if there else "no", tracks),
        "moves": add_move(state.moves, (seat, LINE.names[at], *(("yes", "good") if there else ("no", "miss")))),
        "last": ((seat, 0, LINE.names[at]),),
    }
    if state.tokens[seat - 1] == state.tokens[rival - 1]:
        text = f"{player(rival)} wins! {player(seat)}'s token destabilized in collision."
        met = f"{player(seat)} had moved onto {player(rival)}'s token. This counts before the look."
        return Step(
            replace(state, **looked, outcome=Outcome(rival, "collision", text)), (*told, narration.announce(met))
        )
    if there:
        text = f"{player(seat)} wins by capturing {player(rival)}'s token!"
        return Step(replace(state, **looked, outcome=Outcome(seat, "capture", text)), told)
    state = replace(state, **looked, **rule_out_look(state, seat, at), turn=rival, moved=False)
    return Step(state, told, turn=rival)


def rule_out_look(state: State, seat: int, at: int) -> dict[str, tuple[Suspicion, Suspicion]]:
    """Update what each seat knows after a look that found nothing and revealed no collision."""
    minds, tokens = state.suspicions, state.tokens
    minds = (minds[0].without(tokens[0]), minds[1].without(tokens[1]))
    return {
        "suspicions": with_seat(minds, seat, minds[seat - 1].without(at)),
        "public_suspicions": with_seat(state.public_suspicions, seat, state.public_suspicions[seat - 1].without(at)),
    }


def list_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Return the actions of a seat that is to act."""
    if state.moved:
        return list_looks(state.looks[seat - 1], state.movements[other(seat) - 1] > 0)
    return MOVEMENTS[state.tokens[seat - 1], seat in state.tunnels, state.movements[other(seat) - 1] > 0]


OBSERVE_TELLS = {  # by whether the other's token is on the line
    True: "you win if their token is there, unless you are too",
    False: "nothing this time, as their token is not on the line yet",
}
MOVED = "the other learns only that you moved"
MOVE_TELLS = f"one step, or none; {MOVED}"
PLACE_TELLS = {  # by whether the other's token is on the line
    True: "puts it anywhere this first time; if their token is there, you lose",
    False: f"puts it anywhere this first time; {MOVED}",
}
STAY_TELLS = "keeps your place; the other learns only that your move is done"
# The same in the whole game: a client that covers the tunnel shows this after the tunnel is used up, too.
TUNNEL_TELLS = "jumps anywhere, once in the game"


@cache
def list_looks(last: int | None, is_there: bool) -> tuple[Action, ...]:
    """Return the observations of a seat whose last look was at `last`."""
    cells, text = (
        LINE.name_cells(at for at in range(len(LINE)) if at != last),
        "look whether the other's token is there",
    )
    return (Action("OBSERVE", "OBSERVE {cell}", text, cells, tells=OBSERVE_TELLS[is_there]),)


def list_movements(at: int | None, has_tunnel: bool, is_there: bool) -> tuple[Action, ...]:
    """Return the movements of a token at a position. `is_there`: the other's token is on the line."""
    cells, placed = LINE.name_cells(find_reachable(at)), at is not None
    text, tells = "move your token in secret", MOVE_TELLS if placed else PLACE_TELLS[is_there]
    may = [Action("MOVE", "MOVE {cell}", text, cells, secret=True, tells=tells, private=placed)]
    if placed:
        may.append(Action("STAY", "STAY", "leave your token where it is", secret=True, tells=STAY_TELLS))
    # Listed without cells when it is used up, which is the seat's own secret: it is covered with the cells.
    text, cells = "move anywhere, once in the game", LINE.names if has_tunnel else ()
    may.append(Action("TUNNEL", "TUNNEL {cell}", text, cells, secret=True, tells=TUNNEL_TELLS, private=True))
    return tuple(may)


PLACES = (None, *range(len(LINE)))  # of a token
# Filled for all secrets in advance: the time of an answer must not reveal what is in the cache.
MOVEMENTS = {key: list_movements(*key) for key in product(PLACES, (False, True), (False, True))}
PAIRS = {pair: pair for pair in product(PLACES, PLACES)}  # of both tokens: all rooms have them in common
TYPED = {at: None if at is None else at + 1 for at in PLACES}


def name_tokens(state: State, reader: Reader) -> Pair:
    """Return the positions of both tokens as they are typed. None: the reader may not know it."""
    one, two = (TYPED[at] for at in state.tokens)
    return one if may_know(state, reader, 1) else None, two if may_know(state, reader, 2) else None


def draw_board(state: State, reader: Reader) -> Board:
    """Return the line with both last looks and the own token, at the end with both tokens."""
    if state.outcome:
        return draw_open_line(*state.tokens)
    board, own = draw_last_looks(state.looks, reader or 1), state.tokens[reader - 1] if reader else None
    return board if own is None else board.add_secret(own, "Q", "token")


@cache
def draw_last_looks(looks: Pair, eyes: int) -> Board:
    """Return the line without tokens, as a seat sees the looks. A corner says whose look it was."""
    board, corners = LINE.board("hidden"), [""] * len(LINE)
    for seat, look in zip(SEATS, looks, strict=True):
        if look is not None:
            board = board.add(look, "x" if seat == eyes else "o", "miss" if seat == eyes else "theirs")
            corners[look] = MARKS[seat]
    if looks[0] == looks[1] or not any(corners):
        return board
    return Board(board.frame, board.texts, board.kinds, corners=tuple(corners))


def draw_open_line(one: int | None, two: int | None) -> Board:
    """Return the line at the end, with both tokens."""
    board = LINE.board("hidden")
    for seat, at in zip(SEATS, (one, two), strict=True):
        if at is not None:
            board = board.put(at, "Q12" if one == two else f"Q{seat}", "both" if one == two else "token")
    return board


def draw_looks(state: State, reader: Reader) -> tuple[SecondBoard, ...]:
    """Return the diagram for a reader: with the track of the own token, at the end of both tokens."""
    board = state.diagrams[reader or 1]
    if state.outcome or reader is None:
        steps = [list_steps(seat, state.tracks[-STEPS_SHOWN:]) for seat in SEATS] if state.outcome else []
        board = LOOKS.set_trail(board, sum(steps, ()))
    return (SecondBoard("Looks", "under", board),)


def draw_look(state: State, seat: int, at: int, answer: str, tracks: Tracks) -> Boards:
    """Return both seats' diagrams after a look. Each shows its own token's track, which is hidden together with it."""
    return LOOKS.add_row(state.diagrams, seat, at, answer, {eyes: list_steps(eyes, tracks) for eyes in SEATS})


def list_steps(seat: int, tracks: Tracks) -> Trail:
    """Return the steps of a seat's token between the looks."""
    return LOOKS.list_steps(seat, [tokens[seat - 1] for tokens in tracks])
