"""Attachments by their bytes: macros, programs, archives, pages, and what looks like them."""

import io
import zipfile
from email.message import EmailMessage

import pytest

from data.records.core.organization import Policy
from data.records.core.screening import MessagePlace, Screening, Verdict
from tasks.core.parse.attachment_signs import signs_of
from tasks.core.screen import screen
from tasks.mail.read import read_mail
from tests.core.screening.letters import ALDER, ENVELOPE, Automated
from tests.counting import calls_of

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def archive(*names: str, encrypted: bool = False, before: bytes = b"") -> bytes:
    """Return a ZIP with these names in it."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as file:
        for name in names:
            file.writestr(name, b"x")
    content = bytearray(kept.getvalue())
    if encrypted:
        at = content.find(b"PK\x01\x02")
        while at >= 0:
            content[at + 8] |= 1
            at = content.find(b"PK\x01\x02", at + 4)
    return before + bytes(content)


def named(text: str) -> bytes:
    """Return a compound file with a stream of this name."""
    return OLE + text.encode("utf-16-le") + bytes(200)


SIGNS = {
    "document with macros": (archive("word/document.xml", "word/vbaProject.bin"), {"macros"}),
    "old document with macros": (named("_VBA_PROJECT"), {"macros", "ole"}),
    "document": (archive("word/document.xml"), {"zip"}),
    "old document": (named("WordDocument"), {"ole"}),
    "encrypted document": (named("EncryptedPackage"), {"encrypted", "ole"}),
    "encrypted archive": (archive("a.txt", encrypted=True), {"encrypted", "zip"}),
    "archive with a program": (archive("a.txt", "b/run.EXE"), {"holds program"}),
    "archive after something": (archive("run.exe", before=b"PK\x03\x04" * 9), {"holds program"}),
    "archive of texts": (archive("a.txt", "exe.txt"), {"zip"}),
    "program": (b"MZ\x90\x00", {"program"}),
    "words that begin like a program": (b"MZ-Preise: ab 20 Euro, siehe unten", set()),
    "page in letters of two octets": (
        "<html><form><input type=password>".encode("utf-16"),
        {"asks", "page"},
    ),
    "active PDF behind something": (
        b"\r\n\r\n%PDF-1.4 /JavaScript\n%%EOF",
        {"active", "pdf"},
    ),
    "active RTF with a cut head": (b"{\\rt\\objdata", {"active", "rtf"}),
    "program of Linux": (b"\x7fELF\x02", {"program"}),
    "shortcut": (b"L\x00\x00\x00\x01\x14\x02\x00\x00", {"shortcut"}),
    "disk image": (bytes(32_769) + b"CD001", {"iso"}),
    "page with a form": (b"<html><FORM action=x><input type=password></html>", {"asks", "page"}),
    "page with a script": (b"<!doctype html><script>1</script>", {"page", "scripted"}),
    "page": (b"<html><p>Our menu</p></html>", {"page"}),
    "active PDF": (b"%PDF-1.7 /OpenAction << /S /JavaScript >>", {"active", "pdf"}),
    "PDF": (b"%PDF-1.7 the word JavaScript", {"pdf"}),
    "text": (b"Minutes of the meeting <draft>", set()),
    "nothing": (b"", set()),
}


@pytest.mark.parametrize("name", SIGNS)
def test_bytes_tell_what_an_attachment_is(name: str) -> None:
    """Each kind shows its signs, and near misses show none of the dangerous ones."""
    content, expected = SIGNS[name]
    found = set(signs_of(content))
    assert expected <= found
    dangerous = {"macros", "encrypted", "holds program", "program", "shortcut", "active", "asks"}
    assert found & dangerous == expected & dangerous


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x05\x06" * 500_000,
        b"PK\x03\x04" + b"PK\x01\x02" * 400_000 + b"PK\x05\x06" + bytes(18),
        OLE + "_VBA_PROJEC".encode("utf-16-le") * 90_000,
        b"%PDF-" + b"/J" * 1_000_000,
        b"<" * 2_000_000,
    ],
    ids=["ends", "entries", "names", "keys", "marks"],
)
def test_hostile_bytes_are_searched_a_few_times(content: bytes) -> None:
    """Two megabytes made to be searched for long cost as many searches as one of them."""
    half = calls_of(lambda: signs_of(content[: len(content) // 2]))
    assert calls_of(lambda: signs_of(content)) <= half + 10 < 100


def arrived(
    filename: str, content: bytes, kind: str = "application/octet-stream", text: str = "See it."
) -> Screening:
    """Read and screen a message with one attachment."""
    message = EmailMessage()
    message["From"] = "Petra Quince <petra@quince.example>"
    message["To"] = "office@alder.example"
    message["Subject"] = "Files"
    message.set_content(text)
    main, _, sub = kind.partition("/")
    message.add_attachment(content, maintype=main, subtype=sub, filename=filename)
    reading = read_mail(message.as_bytes())
    return screen(reading.mail, reading.segments, Automated(), ENVELOPE, Policy(), ALDER)


STOPPED = {
    "program in a photograph's clothes": ("photo.jpg", b"MZ\x90\x00"),
    "double ending": ("invoice.pdf.exe", b"x"),
    "macros that the name denies": ("report.docx", SIGNS["document with macros"][0]),
    "shortcut": ("notes.txt", SIGNS["shortcut"][0]),
}
FLAGGED = {
    "old document with macros": ("report.doc", SIGNS["old document with macros"][0]),
    "archive with a program": ("photos.zip", SIGNS["archive with a program"][0]),
    "encrypted archive": ("photos.zip", SIGNS["encrypted archive"][0]),
    "page that asks": ("statement.html", SIGNS["page with a form"][0]),
    "page named as a document": ("invoice.pdf.html", SIGNS["page"][0]),
    "archive named as a picture": ("scan.png", SIGNS["document"][0]),
}
CLEAN = {
    "document": ("report.docx", SIGNS["document"][0]),
    "old document": ("report.doc", SIGNS["old document"][0]),
    "PDF": ("report.pdf", SIGNS["PDF"][0]),
    "encrypted statement": ("statement.pdf", b"%PDF-1.7 /Encrypt 5 0 R"),
    "archive": ("photos.zip", SIGNS["archive of texts"][0]),
    "text": ("minutes.txt", SIGNS["text"][0]),
    "two dots": ("minutes.2026.03.txt", b"x"),
    "picture": ("scan.png", b"\x89PNG\r\n"),
}


@pytest.mark.parametrize(
    ("case", "verdict"),
    [
        *((STOPPED[name], Verdict.QUARANTINE) for name in STOPPED),
        *((FLAGGED[name], Verdict.FLAGGED) for name in FLAGGED),
        *((CLEAN[name], Verdict.CLEAN) for name in CLEAN),
    ],
    ids=[*STOPPED, *FLAGGED, *CLEAN],
)
def test_what_happens_to_a_message_with_it(case: tuple[str, bytes], verdict: Verdict) -> None:
    """Bytes and name together decide; the hit says which attachment and why."""
    screening = arrived(*case)
    assert screening.verdict is verdict, screening.hits
    if verdict is not Verdict.CLEAN:
        assert screening.hits[0].place is MessagePlace.ATTACHMENT_NAME
        assert screening.hits[0].excerpt.startswith(case[0])


def test_an_encrypted_archive_with_its_password_weighs_more() -> None:
    """A letter that tells the password wants nobody but its reader to look inside."""
    plain = arrived(*FLAGGED["encrypted archive"])
    told = arrived(*FLAGGED["encrypted archive"], text="The password is: 4711")
    assert told.score > plain.score
