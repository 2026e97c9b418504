"""The ground of a case's stages: organization, policy, saved replies, canary; in any process."""

from dataclasses import dataclass

from data.records.core.knowledge import SavedReply
from data.records.core.organization import Organization, Policy


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What everything that is said for an organization rests on."""

    organization: Organization
    policy: Policy
    saved_replies: tuple[SavedReply, ...] = ()
    canary: str = ""
    """The mark in private context that nothing outgoing may hold."""
