"""Earlier replies and newer mail, which the reply governor compares with a decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from data.records.core.organization import Organization
from data.records.mail.drafting import Draft
from data.store.core.database import Connection
from data.store.mail import deliveries, governing, messages
from data.store.mail.cases import CaseRow
from data.store.mail.governing import AutomaticReplyRow
from tasks.core.segment.subject import normalize_subject
from tasks.mail.route import governor


@dataclass(frozen=True)
class Past:
    """What has left before, and what has come since."""

    now: datetime
    today: int
    """Automatic replies since midnight, by the clock of the organization."""
    overall: int
    """Replies to anybody within 10 minutes."""
    hours: Mapping[int, int]
    """Automatic replies of the last seven days by how many whole hours ago they left."""
    recent: Mapping[str, tuple[int, int]]
    """By case: replies in its thread within 10 minutes, to its contact within 180."""
    automatic: Mapping[str, int]
    """By thread: automatic replies since a person wrote."""
    sent: Sequence[AutomaticReplyRow]
    """Automatic replies of the last day to the contacts."""
    unreachable: frozenset[str]
    repeated: frozenset[str]
    """Cases whose text went to the same contact lately."""
    newer: frozenset[str]
    """Cases since which somebody wrote again."""

    def count_sent(self, case: CaseRow, leaving: Sequence[CaseRow]) -> governor.SentBefore:
        """Return what counts for a case; `leaving` are cases that are leaving with it, before it.

        They are not in the outbox yet, and many cases are decided at once.
        """
        thread, contact = self.recent.get(case.id, (0, 0))
        email = case.contact_email
        mine = [case_row for case_row in leaving if case_row.contact_email == email]
        before = [
            (delivery.subject, delivery.created_at)
            for delivery in self.sent
            if delivery.contact_email == email
        ]
        hour, day, subject = governor.count_automatic(before, case.subject, self.now)
        own = normalize_subject(case.subject)
        in_thread = sum(case_row.thread_id == case.thread_id for case_row in leaving)
        return governor.SentBefore(
            in_thread=thread + in_thread,
            to_contact=contact
            + sum(case_row.contact_id == case.contact_id for case_row in leaving),
            consecutive=self.automatic.get(case.thread_id, 0) + in_thread,
            overall=self.overall + len(leaving),
            in_hour=hour + len(mine),
            in_day=day + len(mine),
            same_subject=subject
            + sum(normalize_subject(delivery.subject) == own for delivery in mine),
            unreachable=email in self.unreachable,
            last_hour=self.hours.get(0, 0) + len(leaving),
            usual_hour=governor.usual_hour(self.hours),
        )


def past_of(
    cursor: Connection,
    case_by_id: Mapping[str, CaseRow],
    drafts: Mapping[str, Draft],
    organization: Organization,
    now: datetime,
) -> Past:
    """Return what counts for these cases, by id, with their drafts."""
    zone = ZoneInfo(organization.timezone)
    midnight = datetime.combine(organization.day(now), time(), tzinfo=zone)
    today, recent = deliveries.recent_counts(cursor, list(case_by_id), now, midnight)
    emails = sorted({row.contact_email for row in case_by_id.values()})
    written = {case: (row.contact_email, drafts[case].body) for case, row in case_by_id.items()}
    waiting = {case: row.received_at for case, row in case_by_id.items()}
    threads = [row.thread_id for row in case_by_id.values()]
    a_week = now - timedelta(days=governor.USUAL_DAYS)
    return Past(
        now=now,
        today=today,
        overall=governing.left_since(cursor, now - timedelta(minutes=governor.OVERALL_MINUTES)),
        hours=governing.automatic_by_hour(cursor, a_week, now),
        recent=recent,
        automatic=deliveries.consecutive_automatic(cursor, threads),
        sent=governing.automatic_to(cursor, emails, now - timedelta(hours=governor.SUBJECT_HOURS)),
        unreachable=frozenset(
            governing.list_unreachable(
                cursor, emails, now - timedelta(days=governor.UNREACHABLE_DAYS)
            )
        ),
        repeated=frozenset(
            deliveries.repeated_bodies(cursor, written, now - timedelta(days=governor.REPEAT_DAYS))
        ),
        newer=frozenset(messages.newer_than(cursor, waiting)),
    )
