"""Message-IDs without brackets, or broken by folding (RFC 5322 section 3.6.4)."""

import pytest

from tasks.parse.parsing import parse


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
