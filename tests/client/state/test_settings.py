"""The settings file: what it may say, and one sentence with its line for what it may not."""

import pytest

from gridgames_client.state.settings import BadSettings, Settings, read_settings, write_default_settings


def test_the_file_that_is_printed_says_what_holds_without_one():
    assert read_settings(write_default_settings()) == read_settings("") == Settings()
    assert write_default_settings().count("\n# ") == len(Settings.__dataclass_fields__)


def test_every_entry_can_be_set():
    text = 'name = "Ada"\ntheme = "light"\ncolors = false\nkeys = "vi"\nbell = false\ncovers = "never"\nwords = true'
    found = read_settings(text)
    assert (found.name, found.theme, found.colors, found.keys) == ("Ada", "light", False, "vi")
    assert (found.bell, found.covers, found.words, found.mouse) == (False, "never", True, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# mine\nbell = 1", "line 2: bell is true or false"),
        ('\n\ntheme = "pink"', "line 3: theme is one of: auto, dark, light, high-contrast, 16"),
        ("name = 3", "line 1: name is a text of at most 16 characters"),
        ('bell = true\ncolour = "red"', "line 2: there is no setting 'colour'; the settings are: name, theme, colors,"),
        ("[keys]\nvi = true", "line 1: keys is one of: arrows, vi"),
        ("bell = true\nname =", "line 2 is not written as the file's format (TOML) wants it: name = value"),
        ("name = yes", "line 1 is not written as"),
    ],
)
def test_a_wrong_entry_gets_one_sentence_with_its_line(text, sentence):
    with pytest.raises(BadSettings) as bad:
        read_settings(text)
    assert str(bad.value).startswith(sentence)
