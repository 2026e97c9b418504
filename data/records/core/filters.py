"""Verdicts of spam filters of others on a message, with the tests that it met."""

from data.records.core.record import Record


class FilterSymbol(Record):
    """One test of a filter that a message met."""

    name: str
    """As the filter calls it: `MISSING_DATE`."""
    points: float = 0.0
    """What it adds to the score; below 0 it speaks for the message."""
    words: str = ""
    """The filter's own sentence about it; empty when it gave none."""


class FilterVerdict(Record):
    """One filter's word on one message."""

    filter: str
    """Whose word it is, for people: `SpamAssassin`, `rspamd`, `X-Spam-Status of 192.0.2.7`."""
    spam: bool
    certain: bool = False
    """Whether the filter would refuse the message outright."""
    score: float = 0.0
    """Points in all."""
    threshold: float = 0.0
    """Points from which the filter calls it spam; 0 when it does not say."""
    symbols: tuple[FilterSymbol, ...] = ()
    """The tests that it met, those with most points first."""
