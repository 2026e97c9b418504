"""Files of mail and of letters as they are handed out: to be stored, or as a page drawn anew."""

from urllib.parse import quote

from fastapi import Response

from data.records.mail.documents import PAGES_HEADER, DrawnPage

INERT = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}


def make_download(filename: str, content: bytes) -> Response:
    """Return a file to be stored under its name (RFC 6266); a browser never shows it."""
    disposition = f"attachment; filename*=UTF-8''{quote(filename, safe='')}"
    return Response(
        content,
        media_type="application/octet-stream",
        headers=INERT | {"Content-Disposition": disposition},
    )


def show_page(drawn: DrawnPage) -> Response:
    """Return a page as PNG, with how many there are in `Postern-Pages`."""
    headers = {"Content-Disposition": "inline", PAGES_HEADER: str(drawn.pages)}
    return Response(drawn.png, media_type="image/png", headers=INERT | headers)
