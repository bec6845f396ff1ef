"""Addresses: where the server listens, what is typed to come there, and who counts as one."""

import errno
import ipaddress
import socket
import subprocess
import sys

import pytest

from gridgames_protocol.machine import own_addresses
from gridgames_server.net.addresses import bind, format_address, is_public, list_reachable_addresses, make_limit_key
from tests.wire import environment


@pytest.fixture
def opened():
    """Sockets that are closed when the test is over."""
    found = []
    yield found
    for one in found:
        one.close()


def reaches(address):
    """True if something listens there."""
    try:
        with socket.create_connection(address, timeout=5):
            return True
    except OSError:
        return False


def test_a_free_port_is_taken_and_known_at_once(opened):
    opened += bind("127.0.0.1", 0)
    (bound,) = opened
    host, port = bound.getsockname()
    assert (host, port > 0) == ("127.0.0.1", True)
    assert reaches((host, port))


def test_every_address_of_a_host_gets_the_same_port(opened):
    opened += bind("localhost", 0)
    assert len({bound.getsockname()[1] for bound in opened}) == 1
    assert reaches(("localhost", opened[0].getsockname()[1]))


def test_the_address_of_both_kinds_takes_ipv4_in_as_well(opened):
    opened += bind("::", 0)
    port = opened[0].getsockname()[1]
    assert reaches(("127.0.0.1", port))
    assert reaches(("::1", port))


def test_another_ipv6_address_is_that_alone(opened):
    opened += bind("::1", 0)
    port = opened[0].getsockname()[1]
    assert reaches(("::1", port))
    assert not reaches(("127.0.0.1", port))


def test_what_asyncio_accepts_is_known_to_be_tcp(opened):
    opened += bind("127.0.0.1", 0)
    assert opened[0].proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken_is_an_error_and_leaves_nothing_open(opened):
    opened += bind("127.0.0.1", 0)
    with pytest.raises(OSError, match="in use") as caught:
        bind("127.0.0.1", opened[0].getsockname()[1])
    assert caught.value.errno == errno.EADDRINUSE


def test_an_address_of_another_machine_is_an_error():
    with pytest.raises(OSError) as caught:  # noqa: PT011
        bind("203.0.113.77", 0)
    assert caught.value.errno == errno.EADDRNOTAVAIL


@pytest.mark.parametrize(
    ("bound", "typed"),
    [
        (("192.168.1.20", 4743), "192.168.1.20:4743"),
        (("127.0.0.1", 1), "127.0.0.1:1"),
        (("::1", 4743, 0, 0), "[::1]:4743"),
        (("2001:db8::5", 4743, 0, 0), "[2001:db8::5]:4743"),
        (("::ffff:192.168.1.20", 4743, 0, 0), "192.168.1.20:4743"),
        (("fe80::1%eth0", 4743, 0, 2), "[fe80::1]:4743"),
        ("/run/gridgames.sock", "HOST:PORT"),
        (None, "HOST:PORT"),
    ],
)
def test_a_socket_is_named_as_one_types_it(bound, typed):
    assert format_address(bound) == typed


def test_one_address_is_typed_as_it_is():
    assert list_reachable_addresses(("192.168.1.20", 4743)) == ["192.168.1.20:4743"]
    assert list_reachable_addresses(("::1", 4743, 0, 0)) == ["[::1]:4743"]


@pytest.mark.parametrize(("everywhere", "versions"), [("0.0.0.0", {4}), ("::", {4, 6})])
def test_every_address_is_typed_as_one_that_this_machine_has(everywhere, versions):
    found = list_reachable_addresses((everywhere, 4743))
    assert found
    for address in found:
        host = ipaddress.ip_address(address.removesuffix(":4743").strip("[]"))
        assert host.version in versions
        assert not host.is_unspecified
        with socket.socket(socket.AF_INET if host.version == 4 else socket.AF_INET6) as here:
            here.bind((str(host), 0))  # which works with one's own addresses alone


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("127.0.0.1:4743", False),
        ("192.168.1.20:4743", False),
        ("10.0.0.7:4743", False),
        ("172.16.3.4:4743", False),
        ("169.254.7.7:4743", False),
        ("100.64.0.1:4743", False),
        ("[::1]:4743", False),
        ("[fe80::1]:4743", False),
        ("[fd00::2]:4743", False),
        ("8.8.8.8:4743", True),
        ("172.32.0.1:4743", True),
        ("[2a00:1450:4001::1]:4743", True),
    ],
)
def test_an_address_is_public_if_the_whole_internet_can_reach_it(address, public):
    assert is_public(address) is public


@pytest.mark.parametrize(
    ("peer", "one"),
    [
        (("192.168.1.20", 50_000), "192.168.1.20"),
        (("::ffff:192.168.1.20", 50_000, 0, 0), "192.168.1.20"),
        (("2001:db8:1:2:3:4:5:6", 50_000, 0, 0), "2001:db8:1:2::/64"),
        (("2001:db8:1:2:aaaa::1", 50_000, 0, 0), "2001:db8:1:2::/64"),
        (("2001:db8:1:3::1", 50_000, 0, 0), "2001:db8:1:3::/64"),
        (("fe80::1%eth0", 50_000, 0, 2), "fe80::/64"),
        ("", "this machine"),
        ("/run/somebody.sock", "this machine"),
        (None, "this machine"),
    ],
)
def test_one_host_counts_as_one_however_many_addresses_it_has(peer, one):
    assert make_limit_key(peer) == one


def test_every_address_is_named_private_ones_first(monkeypatch):
    has = {
        socket.AF_INET: {"8.8.8.8", "127.0.0.1", "10.77.2.1", "10.77.1.1"},
        socket.AF_INET6: {"fe80::1", "fd00::2", "::1"},
    }
    monkeypatch.setattr(own_addresses, "own_addresses", has.get)
    assert list_reachable_addresses(("0.0.0.0", 1)) == ["10.77.1.1:1", "10.77.2.1:1", "8.8.8.8:1"]
    assert list_reachable_addresses(("::", 1)) == ["10.77.1.1:1", "10.77.2.1:1", "[fd00::2]:1", "8.8.8.8:1"]


def test_loopback_is_named_if_there_is_nothing_else(monkeypatch):
    monkeypatch.setattr(own_addresses, "own_addresses", lambda family: {"127.0.0.1"})
    assert list_reachable_addresses(("0.0.0.0", 4743)) == ["127.0.0.1:4743"]


NAMES_ONLY_NUMBERS = """
import ipaddress, sys

def refuse(event, given):
    assert event not in {"socket.gethostname", "socket.gethostbyname", "socket.gethostbyaddr"}, event
    if event == "socket.getaddrinfo" and given[0]:
        ipaddress.ip_address(given[0])  # a ValueError for a name

sys.addaudithook(refuse)
from gridgames_server.__main__ import main
main()
"""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "127.0.0.1"])
def test_the_program_starts_without_looking_a_name_up(host):
    """So that a resolver that does not answer can't hold up the start."""
    command = [sys.executable, "-c", NAMES_ONLY_NUMBERS, "--host", host, "--port", "0", "--no-store"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        announced = process.stdout.readline().decode()
        process.terminate()
        logged = process.stderr.read().decode()
    assert "is listening. To play: gridgames-client " in announced, logged
    assert "Traceback" not in logged


def test_networks_without_a_way_out_are_named_with_every_address(capsys):
    module = "gridgames_server.net.addresses"
    code = f"from {module} import list_reachable_addresses as found; print(*found(('0.0.0.0', 4743)))"
    setup = "ip link set lo up && ip link add left type veth peer name right && ip link set left up && "
    setup += "ip link set right up && ip addr add 10.77.1.1/24 dev left && ip addr add 10.77.2.1/24 dev right && "
    setup += "ip addr add 10.77.3.1/24 dev left"
    no_network = 77  # the exit code if the network can't be made: an error of the program itself has another one
    script = f'{{ {setup}; }} || exit {no_network}; exec "$@"'
    command = ["unshare", "-n", "sh", "-c", f'echo "in it"; {script}', "sh", sys.executable, "-c", code]
    try:
        said = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        said = subprocess.CompletedProcess(command, no_network, "", str(error))
    if said.returncode == no_network or not said.stdout:
        with capsys.disabled():
            print(f"\nno network of its own can be made here: {said.stderr.strip()}")
        return
    assert (said.stdout.split()[2:], said.stderr) == (["10.77.1.1:4743", "10.77.2.1:4743", "10.77.3.1:4743"], "")
