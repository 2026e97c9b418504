"""Texts that people have edited and not sent, kept by this server until they are.

A browser that is loaded again, a sign-in that ends and an engine that is away end a session or a
drawing of the page; none of them may cost a person what was written. Nothing is written to disk,
and only the same person in the same organization gets a text back.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import streamlit as st

from ui.core.session import me, organization

SECONDS = 24 * 3600
"""How long a text is kept."""
MOST = 2_000
"""Texts kept at most; the one that was touched longest ago goes first."""

Owner = tuple[str, str, str]


@dataclass
class Texts:
    """Subject and body by user's id, organization and case, with the time of the last change."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    kept: dict[Owner, tuple[str, str, float]] = field(default_factory=dict)

    def keep(self, owner: Owner, subject: str, body: str, now: float) -> None:
        """Keep a text in the place of the earlier one."""
        with self.lock:
            self.kept.pop(owner, None)
            while len(self.kept) >= MOST:
                del self.kept[next(iter(self.kept))]
            self.kept[owner] = (subject, body, now)

    def find(self, owner: Owner, now: float) -> tuple[str, str] | None:
        """Return subject and body, or None."""
        with self.lock:
            subject, body, at = self.kept.get(owner, ("", "", now - 2 * SECONDS))
            if now - at <= SECONDS:
                return subject, body
            self.kept.pop(owner, None)
            return None

    def drop(self, owner: Owner) -> None:
        """Forget a text."""
        with self.lock:
            self.kept.pop(owner, None)


@st.cache_resource
def texts() -> Texts:
    """Return the one store of this server."""
    return Texts()


def keep(case_id: str, subject: str, body: str) -> None:
    """Keep what the person who is signed in has written for a case."""
    texts().keep(_owner(case_id), subject, body, time.monotonic())


def find_unsent(case_id: str) -> tuple[str, str] | None:
    """Return what that person has written for a case, or None."""
    return texts().find(_owner(case_id), time.monotonic())


def drop(case_id: str) -> None:
    """Forget it: it was sent, put back, or is no longer asked for."""
    texts().drop(_owner(case_id))


def _owner(case_id: str) -> Owner:
    opened = organization()
    return me().id, opened.slug if opened else "", case_id
