"""A text that is scanned: one form of one place of a message."""

from dataclasses import dataclass
from functools import cached_property

from data.records.core.screening import MessagePlace
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.spotting import Spotted, spot

_SHORT = 160
"""Characters of a text whose hidden forms are remembered."""


@dataclass(frozen=True)
class Text:
    """One form of one place."""

    place: MessagePlace
    text: str
    """The text to scan."""
    form: str = "as_is"
    """`as_is`, `unmasked`, `tag_characters`, or the code it was written in, e.g. `base64`."""
    note: str = ""
    """For hidden text why it is hidden; for a header its name."""

    @cached_property
    def signs(self) -> int:
        """What `tasks.core.screen.words.pattern_gate` finds in it."""
        return GATE.signs(self.text)

    def know(self, signs: int) -> None:
        """Take `signs` from who read several texts at once."""
        self.__dict__["signs"] = signs  # where `cached_property` keeps it

    @cached_property
    def spotted(self) -> Spotted:
        """Its words, and what they mean to the rules."""
        return spot(self.text)

    @property
    def short(self) -> bool:
        """Whether what is found in it is worth remembering for the next message."""
        return len(self.text) <= _SHORT

    @property
    def disguised(self) -> bool:
        """Whether a reader would not have read these words."""
        return self.form != "as_is"

    @property
    def shown_elsewhere(self) -> bool:
        """Whether other programs, or an inbox, show these words to their reader."""
        return self.note in ("alt", "title", "preheader", "plain_alternative")

    @property
    def set_aside(self) -> bool:
        """Whether this is hidden as programs do it: a page's part taken out, a note on HTML."""
        if self.note not in ("comment", "preamble"):
            return False
        words = self.text.lower()
        return "html" in words or "mime" in words or (self.note == "comment" and "</" in words)


@dataclass(frozen=True, slots=True)
class ScannedText:
    """A text with its words looked up."""

    source: Text
    spotted: Spotted
