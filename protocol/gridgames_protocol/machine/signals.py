"""Calls a function when a signal arrives, on every system."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterable


def call_on_signals(names: Iterable[str], call: Callable[[], object]) -> None:
    """Call a function on the event loop when one of these signals arrives. Signals that the system lacks are skipped.

    Windows has no `add_signal_handler`. There a plain signal handler schedules the call on the loop.
    """
    loop = asyncio.get_running_loop()
    for name in names:
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, call)
        except (NotImplementedError, AttributeError):
            with contextlib.suppress(ValueError, OSError):  # not in the main thread, or not for this signal
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))


def stop_calling(names: Iterable[str]) -> None:
    """Let these signals do again what they do by default."""
    loop = asyncio.get_running_loop()
    for name in names:
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.remove_signal_handler(number)
        except (NotImplementedError, AttributeError):
            with contextlib.suppress(ValueError, OSError):
                signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)
