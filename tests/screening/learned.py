"""The screen's corpus as its training has it, composed once for all tests."""

import gc
from functools import cache

from training.screening.corpus import samples
from training.screening.messages import Sample


@cache
def learned() -> tuple[Sample, ...]:
    """Return the messages that are learned from; they take half a minute."""
    messages = tuple(samples())
    gc.freeze()  # millions of objects that stay: no later collection need look at them
    return messages
