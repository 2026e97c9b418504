"""Staying signed in when the page is loaded again.

The browser keeps a random id in a cookie; the token itself stays in this server's memory, under a
hash of the id. Restarting the window, staying away for two hours, and twelve hours in any case
sign everybody out. Streamlit lets no page set a header, so a script sets the cookie, and it cannot
be `HttpOnly`: what protects it is that no page of the window runs anything that mail brings.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

COOKIE = "postern_session"
SECONDS = 12 * 3600
"""How long an id is good at most."""
IDLE_SECONDS = 2 * 3600
"""How long an id is good without a page being drawn with it."""
MOST = 1_000
"""Ids kept at most; the one that was used longest ago goes first."""

_JS = Path(__file__).with_name("returning.js").read_text(encoding="utf-8")


@dataclass
class Sessions:
    """Tokens by the hash of an id, with the times of their making and of their last use."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    kept: dict[str, tuple[str, float, float]] = field(default_factory=dict)
    organizations: dict[str, str] = field(default_factory=dict)
    """Slug of the organization that was open last, by the hash of an id."""

    def keep(self, token: str, now: float) -> str:
        """Keep `token` and return the new id for it."""
        key = secrets.token_urlsafe(32)
        with self.lock:
            while len(self.kept) >= MOST:
                self._forget(next(iter(self.kept)))
            self.kept[_hash_place(key)] = (token, now, now)
        return key

    def find(self, place_left: str, now: float) -> str:
        """Return the token of an id, or nothing; a find counts as use."""
        with self.lock:
            token, born, used = self.kept.pop(_hash_place(place_left), ("", 0.0, 0.0))
            if not token or now - used > IDLE_SECONDS or now - born > SECONDS:
                self._forget(_hash_place(place_left))
                return ""
            self.kept[_hash_place(place_left)] = (token, born, now)
            return token

    def drop(self, place_left: str) -> None:
        """Forget an id."""
        with self.lock:
            self._forget(_hash_place(place_left))

    def _forget(self, key: str) -> None:
        self.kept.pop(key, None)
        self.organizations.pop(key, None)

    def open(self, place_left: str, organization: str) -> None:
        """Keep which organization is open with an id."""
        with self.lock:
            if _hash_place(place_left) in self.kept:
                self.organizations[_hash_place(place_left)] = organization

    def find_organization(self, place_left: str) -> str:
        """Return the slug of the organization that was open with an id, or nothing."""
        with self.lock:
            return self.organizations.get(_hash_place(place_left), "")


@st.cache_resource
def sessions() -> Sessions:
    """Return the one store of this server."""
    return Sessions()


def found_again() -> str:
    """Return the token that the browser's cookie leads to, or nothing."""
    place_left = str(st.session_state.get("returning") or st.context.cookies.get(COOKIE, ""))
    if not place_left:
        return ""
    token = sessions().find(place_left, time.monotonic())
    if token:
        st.session_state["returning"] = place_left
    return token


def organization_left() -> str:
    """Return the slug of the organization that this browser had open last, or nothing."""
    return sessions().find_organization(str(st.session_state.get("returning", "")))


def remember(token: str, organization: str) -> None:
    """Give the browser an id for `token`, once per session; call it on every drawing.

    `organization` is the slug of the one that is open.
    """
    if "returning" not in st.session_state:
        st.session_state["returning"] = sessions().keep(token, time.monotonic())
    else:
        sessions().find(str(st.session_state["returning"]), time.monotonic())  # counts as use
    sessions().open(str(st.session_state["returning"]), organization)
    _tell(str(st.session_state["returning"]))


def leave() -> None:
    """Forget this browser's id; the next drawing takes its cookie away."""
    for place_left in (st.session_state.get("returning"), st.context.cookies.get(COOKIE)):
        if place_left:
            sessions().drop(str(place_left))


def clear() -> None:
    """Take the cookie away; drawn with the sign-in page."""
    _tell("")


def _tell(place_left: str) -> None:
    data = {"name": COOKIE, "value": place_left, "seconds": SECONDS if place_left else 0}
    st.components.v2.component("postern_returning", js=_JS)(data=data, key="returning-cookie")


def _hash_place(place_left: str) -> str:
    return hashlib.sha256(place_left.encode()).hexdigest()
