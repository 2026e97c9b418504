"""Files that stand in the text of a mail, uuencoded or in yEnc, are attachments."""

import binascii

import pytest

from data.records.mail.mail import ParsedMail
from tasks.parse.attachments import attachment_bytes
from tasks.parse.parsing import parse
from tests.screening.letters import screened

PICTURE = bytes(range(256)) * 3
PROGRAM = b"MZ" + bytes(range(200))
HEAD = b"From: ada@fell.example\nContent-Type: text/plain; charset=utf-8\n\n"


def uuencoded(name: str, data: bytes, *, stripped: bool = False, graves: bool = False) -> bytes:
    """Return a file as `uuencode` writes it."""
    lines = [
        binascii.b2a_uu(data[at : at + 45], backtick=graves).rstrip(b"\n")
        for at in range(0, len(data), 45)
    ]
    if stripped:
        lines = [line.rstrip(b" ") for line in lines]
    return b"begin 644 %b\n%b\n`\nend\n" % (name.encode(), b"\n".join(lines))


def yencoded(name: str, data: bytes) -> bytes:
    """Return a file as yEnc writes it."""
    coded = bytearray()
    for octet in data:
        shifted = (octet + 42) % 256
        coded += (
            bytes((61, (shifted + 64) % 256)) if shifted in (0, 10, 13, 61) else bytes((shifted,))
        )
    head = f"=ybegin line=128 size={len(data)} name={name}\n".encode()
    return head + bytes(coded) + f"\n=yend size={len(data)}\n".encode()


FILES = {
    "spaces": uuencoded("strap.png", PICTURE),
    "grave accents": uuencoded("strap.png", PICTURE, graves=True),
    "spaces lost": uuencoded("strap.png", PICTURE, stripped=True),
    "base64": b"begin-base64 644 strap.png\n"
    + b"".join(binascii.b2a_base64(PICTURE[at : at + 45]) for at in range(0, len(PICTURE), 45))
    + b"====\n",
    "yenc": yencoded("strap.png", PICTURE),
    "lines of Windows": uuencoded("strap.png", PICTURE).replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_file_in_the_text_is_an_attachment(file: bytes) -> None:
    """It is listed with its name and size, can be fetched, and is cut out of the text."""
    raw = HEAD + b"The strap is torn, see below.\n\n" + file + b"\nAda\n"
    mail = parse(raw)
    (attachment,) = mail.attachments
    assert (attachment.filename, attachment.size_bytes) == ("strap.png", len(PICTURE))
    assert mail.text.split() == ["The", "strap", "is", "torn,", "see", "below.", "Ada"]
    assert attachment_bytes(raw, mail, attachment.sha256) == ("strap.png", PICTURE)


def test_several_files_in_one_text() -> None:
    """Each is listed, and the words between them stay."""
    mail = parse(HEAD + uuencoded("a.png", PICTURE) + b"and\n" + yencoded("b.png", PROGRAM))
    assert [one.filename for one in mail.attachments] == ["a.png", "b.png"]
    assert mail.text.strip() == "and"


@pytest.mark.parametrize("encode", [uuencoded, yencoded])
def test_blocked_file_in_the_text_is_blocked(encode: object) -> None:
    """A program is one by its name and by its bytes, as in a part of its own."""
    assert callable(encode)
    mail = parse(HEAD + b"See below.\n" + encode("strap.scr", PROGRAM))
    assert "program" in mail.attachments[0].signs
    seen = screened(mail.text, attachments=mail.attachments)
    assert any(one.rule == "attachment_types" and one.score >= 0.8 for one in seen.hits)


def test_words_of_a_readable_file_are_screened() -> None:
    """A text that is packed so is carried, as that of an attached file is."""
    mail = parse(HEAD + uuencoded("notes.txt", b"These are the notes of Monday."))
    assert [one.text for one in mail.carried] == ["These are the notes of Monday."]


@pytest.mark.parametrize(
    "text",
    [
        "begin 644 times over and nothing happens.\nThe lid does not close.\nend of story\n",
        "Please\nbegin 100 metres behind the gate.\nAda",
        "begin\nM\nend",
        "=ybegin is what the line said.\nAda",
        "begin 644 strap.png\nend\n",
    ],
)
def test_prose_that_begins_so_is_text(text: str) -> None:
    """A sentence with the words of a format is no file."""
    mail = parse(HEAD + text.encode())
    assert mail.attachments == ()
    assert mail.text.split() == text.split()


def names(mail: ParsedMail) -> list[str]:
    """Return the names of what is attached."""
    return [one.filename for one in mail.attachments]


def test_cut_file_is_listed_with_what_came() -> None:
    """A file whose end is missing is listed; what no longer fits its format is text."""
    whole = uuencoded("strap.png", PICTURE)
    mail = parse(HEAD + whole[: whole.rindex(b"`\nend")] + b"\nGreetings from Ada\n")
    assert names(mail) == ["strap.png"]
    assert mail.text.strip() == "Greetings from Ada"


def test_names_in_other_letters_are_read() -> None:
    """A name in 8-bit letters is read as the text is."""
    head = b"From: ada@fell.example\nContent-Type: text/plain; charset=iso-8859-1\n\n"
    file = uuencoded("x.png", PICTURE).replace(b"x.png", b"Stra\xdfe.png")
    assert names(parse(head + file)) == ["Straße.png"]
