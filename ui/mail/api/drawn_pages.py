"""Pictures and pages that the engine draws anew of files of mail and of letters."""

from data.records.mail.documents import PAGES_HEADER, DrawnPage
from ui.core.api.client import ApiClient


def draw_page(sender: ApiClient, path: str, page: int) -> DrawnPage:
    """Return a page of the file whose preview stands at `path`, with how many it has."""
    png, pages = sender.fetch_with(path, PAGES_HEADER, page=page)
    return DrawnPage(png=png, pages=int(pages or 1))
