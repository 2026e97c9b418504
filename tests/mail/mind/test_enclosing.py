"""Files in a message: names of any kind and bytes of any kind read back as they were."""

from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import UnfitError
from tasks.core.parse.parsing import parse
from tasks.mail.check.outgoing import holds_canary
from tasks.mail.compose.composing import hash_for_approval, preview_reply
from tasks.mail.compose.enclosing import LONGEST_NAME, Enclosure, describe_file
from tasks.mail.compose.headers import ComposeError
from tasks.mail.compose.recipients import Recipients
from tests.mail.mind.test_compose import composed

NAMES = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=150
)


def enclosure(name: str, content: bytes) -> Enclosure:
    """Return a file with its bytes."""
    return Enclosure(describe_file(name, content), content)


@given(name=NAMES, content=st.binary(min_size=1, max_size=3000))
def test_every_name_and_every_byte_reads_back(name: str, content: bytes) -> None:
    """By the standard library's two parsers and by our own; no line is beyond 998 octets."""
    try:
        file = describe_file(name, content)
    except UnfitError:
        return
    made = composed(enclosures=[Enclosure(file, content)])
    (part,) = message_from_bytes(made.raw, policy=default).iter_attachments()  # type: ignore[attr-defined]
    assert part.get_payload(decode=True) == content
    (seen,) = parse(made.raw).attachments
    assert (seen.filename, seen.sha256) == (file.filename, file.sha256)
    assert seen.other_names == ()
    assert max(map(len, made.raw.split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    ("name", "content", "declared"),
    [
        ("a.pdf", b"%PDF-1.7", "application/pdf"),
        ("a.csv", "Öl".encode(), 'text/csv; charset="utf-8"'),
        ("a.csv", "Öl".encode("latin-1"), "application/octet-stream"),
        ("a.eml", b"From: x@y.test\r\n\r\n", "application/octet-stream"),
        ("a.odt", b"PK", "application/vnd.oasis.opendocument.text"),
        ("a", b"text", "application/octet-stream"),
        ("a.unheard-of", b"text", "application/octet-stream"),
    ],
)
def test_a_file_is_declared_by_its_name_and_text_only_where_it_is(
    name: str, content: bytes, declared: str
) -> None:
    """Text that is not UTF-8 bears no charset, and a message is never encoded as one."""
    assert describe_file(name, content).content_type == declared


@pytest.mark.parametrize("name", ["", " ", "...", "a\u202efdp.exe", "a/", "x" * LONGEST_NAME + "y"])
def test_a_name_that_cannot_be_written_is_refused(name: str) -> None:
    """With what to do about it."""
    with pytest.raises(UnfitError):
        describe_file(name, b"content")


def test_folders_are_no_part_of_a_name() -> None:
    """What a browser or a shell puts before it goes."""
    assert describe_file("C:\\Users\\ida\\prices.csv", b"1").filename == "prices.csv"
    assert describe_file("../../etc/passwd", b"1").filename == "passwd"


def test_files_and_blind_copies_are_in_what_is_signed() -> None:
    """Bytes, name and order of files, and who gets a blind copy and not an open one."""
    base = Recipients(to=("wim@tulip.example",), reason="?", provenance="from")
    one, two = enclosure("a.txt", b"1"), enclosure("b.txt", b"2")
    made = [
        composed(recipients=base),
        composed(recipients=base, enclosures=[one]),
        composed(recipients=base, enclosures=[one, two]),
        composed(recipients=base, enclosures=[two, one]),
        composed(recipients=base, enclosures=[enclosure("c.txt", b"1")]),
        composed(recipients=base.model_copy(update={"cc": ("ben@tulip.example",)})),
        composed(recipients=base.model_copy(update={"bcc": ("ben@tulip.example",)})),
    ]
    hashes = {
        hash_for_approval(
            each.rcpt_to, each.subject, each.body, [file.signed for file in each.enclosed], each.bcc
        )
        for each in made
    }
    assert len(hashes) == len(made)
    blind = made[-1]
    assert blind.rcpt_to == ("wim@tulip.example", "ben@tulip.example")
    assert b"ben@tulip.example" not in blind.raw
    assert "\nBcc: ben@tulip.example\n" in preview_reply(blind)
    assert preview_reply(made[2]).endswith("\nAttached: a.txt (1 bytes)\nAttached: b.txt (1 bytes)")


def test_a_file_with_other_bytes_than_were_attached_is_not_sent() -> None:
    """What an approval signs is the hash; the bytes have to be those."""
    with pytest.raises(ComposeError, match="attach it anew"):
        composed(enclosures=[Enclosure(describe_file("a.txt", b"1"), b"2")])


def test_the_mark_of_private_context_is_seen_in_a_file() -> None:
    """As it stands there; text was looked through when it was attached."""
    made = composed(enclosures=[enclosure("a.bin", b"\x00\x01 canary-0123456789 \xff")])
    assert holds_canary(made.raw, "canary-0123456789", len(made.enclosed))
    assert not holds_canary(made.raw, "canary-9999999999", len(made.enclosed))
