"""The session: who is signed in, which organization is open, and how a refusal is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, TypeVar

import streamlit as st

from data.errors import ConflictError, PlantedFaultError, PosternError
from data.records.mail.overview_views import Me, OrganizationName
from data.refusals import EngineDownError, SignedOutError
from data.settings import load_settings
from ui.core import staying_signed_in
from ui.core.address import ORGANIZATION
from ui.core.api.client import ApiClient
from ui.core.api.desk import CoreDesk
from ui.core.api.organization_client import OrganizationClient
from ui.core.pane import hold_alone
from ui.core.text.inert import make_inert
from ui.core.text.words import as_sentence

T = TypeVar("T")

NoticeKind = Literal["done", "note", "warning", "error"]

ENDED = "Your sign-in has ended. Open your link again, or paste the token below."
UNKNOWN = "This token is not known here. It may have been revoked, or a part of it is missing."
ENDED_HERE = (
    "Your sign-in has ended. What you have typed is kept as soon as you leave the field; "
    "you get it back when you sign in again."
)


def token() -> str:
    """Return the session's token, taken out of the address `?token=…` the first time."""
    token_given = st.query_params.get("token", "")
    if token_given:
        st.session_state["token"] = token_given
        st.session_state.pop("me", None)
        st.session_state.pop("client", None)
        del st.query_params["token"]
        staying_signed_in.leave()
        st.session_state.pop("returning", None)
    if not st.session_state.get("token") and (token_kept := staying_signed_in.found_again()):
        st.session_state["token"] = token_kept
    return str(st.session_state.get("token", ""))


def setup_secret() -> str:
    """Return what the address `?setup=…` holds while the first organization is to be made."""
    return str(st.query_params.get("setup", ""))


def sign_in_as(given: str) -> None:
    """Go on with another token, and forget what was read without it."""
    st.query_params.pop("setup", None)
    staying_signed_in.leave()
    for name in ("me", "client", "returning"):
        st.session_state.pop(name, None)
    st.session_state["token"] = given


def leave_setup(sentence: str) -> None:
    """Give the making of a first organization up; `sentence` says why at the sign-in."""
    st.query_params.pop("setup", None)
    for name in ("client", "me"):  # what they know may be over
        st.session_state.pop(name, None)
    st.session_state["ended"] = sentence


def sign_out(sentence: str = "") -> None:
    """Forget the token and everything read with it; `sentence` is shown at the next sign-in."""
    staying_signed_in.leave()
    for name in list(st.session_state):
        del st.session_state[name]
    if sentence:
        st.session_state["ended"] = sentence


def client() -> ApiClient:
    """Return the session's client; a test may put its own under `client`.

    Raises:
        SignedOutError: what was given as a token holds what no token does.

    """
    if "client" not in st.session_state:
        credential = setup_secret() or token()
        if not (credential.isascii() and credential.isprintable() and " " not in credential):
            raise SignedOutError(UNKNOWN)
        st.session_state["client"] = ApiClient(load_settings().api_url, credential)
    api_client: ApiClient = st.session_state["client"]
    return api_client


def me() -> Me:
    """Return who is signed in, asked once per session."""
    if "me" not in st.session_state:
        st.session_state["me"] = client().me()
    signed_in: Me = st.session_state["me"]
    return signed_in


def organization() -> OrganizationName | None:
    """Return the open organization: the chosen one, else the first one of the user."""
    organizations = me().organizations
    chosen = st.session_state.get("organization")
    entries = [entry for entry in organizations if entry.slug == chosen]
    return next(iter((*entries, *organizations)), None)


def reopen_organization() -> None:
    """Open the organization that the address names, else the one that was open here before.

    Once per session, for who sees several: a page that is loaded again stays where it was, and a
    link leads to what it names.
    """
    slugs = {entry.slug for entry in me().organizations}
    if len(slugs) < 2 or "organization" in st.session_state:
        return
    for slug in (st.query_params.get(ORGANIZATION, ""), staying_signed_in.organization_left()):
        if slug in slugs:
            st.session_state["organization"] = slug
            return


def manages() -> bool:
    """Return whether the person may change the agents of the open organization."""
    opened = organization()
    return opened is not None and opened.manages


def zone() -> str | None:
    """Return the zone that times are shown in: the organization's, without one the browser's."""
    opened = organization() if "me" in st.session_state else None
    return opened.timezone if opened else st.context.timezone


def organization_client() -> OrganizationClient:
    """Return the client of the organization that is open.

    Raises:
        SignedOutError: there is no organization to open.

    """
    opened = organization()
    if opened is None:
        raise SignedOutError("This token sees no organization; ask who manages its users.")
    return OrganizationClient(client(), opened.slug)


def core_desk() -> CoreDesk:
    """Return what can be asked and done about what every part stands on.

    Raises:
        SignedOutError: there is no organization to open.

    """
    return CoreDesk(organization_client())


@contextmanager
def guard_refusals(*, leaving: bool = True) -> Iterator[None]:
    """Tell every refusal within as a sentence instead of a stack trace.

    A part that renews itself says `leaving=False`: a sign-in that has ended is told there, and
    what is being typed elsewhere on the page stays until the person does something.
    """
    try:
        yield
    except SignedOutError:
        if not leaving:
            st.warning(ENDED_HERE, icon=":material/lock_clock:")
            return
        sign_out(ENDED if "me" in st.session_state else UNKNOWN)
        st.rerun()
    except EngineDownError as error:
        engine_down(error)
    except PosternError as error:
        st.error(make_inert(sentence(error), limit=600), icon=":material/error:")


def read_lately(name: str, read: Callable[[], T], seconds: float = 5.0) -> T:
    """Return what `read` gave within the last seconds of this session, else read it.

    Moving through a list draws the whole page at each step; what stands around the list need not
    be asked for each time. Whatever a person does is forgotten at once (`attempt`).
    """
    kept_answer: tuple[float, T] | None = st.session_state.get(f"lately-{name}")
    if kept_answer is not None and time.monotonic() - kept_answer[0] < seconds:
        return kept_answer[1]
    answer = read()
    st.session_state[f"lately-{name}"] = (time.monotonic(), answer)
    return answer


def forget_lately() -> None:
    """Let everything be asked anew."""
    for name in [key for key in st.session_state if str(key).startswith("lately-")]:
        del st.session_state[name]


def attempt(act: Callable[[], T], *, forgets: bool = True) -> T | None:
    """Run one action of a person; a refusal becomes a notice, and the answer None.

    With `forgets` what was read of late is asked anew, because the act may have changed it.
    """
    if forgets:
        forget_lately()
    try:
        return act()
    except PlantedFaultError as error:
        say("warning", sentence(error))
    except ConflictError as error:  # somebody was faster, or it goes against what is there
        say("warning", as_sentence(f"Nothing was done: {str(error).strip()}"))
    except SignedOutError:
        sign_out(ENDED)
    except PosternError as error:
        say("error", sentence(error))
    return None


def say(kind: NoticeKind, text: str) -> None:
    """Keep a notice for the next drawing of the page."""
    st.session_state.setdefault("notices", []).append((kind, text))


def unread() -> list[tuple[NoticeKind, str]]:
    """Return the notices that wait and that a person has to read, for a page drawn once more."""
    waiting: list[tuple[NoticeKind, str]] = st.session_state.get("notices", [])
    return [notice for notice in waiting if notice[0] in ("warning", "error")]


def notices(place: str = "page") -> None:
    """Draw the notices that were kept, once; their place is there also without any.

    What is done, or passes by itself, is told in a corner; what a person has to read stands in
    view above the item until the page is drawn again.
    """
    waiting: list[tuple[NoticeKind, str]] = st.session_state.pop("notices", [])
    for kind, text in waiting:
        if kind in ("done", "note"):
            icon = ":material/check_circle:" if kind == "done" else ":material/info:"
            st.toast(make_inert(text, limit=300), icon=icon)
    notices_kept = tuple((kind, text) for kind, text in waiting if kind in ("warning", "error"))
    with (
        st.container(key=f"notices-{place}", gap=None),
        hold_alone(f"notices-{place}", *notices_kept),
    ):
        for kind, text in notices_kept:
            if kind == "warning":
                st.warning(make_inert(text, limit=600), icon=":material/sync_problem:")
            else:
                st.error(make_inert(text, limit=600), icon=":material/error:")


def engine_down(error: EngineDownError) -> None:
    """Say calmly that the engine is away; mail keeps being accepted meanwhile."""
    st.warning(
        "The engine does not answer. Mail is still being accepted, nothing is lost, and what you "
        "have written is kept; this page tries again by itself.",
        icon=":material/cloud_off:",
    )
    with st.expander("What was tried"):
        st.text(sentence(error))
    st.session_state["away"] = time.monotonic()
    _back_again()


@st.fragment(run_every="3s")
def _back_again() -> None:
    """Draw the page anew as soon as the engine answers again."""
    if time.monotonic() - float(st.session_state.get("away", 0.0)) < 2:
        return  # it was away a moment ago
    try:
        client().me()
    except PosternError:
        return
    st.rerun()


def sentence(error: PosternError) -> str:
    """Return an error's text as a sentence: capital first, full stop last."""
    return as_sentence(str(error).strip() or "Something was refused")
