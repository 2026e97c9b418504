"""What `parse` reads out of good and bad mail."""

import base64
import hashlib
from datetime import UTC, datetime

import pytest

from data.errors import UnreadableMailError
from data.records.mail import Address, ParsedMail
from tasks.parse import parse

HEAD = (
    "From: Ada Lovelace <ada@engine.example>\n"
    "To: desk@postern.example\n"
    "Subject: Gears\n"
    "Date: Tue, 02 Jan 2024 10:00:00 +0100\n"
    "Message-ID: <gears-1@engine.example>\n"
)


def mail(text: str, *, head: str = HEAD) -> ParsedMail:
    """Parse a literal mail with the usual header lines above it."""
    return parse((head + text).encode("utf-8", "surrogateescape"))


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


def test_broken_encoded_word_is_shown_and_noted() -> None:
    """What cannot be decoded stays as it came."""
    read = parse(b"Subject: =?utf-8?q?half\n\nx")
    assert read.subject == "=?utf-8?q?half"
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
        ("a@b.example", None, True),
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


@pytest.mark.parametrize(
    ("charset", "codec"),
    [("iso-8859-1", "cp1252"), ("koi8-r", "koi8-r"), ("gb2312", "gb18030"), ("UTF-8", "utf-8")],
)
def test_declared_charset_is_used(charset: str, codec: str) -> None:
    """The body is decoded as its charset is meant."""
    words = {"koi8-r": "Привет, мир", "gb2312": "你好世界"}.get(charset, "Grüße – „hier“")
    raw = f"Content-Type: text/plain; charset={charset}\n\n".encode() + words.encode(codec)
    assert parse(raw).text == words


@pytest.mark.parametrize(
    "charset", ["", "; charset=us-ascii", "; charset=klingon", "; charset=hex"]
)
def test_missing_or_wrong_charset_is_guessed(charset: str) -> None:
    """Text in UTF-8 is read whatever is declared, and a wrong declaration is noted."""
    read = parse(f"Content-Type: text/plain{charset}\n\nGrüße aus Köln".encode())
    assert read.text == "Grüße aus Köln"
    assert any("charset" in one for one in read.defects) is bool(
        charset not in ("", "; charset=us-ascii")
    )


def test_charset_that_does_not_fit_is_guessed_by_its_letters() -> None:
    """Latin-1 under the name of UTF-8 is read as what it is."""
    body = "Die Bestellung für Herrn Müller wurde schön verpackt. Viele Grüße, Jörg Schäfer"
    raw = b"Content-Type: text/plain; charset=utf-8\n\n" + body.encode("latin-1")
    read = parse(raw)
    assert read.text == body
    assert any("does not fit" in one for one in read.defects)


@pytest.mark.parametrize(
    ("encoding", "body", "text"),
    [
        ("quoted-printable", "a=\nb =3D =C3=BC", "ab = ü"),
        ("base64", "SGVsbG8sIHdvcmxk", "Hello, world"),
        ("base64", "SGVs*bG8s IHdv\ncmxk", "Hello, world"),
        ("base64", "SGVsbG8sIHdvcmxkX", "Hello, world"),
        ("x-uuencode", "begin 644 x\n%:&5L;&\\\nend", "hello"),
        ("7bit", "plain", "plain"),
        ("nonsense", "plain", "plain"),
    ],
)
def test_transfer_encodings(encoding: str, body: str, text: str) -> None:
    """Each transfer encoding is undone, broken ones as far as possible."""
    read = parse(f"Content-Transfer-Encoding: {encoding}\n\n{body}".encode())
    assert read.text == text


def test_plain_text_is_preferred_to_html() -> None:
    """Of two alternatives the plain one is the text, and the HTML is kept."""
    read = mail(
        'Content-Type: multipart/alternative; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nplain words\n"
        "--b\nContent-Type: text/html\n\n<p>html words</p><a href=https://x.example>go</a>\n--b--\n"
    )
    assert read.text == "plain words"
    assert read.html.strip() == "<p>html words</p><a href=https://x.example>go</a>"
    assert read.links[0].href == "https://x.example"
    assert read.defects == ()


def test_html_only_mail_is_read_as_text() -> None:
    """A mail without plain text is its visible HTML text."""
    read = mail("Content-Type: text/html\n\n<p>one</p><p style='display:none'>two</p>")
    assert read.text == "one"
    assert read.hidden[0].reason == "display_none"


def test_blank_plain_alternative_gives_way_to_html() -> None:
    """An empty text part does not hide the HTML."""
    read = mail(
        "Content-Type: multipart/alternative; boundary=b\n\n"
        "--b\nContent-Type: text/plain\n\n \n--b\nContent-Type: text/html\n\n<p>words</p>\n--b--\n"
    )
    assert read.text == "words"


def test_text_parts_of_mixed_are_joined() -> None:
    """Text before and after an attachment is all body."""
    read = mail(
        "Content-Type: multipart/mixed; boundary=b\n\n"
        "--b\n\nbefore\n--b\nContent-Type: image/png\nContent-Disposition: attachment\n\nx\n"
        "--b\n\nafter\n--b--\n"
    )
    assert read.text == "before\n\nafter"
    assert read.attachments[0].filename == "attachment-1.png"


def test_attachment_has_its_decoded_size_and_hash() -> None:
    """Size and hash are those of the decoded bytes."""
    read = mail(
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n"
        '--b\nContent-Type: application/pdf; name="old.pdf"\n'
        'Content-Disposition: attachment; filename="C:\\temp\\offer.pdf"\n'
        "Content-Transfer-Encoding: base64\n\nJVBERi0xLjc=\n--b--\n"
    )
    (attachment,) = read.attachments
    assert attachment.filename == "offer.pdf"
    assert attachment.content_type == "application/pdf"
    assert attachment.size_bytes == 8
    assert attachment.sha256 == hashlib.sha256(b"%PDF-1.7").hexdigest()
    assert not attachment.inline


@pytest.mark.parametrize(
    "parameter",
    [
        "filename*=utf-8''Angebot%20f%C3%BCr%20Sie.pdf",
        "filename*0*=utf-8''Angebot%20;\n filename*1*=f%C3%BCr%20Sie; filename*2=.pdf",
        'filename="=?utf-8?q?Angebot_f=C3=BCr_Sie.pdf?="',
        'filename="Angebot für Sie.pdf"',
        'filename="../../etc/Angebot für Sie.pdf"',
    ],
)
def test_file_names_are_decoded(parameter: str) -> None:
    """RFC 2231, RFC 2047 and raw UTF-8 names all give the same name, without folders."""
    read = mail(f"Content-Type: application/pdf\nContent-Disposition: attachment; {parameter}\n\nx")
    assert read.attachments[0].filename == "Angebot für Sie.pdf"


def test_inline_image_is_inline() -> None:
    """A part with a Content-ID that is not an attachment is shown inside the body."""
    read = mail("Content-Type: image/png\nContent-ID: <logo>\n\nx")
    assert read.attachments[0].inline


def test_flowed_text_is_joined() -> None:
    """Soft line breaks of format=flowed are undone, in quotes too (RFC 3676)."""
    read = mail(
        "Content-Type: text/plain; format=flowed\n\none \ntwo\n> three \n> four\n-- \nAda\n"
    )
    assert read.text == "one two\n> three four\n-- \nAda"


def test_multipart_without_boundary_is_text() -> None:
    """Without a boundary the body is read as it stands."""
    read = mail("Content-Type: multipart/mixed\n\nwords")
    assert read.text == "words"
    assert "multipart without boundary" in read.defects


def test_missing_closing_boundary_is_noted() -> None:
    """The last part ends with the message when its boundary is missing."""
    read = mail("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nwords")
    assert read.text == "words"
    assert "closing boundary missing" in read.defects


def test_boundary_that_begins_like_another_is_not_mixed_up() -> None:
    """`--bb` does not delimit the parts of boundary `b`."""
    read = mail("Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--bb\ntwo\n--b--\n")
    assert read.text == "one\n--bb\ntwo"


def test_enclosed_message_is_attachment_and_text() -> None:
    """A message passed on as a part is listed and its words are kept."""
    read = mail(
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nplease see\n"
        "--b\nContent-Type: message/rfc822\n\n"
        "From: cy@z.example\nSubject: Broken\n\nIt is broken.\n--b--\n"
    )
    assert read.text == "please see"
    assert read.attachments[0].content_type == "message/rfc822"
    assert read.enclosed == ("From: cy@z.example\nSubject: Broken\n\nIt is broken.",)


def test_delivery_report_is_kept_as_report() -> None:
    """The machine-readable part of a bounce is neither text nor attachment."""
    read = mail(
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        "--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mx.x.example\n\nFinal-Recipient: rfc822; a@b.example\n"
        "Action: failed\nStatus: 5.1.1\n--b--\n"
    )
    assert read.text == "Sorry."
    assert "Final-Recipient: rfc822; a@b.example" in read.reports[0]
    assert read.attachments == ()


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
