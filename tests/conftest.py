"""What every test may ask for."""

import gc

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite",
        action="store_true",
        help="write the stored vectors, transcripts and screens anew instead of comparing with them; review the diff",
    )
    parser.addoption("--long", action="store_true", help="let tests that can go on for long do so, for minutes")


def pytest_collection_finish() -> None:
    """Take what is there now out of the search for garbage, which `tests.wire.run` makes after every test."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def rewrite(request: pytest.FixtureRequest) -> bool:
    """True where what is stored should be written anew."""
    return bool(request.config.getoption("--rewrite"))


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """True where a test should take its time."""
    return bool(request.config.getoption("--long"))
