"""Every bound that the server keeps, each with its reason."""

from dataclasses import dataclass

# Time, in seconds.
HELLO_WITHIN = 10  # a client says hello at once; what does not is no client
MESSAGE_WITHIN = 10  # from a message's first byte to its LF: a trickle must not hold a place
SILENCE = 25  # a client pings every 15 s; one lost ping and some are forgiven
STUCK_OUTPUT = 10  # a reader that took nothing for so long will not catch up
TLS_WITHIN = 5  # a handshake is two round trips
LOBBY_PAUSE = 0.25  # between two pushes of the lobby: four a second read as live
TICK = 1.0  # between two looks at the clocks
CLOCK_GAP = 5.0  # there is a tick every second: a longer gap means that the host slept, and clocks are put on hold
ABSENCE = 60  # of an absent player's own turn, before the other may claim the win
ROOM_DESERTED = 30 * 60  # both away for so long: they have gone home
ROOM_IDLE = 6 * 60 * 60  # nobody has done anything for so long
LIVED_EVERY = 10  # between two notes of the time on disk: what a restart may add to a turn
FORGET_EVERY = 60  # between two looks for tokens that can be forgotten
TOKEN_KEPT = 90 * 24 * 60 * 60  # for a player who is neither connected nor seated

# Sizes.
OUTPUT_MAX = 256 * 1024  # bytes that wait for one reader: four of the longest lines
BAD_LINES_MAX = 8  # a client that makes so many will not make a good one
ROOM_LOG = 50  # events shown again to one who comes back
LOBBY_ROOMS = 250  # listed at once: that many fit in one line
WATCHERS_MAX = 50  # in a room: each costs a view a move
TOKENS_MAX = 20_000  # remembered players: a few megabytes
READ_SIZE = 64 * 1024  # the one buffer that all connections read into

# Crowds.
BEHIND_MAX = 2_000  # answers that wait for the disk: one that hangs must not fill the memory with wishes
BACKLOG = 256  # connections that the system holds for us: a whole party that comes back at once
# Connections above the limits, in all and from one address, that are still told why they can't stay.
SURPLUS = 64
SURPLUS_PER_ADDRESS = 16

# Costs, in requests. A connection gets `rate` of them a second and may save three seconds' worth.
COST_ERROR = 2  # on top: whoever only makes errors is cut three times as soon
COST_CREATE = 2  # it makes something that stays; at a rate of 1, more than 3 could never be paid
COST_CHAT = 2  # it goes to everybody in the room
COST_LOOK = 3  # history, replay and standings: the store and a thread have to work for it
COST_WATCH = 3  # it shows a table with its whole log, and the lobby when one has seen enough
BYTES_PER_REQUEST = 4_096  # what arrives costs too, so that a flood of empty lines is not free
BURST = 3  # seconds of the rate that may be saved up

# Guesses at passwords, tokens and room codes: a person mistypes a few times a minute, a search needs millions.
GUESSES = 10
GUESSES_PER_SECOND = 10 / 60

# Answers to those who look for servers: a client calls three times in a second, a flood does not stop.
CALLS_PER_ADDRESS = 12  # at once
CALLS_PER_SECOND_AND_ADDRESS = 2
CALLS_SAVED = 100  # at once, from everybody
CALLS_PER_SECOND = 50
CALLERS_MAX = 1_000  # addresses that are remembered for that


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds that a host may set."""

    max_players: int = 500  # connections in all: a few dozen kilobytes each
    max_per_address: int = 64  # a household or a school class behind one router
    max_rooms: int = 2_000  # two dozen kilobytes each, two hundred if nothing but the longest chat is in its log
    max_rooms_per_address: int = 64  # as many as players of that address
    rate: int = 20  # requests a second and connection; 0 means no limit
