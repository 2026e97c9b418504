"""Elements hidden from Outlook alone (`mso-hide: all`), and what Outlook gets in their stead.

Buttons are often written twice: drawn for Outlook inside a conditional comment, and as a link that
Outlook leaves out. Everybody sees one of them, so the link is no hidden text. What only others than
Outlook's readers see, and has no counterpart, counts as hidden.
"""

from selectolax.lexbor import LexborNode

from tasks.core.markup.bounds import without_tags
from tasks.core.patterns import compiled

_FOR_OUTLOOK = compiled(r"(?is)<!--\[if [^\]!]*mso[^\]]*\]>(.*?)<!\[endif\]-->")
_DRAWN = compiled(r"(?i)<v:|<img|[a-z]{3}")


def stands_in_for_outlook(node: LexborNode, html: str) -> bool:
    """Whether Outlook gets the words of this element, or something in its place, elsewhere."""
    if _is_drawn(_neighbour(node, forward=False)) or _is_drawn(_neighbour(node, forward=True)):
        return True
    words = (node.text(deep=True) or "").split()
    text = " ".join(words[:500])
    counterpart = (
        " ".join(without_tags(fragment).split()) for fragment in _FOR_OUTLOOK.findall(html)[:200]
    )
    return any(text in other_text for other_text in counterpart)


def _neighbour(node: LexborNode, *, forward: bool) -> LexborNode | None:
    """Return the next or previous node that is more than white space."""
    other = node.next if forward else node.prev
    while other is not None and other.is_text_node and not (other.text_content or "").strip():
        other = other.next if forward else other.prev
    return other


def _is_drawn(node: LexborNode | None) -> bool:
    """Whether a node is a conditional comment for Outlook that holds something to be seen."""
    if node is None or not node.is_comment_node:
        return False
    content = (node.comment_content or "").strip()
    head, _, inside = content.partition("]>")
    return (
        head.lower().startswith("[if ")
        and "mso" in head.lower()
        and "!" not in head
        and _DRAWN.search(without_tags(inside) + ("<v:" if "<v:" in inside else "")) is not None
    )
