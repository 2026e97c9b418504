"""How pieces of work are packed for work processes: as pickles, and briefings only once.

A case's briefing is the largest thing that planning, drafting and checking it take, and all three
take the same. So the engine packs it once and hands over the same bytes each time, and a work
process that has unpacked them lately knows them again.
"""

import copyreg
import io
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from data.records.mail.briefing import Briefing

REMEMBERED = 2048
"""Briefings that are known again: those of four batches."""

_sealed: OrderedDict[int, tuple[Briefing, bytes]] = OrderedDict()
_turn = threading.Lock()


def pickle_content(content: object) -> bytes:
    """Return the pickle of `content`."""
    into = io.BytesIO()
    pickler = pickle.Pickler(into, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _TABLE
    pickler.dump(content)
    return into.getvalue()


@lru_cache(maxsize=REMEMBERED)
def unpickle_briefing(sealed: bytes) -> Briefing:
    """Return the briefing that these bytes are the pickle of, which came from the engine."""
    briefing: Briefing = pickle.loads(sealed)  # noqa: S301  # the engine's own
    return briefing


def _seal(briefing: Briefing) -> tuple[Callable[[bytes], Briefing], tuple[bytes]]:
    """Return how to make a briefing again; records never change, so its bytes do not either."""
    with _turn:
        sealed = _sealed.get(id(briefing))
    if sealed is None:
        sealed = (briefing, pickle.dumps(briefing, pickle.HIGHEST_PROTOCOL))
        with _turn:
            _sealed[id(briefing)] = sealed  # which holds it, so that no other gets its id
            if len(_sealed) > REMEMBERED:
                _sealed.popitem(last=False)
    return unpickle_briefing, (sealed[1],)


_TABLE: dict[type, Callable[[Any], Any]] = {**copyreg.dispatch_table, Briefing: _seal}
