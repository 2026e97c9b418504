"""The place of what is open: nothing of what was open before it stays there.

Streamlit keeps the elements of the last drawing where they were until the next one has ended, and
for good where the message that tells of its end is overtaken by another part of the page (its
queue turns an unsent `script_finished` into one that clears nothing when a fragment of another
key begins). So a pane does not rely on that: it has several slots, draws each item in another one
than the item before, and empties all others first, each by an element of its own.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

T = TypeVar("T")

SLOTS = 4
"""A drawing whose first messages were lost because the next began is made good by that one."""
PATIENCE = 0.15
"""How long what was open before may stay while the next is read, seconds."""


class Pane:
    """One place of a page for one item at a time; make it anew in each drawing."""

    def __init__(self, name: str) -> None:
        self._name = f"pane-{name}"
        self._outer = st.container(key=self._name, gap=None)
        self._cleared: list[DeltaGenerator] = []

    def read(self, read: Callable[[], T], item: object = None) -> T:
        """Return what `read` gives, in another thread; where that takes long, empty the place.

        Not where it shows the same `item` already: somebody may be typing there.

        Raises:
            PosternError: what `read` raises.

        """
        reading = _pool().submit(read)
        if not wait([reading], PATIENCE).done and not self._shows(item):
            self._clear()
        return reading.result()

    @contextmanager
    def of(self, *identity: object) -> Iterator[None]:
        """Hold what is drawn within; `identity` is what it shows, e.g. an id and a version.

        The same identity again is drawn in place, so that what is typed and unfolded stays.
        """
        number, _ = st.session_state.get(self._name, (0, None))
        if st.session_state.get(self._name) != (number, identity):
            number = (number + 1) % SLOTS
            st.session_state[self._name] = (number, identity)
        if self._cleared:
            with self._cleared[number].container():
                yield
            return
        with self._outer:
            slots = [st.container() if slot == number else st.empty() for slot in range(SLOTS)]
        with slots[number]:
            yield

    def _shows(self, item: object) -> bool:
        _, identity = st.session_state.get(self._name, (0, None))
        return item is not None and bool(identity) and identity[0] == item

    def _clear(self) -> None:
        number, _ = st.session_state.get(self._name, (0, None))
        st.session_state[self._name] = (number, None)  # what comes takes another slot
        with self._outer:
            self._cleared = [st.empty() for _ in range(SLOTS)]
        self._cleared[(number + 1) % SLOTS].html('<p class="opening">Opening …</p>')


@contextmanager
def hold_alone(name: str, *identity: object) -> Iterator[None]:
    """Hold what is drawn within, and nothing that was drawn for another identity."""
    with Pane(name).of(*identity):
        yield


@st.cache_resource
def _pool() -> ThreadPoolExecutor:
    """Return the threads of this server that read what is opened."""
    return ThreadPoolExecutor(32, thread_name_prefix="opening")
