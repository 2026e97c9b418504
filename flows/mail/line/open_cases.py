"""Open cases by user, in memory alone: they say what is so, hold nobody up and are not stored."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

LASTS = timedelta(seconds=25)
"""How long somebody counts as there who says nothing more; the window says it every 8 seconds."""


@dataclass(frozen=True, slots=True)
class OpenCase:
    """When somebody said last that a case is open before them."""

    name: str
    writing: bool
    at: datetime


@dataclass
class OpenCases:
    """The open cases of one organization, by case and user."""

    by_case: dict[str, dict[str, OpenCase]] = field(default_factory=dict)

    def note_open(
        self, case_id: str, user_id: str, name: str, now: datetime, *, writing: bool
    ) -> list[OpenCase]:
        """Note that a user has a case open, and no other one; return who else has it open."""
        for subject in list(self.by_case):
            self.by_case[subject] = {
                user: look
                for user, look in self.by_case[subject].items()
                if user != user_id and now - look.at < LASTS
            }
            if not self.by_case[subject]:
                del self.by_case[subject]
        others = self.by_case.setdefault(case_id, {})
        onlookers = sorted(others.values(), key=lambda look: (not look.writing, look.name))
        others[user_id] = OpenCase(name, writing, now)
        return onlookers
