"""What is drawn reaches the terminal as a whole."""

import os
from typing import TextIO, cast

from prompt_toolkit.output import create_output

from gridgames_client.terminal.output import WholeWrites


def test_a_frame_is_whole_although_every_write_is_interrupted():
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as read, os.fdopen(writer, "w", encoding="utf-8") as stream:
        output = create_output(cast(TextIO, WholeWrites(stream, lambda file, data: os.write(file, data[:7]))))
        output.write("▀" * 1000)
        output.write_raw("\x1b[?25h")
        output.flush()
        stream.close()
        assert read.read() == "▀".encode() * 1000 + b"\x1b[?25h"
