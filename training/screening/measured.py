"""The mails that the screen is measured on: `training/corpora/screening_measured`.

Whole mails of eight hands that had seen neither the screen nor what it learned from: attacks of
fifteen kinds, ordinary mail, and ordinary mail that looks like an attack, in thirteen languages.
Nothing of them is learned from, and nobody looked at them to change a rule.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from training.screening.mail_files import mails_in

FOLDER = Path(__file__).parents[1] / "corpora" / "screening_measured"


@dataclass(frozen=True, kw_only=True)
class MeasuredMail:
    """A mail, and what its writer says it is."""

    attack: bool
    hard: bool
    """Whether it is ordinary mail that looks like an attack."""
    kind: str
    """The technique of an attack; else what kind of ordinary mail it is."""
    language: str
    subject: str
    text: str


@cache
def measured_mails() -> tuple[MeasuredMail, ...]:
    """Return all mails, in the order of the files."""
    return mails_in(FOLDER, MeasuredMail)
