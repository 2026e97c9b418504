"""People who decide, in tests that ask no API."""

from data.records.core.principals import Principal


def person(name: str) -> Principal:
    """Return somebody of that name."""
    return Principal(kind="person", id=f"user-{name}", name=name)
