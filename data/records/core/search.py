"""Searches in the organization's mail: words, conditions, and the text that is searched."""

from typing import Literal

from pydantic import AwareDatetime

from data.records.core.record import Record

SearchTokens = tuple[str, ...]
"""Tokens that stand side by side in a document of the index."""


class SearchTerm(Record):
    """One word or phrase; a document holds it when one of the alternatives stands in it."""

    alternatives: tuple[SearchTokens, ...]
    """Each in the forms that `tasks.core.search.document` writes."""
    excluded: bool = False
    """Whether documents that hold it are left out (`-word`)."""


class SearchCondition(Record):
    """What a message has to be, besides holding the words."""

    field: Literal["before", "after", "has", "is", "tag"]
    value: str
    """Lower-cased; for a day its ISO form, e.g. `2026-03-01`."""
    at: AwareDatetime | None = None
    """For `before` and `after`: the moment at which the day begins where the organization is."""
    excluded: bool = False


class SearchQuery(Record):
    """A search as understood: every term and every condition has to hold."""

    terms: tuple[SearchTerm, ...] = ()
    conditions: tuple[SearchCondition, ...] = ()
    typed: str = ""
    """The words as they were typed, lower-cased."""

    @property
    def asks(self) -> bool:
        """Whether anything is asked for at all."""
        return bool(self.terms or self.conditions)


EVERYTHING = SearchQuery()
"""A search that asks for nothing, and so leaves everything."""


class MailText(Record):
    """What of one message is searched."""

    subject: str = ""
    sender: str = ""
    """Names and addresses of who wrote it, separated by spaces."""
    recipients: str = ""
    """Names and addresses of To and Cc, and the envelope's recipients."""
    files: str = ""
    """Names of its attachments, one a line."""
    body: str = ""
    """What its reader sees."""
