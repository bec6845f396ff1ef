"""No import points from a lower layer to a higher one, and no modules import each other in a circle.

Imports for typing and imports inside functions count like all others.
"""

from collections.abc import Iterator

import pytest

from tests.test_purity import MODULES, imported, run_by

# Each package's layers, the lowest first. Folders of one row don't know each other. A module that lies in the package
# itself is named by its own name.
LAYERS = {
    "gridgames_protocol": [],
    "gridgames_server": [
        ("errors", "values"),
        ("games",),
        ("bots",),
        ("analysis",),
        ("core",),
        ("storage",),
        ("net",),
        ("admin",),
        ("options",),
        ("serve",),
        ("__main__",),
    ],
    "gridgames_client": [("state",), ("render", "net"), ("terminal",), ("options",), ("__main__",)],
}
# Undone one by one.
KNOWN: set[str] = set()
KNOWN_CIRCLES: set[str] = set()


def place_of(module: str) -> tuple[str, str]:
    """The package of a module, and its folder or its own name."""
    package, _, rest = module.partition(".")
    return package, rest.partition(".")[0]


def level_of(module: str) -> int:
    """How high a module's layer is; the package's own `__init__` is below all."""
    package, place = place_of(module)
    return next((level for level, row in enumerate(LAYERS[package]) if place in row), -1)


def edges() -> Iterator[tuple[str, str]]:
    """Every import of one of our modules by another."""
    for module, source in MODULES.items():
        names = imported(module, source)
        for name in names:
            if any(longer.startswith(f"{name}.") and longer in MODULES for longer in names):
                continue  # `from package import module` asks for the module, not for what the package itself holds
            for target in run_by(name, MODULES)[-1:]:
                if target != module:
                    yield module, target


EDGES = sorted(set(edges()))


def points_upwards(module: str, target: str) -> bool:
    """True if an import of the same package goes to a higher layer, or to a neighbour of the same row."""
    package = place_of(module)[0]
    if not LAYERS[package] or package != place_of(target)[0] or place_of(module) == place_of(target):
        return False
    return level_of(module) <= level_of(target)


def test_no_import_points_to_a_higher_layer():
    upwards = {f"{module} -> {target}" for module, target in EDGES if points_upwards(module, target)}
    assert upwards <= KNOWN


def circle_from(start: str, graph: dict[str, set[str]]) -> list[str]:
    """The shortest way from a module back to itself, or nothing."""
    chains, seen = [[start]], set()
    for chain in chains:
        for target in sorted(graph.get(chain[-1], ())):
            if target == start:
                return chain
            if target not in seen:
                seen.add(target)
                chains.append([*chain, target])
    return []


def graph_of(pairs: list[tuple[str, str]]) -> dict[str, set[str]]:
    """The targets of every module."""
    graph: dict[str, set[str]] = {}
    for module, target in pairs:
        graph.setdefault(module, set()).add(target)
    return graph


GRAPH = graph_of(EDGES)


@pytest.mark.parametrize("module", [module for module in MODULES if not module.endswith("__init__")])
def test_no_module_imports_itself_through_others(module):
    circle = circle_from(module, GRAPH)
    assert circle == [] or {name.rpartition(".")[2] for name in circle} <= KNOWN_CIRCLES


def test_every_module_has_a_layer():
    without = [module for module in MODULES if level_of(module) < 0 and "." in place_of(module)[1]]
    placed = {place for rows in LAYERS.values() for row in rows for place in row}
    loose = {place_of(module)[1] for module in MODULES if place_of(module)[0] != "gridgames_protocol"}
    assert without == []
    assert loose - placed == {"__init__"}


@pytest.mark.parametrize(
    ("pairs", "circle"),
    [
        ([("a", "b"), ("b", "a")], ["a", "b"]),
        ([("a", "b"), ("b", "c"), ("c", "a")], ["a", "b", "c"]),
        ([("a", "b"), ("a", "c"), ("b", "c")], []),
    ],
)
def test_a_circle_is_found(pairs, circle):
    assert circle_from("a", graph_of(pairs)) == circle


def test_an_import_upwards_is_found():
    assert points_upwards("gridgames_server.games.grid", "gridgames_server.core.hub")
    assert points_upwards("gridgames_client.net.connection", "gridgames_client.render.board")
    assert not points_upwards("gridgames_server.core.hub", "gridgames_server.games.grid")
    assert not points_upwards("gridgames_server.core.hub", "gridgames_server.core.room")
