"""A sequence in portions: each has enough for one go, and not more than has to wait for it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

ItemT = TypeVar("ItemT")


def split_into_batches(
    items: Iterable[ItemT], size_of: Callable[[ItemT], int], *, most: int, size: int
) -> Iterator[list[ItemT]]:
    """Yield `items` in their order in portions, each closed at `most` items or at `size` in all.

    An item larger than `size` closes the portion that it is in. `items` may be made while they are
    asked for.
    """
    portion: list[ItemT] = []
    total = 0
    for item in items:
        portion.append(item)
        total += size_of(item)
        if len(portion) >= most or total >= size:
            yield portion
            portion, total = [], 0
    if portion:
        yield portion
