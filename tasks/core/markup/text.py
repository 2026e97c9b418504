"""HTML to the text that its reader sees, and apart from it what it hides."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from data.records.core.parsed_mail import Hidden, Link, Mark
from data.records.core.record import Record
from tasks.core.markup.bounds import too_tangled, without_tags
from tasks.core.markup.element_looks import Looks, Open
from tasks.core.markup.flat import read_flat
from tasks.core.markup.hidden import HiddenText
from tasks.core.markup.layout import LAID_OUT, Layout
from tasks.core.markup.leftover import data_sheets, left_over
from tasks.core.markup.quote_marks import DocumentMarks, mark_kind
from tasks.core.markup.shown import UNSHOWN
from tasks.core.markup.style import LOOKING
from tasks.core.markup.text_look import Look

TOO_COSTLY = "style sheets are too costly to be read"
LINKS = 1_000
"""Links that are listed."""
LINK_CHARACTERS = 2_000
"""Characters of a link's text and of its target."""

_LINK_TAGS = frozenset({"a", "area"})
_SPECIAL = frozenset({*UNSHOWN, *_LINK_TAGS, *LOOKING, "style"})
_PRESSED = frozenset({"submit", "button", "reset"})
_OF_SIGNS = frozenset({"aria_hidden", "ruby"})
"""Reasons for which signs that are no words are seen all the same: arrows, bullets, brackets."""
_PASSED_BY = frozenset({
    "width", "height", "align", "valign", "border", "cellpadding", "cellspacing", "colspan",
    "rowspan", "nowrap", "face", "clear", "dir", "lang", "type", "start", "src", "hspace", "vspace",
})  # fmt: skip
"""Attributes that say nothing in words, and nothing about being seen."""
_INHERITING = Look()


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

    looks: Looks = field(default_factory=Looks)
    layout: Layout = field(default_factory=Layout)
    marks: DocumentMarks = field(default_factory=DocumentMarks)
    hidden: HiddenText = field(default_factory=HiddenText)
    links: list[Link] = field(default_factory=list)
    open_link: tuple[str, list[str]] | None = None

    def text(self, text: str, look: Look) -> None:
        """Put a piece of text where it belongs."""
        if look.reason:
            if look.reason in _OF_SIGNS and not any(map(str.isalnum, text)):
                self.layout.write(text)
                return
            self.hidden.add(text, look.reason, self.layout)
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
        defects_read = []
        if self.looks.too_costly or self.looks.sheets.cut:
            defects_read.append(TOO_COSTLY)
        if self.hidden.cut:
            defects_read.append("more hidden text than is listed")
        return tuple(defects_read)


def read_html(html: str) -> HtmlReading:
    """Return the visible text, the hidden text and the links of an HTML body, in linear time.

    Nesting that would cost a browser's parser more than linear time is not built: then the tags are
    read one by one, and `defects` says so.
    """
    if too_tangled(html):
        text, hidden_pieces, costly = read_flat(html)
        defects = ("html is too deeply nested to be read", *((TOO_COSTLY,) if costly else ()))
        return HtmlReading(
            text=text,
            hidden=(*hidden_pieces, *left_over(html, hidden_pieces, text)),
            defects=defects,
        )
    tree = LexborHTMLParser(html)
    root = tree.root
    if root is None:
        return HtmlReading()
    reader = _Reader(Looks(html, shadows="shadowrootmode" in html.lower()))
    for node in tree.css("style"):
        _read_sheet(node, reader)
    for sheet, media in data_sheets(html):
        reader.looks.sheets.add(sheet, media)
    _walk(root, reader)
    text = reader.layout.result()
    hidden = reader.hidden.result(reader.layout, text)
    return HtmlReading(
        text=text,
        hidden=(*hidden, *left_over(html, hidden, text)),
        links=tuple(reader.links),
        marks=tuple(reader.marks.found),
        defects=reader.defects(),
    )


def _read_sheet(node: LexborNode, reader: _Reader) -> None:
    """Take the rules of a `style` element; a sheet counts for what stands before it too."""
    css = node.text(deep=True) or ""
    attributes = node.attributes
    if (attributes.get("type") or "text/css").strip().lower() == "text/css":
        reader.looks.sheets.add(css, attributes.get("media") or "")


def _walk(root: LexborNode, reader: _Reader) -> None:
    """Go through the document in order, with a stack of our own.

    Mail is full of white space between tags, and of elements without attributes: both are passed
    by here at once.
    """
    top = root.prev if root.prev is not None else root
    while top.prev is not None:
        top = top.prev
    stack: list[Open] = []
    node: LexborNode | None = top
    look = _INHERITING
    layout, marks, looks = reader.layout, reader.marks, reader.looks
    plain = not looks.sheets
    while node is not None:
        if node.is_text_node:
            text = node.text_content or ""
            if text.isspace() and not layout.preformatted and reader.open_link is None:
                layout.space = layout.space or not look.reason
            else:
                reader.text(text, look)
        elif node.is_comment_node:
            reader.hidden.add_comment(node.comment_content or "", layout)
        else:
            tag, attributes = node.tag or "", node.attributes
            if (
                plain
                and not looks.whole
                and not look.place
                and attributes.keys() <= _PASSED_BY
                and tag not in _SPECIAL
            ):
                inner: Look | None = look
                if tag in LAID_OUT and not look.hidden:
                    layout.enter(tag)
            else:
                inner = _enter(node, tag, attributes, reader, look, stack)
            if inner is not None:
                tag_seen = "" if inner.hidden else tag
                child = node.first_child
                if child is not None:
                    stack.append((node, tag_seen, inner, attributes))
                    node, look = child, inner
                    continue
                _leave(tag_seen, reader)
        following = node.next
        while following is None and stack:
            ended, tag_seen, _, _ = stack.pop()
            if tag_seen in LAID_OUT:
                layout.leave(tag_seen)
            elif tag_seen in _LINK_TAGS:
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
    stack: list[Open],
) -> Look | None:
    """Read an element's own tag; return the look inside, or None when nothing in it is read."""
    if attributes:
        reader.hidden.add_attributes(tag, attributes, reader.layout)
    if tag in UNSHOWN or tag == "style":
        _unshown(node, tag, reader)
        return None
    inner = reader.looks.inside(node, tag, attributes, stack, look)
    if tag in _LINK_TAGS and (href := attributes.get("href")):
        reader.close_link()
        reader.open_link = (href.strip()[:LINK_CHARACTERS], [])
    if tag == "form" and (action := attributes.get("action")) and len(reader.links) < LINKS:
        reader.links.append(Link(text="", href=action.strip()[:LINK_CHARACTERS]))
    if not inner.hidden:
        if tag in LAID_OUT:
            reader.layout.enter(tag)
        if attributes and (kind := mark_kind(attributes)) is not None:
            empty = node.first_child is None
            reader.marks.enter(kind, len(stack), reader.layout, empty=empty)
        if tag == "input" and (attributes.get("type") or "").lower() in _PRESSED:
            reader.text(attributes.get("value") or "", inner)
    return inner


def _unshown(node: LexborNode, tag: str, reader: _Reader) -> None:
    """Note the content of an element that shows none."""
    if tag == "style":
        reader.hidden.add_sheet(node.text(deep=True) or "", reader.layout)
    elif tag == "template":
        reader.hidden.add(without_tags(node.html or ""), "template", reader.layout)
    else:
        reader.hidden.add(node.text(deep=True, separator=" ") or "", UNSHOWN[tag], reader.layout)


def _leave(tag: str, reader: _Reader) -> None:
    """Close an element that was seen."""
    if tag in _LINK_TAGS:
        reader.close_link()
    elif tag in LAID_OUT:
        reader.layout.leave(tag)
