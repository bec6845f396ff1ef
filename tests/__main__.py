"""All tests: `python -m tests`, with pytest's flags. Two pytest processes share the work, for machines of two cores."""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
# About half of the time. The other process has all the rest.
LONGEST = ("server", "secrecy", "protocol", "oracle", "bench", "hostile")


def main(flags: list[str]) -> int:
    """Run both halves at the same time, print one after the other, and end as the worse of them."""
    parts = [part for part in sorted(HERE.glob("[a-z]*")) if part.is_dir() or part.name.startswith("test_")]
    halves = [[part for part in parts if (part.name in LONGEST) == longest] for longest in (False, True)]
    with tempfile.TemporaryFile() as said:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *flags]
        beside = subprocess.Popen([*command, *map(str, halves[0])], stdout=said, stderr=subprocess.STDOUT)
        code = subprocess.call([*command, *map(str, halves[1])])
        code = max(code, beside.wait())
        said.seek(0)
        sys.stdout.flush()
        sys.stdout.buffer.write(said.read())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
