"""What is handed out: one version in one place, both programs say it, and the source archive has all that it needs."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from gridgames_protocol.version import VERSION
from tests.client.pseudo_terminal import PROGRAMS
from tests.wire import environment

TOP = Path(__file__).parents[1]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))


@pytest.mark.parametrize("program", ["gridgames-server", "gridgames-client"])
def test_a_program_says_the_version_of_the_project(program):
    said = subprocess.run([PROGRAMS / program, "--version"], capture_output=True, text=True, env=environment())
    assert (said.returncode, said.stdout, said.stderr) == (0, f"gridgames {VERSION}\n", "")


def test_the_version_stands_in_one_module_that_the_build_reads():
    modules = [path for folder in ("server", "client", "protocol") for path in (TOP / folder).rglob("*.py")]
    assert modules
    assert [path for path in modules if f'"{VERSION}"' in path.read_text("utf-8")] == [
        TOP / PROJECT["tool"]["hatch"]["version"]["path"]
    ]


def test_the_change_log_tells_of_this_version():
    assert re.search(rf"^## {re.escape(VERSION)}\b", (TOP / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)


def test_the_source_archive_has_everything_that_is_named_and_all_that_tests_read():
    named = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for path in named:
        assert (TOP / path.lstrip("/")).exists(), path
    assert {"/server", "/client", "/protocol", "/tests", "/deploy", "/README.md", "/CHANGELOG.md"} <= set(named)


def test_runtime_packages_are_the_two_that_were_agreed_on():
    needed = {re.match(r"[\w-]+", line)[0] for line in PROJECT["project"]["dependencies"]}
    assert needed == {"msgpack", "prompt_toolkit"}
    assert PROJECT["project"]["optional-dependencies"] == {"test": ["pytest"]}
