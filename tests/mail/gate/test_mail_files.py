"""Messages from files: every one once, as it is, in order, without loading a whole mailbox."""

import tracemalloc
from pathlib import Path

import pytest

from connectors.mail_files import count_messages, envelope_sender, iter_messages
from data.errors import NotFoundError, UnreadableMailError

FIRST = b"From: Ann <ann@out.example>\nSubject: one\n\nbody\n"
SECOND = b"From: bob@out.example\nSubject: two\n\nlines\nFrom here on it is text\n>From quoted\n"
THIRD = b"Subject: three\n\nend"


def mbox(path: Path, *messages: bytes) -> Path:
    """Write an mbox, quoting as mailboxrd does."""
    out = b""
    for message in messages:
        lines = message.split(b"\n")
        quoted = [b">" + x if x.lstrip(b">").startswith(b"From ") else x for x in lines]
        text = b"\n".join(quoted)
        out += b"From ann@out.example Mon May  4 03:02:01 2026\n" + text
        out += b"\n" if text.endswith(b"\n") else b"\n\n"
    path.write_bytes(out)
    return path


def test_a_name_that_no_file_can_have_is_told(tmp_path: Path) -> None:
    """What the system refuses to look for is no bug."""
    for read in (count_messages, lambda paths: list(iter_messages(paths))):
        with pytest.raises(UnreadableMailError, match="xxx"):
            read([tmp_path / ("x" * 300)])


def test_mbox_gives_its_messages(tmp_path: Path) -> None:
    """Quoted and unquoted `From ` lines in the text split nothing and come back as written."""
    path = mbox(tmp_path / "a.mbox", FIRST, SECOND, THIRD)
    found = list(iter_messages([path]))
    assert [raw for _, raw in found] == [FIRST, SECOND, THIRD + b"\n"]
    assert [name for name, _ in found] == [f"{path}#{n}" for n in (1, 2, 3)]
    assert count_messages([path]) == 3


def test_unquoted_from_in_text_does_not_split(tmp_path: Path) -> None:
    """A line that only begins with `From ` and has no date is text."""
    path = tmp_path / "b.mbox"
    path.write_bytes(b"From x Mon May  4 03:02:01 2026\nA: b\n\nFrom now on\n")
    assert [raw for _, raw in iter_messages([path])] == [b"A: b\n\nFrom now on\n"]


def test_crlf_mbox(tmp_path: Path) -> None:
    """An mbox with CRLF line ends is read as well."""
    path = tmp_path / "c.mbox"
    content = b"".join(
        b"From x Mon May  4 03:02:01 2026\r\nN: %d\r\n\r\nt\r\n\r\n" % n for n in (1, 2)
    )
    path.write_bytes(content)
    expected = [b"N: 1\r\n\r\nt\r\n", b"N: 2\r\n\r\nt\r\n"]
    assert [raw for _, raw in iter_messages([path])] == expected


def test_folder_gives_all_kinds_once(tmp_path: Path) -> None:
    """A folder is searched downwards: .eml files, an mbox, and a Maildir without its tmp."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "one.eml").write_bytes(FIRST)
    (tmp_path / "deep" / "notes.pdf").write_bytes(b"not mail")
    mbox(tmp_path / "deep" / "archive", SECOND, THIRD)
    for name in ("cur", "new", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
        (tmp_path / "box" / name / f"1.{name}:2,S").write_bytes(b"Subject: %s\n\n" % name.encode())
    found = [raw for _, raw in iter_messages([tmp_path])]
    subjects = [b"Subject: cur\n\n", b"Subject: new\n\n"]
    assert found == [*subjects, SECOND, THIRD + b"\n", FIRST]
    assert count_messages([tmp_path]) == 5


def test_large_mbox_is_not_loaded(tmp_path: Path) -> None:
    """Of a mailbox of 6 MB no more than a message or two is in memory."""
    path = mbox(
        tmp_path / "big.mbox", *[b"Subject: %d\n\n" % n + b"x" * 99_999 + b"\n" for n in range(60)]
    )
    tracemalloc.start()
    assert sum(1 for _ in iter_messages([path])) == 60
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_missing_path_is_named(tmp_path: Path) -> None:
    """A path that does not exist is a sentence with its name."""
    with pytest.raises(NotFoundError, match="nowhere"):
        count_messages([tmp_path / "nowhere"])


def test_empty_mbox_has_no_messages(tmp_path: Path) -> None:
    """An empty mailbox is no error."""
    (tmp_path / "e.mbox").write_bytes(b"")
    assert list(iter_messages([tmp_path / "e.mbox"])) == []


@pytest.mark.parametrize(
    ("raw", "sender"),
    [
        (FIRST, "ann@out.example"),
        (SECOND, "bob@out.example"),
        (b"Return-Path: <list@l.example>\nFrom: ann@out.example\n\n", "list@l.example"),
        (b"Return-Path: <>\nFrom: mailer@out.example\n\n", ""),
        (b'From: "a <b@c.example>" \n <real@out.example>\n\n', "real@out.example"),
        (b"From: no address here\n\n", ""),
        (THIRD, ""),
        (b"", ""),
    ],
)
def test_envelope_sender(raw: bytes, sender: str) -> None:
    """Return-Path wins over From, and the null sender stays empty."""
    assert envelope_sender(raw) == sender
