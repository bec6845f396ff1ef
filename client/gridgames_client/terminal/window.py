"""Features of the terminal's window: focus, notifications, and frames that are drawn at once."""

from collections.abc import Mapping

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from gridgames_client.terminal.background import SIMPLE

FOCUS_ON, FOCUS_OFF = "\x1b[?1004h", "\x1b[?1004l"
FRAME_BEGIN, FRAME_END = "\x1b[?2026h", "\x1b[?2026l"
GAINED, LOST = Keys.F23, Keys.F24  # unused keys stand for the window's focus
TEXT = "gridgames: it is your turn."
OSC_9 = ("iTerm.app", "WezTerm", "ghostty")  # terminals that show a notification for OSC 9

ANSI_SEQUENCES["\x1b[I"], ANSI_SEQUENCES["\x1b[O"] = GAINED, LOST


def choose_notification(environ: Mapping[str, str]) -> str:
    """The escape sequence of a notification; empty if this terminal is not known to have one."""
    if environ.get("TERM_PROGRAM") in OSC_9:
        return f"\x1b]9;{TEXT}\x07"
    term = environ.get("TERM", "")
    if "VTE_VERSION" in environ or term.startswith(("rxvt", "foot")):
        return f"\x1b]777;notify;gridgames;{TEXT}\x07"
    return f"\x1b]99;;{TEXT}\x1b\\" if term == "xterm-kitty" else ""


class Window:
    """The window that the program runs in."""

    def __init__(self, output: Output, environ: Mapping[str, str], notifies: bool = True) -> None:
        self.output, self.notifies = output, notifies
        self.message = choose_notification(environ)
        self.knows_modes = environ.get("TERM", "") not in SIMPLE
        self.in_frame = False
        self.focused = True  # until the terminal says that it is not

    def open(self) -> None:
        """Ask the terminal to report the focus."""
        if self.knows_modes:
            self.output.write_raw(FOCUS_ON)
            self.output.flush()

    def close(self) -> None:
        """Switch the features off again."""
        if self.in_frame:
            self.end_frame()  # an exception has ended the drawing
        if self.knows_modes:
            self.output.write_raw(FOCUS_OFF)
            self.output.flush()

    def begin_frame(self, sender: object = None) -> None:
        """Begin a frame. The terminal shows it when it is complete."""
        if self.knows_modes:
            self.in_frame = True
            self.output.write_raw(FRAME_BEGIN)

    def end_frame(self, sender: object = None) -> None:
        """End a frame."""
        if self.knows_modes:
            self.in_frame = False
            self.output.write_raw(FRAME_END)
            self.output.flush()

    def tell_turn(self, bell: bool) -> None:
        """Announce the player's turn: by a notification if the window is not in focus, and by the bell."""
        if not self.focused and self.notifies and self.message:
            self.output.write_raw(self.message)
            self.output.flush()
        if bell:
            self.output.bell()
