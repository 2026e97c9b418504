"""HTML that is too tangled to be built, read tag by tag: what hides there hides here too.

Without this a few hundred `<div>` would switch off all that tells hidden text. It errs on the side
of hiding: a rule of a style sheet counts by its last part alone, and an element whose end is not
found goes on.
"""

from html import unescape

from data.records.core.parsed_mail import Hidden
from tasks.core.markup.elements import Element, SheetTooCostlyError
from tasks.core.markup.hidden import HiddenText
from tasks.core.markup.layout import LAID_OUT, Layout
from tasks.core.markup.style import LOOKING, LOOKS, cascade, look_of
from tasks.core.markup.style_sheets import Sheets
from tasks.core.markup.text_look import Look
from tasks.core.patterns import compiled
from tasks.core.words.cleaning import clean_text

TAG_CHARACTERS = 20_000
"""Characters of one tag whose attributes are read."""
LOOKS_KEPT = 20_000
"""Looks that are remembered by the look around them and the text of the tag."""
LOOKED_BACK = 100
"""Open elements among which the one that ends is looked for."""

_COMMENT = compiled(r"(?s)<!--(.*?)-->")
_SHEET = compiled(r"(?is)<style[^>]*>(.*?)</style")
_ATTRIBUTE = compiled(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
})  # fmt: skip
_NOT_SHOWN = frozenset({
    "script", "style", "template", "title", "svg", "math", "object", "iframe", "noscript",
    "noframes", "noembed", "audio", "video", "canvas", "datalist", "dialog", "option", "progress",
    "meter", "annotation", "annotation-xml",
})  # fmt: skip
_SCOPES = frozenset({"table", "td", "th", "caption", "template", "object", "html", "marquee"})
_TELLING = LOOKS | {"class", "id", "alt", "title"}


def read_flat(html: str) -> tuple[str, tuple[Hidden, ...], bool]:
    """Return the visible text, the hidden text, and whether style sheets were too costly."""
    layout, hidden, sheets = Layout(), HiddenText(), Sheets()
    for sheet in _SHEET.findall(html):
        sheets.add(sheet)
    for comment in _COMMENT.findall(html):
        hidden.add(comment, "comment", layout)
    html = _COMMENT.sub(" ", html)
    stack: list[tuple[str, Look]] = []
    look = top = Look()
    costly, pending = False, ""
    looks: dict[tuple[int, str], tuple[Look, Look]] = {}
    first, *pieces = html.split("<")
    layout.write(_as_plain_text(first))
    for piece in pieces:
        tag_text, closed, text = _cut_tag(pending + piece)
        if not closed and len(tag_text) < TAG_CHARACTERS and _open_quote(tag_text):
            pending = f"{tag_text}<"  # a `<` inside quotes ends no tag
            continue
        pending = ""
        if not tag_text[:1].isalpha() and tag_text[:1] not in ("/", "!", "?"):
            text = f"<{tag_text}{closed}{text}"
        elif tag_text.startswith("/"):
            _close(tag_text[1:].strip().lower(), stack, layout)
            look = stack[-1][1] if stack else top
        elif tag_text[:1].isalpha():
            tag = tag_text.split(None, 1)[0].rstrip("/").lower()
            flat_look = looks.get((id(look), tag_text))
            if flat_look is not None:
                inner = flat_look[1]
            else:
                pieces_before = len(hidden.pieces)
                try:
                    inner = _look(tag, tag_text, look, sheets, hidden, layout)
                except SheetTooCostlyError:
                    inner, costly = look, True
                if len(hidden.pieces) == pieces_before and len(looks) < LOOKS_KEPT:
                    looks[id(look), tag_text] = look, inner
            if tag in LAID_OUT and not inner.hidden:
                layout.enter(tag)
            if tag == "option" and stack and stack[-1][0] == tag:
                stack.pop()
            if tag not in _VOID:
                stack.append((tag, inner))
                look = inner
        if not text:
            continue
        if look.reason:
            hidden.add(_as_plain_text(text), look.reason, layout)
        else:
            layout.write(_as_plain_text(text))
    text = layout.result()
    return text, hidden.result(layout, text), costly


def _cut_tag(piece: str) -> tuple[str, str, str]:
    """Return a tag, `>` and the text behind it; `>` inside quotes does not count."""
    head, closed, text = piece.partition(">")
    while closed and "=" in head and _open_quote(head) and len(head) < TAG_CHARACTERS:
        more, closed, text = text.partition(">")
        head = f"{head}>{more}"
    return head, closed, text


def _open_quote(head: str) -> bool:
    """Whether a quotation mark of a tag is not closed."""
    return "=" in head and (head.count('"') % 2 == 1 or head.count("'") % 2 == 1)


def _as_plain_text(text: str) -> str:
    return clean_text(unescape(text)) if "&" in text else clean_text(text)


def _look(
    tag: str, tag_text: str, look: Look, sheets: Sheets, hidden: HiddenText, layout: Layout
) -> Look:
    """Return the look inside an element."""
    if look.hidden and len(tag_text) == len(tag):
        return look
    if tag in _NOT_SHOWN and not look.hidden:
        return look_of(look, tag, {"hidden": None}, {})
    lowered = tag_text.lower() if len(tag_text) > len(tag) else ""
    attributes: dict[str, str | None] = {}
    if any(name in lowered for name in _TELLING):
        if len(tag_text) > TAG_CHARACTERS or sheets.budget.steps < 10 * len(tag_text):
            return look_of(look, tag, {"hidden": None}, {})
        sheets.budget.spend(len(tag_text) // 4)
        for name, double, single, bare in _ATTRIBUTE.findall(tag_text[len(tag) :]):
            attributes.setdefault(name.lower(), unescape(double or single or bare) or None)
        hidden.add_attributes(tag, attributes, layout)
    elif not sheets and tag not in LOOKING:
        return look
    if look.hidden:
        return look
    style = sheets.style_of(Element(tag, attributes, None, None), loosely=True)
    return look_of(look, tag, attributes, cascade(style, attributes))


def _close(tag: str, stack: list[tuple[str, Look]], layout: Layout) -> None:
    """End the innermost open element of that name, with what is open inside it."""
    for back in range(1, min(len(stack), LOOKED_BACK) + 1):
        name, look = stack[-back]
        if name == tag:
            del stack[-back:]
            if tag in LAID_OUT and not look.hidden:
                layout.leave(tag)
            return
        if name in _SCOPES:
            return
