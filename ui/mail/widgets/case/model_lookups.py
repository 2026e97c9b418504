"""Lookups of a model before it planned, in plain words."""

from collections.abc import Sequence

from data.counting import plural
from data.records.mail.planning import Lookup, LookupOutcome
from ui.core.text.text_runs import Icon, TextLine, line, run
from ui.core.widgets.marked import draw_marked

_WHERE: dict[str, tuple[str, str, str]] = {
    "search_knowledge": ("knowledge", "entry", "entries"),
    "search_thread": ("this conversation", "message", "messages"),
    "lookup_contact": ("who writes", "contact", "contacts"),
    "find_duplicate_tickets": ("open tickets like it", "ticket", "tickets"),
    "read_attachment": ("the attached file", "file", "files"),
    "list_saved_replies": ("the saved replies", "title", "titles"),
}
_NOTHING: dict[LookupOutcome, str] = {
    "refused": "not carried out: there is no such tool, or it takes no such words",
    "failed": "could not be looked up",
    "limit": "not carried out: it had looked up as much as it may",
}


def looked_up(lookups: Sequence[Lookup], key: str) -> None:
    """Draw one line for each lookup, in order; nothing where there was none."""
    if lookups:
        draw_marked([lookup_line(lookup) for lookup in lookups], look="list", key=key)


def lookup_line(lookup: Lookup) -> TextLine:
    """Return a lookup as a line: what was looked for, where, and what came of it."""
    where, singular, many = _WHERE.get(
        lookup.tool, ("something that is not there", "thing", "things")
    )
    what = f"{where} ‘{lookup.words}’" if lookup.words else where
    if lookup.outcome == "answered":
        came = plural(lookup.found, singular, many) if lookup.found else "nothing"
        icon: Icon = "info"
    else:
        came, icon = _NOTHING[lookup.outcome], "no"
    return line(run("The model looked up: ", "quiet"), run(f"{what} → {came}"), icon=icon)
