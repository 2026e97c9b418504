"""Outcomes of several decisions, one for each."""

from data.records.core.record import Record
from data.records.mail.senders import Decided


class Outcomes(Record):
    """How each decision of several ended."""

    outcomes: tuple[Decided, ...]
