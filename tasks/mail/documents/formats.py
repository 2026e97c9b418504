"""Text of a file, by what its bytes show it to be; its name and declared type are only hints."""

import io
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile, is_zipfile

from data.errors import UnreadableMailError
from data.records.core.parsed_mail import Hidden
from tasks.core.markup.text import HtmlReading, read_html
from tasks.core.parse.attachment_signs import BEFORE_PDF
from tasks.mail.documents.limits import (
    MOST_CELLS,
    MOST_LETTERS,
    MOST_PAGES,
    check_packed,
    gather_pieces,
)

if TYPE_CHECKING:
    from docx.document import Document as DocxDocument
    from docx.table import _Cell
    from docx.text.paragraph import Paragraph
    from pypdfium2 import PdfDocument

ReadDocument = Callable[[bytes], tuple[str, bool]]
HTML = "HTML"
"""The kind of a page."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")


def reader_of(content: bytes, name: str, content_type: str) -> tuple[str, ReadDocument] | None:
    """Return the kind of a file and what reads it; None for a kind whose text is not read.

    Raises:
        UnreadableMailError: it is of a kind that is read, and this one cannot be; the sentence
            says why.

    """
    if is_pdf(content):
        return "PDF", _pdf
    if content.startswith(_OLE):
        if _ENCRYPTED_OFFICE in content:
            raise UnreadableMailError("The file is encrypted: it opens with a password only.")
        raise UnreadableMailError("An Office file of before 2007, which is not read; open it.")
    if content.startswith(b"PK\x03\x04") and is_zipfile(io.BytesIO(content)):
        return _reader_of_packed(content)
    ending = name.rpartition(".")[2].lower()
    if content_type in ("text/html", "application/xhtml+xml") or ending in ("html", "htm", "xhtml"):
        return HTML, _html
    texts = ("txt", "csv", "tsv", "md", "log", "json", "xml", "yaml", "yml", "ini")
    if content_type.startswith("text/") or ending in texts:
        return "text", _text
    return None


def is_pdf(content: bytes) -> bool:
    """Return whether the beginning of a file is that of a PDF, as readers of PDF look for it."""
    at = content.find(b"%PDF-", 0, BEFORE_PDF)
    return at == 0 or (at > 0 and content[at - 1 : at].isspace() and b"%%EOF" in content)


def _reader_of_packed(content: bytes) -> tuple[str, ReadDocument] | None:
    """Return what reads a packed document, which is looked at before it is unpacked."""
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
            reads: dict[str, tuple[str, ReadDocument]] = {
                "word/document.xml": ("Word", _docx),
                "xl/workbook.xml": ("Excel", _xlsx),
            }
            reader = next((read for name, read in reads.items() if name in names), None)
            if reader is None and "content.xml" in names and "META-INF/manifest.xml" in names:
                check_packed(archive, len(content))
                if b"manifest:encryption-data" in archive.read("META-INF/manifest.xml"):
                    raise UnreadableMailError(
                        "The file is encrypted: it opens with a password only."
                    )
                reader = ("OpenDocument", _odt)
            if reader is not None:
                check_packed(archive, len(content))
    except (BadZipFile, ValueError, NotImplementedError) as error:
        raise UnreadableMailError("The file is damaged.") from error
    return reader


def open_pdf(content: bytes) -> "PdfDocument":
    """Return a PDF, opened; close it.

    Raises:
        UnreadableMailError: it wants a password, or is damaged.

    """
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadableMailError(
                "The file is encrypted: it opens with a password only."
            ) from error
        raise UnreadableMailError("The file is damaged, or no PDF.") from error


def _pdf(content: bytes) -> tuple[str, bool]:
    document = open_pdf(content)
    try:
        count = len(document)

        def pages() -> Iterator[str]:
            for number in range(min(count, MOST_PAGES)):
                page = document[number]
                words = page.get_textpage()
                yield words.get_text_bounded().replace("\r\n", "\n")
                words.close()
                page.close()

        text, cut = gather_pieces(pages())
    finally:
        document.close()
    if not text:
        raise UnreadableMailError(
            "It holds no text: its pages may be pictures, which are not read; open it."
        )
    return text, cut or count > MOST_PAGES


def _docx(content: bytes) -> tuple[str, bool]:
    import docx
    from docx.table import Table

    document = docx.Document(io.BytesIO(content))

    def blocks(holder: "DocxDocument | _Cell") -> Iterator[str]:
        for block in holder.iter_inner_content():
            if isinstance(block, Table):
                for row in block.rows:
                    cells = {id(cell._tc): cell for cell in row.cells}  # one that is merged, once
                    yield "\t".join(
                        "\n".join(filter(str.strip, blocks(cell))) for cell in cells.values()
                    )
            else:
                yield block.text

    def pieces() -> Iterator[str]:
        for section in document.sections[:1]:
            yield from (line for line in map(_words, section.header.paragraphs) if line)
        yield from blocks(document)
        for section in document.sections[:1]:
            yield from (line for line in map(_words, section.footer.paragraphs) if line)

    return gather_pieces(pieces())


def _words(paragraph: "Paragraph") -> str:
    return paragraph.text.strip()


def _xlsx(content: bytes) -> tuple[str, bool]:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    seen = 0

    def rows() -> Iterator[str]:
        nonlocal seen
        for sheet in book.worksheets:
            yield f"[{sheet.title}]"
            for row in sheet.iter_rows(values_only=True):
                seen += len(row)
                if seen > MOST_CELLS:
                    return
                values = ["" if value is None else str(value) for value in row]
                if any(values):
                    yield "\t".join(values).rstrip()

    try:
        text, cut = gather_pieces(rows())
    finally:
        book.close()
    return text, cut or seen > MOST_CELLS


def _odt(content: bytes) -> tuple[str, bool]:
    from odf import opendocument, teletype

    document = opendocument.load(io.BytesIO(content))
    body = document.body

    def pieces() -> Iterator[str]:
        waiting = list(reversed(body.childNodes))
        while waiting:
            node = waiting.pop()
            kind = getattr(node, "qname", ("", ""))[1]
            if kind in ("p", "h"):
                yield teletype.extractText(node)
            else:
                waiting.extend(reversed(getattr(node, "childNodes", [])))

    return gather_pieces(pieces())


def _html(content: bytes) -> tuple[str, bool]:
    return gather_pieces([_page(content).text])


def hidden_in_page(content: bytes) -> tuple[Hidden, ...]:
    """Return what an HTML page holds that its reader does not see."""
    return _page(content).hidden


@lru_cache(maxsize=1)
def _page(content: bytes) -> HtmlReading:
    """Return a page as read; kept, because its text and what hides in it are asked for apart."""
    from tasks.core.parse.charsets import decode_bytes, stated_in_html

    return read_html(decode_bytes(content, stated_in_html(content), [], "attachment"))


def _text(content: bytes) -> tuple[str, bool]:
    from tasks.core.parse.charsets import decode_bytes
    from tasks.core.words.cleaning import clean_text

    beginning = content[: 4 * MOST_LETTERS]  # four bytes a letter at most, whatever its charset
    text, cut = gather_pieces([clean_text(decode_bytes(beginning, "", [], "attachment"))])
    return text, cut or len(beginning) < len(content)
