"""The bound on HTML that would cost more than linear time to build, and the text read of it then.

Building a tree by the HTML standard is quadratic for deep nesting (14 s for 100,000 `<div>`) and
for formatting elements that are never closed: they are opened anew in every block.
"""

from tasks.core.patterns import compiled
from tasks.core.words.cleaning import clean_text

DEPTH = 400
"""Elements open at the same time."""
REOPENED = 1_000_000
"""Open formatting elements times blocks, an upper bound of the elements that would be made."""
ATTRIBUTES = 2_000
"""Attributes of one tag."""
OPTIONS = 2_000
"""Options of lists to choose from; the parser looks through those before each."""
_FEW_TAGS = 300

_ATTRIBUTE = compiled(r"""[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?""")
_ANY_TAG = compiled(r"(?s)<!--.*?-->|<[a-zA-Z/!?][^>]*>")
_BLOCK_END = compiled(r"(?i)</(?:p|div|tr|li|h[1-6]|table|blockquote)[^>]*>|<br[^>]*>")
_ENTITY = compiled(r"&(amp|lt|gt|quot|nbsp|#39);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "nbsp": " ", "#39": "'"}

_FORMATTING = frozenset({
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt",
    "u",
})  # fmt: skip
# Elements without content, and those that HTML closes by itself.
_SHALLOW = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
    "track", "wbr", "p", "li", "td", "tr", "th", "dd", "dt", "option", "tbody", "thead",
    "tfoot", "colgroup", "html", "head", "body",
})  # fmt: skip

# Elements of drawings, inside which `/>` ends an element.
_DRAWN = frozenset({
    "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "image",
    "stop", "text", "tspan", "defs", "clippath", "lineargradient", "radialgradient",
})  # fmt: skip

_COMMON_SHALLOW = tuple(f"<{tag}{end}" for tag in ("td", "tr", "br", "p", "img") for end in " >")


def too_tangled(html: str) -> bool:
    """Whether building the tree of `html` would take more than linear time."""
    if html.count("<option") + html.count("<OPTION") > OPTIONS:
        return True
    if _surely_flat(html):
        return _wide(html)
    depth = formatting = most_formatting = blocks = 0
    options, drawing = 0, False
    for piece in html.split("<"):
        closing = piece.startswith("/")
        tag = piece[closing:20].partition(">")[0].partition(" ")[0].rstrip("/").lower()
        if tag[:1].isalpha():  # whatever is no part of a drawing ends it
            drawing = tag in _DRAWN and (drawing or tag == "svg") and not (closing and tag == "svg")
        if tag in _FORMATTING:
            formatting = max(0, formatting + (-1 if closing else 1))
            most_formatting = max(most_formatting, formatting)
        elif tag in _SHALLOW:
            blocks += not closing
            options += tag == "option"
        elif drawing and tag in _DRAWN and "/>" in piece:
            blocks += 1
        elif tag[:1].isalpha():
            depth = max(0, depth + (-1 if closing else 1))
            blocks += not closing
            if depth > DEPTH:
                return True
    if options > OPTIONS or most_formatting > DEPTH or most_formatting * blocks > REOPENED:
        return True
    return _wide(html)


def _surely_flat(html: str) -> bool:
    """Whether there are too few tags for deep nesting, without looking at each.

    An upper bound: what opens, less the commonest that neither nest nor format.
    """
    opening = html.count("<")
    if opening < _FEW_TAGS:
        return True
    opening -= html.count("</")
    folded = html.lower()
    nesting = opening - sum(map(folded.count, _COMMON_SHALLOW))
    return nesting <= DEPTH and nesting * opening <= REOPENED


def _wide(html: str) -> bool:
    """Whether a tag has very many attributes, which are compared with one another.

    A `>` inside quotes ends the look; what slips through meets the limit of processor time.
    """
    if len(html) < 2 * ATTRIBUTES:
        return False
    long = (piece for piece in html.split("<") if len(piece) > 2 * ATTRIBUTES)
    return any(len(_ATTRIBUTE.findall(piece.partition(">")[0])) > ATTRIBUTES for piece in long)


def without_tags(html: str) -> str:
    """Return the text of `html` without its tags, in one pass."""
    text = _ANY_TAG.sub(" ", _BLOCK_END.sub("\n", html)) if "<" in html else html
    if "&" in text:
        text = _ENTITY.sub(lambda match: _ENTITIES[match.group(1)], text)
    lines = (" ".join(line.split()) for line in clean_text(text).split("\n"))
    return "\n".join(line for line in lines if line)
