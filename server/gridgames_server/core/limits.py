"""Every limit of the server, with its reason."""

from typing import NamedTuple

# Time, in seconds.
HELLO_WITHIN = 10  # a client says hello at once
MESSAGE_WITHIN = 10  # from a message's first byte to its LF: a trickle must not hold a place
SILENCE = 25  # a client pings every 15 s; a connection survives one late ping
STUCK_OUTPUT = 10  # a connection that took no bytes for so long is closed
TLS_WITHIN = 5  # a handshake is two round trips
# The shortest pause between two steps of TLS handshakes. After a long step the pause is twice as long as the step, so
# two thirds of the loop's time remain for moves. A handshake with an RSA key of 4096 bits has steps of 5.4 and 0.15 ms.
# With its pauses it takes 22 ms, so 500 players are back in 11 s.
HANDSHAKE_PAUSE = 0.005
LOBBY_PAUSE = 0.25  # between two pushes of the lobby
TICK = 1.0  # between two checks of the clocks
CLOCK_GAP = 5.0  # a longer gap between two ticks means that the host slept; the gap does not count on any clock
ABSENCE = 60  # an absent player's own turn lasts so long before the other may claim the win
ROOM_DESERTED = 30 * 60  # a room is closed after both players were away for so long
WAITING_DESERTED = 5 * 60  # the same for a room in which no game can go on
ROOM_IDLE = 6 * 60 * 60  # a room is closed after so long without any event
HEARTBEAT_EVERY = 10  # the time is written to disk so often; a restart may add as much to a turn
FORGET_EVERY = 60  # between two searches for tokens that can be forgotten
TOKEN_KEPT = 90 * 24 * 60 * 60  # for a player who is neither connected nor seated

# Sizes.
OUTPUT_MAX = 256 * 1024  # unsent bytes; above that the connection's requests wait. Four of the longest lines
OUTPUT_PROGRESS = 16 * 1024  # bytes that such a connection must take every STUCK_OUTPUT seconds
# Unsent bytes; above that a connection is closed. This is half as much again as the most that can be sent at once: the
# longest ending (190 kB), all chat that a room may send in a burst (250 kB) and a lobby (65 kB). A test adds that up.
OUTPUT_CAP = 768 * 1024
BAD_LINES_MAX = 8  # unreadable lines before a connection is closed
ROOM_LOG = 50  # events that a player who comes back is sent again
LOBBY_ROOMS = 210  # rooms in the list: that many fit in one line, with LOBBY_NAMES names
LOBBY_NAMES = 20  # names of players in the lobby: more would not fit on a screen
LOBBY_AGENT = 16  # characters of a program's name in the list
WATCHERS_MAX = 50  # in a room: each is sent a view after each move
TOKENS_MAX = 20_000  # stored tokens: a few megabytes
# Bytes that one read takes: what a turn of the loop handles for one connection must be little. A TLS hello fits.
READ_SIZE = 2_048

# Numbers of connections and effects.
# Seconds of work on input in one turn of the loop, for all connections together. The rest waits for the next turn, in
# which the addresses take turns. A move needs about four turns.
TURN_WORK = 0.002
BEHIND_MAX = 8_000  # effects that wait for the disk; above that the server reads no more input
ACCEPTS = 2  # connections accepted in one turn of the loop: a flood of them must leave time for moves
BACKLOG = 256  # connections that the system queues for us: many players may come back at once
# Connections above the limits, in all and from one address, that are still sent the reason before they are closed.
SURPLUS = 64
SURPLUS_PER_ADDRESS = 16

# Costs, in requests. A connection gets `rate` requests a second, and may save up BURST seconds of them.
COST_ERROR = 2  # added to the cost of a refused request: a client that only makes errors is cut three times as soon
COST_CREATE = 2  # a room is stored; the cost must be at most 3, or it can't be paid at a rate of 1
COST_CHAT = 2  # it goes to everybody in the room
COST_LOOK = 3  # history, replay and standings need the store and a thread, and a hint a thread
COST_WATCH = 3  # it sends a view and the room's log, and later the lobby again
BYTES_PER_REQUEST = 4_096  # so many received bytes cost as much as a request, so a flood of empty lines is not free
# So many reads and TLS records that end no line cost as much as a request. Each takes the loop 4 to 40 µs.
PARTS_PER_REQUEST = 8
BURST = 3  # seconds of the rate that may be saved up

BURST_LEAST = 4  # requests that a new connection always has, even if its address has used up its share

# Addresses, over all their connections.
ADDRESSES_MAX = 4_096  # addresses in a table of limits: some hundred bytes each
# The share of a seated player who has played before: per second, and saved up. It is used before the address's share,
# so others at the same address can't prevent a rematch.
OWN_GAMES = (1 / 30, 2)
OWN_CHATS = (1 / 4, 8)
# Seals and moves that watchers and players of one address are sent when they enter a room or come back: per second, and
# saved up. A usual game has some dozens, the longest 6,000.
TOLD_AGAIN = (500, 20_000)
# Sessions of one address that are logged: per second, and saved up. A flood would fill the disk with its log.
LOGGED = (1, 200)
LOG_SUM_EVERY = 60  # seconds between two lines about the others
# Connections above an address's limits that may still show the token of a player who has a seat.
RETURNING_PER_ADDRESS = 8
RETURNING_WITHIN = 2  # seconds: such a client says hello at once
TOKENS_PER_ADDRESS = 2_000  # stored tokens of one address; above that its own oldest tokens are forgotten
# Threads in which the computer thinks. More threads think no faster, and each makes moves wait. With two, one long
# thought does not hold up all others.
THOUGHTS_MAX = 2
THOUGHTS_PER_ADDRESS = 1  # of them
HINTS_MAX = 256  # hints that wait, each for some milliseconds of thinking. Above that each address may have one
HINTS_PER_ADDRESS = 32
ANALYSES_MAX = 32  # games that wait for their analysis: each takes up to a second. More are left out
# Seconds after which another question takes a thought's place, and a hint is answered with an error. The longest
# thought takes a part of a second.
THOUGHT_LOST = 60

# Chat in one room, besides the limit of each connection. Each seat has its own allowance. The watchers share one, so
# they can't fill the output of the players.
ROOM_CHATS_PER_SECOND = 4
ROOM_CHATS = 60

# Wrong passwords and room codes: a person mistypes a few times a minute, a search needs millions of guesses.
GUESSES = 10
GUESSES_PER_SECOND = 10 / 60

# Answers to clients that search for servers. A client calls three times in a second.
CALLS_PER_ADDRESS = 12  # at once
CALLS_PER_SECOND_AND_ADDRESS = 2
CALLS_SAVED = 100  # at once, from everybody
CALLS_PER_SECOND = 50
CALLERS_MAX = 1_000  # addresses in the table of these limits


# Bytes that a room takes at most: a game of 4,000 lines (`LINES_MAX` bounds it) with 2,000 seals takes 650 kB, the
# longest chat lines in its log 150 kB. Its ending takes 200 kB more until the next game.
ROOM_MEMORY = 800_000

BAN_AFTER_KICK = 60  # seconds before a kicked player may come back
BANS_MAX = 1_000  # stored at once


class Limits(NamedTuple):
    """The limits that a host can set."""

    max_players: int = 500  # connections in all: a few dozen kilobytes each
    max_per_address: int = 64  # a household or a school class behind one router
    max_rooms: int = 2_000  # 24 kB each in the usual case, at most ROOM_MEMORY
    max_rooms_per_address: int = 64  # as many as connections
    rate: int = 20  # requests a second and connection; 0 means no limit
