"""A bounded memory of what was worked out, for what costs more than to look it up."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class Memo(Generic[KeyT, ValueT]):
    """The last values by their keys; threads share it, and nobody may change a value.

    `functools.lru_cache` keeps what a function returns for its own arguments; here a key may be
    smaller, and quicker to compare, than what a value is made from.
    """

    def __init__(self, most: int) -> None:
        """Keep the `most` values that were asked for last."""
        self._most, self._values, self._lock = most, OrderedDict[KeyT, ValueT](), Lock()

    def get(self, key: KeyT, make: Callable[[], ValueT]) -> ValueT:
        """Return the value of `key`, which is made when it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
