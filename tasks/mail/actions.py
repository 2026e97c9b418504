"""The nature of each action, and the approval floor that follows from it (docs/pipeline.md#plan).

No model and no policy has a say here: a floor is computed from the action's nature, and
circumstances may raise it, never lower it.
"""

from data.records.core.approvals import Floor
from data.records.core.record import Record
from data.records.mail.planning import Action, ActionType, Audience


class Nature(Record):
    """What an action is by itself."""

    reversible: bool
    """Whether it can be undone."""
    outside_effect: bool
    """Whether somebody outside the organization notices."""
    audience: Audience
    """Whom it reaches."""
    inverse: str = ""
    """What undoes it, in plain words; empty when nothing does."""


_INSIDE = {"reversible": True, "outside_effect": False, "audience": Audience.INSIDE}
_OURS = {"reversible": True, "outside_effect": False, "audience": Audience.NOBODY}

NATURES: dict[ActionType, Nature] = {
    ActionType.REPLY: Nature(reversible=False, outside_effect=True, audience=Audience.SENDER),
    ActionType.FORWARD: Nature(reversible=False, outside_effect=True, audience=Audience.OTHER),
    ActionType.ESCALATE: Nature.model_validate(_INSIDE | {"inverse": "give it to somebody else"}),
    ActionType.CREATE_TICKET: Nature.model_validate(
        _INSIDE | {"inverse": "close the ticket with a reason"}
    ),
    ActionType.ARCHIVE: Nature.model_validate(_OURS | {"inverse": "work on the message again"}),
    ActionType.CREATE_CONTACT: Nature.model_validate(_OURS | {"inverse": "block the sender"}),
    ActionType.TAG_THREAD: Nature.model_validate(_OURS | {"inverse": "take the tag away"}),
    ActionType.ASK_OWNER: Nature.model_validate(_INSIDE | {"inverse": "withdraw the question"}),
    ActionType.WAIT: Nature.model_validate(_OURS | {"inverse": "wake the case"}),
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
        money=money,
        audience=nature.audience,
        inverse=nature.inverse,
    )


def pick_strictest(floors: list[Floor]) -> Floor:
    """Return the strictest of several floors; automatic when there are none."""
    return max(floors, key=_ORDER.index, default=Floor.AUTOMATIC)
