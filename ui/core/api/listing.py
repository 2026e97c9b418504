"""One page of a list, whatever stands in it."""

from typing import Generic, TypeVar

from data.records.core.record import Record

ItemT = TypeVar("ItemT")


class Listing(Record, Generic[ItemT]):
    """One page of a list."""

    items: tuple[ItemT, ...]
    total: int
    """How many there are on all pages."""
    unsearched: int = 0
    """Messages that a search does not find by their words yet, while its index is made."""
