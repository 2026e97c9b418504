"""HTML to the text that its reader sees, and apart from it what it hides."""

from dataclasses import dataclass, field

import re2
from selectolax.lexbor import LexborHTMLParser, LexborNode

from data.records.mail import Hidden, Link
from data.records.record import Record
from tasks.html_bounds import too_tangled, without_tags
from tasks.html_layout import Layout
from tasks.html_style import Look, Rules, look_of, read_sheet

HIDDEN = 500
"""Hidden pieces that are listed."""
HIDDEN_CHARACTERS = 2_000
"""Characters of each."""
LINKS = 1_000
"""Links that are listed."""
HREF_CHARACTERS = 2_000
"""Characters of a link's target."""

# What surrounds markup that only one mail program reads: `<!--[if mso]> … <![endif]-->`.
_CONDITION = re2.compile(r"(?i)^\[if [^\]]*\]>(?:<!)?|<!\[endif\]$")
_DROPPED = frozenset({"script", "style", "template", "object", "svg", "math", "iframe"})
_LINK_TAGS = frozenset({"a", "area"})


class HtmlReading(Record):
    """What an HTML body says."""

    text: str = ""
    """The visible text: paragraphs, lists, tables; quoted blocks with `> ` before each line."""
    hidden: tuple[Hidden, ...] = ()
    """Text that is not seen, in document order; pieces of one element are joined."""
    links: tuple[Link, ...] = ()
    """Links with what the reader sees of them, in document order."""
    defect: str = ""
    """Why the structure could not be read; empty when it could."""


@dataclass
class _Reader:
    """The walk through one document."""

    rules: Rules = field(default_factory=dict)
    layout: Layout = field(default_factory=Layout)
    hidden: list[tuple[str, str]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    open_link: tuple[str, list[str]] | None = None

    def hide(self, text: str, reason: str) -> None:
        """Note hidden text, joined to the piece before when both are hidden for one reason."""
        text = " ".join(text.split())
        if not text:
            return
        if self.hidden and self.hidden[-1][1] == reason and reason not in ("alt", "comment"):
            before = self.hidden[-1][0]
            if len(before) < HIDDEN_CHARACTERS:
                self.hidden[-1] = (f"{before} {text}"[:HIDDEN_CHARACTERS], reason)
        elif len(self.hidden) < HIDDEN:
            self.hidden.append((text[:HIDDEN_CHARACTERS], reason))

    def close_link(self) -> None:
        """Note the link whose element ends."""
        if self.open_link is not None and len(self.links) < LINKS:
            href, pieces = self.open_link
            shown = " ".join("".join(pieces).split())[:HIDDEN_CHARACTERS]
            self.links.append(Link(text=shown, href=href))
        self.open_link = None


def read_html(html: str) -> HtmlReading:
    """Return the visible text, the hidden text and the links of an HTML body, in linear time.

    Nesting that would cost a browser's parser more than linear time is not built: then all text is
    taken as visible, so that nothing is lost, and `defect` says so.
    """
    if too_tangled(html):
        return HtmlReading(text=without_tags(html), defect="html is too deeply nested to be read")
    root = LexborHTMLParser(html).root
    if root is None:
        return HtmlReading()
    reader = _Reader()
    _walk(root, reader)
    return HtmlReading(
        text=reader.layout.result(),
        hidden=tuple(Hidden(text=text, reason=reason) for text, reason in reader.hidden),
        links=tuple(reader.links),
    )


def _walk(root: LexborNode, reader: _Reader) -> None:
    """Go through the document in order, with a stack of our own."""
    top = root.prev if root.prev is not None else root
    while top.prev is not None:
        top = top.prev
    stack: list[tuple[LexborNode, str, Look]] = []
    node: LexborNode | None = top
    look = Look()
    while node is not None:
        child = _enter(node, reader, look, stack)
        if child is not None:
            node, look = child, stack[-1][2]
            continue
        following = node.next
        while following is None and stack:
            node, tag, _ = stack.pop()
            _leave(tag, reader)
            look = stack[-1][2] if stack else Look()
            following = node.next
        node = following


def _enter(
    node: LexborNode, reader: _Reader, look: Look, stack: list[tuple[LexborNode, str, Look]]
) -> LexborNode | None:
    """Read one node; return its first child when it has children to read."""
    if node.is_text_node:
        _text(node.text_content or "", reader, look)
        return None
    if node.is_comment_node:
        comment = _CONDITION.sub(" ", node.comment_content or "")
        reader.hide(without_tags(comment), "comment")
        return None
    tag = node.tag or ""
    if tag in _DROPPED:
        if tag == "style":
            read_sheet(node.text(deep=True) or "", reader.rules)
        return None
    attributes = node.attributes
    inner = look_of(look, tag, attributes, reader.rules)
    if attributes:
        for name in ("alt", "title"):
            if value := attributes.get(name):
                reader.hide(value, name)
    if tag == "title":
        reader.hide(node.text(deep=True) or "", "head")
        return None
    if tag in _LINK_TAGS and (href := attributes.get("href")):
        reader.close_link()
        reader.open_link = (href.strip()[:HREF_CHARACTERS], [])
    seen = not inner.hidden
    if seen:
        reader.layout.enter(tag, attributes)
    child = node.first_child
    if child is None:
        _leave(tag if seen else "", reader)
        return None
    stack.append((node, tag if seen else "", inner))
    return child


def _leave(tag: str, reader: _Reader) -> None:
    """Close an element that was seen."""
    if tag in _LINK_TAGS:
        reader.close_link()
    if tag:
        reader.layout.leave(tag)


def _text(text: str, reader: _Reader, look: Look) -> None:
    """Put a piece of text where it belongs."""
    reason = look.reason()
    if reason:
        reader.hide(text, reason)
        return
    reader.layout.write(text)
    if reader.open_link is not None:
        reader.open_link[1].append(text)
