"""What `winmail.dat` holds is read as if it had come without its wrapping."""

import base64
import hashlib
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tnefparse import TNEF

from data.records.core.parsed_mail import ParsedMail
from tasks.core.parse.attachments import attachment_bytes
from tasks.core.parse.parsing import parse
from tasks.core.parse.rtf import decompress_rtf, rtf_body
from tasks.core.parse.tnef import read_tnef
from tests.core.reading.tnef_files import (
    HTML_RTF,
    PLAIN_RTF,
    attribute,
    file,
    message,
    packed,
    properties,
    property_,
    tnef,
)

PDF = b"%PDF-1.7 gears"
SUBJECT = property_(0x0037, 0x1F, "Gears\0".encode("utf-16-le"))


def letter(octets: bytes, content_type: str = "application/ms-tnef", text: str = "") -> bytes:
    """Return a message with a TNEF file and maybe a text part."""
    packed_file = base64.encodebytes(octets).decode()
    return (
        "From: ada@engine.example\nDate: Tue, 02 Jan 2024 10:00:00 +0100\n"
        "Message-ID: <1@engine.example>\nContent-Type: multipart/mixed; boundary=b\n\n"
        + (f"--b\n\n{text}\n" if text else "")
        + f'--b\nContent-Type: {content_type}; name="winmail.dat"\n'
        f"Content-Transfer-Encoding: base64\n\n{packed_file}--b--\n"
    ).encode()


def read(octets: bytes, **more: str) -> ParsedMail:
    """Return the reading of a message with a TNEF file."""
    return parse(letter(octets, **more))


def test_plain_body_is_the_text() -> None:
    """A body that is only in the TNEF file is the message's text, in its code page."""
    read_mail = read(tnef(message(SUBJECT, property_(0x1000, 0x1E, "Größe M\0".encode("cp1252")))))
    assert read_mail.text == "Größe M"
    assert read_mail.defects == ()


def test_html_body_is_read_as_html() -> None:
    """The HTML body is read with what it hides and links to."""
    html = b"<p>Gears <a href='https://x.example'>here</a></p><p style='display:none'>zebra</p>"
    mail = read(tnef(message(property_(0x1013, 0x102, html))))
    assert mail.text == "Gears here"
    assert mail.links[0].href == "https://x.example"
    assert "zebra" in mail.hidden[0].text


def test_body_in_compressed_rtf_is_unpacked() -> None:
    """A body kept as RTF is read, as HTML when it was made from HTML."""
    assert read(tnef(message(property_(0x1009, 0x102, packed(HTML_RTF))))).text == (
        "The gears fitüber€all."
    )
    plain = read(tnef(message(property_(0x1009, 0x102, packed(PLAIN_RTF)))))
    assert plain.text.split("\n")[:2] == ["First line", "Second {line}\tend"]


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1{\uc0 Caf\u233 and} caf\u233?x}", "Caféand caféx"),
        (rb"{\rtf1\uc2 \u26085\'93\'fa\u26412\'96\'7b ok}", "日本 ok"),
        (rb"{\rtf1{\u233}abc}", "éabc"),
    ],
)
def test_what_stands_in_place_of_a_letter_is_passed_over(rtf: bytes, text: str) -> None:
    """RTF says how much that is, up to the end of its group; nothing else is lost."""
    assert rtf_body(rtf) == ("", text)


def test_rtf_with_references_is_unpacked() -> None:
    """References into the window are followed, the ones that overlap themselves too."""
    body = bytes([0b00000010]) + b"a" + struct.pack(">H", 207 << 4 | 8) + b"bcdefg"
    octets = struct.pack("<IIII", len(body) + 12, 17, 0x75465A4C, 0) + body
    assert decompress_rtf(octets, []) == b"a" * 11 + b"bcdefg"


def test_files_become_attachments_and_can_be_downloaded() -> None:
    """Files inside are attachments beside the wrapping, by their long names and with their type."""
    octets = tnef(
        file("OFFER~1.PDF", PDF, "Angebot für Sie.pdf", "application/pdf"), file("b.txt", b"x")
    )
    raw = letter(octets, text="See attached.")
    mail = parse(raw)
    assert [one.filename for one in mail.attachments] == [
        "winmail.dat",
        "Angebot für Sie.pdf",
        "b.txt",
    ]
    found = mail.attachments[1]
    assert (found.content_type, found.size_bytes) == ("application/pdf", len(PDF))
    assert attachment_bytes(raw, mail, hashlib.sha256(PDF).hexdigest()) == (
        "Angebot für Sie.pdf",
        PDF,
    )


def test_name_alone_shows_a_tnef_file() -> None:
    """A `winmail.dat` under the type of any file is unpacked."""
    mail = read(tnef(file("a.txt", b"x")), content_type="application/octet-stream")
    assert [one.filename for one in mail.attachments] == ["winmail.dat", "a.txt"]


def test_body_text_is_carried_for_the_screen() -> None:
    """Subject and text inside are kept apart for the screen as well."""
    mail = read(tnef(message(SUBJECT, property_(0x1000, 0x1E, b"zebra\0"))), text="Hello there")
    assert [(one.place, one.text) for one in mail.carried] == [("tnef", "Gears\nzebra")]
    assert mail.text == "Hello there\n\nzebra"


def test_the_same_as_another_reader() -> None:
    """The library tnefparse finds the same bodies and files in a regular TNEF file."""
    octets = tnef(
        message(property_(0x1013, 0x102, b"<p>hi</p>")),
        file("a.txt", b"one"),
        file("b.txt", b"second"),
    )
    other = TNEF(octets)
    ours = read_tnef(octets, [])
    assert [(one.name, one.data) for one in ours.attachments] == [
        (one.name, one.data) for one in other.attachments
    ]
    assert other.htmlbody is not None
    assert ours.html.encode() == other.htmlbody


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"no tnef at all",
        tnef(message(SUBJECT))[:-9],
        tnef(attribute(1, 0x9003, 6, struct.pack("<I", 0xFFFFFFFF))),
        tnef(attribute(1, 0x9003, 6, struct.pack("<IHHI", 1, 0x101E, 0x1000, 0xFFFFFFFF))),
        tnef(attribute(1, 0x9003, 6, struct.pack("<IHHI", 1, 0x1001, 0x1000, 0xFFFFFFFF))),
        tnef(attribute(2, 0x9002, 6, b"x"), attribute(2, 0x9005, 6, properties(b"\xff" * 40))),
        tnef(message(property_(0x1009, 0x102, b"\xff" * 40))),
        struct.pack("<IH", 0x223E9F78, 1) + struct.pack("<BHHI", 1, 0x800C, 1, 0xFFFFFFF0) + b"x",
    ],
)
def test_broken_files_are_noted_and_cost_nothing(octets: bytes) -> None:
    """What is broken or lies about its size is left out, said in the defects, and not unpacked."""
    mail = read(octets, text="Hello")
    assert mail.text == "Hello"
    assert any("TNEF" in one or "RTF" in one for one in mail.defects)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 400), st.binary(min_size=1, max_size=12))
def test_any_damage_is_survived(at: int, put: bytes) -> None:
    """Bytes changed anywhere in a file never make the reading raise."""
    whole = tnef(message(SUBJECT, property_(0x1009, 0x102, packed(HTML_RTF))), file("a", PDF, "b"))
    read_tnef(whole[:at] + put + whole[at + len(put) :], [])
    rtf_body(decompress_rtf(packed(HTML_RTF)[:at] + put, []))
