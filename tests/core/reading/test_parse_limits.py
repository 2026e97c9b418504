"""Messages made to be expensive: each meets a limit, or is read quickly."""

import time
import tracemalloc

import pytest

from data.errors import UnreadableMailError
from tasks.core.parse.parsing import parse
from tasks.mail.read import read_mail

HEAD = b"From: a@x.example\r\nTo: b@y.example\r\nSubject: s\r\n"
SECONDS = 30.0
"""A guard against more than linear work: a hundred times what any of them needs (benchmarks/)."""


def nested(levels: int) -> bytes:
    """Return a message of multiparts inside each other."""
    opened = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(levels)
    )
    return HEAD + opened + b"\r\ndeep"


@pytest.mark.parametrize(
    ("limit", "raw"),
    [
        ("header_block", HEAD + b"Subject: " + b"=?utf-8?q?abc?=\r\n " * 20_000 + b"\r\n\r\nx"),
        ("header_block", b"".join(b"X-A: %d\r\n" % n for n in range(200_000)) + b"\r\nx"),
        ("header_length", b"From: " + b"." * 50_000 + b" <a@x.example>\r\n\r\nx"),
        ("addresses", HEAD + b"Cc: " + b", ".join([b"u@e.c"] * 32_000) + b"\r\n\r\nx"),
        ("header_count", b"A: b\r\n" * 1_001 + b"\r\nx"),
        ("addresses", HEAD + b"Cc: " + b",".join([b"u@e.c"] * 1_001) + b"\r\n\r\nx"),
        (
            "parts",
            HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n" * 99_999,
        ),
        ("depth", nested(3_000)),
        ("depth", nested(21)),
        ("depth", HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 3_000 + b"x"),
    ],
)
def test_limit_refuses_the_message_at_once(limit: str, raw: bytes) -> None:
    """A message beyond a limit is unreadable, and the error names the limit."""
    before = time.process_time()
    with pytest.raises(UnreadableMailError, match=f"'{limit}'"):
        parse(raw)
    assert time.process_time() - before < SECONDS


@pytest.mark.parametrize(
    "raw",
    [
        b"From: " + b"." * 32_000 + b" <a@x.example>\r\n\r\nx",
        b"From: " + b"a." * 16_000 + b" <a@x.example>\r\n\r\nx",
        b"From: " + b"(" * 30_000 + b"\r\n\r\nx",
        b"From: " + b'"' * 32_000 + b"\r\n\r\nx",
        b"From: " + b"a:;" * 10_000 + b"\r\n\r\nx",
        b"From: a@x.example\r\nMessage-ID: " + b"<" * 30_000 + b"\r\n\r\nx",
        HEAD
        + b"Content-Type: text/plain"
        + b"".join(b"; n*%d*=a" % n for n in range(2_300))
        + b"\r\n\r\nx",
        HEAD + b"Content-Type: a/b" + b"; x=y" * 20_000 + b"\r\n\r\nx",
        HEAD + b"Content-Type: a/b" + b"; filename=y" * 20_000 + b"\r\n\r\nx",
        HEAD + b"X-Folded: a" + b"\r\n b" * 20_000 + b"\r\n\r\nx",
        HEAD + b"no field\n" * 20_000 + b"Date: x\r\n\r\nx",
        HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nhi\r\n" * 990,
        HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--bb\r\n" * 100_000,
        HEAD + b"\r\n" + b">" * 1_000_000,
        HEAD + b"\r\n" + b"On 1 wrote:\n" * 40_000,
        HEAD + b"\r\n" + b"From: x\n" * 60_000,
        HEAD + b"\r\n" + b"thanks\n" * 70_000,
        HEAD + b"\r\n" + b"\n" * 1_000_000,
        HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"a \n" * 200_000,
    ],
)
def test_expensive_within_the_limits_is_still_quick(raw: bytes) -> None:
    """What stays within the limits is read and cut in little time."""
    before = time.process_time()
    read_mail(raw)
    assert time.process_time() - before < SECONDS


def test_depth_of_twenty_is_read() -> None:
    """The limit of levels is itself allowed."""
    assert parse(nested(19)).text == "deep"


def test_memory_stays_in_proportion() -> None:
    """Many encoded words take no gigabytes (2.7 GB in the standard library)."""
    raw = HEAD + b"X-Words: " + b"=?utf-8?q?abc?= " * 2_000 + b"\r\n\r\nx"
    tracemalloc.start()
    parse(raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000
