"""Grades a client: `python -m gridgames_protocol.conform CLIENT...`."""

import argparse
import sys
from collections.abc import Sequence

from gridgames_protocol.conform.checks import CHECKS, Check
from gridgames_protocol.conform.stage import Failure, Stage
from gridgames_protocol.machine.output import Parser, print_line

FAILED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every check, and print the grades as a table."""
    parser = Parser(
        "python -m gridgames_protocol.conform",
        description="Run a scripted server against a client, and grade what the client does.",
        epilog="The address of the server takes the place of {address}, or of {host} and {port}, or is added at the "
        "end. The moves of a client for people are typed into its standard input. "
        "Exit code: 0 if every must is passed, 1 if not.",
    )
    parser.add_argument("--patience", type=float, default=10.0, help="seconds to wait for a client (default: 10)")
    parser.add_argument("client", nargs=argparse.REMAINDER, metavar="CLIENT", help="the client and its arguments")
    options = parser.parse_args(arguments)
    if not options.client:
        parser.error("the following arguments are required: CLIENT")
    failed = False
    for check in CHECKS:
        fault = grade(check, options.client, options.patience)
        failed |= check.must and bool(fault)
        print_line(f"{'must  ' if check.must else 'should'}  {'FAIL' if fault else 'pass'}  {check.name}")
        if fault:
            print_line(f"              {fault}")
    return FAILED if failed else 0


def grade(check: Check, client: Sequence[str], patience: float) -> str:
    """Run one check. Return what is wrong with the client, or ""."""
    stage = Stage(client, patience)
    try:
        check.run(stage)
    except Failure as failure:
        return str(failure)
    finally:
        stage.close()
    return ""


if __name__ == "__main__":
    sys.exit(main())
