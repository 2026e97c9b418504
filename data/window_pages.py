"""Addresses of the window's pages, each made of a kind and an id that we know.

A link in an agent's answer is one of these. It is made of what a tool gave, never of what somebody
or some model has written.
"""

from collections.abc import Iterable
from urllib.parse import urlencode

from data.records.core.tools import Source

_PAGES = {
    "case": ("review", "case", "{id}"),
    "message": ("inbox", "message", "{id}"),
    "thread": ("inbox", "thread", "{id}"),
    "contact": ("inbox", "q", "from:{id}"),
    "knowledge": ("knowledge", "entry", "{id}"),
    "memory": ("memory", "memory", "{id}"),
    "task": ("agenda", "task", "{id}"),
    "event": ("agenda", "event", "{id}"),
    "profile": ("business", "", ""),
}
"""By kind: the page, the parameter that names what is open there, and its value.

A contact's page is the inbox with what that contact has written.
"""


def link_formats(address: str) -> dict[str, str]:
    """Return where the window shows each kind of thing, with `{id}` for which, by kind."""
    return {
        kind: f"{address}/{page}" + (f"?{name}={value}" if name else "")
        for kind, (page, name, value) in _PAGES.items()
    }


def page_of(source: Source) -> str:
    """Return where the window shows a source, as path and query; empty where it has no page."""
    page, name, value = _PAGES.get(source.kind, ("", "", ""))
    if not page:
        return ""
    asked = {name: value.format(id=source.id)} if name else {}
    if source.on is not None:
        asked["day"] = source.on.isoformat()
    return f"/{page}?{urlencode(asked)}" if asked else f"/{page}"


def with_pages(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Return sources as they are handed out: each with its page."""
    return tuple(source.model_copy(update={"page": page_of(source)}) for source in sources)
