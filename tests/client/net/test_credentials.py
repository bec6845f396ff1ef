"""Who a client is at a server: files that only their owner can read, each for one player at a time."""

import json
import os
import stat
import subprocess
import sys

import pytest

from gridgames_client.net.credentials import SLOTS, Identity, find_known_certificate, store_certificate, take_identity
from gridgames_client.net.private_files import state_folder

AB12, CD34 = "ab12" * 16, "cd34" * 16  # fingerprints
SERVER = "kitchen:4743"
TOKEN = "0123456789abcdef" * 4


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "gridgames"


def known(folder, name, token=TOKEN, server=SERVER):
    """A client of that name has been here and has left."""
    who = take_identity(server, name, folder)
    who.store(name, token)
    who.close()


def slot(folder, number=0):
    """The file of a slot."""
    return folder / "players" / f"kitchen_4743.{number}.json"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


# One player, or several -----------------------------------------------------------------------------------------------


def test_a_newcomer_is_nobody_yet(folder):
    who = take_identity(SERVER, folder=folder)
    assert (who.name, who.token) == (None, None)
    who.close()


def test_one_who_comes_back_is_the_same_player(folder):
    known(folder, "Ada")
    who = take_identity(SERVER, folder=folder)
    assert (who.name, who.token) == ("Ada", TOKEN)
    who.close()


def test_two_clients_of_one_user_are_two_players(folder):
    ada, bob = take_identity(SERVER, folder=folder), take_identity(SERVER, folder=folder)
    ada.store("Ada", "a")
    bob.store("Bob", "b")
    ada.close()
    bob.close()
    again = [take_identity(SERVER, folder=folder) for _ in range(3)]
    assert [(who.name, who.token) for who in again] == [("Ada", "a"), ("Bob", "b"), (None, None)]
    for who in again:
        who.close()


def test_a_client_in_another_process_is_another_player(folder):
    known(folder, "Ada")
    first = (
        "import sys, pathlib; from gridgames_client.net.credentials import take_identity\n"
        f"who = take_identity({SERVER!r}, folder=pathlib.Path(sys.argv[1]))\n"
        "print(who.name, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", first, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "Ada\n"
        mine = take_identity(SERVER, folder=folder)
        assert mine.name is None
        mine.close()
        other.kill()
    after = take_identity(SERVER, folder=folder)
    assert after.name == "Ada", "a lock ends with its process"
    after.close()


def test_one_who_leaves_lets_the_next_client_have_the_place(folder):
    known(folder, "Ada")
    ada, bob = take_identity(SERVER, folder=folder), take_identity(SERVER, folder=folder)
    bob.store("Bob", "b")
    ada.close()
    back = take_identity(SERVER, folder=folder)
    assert back.name == "Ada"
    back.close()
    bob.close()


def test_a_name_brings_back_its_own_player_whoever_starts_first(folder):
    known(folder, "Ada", "a")
    known(folder, "Bob", "b")
    bob, ada = take_identity(SERVER, "bob", folder), take_identity(SERVER, "Ada", folder)
    assert (bob.token, ada.token) == ("b", "a")
    bob.close()
    ada.close()


def test_a_new_name_takes_nobodys_seat(folder):
    known(folder, "Ada")
    cy = take_identity(SERVER, "Cy", folder)
    assert (cy.name, cy.token) == (None, None)
    cy.store("Cy", "c")
    cy.close()
    assert json.loads(slot(folder, 0).read_text())["name"] == "Ada"
    assert json.loads(slot(folder, 1).read_text())["name"] == "Cy"


def test_a_name_that_is_in_use_gets_a_place_of_its_own(folder):
    known(folder, "Ada")
    first, second = take_identity(SERVER, "Ada", folder), take_identity(SERVER, "Ada", folder)
    assert (first.token, second.token) == (TOKEN, None)
    first.close()
    second.close()


def test_each_server_has_its_own_players(folder):
    known(folder, "Ada", "a", "kitchen:4743")
    known(folder, "Bob", "b", "[fe80::1%eth0]:4743")
    for server, name in (("kitchen:4743", "Ada"), ("[fe80::1%eth0]:4743", "Bob"), ("kitchen:4744", None)):
        who = take_identity(server, folder=folder)
        assert who.name == name
        who.close()


def test_beyond_the_last_place_one_plays_without_being_remembered(folder):
    crowd = [take_identity(SERVER, folder=folder) for _ in range(SLOTS + 1)]
    assert [who.file is None for who in crowd] == [False] * SLOTS + [True]
    for who in crowd:
        who.store("Ada", TOKEN)
        who.close()
    assert len(list((folder / "players").iterdir())) == SLOTS


# Private files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_only_the_owner_can_read_them_whatever_the_umask(folder, umask):
    folder.parent.mkdir()
    before = os.umask(umask)
    try:
        known(folder, "Ada")
        store_certificate(SERVER, AB12, folder)
    finally:
        os.umask(before)
    folders = [folder, folder / "players", folder / "certificates"]
    assert {mode(path) for path in folders} == {0o700}
    assert {mode(path) for place in folders[1:] for path in place.iterdir()} == {0o600}


def test_what_was_open_to_others_is_closed(folder):
    known(folder, "Ada")
    for path, loose in ((folder, 0o755), (folder / "players", 0o755), (slot(folder), 0o644)):
        path.chmod(loose)
    known(folder, "Ada")
    assert [mode(path) for path in (folder, folder / "players", slot(folder))] == [0o700, 0o700, 0o600]


def test_a_token_does_not_show_in_a_traceback():
    assert TOKEN not in repr(Identity("Ada", TOKEN))


STRANGE = {
    "nothing": b"",
    "no JSON": b"Ada\n",
    "half a line": b'{"name": "Ada", "tok',
    "binary": bytes(range(256)),
    "a list": b"[1, 2]",
    "a number": b"7",
    "no token": b'{"name": "Ada"}',
    "a token that is no text": b'{"name": "Ada", "token": 7}',
    "an empty token": b'{"name": "Ada", "token": ""}',
    "a token beyond ASCII": '{"name": "Ada", "token": "tökén"}'.encode(),
    "a token too long for a hello": b'{"name": "Ada", "token": "%s"}' % (b"a" * 129),
    "a name too long for a hello": b'{"name": "%s", "token": "a"}' % (b"A" * 65),
    "a name with an escape": rb'{"name": "\u001b[31mAda", "token": "a"}',
    "a name with half a character": rb'{"name": "\ud800", "token": "a"}',
    "very deep": b"[" * 100_000,
    "very long": b" " * 1_000_000 + b'{"name": "Ada", "token": "a"}',
}


@pytest.mark.parametrize("content", STRANGE.values(), ids=STRANGE)
def test_whoever_finds_something_strange_starts_anew(folder, content):
    known(folder, "Ada")
    slot(folder).write_bytes(content)
    who = take_identity(SERVER, folder=folder)
    assert (who.name, who.token) == (None, None)
    who.store("Ada", TOKEN)
    who.close()
    back = take_identity(SERVER, folder=folder)
    assert (back.name, back.token) == ("Ada", TOKEN)
    back.close()


def test_a_longer_line_that_was_there_before_leaves_nothing_behind(folder):
    known(folder, "A" * 16, "a" * 128)
    known(folder, "A" * 16, "b")
    assert json.loads(slot(folder).read_bytes()) == {"name": "A" * 16, "token": "b"}


def test_one_who_was_killed_before_the_cut_finds_a_whole_line(folder):
    known(folder, "Ada", "b")
    slot(folder).write_bytes(slot(folder).read_bytes() + b'rest of a longer line"}\n')
    who = take_identity(SERVER, folder=folder)
    assert (who.name, who.token) == ("Ada", "b")
    who.close()


def test_a_place_that_can_not_be_used_is_passed_over(folder):
    slot(folder).mkdir(parents=True)
    known(folder, "Ada")
    who = take_identity(SERVER, folder=folder)
    assert (who.name, who.token) == ("Ada", TOKEN)
    who.close()


def test_where_nothing_can_be_kept_one_plays_all_the_same(tmp_path):
    (tmp_path / "file").write_text("in the way")
    who = take_identity(SERVER, folder=tmp_path / "file" / "gridgames")
    who.store("Ada", TOKEN)
    assert (who.name, who.token, who.file) == ("Ada", TOKEN, None)
    who.close()


def test_a_full_disk_does_not_end_a_game():
    with open("/dev/full", "r+b", buffering=0) as full:
        who = Identity(file=full)
        who.store("Ada", TOKEN)
        assert (who.name, who.token) == ("Ada", TOKEN)


# The folder -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "path"),
    [("/var/state", "/var/state/gridgames"), ("", "/home/ada/.local/state/gridgames"), ("x", None), (None, None)],
)
def test_the_state_folder_follows_the_custom_of_the_system(monkeypatch, variable, path):
    monkeypatch.setenv("HOME", "/home/ada")
    if variable is None:
        monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_STATE_HOME", variable)
    assert str(state_folder()) == (path or "/home/ada/.local/state/gridgames")


# Certificates ---------------------------------------------------------------------------------------------------------


def test_the_first_certificate_is_remembered_and_another_one_is_noticed(folder):
    assert store_certificate(SERVER, AB12, folder) is None
    assert store_certificate(SERVER, AB12, folder) is None
    file = store_certificate(SERVER, CD34, folder)
    assert file.read_text() == AB12 + "\n"
    assert store_certificate("cellar:4743", CD34, folder) is None, "that is another server"


def test_who_deletes_the_file_trusts_the_new_certificate(folder):
    store_certificate(SERVER, AB12, folder)
    store_certificate(SERVER, CD34, folder).unlink()
    assert store_certificate(SERVER, CD34, folder) is None
    assert store_certificate(SERVER, AB12, folder) is not None


def test_it_is_known_who_has_shown_a_certificate(folder):
    assert find_known_certificate(SERVER, folder) is None
    store_certificate(SERVER, AB12, folder)
    assert find_known_certificate(SERVER, folder).read_text() == AB12 + "\n"
    assert find_known_certificate("cellar:4743", folder) is None, "that is another server"
    find_known_certificate(SERVER, folder).unlink()
    assert find_known_certificate(SERVER, folder) is None


def test_where_nothing_can_be_kept_no_certificate_is_stored(tmp_path):
    (tmp_path / "file").write_text("in the way")
    for fingerprint in (AB12, CD34):
        assert store_certificate(SERVER, fingerprint, tmp_path / "file" / "gridgames") is None
    assert find_known_certificate(SERVER, tmp_path / "file" / "gridgames") is None
