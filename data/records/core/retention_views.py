"""Retention of each kind of thing: for how long, and what was removed after it."""

from pydantic import AwareDatetime, Field

from data.counting import plural
from data.records.core.record import Record


class KeptFor(Record):
    """How long one kind of thing is kept."""

    what: str
    """What it is, for people, as the beginning of a sentence."""
    days: int | None
    """Days after which it is removed; None for ever."""
    setting: str = ""
    """The setting that says so; empty where it is fixed."""
    changeable: bool = False
    """Whether an administrator may change it while Postern runs."""
    kept_here: bool = False
    """Whether an administrator has changed it, so that its default does not count."""
    remark: str = ""
    """What else is to be known, as sentences."""

    @property
    def words(self) -> str:
        """How long, for people."""
        return "for ever" if self.days is None else plural(self.days, "day")


class Upkeep(Record):
    """What one nightly upkeep has removed."""

    tidied_at: AwareDatetime
    raw_mail: int = Field(default=0, ge=0)
    """Files of raw mail."""
    program_chats: int = Field(default=0, ge=0)
    """Chats of chat programs."""
    notifications: int = Field(default=0, ge=0)

    @property
    def sentence(self) -> str:
        """What was removed, for people."""
        counted = (
            (self.raw_mail, "raw message"),
            (self.program_chats, "chat of a chat program", "chats of chat programs"),
            (self.notifications, "notification"),
        )
        parts_gone = [plural(number, *words) for number, *words in counted if number]
        return (
            f"{', '.join(parts_gone)} removed."
            if parts_gone
            else "nothing was old enough to be removed."
        )


class RetentionView(Record):
    """What an organization keeps how long, and what was removed lately."""

    kept: tuple[KeptFor, ...]
    upkeeps: tuple[Upkeep, ...] = ()
    """The last ones, the newest first."""
