"""Examples of spam and of wanted mail, learned from a person's decision on a message."""

from datetime import datetime

from data.records.core.principals import Principal
from data.records.core.screening import FilterLayer
from data.records.mail.stage_outputs import Screened
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import learning
from tasks.core.screen.spam_tokens import spam_tokens
from tasks.mail.read import Reading


def teach(
    cursor: Connection, message_id: str, *, spam: bool, principal: Principal, now: datetime
) -> bool:
    """Take a message as an example; return False when there is no reading of it to learn from."""
    # A message that was just released waits for its next look: what the last one saw will do.
    parsed = journal.read_newest(cursor, "parse", message_id)
    screened = journal.read_newest(cursor, "screen", message_id)
    if parsed is None or screened is None:
        return False
    reading = Reading.model_validate_json(parsed)
    automated = Screened.model_validate_json(screened).automated
    tokens = sorted(spam_tokens(reading.mail, reading.segments, automated))
    learning.learn(cursor, message_id, tokens, spam=spam, user=principal.name, now=now)
    return True


def about_content(cursor: Connection, message_id: str) -> bool:
    """Whether a rule about content hit: an attack on a machine may well be in wanted words."""
    screened = journal.read_results(cursor, "screen", [message_id]).get(message_id)
    if screened is None:
        return False
    hits = Screened.model_validate_json(screened).screening.hits
    return any(hit.layer is FilterLayer.CONTENT for hit in hits)


def restore(
    cursor: Connection, message_id: str, lesson: bool | None, principal: Principal, now: datetime
) -> None:
    """Make what is learned from a message what it was before."""
    learning.unlearn(cursor, message_id)
    if lesson is not None:
        teach(cursor, message_id, spam=lesson, principal=principal, now=now)
