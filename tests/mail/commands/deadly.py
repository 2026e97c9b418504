"""What a reading process of the tests runs: that of `postern try`, but for a deadly message."""

import os

from flows.tryout import stages

DEADLY = b"deadly nightshade"


def from_frame(frame: bytes) -> bytes:
    """Answer a frame, and end the process, as a bug of a C library does, where `DEADLY` stands."""
    if DEADLY in frame:
        os._exit(3)
    return stages.from_frame(frame)
