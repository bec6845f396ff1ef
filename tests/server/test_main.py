"""The program as its host meets it: flags, one line when it listens, one sentence when it can't, and how it ends."""

import errno
import os
import re
import resource
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from gridgames_protocol.messages import PORT
from gridgames_server.__main__ import main
from gridgames_server.core.limits import Limits
from gridgames_server.options import parse
from gridgames_server.serve import allow_open_files, choose_store, explain, is_exposed, read_password, read_tls
from tests.wire import LOCAL, environment

CERT = Path(__file__).with_name("localhost.cert.pem")
KEY = Path(__file__).with_name("localhost.key.pem")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch):
    """The environment of this run says nothing about a server."""
    for name in os.environ.keys() - environment().keys():
        monkeypatch.delenv(name)


# Flags and variables


def test_by_default_it_listens_everywhere_on_its_own_port():
    options = parse([])
    assert (options.host, options.port, options.name, options.log_level) == ("0.0.0.0", PORT, "gridgames", "info")
    assert options.limits() == Limits()


FLAGS = {
    "host": ("::1", "::1"),
    "port": ("0", 0),
    "name": ("Ada's house", "Ada's house"),
    "password-file": ("/x", "/x"),
    "tls-cert": ("/y", "/y"),
    "max-players": ("7", 7),
    "max-per-address": ("8", 8),
    "max-rooms": ("9", 9),
    "max-rooms-per-address": ("10", 10),
    "rate": ("0", 0),
    "log-level": ("debug", "debug"),
    "socket": ("/z", "/z"),
}


@pytest.mark.parametrize(("flag", "given", "meant"), [(flag, *values) for flag, values in FLAGS.items()])
def test_every_flag_has_a_variable_and_the_flag_wins(flag, given, meant, monkeypatch):
    field = flag.replace("-", "_")
    default = getattr(parse([]), field)
    assert getattr(parse([f"--{flag}", given]), field) == meant

    monkeypatch.setenv(f"GRIDGAMES_{field.upper()}", given)
    assert getattr(parse([]), field) == meant
    if default is not None:
        assert getattr(parse([f"--{flag}", str(default)]), field) == default

    monkeypatch.setenv(f"GRIDGAMES_{field.upper()}", "")
    assert getattr(parse([]), field) == default, "an empty variable is none"


SWITCHES = ["no-store", "no-discovery", "log-json"]


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_switch_has_a_variable_that_says_yes_or_no(switch, monkeypatch, capsys):
    field = switch.replace("-", "_")
    variable = f"GRIDGAMES_{field.upper()}"
    assert getattr(parse([]), field) is False
    assert getattr(parse([f"--{switch}"]), field) is True
    for given, meant in {"1": True, "yes": True, "True": True, "on": True, "0": False, "no": False, "": False}.items():
        monkeypatch.setenv(variable, given)
        assert getattr(parse([]), field) is meant
    monkeypatch.setenv(variable, "perhaps")
    assert sentence(capsys) == (2, f"variable {variable}: it must be 1 or 0{SEE_HELP}")


def sentence(capsys, *arguments):
    """The exit code and all that is said when the program can't start."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("gridgames-server: ")
    assert said.err.count("\n") == 1
    return ended.value.code, said.err.removeprefix("gridgames-server: ").strip()


SEE_HELP = "; see gridgames-server --help"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--prot", "4743"], "unrecognized arguments: --prot 4743"),
        (["4743"], "there is no command 4743"),
        (["--port"], "argument --port: expected one argument"),
        (["--port", "many"], "argument --port: it must be a whole number from 0 to 65535"),
        (["--port", "65536"], "argument --port: it must be a whole number from 0 to 65535"),
        (["--port=-1"], "argument --port: it must be a whole number from 0 to 65535"),
        (["--port", "4" * 5_000], "argument --port: it must be a whole number from 0 to 65535"),
        (["--port", "٤٧"], "argument --port: it must be a whole number from 0 to 65535"),
        (["--max-players", "0"], "argument --max-players: it must be a whole number from 1 to 1000000"),
        (["--rate", "1.5"], "argument --rate: it must be a whole number from 0 to 1000000"),
        (["--name", ""], "argument --name: it must be 1 to 40 printable characters"),
        (["--name", "\x1b[2J"], "argument --name: it must be 1 to 40 printable characters"),
        (["--log-level", "loud"], "argument --log-level: it must be debug, info, warning or error"),
        (["--tls-key", "key.pem"], "argument --tls-key: it needs --tls-cert beside it"),
    ],
)
def test_a_wrong_flag_is_one_sentence(arguments, said, capsys):
    assert sentence(capsys, *arguments) == (2, said + SEE_HELP)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PORT", "http", "variable GRIDGAMES_PORT: it must be a whole number from 0 to 65535"),
        ("MAX_PER_ADDRESS", "-1", "variable GRIDGAMES_MAX_PER_ADDRESS: it must be a whole number from 1 to 1000000"),
        ("LOG_LEVEL", "LOUD", "variable GRIDGAMES_LOG_LEVEL: it must be debug, info, warning or error"),
    ],
)
def test_a_wrong_variable_is_one_sentence(variable, value, said, monkeypatch, capsys):
    monkeypatch.setenv(f"GRIDGAMES_{variable}", value)
    assert sentence(capsys) == (2, said + SEE_HELP)


@pytest.mark.parametrize(
    ("variable", "nearest"), [("PASSWORD", "PASSWORD_FILE"), ("MAX_PLAYER", "MAX_PLAYERS"), ("XYZ", "")]
)
def test_an_unknown_variable_is_refused_with_the_nearest_known_name(variable, nearest, monkeypatch, capsys):
    monkeypatch.setenv(f"GRIDGAMES_{variable}", "secret")
    code, said = sentence(capsys)
    assert code == 2
    assert said.startswith(f"variable GRIDGAMES_{variable} is unknown; the nearest is GRIDGAMES_{nearest}")
    assert "secret" not in said


def test_variables_that_only_the_client_reads_are_no_mistake(monkeypatch):
    monkeypatch.setenv("GRIDGAMES_SEARCH", "10.0.0.255")
    assert parse([]).port == PORT


def test_the_help_names_every_default(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    described = capsys.readouterr().out.split("options:")[1].split("Commands for a running server")[0]
    for part in described.split("\n  -")[1:]:
        assert part.startswith(("h, --help", "-version")) or "(default: " in " ".join(part.split()), part


def test_the_version_is_said_without_importing_a_game():
    code = "import sys; from gridgames_server.__main__ import main\ntry: main(['--version'])\n"
    code += "except SystemExit: print(*(name for name in sys.modules if 'gridgames_server.' in name))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment()).stdout
    assert "gridgames_server.options" in said
    assert not any(word in said for word in ("games.game", "storage", "net", "hub"))


def test_without_a_home_one_sentence_says_what_to_do(monkeypatch, capsys):
    def no_home():
        raise RuntimeError

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert sentence(capsys) == (5, "there is no home directory to keep games in: use --store FILE, or --no-store")


# What it can't read, and where it can't listen


def test_a_password_file_that_is_not_there_is_one_sentence(tmp_path, capsys):
    path = tmp_path / "password"
    said = f"can't read the password file {path}: No such file or directory"
    assert sentence(capsys, "--password-file", str(path)) == (4, said)


@pytest.mark.parametrize("content", [b"", b"\n", b"   \nsecret\n", b"." * 257])
def test_a_password_file_without_a_usable_first_line_is_one_sentence(content, tmp_path, capsys):
    path = tmp_path / "password"
    path.write_bytes(content)
    said = f"the first line of the password file {path} must have 1 to 256 characters"
    assert sentence(capsys, "--password-file", str(path)) == (4, said)


def test_a_password_file_that_is_no_text_is_one_sentence(tmp_path, capsys):
    path = tmp_path / "password"
    path.write_bytes(b"\xff\xfe\x00")
    assert sentence(capsys, "--password-file", str(path)) == (4, f"can't read the password file {path}: it is not text")
    said = "the first line of the password file /dev/zero must have 1 to 256 characters"
    assert sentence(capsys, "--password-file", "/dev/zero") == (4, said)


def test_a_folder_is_no_password_file(tmp_path, capsys):
    said = f"can't read the password file {tmp_path}: Is a directory"
    assert sentence(capsys, "--password-file", str(tmp_path)) == (4, said)


def test_a_certificate_or_key_that_is_not_there_is_one_sentence(tmp_path, capsys):
    path = str(tmp_path / "nothing.pem")
    said = f"can't read {path}: No such file or directory"
    assert sentence(capsys, "--tls-cert", path) == (4, said)
    assert sentence(capsys, "--tls-cert", str(CERT), "--tls-key", path) == (4, said)


def test_a_certificate_without_its_key_is_one_sentence(tmp_path, capsys):
    code, said = sentence(capsys, "--tls-cert", str(CERT))
    assert (code, said) == (4, f"{CERT} and {CERT} are not a certificate and its key without a passphrase")
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("hello")
    code, said = sentence(capsys, "--tls-cert", str(nonsense), "--tls-key", str(KEY))
    assert (code, said) == (4, f"{nonsense} and {KEY} are not a certificate and its key without a passphrase")


SHORT_CERT, SHORT_KEY = (  # RSA, 1024 bits
    """\
-----BEGIN CERTIFICATE-----
MIIB9DCCAV2gAwIBAgIUBtuHxwL49ImqlpEf1tChc6XSDJQwDQYJKoZIhvcNAQEL
BQAwDDEKMAgGA1UEAwwBeDAeFw0yNjExMTgyMzIxMzdaFw0yNjExMjcyMzIxMzda
MAwxCjAIBgNVBAMMAXgwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAJpR1QRF
0LJHvQ76hbxVyG9+qROeyZSznSD8h/cbHeYN4F31hWHsi6/VNXpycKRNnlpN8KsN
m6VgA3JqVZ6If6XbC/jKNrVotmwNMcHg40HhSF7+Jx4X7QijVGnlCLptK5/u2cLR
mrm3EyThTwTIxIM26qvSmmeYbukGTQEFKsVzAgMBAAGjUzBRMB0GA1UdDgQWBBTS
H1tjOygzsYeTYlnDMVTL1yTXyjAfBgNVHSMEGDAWgBTSH1tjOygzsYeTYlnDMVTL
1yTXyjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4GBABjMgRH0m4gD
6b8z8yDmKyFdXtIPUV4YVhn+2YzYG7d5nqPutM4ZdboR+Tv9dqxxhgG2oWMMnn2G
BsXlLBRKWrEZauSWeIUYIubwM2K/zrhlU2XsYl1+Xn+I8XSMGMFlampzsB30ag/P
69xndxk4gdJ8ZHhyeoVbLMOiIV8K5W+4
-----END CERTIFICATE-----
""",
    """\
-----BEGIN PRIVATE KEY-----
MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAJpR1QRF0LJHvQ76
hbxVyG9+qROeyZSznSD8h/cbHeYN4F31hWHsi6/VNXpycKRNnlpN8KsNm6VgA3Jq
VZ6If6XbC/jKNrVotmwNMcHg40HhSF7+Jx4X7QijVGnlCLptK5/u2cLRmrm3EyTh
TwTIxIM26qvSmmeYbukGTQEFKsVzAgMBAAECgYBk6RP5aknQ+rY3IDzpbdLWjaW0
LcY1Vcpu8pNaU8IWWIaaCl3BLfQd87a3rjPYTOU6ufKheBGKb6FxZPU96JZG82QV
lR/RML5Tl6wnuXUsZWJ0Oqqnvz6wTN6LQaZQPmlvZ//MbLMkaUzXnG6DG6g8qZKB
r4YAha6AZKKCHB2agQJBAMieRZ01L2beh95v/AsLf+aWwkW+0T7MSu+2U1NpkTxX
y+2ft97TMx1dl7NWUztFKnfrBcEY5EuCyeb4skPKxTMCQQDE66FU0Vy2z7kvN+kz
l/XQq5G10MhS37b74zC8+A4er/zIwDO4rSzo4E+vdIYTW8capqt/jE0OSeazW0S4
z37BAkAHj5+EC0scD2sDgSj4qZhKcogj5MsyGLUCT9bYH/RvV8fBzvE5HrCgfLSI
98nvQ+4T0vHGk0+XYPiHEfx1/aBtAkEAuucWokVwpUb1cj60Bbc2pg8h5pq6eAZE
TEFvkfwykqfg2r2qmZ8sn/+/Qj3rv9X9XWtSHWaSAHzeDeATkwHGQQJAUn7RIYD5
SRCWAkw/xeFTjfwRzlu/YTF7syb6WSjx66/p87iJPEICzJxtH/FjI24fIhx3vMi7
Bt/rnq/GGrYsMA==
-----END PRIVATE KEY-----
""",
)

LOCKED_KEY = """\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjz4UsiaD/OrwICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJL5qbaBwtnSXihdpCWLBN4EgZAg
YnK2Nxe3yQC+JRa7neYvrbisiH+NqouMFA7xHvKoWu3MLIYa+ocE3i7LBdBVKiLM
ujn3LBWzu/MmZGE5tsv/mmiRL5vwoM1dz+HLm/+/Pu7O3ndZV32WtogVctMrvEz1
qXP262TOVdOszZGMui48Cgzu7k8/FVp+GBrvvCOCAgS2z8LuKjmqkQyI5+q0WT0=
-----END ENCRYPTED PRIVATE KEY-----
"""


def test_a_key_with_a_passphrase_is_one_sentence_and_no_question(tmp_path, capsys):
    key = tmp_path / "locked.pem"
    key.write_text(LOCKED_KEY)
    code, said = sentence(capsys, "--tls-cert", str(CERT), "--tls-key", str(key))
    assert (code, said) == (4, f"{CERT} and {key} are not a certificate and its key without a passphrase")


def test_a_key_that_is_too_short_is_one_sentence(tmp_path, capsys):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert.write_text(SHORT_CERT)
    key.write_text(SHORT_KEY)
    said = f"{cert} is too weak: it needs an EC key, or an RSA key of 2048 bits, and SHA-256"
    assert sentence(capsys, "--tls-cert", str(cert), "--tls-key", str(key)) == (4, said)


def test_a_port_that_is_taken_is_one_sentence(capsys):
    with socket.create_server((LOCAL, 0)) as taken:
        port = taken.getsockname()[1]
        said = f"can't listen on {LOCAL} port {port}: Address already in use."
        advice = "Is a server running already? Use --port N for another port."
        assert sentence(capsys, "--host", LOCAL, "--port", str(port)) == (3, f"{said} {advice}")


@pytest.mark.parametrize("host", ["203.0.113.77", "no such host", "x" * 70])
def test_an_address_that_is_not_here_is_one_sentence(host, capsys):
    code, said = sentence(capsys, "--host", host)
    assert code == 3
    assert re.fullmatch(f"can't listen on {host} port {PORT}: [A-Za-z ]+", said)


def test_a_port_that_only_root_may_open_is_told_with_what_to_do():
    advice = "Permission denied. The system keeps the ports below 1024 for itself: use --port N with a higher one."
    assert explain(PermissionError(errno.EACCES, "Permission denied"), 80) == advice
    assert explain(PermissionError(errno.EACCES, "Permission denied"), 4743) == "Permission denied"


@pytest.mark.parametrize("host", ["", " "])
def test_no_address_is_not_every_address(host, capsys):
    code, said = sentence(capsys, "--host", host)
    assert code == 2
    assert said.startswith("argument --host: it must be an address; 0.0.0.0 is every IPv4 address")


def test_a_second_address_is_refused_and_not_taken_in_place_of_the_first(capsys):
    code, said = sentence(capsys, "--host", "127.0.0.1", "--host", "::1")
    assert code == 2
    assert said.startswith("argument --host: it can be given only once; 0.0.0.0 is every IPv4 address")


@pytest.mark.parametrize(
    ("word", "nearest"),
    [("statsu", "; the nearest is status"), ("bakcup", "; the nearest is backup"), ("xylophone", ""), ("10.0.0.1", "")],
)
def test_a_misspelt_command_is_told_the_nearest(word, nearest, capsys):
    assert sentence(capsys, word) == (2, f"there is no command {word}{nearest}; see gridgames-server --help")


@pytest.mark.parametrize("words", [("\x1b[2Jx",), ("--\x1b[2Jx",), ("status", "--\x1b[2Jx"), ("check", "\x1b[2Jx")])
def test_no_escape_in_an_argument_reaches_the_terminal(words, capsys):
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code
    printed = capsys.readouterr()
    assert "[2Jx" in printed.err
    assert "\x1b" not in printed.err + printed.out


# What it warns of, and what it allows itself


def test_a_password_file_that_others_can_read_is_a_warning(tmp_path, caplog):
    path = tmp_path / "password"
    path.write_text("secret\n")
    path.chmod(0o600)
    assert read_password(str(path)) == "secret"
    assert caplog.text == ""
    path.chmod(0o644)
    assert read_password(str(path)) == "secret"
    assert f"every user of this machine can read the password file {path}" in caplog.text


def test_a_key_that_others_can_read_is_a_warning(tmp_path, caplog):
    key = tmp_path / "key.pem"
    key.write_bytes(KEY.read_bytes())
    key.chmod(0o600)
    read_tls(str(CERT), str(key))
    assert caplog.messages == []
    key.chmod(0o644)
    read_tls(str(CERT), str(key))
    assert caplog.messages == [f"every user of this machine can read the key {key}; chmod 600 changes that"]


def test_a_relative_store_is_a_warning(caplog, tmp_path):
    assert choose_store(parse(["--store", str(tmp_path / "s.sqlite")])) == tmp_path / "s.sqlite"
    assert caplog.text == ""
    assert choose_store(parse(["--store", "s.sqlite"])) == Path("s.sqlite")
    assert "the store s.sqlite is a relative path" in caplog.text


def test_it_warns_where_strangers_can_come_in():
    assert is_exposed(["8.8.8.8:4743"], tls=False, password=False)
    assert is_exposed(["192.168.1.20:4743", "[2a00:1450:4001::1]:4743"], tls=False, password=False)
    assert not is_exposed(["8.8.8.8:4743"], tls=True, password=False)
    assert not is_exposed(["8.8.8.8:4743"], tls=False, password=True)
    assert not is_exposed(["192.168.1.20:4743", "[fd00::2]:4743"], tls=False, password=False)


def test_it_allows_itself_as_many_files_as_players_need(caplog):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        allow_open_files(200)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (256, before[1])
        allow_open_files(300)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, before[1])
        assert caplog.text == ""
        if before[1] != resource.RLIM_INFINITY:
            allow_open_files(before[1] + 1)
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
            assert f"the system allows {before[1]} open files" in caplog.text
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
