"""Events of work that is under way, as a listener gets them."""

from typing import Literal

from data.records.core.record import Record
from data.records.core.tools import Source


class StreamEvent(Record):
    """One event."""

    kind: Literal["move", "text", "retract", "waiting", "done", "failed"]
    """`retract`: what was said so far does not hold; `waiting`: a person has to decide first."""
    text: str = ""
    """What is said further, for `text`; what is done, for `move`; why, for `failed`."""
    sources: tuple[Source, ...] = ()
    """What the answer rests on, with `done`."""

    @property
    def ends(self) -> bool:
        """Whether nothing comes after it."""
        return self.kind in ("done", "failed")
