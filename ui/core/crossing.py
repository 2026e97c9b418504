"""The crossing by which mail and agents reach each other without knowing each other.

`ui/app.py`, which knows both, joins them.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Crossing:
    """All that crosses from one to the other."""

    open_chat_about: Callable[[str], None]
    """Goes from a case or a contact, `case:{id}`, to the person's chat with an agent about it."""
    list_referable: Callable[[], dict[str, str]]
    """Returns the cases and contacts that a business profile may refer to, by kind and id."""


_CROSSINGS: list[Crossing] = []


def join(crossing: Crossing) -> None:
    """Have mail and agents reach each other so."""
    _CROSSINGS[:] = [crossing]


def crossing() -> Crossing:
    """Return what was joined."""
    return _CROSSINGS[0]
