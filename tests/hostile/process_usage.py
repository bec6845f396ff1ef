"""What a process takes of the machine, as the system counts it. It is read where Linux shows it."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

MB = 1_000_000


@dataclass(frozen=True)
class ProcessUsage:
    """Bytes of memory now and at the most so far, open files, threads."""

    memory: int
    peak: int
    files: int
    threads: int

    def __str__(self) -> str:
        memory, peak = self.memory / MB, self.peak / MB
        return f"{memory:.1f} MB now, {peak:.1f} MB at the most, {self.files} files, {self.threads} threads"


def measure_process(pid: int) -> ProcessUsage:
    """How a process is."""
    status = Path(f"/proc/{pid}/status").read_text()

    def number(label: str) -> int:
        found = re.search(rf"^{label}:\s+(\d+)", status, re.MULTILINE)
        assert found, label
        return int(found[1])

    files = len(os.listdir(f"/proc/{pid}/fd"))
    return ProcessUsage(1_024 * number("VmRSS"), 1_024 * number("VmHWM"), files, number("Threads"))
