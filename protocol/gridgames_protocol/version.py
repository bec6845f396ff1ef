"""The version of the distribution and the usual port: all that `--version` and `--help` need of the protocol."""

VERSION = "0.1.0"  # reading it from the installed metadata takes 60 ms
PORT = 4743
