"""Pictures and pages of PDF as PNG out of plain pixels: what a drawing process is asked.

A request is one line of JSON with the number of the page, and the file's bytes below it. What
comes back was encoded here: no byte of the file, no metadata of it and no colour profile.
"""

import io
import json
import struct
import zlib
from typing import TYPE_CHECKING

from data.errors import UnreadableMailError
from data.records.mail.documents import MOST_DRAWN_PAGES, DrawnPage
from tasks.mail.documents.formats import is_pdf, open_pdf

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 1600
"""Pixels of a drawn page on its longer side, so that its PNG has less than 8 MB."""
MOST_PIXELS = 64_000_000
"""Pixels of a picture that is decoded, by its own header."""
_MOST_SCALE = 4.0
"""Pixels to a point (1/72 inch) of a PDF page; a stamp is not blown up to a poster."""
_ROOM_SIDE = 4000
"""Pixels to which a larger picture is thinned out before anything costly is done with it."""
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
)
_ORIENTATION = 0x0112
"""The tag of Exif that says how a camera was held (Exif 2.32, 4.6.4)."""
_TURN_BY_ORIENTATION = {
    2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE",
    6: "ROTATE_270", 7: "TRANSVERSE", 8: "ROTATE_90",
}  # fmt: skip
_DAMAGE = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, EOFError,
    OverflowError, ZeroDivisionError, RuntimeError, struct.error, zlib.error,
)  # fmt: skip
"""What the libraries raise over a file that is not what it seems."""
_KINDS = "PNG, JPEG, GIF, WebP and BMP pictures and PDF"


def drawing_request(page: int, content: bytes) -> bytes:
    """Return what a drawing process is asked about a page of a file, counted from 1."""
    return json.dumps({"page": page}).encode() + b"\n" + content


def draw_page(asked: bytes) -> bytes:
    """Return a `DrawnPage` as JSON; what cannot be drawn is one with a trouble."""
    head, _, content = asked.partition(b"\n")
    return _draw(json.loads(head)["page"], content).model_dump_json().encode()


def _draw(page: int, content: bytes) -> DrawnPage:
    try:
        kind = _picture_kind(content)
        if kind:
            _check_page(page, 1)
            return DrawnPage(png=_as_png(_picture(content, kind)))
        if is_pdf(content):
            return _pdf_page(content, page)
        return DrawnPage(
            trouble=f"There is no preview of this file: only {_KINDS} are drawn, by their content."
        )
    except UnreadableMailError as error:
        return DrawnPage(trouble=str(error))
    except _DAMAGE as damage:
        why = type(damage).__name__
        return DrawnPage(trouble=f"The file is damaged, or too large to draw ({why}).")


def _picture_kind(content: bytes) -> str:
    """Return which picture a file is by its first bytes; empty for none that is drawn."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "WEBP"
    return next((kind for start, kind in _BEGINNINGS if content.startswith(start)), "")


def _picture(content: bytes, kind: str) -> "Image":
    """Return the first frame of a picture, upright and within the longest side, on white."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # its size is looked at below, with a sentence of ours
    with Image.open(io.BytesIO(content), formats=(kind,)) as picture:
        width, height = picture.size
        if width * height > MOST_PIXELS:
            raise UnreadableMailError(
                f"It unpacks to {width:,} × {height:,} pixels, which is too much; it may be a bomb."
            )
        picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # JPEG alone can be decoded smaller
        orientation = picture.getexif().get(_ORIENTATION, 1)
        picture.load()
        longest = max(picture.size)
        thinned: Image.Image = picture
        if longest > _ROOM_SIDE:
            # Nearest pixels need no second copy of a large picture, whatever its mode.
            size = [max(1, side * _ROOM_SIDE // longest) for side in picture.size]
            thinned = picture.resize((size[0], size[1]), Image.Resampling.NEAREST)
        pixels = _flat(thinned)
    pixels.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    turn = _TURN_BY_ORIENTATION.get(orientation)
    return pixels if turn is None else pixels.transpose(Image.Transpose[turn])


def _flat(picture: "Image") -> "Image":
    """Return a picture as red, green and blue; what is seen through in it becomes white."""
    from PIL import Image

    if picture.mode.startswith("I"):
        picture = picture.point(lambda level: level / 256).convert("L")  # 16 bits of grey
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    layer = picture.convert("RGBA")
    ground = Image.new("RGB", layer.size, "white")
    ground.paste(layer, mask=layer.getchannel("A"))
    return ground


def _pdf_page(content: bytes, page: int) -> DrawnPage:
    document = open_pdf(content)
    try:
        pages = len(document)
        _check_page(page, pages)
        sheet = document[page - 1]
        longest = max(sheet.get_size())
        if not 0 < longest < float("inf"):
            raise UnreadableMailError("The page has no size, so that it cannot be drawn.")
        scale = min(_MOST_SCALE, (LONGEST_SIDE - 1) / longest)  # it rounds up
        drawn = sheet.render(scale=scale).to_pil().convert("RGB")
        return DrawnPage(png=_as_png(drawn), pages=pages)
    finally:
        document.close()


def _check_page(page: int, pages: int) -> None:
    if page > pages:
        count = "1 page" if pages == 1 else f"{pages} pages"
        raise UnreadableMailError(f"The file has {count}, so there is no page {page}.")
    if page > MOST_DRAWN_PAGES:
        raise UnreadableMailError(
            f"Only the first {MOST_DRAWN_PAGES} pages are drawn; download the file to read on."
        )


def _as_png(picture: "Image") -> bytes:
    """Return pixels as PNG, and nothing with them."""
    picture.info.clear()  # a colour profile or text of the sender would go into the PNG
    target = io.BytesIO()
    picture.save(target, "PNG", exif=b"")
    return target.getvalue()
