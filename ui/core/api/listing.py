"""One page of a list, whatever stands in it."""

from typing import Generic, TypeVar

from data.records.core.record import Record

Item = TypeVar("Item")


class Listing(Record, Generic[Item]):
    """One page of a list."""

    items: tuple[Item, ...]
    total: int
    """How many there are on all pages."""
    unsearched: int = 0
    """Messages that a search does not find by their words yet, while its index is made."""
