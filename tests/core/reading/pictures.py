"""Pictures of every kind that is drawn, and files that only say they are, made for tests."""

import io
import struct
import zlib

from PIL import Image

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>steal()</script></svg>'
SECRET = b"a sentence of the sender"


def picture(kind: str, width: int = 40, height: int = 20, **more: object) -> bytes:
    """Return a picture that is red on its left half and blue on its right one."""
    drawn = Image.new("RGB", (width, height), (250, 0, 0))
    drawn.paste((0, 0, 250), (width // 2, 0, width, height))
    target = io.BytesIO()
    drawn.save(target, kind, **more)  # type: ignore[arg-type]
    return target.getvalue()


def chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG (PNG specification, 5.3)."""
    check = zlib.crc32(name + content)
    return struct.pack("!I", len(content)) + name + content + struct.pack("!I", check)


def bomb_picture(side: int = 60_000) -> bytes:
    """Return a PNG of a few kilobytes whose pixels, one bit each, are `side` times `side`."""
    rows = zlib.compress(bytes(side * (side // 8 + 1) // 400))
    head = struct.pack("!IIBBBBB", side, side, 1, 0, 0, 0, 0)
    content = chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + content


def wordy() -> bytes:
    """Return a PNG that carries a text, and bytes after its end."""
    plain = picture("PNG")
    end = plain.index(b"IEND") - 4
    return plain[:end] + chunk(b"tEXt", b"Comment\0" + SECRET) + plain[end:] + SVG


def many_pages(count: int) -> bytes:
    """Return a PDF of so many pages, each a line of text wide and as high as its number."""
    import pypdfium2

    document = pypdfium2.PdfDocument.new()
    for number in range(1, count + 1):
        document.new_page(400, 100 + number)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()
