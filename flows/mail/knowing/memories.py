"""The record of all that people have taught an organization, gathered out of its state."""

import base64

from data.records.core.memory import LearnedFromMail
from data.records.core.policies import PolicyPlace
from data.store.core import policies
from data.store.core.database import Connection
from data.store.core.loaded import read_policy
from data.store.mail import contacts, decisions, examples, learning, replies


def memory_of(cursor: Connection) -> LearnedFromMail:
    """Return what an organization has learned, out of its state."""
    blocked = decisions.list_blocked(cursor)
    learned = learning.count_examples(cursor)
    training = examples.find_in_use(cursor)
    newest = policies.read_newest(cursor)
    is_kept_in_window = newest is not None and newest.place == PolicyPlace.WINDOW
    return LearnedFromMail(
        allowances=tuple((row.rule, row.sender) for row in decisions.list_allowances(cursor)),
        blocked_addresses=tuple(sorted(blocked.senders)),
        blocked_domains=tuple(sorted(blocked.domains)),
        contact_domains=contacts.list_domains(cursor),
        spam=learned.spam,
        ham=learned.ham,
        counts=learning.count_all_tokens(cursor),
        training=training.id if training else "",
        layer=base64.b64encode(training.layer).decode() if training else "",
        saved_replies=tuple(replies.list_counting(cursor)),
        policy=read_policy(cursor) if is_kept_in_window else None,
    )
