"""What `parse` makes of the parts of a message: alternatives, attachments, enclosed mail."""

import base64
import hashlib

import pytest

from tasks.core.parse.attachments import attachment_bytes
from tasks.core.parse.parsing import parse
from tests.core.reading.literal_mail import mail


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


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ('Content-Type: text/plain; name="text.txt"\n\nwords', "words"),
        ("Content-Disposition: attachment\n\nwords", "words"),
        ('Content-Type: text/html; name="m.html"\n\n<p>words</p>', "words"),
        ("Content-Type: text/markdown\n\n*words*", "*words*"),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
            "Content-Type: text/plain; name=ATT1.txt\n\nwords\n"
            "--b\nContent-Type: image/png\n\nx\n--b--\n",
            "words",
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
            "Content-Disposition: attachment; filename=log.txt\n\nwords\n--b--\n",
            "",
        ),
    ],
)
def test_a_text_with_a_name_is_the_body_where_there_is_no_other(part: str, text: str) -> None:
    """Some programs name the text itself; it is listed as a file as well."""
    read = mail(part)
    assert read.text == text
    assert len(read.attachments) >= 1


def test_html_around_a_file_is_read_whole() -> None:
    """Apple's mail goes on below a file in a second HTML part: nothing of it is hidden."""
    read = mail(
        "Content-Type: multipart/alternative; boundary=a\n\n--a\n\n"
        "Please look at this picture here.\n\n\nIt was broken when it came to us.\n"
        "--a\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/html\n\n<p>Please look at this picture here.<br></p>\n"
        "--b\nContent-Type: image/png; name=a.png\n\nx\n"
        "--b\nContent-Type: text/html\n\n<p>It was broken when it came to us.</p>\n--b--\n\n--a--\n"
    )
    assert read.text == "Please look at this picture here.\n\nIt was broken when it came to us."
    assert (read.hidden, read.carried) == ((), ())


@pytest.mark.parametrize("header", ["message/rfc822", "application/octet-stream; name=x.eml"])
def test_enclosed_message_in_base64_is_read_and_can_be_downloaded(header: str) -> None:
    """Web mailers attach mail so; it is read, and its file holds the message and no letters."""
    inner = b"From: cy@z.example\nSubject: Broken\n\nIt is broken."
    raw = (
        f"From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nsee\n"
        f"--b\nContent-Type: {header}\nContent-Transfer-Encoding: base64\n\n"
        f"{base64.encodebytes(inner).decode()}--b--\n"
    ).encode()
    read = parse(raw)
    assert read.enclosed == (inner.decode(),)
    (file,) = read.attachments
    assert (file.content_type, file.size_bytes) == ("message/rfc822", len(inner))
    downloaded = attachment_bytes(raw, read, file.sha256)
    assert downloaded is not None
    assert downloaded[1] == inner


@pytest.mark.parametrize(
    "declared",
    ["text/html, charset=utf-8", "text/html charset=utf-8", '"text/html"; charset=utf-8'],
)
def test_a_type_that_is_written_oddly_is_still_one(declared: str) -> None:
    """A comma, a blank or quotation marks make no plain text and no file of a page."""
    read = mail(f"Content-Type: {declared}\n\n<p>words</p><p hidden>more</p>")
    assert (read.text, [one.text for one in read.hidden]) == ("words", ["more"])
    assert any(defect.startswith("malformed Content-Type") for defect in read.defects)


def test_comments_beside_types_and_charsets_say_nothing() -> None:
    """RFC 2045 section 5.1 allows them: `charset=us-ascii (Plain text)`."""
    raw = (
        b"Content-Type: multipart/mixed (of two); boundary=b\n\n--b\n"
        b"Content-Type: text/plain; charset=iso-8859-2 (of Poland)\n\nZa\xbf\xf3\xb3\xe6\n--b--\n"
    )
    assert parse(raw).text == "Zażółć"


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
