"""Invented records for the review window's tests: a small shop for bicycle parts."""

from tests.core.window.invented_case import (
    BODY,
    CHECKED,
    DRAFT,
    GATES,
    SNIPPETS,
    STAGES,
    case,
    delivery,
    hashed,
    item,
)
from tests.core.window.invented_mail import (
    HOSTILE,
    ME,
    before,
    held,
    held_message,
    message,
    newsletter,
    now,
    screening,
    thread,
)

__all__ = [
    "BODY",
    "CHECKED",
    "DRAFT",
    "GATES",
    "HOSTILE",
    "ME",
    "SNIPPETS",
    "STAGES",
    "before",
    "case",
    "delivery",
    "hashed",
    "held",
    "held_message",
    "item",
    "message",
    "newsletter",
    "now",
    "screening",
    "thread",
]
