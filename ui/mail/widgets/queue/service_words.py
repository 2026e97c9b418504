"""Words for the times by which mail should be answered."""

from datetime import datetime

from data.records.mail.service_levels import ServiceTarget, TargetKind
from ui.core.chips import chip
from ui.core.session import zone
from ui.core.text.clock import span, write_exactly

NEAR = 2 * 3600
"""Seconds before a target from which it is near."""
NAMES = {TargetKind.FIRST_ANSWER: "first answer", TargetKind.RESOLUTION: "resolution"}


def target_chip(target: ServiceTarget, now: datetime) -> str:
    """Return the chip that says how long there is until a target, or since when it is broken."""
    left = (target.due_at - now).total_seconds()
    if target.paused:
        still = f"{NAMES[target.kind]}: its time stands still until they answer"
        return chip("clock paused", "quiet", still)
    note = f"{NAMES[target.kind]} by {write_exactly(target.due_at, zone())}"
    if left < 0:
        return chip(f"late by {span(-left)}", "bad", note)
    return chip(f"due in {span(left)}", "warn" if left < NEAR else "quiet", note)
