"""Attached files are read by a process with limits; what cannot be read is a sentence."""

import io
from collections.abc import AsyncIterator, Callable

import pypdfium2
import pytest

from connectors.document_pool import DocumentPool
from data.errors import UnreadableMailError
from data.records.mail.documents import DocumentText
from tasks.mail.documents.reading import read_document, request
from tests.core.reading.documents import (
    WORDS,
    bomb,
    excel,
    locked,
    nested,
    page,
    pdf,
    word,
    writer,
)


@pytest.fixture
async def pool() -> AsyncIterator[DocumentPool]:
    """A reading process with the usual limits."""
    made = DocumentPool(cpu_seconds=10, memory_mb=512)
    yield made
    await made.close()


async def read(pool: DocumentPool, name: str, content: bytes) -> DocumentText:
    """Have a file read."""
    return await pool.read(request(name, "application/octet-stream", content))


@pytest.mark.parametrize(
    ("name", "make", "kind"),
    [
        ("plan.pdf", pdf, "PDF"),
        ("plan.docx", word, "Word"),
        ("plan.xlsx", excel, "Excel"),
        ("plan.odt", writer, "OpenDocument"),
        ("plan.html", page, "HTML"),
        ("plan.txt", str.encode, "text"),
        ("misnamed.dat", word, "Word"),
    ],
)
async def test_every_kind_is_read(
    pool: DocumentPool, name: str, make: Callable[[str], bytes], kind: str
) -> None:
    """By what its bytes show, with a summary and tags; scripts are no text."""
    document = await read(pool, name, make(WORDS))
    assert (document.trouble, document.kind) == ("", kind)
    assert "Fern Quay 9" in document.text.replace("\n", " ")
    assert "steal" not in document.text
    assert document.summary
    assert {"shafts", "loom"} <= {tag.lower() for tag in document.tags}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bomb.docx", bomb, "bomb"),
        ("locked.pdf", locked, "password"),
        ("broken.pdf", lambda: b"%PDF-1.7\nnothing", "damaged"),
        ("broken.docx", lambda: word(WORDS)[:900], "not read|damaged|listed"),
        ("old.doc", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "before 2007"),
        ("picture.png", lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 64, "listed, and not read"),
    ],
)
async def test_what_cannot_be_read_is_a_sentence(
    pool: DocumentPool, name: str, content: Callable[[], bytes], said: str
) -> None:
    """No error, no long wait: the person reads why, and the next file is read."""
    document = await read(pool, name, content())
    assert any(word in document.trouble for word in said.split("|")), document
    assert document.text == ""


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("list.csv", "Lampe grün\t20 €".encode("utf-16"), "Lampe grün\t20 €"),
        ("note.txt", "Größe".encode("utf-8-sig"), "Größe"),
        ("page.html", "<p>Grün</p>".encode("utf-16"), "Grün"),
        ("page.html", b"<meta charset=iso-8859-2><p>Za\xbf\xf3\xb3\xe6</p>", "Zażółć"),
        ("note.txt", b"Our files begin with %PDF-1.4", "Our files begin with %PDF-1.4"),
        ("plan.docx", nested(), "Plan\nHead\na\tb\ninner\nFern Quay 9"),
    ],
)
def test_letters_and_tables_of_any_form_are_read(name: str, content: bytes, text: str) -> None:
    """Wide letters and stated charsets, tables in tables, merged cells once, the foot of a page."""
    document = DocumentText.model_validate_json(read_document(request(name, "", content)))
    assert (document.trouble, document.text) == ("", text)


async def test_a_huge_sheet_is_cut(pool: DocumentPool) -> None:
    """Its beginning is there, and it says that there is more."""
    import openpyxl

    book, target = openpyxl.Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet()
    for number in range(12_000):
        sheet.append([number] * 5)
    book.save(target)
    document = await read(pool, "huge.xlsx", target.getvalue())
    assert document.cut
    assert document.text.count("\n") < 12_000


async def test_a_file_that_takes_too_long_harms_nobody() -> None:
    """Its process is ended by the system; the next file has a new one."""
    small = DocumentPool(cpu_seconds=1, memory_mb=200)
    try:
        with pytest.raises(UnreadableMailError):
            await read(small, "wide.html", b"<b>x</b>" * 3_000_000)
        assert (await read(small, "note.txt", WORDS.encode())).text
    finally:
        await small.close()


def test_the_pdf_of_these_tests_is_one() -> None:
    """Otherwise they would say nothing."""
    assert len(pypdfium2.PdfDocument(pdf(WORDS))) == 1
