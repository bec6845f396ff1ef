"""Planted secrets: what is nobody else's business is in no log, no status, no file that others can read, and no message
to anybody who may not know it. The server is killed in the middle of the scenario, and comes back."""

import signal
import stat
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskStandings,
    AskStatus,
    Chat,
    Create,
    Join,
    Over,
    Ping,
    Play,
    Resign,
    Status,
    Watch,
)
from gridgames_server.core.room_events import GameStarted
from tests.server.stored_hub import kept_in
from tests.wire import Guest, Program, program, run

NAMES = ("Ada", "Bob", "Wes", "Cat", "Dan", "Eve")
PASSWORD, AGENT, NONSENSE = "canary-password", "canary-agent", "canary nonsense"
HIDINGS = {"Ada": "hide (2 , 3)", "Bob": "Hide 5 , 5"}  # as nobody else would type it
CHATS = {"private": "canary chat of two", "public": "canary chat of all"}


@dataclass
class Scenario:
    """Everything that could be read by anybody."""

    store: Path
    guests: dict[str, list[Guest]] = field(default_factory=dict)  # the connections of each
    code: str = ""  # of the private room
    log: str = ""
    seeds: list[bytes] = field(default_factory=list)
    modes: dict[str, int] = field(default_factory=dict)  # of every file and folder
    heard_in_time: dict[str, set[str]] = field(default_factory=dict)  # who knew each hiding before the end

    @property
    def tokens(self) -> dict[str, str]:
        return {name: guests[0].token for name, guests in self.guests.items()}

    def who_heard(self, secret: str | bytes) -> set[str]:
        """To whom a secret was ever sent."""
        raw = secret.encode() if isinstance(secret, str) else secret
        return {
            name
            for name, guests in self.guests.items()
            if any(raw in encode(message) for guest in guests for message in guest.heard)
        }

    def stored(self) -> bytes:
        """All bytes of all files of the store."""
        return b"".join(file.read_bytes() for file in self.store.parent.iterdir() if file.is_file())

    async def comes(self, server: Program, name: str) -> Guest:
        """Somebody comes for the first time, or again."""
        before = self.guests.setdefault(name, [])
        token = before[-1].token if before else None
        guest = await server.connection(before[-1].last_id if before else 0)
        await guest.hello(name, token=token, password=PASSWORD, agent=AGENT)
        before.append(guest)
        return guest

    async def begins(self, server: Program) -> None:
        """A private table that somebody watches, an open one, and somebody in the lobby who is curious."""
        ada, bob, wes, cat, dan, eve = everybody = [await self.comes(server, name) for name in NAMES]
        self.code = (await ada.says(Create, game="grid-hunt", private=True, first="host")).room
        await wes.says(Watch, room=self.code)
        await bob.says(Join, room=self.code)
        await dan.says(Join, room=(await cat.says(Create, game="grid-conquest")).room)
        for guest, line in ((ada, HIDINGS["Ada"]), (bob, HIDINGS["Bob"]), (ada, NONSENSE), (eve, NONSENSE)):
            await guest.says(Play, line=line)
        await wes.says(Chat, text=CHATS["private"])
        await cat.says(Chat, text=CHATS["public"])
        await eve.says(AskStatus)
        eve.writer.write(b"canary garbage \xff\n")
        for guest in everybody:
            await guest.says(Ping)

    async def goes_on(self, server: Program) -> None:
        """Everybody is back, and the games come to their ends."""
        ada, bob, _, _, dan, eve = everybody = [await self.comes(server, name) for name in NAMES]
        for guest in everybody:
            await guest.says(Ping)
        self.heard_in_time = {name: self.who_heard(line) for name, line in HIDINGS.items()}
        await dan.says(Resign)
        await bob.says(Resign)
        await ada.sees(Over)
        await ada.says(Again)
        await bob.says(Again)
        for question in (AskStandings, AskHistory, AskStatus):
            await eve.says(question)


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    folder = tmp_path_factory.mktemp("canary")
    found = Scenario(folder / "kept" / "store")
    (folder / "password").write_text(PASSWORD)
    (folder / "password").chmod(0o600)
    flags = ("--store", str(found.store), "--password-file", str(folder / "password"), "--log-level", "debug")

    async def spend():
        for half, end in ((found.begins, signal.SIGKILL), (found.goes_on, signal.SIGTERM)):
            async with program(*flags) as server:
                await half(server)
                found.modes |= modes_of(found.store.parent)
                await server.ends(end)
            found.log += server.text

    run(spend())
    rooms = kept_in(found.store).rooms
    found.seeds = [event.seed for room in rooms for event in room.events if isinstance(event, GameStarted)]
    assert found.seeds
    return found


def modes_of(folder: Path) -> dict[str, int]:
    """Who may do what with a folder and all that is in it."""
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in (folder, *folder.iterdir())}


def test_the_log_knows_nobodys_words_names_codes_tokens_or_seeds(scenario):
    assert "room 1 opened" in scenario.log
    assert "stopped" in scenario.log
    planted = ("canary", *HIDINGS.values(), *scenario.tokens.values(), scenario.code, *NAMES)
    assert [secret for secret in planted if secret in scenario.log] == []
    assert [seed for seed in scenario.seeds if seed.hex() in scenario.log or str(seed) in scenario.log] == []


def test_a_token_is_sent_to_its_owner_alone(scenario):
    assert {name: scenario.who_heard(token) for name, token in scenario.tokens.items()} == {
        name: {name} for name in NAMES
    }


def test_a_private_rooms_code_is_known_to_those_who_are_in_it(scenario):
    assert scenario.who_heard(scenario.code) == {"Ada", "Bob", "Wes"}


def test_what_is_said_in_a_room_stays_in_it(scenario):
    assert scenario.who_heard(CHATS["private"]) == {"Ada", "Bob", "Wes"}
    assert scenario.who_heard(CHATS["public"]) == {"Cat", "Dan"}


def test_what_was_typed_in_secret_is_sent_to_nobody_before_the_end(scenario):
    assert scenario.heard_in_time == {"Ada": set(), "Bob": set()}
    assert scenario.who_heard(HIDINGS["Ada"]) == {"Ada", "Bob"}, "then everything is opened"


def test_nobody_is_ever_sent_a_seed(scenario):
    assert len(set(scenario.seeds)) == 3
    assert [seed for seed in scenario.seeds if scenario.who_heard(seed) | scenario.who_heard(seed.hex())] == []


def test_refused_words_passwords_and_agents_go_nowhere(scenario):
    for secret in (PASSWORD, AGENT, NONSENSE, "canary garbage"):
        assert scenario.who_heard(secret) == set()
        assert secret.encode() not in scenario.stored()


def test_a_status_has_counts_name_and_version_and_nothing_of_the_disk(scenario):
    for guest in scenario.guests["Eve"]:
        (status,) = [message for message in guest.heard if isinstance(message, Status)]
        told = asdict(status)
        assert (told.pop("server"), told.pop("version")) == ("gridgames", version("gridgames"))
        del told["features"]
        assert told.keys() == {"re", "uptime", "players", "rooms", "games", "moves"}
        assert {type(number) for number in told.values()} == {int}


def test_every_file_is_its_owners_alone(scenario):
    assert {scenario.modes[name] for name in ("store", "store-wal")} == {0o600}
    assert {name: mode for name, mode in scenario.modes.items() if mode & 0o077} == {}


def test_the_store_does_not_know_a_token(scenario):
    stored = scenario.stored()
    assert CHATS["private"].encode() in stored, "but what was said, for those who come back"
    for token in scenario.tokens.values():
        assert token.encode() not in stored
        assert bytes.fromhex(token) not in stored
