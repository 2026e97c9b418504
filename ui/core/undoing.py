"""The offer of the bar to take back, for a while, what was just decided."""

from abc import abstractmethod
from datetime import datetime, timedelta

import streamlit as st

from data.records.core.record import Record
from ui.core.text.clock import now
from ui.core.text.inert import one_line

REOPEN_SECONDS = 30
"""How long the bar offers to take back what a page offers to take back for ever."""


class Undo(Record):
    """What was just decided and can still be taken back; each kind tells it and does it."""

    subject: str
    until: datetime
    """The end of the undo window, or of the offer."""

    @abstractmethod
    def tell(self) -> tuple[str, str]:
        """Return what was decided, and what is said of the time left, `{}` for its seconds."""

    @abstractmethod
    def take_back(self) -> None:
        """Take it back, in a callback of its own."""

    @property
    def short_subject(self) -> str:
        """The subject on one line, as a sentence can hold it."""
        return one_line(self.subject, 48) or "(no subject)"


def offer(undo: Undo) -> None:
    """Have the bar offer this, in the place of what was decided before."""
    st.session_state["undo"] = undo


def withdraw() -> None:
    """Offer nothing any more."""
    st.session_state.pop("undo", None)


def usual_end() -> datetime:
    """Return when an offer ends that is made now, where nothing else ends it."""
    return now() + timedelta(seconds=REOPEN_SECONDS)
