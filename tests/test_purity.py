"""The core is pure, and the three packages keep their distance: shown by following every import in the sources."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "gridgames_protocol": ROOT / "protocol",
    "gridgames_server": ROOT / "server",
    "gridgames_client": ROOT / "client",
}
# Every module of these folders is pure. `""` stands for the modules that lie in the package itself. The folders of
# the protocol's package are not: `conform` runs clients, `machine` asks the system.
PURE_FOLDERS = {
    "gridgames_protocol": {""},
    "gridgames_server": {"games", "bots", "analysis", "core"},
    "gridgames_client": {"state", "render"},
}
# What touches the world, or brings in something that does by a name made up at run time.
WORLD = {
    *("asyncio", "socket", "sqlite3", "time", "random", "secrets", "ssl", "threading", "os"),
    *("datetime", "uuid", "select", "selectors", "signal", "subprocess", "multiprocessing", "concurrent", "importlib"),
}
# Which package must not know which.
STRANGERS = {
    "gridgames_protocol": {"gridgames_server", "gridgames_client"},
    "gridgames_server": {"gridgames_client"},
    "gridgames_client": {"gridgames_server"},
}


def sources():
    """Every module of the three packages, by its dotted name; a package has the name that ends in `.__init__`."""
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts): path.read_text(encoding="utf-8")
        for package, folder in PACKAGES.items()
        for path in sorted((folder / package).rglob("*.py"))
    }


@cache
def imported(module, source):
    """Every dotted name that a module may import, wherever in it the import stands."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            around = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*around, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Name) and node.id == "__import__":
            names.append("importlib")
    return names


def run_by(name, modules):
    """The project's modules that run when a dotted name is imported: itself, and the packages that it lies in."""
    parts = name.split(".")
    heads = [".".join(parts[:size]) for size in range(1, len(parts) + 1)]
    return [module for head in heads for module in (head, f"{head}.__init__") if module in modules]


def ways_to(names, start, modules):
    """The ways from a module to the named packages, each as the chain of modules that leads there."""
    chains, seen = [[start]], {start}
    for chain in chains:
        for name in imported(chain[-1], modules[chain[-1]]):
            if name.partition(".")[0] in names:
                yield " -> ".join([*chain, name])
            for module in run_by(name, modules):
                if module not in seen:
                    seen.add(module)
                    chains.append([*chain, module])


MODULES = sources()


def folder_of(module):
    """The folder inside its package that a module lies in."""
    return ".".join(module.split(".")[1:-1])


PURE = [module for module in MODULES if folder_of(module) in PURE_FOLDERS[module.partition(".")[0]]]


@pytest.mark.parametrize("module", PURE)
def test_a_pure_module_does_not_reach_the_world(module):
    assert list(ways_to(WORLD, module, MODULES)) == []


@pytest.mark.parametrize("module", MODULES)
def test_a_package_does_not_know_its_strangers(module):
    assert list(ways_to(STRANGERS[module.partition(".")[0]], module, MODULES)) == []


def test_every_pure_folder_has_modules_that_are_followed():
    found = {(module.partition(".")[0], folder_of(module)) for module in PURE}
    assert found == {(package, folder) for package, folders in PURE_FOLDERS.items() for folder in folders}


BITES = [
    ("import time", "time"),
    ("import os.path as p", "os.path"),
    ("import json, socket", "socket"),
    ("from asyncio import Queue", "asyncio"),
    ("from os import path", "os"),
    ("def now():\n    import time\n    return time.time()", "time"),
    ("class Clock:\n    def now(self):\n        from time import monotonic\n        return monotonic()", "time"),
    ("try:\n    import ssl\nexcept ImportError:\n    ssl = None", "ssl"),
    ("if TYPE_CHECKING:\n    import threading", "threading"),
    ("now = __import__('time').time", "importlib"),
    ("from importlib import import_module", "importlib"),
]


@pytest.mark.parametrize(("source", "name"), BITES)
def test_an_import_is_found_wherever_it_stands(source, name):
    found = list(ways_to(WORLD, "gridgames_server.room", {"gridgames_server.room": source}))
    assert f"gridgames_server.room -> {name}" in found


@pytest.mark.parametrize(
    "source", ["", "import json", "import timeit", "from dataclasses import dataclass", "time = 'os'"]
)
def test_what_only_looks_like_an_import_of_the_world_is_let_be(source):
    assert list(ways_to(WORLD, "gridgames_server.room", {"gridgames_server.room": source})) == []


CHAINS = [
    ("import gridgames_server.clock", "gridgames_server.clock"),
    ("from gridgames_server import clock", "gridgames_server.clock"),
    ("from gridgames_server.clock import now", "gridgames_server.clock"),
    ("from . import clock", "gridgames_server.clock"),
    ("from .clock import now", "gridgames_server.clock"),
    ("from gridgames_server.games import GAMES", "gridgames_server.games.__init__ -> gridgames_server.clock"),
    ("from gridgames_server.games.grid import cell", "gridgames_server.games.__init__ -> gridgames_server.clock"),
]


@pytest.mark.parametrize(("source", "way"), CHAINS)
def test_the_world_is_found_behind_other_modules(source, way):
    modules = {
        "gridgames_server.__init__": "",
        "gridgames_server.room": source,
        "gridgames_server.clock": "from time import monotonic as now",
        "gridgames_server.games.__init__": "from ..clock import now",
        "gridgames_server.games.grid": "import json",
    }
    found = list(ways_to(WORLD, "gridgames_server.room", modules))
    assert f"gridgames_server.room -> {way} -> time" in found


def test_modules_that_import_each_other_are_followed_once():
    modules = {"a.x": "import a.y", "a.y": "import a.x\nimport time"}
    assert list(ways_to({"time"}, "a.x", modules)) == ["a.x -> a.y -> time"]
