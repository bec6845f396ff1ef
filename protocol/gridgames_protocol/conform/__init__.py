"""The conformance kit: a scripted server that grades somebody's client. The one part of this package that does I/O.

python -m gridgames_protocol.conform CLIENT...
"""
