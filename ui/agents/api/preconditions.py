"""Asking that a thing still stands as it was looked at."""

from datetime import datetime
from urllib.parse import urlencode


def if_standing(path: str, stood: datetime | None) -> str:
    """Return a path that asks for a thing to stand as it has since then; None for however."""
    return path if stood is None else f"{path}?{urlencode({'stood': stood.isoformat()})}"
