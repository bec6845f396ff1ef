"""Games that leak, each in one small way that a careless change could bring in: what the twins must find."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gridgames_protocol.views import View
from gridgames_server.errors import Refusal, illegal
from gridgames_server.games import grid_conquest, grid_hunt, quantum_duel, secret_paths, treasure_hunt_duel
from gridgames_server.games.game import Game, Step
from gridgames_server.games.grid_conquest import GridConquest
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.narration import EVERYBODY, Announcement, announce
from gridgames_server.games.possibilities import Possibilities, shade_ruled_out
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.seats import SEATS, Reader, other
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel
from tests.sixth_game import Pebbles


def rivals(pair: tuple[int | None, int | None], reader: Reader) -> int:
    """What the reader's rival keeps secret, as a number; a watcher's rival is seat 2."""
    return pair[other(reader or 1) - 1] or 0


class RefusalTellsTheTreasure(TreasureHuntDuel):
    def play(self, state: treasure_hunt_duel.State, seat: int, line: str) -> Step[Any]:
        try:
            return super().play(state, seat, line)
        except Refusal as refusal:
            half = "upper" if state.treasure < 13 else "lower"
            raise Refusal(refusal.code, f"{refusal.text} Try the {half} half.") from None


class HintForEverybody(TreasureHuntDuel):
    def play(self, state: treasure_hunt_duel.State, seat: int, line: str) -> Step[Any]:
        step = super().play(state, seat, line)
        return replace(
            step, announcements=tuple(replace(announcement, readers=EVERYBODY) for announcement in step.announcements)
        )


class PaddingByTreasure(TreasureHuntDuel):
    def view(self, state: treasure_hunt_duel.State, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, state={**view.state, "padding": b"\0" * (state.treasure % 2)})


class WatchersSeeHints(TreasureHuntDuel):
    def view(self, state: treasure_hunt_duel.State, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, board=super().view(state, 1).board) if reader is None else view


class ActionsBeginWithTheTreasure(GridHunt):
    def view(self, state: grid_hunt.State, reader: Reader) -> View:
        view = super().view(state, reader)
        turned = rivals(state.treasures, reader)
        actions = tuple(
            replace(action, cells=(*action.cells[turned:], *action.cells[:turned])) if action.cells else action
            for action in view.actions
        )
        return replace(view, actions=actions)


class KindOfTheTreasuresCell(GridHunt):
    def view(self, state: grid_hunt.State, reader: Reader) -> View:
        view = super().view(state, reader)
        kinds = list(view.board.kinds)
        kinds[rivals(state.treasures, reader)] = "empty"
        return replace(view, board=replace(view.board, kinds=tuple(kinds)))


class MaskOverTheTreasure(GridHunt):
    def view(self, state: grid_hunt.State, reader: Reader) -> View:
        view = super().view(state, reader)
        mask = (view.board.names[rivals(state.treasures, reader)], "", "hidden")
        return replace(view, board=replace(view.board, masks=(*view.board.masks, mask)))


class OrderOfTheMap(GridHunt):
    def view(self, state: grid_hunt.State, reader: Reader) -> View:
        view = super().view(state, reader)
        keys = sorted(view.state, reverse=rivals(state.treasures, reader) > 12)
        return replace(view, state={key: view.state[key] for key in keys})


class NoHidingWhereTheOtherDid(GridHunt):
    def play(self, state: grid_hunt.State, seat: int, line: str) -> Step[Any]:
        step = super().play(state, seat, line)
        if step.state.treasures[0] == step.state.treasures[1] is not None:
            raise illegal("Hide it elsewhere.")
        return step


class KindOfAFive(GridConquest):
    def view(self, state: grid_conquest.State, reader: Reader) -> View:
        view = super().view(state, reader)
        kinds = tuple(
            "empty" if kind == "hidden" and value == 5 else kind
            for kind, value in zip(view.board.kinds, state.values, strict=True)
        )
        return replace(view, board=replace(view.board, kinds=kinds))


class SumOfTheRestLateInTheGame(GridConquest):
    def view(self, state: grid_conquest.State, reader: Reader) -> View:
        view = super().view(state, reader)
        rest = sum(state.values[grid_conquest.GRID.cells[name]] for name in state.left)
        late = len(state.left) <= 18
        return replace(view, facts=(*view.facts, ("Left", str(rest)))) if late else view


class TunnelsLeft(QuantumDuel):
    def view(self, state: quantum_duel.State, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, state={**view.state, "tunnels": len(state.tunnels)})


class EventsTurnedAroundAfterATunnel(QuantumDuel):
    def play(self, state: quantum_duel.State, seat: int, line: str) -> Step[Any]:
        step = super().play(state, seat, line)
        return step if seat in state.tunnels else replace(step, announcements=step.announcements[::-1])


class OneEventMoreForAStep(QuantumDuel):
    def play(self, state: quantum_duel.State, seat: int, line: str) -> Step[Any]:
        step = super().play(state, seat, line)
        walked = state.tokens != step.state.tokens and None not in state.tokens
        return replace(step, announcements=(*step.announcements, announce(""))) if walked else step


class NothingSealedByAStay(QuantumDuel):
    def play(self, state: quantum_duel.State, seat: int, line: str) -> Step[Any]:
        step = super().play(state, seat, line)
        return replace(step, secrets=None) if line.strip().upper() == "STAY" else step


class OneForTrue(QuantumDuel):
    def view(self, state: quantum_duel.State, reader: Reader) -> View:
        view = super().view(state, reader)
        odd = rivals(state.tokens, reader) % 2
        return replace(view, state={**view.state, "moved": int(state.moved) if odd else state.moved})


class CollisionToldBeforeTheLook(QuantumDuel):
    def view(self, state: quantum_duel.State, reader: Reader) -> View:
        view = super().view(state, reader)
        one, two = state.tokens
        return replace(view, prompt="Crash!") if one == two is not None and not state.outcome else view


class TraceOfARefusedLine(QuantumDuel):
    def play(self, state: quantum_duel.State, seat: int, line: str) -> Step[Any]:
        try:
            return super().play(state, seat, line)
        except Refusal as refusal:
            return Step(state, foul=refusal)


class FactAboutTheGoal(SecretPaths):
    def view(self, state: secret_paths.State, reader: Reader) -> View:
        view = super().view(state, reader)
        near = [goal for goal in state.goals if goal in secret_paths.GRID.neighbours(state.seeker)]
        return replace(view, facts=(*view.facts, ("A goal is near", "yes" if near else "no")))


class PromptKnowsTheGoal(SecretPaths):
    def view(self, state: secret_paths.State, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, prompt=view.prompt.rstrip(".:") if rivals(state.goals, reader) % 2 else view.prompt)


class ClaimableByTheGoal(SecretPaths):
    def view(self, state: secret_paths.State, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, claimable=view.claimable and rivals(state.goals, reader) % 5 > 0)


class CodeOfTheRefusal(SecretPaths):
    def play(self, state: secret_paths.State, seat: int, line: str) -> Step[Any]:
        try:
            return super().play(state, seat, line)
        except Refusal as refusal:
            raise Refusal("illegal" if rivals(state.goals, seat) % 2 else "syntax", refusal.text) from None


class OnePebble(Pebbles):
    def play(self, state: Any, seat: int, line: str) -> Step[Any]:
        step = super().play(state, seat, line)
        said, *more = step.announcements
        event = replace(said.event, text=said.event.text.replace("holds pebbles", "holds a pebble"))
        return (
            replace(step, announcements=(Announcement(event, said.readers), *more))
            if "1" in (step.secrets or {}).values()
            else step
        )


class AssistKnowsTheTruth(GridHunt):
    def possibilities(self, state: grid_hunt.State, seat: int) -> Possibilities:
        found, truth = super().possibilities(state, seat), rivals(state.treasures, seat)
        near = {cell for cell in found.left if grid_hunt.GRID.distance(cell, truth) < 6}
        return replace(found, left=frozenset(near))


class AssistByTheHintsOfBoth(TreasureHuntDuel):
    def possibilities(self, state: treasure_hunt_duel.State, seat: int) -> Possibilities:
        one, two = (treasure_hunt_duel.find_possible_cells(state, hunter) for hunter in SEATS)
        return replace(super().possibilities(state, seat), left=one & two)


class AssistKnowsTheTunnel(QuantumDuel):
    def possibilities(self, state: quantum_duel.State, seat: int) -> Possibilities:
        found, mind = super().possibilities(state, seat), state.suspicions[seat - 1]
        sure = mind._replace(spent=0) if other(seat) in state.tunnels else mind._replace(fresh=0)
        return replace(found, left=found.left & sure.positions())


class AssistKeepsTheGoal(SecretPaths):
    def possibilities(self, state: secret_paths.State, seat: int) -> Possibilities:
        found = super().possibilities(state, seat)
        goal = frozenset({rivals(state.goals, seat)})
        return replace(found, left=goal) if len(found.left) == 3 else found


class WatchersAreAssisted(TreasureHuntDuel):
    def view(self, state: treasure_hunt_duel.State, reader: Reader) -> View:
        view = super().view(state, reader)
        return (
            replace(view, board=shade_ruled_out(view.board, self.possibilities(state, 1))) if reader is None else view
        )


LEAKS: Mapping[str, Game[Any]] = {
    "an error text": RefusalTellsTheTreasure(),
    "a hint told to everybody": HintForEverybody(),
    "the size alone": PaddingByTreasure(),
    "a watcher's board": WatchersSeeHints(),
    "the order of an action's cells": ActionsBeginWithTheTreasure(),
    "the kind of one cell": KindOfTheTreasuresCell(),
    "a mask that changes nothing": MaskOverTheTreasure(),
    "the order of a map's keys": OrderOfTheMap(),
    "a choice refused for the other's": NoHidingWhereTheOtherDid(),
    "the kind of a hidden five": KindOfAFive(),
    "a sum, late in the game": SumOfTheRestLateInTheGame(),
    "a tunnel flag": TunnelsLeft(),
    "the order of events": EventsTurnedAroundAfterATunnel(),
    "the number of events": OneEventMoreForAStep(),
    "a commitment that is not made": NothingSealedByAStay(),
    "1 in place of true": OneForTrue(),
    "a collision before its time": CollisionToldBeforeTheLook(),
    "a trace of a refused line": TraceOfARefusedLine(),
    "a fact": FactAboutTheGoal(),
    "the end of the prompt": PromptKnowsTheGoal(),
    "a claim that is not offered": ClaimableByTheGoal(),
    "the code of a refusal": CodeOfTheRefusal(),
    "one word of an event": OnePebble(),
    "an assist that knows the treasure": AssistKnowsTheTruth(),
    "an assist by the other's hints": AssistByTheHintsOfBoth(),
    "an assist that knows of a tunnel": AssistKnowsTheTunnel(),
    "an assist that keeps the goal": AssistKeepsTheGoal(),
    "an assist for watchers": WatchersAreAssisted(),
}
