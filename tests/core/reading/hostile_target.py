"""A function for the reading processes that does what the message tells it to do."""

import ctypes
import json
import os
import signal
import time


def read(raw: bytes) -> bytes:
    """Answer with the message as JSON, or misbehave by the message's first word."""
    word = raw.split(b" ", 1)[0]
    if word == b"spin":
        while True:
            pass
    if word == b"sleep":
        time.sleep(60)
    if word == b"slow":
        end = time.process_time() + 1
        while time.process_time() < end:
            pass
    if word == b"hog":
        return str(len(b"x" * 4_000_000_000)).encode()
    if word == b"die":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == b"crash":
        ctypes.string_at(0)
    if word == b"exit":
        os._exit(3)
    if word == b"raise":
        raise ValueError("a bug")
    if word == b"print":
        print("noise")
    if word == b"garbage":
        return b"no json"
    return json.dumps({"said": raw.decode(), "pid": os.getpid()}).encode()
