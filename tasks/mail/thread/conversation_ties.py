"""Stage *thread*: what ties two messages into one conversation, and who may do that.

In-Reply-To and References are claims of the sender; anybody can write them. They count only when
the sender owns the message they name, or takes part: the one wrote to the other, and the other
wrote to him, or we did. So two contacts share a conversation only if each addressed the other,
whatever Message-IDs somebody guesses. Beside ids, the same contact and the same subject within
some days are one conversation (RFC 5256 compares subjects likewise).

A tie depends on the two messages alone, never on which came first. Conversations are what
ties connect, so the order of arrival does not change them.
"""

from collections.abc import Container
from datetime import datetime, timedelta

from pydantic import AwareDatetime

from data.records.core.parsed_mail import ParsedMail
from data.records.core.record import Record
from tasks.core.parse.header_values import ids_in_text
from tasks.core.segment.subject import is_forward_subject, is_trivial, normalize_subject

__all__ = ["SUBJECT_DAYS", "Letterhead", "letterhead", "may_answer", "normalize_subject"]

SUBJECT_DAYS = 30.0
"""Days within which a subject continues a conversation, unless the setting says otherwise."""
NAMED = 50
"""Ids of References that count: the first, and the newest of the others."""


class Letterhead(Record):
    """What threading looks at in one message, theirs or ours."""

    item: str
    """Its id, `ours:` and the Message-ID for our own mail, `history:` and its reference."""
    message_id: str | None = None
    """Its Message-ID; None when missing."""
    named: tuple[str, ...] = ()
    """Message-IDs it names, newest first, its own excepted."""
    sender: str = ""
    """Address of From, lower-cased; empty for our own mail, or when nobody can tell."""
    people: tuple[str, ...] = ()
    """Whom it is addressed to, lower-cased, our own addresses excepted."""
    answers_to: str = ""
    """Address that its answers go to, lower-cased."""
    subject: str = ""
    """Its subject, as `normalize_subject` gives it."""
    said: str = ""
    """Hash over what it says, to know two messages of one Message-ID apart."""
    trusted: bool = True
    """Whether nothing shows that From is forged."""
    came_at: AwareDatetime
    """When it came or left, UTC."""

    @property
    def ours(self) -> bool:
        """Whether we wrote it."""
        return not self.sender and self.trusted

    @property
    def subject_key(self) -> tuple[str, str, str] | None:
        """What messages of one subject share; None when the subject is no sign of anything.

        Contact forms write everybody's mail from one address, so the address that answers go
        to counts as well. A message that says by ids what it continues is not moved by its subject:
        where both speak and disagree, the ids are right.
        """
        if self.named:
            return None
        if not self.sender or not self.trusted or not self.subject or is_trivial(self.subject):
            return None
        return (self.sender, self.answers_to, self.subject)


def letterhead(
    mail: ParsedMail,
    *,
    item: str,
    sender: str,
    own: Container[str],
    subject: str,
    forged: bool,
    came_at: datetime,
) -> Letterhead:
    """Return what threading looks at in `mail`.

    Args:
        mail: the message as read.
        item: its id.
        sender: the address of From, lower-cased, or an empty string.
        own: the organization's addresses, lower-cased; they make nobody a participant.
        subject: a hash over what it says.
        forged: whether authentication says that From is not the sender.
        came_at: when it was accepted.
    """
    people = (mailbox.email.lower() for mailbox in (*mail.to, *mail.cc))
    return Letterhead(
        item=item,
        message_id=mail.message_id,
        named=_named_ids(mail),
        sender=sender,
        people=tuple(sorted({person for person in people if person not in own})),
        answers_to=mail.reply_to[0].email.lower() if mail.reply_to else sender,
        subject=normalize_subject(mail.subject),
        said=subject,
        trusted=bool(sender) and not forged,
        came_at=came_at,
    )


def may_answer(answer: Letterhead, parent: Letterhead) -> bool:
    """Whether a message may join a conversation by naming `parent`."""
    if not answer.trusted or not answer.sender or not parent.trusted:
        return False
    if parent.ours:
        return answer.sender in parent.people
    if answer.sender == parent.sender:
        return True
    return answer.sender in parent.people and parent.sender in answer.people


def lies_within(one: datetime, first: datetime, last: datetime, days: float) -> bool:
    """Whether `one` lies at most `days` outside of the time from `first` to `last`."""
    room = timedelta(days=days)
    return first - room <= one <= last + room


def _named_ids(mail: ParsedMail) -> tuple[str, ...]:
    """Return the ids that the mail names, newest first; its own id proves nothing.

    Where headers name none, those count that the head of a quoted message names.
    """
    chain = mail.references
    if len(chain) > NAMED:
        chain = (chain[0], *chain[-NAMED + 1 :])
    ids_named = [mail.in_reply_to] if mail.in_reply_to else []
    ids_named += reversed(chain)
    if not ids_named and not is_forward_subject(mail.subject):
        ids_named += ids_in_text(mail.text)
    return tuple(
        message_id for message_id in dict.fromkeys(ids_named) if message_id != mail.message_id
    )
