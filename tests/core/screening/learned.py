"""The screen's corpus as its training has it, composed once for all tests.

Each template is made into one message; training makes more of some, in other surroundings.
`POSTERN_TEST_CORPUS=whole` composes those too, and takes three times as long.
"""

import gc
import os
from functools import cache

from training.screening.corpus import samples
from training.screening.messages import Sample

ONCE = os.environ.get("POSTERN_TEST_CORPUS") != "whole"


@cache
def learned() -> tuple[Sample, ...]:
    """Return the messages that are learned from."""
    messages = tuple(samples(once=ONCE))
    gc.freeze()  # millions of objects that stay: no later collection need look at them
    return messages
