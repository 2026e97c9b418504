"""A line whose replies may leave by themselves: the policy is live, a front server vouches."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from data.records.core.envelope import Channel
from data.records.core.organization import AutonomyRule, Mode
from data.records.core.understanding import Category
from tests.core.small import ADDRESS, CUSTOMER, Line, letter, open_line

FRONT = "front.example"
QUESTION = "Hello,\n\nwhen is the workshop open on weekdays?\n\nKind regards\n"


@asynccontextmanager
async def open_live(home: Path, undo_seconds: int = 60, **given: object) -> AsyncIterator[Line]:
    """Open a line that sends by itself after `undo_seconds`."""
    async with open_line(home, trusted_authserv_ids=(FRONT,), **given) as line:
        rules = tuple(AutonomyRule(category=one, auto_send=True) for one in Category)
        line.workspace.policy = line.workspace.policy.model_copy(
            update={
                "mode": Mode.LIVE,
                "autonomy_rules": rules,
                "confidence_threshold": 0.0,
                "undo_seconds": undo_seconds,
            }
        )
        yield line


def write(
    line: Line,
    text: str,
    message_id: str,
    *,
    to: str = "",
    sender: str = CUSTOMER,
    cc: str = "",
    **given: str,
) -> str:
    """Send a letter that the front server vouches for, as an answer to `to`; return its id."""
    domain = sender.rpartition("@")[2]
    passed = f"{FRONT}; dmarc=pass header.from={domain}; spf=pass smtp.mailfrom={domain}"
    headers = {"In-Reply-To": to, "References": to} if to else {}
    headers |= {"Cc": cc} if cc else {}
    raw = letter(text, sender=sender, message_id=message_id, headers=headers, **given)
    raw = f"Authentication-Results: {passed}\r\n".encode() + raw
    put = line.house.spool.put
    envelope = put(
        raw, channel=Channel.SMTP, mail_from=sender, rcpt_to=(ADDRESS,), peer="127.0.0.1"
    )
    return envelope.spool_id


async def one(line: Line, statement: str, *given: object) -> dict[str, Any]:
    """Return the only row that a statement finds."""
    (row,) = await line.rows(statement, *given)
    return row
