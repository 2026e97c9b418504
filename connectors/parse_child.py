"""A reading process: takes messages on standard input, gives results on standard output.

Started by `connectors.parse_pool` as `python -m connectors.parse_child TARGET SECONDS MEGABYTES`.
TARGET is `module:function`, from bytes to bytes. Frames: a request is a length (4 bytes, network
order) and that many bytes; an answer is a status byte, a length and that many bytes. The answer to
each message is written before the next is begun, so that the parent knows which one was fatal.
"""

import importlib
import math
import resource
import struct
import sys
import traceback
from collections.abc import Callable
from typing import BinaryIO

from data.errors import PosternError

READY, RESULT, REFUSED, BUG, EXHAUSTED = range(5)
"""Status bytes: imports done; result; sentence of a `PosternError`; traceback; no memory."""
LENGTH = struct.Struct("!I")
HEAD = struct.Struct("!BI")
_HARD_SECONDS = 10_000_000
_TRACEBACK_CHARACTERS = 20_000


def main(target: str, seconds: int, megabytes: int) -> None:
    """Answer requests until standard input ends."""
    module, _, function = target.partition(":")
    read: Callable[[bytes], bytes] = getattr(importlib.import_module(module), function)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not break the frames
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit_memory(megabytes)
    _answer(answers, READY, b"")
    while (raw := _next(requests)) is not None:
        _limit_time(seconds)
        status, payload = _read(read, raw)
        _answer(answers, status, payload)
        if status == EXHAUSTED:
            break  # what is left of the memory is not to be trusted


def _limit_memory(megabytes: int) -> None:
    """Bound the address space; from now on an allocation beyond it fails."""
    limit = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _limit_time(seconds: int) -> None:
    """Let the next message use `seconds` of processor time; then the system ends this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = math.ceil(usage.ru_utime + usage.ru_stime)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = min(used + seconds, _HARD_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _read(read: Callable[[bytes], bytes], raw: bytes) -> tuple[int, bytes]:
    """Return the status and the payload for one message."""
    try:
        return RESULT, read(raw)
    except PosternError as error:
        return REFUSED, str(error).encode("utf-8", "replace")
    except MemoryError:
        return EXHAUSTED, b""
    except Exception:  # noqa: BLE001 - this is the step runner of this process; the parent logs it
        return BUG, traceback.format_exc()[-_TRACEBACK_CHARACTERS:].encode("utf-8", "replace")


def _next(requests: BinaryIO) -> bytes | None:
    """Return the next message; None when the parent has closed or died."""
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    raw = requests.read(length)
    return raw if len(raw) == length else None


def _answer(answers: BinaryIO, status: int, payload: bytes) -> None:
    """Write one answer."""
    answers.write(HEAD.pack(status, len(payload)) + payload)
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
