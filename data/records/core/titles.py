"""The title of a task or an event."""

from typing import Annotated

from pydantic import StringConstraints

LONGEST_TITLE = 300
Title = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TITLE)
]
"""A title with something in it."""
