"""What lies in `deploy/` fits the programs: the unit is tight, the image knows its files, the page is true."""

import asyncio
import errno
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from gridgames_protocol.discovery import Call, decode_answer, encode_call
from gridgames_protocol.messages import AskHint, ByeRequest, Create, Hint, Join, Over
from gridgames_server.admin import subcommands
from gridgames_server.net.addresses import list_reachable_addresses
from gridgames_server.options import BAD_USAGE, CANNOT_READ, CANNOT_STORE
from tests.client.pseudo_terminal import PROGRAMS
from tests.server.net.test_tls import CERT, KEY, contexts
from tests.service_unit import list_restrictions, read_settings
from tests.wire import LOCAL, PROGRAM, environment, program, run

TOP = Path(__file__).parents[1]
DEPLOY = TOP / "deploy"
UNIT, IMAGE, COMPOSE, PAGE = (
    (DEPLOY / name).read_text("utf-8") for name in ("gridgames.service", "Containerfile", "compose.yaml", "README.md")
)
EXPOSURE_MAX = 1.5  # of ten, as systemd counts


# The unit -------------------------------------------------------------------------------------------------------------


def analyzed(tmp_path, *words):
    """What systemd says of the unit, with the program where it is here."""
    unit = tmp_path / "gridgames.service"
    unit.write_text(UNIT.replace("/opt/gridgames/bin", str(PROGRAMS)))
    return subprocess.run(["systemd-analyze", *words, str(unit)], capture_output=True, text=True)


def test_the_unit_is_clean_and_tight_as_far_as_systemd_is_here_to_say_so(tmp_path, capsys):
    assert dict(read_settings("Service"))["Type"] == "notify"
    if not shutil.which("systemd-analyze"):
        with capsys.disabled():
            print("\nno systemd-analyze here: the unit is only read")
        return
    verified = analyzed(tmp_path, "verify")
    assert (verified.returncode, verified.stderr) == (0, "")
    rated = analyzed(tmp_path, "security", "--offline=yes", f"--threshold={int(EXPOSURE_MAX * 10)}", "--no-pager")
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", rated.stdout)
    assert rated.returncode == 0, rated.stdout + rated.stderr
    assert float(level[1]) <= EXPOSURE_MAX


def test_the_unit_bounds_what_the_server_takes():
    named = dict(read_settings("Service"))
    for what in ("MemoryMax", "TasksMax", "LimitNOFILE", "WatchdogSec", "StateDirectory", "DynamicUser"):
        assert named[what]
    assert int(named["LimitNOFILE"]) > 1_000


def under_the_unit(folder):
    """What starts a program under the unit's restrictions, as far as this machine can apply them."""
    return (sys.executable, str(TOP / "tests" / "service_unit.py"), str(folder))


OUT_OF_REACH = {
    "RestrictAddressFamilies": ("socket.if_nameindex()", errno.EAFNOSUPPORT),
    "SystemCallFilter": ("os.sched_setaffinity(0, {0})", errno.EPERM),
    "MemoryDenyWriteExecute": ("mmap.mmap(-1, 4096, prot=7)", errno.EPERM),
    "ProtectSystem": ("os.mkdir('/gridgames')", errno.EROFS),
    "ProcSubset": ("os.listdir('/proc/net')", errno.ENOENT),
    "CapabilityBoundingSet": ("os.setgid(4743)", errno.EPERM),
}


def test_what_is_started_under_the_unit_is_restricted(tmp_path):
    for setting in OUT_OF_REACH.keys() & set(list_restrictions()):
        deed, error = OUT_OF_REACH[setting]
        code = f"import mmap, os, socket, sys\ntry: {deed}\nexcept OSError as error: sys.exit(error.errno)"
        assert subprocess.run([*under_the_unit(tmp_path), sys.executable, "-c", code]).returncode == error, setting


def test_the_server_does_all_its_work_under_the_unit(tmp_path, capsys):
    with capsys.disabled():
        print("\napplied without systemd:", *list_restrictions())
    store, copy, ready = (str(tmp_path / name) for name in ("server.sqlite", "copy.sqlite", "ready"))
    told = {"GRIDGAMES_STORE": store, "NOTIFY_SOCKET": ready, "TMPDIR": str(tmp_path)}
    key = tmp_path / "key.pem"  # nobody else may read it
    key.touch(0o600)
    key.write_bytes(KEY.read_bytes())
    host = ("--host", "::", "--store", store, "--tls-cert", str(CERT), "--tls-key", str(key))

    async def command(*words):
        commanding = await asyncio.create_subprocess_exec(
            *(PROGRAM, *words), stdout=asyncio.subprocess.PIPE, env=environment(**told)
        )
        return (await commanding.communicate())[0].decode()

    async def scenario():
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(ready)
            async with program(*host, tls=contexts()[1], under=under_the_unit(tmp_path), **told) as server:
                for address in list_reachable_addresses(("::", server.port)):
                    assert f"gridgames-client {address} --tls" in server.announced
                assert manager.recv(100) == b"READY=1"
                ada, bob = await server.guest("Ada"), await server.guest("Bob")
                room = (await ada.says(Create, game="grid-hunt", first="host", hints=True)).room
                await bob.says(Join, room=room)
                await ada.types("HIDE 2 3")
                await bob.types("HIDE 5 5")
                assert isinstance(await ada.says(AskHint), Hint)
                await ada.types("DIG 5 5")
                assert (await bob.sees(Over)).winner == 1
                assert "moves: 3\n" in await command("status")
                assert await command("backup", copy) == f"Backed up to {copy}.\n"
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as caller:
                    caller.connect((LOCAL, server.port))
                    caller.send(encode_call(Call("c0ffee00c0ffee00", 1)))
                    assert decode_answer(caller.recv(65_536)).port == server.port
                assert await server.ends(signal.SIGTERM) == 0
        assert " WARNING " not in server.text
        assert await command("check", copy) == "All rooms and games are undamaged.\n"
        assert {path.stat().st_mode & 0o077 for path in tmp_path.glob("*.sqlite*")} == {0}

    run(scenario())


def test_the_unit_gives_up_after_some_failed_starts():
    """Ten starts that fail at once, or after some seconds, are within the time that systemd counts them in."""
    limit, seconds = (dict(read_settings(section)) for section in ("Unit", "Service"))
    a_failing_start = 10 + int(seconds["RestartSec"])
    assert int(limit["StartLimitIntervalSec"]) >= int(limit["StartLimitBurst"]) * a_failing_start


# The image ------------------------------------------------------------------------------------------------------------


def test_the_image_is_made_of_files_that_are_here_and_runs_as_nobody():
    sources = [word for line in re.findall(r"^COPY (?!--)(.*)$", IMAGE, re.MULTILINE) for word in line.split()[:-1]]
    assert {"pyproject.toml", "server", "client", "protocol"} <= set(sources)
    for source in sources:
        assert (TOP / source).exists(), source
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", IMAGE, re.MULTILINE)
    assert "--status" in re.search(r"^HEALTHCHECK.*\n.*$", IMAGE, re.MULTILINE)[0]
    assert "podman build --format docker" in IMAGE
    assert "podman build --format docker" in PAGE


@pytest.mark.parametrize(
    ("variables", "asked"),
    [({}, "4743 --status"), ({"GRIDGAMES_PORT": "5000", "GRIDGAMES_TLS_CERT": "/x"}, "5000 --status --tls")],
)
def test_the_health_check_asks_where_and_how_the_server_listens(variables, asked, tmp_path):
    (check,) = re.findall(r"^HEALTHCHECK .*\n +CMD (.*)$", IMAGE, re.MULTILINE)
    (tmp_path / "gridgames-client").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "gridgames-client").chmod(0o755)
    said = subprocess.run(
        ["/bin/sh", "-c", check], capture_output=True, text=True, env={"PATH": str(tmp_path), **variables}
    )
    assert said.stdout.strip() == f"127.0.0.1:{asked}"


def test_the_image_and_the_compose_file_keep_games_in_the_same_place():
    (volume,) = re.findall(r"^VOLUME (\S+)$", IMAGE, re.MULTILINE)
    assert f"GRIDGAMES_STORE={volume}/" in IMAGE
    assert f"- store:{volume}\n" in COMPOSE
    assert "read_only: true\n" in COMPOSE


def test_the_host_types_the_programs_name_in_the_container_as_the_page_does():
    folder = re.search(r"^ENTRYPOINT \[\"(.*)/gridgames-server\"\]$", IMAGE, re.MULTILINE)[1]
    assert f"\nENV PATH={folder}:$PATH\n" in IMAGE
    assert "podman exec gridgames gridgames-server status" in PAGE
    assert "--name gridgames " in PAGE
    assert "container_name: gridgames\n" in COMPOSE


def test_a_server_that_was_drained_is_not_started_again():
    assert re.findall(r"^ *restart: (.*)$", COMPOSE, re.MULTILINE) == ["on-failure"]
    assert dict(read_settings("Service"))["Restart"] == "on-failure"


def test_the_unit_does_not_restart_after_a_mistake_in_the_read_settings():
    mistakes = {str(code) for code in (BAD_USAGE, CANNOT_READ, CANNOT_STORE)}
    assert set(dict(read_settings("Service"))["RestartPreventExitStatus"].split()) == mistakes


def test_a_backup_goes_where_the_service_may_write():
    folder = f"/var/lib/{dict(read_settings('Service'))['StateDirectory']}/"
    reached = re.findall(r"^(?:sudo /|podman exec ).*gridgames-server backup (\S+)", PAGE, re.MULTILINE)
    assert len(reached) == 2
    assert all(path.startswith(folder) for path in reached)


async def status(server, *flags):
    """What a health check learns: an exit code, and the lines that were printed."""
    asking = await asyncio.create_subprocess_exec(
        *(PROGRAMS / "gridgames-client", f"127.0.0.1:{server.port}", "--status", *flags),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    printed, _ = await asking.communicate()
    return asking.returncode, printed.decode()


def test_the_health_check_tells_a_server_that_is_up_from_one_that_is_not():
    async def scenario():
        async with program() as server:
            code, printed = await status(server)
            assert (code, printed.splitlines()[0]) == (0, "server: gridgames")
            _, probe = await asyncio.open_connection("127.0.0.1", server.port)  # as a load balancer does
            probe.close()
            await (await server.guest("Ada")).says(ByeRequest)
            await server.ends(signal.SIGTERM)
        assert await status(server) == (1, "")
        sessions = [line.partition("session ")[2] for line in server.text.splitlines() if "session " in line]
        assert [line.partition(" ")[2] for line in sessions] == [
            "connected from 127.0.0.1",
            "dismissed: bye",
            "has ended",
        ]

    run(scenario())


# The page -------------------------------------------------------------------------------------------------------------


def help_of(name):
    return subprocess.run([PROGRAMS / name, "--help"], capture_output=True, text=True, env=environment()).stdout


def test_every_flag_and_variable_in_the_folder_is_one_of_the_programs():
    flags = set(re.findall(r"--[a-z][a-z-]+", help_of("gridgames-server") + help_of("gridgames-client")))
    variables = {"GRIDGAMES_" + flag[2:].upper().replace("-", "_") for flag in flags} | {"GRIDGAMES_PASSWORD"}
    for text in (UNIT, IMAGE, COMPOSE, PAGE):
        assert set(re.findall(r"\bGRIDGAMES_[A-Z_]+", text)) <= variables
    named = re.findall(r"gridgames-(?:server|client)[^\n`#]*", PAGE)
    assert len(named) > 15
    for command in named:
        assert set(re.findall(r"--[a-z][a-z-]+", command)) <= flags, command


def test_every_command_of_the_page_is_one_and_every_one_is_on_the_page():
    named = set(re.findall(r"gridgames-server ([a-z]+)", PAGE))
    assert named <= {*subcommands.COMMANDS, "pyz"}
    assert set(subcommands.TO_SERVER) <= named


def test_the_headings_that_the_page_begins_with_are_there():
    anchors = {re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^## (.*)$", PAGE, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) == anchors


def test_the_certificate_that_the_page_makes_is_the_one_that_it_serves_with():
    made = dict(re.findall(r"-(keyout|out) (\S+)", PAGE))
    served = dict(re.findall(r"--tls-(cert|key) (~\S+)", PAGE))
    assert (made["out"], made["keyout"]) == (served["cert"], served["key"])


def test_the_log_and_the_status_show_the_fingerprint_that_the_page_speaks_of():
    expected = sha256(ssl.PEM_cert_to_DER_cert(CERT.read_text())).hexdigest()

    async def scenario():
        async with program("--tls-cert", str(CERT), "--tls-key", str(KEY)) as server:
            _, printed = await status(server, "--tls")
            await server.ends(signal.SIGTERM)
        assert f"certificate: {expected}" in printed.splitlines()
        assert f"fingerprint of the certificate is {expected}" in server.text

    run(scenario())
