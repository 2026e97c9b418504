"""What each action is, and the approval floor that follows from it (docs/pipeline.md#plan).

No model and no policy has a say here: a floor is computed from the action's nature, and
circumstances may raise it, never lower it.
"""

from enum import StrEnum

from data.records.planning import Action, ActionType, Floor
from data.records.record import Record


class Audience(StrEnum):
    """Whom an action reaches; the provenance of its recipients."""

    NOBODY = "nobody"  #: changes our own records only
    INSIDE = "inside"  #: somebody of the organization
    SENDER = "sender"  #: the sender of the message, as established by code
    OTHER = "other"  #: somebody outside who did not write


class Nature(Record):
    """What an action is by itself."""

    reversible: bool
    """Whether it can be undone."""
    outside_effect: bool
    """Whether somebody outside the organization notices."""
    audience: Audience
    """Whom it reaches."""
    inverse: ActionType | None = None
    """The action that undoes it, where there is one."""


NATURES: dict[ActionType, Nature] = {
    ActionType.REPLY: Nature(reversible=False, outside_effect=True, audience=Audience.SENDER),
    ActionType.FORWARD: Nature(reversible=False, outside_effect=True, audience=Audience.OTHER),
    ActionType.ESCALATE: Nature(reversible=True, outside_effect=False, audience=Audience.INSIDE),
    ActionType.CREATE_TICKET: Nature(
        reversible=True, outside_effect=False, audience=Audience.INSIDE
    ),
    ActionType.ARCHIVE: Nature(reversible=True, outside_effect=False, audience=Audience.NOBODY),
    ActionType.CREATE_CONTACT: Nature(
        reversible=True, outside_effect=False, audience=Audience.NOBODY
    ),
    ActionType.TAG_THREAD: Nature(reversible=True, outside_effect=False, audience=Audience.NOBODY),
    ActionType.ASK_OWNER: Nature(reversible=True, outside_effect=False, audience=Audience.INSIDE),
    ActionType.WAIT: Nature(reversible=True, outside_effect=False, audience=Audience.NOBODY),
}
"""One line for every member of ActionType; a test holds both to each other."""

_ORDER = (Floor.AUTOMATIC, Floor.POLICY, Floor.PERSON)


def floor_of(nature: Nature, *, money: bool = False) -> Floor:
    """Return the least approval that an action of this nature needs.

    Inside and reversible: automatic. An answer to who wrote: policy. Everything else, and whatever
    concerns money and is seen outside: a person.
    """
    if nature.outside_effect:
        answers = nature.audience is Audience.SENDER and not money
        return Floor.POLICY if answers else Floor.PERSON
    return Floor.AUTOMATIC if nature.reversible else Floor.PERSON


def make_action(
    kind: ActionType, reason: str, *, argument: str = "", money: bool = False, person: bool = False
) -> Action:
    """Return an action with its properties from the table; `person` raises its floor."""
    nature = NATURES[kind]
    floor = Floor.PERSON if person else floor_of(nature, money=money)
    return Action(
        type=kind,
        reason=reason,
        reversible=nature.reversible,
        outside_effect=nature.outside_effect,
        floor=floor,
        argument=argument,
    )


def highest(floors: list[Floor]) -> Floor:
    """Return the strictest of several floors; automatic when there are none."""
    return max(floors, key=_ORDER.index, default=Floor.AUTOMATIC)
