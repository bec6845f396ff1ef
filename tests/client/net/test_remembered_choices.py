"""What the player chose once is remembered, where anything can be."""

from gridgames_client.net.remembered_choices import read_choices, store_choice


def test_a_choice_is_remembered_beside_others(tmp_path):
    assert read_choices(tmp_path / "state") == {}
    store_choice("covers", False, tmp_path / "state")
    store_choice("guided", ["grid-hunt"], tmp_path / "state")
    assert read_choices(tmp_path / "state") == {"covers": False, "guided": ["grid-hunt"]}


def test_a_damaged_file_is_a_new_start_and_a_full_disk_no_failure(tmp_path):
    store_choice("covers", False, tmp_path)
    (tmp_path / "habits" / "client.json").write_bytes(b"\xff{")
    assert read_choices(tmp_path) == {}
    (tmp_path / "file").write_text("")
    store_choice("covers", True, tmp_path / "file")
    assert read_choices(tmp_path / "file") == {}
