"""Pictures and pages of PDF are drawn anew by a process with limits; the rest is a sentence."""

import io
from collections.abc import AsyncIterator, Callable

import pytest
from PIL import Image

from connectors.document_pool import DocumentPool
from data.records.mail.documents import DrawnPage
from tasks.mail.documents.drawing import LONGEST_SIDE, MOST_DRAWN_PAGES, drawing_request
from tests.core.reading.documents import WORDS, locked, page, pdf, word
from tests.core.reading.pictures import SECRET, SVG, bomb_picture, many_pages, picture, wordy


@pytest.fixture
async def pool() -> AsyncIterator[DocumentPool]:
    """A drawing process with the usual limits."""
    documents = DocumentPool(cpu_seconds=10, memory_mb=512)
    yield documents
    await documents.close()


async def draw(pool: DocumentPool, content: bytes, number: int = 1) -> DrawnPage:
    """Have a page of a file drawn."""
    return await pool.draw(drawing_request(number, content))


def open_drawn(drawn: DrawnPage) -> Image.Image:
    """Return what was drawn; it is a PNG."""
    assert drawn.trouble == ""
    return Image.open(io.BytesIO(drawn.png), formats=("PNG",))


def reds(image: Image.Image, x: int, y: int) -> bool:
    """Return whether a pixel is rather red than blue."""
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return pixel[0] > pixel[2]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
async def test_every_kind_of_picture_is_drawn_as_png(pool: DocumentPool, kind: str) -> None:
    """It is as large as it was, and left and right are where they were."""
    image = open_drawn(await draw(pool, picture(kind)))
    assert (image.size, image.mode) == ((40, 20), "RGB")
    assert reds(image, 5, 10)
    assert not reds(image, 35, 10)


async def test_nothing_of_the_senders_bytes_is_in_what_is_drawn(pool: DocumentPool) -> None:
    """No text, no metadata, nothing after the picture's end."""
    drawn = await draw(pool, wordy())
    assert SECRET in wordy()
    assert SECRET not in drawn.png
    assert b"svg" not in drawn.png
    assert open_drawn(drawn).info == {}
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    profiled = picture("JPEG", exif=exif, icc_profile=SECRET)
    assert SECRET in profiled
    assert open_drawn(await draw(pool, profiled)).info == {}  # a profile would be packed


async def test_a_photo_is_turned_as_its_camera_was_held(pool: DocumentPool) -> None:
    """Held upright, what was its left half is its upper one."""
    exif = Image.Exif()
    exif[0x0112] = 6
    image = open_drawn(await draw(pool, picture("JPEG", exif=exif)))
    assert image.size == (20, 40)
    assert reds(image, 10, 5)
    assert not reds(image, 10, 35)


async def test_a_large_picture_is_made_small(pool: DocumentPool) -> None:
    """Whatever its mode, within the longest side; noise, which packs badly, within its bytes."""
    photo = open_drawn(await draw(pool, picture("JPEG", 8000, 6000)))
    assert photo.size == (LONGEST_SIDE, 1200)
    glass, target = Image.new("RGBA", (7000, 7000), (0, 0, 0, 0)), io.BytesIO()
    glass.save(target, "PNG")
    seen = open_drawn(await draw(pool, target.getvalue()))
    assert (seen.size, seen.getpixel((9, 9))) == ((LONGEST_SIDE, LONGEST_SIDE), (255, 255, 255))
    scan, target = Image.new("I;16", (10, 10), 33_000), io.BytesIO()
    scan.save(target, "PNG")
    assert open_drawn(await draw(pool, target.getvalue())).getpixel((5, 5)) == (128, 128, 128)
    thread = open_drawn(await draw(pool, picture("PNG", 20_000, 2)))
    assert thread.size == (LONGEST_SIDE, 1)
    noise, target = Image.effect_noise((4000, 4000), 200.0).convert("RGB"), io.BytesIO()
    Image.merge("RGB", [noise.getchannel(0).rotate(90 * turn) for turn in range(3)]).save(
        target, "BMP"
    )
    packed = await draw(pool, target.getvalue())
    assert len(packed.png) < 8_000_000


async def test_pages_of_a_pdf_are_drawn(pool: DocumentPool) -> None:
    """Each by its number, up to the last that is drawn; beyond it a sentence says so."""
    written = await draw(pool, pdf(WORDS))
    image = open_drawn(written)
    assert written.pages == 1
    assert max(image.size) <= LONGEST_SIDE
    assert len(set(image.convert("L").tobytes())) > 1
    many = many_pages(MOST_DRAWN_PAGES + 2)
    shapes = [
        open_drawn(await draw(pool, many, number)).size for number in (1, 2, MOST_DRAWN_PAGES)
    ]
    assert all(width > height for width, height in shapes)
    assert len(set(shapes)) == 3
    beyond = await draw(pool, many, MOST_DRAWN_PAGES + 1)
    assert "Only the first 10 pages" in beyond.trouble
    assert "12 pages" in (await draw(pool, many, 99)).trouble


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (bomb_picture, "60,000 × 60,000 pixels, which is too much; it may be a bomb"),
        (lambda: picture("PNG", 400, 400)[:300], "damaged"),
        (lambda: picture("JPEG", 400, 400)[:700], "damaged"),
        (lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 64, "damaged"),
        (lambda: b"RIFF\x40\0\0\0WEBPVP8 " + b"\0" * 64, "damaged"),
        (lambda: b"%PDF-1.7\nnothing", "damaged"),
        (locked, "password"),
        (lambda: SVG, "no preview of this file"),
        (lambda: page(WORDS), "no preview of this file"),
        (lambda: word(WORDS), "no preview of this file"),
        (lambda: b"", "no preview of this file"),
    ],
)
async def test_what_is_not_drawn_is_a_sentence(
    pool: DocumentPool, content: Callable[[], bytes], sentence: str
) -> None:
    """By its content, whatever it is called; the next file is drawn."""
    drawn = await draw(pool, content())
    assert sentence in drawn.trouble, drawn
    assert drawn.png == b""
    assert (await draw(pool, picture("PNG"))).png
