"""The servers that were found: each once, in an order that stays, and as text that can do nothing but be read."""

from gridgames_client.net.found_servers import (
    HEARD_MAX,
    HERE,
    LISTED_MAX,
    ROWS_MAX,
    SILENT,
    FoundServers,
    Server,
    ServerChoice,
    find_row,
    list_as_lines,
)
from gridgames_client.render.drawing.text_layout import ASCII, LINES, plain, width
from gridgames_client.render.server_list import ServerRow, draw_servers
from gridgames_protocol.discovery import Answer


def answer(instance="a", server="the attic", port=4743, players=3, open=1, **more):
    facts = {"password": False, "tls": False, "version": "0.1.0", "protocol": 1, **more}
    return Answer("0" * 16, instance * 16, server, port, players, open, **facts)


ATTIC = Server("192.168.1.20", answer())
CELLAR = Server("192.168.1.21", answer("c", "the cellar", 4000, 1, 0, password=True, tls=True))
LATER = Server("192.168.1.22", answer("d", "a later one", version="9.0", protocol=2))
FOUND = (ATTIC, CELLAR, LATER)


def draw(picking, columns, rows, glyphs=LINES):
    servers = [ServerRow(server.name, server.address_text, server.facts, server.answers) for server in picking.servers]
    return draw_servers(servers, HERE, picking.row, picking.word, glyphs, columns, rows)


# Each once ------------------------------------------------------------------------------------------------------------


def places(*heard):
    found = FoundServers()
    for host, told in heard:
        found.add(host, told, 0.0)
    return [server.address_text for server in found.list_present(0.0)]


def test_a_server_that_answers_at_several_addresses_is_listed_once_by_the_best():
    heard = [("127.0.0.1", answer()), ("192.168.1.20", answer()), ("127.0.0.1", answer()), ("10.0.0.1", answer())]
    assert places(*heard) == ["192.168.1.20:4743"]
    assert places(*heard[1:3]) == ["192.168.1.20:4743"]
    assert places(*heard[:1]) == ["127.0.0.1:4743"]


def test_two_servers_of_one_machine_are_two():
    heard = [("127.0.0.1", answer("a", port=4743)), ("127.0.0.1", answer("b", port=4744))]
    assert places(*heard) == ["127.0.0.1:4743", "127.0.0.1:4744"]


def test_the_order_is_that_of_the_names_whoever_answers_first():
    heard = [("192.168.1.9", answer("e", "Zoë")), (CELLAR.host, CELLAR.answer), (LATER.host, LATER.answer),
             ("192.168.1.30", answer("f", "the attic")), (ATTIC.host, ATTIC.answer)]  # fmt: skip
    order = ["192.168.1.20:4743", "192.168.1.30:4743", "192.168.1.21:4000", "192.168.1.9:4743", "192.168.1.22:4743"]
    assert places(*heard) == places(*reversed(heard)) == order, "the one that this client can't understand is last"


def test_a_network_full_of_servers_is_cut_short():
    crowd = [(f"10.0.{n // 250}.{n % 250 + 1}", answer(server=f"{n:04}")) for n in range(3)]
    assert len(places(*crowd)) == 1, "they claim to be one"
    crowd = [("10.0.0.1", Answer("0" * 16, f"{n:016x}", "x", n + 1, 0, 0, False, False, "1", 1)) for n in range(1_000)]
    assert len(places(*crowd)) == LISTED_MAX
    found = FoundServers()
    for host, told in crowd:
        found.add(host, told, 0.0)
    assert len(found.heard) == HEARD_MAX
    found.add(ATTIC.host, ATTIC.answer, SILENT)
    assert found.list_present(SILENT) == (ATTIC,), "those who are silent make place"


def answers_of_one(number):
    return Answer("0" * 16, f"{number:016x}", "x", number + 1, 0, 0, False, False, "1", 1)


def test_a_host_that_answers_without_end_hides_no_server_of_another_host():
    found = FoundServers()
    for number in range(2 * HEARD_MAX):
        found.add("10.0.0.1", answers_of_one(number), 0.0)
    assert found.add(ATTIC.host, ATTIC.answer, 0.0)
    assert not found.add("10.0.0.1", answers_of_one(2 * HEARD_MAX), 0.0), "it has the most"
    assert len(found.heard) == HEARD_MAX
    listed = found.list_present(0.0)
    assert ATTIC in listed
    assert [server.answer.port for server in listed if server != ATTIC] == list(range(1, LISTED_MAX))


def test_a_full_list_is_shared_among_the_hosts():
    found = FoundServers()
    for host in range(60):
        for number in range(30):
            found.add(f"10.0.0.{host}", answers_of_one(100 * host + number), 0.0)
    found.add(ATTIC.host, ATTIC.answer, 0.0)
    hosts = [server.host for server, _ in found.heard.values()]
    assert ATTIC.host in hosts
    assert {hosts.count(host) for host in hosts if host != ATTIC.host} <= set(range(1, 10))
    assert len({server.host for server in found.list_present(0.0)}) == LISTED_MAX


def test_an_answer_is_news_when_it_tells_something_else():
    found = FoundServers()
    told = [("127.0.0.1", answer()), ("192.168.1.20", answer()), ("127.0.0.1", answer()), ("10.0.0.1", answer(open=2))]
    assert [found.add(host, one, 0.0) for host, one in told] == [True, True, False, True]


def test_a_server_that_was_started_anew_takes_its_own_place():
    assert places((ATTIC.host, answer("a")), (ATTIC.host, answer("b", "the new attic"))) == [ATTIC.address_text]


def test_a_server_is_present_until_three_calls_are_unanswered():
    found = FoundServers()
    found.add(ATTIC.host, ATTIC.answer, 10.0)
    assert found.list_present(10.0 + SILENT - 1) == (ATTIC,)
    assert found.list_present(10.0 + SILENT) == ()
    found.add(ATTIC.host, ATTIC.answer, 30.0)
    assert found.list_present(30.0) == (ATTIC,)


def test_a_server_that_has_moved_is_listed_where_it_answers_now():
    found = FoundServers()
    found.add("192.168.1.20", answer(), 0.0)
    assert found.add("10.0.0.1", answer(), SILENT)
    assert [server.address_text for server in found.list_present(SILENT)] == ["10.0.0.1:4743"]


def test_answers_from_another_host_do_not_keep_an_address_that_is_silent():
    found = FoundServers()
    found.add("192.168.1.20", answer(), 0.0)
    found.add("10.0.0.1", answer(players=4), SILENT - 1)
    assert [server.address_text for server in found.list_present(SILENT - 1)] == ["192.168.1.20:4743"]
    found.add("10.0.0.1", answer(), SILENT)
    assert [server.address_text for server in found.list_present(SILENT)] == ["10.0.0.1:4743"]


# As text --------------------------------------------------------------------------------------------------------------


def test_a_server_tells_who_is_there_and_what_it_takes_to_come_in():
    assert [server.facts for server in FOUND] == [
        "3 players, 1 open",
        "password, TLS, 1 player, 0 open",
        "another version (9.0)",
    ]


def test_nothing_that_a_server_calls_itself_can_do_anything_to_a_terminal():
    evil = Server("192.0.2.1", answer(server="\x1b[2J\u202eattic\n", version="\x1b]0;x\x07", protocol=3))
    assert evil.name == "[2Jattic"
    assert evil.facts == "another version (]0;x)"
    assert Server("192.0.2.1", answer(server="\x1b")).name == "a server"
    for line in [*list_as_lines((evil,)), *(plain(line) for line in draw(ServerChoice((evil,)), 80, 24))]:
        assert line.isprintable()


def test_the_rows_in_plain_lines_are_numbered():
    assert list_as_lines((*FOUND[:2], None)) == [
        "1. the attic, 192.168.1.20:4743: 3 players, 1 open",
        "2. the cellar, 192.168.1.21:4000: password, TLS, 1 player, 0 open",
        f"3. {HERE}",
    ]
    assert list_as_lines((LATER,), 4) == ["4. a later one, 192.168.1.22:4743: another version (9.0)"]


def shown(picking, columns=80, rows=24, glyphs=LINES):
    lines = draw(picking, columns, rows, glyphs)
    assert len(lines) == rows
    assert all(width(line) <= columns for line in lines)
    return [plain(line).rstrip() for line in lines]


def test_the_list_on_the_screen():
    assert [line for line in shown(ServerChoice(FOUND, 1)) if line] == [
        " gridgames ∙ on your network",
        " " + "─" * 78,
        "  Servers",
        "    the attic          192.168.1.20:4743     3 players, 1 open",
        "  ▸ the cellar         192.168.1.21:4000     password, TLS, 1 player, 0 open",
        "    a later one        192.168.1.22:4743     another version (9.0)",
        "  This machine",
        f"    {HERE}",
    ]


def test_the_list_fits_on_every_screen_with_the_chosen_row_in_sight():
    crowd = tuple(Server("10.0.0.1", answer(server=f"server {n}", port=n + 1)) for n in range(40))
    for rows in (3, 5, 10, 24):
        for columns in (12, 30, 59, 60, 80, 200):
            for row in (0, 7, 39, 40):
                text = "\n".join(shown(ServerChoice(crowd, row), columns, rows, ASCII))
                assert "> " in text


# As servers come and go -----------------------------------------------------------------------------------------------


def rows(picking):
    return [server.name for server in picking.servers], picking.server and picking.server.name


def test_no_row_moves_when_servers_come_and_go():
    picking = ServerChoice((ATTIC, CELLAR), row=1).update((CELLAR,))
    assert rows(picking) == (["the attic", "the cellar"], "the cellar")
    assert picking.servers[0].facts == "does not answer now"
    assert not picking.servers[0].answers
    earlier = Server("10.0.0.1", answer("0", "a barn"))
    picking = picking.update((earlier, ATTIC))
    assert rows(picking) == (["the attic", "the cellar", "a barn"], "the cellar")
    assert [server.answers for server in picking.servers] == [True, False, True]
    assert rows(ServerChoice((ATTIC,), row=1).update((ATTIC, CELLAR)))[1] is None, "this machine stays chosen"


def test_a_server_that_was_started_anew_or_is_heard_another_way_stays_in_its_row():
    anew = Server(ATTIC.host, answer("b", "the new attic"))
    other_way = Server("10.0.0.7", CELLAR.answer)
    assert ServerChoice((ATTIC, CELLAR)).update((other_way, anew)).servers == (anew, other_way)


def test_the_list_stays_cut_short_while_servers_come_and_has_a_row_for_other_hosts():
    crowd = tuple(Server("10.0.0.1", answer("e", port=n + 1)) for n in range(ROWS_MAX))
    picking = ServerChoice((ATTIC,), row=1).update(crowd)
    assert len(picking.servers) == 1 + ROWS_MAX // 2
    assert picking.server is None
    assert picking.update((*crowd, CELLAR)).servers == (*picking.servers, CELLAR)
    hosts = tuple(Server(f"10.0.1.{n}", answer("e")) for n in range(2 * ROWS_MAX))
    assert len(picking.update(hosts).servers) == ROWS_MAX


def test_a_server_that_does_not_answer_is_shown_so_on_every_screen():
    picking = ServerChoice((ATTIC,)).update(())
    for columns in (40, 80):
        assert any("the attic" in line and "does not answer now" in line for line in shown(picking, columns))


# Choosing -------------------------------------------------------------------------------------------------------------


def test_the_row_below_the_last_server_is_this_machine_and_the_rows_go_round():
    picking = ServerChoice(FOUND)
    assert picking.server is ATTIC
    assert picking.move_cursor(-1).server is None
    assert picking.move_cursor(-1).move_cursor(1).server is ATTIC
    assert picking.move_to(1).server is CELLAR
    assert picking.move_to(7) == picking.move_to(-1) == picking


def test_a_server_of_another_version_is_refused_in_a_sentence_that_goes_away():
    picking = ServerChoice(FOUND, 2).say_refusal()
    assert "a later one is gridgames 9.0, which this client does not understand." in shown(picking)[-1]
    assert picking.move_cursor(1).word == picking.move_to(0).word == ""


def test_a_typed_line_means_a_row_or_none():
    assert [find_row(typed, 4, 2) for typed in ("1", " 2 ", "3", "4", "", "h", "Here")] == [0, 1, 2, 3, 2, 2, 2]
    nothing = ("0", "5", "-1", "x", "1.5", "٣", "1" * 5_000, "create grid-hunt")
    assert [find_row(typed, 4, 2) for typed in nothing] == [None] * 8
