"""A work process: computes what the engine hands it, piece by piece, until the pipe ends.

It holds no state, opens nothing and asks nobody: what it needs comes with each piece, as pickles
from the engine, its only correspondent. It imports what the functions need, which is `tasks` and
`data`, neither Prefect nor a database.
"""

import os
import pickle
import signal
import struct
import sys
from collections.abc import Sequence
from typing import IO, Any

from flows.core.garbage_collection import settle_heap
from tasks.core.screen import prepare

LENGTH = struct.Struct(">Q")
"""Each piece and each answer: how many bytes follow, and these."""


def write_frame(pipe: IO[bytes], content: bytes) -> None:
    """Write one frame."""
    pipe.write(LENGTH.pack(len(content)))
    pipe.write(content)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> bytes:
    """Return the next frame.

    Raises:
        EOFError: the other side is gone.

    """
    head = _read_exactly(pipe, LENGTH.size)
    return _read_exactly(pipe, LENGTH.unpack(head)[0])


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return content


def compute_piece(piece: bytes) -> bytes:
    """Return the answer to a piece: whether it went well, and the results or what went wrong."""
    try:
        act, shared, items = pickle.loads(piece)  # noqa: S301  # from the engine alone
        results: Sequence[Any] = act(shared, items)
        settle_heap(act.__name__)
        return pickle.dumps((True, list(results)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001  # the engine does the piece itself, and meets it too
        return pickle.dumps((False, f"{type(error).__name__}: {error}"))


def main() -> None:
    """Answer pieces until standard input ends; whoever stops the engine stops this by that."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    pieces, answers = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not become an answer
    prepare()  # most of what comes is screened, and nobody waits for this process yet
    settle_heap("prepare")
    write_frame(answers, b"")
    while True:
        try:
            write_frame(answers, compute_piece(read_frame(pieces)))
        except (EOFError, BrokenPipeError):
            sys.stdout.flush()
            os._exit(0)


if __name__ == "__main__":
    main()
