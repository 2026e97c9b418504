"""The conversations that a batch of messages may belong to, and the place of each in them.

The book knows the letterheads that could tie with any message of the batch, and grows with each
that is placed. Placing costs what the message names, not what the book holds.
"""

from collections.abc import Iterable, Mapping

from pydantic import AwareDatetime

from data.records.core.record import Record
from tasks.mail.thread.conversation_ties import SUBJECT_DAYS, Letterhead, lies_within, may_answer


class SubjectSpan(Record):
    """The time in which a conversation had messages of one contact and subject."""

    key: tuple[str, str, str]
    """As `Letterhead.subject_key`."""
    thread_id: str
    first_at: AwareDatetime
    last_at: AwareDatetime


class Placement(Record):
    """Where a message belongs."""

    thread_id: str
    """The conversation; the message's own id when it begins one."""
    new: bool = False
    """Whether it begins a conversation."""
    joined: tuple[str, ...] = ()
    """Conversations that it shows to be part of this one."""
    linked_to: str | None = None
    """A conversation that it names without a right to join."""
    names: tuple[str, ...] = ()
    """Every conversation that it names without a right to join, wherever it belongs itself."""
    named_by: tuple[str, ...] = ()
    """Conversations that named it before it came, without a right to join."""
    before: bool = False
    """Whether an answer to it came before it."""
    same_id_as: str | None = None
    """Another message that has the same Message-ID and says something else."""
    subject_changed: bool = False
    """Whether it answers under another subject."""
    reason: str
    """Why it is there, in a few words."""


class ThreadBook:
    """What is known when a batch is placed; see the module."""

    def __init__(
        self,
        known_heads: Iterable[tuple[Letterhead, str]] = (),
        *,
        spans: Iterable[SubjectSpan] = (),
        siblings: Mapping[tuple[str, str], Iterable[str]] | None = None,
        arranged: Iterable[str] = (),
        days: float = SUBJECT_DAYS,
    ) -> None:
        """Open the book.

        Args:
            known_heads: letterheads of messages placed before, with their conversations.
            spans: when conversations had the contact and subject of messages of the batch.
            siblings: conversations in which a sender named a Message-ID, by (id, sender).
            arranged: conversations that a person arranged; none is merged with another.
            days: days within which a subject continues a conversation.
        """
        self._days = days
        self._arranged = set(arranged)
        self._heir: dict[str, str] = {}
        self._holders: dict[str, list[tuple[Letterhead, str]]] = {}
        self._namers: dict[str, list[tuple[Letterhead, str]]] = {}
        self._siblings = {key: set(found) for key, found in (siblings or {}).items()}
        self._spans: dict[tuple[str, str, str], list[SubjectSpan]] = {}
        for span in spans:
            self._spans.setdefault(span.key, []).append(span)
        for head, thread in known_heads:
            self._enter(head, thread)

    def thread_of(self, thread: str) -> str:
        """Return the conversation that another one has become part of, or itself."""
        while thread in self._heir:
            thread = self._heir[thread]
        return thread

    def place(self, head: Letterhead, current: str | None = None) -> Placement:
        """Return where a message belongs, and enter it.

        Args:
            head: the message.
            current: the conversation it was put into before, when it is placed again.
        """
        if head.message_id:  # so that it can be found as the parent of what came before it
            self._holders.setdefault(head.message_id, []).append((head, current or head.item))
        ties, subject_changed, before = self._ties(head, current)
        names, named_by = self._without_right(head, ties)
        linked_to = next(iter(names), None)
        threads_tied = list(dict.fromkeys(self.thread_of(thread) for thread, _ in ties))
        target, joined = self._merged(threads_tied) if threads_tied else (current or head.item, [])
        if head.message_id:
            self._holders[head.message_id].pop()
        self._enter(head, target)
        if key := head.subject_key:
            span = SubjectSpan(
                key=key, thread_id=target, first_at=head.came_at, last_at=head.came_at
            )
            self._spans.setdefault(key, []).append(span)
        return Placement(
            thread_id=target,
            new=not threads_tied and current is None,
            joined=tuple(joined),
            linked_to=linked_to if not threads_tied else None,
            names=tuple(name for name in names if name != target and name not in joined),
            named_by=tuple(
                naming_thread
                for naming_thread in named_by
                if naming_thread != target and naming_thread not in joined
            ),
            before=before,
            same_id_as=self._same_id(head),
            subject_changed=subject_changed,
            reason=ties[0][1] if ties else _alone(linked_to),
        )

    def _ties(
        self, head: Letterhead, current: str | None
    ) -> tuple[list[tuple[str, str]], bool, bool]:
        """Return the conversations tied to a message with the reasons, the nearest first."""
        ties = [(current, "where it was before")] if current else []
        changed = before = False
        for message_id in head.named:
            holder = self._holder(head, message_id)
            if holder is not None:
                parent, thread = holder
                if not ties and head.subject and head.subject != parent.subject:
                    changed = bool(parent.subject)
                ties.append((thread, "answers a message of a conversation it takes part in"))
        for answer, thread in self._namers.get(head.message_id or "", ()):
            holder = self._holder(answer, head.message_id or "")
            if holder is not None and holder[0].item == head.item:
                before = True
                ties.append((thread, "an answer to it came before it"))
        ties += self._copies(head)
        if head.trusted and head.sender:
            for message_id in head.named:
                for thread in sorted(self._siblings.get((message_id, head.sender), ())):
                    ties.append((thread, "names the same earlier message"))
        ties += self._by_subject(head)
        return ties, changed, before

    def _holder(self, answer: Letterhead, message_id: str) -> tuple[Letterhead, str] | None:
        """Return the message of that id that `answer` may join, of several the latest before it."""
        answering = [
            holder
            for holder in self._holders.get(message_id, ())
            if holder[0].item != answer.item and may_answer(answer, holder[0])
        ]
        return max(
            answering,
            key=lambda item: (item[0].came_at <= answer.came_at, item[0].came_at, item[0].item),
            default=None,
        )

    def _copies(self, head: Letterhead) -> list[tuple[str, str]]:
        """Return the conversations of the same mail that came by another way."""
        return [
            (thread, "the same mail, by another way")
            for other, thread in self._holders.get(head.message_id or "", ())
            if other.item != head.item
            and head.trusted
            and other.trusted
            and (other.sender, other.subject) == (head.sender, head.subject)
        ]

    def _by_subject(self, head: Letterhead) -> list[tuple[str, str]]:
        """Return the contact's conversations of that subject within the days, newest first."""
        key = head.subject_key
        spans = self._spans.get(key, ()) if key and self._days else ()
        near = [s for s in spans if lies_within(head.came_at, s.first_at, s.last_at, self._days)]
        near.sort(key=lambda span: (span.last_at, span.thread_id), reverse=True)
        return [(span.thread_id, "same contact and same subject") for span in near]

    def _without_right(
        self, head: Letterhead, ties: list[tuple[str, str]]
    ) -> tuple[list[str], list[str]]:
        """Return what a message names, and what named it, that it is not tied to."""
        tied = {self.thread_of(thread) for thread, _ in ties}
        threads_named = [
            self.thread_of(thread)
            for message_id in head.named
            for other, thread in self._holders.get(message_id, ())
            if other.item != head.item
        ]
        namers = [
            self.thread_of(thread) for _, thread in self._namers.get(head.message_id or "", ())
        ]
        return (
            [
                named_thread
                for named_thread in dict.fromkeys(threads_named)
                if named_thread not in tied
            ],
            [namer for namer in dict.fromkeys(namers) if namer not in tied],
        )

    def _merged(self, thread_ids: list[str]) -> tuple[str, list[str]]:
        """Return the conversation that goes on, the oldest, and those that become part of it.

        What a person arranged is joined by messages, and merged with nothing by itself.
        """
        if thread_ids[0] in self._arranged:
            return thread_ids[0], []
        free = [tie for tie in thread_ids if tie not in self._arranged]
        target = min(free)
        joined = sorted(thread for thread in free if thread != target)
        self._heir.update(dict.fromkeys(joined, target))
        return target, joined

    def _same_id(self, head: Letterhead) -> str | None:
        """Return the first other message that has the same id and says something else."""
        others = [
            other.item
            for other, _ in self._holders.get(head.message_id or "", ())
            if other.item != head.item and other.said and other.said != head.said
        ]
        return min(others, default=None)

    def _enter(self, head: Letterhead, thread: str) -> None:
        if head.message_id:
            self._holders.setdefault(head.message_id, []).append((head, thread))
        for message_id in head.named:
            self._namers.setdefault(message_id, []).append((head, thread))
            if head.trusted and head.sender:
                self._siblings.setdefault((message_id, head.sender), set()).add(thread)


def _alone(linked_to: str | None) -> str:
    """Return why a message begins a conversation."""
    if linked_to:
        return "names a conversation that the sender takes no part in"
    return "nothing it continues"
