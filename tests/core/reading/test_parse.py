"""What `parse` reads out of good and bad mail."""

import base64
from datetime import UTC, datetime

import pytest

from data.errors import UnreadableMailError
from data.records.core.parsed_mail import Address
from tasks.core.parse.parsing import parse
from tests.core.reading.literal_mail import HEAD, mail


def test_plain_mail_is_read_field_by_field() -> None:
    """A regular message yields every field and no defect."""
    read = mail("Cc: Bob <bob@x.example>, eve@y.example\n\nTwo gears are missing.\n")
    assert read.subject == "Gears"
    assert read.sender == Address(name="Ada Lovelace", email="ada@engine.example")
    assert read.senders == (read.sender,)
    assert read.to == (Address(email="desk@postern.example"),)
    assert [one.email for one in read.cc] == ["bob@x.example", "eve@y.example"]
    assert read.date == datetime(2024, 1, 2, 9, 0, tzinfo=UTC)
    assert read.message_id == "<gears-1@engine.example>"
    assert read.text == "Two gears are missing."
    assert read.defects == ()
    assert read.header("subject") == "Gears"


def test_crlf_and_lf_give_the_same_reading() -> None:
    """Line ends make no difference but to the size."""
    with_lf = (HEAD + "\none\ntwo\n").encode()
    one = parse(with_lf)
    two = parse(with_lf.replace(b"\n", b"\r\n"))
    assert one.model_copy(update={"size_bytes": 0}) == two.model_copy(update={"size_bytes": 0})


def test_bare_cr_as_line_end_is_read_and_noted() -> None:
    """A message whose lines end in CR alone is still a message."""
    read = parse((HEAD + "\nhello\n").encode().replace(b"\n", b"\r"))
    assert read.subject == "Gears"
    assert read.text == "hello"
    assert "lines end in bare CR" in read.defects


def test_folded_header_is_unfolded() -> None:
    """A folded line is joined with one space."""
    read = mail("X-Note: first\n\tsecond\n  third\n\nx")
    assert read.header("x-note") == "first second third"


def test_domain_is_lower_cased_and_local_part_kept() -> None:
    """Only the domain of an address has no case."""
    read = parse(b"From: <Ada.L@Engine.EXAMPLE>\n\nx")
    assert read.sender == Address(email="Ada.L@engine.example")


@pytest.mark.parametrize(
    ("header", "addresses"),
    [
        ("From: a@x.example, b@y.example", ["a@x.example", "b@y.example"]),
        ("From: a@x.example\nFrom: b@y.example", ["a@x.example", "b@y.example"]),
        ("From: a@x.example\nFrom: a@x.example", ["a@x.example", "a@x.example"]),
        ("From:", []),
        ("Subject: none", []),
        ("From: <a@x.example> <b@y.example>", []),
        ("From: a@x.example <b@y.example", []),
    ],
)
def test_sender_needs_one_from_with_one_address(header: str, addresses: list[str]) -> None:
    """Without exactly one From header of exactly one clear address nobody is the sender."""
    read = parse(f"{header}\n\nx".encode())
    assert read.sender is None
    assert [one.email for one in read.senders] == addresses
    assert read.defects


def test_address_in_a_display_name_is_not_the_sender() -> None:
    """A name that looks like an address does not become one."""
    read = parse(b'From: "boss@bank.example" <eve@evil.example>\n\nx')
    assert read.sender == Address(name="boss@bank.example", email="eve@evil.example")


def test_line_break_in_an_encoded_name_stays_inside_the_name() -> None:
    """An encoded CR LF cannot start a header."""
    read = parse(b"From: =?utf-8?q?A=0D=0ABcc=20x?= <a@b.example>\n\nx")
    assert read.sender == Address(name="A Bcc x", email="a@b.example")
    assert read.header("bcc") is None


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("=?utf-8?b?R3LDvMOfZQ?=", "Grüße"),
        ("=?utf-8?b?Q?=", ""),
        ('"=?utf-8?q?Gr=C3=BC=C3=9Fe?="', "Grüße"),
        ("=?utf-8?q?Gr=C3?= =?utf-8?q?=BC=C3=9Fe?=", "Grüße"),
        ("=?utf-8?q?Doe=2C_Jane_=3Cx=40y.example=3E?=", "Doe, Jane <x@y.example>"),
    ],
)
def test_encoded_names_are_decoded_after_the_address(name: str, shown: str) -> None:
    """Whatever a name decodes to, or fails to, the address is the one in the brackets."""
    read = parse(f"From: {name} <a@b.example>\n\nx".encode())
    assert read.sender == Address(name=shown, email="a@b.example")


def test_encoded_words_are_decoded_and_joined() -> None:
    """A letter cut between two encoded words is made whole (RFC 2047)."""
    read = parse(
        b"Subject: =?utf-8?q?Gr=C3?= =?utf-8?q?=BC=C3=9Fe?= aus =?iso-8859-1?q?K=F6ln?=\n\nx"
    )
    assert read.subject == "Grüße aus Köln"


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        ("=?utf-8?Q?Ready??=", "Ready?"),
        ("=?utf-8?q?Ready?_Yes??= =?utf-8?q?_Now?=", "Ready? Yes? Now"),
        ("=?utf-8?q?a =?utf-8?q?b?=", "=?utf-8?q?a b"),
        ("=?utf-8?b?SGVsbG8=LCB3b3JsZA==?=", "Hello, world"),
    ],
)
def test_oddly_encoded_words_are_read(written: str, subject: str) -> None:
    """A bare question mark ends no word of quoted letters, and a padding ends no word of base64."""
    assert parse(f"Subject: {written}\n\nx".encode()).subject == subject


def test_broken_encoded_word_is_shown_and_noted() -> None:
    """What cannot be decoded stays as it came."""
    read = parse(b"Subject: =?utf-8?r?half\n\nx")
    assert read.subject == "=?utf-8?r?half"
    assert "broken encoded word in header subject" in read.defects


def test_too_many_encoded_words_are_left_alone() -> None:
    """A header of over 100 encoded words is not decoded, and the message is read."""
    read = parse(b"Subject: " + b"=?utf-8?q?a?=\n " * 101 + b"\n\nhello")
    assert read.subject.startswith("=?utf-8?q?a?=")
    assert read.text == "hello"
    assert "more than 100 encoded words in header subject" in read.defects


def test_eight_bit_header_is_read_and_noted() -> None:
    """UTF-8 in a header is read (RFC 6532), other 8-bit letters are guessed and noted."""
    assert parse("Subject: Grüße\n\nx".encode()).subject == "Grüße"
    read = parse("Subject: Grüße\n\nx".encode("latin-1"))
    assert read.subject == "Grüße"
    assert "8-bit characters of no stated charset in header subject" in read.defects


def test_eight_bit_header_has_the_charset_of_the_body() -> None:
    """Letters outside ASCII in a header are in the charset that the body declares."""
    raw = "Subject: Привет\nContent-Type: text/plain; charset=koi8-r\n\nМир".encode("koi8-r")
    assert parse(raw).subject == "Привет"


def test_encoded_multipart_is_opened() -> None:
    """A multipart in base64, which no client may write, hides nothing."""
    body = base64.b64encode(b"--b\r\n\r\nfound\r\n--b--\r\n").decode()
    read = mail(
        "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n" + body
    )
    assert read.text == "found"
    assert "transfer encoding of a composite part" in read.defects


@pytest.mark.parametrize(
    ("value", "message_id", "noted"),
    [
        ("<a@b.example>", "<a@b.example>", False),
        ("a@b.example", "<a@b.example>", True),
        ("<>", None, True),
        ("<<<<", None, True),
        ("<a@b.example> <c@d.example>", "<a@b.example>", True),
    ],
)
def test_message_id_is_one_id_or_none(value: str, message_id: str | None, noted: bool) -> None:
    """A malformed Message-ID is none; of several the first counts."""
    read = parse(f"From: a@b.example\nDate: x\nMessage-ID: {value}\n\nx".encode())
    assert read.message_id == message_id
    assert any("Message-ID" in one for one in read.defects) is noted


def test_references_keep_their_order_without_repeats() -> None:
    """References are listed oldest first, each once."""
    read = mail("In-Reply-To: <two@x> <one@x>\nReferences: <one@x>\n <two@x> junk <one@x>\n\nx")
    assert read.references == ("<one@x>", "<two@x>")
    assert read.in_reply_to == "<two@x>"


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("Tue, 2 Jan 2024 10:00:00 +0100 (CET)", datetime(2024, 1, 2, 9, 0, tzinfo=UTC)),
        ("2 Jan 24 10:00 GMT", datetime(2024, 1, 2, 10, 0, tzinfo=UTC)),
        ("Fri, 2 Jan 2024 10:00:00 +0000", datetime(2024, 1, 2, 10, 0, tzinfo=UTC)),
        ("Tue Jan 2 10:00:00 2024", datetime(2024, 1, 2, 10, 0, tzinfo=UTC)),
        ("yesterday", None),
        ("Tue, 32 Jan 2024 10:00:00 +0100", None),
        ("Tue, 2 Jan 99999 10:00:00 +0100", None),
    ],
)
def test_dates_are_read_as_far_as_they_are_clear(value: str, date: datetime | None) -> None:
    """A date is UTC, or None when it says no moment."""
    assert parse(f"From: a@b.example\nDate: {value}\n\nx".encode()).date == date


def test_second_date_is_noted() -> None:
    """Of two Date headers the first readable one counts."""
    read = parse(b"Date: rubbish\nDate: Tue, 2 Jan 2024 10:00:00 +0000\n\nx")
    assert read.date == datetime(2024, 1, 2, 10, 0, tzinfo=UTC)
    assert "more than one Date header" in read.defects


def test_controls_do_not_survive() -> None:
    """NUL and other control characters are in no field."""
    read = parse(b"From: a@b.example\nSubject: a\x00b\x1b[31m\n\nx\x00y\x07\tz\x85")
    assert not any(ord(one) < 32 and one not in "\n\t" for one in read.model_dump_json())
    assert read.text.startswith("xy\tz")
    assert "\x00" not in read.subject


def test_header_without_blank_line_is_read() -> None:
    """The first line that is no field begins the body when no field follows."""
    read = parse(b"Subject: x\nhello there\nyou\n")
    assert read.subject == "x"
    assert read.text == "hello there\nyou"
    assert "the header ends without a blank line" in read.defects


def test_mbox_line_and_stray_line_do_not_end_the_header() -> None:
    """A separator line of an mbox and a broken line are stepped over."""
    read = parse(
        b"From ada@x.example Tue Jan  2 10:00:00 2024\nSubject: x\nrubbish\nTo: b@y.example\n\nhi"
    )
    assert read.subject == "x"
    assert read.to == (Address(email="b@y.example"),)
    assert read.text == "hi"


def test_group_without_members_has_no_address() -> None:
    """`undisclosed-recipients:;` is nobody."""
    assert mail("Cc: undisclosed-recipients:;\n\nx").cc == ()


@pytest.mark.parametrize("raw", [b"", b"\n", b" \r\n\r\n"])
def test_nothing_cannot_be_read(raw: bytes) -> None:
    """An empty message is unreadable."""
    with pytest.raises(UnreadableMailError, match="empty"):
        parse(raw)
