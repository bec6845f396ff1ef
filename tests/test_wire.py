"""What runs the stories of the other tests notices what goes wrong behind their backs."""

import asyncio
import gc

import pytest

from tests.wire import run, turn


def stumble():
    raise ZeroDivisionError("in the dark")


async def fail():
    stumble()


def test_an_exception_in_a_callback_fails_a_story():
    async def scenario():
        asyncio.get_running_loop().call_soon(stumble)
        await turn()

    with pytest.raises(AssertionError, match="in the dark"):
        run(scenario())


def test_an_exception_that_nobody_asks_for_fails_a_story():
    async def scenario():
        lost = asyncio.create_task(fail())
        await turn()
        del lost

    with pytest.raises(AssertionError, match="never retrieved"):
        run(scenario())


def test_a_task_that_is_lost_fails_a_story():
    async def wait_for(nothing):
        await nothing

    async def scenario():
        nothing = asyncio.get_running_loop().create_future()  # the task and what it waits for hold only each other
        lost = asyncio.create_task(wait_for(nothing))
        await turn()
        del nothing, lost
        gc.collect()

    with pytest.raises(AssertionError, match="destroyed but it is pending"):
        run(scenario())


def test_a_task_that_is_left_fails_a_story():
    async def scenario():
        asyncio.get_running_loop().waits = asyncio.create_task(asyncio.Event().wait())

    with pytest.raises(TimeoutError):
        run(scenario(), within=0.05)


def test_a_story_that_waits_for_what_never_comes_fails():
    with pytest.raises(TimeoutError):
        run(asyncio.Event().wait(), within=0.05)
