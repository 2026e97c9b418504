"""The house that flows run in: set once by the engine, in the process that holds the state."""

from data.errors import StoreError
from flows.core.house import House

_current: list[House] = []


def set_house(house: House | None) -> None:
    """Make `house` the one that flows of this process work in."""
    _current[:] = [house] if house else []


def get_current_house() -> House:
    """Return the house of this process.

    Raises:
        StoreError: this is not the engine; only it may open the state.

    """
    if not _current:
        raise StoreError(
            "flows run inside the engine, which alone opens the state; start it with "
            "`postern up`, and use the deployment's Run button or the API"
        )
    return _current[0]
