"""Planted faults, which show whether people still read what they approve, and what follows."""

from enum import StrEnum

from data.records.core.record import Record
from data.records.mail.drafting import Draft

WORDS_A_SECOND = 12.0
"""Words of a letter that nobody reads faster: three times the pace of a practised reader."""
COUNTED_DAYS = 90
"""Days of planted faults that the share of those seen is made of."""
FEWEST_ENDED = 4
"""Planted faults below which nothing is concluded."""
MOST_APPROVED = ((0.5, 5), (0.8, 15))
"""Below a share of faults seen, the most letters that may be approved at once."""


class FaultKind(StrEnum):
    """What is wrong with a letter that holds a planted fault."""

    NUMBER = "number"  #: a number is not the one of its source
    PROMISE = "promise"  #: it promises what no source allows


class FaultOutcome(StrEnum):
    """What became of a planted fault."""

    SEEN = "seen"  #: the letter was rejected, or written without it
    MISSED = "missed"  #: the letter was approved with it


class FaultyDraft(Record):
    """A draft with a fault in it, to be shown and never sent."""

    kind: FaultKind
    draft: Draft
    wrong: str
    """The words that are wrong, as they stand in the body."""
    correct: str = ""
    """What stands in their place in the draft as it was written; empty where nothing does."""


class VigilanceView(Record):
    """How many of the faults that were planted of late have been seen, and what follows."""

    planted_a_week: int
    """How many letters a week are shown with a fault; 0: none."""
    days: int = COUNTED_DAYS
    seen: int = 0
    missed: int = 0
    most_at_once: int
    """Letters that may be approved at once now."""


def most_at_once(planted_seen: int, missed: int, most: int) -> int:
    """Return how many letters may be approved at once, by how many planted faults were seen."""
    ended = planted_seen + missed
    if ended < FEWEST_ENDED:
        return most
    return next((limit for share, limit in MOST_APPROVED if planted_seen / ended < share), most)
