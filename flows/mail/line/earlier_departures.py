"""Earlier replies and newer mail, which the reply governor compares with a decision."""

from collections import defaultdict
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
class EarlierDepartures:
    """What has left before, and what has come since."""

    now: datetime
    automatic_today: int
    """Automatic replies since midnight, by the clock of the organization."""
    recent_to_anybody: int
    """Replies to anybody within the minutes that the governor names for all of them."""
    automatic_by_hour: Mapping[int, int]
    """Automatic replies of the last seven days by how many whole hours ago they left."""
    recent_by_case: Mapping[str, governing.RecentReplies]
    """Replies within the minutes that the governor names for a thread and for a contact."""
    consecutive_by_thread: Mapping[str, int]
    """By thread: automatic replies since a person wrote."""
    automatic_by_address: Mapping[str, Sequence[AutomaticReplyRow]]
    """Automatic replies of the last day to the contacts, by their addresses."""
    unreachable_addresses: frozenset[str]
    cases_with_repeated_text: frozenset[str]
    """Cases whose text went to the same contact lately."""
    cases_with_newer_mail: frozenset[str]
    """Cases since which somebody wrote again."""

    def count_sent(self, case: CaseRow, leaving: Sequence[CaseRow]) -> governor.SentBefore:
        """Return what counts for a case; `leaving` are cases that are leaving with it, before it.

        They are not in the outbox yet, and many cases are decided at once.
        """
        recent = self.recent_by_case.get(case.id, governing.RecentReplies(0, 0))
        email = case.contact_email
        to_same_address = [row for row in leaving if row.contact_email == email]
        earlier_replies = [
            (delivery.subject, delivery.created_at)
            for delivery in self.automatic_by_address.get(email, ())
        ]
        hour, day, subject = governor.count_automatic(earlier_replies, case.subject, self.now)
        own_subject = normalize_subject(case.subject)
        in_thread = sum(case_row.thread_id == case.thread_id for case_row in leaving)
        return governor.SentBefore(
            in_thread=recent.in_thread + in_thread,
            to_contact=recent.to_contact
            + sum(case_row.contact_id == case.contact_id for case_row in leaving),
            consecutive=self.consecutive_by_thread.get(case.thread_id, 0) + in_thread,
            overall=self.recent_to_anybody + len(leaving),
            in_hour=hour + len(to_same_address),
            in_day=day + len(to_same_address),
            same_subject=subject
            + sum(normalize_subject(row.subject) == own_subject for row in to_same_address),
            unreachable=email in self.unreachable_addresses,
            last_hour=self.automatic_by_hour.get(0, 0) + len(leaving),
            usual_hour=governor.compute_usual_hour(self.automatic_by_hour),
        )


def read_departures(
    cursor: Connection,
    case_by_id: Mapping[str, CaseRow],
    drafts: Mapping[str, Draft],
    organization: Organization,
    now: datetime,
) -> EarlierDepartures:
    """Return what counts for these cases, by id, with their drafts."""
    zone = ZoneInfo(organization.timezone)
    midnight = datetime.combine(organization.day(now), time(), tzinfo=zone)
    thread_since = now - timedelta(minutes=governor.THREAD_MINUTES)
    contact_since = now - timedelta(minutes=governor.CONTACT_MINUTES)
    emails = sorted({row.contact_email for row in case_by_id.values()})
    texts = {case: (row.contact_email, drafts[case].body) for case, row in case_by_id.items()}
    received_at = {case: row.received_at for case, row in case_by_id.items()}
    threads = [row.thread_id for row in case_by_id.values()]
    a_week = now - timedelta(days=governor.USUAL_DAYS)
    automatic_by_address = defaultdict[str, list[AutomaticReplyRow]](list)
    subject_since = now - timedelta(hours=governor.SUBJECT_HOURS)
    for reply in governing.list_automatic_to(cursor, emails, subject_since):
        automatic_by_address[reply.contact_email].append(reply)
    return EarlierDepartures(
        now=now,
        automatic_today=governing.count_automatic_since(cursor, midnight),
        recent_to_anybody=governing.count_left_since(
            cursor, now - timedelta(minutes=governor.OVERALL_MINUTES)
        ),
        automatic_by_hour=governing.count_automatic_by_hour(cursor, a_week, now),
        recent_by_case=governing.count_recent_by_case(
            cursor, list(case_by_id), thread_since, contact_since
        ),
        consecutive_by_thread=deliveries.count_consecutive_automatic(cursor, threads),
        automatic_by_address=automatic_by_address,
        unreachable_addresses=frozenset(
            governing.list_unreachable(
                cursor, emails, now - timedelta(days=governor.UNREACHABLE_DAYS)
            )
        ),
        cases_with_repeated_text=frozenset(
            deliveries.list_repeated_bodies(
                cursor, texts, now - timedelta(days=governor.REPEAT_DAYS)
            )
        ),
        cases_with_newer_mail=frozenset(messages.list_cases_with_newer(cursor, received_at)),
    )
