"""Marks of quotes and signatures that mail programs write into their HTML.

Gmail, Outlook, Thunderbird, Yahoo, Proton and others name the elements in which they put an earlier
message or a signature; that holds in every language. Only the names are read, never the look.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from data.records.core.parsed_mail import Mark, MarkKind
from tasks.core.markup.layout import Layout

MARKS = 200
"""Marks that are kept."""

_CLASSES = {
    "gmail_quote": MarkKind.QUOTE,
    "gmail_quote_container": MarkKind.QUOTE,
    "protonmail_quote": MarkKind.QUOTE,
    "tutanota_quote": MarkKind.QUOTE,
    "moz-cite-prefix": MarkKind.ATTRIBUTION,
    "yahoo_quoted": MarkKind.HISTORY,
    "zmail_extra": MarkKind.HISTORY,
    "outlookmessageheader": MarkKind.REST,
    "ms-outlook-mobile-reference-message": MarkKind.REST,
    "front-blockquote": MarkKind.QUOTE,
    "moz-forward-container": MarkKind.HISTORY,
    "gmail_signature": MarkKind.SIGNATURE,
    "moz-signature": MarkKind.SIGNATURE,
    "protonmail_signature_block": MarkKind.SIGNATURE,
    "pmail-signature": MarkKind.SIGNATURE,
}
_IDS = {
    "divrplyfwdmsg": MarkKind.REST,
    "appendonsend": MarkKind.REST,
    "stopspelling": MarkKind.REST,
    "mail-editor-reference-message-container": MarkKind.REST,
    "zwchr": MarkKind.REST,
    "_origmsg_": MarkKind.REST,
    "olk_src_body_section": MarkKind.HISTORY,
    "yahoo_quoted": MarkKind.HISTORY,
    "reply-intro": MarkKind.ATTRIBUTION,
    "replybody": MarkKind.HISTORY,
    "signature": MarkKind.SIGNATURE,
    "applemailsignature": MarkKind.SIGNATURE,
    "ms-outlook-mobile-signature": MarkKind.SIGNATURE,
    "mobile_signature": MarkKind.SIGNATURE,
    "_rc_sig": MarkKind.SIGNATURE,
}
_REWRITTEN = "x_"
"""What Outlook on the web puts before each name of a mail that it writes anew."""
_NAMES = {"quote": MarkKind.HISTORY, "messagereplysection": MarkKind.HISTORY}
_ENDS = (
    ("yahoo_quoted", MarkKind.HISTORY),
    ("yahoo-signature", MarkKind.SIGNATURE),
)
_ATTRIBUTES = frozenset({"class", "id", "name", "style"})
# Outlook draws a line above the header block of the earlier message, and nothing else so.
_BORDERS = ("border-top:solid #e1e1e1", "border-top:solid #b5c4df", "border-top: solid #e1e1e1")


def mark_kind(attributes: Mapping[str, str | None]) -> MarkKind | None:
    """Return what an element holds by its class, id, name or border, or None."""
    if _ATTRIBUTES.isdisjoint(attributes):
        return None
    classes = attributes.get("class")
    for word in classes.lower().split() if classes else ():
        word = word.removeprefix(_REWRITTEN)
        if word in _CLASSES:
            return _CLASSES[word]
        for end, kind in _ENDS:
            if word.endswith(end):
                return kind
    if own_id := attributes.get("id"):
        own_id = own_id.lower().removeprefix(_REWRITTEN)
        if own_id in _IDS:
            return _IDS[own_id]
        if "yahoo_quoted" in own_id:
            return MarkKind.HISTORY
    if (name := attributes.get("name")) and name.lower() in _NAMES:
        return _NAMES[name.lower()]
    style = attributes.get("style")
    if style and "border-top" in style.lower():
        folded = style.lower().replace(" ", "").replace("border-top:solid#", "border-top:solid #")
        if any(border in folded for border in _BORDERS):
            return MarkKind.REST
    return None


@dataclass(slots=True)
class DocumentMarks:
    """The marks of one document in the making."""

    found: list[Mark] = field(default_factory=list)
    opened: list[tuple[int, MarkKind, int]] = field(default_factory=list)
    """Depth, kind and first line of each marked element that is open."""

    def enter(self, kind: MarkKind, depth: int, layout: Layout, *, empty: bool) -> None:
        """Note an element, `depth` elements deep, that begins at the layout's present line."""
        if len(self.found) + len(self.opened) >= MARKS:
            return
        layout.break_line()
        start = len(layout.lines)
        if kind is MarkKind.REST:
            if not layout.quote:
                self.found.append(Mark(kind=kind, start=start, end=start))
        elif not empty:
            self.opened.append((depth, kind, start))

    def leave(self, depth: int, layout: Layout) -> None:
        """Note the end of the element at that depth, if it was marked."""
        if self.opened and self.opened[-1][0] == depth:
            _, kind, start = self.opened.pop()
            layout.break_line()
            if len(layout.lines) > start:
                self.found.append(Mark(kind=kind, start=start, end=len(layout.lines)))
