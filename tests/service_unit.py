"""Runs a program under the restrictions of `deploy/gridgames.service`, without systemd.

    python tests/service_unit.py FOLDER PROGRAM ARGUMENTS

FOLDER is the only place that the program may write to, as StateDirectory= is. What this machine can't restrict is left
out; `list_restrictions` tells what is applied. The program keeps its user, and sees /home and /tmp, since it may be
installed there.
"""

import ctypes
import ctypes.util
import errno
import os
import resource
import shutil
import socket
import subprocess
import sys
from pathlib import Path

UNIT = Path(__file__).parents[1] / "deploy" / "gridgames.service"

# <linux/prctl.h>, <sched.h>, <sys/mount.h>
DROP_CAPABILITY, NO_NEW_PRIVILEGES = 24, 38
NEW_MOUNTS = 0x20000
READ_ONLY, NO_SUID, NO_DEVICES, NO_PROGRAMS, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
CAPABILITIES = 64
# <seccomp.h>
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
EQUAL, ABOVE, MASKED = 4, 6, 7
FAMILIES = 64  # more than Linux has
WRITE, EXECUTE = 2, 4  # <sys/mman.h>


class Comparison(ctypes.Structure):
    """An argument of a system call, compared with a number."""

    _fields_ = (("argument", ctypes.c_uint), ("how", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def read_settings(section):
    """The settings of one section of the unit, in order."""
    part = UNIT.read_text("utf-8").split(f"[{section}]\n")[1].split("\n[")[0]
    return [tuple(line.split("=", 1)) for line in part.splitlines() if line and not line.startswith("#")]


def find_seccomp():
    """The library that makes filters for system calls, or None. systemd itself needs it."""
    name = ctypes.util.find_library("seccomp") if sys.platform == "linux" else None
    if name is None:
        return None
    library = ctypes.CDLL(name)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_load.argtypes = (ctypes.c_void_p,)
    library.seccomp_rule_add_array.argtypes = (
        *(ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint),
        ctypes.POINTER(Comparison),
    )
    return library


def can_mount():
    """True if this user can mount /proc and make the root read-only, in a place of its own."""
    tried = "mount -t proc -o subset=pid,hidepid=invisible proc /proc && mount -o remount,bind,ro /"
    return (
        bool(shutil.which("unshare"))
        and not subprocess.run(["unshare", "-m", "sh", "-c", tried], stderr=subprocess.DEVNULL).returncode
    )


def list_restrictions():
    """What this machine can apply of the unit."""
    found = ["UMask", "LimitNOFILE"]
    if sys.platform == "linux":
        found += ["NoNewPrivileges"]
        found += ["CapabilityBoundingSet", "ProtectSystem", "ProcSubset"] if can_mount() else []
    if find_seccomp():
        found += ["RestrictAddressFamilies", "MemoryDenyWriteExecute"]
        found += ["SystemCallFilter"] if shutil.which("systemd-analyze") else []
    return found


def expand(group):
    """The system calls of a group such as @system-service, as systemd knows them."""
    if not group.startswith("@"):
        return {group}
    told = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True)
    members = [line.strip() for line in told.stdout.splitlines()[1:] if line.startswith("    ")]
    return {call for member in members if not member.startswith("#") for call in expand(member)}


def allowed_calls(filters):
    """The system calls that a list of SystemCallFilter= settings allows."""
    calls = set()
    for line in filters:
        named = {call for group in line.lstrip("~").split() for call in expand(group)}
        calls = calls - named if line.startswith("~") else calls | named
    return calls


class Filter:
    """A filter for system calls that is applied to this process and to what it starts."""

    def __init__(self, library, default):
        self.library, self.filter = library, library.seccomp_init(default)

    def add(self, action, call, *comparisons):
        """Add a rule. A call that this machine does not have needs none."""
        number = self.library.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:
            rules = (Comparison * len(comparisons))(*comparisons)
            assert self.library.seccomp_rule_add_array(self.filter, action, number, len(comparisons), rules) == 0, call

    def load(self):
        assert self.library.seccomp_load(self.filter) == 0


def filter_calls(library, settings, applied):
    """Allow only the system calls of the unit."""
    named = dict(settings)
    refused = Filter(library, ALLOW)
    families = {getattr(socket, name) for name in named["RestrictAddressFamilies"].split()}
    for family in set(range(FAMILIES)) - families:
        refused.add(REFUSE | errno.EAFNOSUPPORT, "socket", Comparison(0, EQUAL, family, 0))
    refused.add(REFUSE | errno.EAFNOSUPPORT, "socket", Comparison(0, ABOVE, FAMILIES - 1, 0))
    assert named["MemoryDenyWriteExecute"] == "yes"
    refused.add(REFUSE | errno.EPERM, "mmap", Comparison(2, MASKED, WRITE | EXECUTE, WRITE | EXECUTE))
    for call in ("mprotect", "pkey_mprotect"):
        refused.add(REFUSE | errno.EPERM, call, Comparison(2, MASKED, EXECUTE, EXECUTE))
    refused.load()
    if "SystemCallFilter" in applied:
        usual = Filter(library, REFUSE | getattr(errno, named["SystemCallErrorNumber"]))
        for call in allowed_calls([value for name, value in settings if name == "SystemCallFilter"]):
            usual.add(ALLOW, call)
        usual.load()


def protect_files(libc, folder):
    """Make everything but a folder read-only, and hide all but processes in /proc."""

    def mount(source, target, kind, flags, data=None):
        path = os.fsencode(target)
        if libc.mount(source and os.fsencode(source), path, kind, ctypes.c_ulong(flags), data):
            raise OSError(ctypes.get_errno(), f"mount {target}")

    assert libc.unshare(NEW_MOUNTS) == 0
    mount(None, "/", None, RECURSIVE | PRIVATE)
    mount(folder, folder, None, BIND)
    mount(b"proc", "/proc", b"proc", NO_SUID | NO_DEVICES | NO_PROGRAMS, b"subset=pid,hidepid=invisible")
    mount(None, "/", None, REMOUNT | BIND | READ_ONLY)


def restrict(folder):
    """Apply to this process what this machine can apply of the unit."""
    settings, applied = read_settings("Service"), list_restrictions()
    named = dict(settings)
    os.umask(int(named["UMask"], 8))
    files = min(int(named["LimitNOFILE"]), resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    if sys.platform != "linux":
        return
    library, libc = find_seccomp(), ctypes.CDLL(None, use_errno=True)
    if "ProtectSystem" in applied:
        protect_files(libc, folder)
        for capability in range(CAPABILITIES):
            libc.prctl(DROP_CAPABILITY, capability, 0, 0, 0)
    assert libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    if library:
        filter_calls(library, settings, applied)


if __name__ == "__main__":
    restrict(sys.argv[1])
    os.execv(sys.argv[2], sys.argv[2:])
