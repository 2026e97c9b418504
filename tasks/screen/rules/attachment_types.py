"""Attachments that run, or pretend to be something else."""

from collections.abc import Iterator
from functools import cache

from data.lexicons.screen import read
from data.records.mail import Attachment
from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.views import Views


@cache
def _endings(kind: str) -> frozenset[str]:
    return frozenset(read("attachments")[kind])


def look(views: Views) -> Iterator[Find]:
    """Find attachments that policy blocks, that run, hold macros, or have a double ending."""
    blocked = {ending.lower().lstrip(".") for ending in views.policy.block_attachments}
    for attachment in views.mail.attachments:
        for reason, score in _signs(attachment, blocked):
            yield Find(Place.ATTACHMENT_NAME, f"{attachment.filename}: {reason}", score)


def _signs(attachment: Attachment, blocked: set[str]) -> Iterator[tuple[str, float]]:
    """Yield (reason, score)."""
    name = attachment.filename.lower().rstrip(". ")
    parts = [part.strip() for part in name.split(".")]
    ending = parts[-1] if len(parts) > 1 else ""
    if ending in blocked:
        yield f"policy blocks .{ending}", 1.0
    runs = ending in _endings("executable")
    if runs:
        yield f".{ending} can be run", 0.8
    if runs and len(parts) > 2 and parts[-2] in _endings("document"):
        yield "double ending", 0.95
    if ending in _endings("macro"):
        yield f".{ending} can hold macros", 0.5
    if ending in _endings("disk_image"):
        yield f".{ending} is a container that hides what it holds", 0.55
    if ending in _endings("web_page"):
        yield f".{ending} opens as a page from this computer", 0.3
    if any(letter in attachment.filename for letter in "\u202e\u202d\u2066\u2067"):
        yield "name is written backwards", 0.9
    if "    " in attachment.filename:
        yield "name pushes its ending out of sight", 0.6
    executable = attachment.content_type in _endings("executable_types")
    if executable and not runs and ending in _endings("document"):
        yield f"declared as {attachment.content_type}", 0.7


RULE = Rule(
    name="attachment_types",
    sentence="Carries an attachment that runs, hides its type, or is blocked by policy.",
    technique="dangerous_attachment",
    layer=Layer.CONTENT,
    severity=1.0,
    look=look,
)
