"""Mail that threading looks at, and a small run of the book over it."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from data.records.core.parsed_mail import Address, ParsedMail
from tasks.mail.thread.conversation_ties import Letterhead, letterhead
from tasks.mail.thread.thread_book import Placement, ThreadBook

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ADA, BOB, EVE = "ada@x.example", "bob@y.example", "eve@shrike.test"
US = "hello@teasel.example"


@dataclass(frozen=True)
class Mail:
    """One message as a sender writes it; an empty sender is us."""

    sender: str
    id: str | None
    subject: str = "Broken gear"
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    reply_to: str = ""
    text: str = "The gear is broken."
    forged: bool = False
    days: float = 0

    def head(self, item: str, at: datetime) -> Letterhead:
        """Return what threading looks at."""
        mail = ParsedMail(
            subject=self.subject,
            message_id=self.id,
            in_reply_to=self.in_reply_to,
            references=self.references,
            to=(Address(email=US), *(Address(email=one) for one in self.to)),
            reply_to=(Address(email=self.reply_to),) if self.reply_to else (),
        )
        given = letterhead(
            mail,
            item=item,
            sender=self.sender,
            own={US},
            subject=hashlib.sha256(self.text.encode()).hexdigest(),
            forged=self.forged,
            came_at=at,
        )
        return given.model_copy(update={"trusted": True}) if self.id == "<o@us>" else given


def place_all(*mails: Mail, arranged: Iterable[str] = (), days: float = 30) -> Sequence[Placement]:
    """Place mail in the order given, a minute apart, named `m0`, `m1`, and so on."""
    book = ThreadBook(arranged=arranged, days=days)
    placed = [
        book.place(mail.head(f"m{number}", NOW + timedelta(days=mail.days, minutes=number)))
        for number, mail in enumerate(mails)
    ]
    final = {one.thread_id: book.thread_of(one.thread_id) for one in placed}
    return [one.model_copy(update={"thread_id": final[one.thread_id]}) for one in placed]
