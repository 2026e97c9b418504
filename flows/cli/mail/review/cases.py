"""`postern case`: the commands about cases, each group of them in its module."""

import typer

from flows.cli.mail.review import (
    attaching,
    deciding,
    deciding_several,
    following,
    notes,
    snoozing,
    tagging,
    whose,
)
from flows.cli.mail.review.case_group import group

__all__ = [
    "attaching",
    "deciding",
    "deciding_several",
    "following",
    "notes",
    "register",
    "snoozing",
    "tagging",
    "whose",
]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`; their modules have put them into the group."""
    app.add_typer(group, name="case", short_help="See what waits for a person; decide; put off.")
