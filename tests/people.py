"""People who decide, in tests that ask no API."""

from data.records.core.principals import EffectiveGrant, Permission, Principal

DECIDES = EffectiveGrant(permissions=frozenset({Permission.SEE, Permission.DECIDE}))
"""What lets somebody decide in every organization."""


def person(name: str) -> Principal:
    """Return somebody of that name who may decide."""
    return Principal(kind="person", id=f"user-{name}", name=name, grants=(DECIDES,))
