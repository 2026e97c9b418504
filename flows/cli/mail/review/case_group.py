"""The group `postern case`: what its commands share."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from data.records.mail.views import CaseView
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="Cases that wait for a person.", no_args_is_help=True, rich_markup_mode=None
)
CaseArgument = Annotated[str, typer.Argument(help="Id of a case; `postern case list` shows them.")]
DAY = len("2026-12-24")


def read_case(engine: "Engine", root: str, case: str) -> "CaseView":
    """Return a case as it is now, to decide on it as such."""
    from data.records.mail.views import CaseView

    return CaseView.model_validate(engine.get(f"{root}/cases/{case}"))


def check_moment(given: str, words: Sequence[str], what: str) -> None:
    """Refuse what is neither one of the words, nor a day, nor a time with its zone.

    Raises:
        ConflictError: it is none of these.

    """
    from data.errors import ConflictError

    if given in words:
        return
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        moment = None
    if moment is None or (moment.tzinfo is None and len(given) != DAY):
        raise ConflictError(
            f"{given!r} is no time {what}; write {', '.join(words)}, a day as 2026-12-24, or a "
            "time with its zone as 2026-12-24T14:00+01:00"
        )
