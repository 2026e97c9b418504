"""Message-IDs without brackets, or broken by folding (RFC 5322 section 3.6.4)."""

from datetime import UTC, datetime

import pytest

from data.records.core.parsed_mail import ParsedMail
from tasks.core.parse.header_values import ids_in_text
from tasks.core.parse.parsing import parse
from tasks.mail.thread.conversation_ties import letterhead

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        (b"gear-4@fell.example", ["<gear-4@fell.example>"]),
        (b"<gear-4@fell.example", ["<gear-4@fell.example>"]),
        (b"gear-4@fell.example>", ["<gear-4@fell.example>"]),
        (b"<\n gear-4@fell.example>", ["<gear-4@fell.example>"]),
        (b"<gear-4\n @fell.example>", ["<gear-4@fell.example>"]),
        (b"<gear-4@\n\tfell.example>", ["<gear-4@fell.example>"]),
        (b"<gear-4@fell.exa\n mple>", ["<gear-4@fell.example>"]),
        (b"gear-4\n @fell.example", ["<gear-4@fell.example>"]),
        (
            b"a@x.example, <b@y.example>;c@z.example",
            ["<a@x.example>", "<b@y.example>", "<c@z.example>"],
        ),
        (b"<a@x.example><b@y.exa\n mple>", ["<a@x.example>", "<b@y.example>"]),
        (b"<a@x.example>,<b@y.example>", ["<a@x.example>", "<b@y.example>"]),
        (b'ada@fell.example\'s letter of "Mon, 2 Mar" <a@x.example>', ["<a@x.example>"]),
        (b"&lt;gear-4@fell.example&gt;", ["<gear-4@fell.example>"]),
        (b"<&lt;gear-4@fell.example&gt;>", ["<gear-4@fell.example>"]),
        (b"&lt;a@x.example&gt; &#60;b@y.example&#62;", ["<a@x.example>", "<b@y.example>"]),
        (b"&lt;gear-4@fell.\n example&gt;", ["<gear-4@fell.example>"]),
        (b"%3Cgear-4@fell.example%3E", ["<gear-4@fell.example>"]),
        (b"message-id: gear-4@fell.example", ["<gear-4@fell.example>"]),
        (b"Message-ID:gear-4@fell.example", ["<gear-4@fell.example>"]),
        (b"[gear-4@fell.example]", ["<gear-4@fell.example>"]),
        (b"<a&b@x.example>", ["<a&b@x.example>"]),
        (b"<100%25@x.example>", ["<100%25@x.example>"]),
        (b"your letter of Monday", []),
        (b"<your letter of Monday, to us>", []),
        (b"a@b@c", []),
    ],
)
def test_ids_are_read_however_they_are_broken(value: bytes, ids: list[str]) -> None:
    """In References and In-Reply-To an id counts without brackets and with a fold within."""
    mail = parse(b"From: a@x.example\nReferences: " + value + b"\nIn-Reply-To: " + value + b"\n\nx")
    assert list(mail.references) == ids
    assert mail.in_reply_to == (ids[0] if ids else None)


def test_own_id_without_brackets_is_one() -> None:
    """A Message-ID without brackets is noted as odd, and answers to it find it."""
    mail = parse(b"From: a@x.example\nMessage-ID: gear-4@fell.example\n\nx")
    assert mail.message_id == "<gear-4@fell.example>"
    assert "Message-ID header is not written as an id" in mail.defects


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Yes.\n\n> Message-ID: <gear-4@fell.example>\n> We have ten.", ("<gear-4@fell.example>",)),
        ("Yes.\n\nmessage-id: gear-4@fell.example\nFrom: Fell", ("<gear-4@fell.example>",)),
        ("Yes.\nMessage-Id: &lt;gear-4@fell.example&gt;", ("<gear-4@fell.example>",)),
        ("Yes.\nIn-Reply-To: gear-4@fell.example", ("<gear-4@fell.example>",)),
        ("Write to gear-4@fell.example, my message-id: unknown", ()),
        ("The Message-ID: header is what I mean, <gear-4@fell.example> is mine", ()),
    ],
)
def test_an_answer_without_headers_names_what_it_quotes(text: str, ids: tuple[str, ...]) -> None:
    """Where a program drops the headers, ids in the head of the quoted letter count."""
    assert ids_in_text(text) == ids
    mail = parse(f"From: a@x.example\nSubject: Re: Gears\n\n{text}".encode())
    assert named_by(mail) == ids
    answered = mail.model_copy(update={"in_reply_to": "<other@fell.example>"})
    assert named_by(answered) == ("<other@fell.example>",)
    forwarded = mail.model_copy(update={"subject": "Fwd: Gears"})
    assert named_by(forwarded) == ()


def named_by(mail: ParsedMail) -> tuple[str, ...]:
    """Return the ids by which a mail looks for its conversation."""
    return letterhead(
        mail, item="1", sender="a@x.example", own=(), subject="", forged=False, came_at=NOW
    ).named


@pytest.mark.parametrize(
    "value",
    [
        b'Message from Ada <ada@fell.example> of "Tue, 3 Nov 2026" <gear-4@fell.example>',
        b"Your message of Tuesday <gear-4@fell.example>",
        b"<gear-4@fell.example> (from Ada <ada@fell.example>)",
        b"<gear-4@fell.example>",
    ],
)
def test_a_person_beside_the_id_is_no_parent(value: bytes) -> None:
    """Older programs name who wrote before the id, in the same brackets."""
    mail = parse(b"From: a@x.example\nIn-Reply-To: " + value + b"\n\nx")
    assert mail.in_reply_to == "<gear-4@fell.example>"
