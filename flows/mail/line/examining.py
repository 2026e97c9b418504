"""What the check says of a reply, as the stage, a parted case and a preview ask it."""

from collections.abc import Mapping, Sequence
from typing import Any

from data.records.core.understanding import Classification
from data.records.mail.briefing import Briefing
from data.records.mail.drafting import Checked, Draft
from data.records.mail.mail import Address
from data.records.mail.planning import Plan
from flows.core.workspace import Workspace
from tasks.batches.checking import look_at


def sender_of(row: Mapping[str, Any]) -> Address:
    """Return who a case's reply is to."""
    return Address(name=row["contact_name"], email=row["contact_email"])


def examine(
    workspace: Workspace,
    row: Mapping[str, Any],
    briefing: Briefing,
    draft: Draft,
    said: Classification,
    text: str,
    *,
    heard: str,
    plans: Sequence[Plan],
) -> Checked:
    """Return what the check says of a reply to `text`, which is all or a part of what was heard."""
    sender = sender_of(row)
    return look_at(workspace.ground, sender, briefing, draft, said, text, heard=heard, plans=plans)
