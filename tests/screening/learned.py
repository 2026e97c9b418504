"""The screen's corpus as its training and its figures have it, composed once for all tests."""

from functools import cache

from data.training.screening.corpus import samples
from data.training.screening.families import Half
from data.training.screening.messages import Sample


@cache
def half(which: Half) -> tuple[Sample, ...]:
    """Return the messages of a half; those of the train half take half a minute."""
    return tuple(samples(which))
