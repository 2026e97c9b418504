"""Stage *thread*: which conversation a message belongs to, and whether its sender may join it.

In-Reply-To and References are claims of the sender; anybody can write them. They count only when
the sender owns the conversation or takes part in it; else the message begins a
new conversation that is linked to the old one. Without them the same contact and the same subject
within some days continue a conversation (RFC 5256 compares subjects likewise).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import AwareDatetime

from data.records.mail import ParsedMail
from data.records.record import Record
from tasks.thread_subject import is_trivial, normalize_subject

__all__ = ["ThreadCandidate", "ThreadMatch", "find_thread", "normalize_subject"]

SUBJECT_DAYS = 30.0
"""Days within which a subject continues a conversation."""


class ThreadCandidate(Record):
    """A conversation that a message might belong to."""

    thread_id: str
    """Its id."""
    contact_email: str
    """The contact who owns it."""
    participants: tuple[str, ...] = ()
    """Addresses of everybody who wrote in it or whom we wrote to, our own excepted."""
    normalized_subject: str = ""
    """Its subject, as `normalize_subject` gives it."""
    last_message_at: AwareDatetime
    """When its newest message came or left, UTC."""
    message_ids: tuple[str, ...] = ()
    """Message-IDs in it, for those who look them up."""


class ThreadMatch(Record):
    """Where a message belongs."""

    thread_id: str | None = None
    """The conversation it continues; None when it begins a new one."""
    linked_to: str | None = None
    """The conversation it refers to without belonging to it."""
    reason: str
    """Why, in a few words."""
    subject_changed: bool = False
    """Whether it continues a conversation under another subject."""


def find_thread(
    mail: ParsedMail,
    contact_email: str,
    by_id: Mapping[str, ThreadCandidate],
    by_subject: Sequence[ThreadCandidate],
    now: datetime,
    *,
    subject_days: float = SUBJECT_DAYS,
) -> ThreadMatch:
    """Return the conversation that `mail` from `contact_email` continues, refers to, or neither.

    `by_id` maps Message-IDs that the mail names to their conversations; `by_subject` are
    conversations of the contact with the same normalized subject. The newest id named counts
    first (RFC 5322 section 3.6.4); `now` is when the message came.
    """
    subject = normalize_subject(mail.subject)
    linked_to: str | None = None
    for message_id in _named_ids(mail):
        candidate = by_id.get(message_id)
        if candidate is None:
            continue
        if _takes_part(contact_email, candidate):
            return ThreadMatch(
                thread_id=candidate.thread_id,
                reason="answers a message of a conversation that the sender takes part in",
                subject_changed=bool(subject) and subject != candidate.normalized_subject,
            )
        linked_to = linked_to or candidate.thread_id
    if linked_to is not None:
        return ThreadMatch(
            linked_to=linked_to, reason="names a conversation that the sender takes no part in"
        )
    found = _by_subject(subject, contact_email, by_subject, now, subject_days)
    if found is not None:
        return ThreadMatch(thread_id=found.thread_id, reason="same contact and same subject")
    return ThreadMatch(reason="nothing it continues")


def _named_ids(mail: ParsedMail) -> list[str]:
    """Return the ids that the mail names, newest first; its own id proves nothing."""
    named = [mail.in_reply_to] if mail.in_reply_to else []
    named += reversed(mail.references)
    return [one for one in dict.fromkeys(named) if one != mail.message_id]


def _takes_part(email: str, candidate: ThreadCandidate) -> bool:
    """Whether an address owns or takes part in a conversation."""
    wanted = email.casefold()
    return wanted == candidate.contact_email.casefold() or wanted in {
        one.casefold() for one in candidate.participants
    }


def _by_subject(
    subject: str,
    contact_email: str,
    candidates: Sequence[ThreadCandidate],
    now: datetime,
    days: float,
) -> ThreadCandidate | None:
    """Return the contact's newest conversation of that subject within `days`, or None."""
    if not subject or is_trivial(subject):
        return None
    since = now - timedelta(days=days)
    fitting = [
        one
        for one in candidates
        if one.normalized_subject == subject
        and one.contact_email.casefold() == contact_email.casefold()
        and since <= one.last_message_at
    ]
    return max(fitting, key=lambda one: (one.last_message_at, one.thread_id), default=None)
