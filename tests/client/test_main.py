"""The program's way in and its ways out: every failure is one sentence and an exit code, never a traceback."""

import os
import stat

import pytest

from gridgames_client.__main__ import LOG_MAX, main, note_bug
from gridgames_client.net.address import Address
from gridgames_client.options import fail, parse
from gridgames_protocol.messages import Error, Hello
from tests.client.client_process import child
from tests.client.net.test_connection_places import tls_of_guests, tls_of_server
from tests.client.scripted_server import pretending
from tests.wire import run, serving


def at(server):
    return str(Address(server.host, server.port))


async def sentence(*arguments, state, **variables):
    """What the program says before it ends without success."""
    async with child(*arguments, state=state, **variables) as client:
        code, errors = await client.ends()
        assert code == 1
        assert client.printed == []
        assert errors.startswith("gridgames-client: ")
        assert errors.count("\n") == 1
        return errors.removeprefix("gridgames-client: ").rstrip("\n")


# Wrong usage ----------------------------------------------------------------------------------------------------------

USAGE = [
    (["--colour"], "unrecognized arguments: --colour"),
    (["--na", "Ada"], "unrecognized arguments: --na"),
    (["--name"], "argument --name: expected one argument"),
    (["--name", ""], "argument --name: a name has 1 to 16 letters, digits, spaces and - _ ."),
    (["--name", "x" * 65], "argument --name: a name has 1 to 16 letters, digits, spaces and - _ ."),
    (["--name", "\x1b[31mAda"], "argument --name: a name has 1 to 16 letters, digits, spaces and - _ ."),
    (["--name", "half \udcff"], "argument --name: a name has 1 to 16 letters, digits, spaces and - _ ."),
    (["kitchen", "cellar"], "unrecognized arguments: cellar"),
    (
        ["kitchen:port"],
        "argument HOST[:PORT]: kitchen:port is no address; "
        "type HOST or HOST:PORT, for example 192.168.1.20:4743",
    ),
    (["--tls"], "argument --tls: it needs an address"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "wrong"), USAGE)
def test_wrong_usage_is_one_sentence_and_exit_code_2(capsys, arguments, wrong):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"gridgames-client: {wrong}; see gridgames-client --help\n")


def test_the_version_and_the_help_are_told(capsys):
    for flag, beginning in (("--version", "gridgames "), ("--help", "usage: gridgames-client ")):
        with pytest.raises(SystemExit) as ended:
            main([flag])
        assert ended.value.code == 0
        assert capsys.readouterr().out.startswith(beginning)


# Passwords ------------------------------------------------------------------------------------------------------------


def test_a_password_is_the_first_line_of_its_file_or_in_the_environment(tmp_path, monkeypatch):
    file = tmp_path / "password"
    file.write_text("\ufeff open sesame \nsecond line\n", "utf-8")
    monkeypatch.setenv("GRIDGAMES_PASSWORD", "from outside")
    assert parse(["--password-file", str(file)]).password == "open sesame"
    assert parse([]).password == "from outside"
    monkeypatch.setenv("GRIDGAMES_PASSWORD", "")
    assert parse([]).password is None


def no_password(tmp_path):
    """Files that hold no password, and what is said of them."""
    (tmp_path / "empty").write_text("\nsesame\n")
    (tmp_path / "long").write_text("x" * 257)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "escape").write_text("\x1b[31m")
    none = "the password file {} holds no password: it has 1 to 256 characters"
    return {
        "missing": "can't read the password file {}: No such file or directory",
        "binary": "can't read the password file {}: it is not text",
        "": "can't read the password file {}: Is a directory",
        "empty": none,
        "long": none,
        "escape": none,
    }


def test_a_file_that_holds_no_password_is_told_so(tmp_path, capsys):
    for name, wrong in no_password(tmp_path).items():
        with pytest.raises(SystemExit) as ended:
            main(["kitchen", "--password-file", str(tmp_path / name)])
        assert ended.value.code == 1
        assert capsys.readouterr().err == f"gridgames-client: {wrong.format(tmp_path / name)}\n"


# Ways in that are closed ----------------------------------------------------------------------------------------------


def test_where_nothing_can_be_reached_the_program_says_so(tmp_path):
    async def scenario():
        async with pretending(None) as address:
            pass
        assert await sentence(address, state=tmp_path) == (
            f"Nothing listens at {address}. Is gridgames-server running there?"
        )
        assert await sentence("fe80::1%nowhere", state=tmp_path) == (
            "No machine called fe80::1%nowhere can be found. Is the name right?"
        )

    run(scenario())


def test_a_closed_door_is_told_with_what_to_do(tmp_path):
    async def scenario():
        async with serving(password="sesame", max_players=1) as server:
            wrong = await sentence(at(server), state=tmp_path, GRIDGAMES_PASSWORD="open")
            assert wrong == ("That password is wrong. Use --password-file, or set GRIDGAMES_PASSWORD.")
            await server.guest("Ada", password="sesame")
            assert await sentence(at(server), state=tmp_path) == "This server is full. Try again later."

    run(scenario())


def test_a_name_that_can_not_be_had_is_told_with_what_to_do(tmp_path):
    async def scenario():
        async with serving() as server:
            await server.guest("Ada")
            taken = await sentence(at(server), "--name", "ada", state=tmp_path)
            assert taken.endswith("Choose another. Start again with another --name.")

    run(scenario())


def test_another_version_and_another_protocol_are_told_apart(tmp_path):
    async def newer(peer):
        hello = await peer.hears(Hello)
        peer.says(
            Error("protocol", "This server speaks version 2, you speak 1. Update the older of the two.", hello.id)
        )

    async def web(peer):
        peer.writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await peer.is_left()

    async def scenario():
        async with pretending(newer, web) as address:
            assert await sentence(address, state=tmp_path) == (
                "This server speaks version 2, you speak 1. Update the older of the two."
            )
            assert await sentence(address, state=tmp_path) == (
                f"{address} speaks something else than this client. Is it a gridgames server of this version?"
            )

    run(scenario())


def test_with_and_without_tls_is_told_apart(tmp_path):
    async def scenario():
        async with serving() as plain, serving(tls=(tls_of_server(), tls_of_guests())) as encrypted:
            assert await sentence(at(plain), "--tls", state=tmp_path) == (
                f"{at(plain)} does not speak TLS. Try without --tls."
            )
            assert await sentence(at(encrypted), state=tmp_path) == (
                f"This server speaks TLS only; play with: gridgames-client {at(encrypted)} --tls"
            )

    run(scenario())


def test_a_certificate_is_remembered_from_the_first_visit(tmp_path):
    async def scenario():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as server:
            async with child(at(server), "--tls", state=tmp_path) as ada:
                await ada.reads("You are in the lobby.")
                assert await ada.ends() == (0, "")
            [file] = (tmp_path / "gridgames" / "certificates").iterdir()
            file.write_text("0" * 64)
            changed = await sentence(at(server), "--tls", state=tmp_path)
            assert changed.startswith(f"{at(server)} shows another certificate than the first time.")
            assert f"delete {file} and start again." in changed

    run(scenario())


# Status ---------------------------------------------------------------------------------------------------------------


def test_status_is_printed_with_success_or_a_reason_without(tmp_path):
    async def scenario():
        async with serving() as server, child(at(server), "--status", state=tmp_path) as asking:
            assert await asking.ends() == (0, "")
            assert [line.partition(":")[0] for line in asking.printed] == [
                *("server", "uptime", "players", "rooms", "games", "moves")
            ]
        assert await sentence(at(server), "--status", state=tmp_path) == (
            f"Nothing listens at {at(server)}. Is gridgames-server running there?"
        )
        assert not (tmp_path / "gridgames").exists(), "who only asks leaves no trace"

    run(scenario())


# Sentences and bugs ---------------------------------------------------------------------------------------------------


def test_a_server_can_not_write_on_the_screen_through_a_sentence(capsys):
    with pytest.raises(SystemExit):
        fail(1, "Go away\x1b[2J\r\n\u202e now.")
    assert capsys.readouterr().err == "gridgames-client: Go away[2J now.\n"


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "gridgames"


def bug(text):
    try:
        raise RuntimeError(text)
    except RuntimeError as error:
        return error


def test_a_bug_is_written_where_only_its_finder_can_read_it(state):
    path = note_bug(bug("first"))
    assert note_bug(bug("second \ud800")) == path == state / "logs" / "client.log"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert text.count("Traceback (most recent call last):") == 2
    assert text.index("RuntimeError: first") < text.index("RuntimeError: second ?")


def test_old_bugs_do_not_fill_the_disk(state):
    path = note_bug(bug("old"))
    with path.open("ab") as file:
        file.write(b"x" * LOG_MAX)
    note_bug(bug("new"))
    assert path.stat().st_size < 2_000
    assert "RuntimeError: new" in path.read_text()


def test_a_bug_that_can_not_be_kept_in_the_state_folder_goes_to_a_temporary_file(state, monkeypatch):
    state.write_text("in the way")
    path = note_bug(bug("homeless"))
    assert "RuntimeError: homeless" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    os.unlink(path)


# Settings -------------------------------------------------------------------------------------------------------------


def config(monkeypatch, tmp_path, text):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "gridgames").mkdir()
    (tmp_path / "gridgames" / "client.toml").write_text(text, "utf-8")


def test_the_settings_file_decides_what_no_flag_does(monkeypatch, tmp_path):
    config(monkeypatch, tmp_path, 'name = "Ada"\nplain = true\nbell = false\ncolors = false')
    options = parse([])
    assert (options.name, options.plain, options.no_bell, options.no_color) == ("Ada", True, True, True)
    assert parse(["--name", "Bo"]).name == "Bo"


def test_a_wrong_settings_file_ends_it_with_one_sentence(monkeypatch, tmp_path, capsys):
    config(monkeypatch, tmp_path, "\nbell = 3")
    with pytest.raises(SystemExit) as ended:
        parse([])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.endswith("client.toml: line 2: bell is true or false\n")
    assert said.count("\n") == 1


def test_a_settings_file_can_be_printed_even_where_there_is_a_wrong_one(monkeypatch, tmp_path, capfd):
    config(monkeypatch, tmp_path, "bell = 3")
    main(["--print-config"])
    assert "covers = " in capfd.readouterr().out


@pytest.mark.parametrize("what", ["plain", "words", "ascii"])
def test_the_environment_switches_plain_words_and_ascii_on(monkeypatch, what):
    variable = f"GRIDGAMES_{what.upper()}"
    monkeypatch.setenv(variable, "1")
    assert getattr(parse([]), what)
    monkeypatch.setenv(variable, "0")
    assert not getattr(parse([]), what)
