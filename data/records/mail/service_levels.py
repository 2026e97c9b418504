"""By when cases should be answered, as an organization has set it, and how that went."""

from enum import StrEnum

from pydantic import AwareDatetime

from data.records.core.record import Record


class TargetKind(StrEnum):
    """What has to have happened by then."""

    FIRST_ANSWER = "first_answer"  #: the first reply of the conversation has left
    RESOLUTION = "resolution"  #: the reply has left that the conversation waits for


class ServiceTarget(Record):
    """By when a case should be answered."""

    kind: TargetKind
    due_at: AwareDatetime
    paused: bool = False
    """Whether its time stands still, because the case is put off until they answer."""
