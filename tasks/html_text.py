"""HTML to the text that its reader sees, and apart from it what it hides."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from data.records.mail import Hidden, Link, Mark
from data.records.record import Record
from tasks.html_bounds import too_tangled, without_tags
from tasks.html_flat import read_flat
from tasks.html_hidden import HiddenText
from tasks.html_layout import LAID_OUT, Layout
from tasks.html_marks import Marks, mark_kind
from tasks.html_outlook import stands_in_for_outlook
from tasks.html_selectors import Element, SheetTooCostlyError
from tasks.html_sheet import Sheets
from tasks.html_style import LOOKS, Look, cascade, look_of

TOO_COSTLY = "style sheets are too costly to be read"
LINKS = 1_000
"""Links that are listed."""
LINK_CHARACTERS = 2_000
"""Characters of a link's text and of its target."""

# Elements whose content is not shown, and why; all of it is taken as one piece of text.
_UNSHOWN = {
    "script": "script", "template": "template", "svg": "svg", "math": "math",
    "object": "fallback", "iframe": "fallback", "audio": "fallback", "video": "fallback",
    "canvas": "fallback", "title": "head", "noscript": "noscript", "noframes": "fallback",
    "noembed": "fallback", "datalist": "fallback",
}  # fmt: skip
_LINK_TAGS = frozenset({"a", "area"})
_SPECIAL = frozenset({*_UNSHOWN, *_LINK_TAGS, "style", "dialog", "input"})
_PASSED_BY = frozenset({
    "width", "height", "align", "valign", "border", "cellpadding", "cellspacing", "colspan",
    "rowspan", "nowrap", "face", "clear", "dir", "lang", "type", "start", "src", "hspace", "vspace",
})  # fmt: skip
"""Attributes that say nothing in words, and nothing about being seen."""
_NO_STYLE: tuple[dict[str, str], dict[str, str]] = ({}, {})
_INHERITING = Look()
_LOOKS_IN_ORDER = tuple(sorted(LOOKS))


class HtmlReading(Record):
    """What an HTML body says."""

    text: str = ""
    """The visible text: paragraphs, lists, tables; quoted blocks with `> ` before each line."""
    hidden: tuple[Hidden, ...] = ()
    """Text that is not seen, in document order; pieces of one element are joined."""
    links: tuple[Link, ...] = ()
    """Links with what the reader sees of them, in document order."""
    marks: tuple[Mark, ...] = ()
    """What the HTML says about lines of `text`."""
    defects: tuple[str, ...] = ()
    """Why not all of it could be read; empty when it could."""


@dataclass
class _Reader:
    """The walk through one document."""

    sheets: Sheets = field(default_factory=Sheets)
    layout: Layout = field(default_factory=Layout)
    marks: Marks = field(default_factory=Marks)
    hidden: HiddenText = field(default_factory=HiddenText)
    links: list[Link] = field(default_factory=list)
    open_link: tuple[str, list[str]] | None = None
    looks: dict[tuple[object, ...], Look] = field(default_factory=dict)
    """Looks that were computed, by what they follow from."""
    elements: list[Element] = field(default_factory=list)
    """What selectors see of the elements that are open, from the outermost; made when one looks."""
    too_costly: bool = False
    html: str = ""

    def text(self, text: str, look: Look) -> None:
        """Put a piece of text where it belongs."""
        if look.reason:
            if look.reason == "aria_hidden" and not any(map(str.isalnum, text)):
                self.layout.write(text)  # an arrow or a bullet, for those who see
                return
            self.hidden.add(text, look.reason, at_top=not self.layout.begun)
            return
        self.layout.write(text)
        self.hidden.open = False
        if self.open_link is not None:
            self.open_link[1].append(text)

    def close_link(self) -> None:
        """Note the link whose element ends."""
        if self.open_link is not None and len(self.links) < LINKS:
            href, pieces = self.open_link
            shown = " ".join("".join(pieces).split())[:LINK_CHARACTERS]
            self.links.append(Link(text=shown, href=href))
        self.open_link = None

    def defects(self) -> tuple[str, ...]:
        """Return what kept the reading from being whole."""
        found = []
        if self.too_costly or self.sheets.cut:
            found.append(TOO_COSTLY)
        if self.hidden.cut:
            found.append("more hidden text than is listed")
        return tuple(found)


def read_html(html: str) -> HtmlReading:
    """Return the visible text, the hidden text and the links of an HTML body, in linear time.

    Nesting that would cost a browser's parser more than linear time is not built: then the tags are
    read one by one, and `defects` says so.
    """
    if too_tangled(html):
        text, found, costly = read_flat(html)
        defects = ("html is too deeply nested to be read", *((TOO_COSTLY,) if costly else ()))
        return HtmlReading(text=text, hidden=found.result(), defects=defects)
    tree = LexborHTMLParser(html)
    root = tree.root
    if root is None:
        return HtmlReading()
    reader = _Reader(html=html)
    for node in tree.css("style"):
        _read_sheet(node, reader)
    _walk(root, reader)
    return HtmlReading(
        text=reader.layout.result(),
        hidden=reader.hidden.result(),
        links=tuple(reader.links),
        marks=tuple(reader.marks.found),
        defects=reader.defects(),
    )


def _read_sheet(node: LexborNode, reader: _Reader) -> None:
    """Take the rules of a `style` element; a sheet counts for what stands before it too."""
    css = node.text(deep=True) or ""
    attributes = node.attributes
    if (attributes.get("type") or "text/css").strip().lower() == "text/css":
        reader.sheets.add(css, attributes.get("media") or "")


_Open = tuple[LexborNode, str, Look, dict[str, str | None]]
"""An element whose content is being read: node, name (empty when not seen), look, attributes."""


def _walk(root: LexborNode, reader: _Reader) -> None:
    """Go through the document in order, with a stack of our own.

    Mail is full of white space between tags, and of elements without attributes: both are passed
    by here at once.
    """
    top = root.prev if root.prev is not None else root
    while top.prev is not None:
        top = top.prev
    stack: list[_Open] = []
    node: LexborNode | None = top
    look = _INHERITING
    layout, marks, plain = reader.layout, reader.marks, not reader.sheets
    while node is not None:
        if node.is_text_node:
            text = node.text_content or ""
            if text.isspace() and not layout.preformatted and reader.open_link is None:
                layout.space = layout.space or not look.reason
            else:
                reader.text(text, look)
        elif node.is_comment_node:
            reader.hidden.add_comment(node.comment_content or "")
        else:
            tag, attributes = node.tag or "", node.attributes
            if plain and attributes.keys() <= _PASSED_BY and tag not in _SPECIAL:
                inner: Look | None = look
                if tag in LAID_OUT and not look.hidden:
                    layout.enter(tag)
            else:
                inner = _enter(node, tag, attributes, reader, look, stack)
            if inner is not None:
                seen = "" if inner.hidden else tag
                child = node.first_child
                if child is not None:
                    stack.append((node, seen, inner, attributes))
                    node, look = child, inner
                    continue
                _leave(seen, reader)
        following = node.next
        while following is None and stack:
            ended, seen, _, _ = stack.pop()
            if seen in LAID_OUT:
                layout.leave(seen)
            elif seen in _LINK_TAGS:
                reader.close_link()
            if marks.opened:
                marks.leave(len(stack), layout)
            look = stack[-1][2] if stack else _INHERITING
            following = ended.next
        node = following


def _enter(
    node: LexborNode,
    tag: str,
    attributes: dict[str, str | None],
    reader: _Reader,
    look: Look,
    stack: list[_Open],
) -> Look | None:
    """Read an element's own tag; return the look inside, or None when nothing in it is read."""
    if attributes:
        reader.hidden.add_attributes(tag, attributes)
    if tag in _UNSHOWN or tag == "style":
        _unshown(node, tag, reader)
        return None
    inner = _look(node, tag, attributes, stack, look, reader)
    if tag in _LINK_TAGS and (href := attributes.get("href")):
        reader.close_link()
        reader.open_link = (href.strip()[:LINK_CHARACTERS], [])
    if not inner.hidden:
        if tag in LAID_OUT:
            reader.layout.enter(tag)
        if attributes and (kind := mark_kind(attributes)) is not None:
            empty = node.first_child is None
            reader.marks.enter(kind, len(stack), reader.layout, empty=empty)
        if tag == "input" and (attributes.get("type") or "").lower() in ("submit", "button"):
            reader.text(attributes.get("value") or "", inner)
    return inner


def _element(
    node: LexborNode,
    tag: str,
    attributes: dict[str, str | None],
    stack: list[_Open],
    reader: _Reader,
) -> Element:
    """Return what selectors see of an element, with all that hold it."""
    elements = reader.elements
    del elements[len(stack) :]
    while elements and elements[-1].node is not stack[len(elements) - 1][0]:
        elements.pop()
    for opened, _, _, own in stack[len(elements) :]:
        parent = elements[-1] if elements else None
        elements.append(Element(opened.tag or "", own, opened, parent))
    return Element(tag, attributes, node, elements[-1] if elements else None)


def _unshown(node: LexborNode, tag: str, reader: _Reader) -> None:
    """Note the content of an element that shows none."""
    if tag == "style":
        reader.hidden.add_sheet(node.text(deep=True) or "")
    elif tag == "template":
        reader.hidden.add(without_tags(node.html or ""), "template")
    else:
        reader.hidden.add(node.text(deep=True, separator=" ") or "", _UNSHOWN[tag])


def _look(
    node: LexborNode,
    tag: str,
    attributes: dict[str, str | None],
    stack: list[_Open],
    look: Look,
    reader: _Reader,
) -> Look:
    """Return the look inside an element."""
    style = _NO_STYLE
    if reader.sheets:
        known = reader.sheets.known(tag, attributes.get("class"), attributes.get("id"))
        try:
            style = known or reader.sheets.style_of(_element(node, tag, attributes, stack, reader))
        except SheetTooCostlyError:
            reader.too_costly = True
    if not style[0] and not style[1] and LOOKS.isdisjoint(attributes) and tag != "dialog":
        return look
    named = tag if tag in ("font", "body", "dialog") else ""
    flags = "open" in attributes, "hidden" in attributes
    values = map(attributes.get, _LOOKS_IN_ORDER)
    key: tuple[object, ...] = (id(look), id(style[0]), named, flags, *values)
    inner = reader.looks.get(key)
    if inner is None:
        declarations = cascade(style, attributes)
        inner = look_of(look, tag, attributes, declarations)
        if inner.hidden == "mso_hide" != look.hidden:
            if stands_in_for_outlook(node, reader.html):
                declarations = {**declarations, "mso-hide": "none"}
                inner = look_of(look, tag, attributes, declarations)
            key = (*key, node.mem_id)
        reader.looks[key] = inner
    return inner


def _leave(tag: str, reader: _Reader) -> None:
    """Close an element that was seen."""
    if tag in _LINK_TAGS:
        reader.close_link()
    elif tag in LAID_OUT:
        reader.layout.leave(tag)
