"""Mails of the screen's corpus that were written as a whole: `training/corpora/screening/mails`.

Most of the corpus is lines, from which messages are composed. These are mails as somebody sends
them, of hands that wrote none of the mails that are measured on. An attack is kept apart from what
stands around it, so that it can be put elsewhere too.
"""

from dataclasses import dataclass
from functools import cache

from training.screening.grammar import CORPUS
from training.screening.mail_files import mails_in

FOLDER = CORPUS / "mails"


@dataclass(frozen=True, kw_only=True)
class WholeMail:
    """A mail, and which of its words are the attack."""

    attack: bool
    kind: str
    """The technique of an attack; else what kind of ordinary mail it is."""
    language: str
    before: str
    """Ordinary words in front of an attack, often none."""
    text: str
    """The attack, or all of an ordinary mail."""
    after: str
    """Ordinary words behind an attack, often none."""

    @property
    def template(self) -> str:
        """Return `text` as a line of the corpus: breaks as ` / `, no brace a slot."""
        line = " / ".join(self.text.strip().splitlines())
        return " ".join(line.replace("{", "{{").replace("}", "}}").split())


@cache
def whole_mails(language: str) -> tuple[WholeMail, ...]:
    """Return the mails of a language, in the order of the files."""
    return tuple(mail for mail in _all() if mail.language == language)


@cache
def _all() -> tuple[WholeMail, ...]:
    return mails_in(FOLDER, WholeMail)
