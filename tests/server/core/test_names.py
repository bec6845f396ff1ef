"""Players' names: what one may be made of, how wide it may be, and when two are the same."""

import unicodedata
from pathlib import Path

import pytest

from gridgames_protocol.messages import NAME_COLUMNS, NAME_MAX
from gridgames_protocol.safe_text import columns, is_harmless
from gridgames_server.core.names import check_name, make_name_key
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


IMITATIONS = [
    *(
        "НОЅТ",
        "ЅЕАТ 1",
        "ВОТ 3",
        "һоѕт",
        "ѕегѵег",
        "рӏауег 1",
        "тһе ноѕт",
        "ΒΟΤ",
        "ꓧꓳꓢꓔ",
        "ᎻᎾᏚᎢ",
        "ʜᴏꜱᴛ",
        "ｈｏｓｔ",
        "𝐇𝐎𝐒𝐓",
        "ⲂⲞⲦ",
    ),
    *(
        "Player l",
        "Player I",
        "Player 1.",
        "player  1",
        "Player-1",
        "P.l.a.y.e.r 1",
        "Player1",
        "Playerl",
        "Player \u0661",
    ),
    *(
        "Player One",
        "player_two",
        "Player 1 says",
        "P1ayer 2",
        "PIayer 1",
        "Player ǀ",
        "Player ɩ",
        "Player ƻ",
        "Player ⁱ",
    ),
    *("Seat 12", "5eat 1", "Seat No 1", "Seat.I", "S.e.a.t.2", "Şëåt 1", "Pl4y3r 1", "the Player 1", "Player \u0967"),
    *(
        "host.",
        "-host-",
        "H.O.S.T",
        "h o s t",
        "H0ST",
        "H05T",
        "h0s7",
        "høst",
        "höst",
        "hosṫ",
        "Thehost",
        "The_Host",
        "host1",
    ),
    *("The host says", "The host hi", "Host Ada", "host says hi", "Server 1", "The server is", "5YSTEM"),
    *("system", "System says", "Bot Ada", "b0t", "B.O.T", "bot2", "Bot -hard-", "The Bot", "The computer", "Computer"),
    *("Hostˈ", "Thehostsays hi", "ho st", "s_e_r_v_e_r", "Server."),
    *("Player ￜ", "Player 丨", "Player ㅣ", "Pￜayer 1", "Hﾷst", "hosꞇ", "Pꞁayer 1", "Playerǃ1", "Hðst", "WARNING"),
    *("Player2 is away", "Player two2", "Seat1 has won", "Playerone says", "Y0u", "Yo u", "N0body", "You", "Nobody"),
]


@pytest.mark.parametrize("name", IMITATIONS)
def test_nobody_is_called_like_them_in_other_letters(name):
    with pytest.raises(Refusal, match="a seat, the host or a bot"):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Hostess",
            "Hosta",
            "Players",
            "Player",
            "Botticelli",
            "Botond",
            "Bots",
            "Seat",
            "Seatle",
            "Seaton",
            "Systema",
        ),
        *("Player Lisa", "Players 2", "Ghost", "Ghost 1", "Abbott", "Both", "Lotte", "Theo", "Theo Star", "Observer"),
        *("Hostettler", "Botha", "Serverus", "Ada host", "one", "1", "I", "l", "0", "...", "-", "Playera", "Seat Leon"),
    ],
)
def test_a_name_that_only_begins_so_is_fine(name):
    assert check_name(name) == name


REAL = Path(__file__).with_name("real_names.txt").read_text("utf-8").split("\n")[:-1]


def test_real_names_of_many_peoples_are_fine_and_distinct():
    assert len(REAL) >= 300
    for name in REAL:
        assert check_name(name) == name
    by_key = {}
    for name in REAL:
        by_key.setdefault(make_name_key(name), set()).add(name)
    alike = sorted(sorted(names) for names in by_key.values() if len(names) > 1)
    assert alike == [["Björn", "Bjørn"], ["Ian", "Lan"], ["Ila", "Lia"], ["Jose", "José"], ["Zoe", "Zoë"]]


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
    ("Ada", "Аԁа"),
    ("ANNA", "ΑΝΝΑ"),
    ("Zoe", "Zoë"),
    ("Søren", "Soren"),
    ("Łukasz", "Lukasz"),
    ("Ali", "AlI"),
    ("Ali", "Al1"),
    ("Bob", "B0b"),
    ("Anna-2", "Anna 2"),
    ("Ada", "A.d.a."),
    ("Ada", "Adaˈ"),
    ("Ada 2", "Ada \u0662"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_differ_only_in_dress_are_the_same(one, other):
    assert make_name_key(one) == make_name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "Ida"),
        ("Ada", "Ada1"),
        ("Ada", "Ada-2"),
        ("Ada1", "Ada2"),
        ("ada-2", "ada-3"),
        ("राम", "रमा"),
        ("かな", "がな"),
        ("ユコ", "ユーコ"),
        ("...", "-"),
    ],
)
def test_names_that_differ_are_not(one, other):
    assert make_name_key(one) != make_name_key(other)


def test_the_key_of_a_key_is_itself():
    names = [*map(chr, EVERY), *(name for pair in SAME for name in pair), *REAL]
    for name in filter(is_fine, names):
        assert make_name_key(make_name_key(name)) == make_name_key(name), name


def test_the_key_does_not_depend_on_case():
    for name in filter(is_fine, [*map(chr, EVERY), *REAL]):
        assert make_name_key(name.upper()) == make_name_key(name.lower()) == make_name_key(name), name
