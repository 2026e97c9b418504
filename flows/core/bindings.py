"""The failure policy of every stage, on one screen.

A stage fails for one message or case at a time. What may work later is tried again after the
delays, while its neighbours go on; what is left after the last try is never dropped:
`failed` shows it as failed, `review` puts it before a person without what the stage would give,
`unreadable` keeps it raw. The same numbers bind the Prefect task of the stage for failures of a
whole batch (a store that cannot be opened, say).
"""

from dataclasses import dataclass
from typing import Literal

AfterLast = Literal["failed", "review", "unreadable", "flagged"]


@dataclass(frozen=True)  # by position, so that the table below has one line a stage
class Binding:
    """How often a stage is tried, when, how long, and what happens in the end."""

    stage: str
    sentence: str
    """What the stage decides."""
    retries: int
    delays: tuple[float, ...]
    """Seconds before each further try; the last one repeats."""
    timeout: float
    """Seconds that a batch of one may take."""
    after: AfterLast

    def delay_after(self, failures: int) -> float:
        """Return the seconds to wait after so many failures."""
        return self.delays[min(failures, len(self.delays)) - 1]


_SOON, _SLOW = (1.0, 5.0, 30.0), (5.0, 30.0, 120.0)

# fmt: off
TABLE = (
    #       stage           decides                                          tries  delays   s   in the end
    Binding("parse",        "what the message says, and whose words",            2, _SOON,   60, "unreadable"),
    Binding("screen",       "clean, flagged or quarantine; written by a machine", 2, _SOON,  60, "flagged"),
    Binding("authenticate", "whether the sender is who From says",               2, _SOON,   60, "failed"),
    Binding("thread",       "which conversation, and does the sender own it",    3, _SOON,   60, "failed"),
    Binding("context",      "what is relevant, within the token budget",         3, _SLOW,  120, "failed"),
    Binding("classify",     "category, priority, sentiment, language, intents",  2, _SLOW,  120, "review"),
    Binding("plan",         "typed actions, each with an approval floor",        2, _SLOW,  120, "review"),
    Binding("draft",        "the reply, grounded, with citations",               2, _SLOW,  180, "review"),
    Binding("check",        "claims, links, secrets, recipients",                2, _SOON,   60, "review"),
    Binding("route",        "send, review, escalate or archive, gate by gate",   2, _SOON,   60, "review"),
)
# fmt: on

BINDINGS = {binding.stage: binding for binding in TABLE}
INTAKE_STAGES = ("parse", "screen", "authenticate", "thread")
CASE_STAGES = ("context", "classify", "plan", "draft", "check", "route")
