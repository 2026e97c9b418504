"""Files that stand in the text of a mail, uuencoded or in yEnc, are attachments."""

import binascii
import html
from collections.abc import Callable

import pytest

from data.records.core.parsed_mail import ParsedMail
from tasks.core.parse.attachments import attachment_bytes
from tasks.core.parse.parsing import parse
from tests.core.screening.letters import screened

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


def binhexed(name: str, data: bytes, *, resources: bytes = b"") -> bytes:
    """Return a file as BinHex 4.0 writes it, runs of one octet shortened."""
    alphabet = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr"
    octets = bytes((len(name),)) + name.encode() + b"\0TEXTttxt\0\0"
    octets += len(data).to_bytes(4, "big") + len(resources).to_bytes(4, "big") + b"\0\0"
    octets += data + b"\0\0" + resources + b"\0\0"
    coded = bytearray()
    at = 0
    while at < len(octets):
        run = 1
        while run < 255 and octets[at + run : at + run + 1] == octets[at : at + 1]:
            run += 1
        shown = b"\x90\0" if octets[at] == 0x90 else octets[at : at + 1]
        coded += shown + bytes((0x90, run)) if run > 3 else shown * run
        at += run
    bits = "".join(f"{octet:08b}" for octet in coded)
    bits += "0" * (-len(bits) % 6)
    letters = bytes(alphabet[int(bits[n : n + 6], 2)] for n in range(0, len(bits), 6))
    letters = b":" + letters + b":"
    lines = b"\n".join(letters[n : n + 64] for n in range(0, len(letters), 64))
    return b"(This file must be converted with BinHex 4.0)\n\n" + lines + b"\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_binhex_in_the_text_is_an_attachment(end: bytes) -> None:
    """It is named, unpacked with its runs, fetched and cut out of the text."""
    data = PICTURE + b"\x90" * 9 + b"A" * 600
    file = binhexed("strap.png", data).replace(b"\n", end)
    raw = HEAD + b"The strap is torn.\n\n" + file + b"\nAda\n"
    mail = parse(raw)
    (attachment,) = mail.attachments
    assert (attachment.filename, attachment.size_bytes) == ("strap.png", len(data))
    assert mail.text.split() == ["The", "strap", "is", "torn.", "Ada"]
    assert attachment_bytes(raw, mail, attachment.sha256) == ("strap.png", data)


def test_blocked_file_in_binhex_is_blocked() -> None:
    """A program is one in BinHex too, in the text, in a part of that type, by its resources."""
    part = (
        b"From: ada@fell.example\nContent-Type: multipart/mixed; boundary=p\n\n"
        b"--p\n\nSee below.\n--p\nContent-Type: application/mac-binhex40; name=strap.hqx\n\n"
    )
    for raw in (
        HEAD + b"See below.\n" + binhexed("strap.scr", PROGRAM),
        HEAD + b"See below.\n" + binhexed("strap.scr", b"", resources=PROGRAM),
        part + binhexed("strap.scr", PROGRAM) + b"--p--\n",
    ):
        mail = parse(raw)
        assert "strap.scr" in names(mail)
        seen = screened(mail.text, attachments=mail.attachments)
        assert any(hit.rule == "attachment_types" and hit.score >= 0.8 for hit in seen.hits)


@pytest.mark.parametrize(
    "text",
    [
        "(This file must be converted with BinHex 4.0)\n\nHow do I open such a file?\nAda",
        "(This file must be converted with BinHex 4.0)\n\n:a:\nHow do I open it?\n",
        "It says (This file must be converted with BinHex 4.0), what is that?",
    ],
)
def test_a_question_about_binhex_is_text(text: str) -> None:
    """The line of the format alone, and what is no file behind it, stay text."""
    mail = parse(HEAD + text.encode())
    assert mail.attachments == ()
    assert mail.text.split() == text.split()


def in_pre(file: bytes) -> bytes:
    """Return a file in a `<pre>`, its letters escaped."""
    return b"<pre>\n" + html.escape(file.decode("latin-1")).encode("latin-1") + b"</pre>"


def with_breaks(file: bytes) -> bytes:
    """Return a file as web mail writes lines, spaces kept by references."""
    shown = html.escape(file.decode("latin-1"))
    if shown.startswith("begin "):
        first, _, rest = shown.partition("\n")
        shown = first + "\n" + rest.replace(" ", "&nbsp;")
    return shown.replace("\n", "<br>\n").encode("latin-1")


@pytest.mark.parametrize("shown", [in_pre, with_breaks])
@pytest.mark.parametrize(
    "file", [uuencoded("strap.png", PICTURE), binhexed("strap.png", PICTURE)], ids=["uu", "hqx"]
)
def test_file_in_html_is_an_attachment(shown: Callable[[bytes], bytes], file: bytes) -> None:
    """In the text of a page a file is one as well, and what stands around it stays."""
    head = b"From: ada@fell.example\nContent-Type: text/html; charset=utf-8\n\n"
    page = b"<p>The strap is <b>torn</b>.</p><div>" + shown(file) + b"</div><p>Ada</p>"
    raw = head + page
    mail = parse(raw)
    (attachment,) = mail.attachments
    assert (attachment.filename, attachment.size_bytes) == ("strap.png", len(PICTURE))
    assert mail.text.split() == ["The", "strap", "is", "torn.", "Ada"]
    assert attachment_bytes(raw, mail, attachment.sha256) == ("strap.png", PICTURE)


def test_prose_in_html_that_begins_so_is_text() -> None:
    """A sentence with the words of a format is none in a page."""
    page = b"<p>Please</p><pre>begin 644 metres behind\nthe gate.</pre><p>begin 644 x<br>end</p>"
    head = b"From: ada@fell.example\nContent-Type: text/html; charset=utf-8\n\n"
    mail = parse(head + page)
    assert mail.attachments == ()
    assert "behind" in mail.text


def test_file_in_both_alternatives_is_listed_once() -> None:
    """What a program writes as plain text and as a page holds one file."""
    file = uuencoded("strap.png", PICTURE)
    mail = parse(
        b"From: ada@fell.example\nContent-Type: multipart/alternative; boundary=p\n\n"
        b"--p\nContent-Type: text/plain\n\nTorn.\n\n" + file + b"\n--p\nContent-Type: text/html\n\n"
        b"<p>Torn.</p>" + in_pre(file) + b"\n--p--\n"
    )
    assert names(mail) == ["strap.png"]
    assert mail.text.strip() == "Torn."
    assert not mail.hidden


def test_many_beginnings_in_a_page_are_read_quickly() -> None:
    """Beginnings that are none, and files without an end, cost no more than their length."""
    head = b"From: ada@fell.example\nContent-Type: text/html\n\n"
    page = b"<pre>\n" + b"begin 644 x\nno\n" * 20_000 + b"</pre>"
    assert parse(head + page).attachments == ()
