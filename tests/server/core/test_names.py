"""Players' names: what one may be made of, how wide it may be, and when two are the same."""

import unicodedata

import pytest

from gridgames_protocol.messages import NAME_COLUMNS, NAME_MAX
from gridgames_protocol.safe_text import columns, is_harmless
from gridgames_server.core.players import check_name, make_name_key
from gridgames_server.errors import Refusal

FINE = [
    ("Ada", "Ada"),
    ("  Ada  ", "Ada"),
    ("Ada   of  Love", "Ada of Love"),
    ("ada_99.x-y", "ada_99.x-y"),
    ("7", "7"),
    ("Zoe\u0308", "Zoë"),  # shown composed
    ("Đặng Thị", "Đặng Thị"),
    ("王小明", "王小明"),
    ("王" * 8, "王" * 8),  # sixteen columns
    ("ＡＢＣ", "ＡＢＣ"),
    ("हिन्दी", "हिन्दी"),
    ("ที่รัก", "ที่รัก"),
    ("한글", "한글"),
    ("\u1112\u1161\u11ab", "한"),
    ("Ω", "Ω"),
    ("שלום", "שלום"),
    ("٤٢", "٤٢"),
    ("a" * 16, "a" * 16),
    ("q\u0323" * 16, "q\u0323" * 16),  # an accent on every letter
    ("q\u0323\u0307", "q\u0323\u0307"),
    ("...", "..."),
]


@pytest.mark.parametrize(("name", "shown"), FINE)
def test_names_of_many_peoples_are_fine(name, shown):
    assert check_name(name) == shown
    assert check_name(shown) == shown


WRONG = [
    ("", "columns"),
    ("   ", "columns"),
    ("a" * 17, "columns"),
    ("王" * 9, "columns"),
    ("q\u0323\u0307" * 16, "columns"),  # no wider, but more characters than a message holds
    ("a" + "\u1161" * 40, "columns"),
    ("\u0301", "columns"),
    ("Ada\n", "letters"),
    ("Ada\tL", "letters"),
    ("Ada\x00", "letters"),
    ("\x1b[31mAda", "letters"),
    ("\x9b31m", "letters"),
    ("Ada\x7f", "letters"),
    ("A\u202eda", "letters"),  # right to left
    ("A\u200bda", "letters"),  # no width
    ("A\u200dda", "letters"),
    ("\ufeffAda", "letters"),
    ("A\u00adda", "letters"),
    ("Ada\u3164", "letters"),  # a filler
    ("Ada\ufe0f", "letters"),
    ("Ada\u00a0L", "letters"),  # a space that is none of ours
    ("Ada\u3000L", "letters"),
    ("Ada\u2028L", "letters"),
    ("Ada\ue000", "letters"),
    ("Ada\U000e0041", "letters"),
    ("Ada:", "letters"),
    ("<b>Ada", "letters"),
    ("Ada(1)", "letters"),
    ("Ada/../x", "letters"),
    ("Ada😀", "letters"),
    ("½", "letters"),
    ("②", "letters"),
    ("Ⅷ", "letters"),
    ("\u0301Ada", "accents"),
    ("\u1161Ada", "accents"),
    ("Z\u0335\u0321\u0323\u0310\u0311\u0312algo", "accents"),
    ("q\u0323\u0307\u0308", "accents"),  # three; two are fine
    ("a" + "\u1161" * 5, "accents"),
]


@pytest.mark.parametrize(("name", "fault"), WRONG)
def test_a_name_that_will_not_do_is_refused_and_told_why(name, fault):
    with pytest.raises(Refusal) as caught:
        check_name(name)
    assert caught.value.code == "name"
    assert fault in caught.value.text


def is_fine(name):
    try:
        check_name(name)
    except Refusal:
        return False
    return True


# Every character, but for the long stretches of ideographs, syllables, private and unassigned ones: some of those.
BLOCKS = (0, 0x3400, 0xA000, 0xAC00, 0xD7A4, 0x17000, 0x1AFF0, 0x20000, 0xE0000, 0xE0200, 0x110000)
STEPS = (1, 97) * 5
EVERY = [n for start, end, step in zip(BLOCKS[:-1], BLOCKS[1:], STEPS, strict=True) for n in range(start, end, step)]


def test_every_character_alone_and_after_a_letter():
    for char in map(chr, EVERY):
        category = unicodedata.category(char)
        letter = category[0] == "L" or category == "Nd" or char in "-_."
        assert is_fine(char) == (letter and is_harmless(char) and columns(char) > 0), hex(ord(char))
        follows = letter or category[0] == "M"
        first = char if category[0] == "L" and columns(char) else "a"  # a name is written in one script
        assert is_fine(first + char) == (char == " " or (follows and is_harmless(char))), hex(ord(char))


@pytest.mark.parametrize("name", ["аda", "Рlayer 1", "Αda", "Bоb", "ада a", "aµ"])
def test_letters_of_two_scripts_that_look_alike_make_no_name(name):
    with pytest.raises(Refusal, match="one script"):
        check_name(name)


@pytest.mark.parametrize("name", ["Ада", "Ελένη", "王さん", "Ken 健", "다나", "Zoë 2", "José-María", "ملك 1"])
def test_a_name_of_one_script_is_fine_and_so_are_the_usual_mixes(name):
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "Player 1",
        "player2",
        "PLAYER_10",
        "Ｐlayer 1",
        "The host",
        "HOST",
        "the server",
        "system",
        "Seat 2",
        "Bot",
        "bot easy",
    ],
)
def test_nobody_is_called_like_a_seat_the_host_or_a_bot(name):
    with pytest.raises(Refusal, match="a seat, the host or a bot"):
        check_name(name)


@pytest.mark.parametrize("name", ["Hostess", "Players", "Botticelli", "Seat", "Systema"])
def test_a_name_that_only_begins_so_is_fine(name):
    assert check_name(name) == name


def test_a_name_is_never_wider_or_longer_than_it_may_be():
    for char in ("a", "王", "q\u0323", "\U00010400\U00010a01"):
        longest = max((char * times for times in range(1, 40) if is_fine(char * times)), key=len)
        assert columns(longest) == NAME_COLUMNS
        assert len(longest) <= NAME_MAX


SAME = [
    ("Ada", "ada"),
    ("Ada", "ADA"),
    ("Ada", "Ａｄａ"),
    ("Ada", "𝐀𝒹𝖆"),
    ("Zoë", "Zoe\u0308"),
    ("ﬁnn", "finn"),
    ("Strauß", "STRAUSS"),
    ("Ådne", "\u212bdne"),
    ("Kay", "\u212aay"),
    ("ſam", "Sam"),
    ("Σας", "ΣΑΣ"),
    ("x²", "x2"),
    ("ǆ", "dž"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_differ_only_in_dress_are_the_same(one, other):
    assert make_name_key(one) == make_name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Ida"), ("Ada", "Ada1"), ("Zoe", "Zoë"), ("a.b", "a_b")])
def test_names_that_differ_are_not(one, other):
    assert make_name_key(one) != make_name_key(other)


def test_the_key_of_a_key_is_itself():
    for one, other in SAME:
        assert make_name_key(make_name_key(one)) == make_name_key(one)
        assert make_name_key(make_name_key(other)) == make_name_key(other)
