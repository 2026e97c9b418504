"""Approvals and their kinds: what waits for a yes before it happens, and who said it.

An approval names what would happen, the hash of exactly what was shown, and who may decide. It is
decided once; a changed byte needs another one. Each slice registers the kinds that it asks for.
"""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.principals import Permission, Principal
from data.records.core.record import Record
from data.states import ApprovalState

MOST_SUMMARY = 500
"""Letters of a summary."""


class Floor(StrEnum):
    """The least approval an action needs; follows from what it does, never from a model."""

    AUTOMATIC = "automatic"  #: may happen by itself
    POLICY = "policy"  #: may happen by itself where policy and evidence allow it
    PERSON = "person"  #: a person must say yes


class ApprovalKind(Record):
    """One kind of thing that is approved."""

    name: str = Field(pattern=r"^[a-z][a-z_]*$")
    permission: Permission
    """What a person has to be permitted who decides on it."""
    meaning: str
    """What happens after a yes, in a sentence."""


class ApprovalRequest(Record):
    """What somebody is asked to approve."""

    subject_id: str
    """What it is about; a case, for a reply."""
    summary: str
    """What would happen, in one line."""
    sha256: str
    """Hash of exactly what is shown to whoever decides."""
    floor: Floor = Floor.PERSON
    may_decide: tuple[str, ...] = ()
    """Ids of the only users who may decide; empty for everybody who has the permission."""
    expires_at: AwareDatetime | None = None
    """Until when it may be decided; None for as long as it waits."""


class Approval(ApprovalRequest):
    """One approval, with what became of it."""

    id: str
    kind: str
    permission: Permission
    opened_by: str
    opened_at: AwareDatetime
    state: ApprovalState = ApprovalState.PENDING
    decided_by: str = ""
    """Who decided, or withdrew it, as the audit log writes it."""
    decided_as: str = ""
    """What kind of principal that was: `person`, `agent` or `system`."""
    decided_at: AwareDatetime | None = None
    note: str = ""
    """What whoever decided said."""
    version: int = 1

    def why_not(self, principal: Principal, organization: str) -> str:
        """Return why a principal may not decide on it, in a sentence; empty where it may.

        A part of the engine may decide below the floor of a person. An agent never may.
        """
        if principal.kind == "system":
            below = self.floor in (Floor.AUTOMATIC, Floor.POLICY)
            return "" if below else "a person has to decide on this"
        if principal.kind != "person":
            return f"{principal.name} is no person; only people decide on this"
        if not principal.may(self.permission, organization):
            return f"{principal.name} may not decide on this in organization {organization!r}"
        if self.may_decide and principal.id not in self.may_decide:
            return f"{principal.name} is none of those who may decide on this"
        return ""


_KINDS: dict[str, ApprovalKind] = {}


def register_kind(kind: ApprovalKind) -> ApprovalKind:
    """Make a kind of approval known, once; return it.

    Raises:
        ValueError: another kind has its name.

    """
    if _KINDS.setdefault(kind.name, kind) != kind:
        raise ValueError(f"another kind of approval is called {kind.name!r}")
    return kind


def kinds() -> tuple[ApprovalKind, ...]:
    """Return the kinds that are registered, by name."""
    return tuple(_KINDS[name] for name in sorted(_KINDS))
