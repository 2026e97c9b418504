"""Cases read ahead: the next one of the queue, while a person looks at the one before it.

A step to it then waits for nothing. What was read ahead is at most `SECONDS` old, is looked after
as soon as it is drawn, and a decision carries the version that was shown.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import streamlit as st

from data.errors import PosternError
from data.records.mail.views import CaseView
from ui.core.list_navigation import find_following
from ui.mail.api.cases import CaseApi
from ui.mail.api.desk import mail_desk

SECONDS = 15.0
"""How old a case may be that was read ahead."""

PrefetchedRead = tuple[float, "Future[CaseView | None]"]


def opening(id: str) -> Callable[[], tuple[CaseView, bool]]:
    """Return what gives a case as it was read ahead a moment ago, else as it is now.

    It may be called in any thread, and says with the case whether it was read just now.
    """
    cases = mail_desk().cases
    started, reading = _kept_reads().pop(id, (0.0, None))

    def open_case() -> tuple[CaseView, bool]:
        if reading is not None and time.monotonic() - started < SECONDS:
            page_read = reading.result()
            if page_read is not None:
                return page_read, False
        return cases.read(id), True

    return open_case


def read_next(id: str) -> None:
    """Begin to read what comes after `id` in the queue; call it once the page is drawn."""
    after = find_following("queue", id)
    if after is not None:
        kept_reads = _kept_reads()
        kept_reads.clear()
        kept_reads[after] = (
            time.monotonic(),
            _pool().submit(partial(_read, mail_desk().cases, after)),
        )


def _kept_reads() -> dict[str, PrefetchedRead]:
    kept_reads: dict[str, PrefetchedRead] = st.session_state.setdefault("ahead", {})
    return kept_reads


def _read(cases: CaseApi, id: str) -> CaseView | None:
    try:
        return cases.read(id)
    except PosternError:
        return None  # it is asked for again, and told, when it is open_case


@st.cache_resource
def _pool() -> ThreadPoolExecutor:
    """Return the threads of this server that read ahead."""
    return ThreadPoolExecutor(4, thread_name_prefix="ahead")
