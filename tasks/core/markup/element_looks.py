"""The looks of all elements of a document, by styles, style sheets and HTML itself.

Elements that follow from the same are looked at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from tasks.core.markup.columns import Columns
from tasks.core.markup.covered_elements import covered_by_others
from tasks.core.markup.css import Declarations
from tasks.core.markup.elements import Element, SheetTooCostlyError
from tasks.core.markup.hiding import CELLS
from tasks.core.markup.outlook import stands_in_for_outlook
from tasks.core.markup.shown import FIGURES, Choices, figures_behind, is_heading
from tasks.core.markup.style import LOOKING, LOOKS, cascade, look_of
from tasks.core.markup.style_sheets import Sheets
from tasks.core.markup.text_look import Look

Open = tuple[LexborNode, str, Look, dict[str, str | None]]
"""An element whose content is being read: node, name (empty when not seen), look, attributes."""

_NO_STYLE: tuple[Declarations, Declarations] = ({}, {})
_IN_ORDER = tuple(sorted(LOOKS))
_BY_TAG = LOOKING | CELLS
DRAWINGS = 300
"""Drawings of one document whose words are read."""
_FIRST_CHILDREN = 50
_PLACED = frozenset({"relative", "absolute", "fixed"})


@dataclass
class Looks:
    """The looks of one document."""

    html: str = ""
    sheets: Sheets = field(default_factory=Sheets)
    too_costly: bool = False
    """Whether some element was read without its style sheets."""
    covered: set[int] = field(default_factory=set)
    """Elements that lie under others, by the parser's numbers."""
    columns: Columns = field(default_factory=Columns)
    """Columns of tables that are taken out."""
    shadows: bool = False
    """Whether some element may show its shadow in place of what it holds."""
    _known: dict[tuple[object, ...], tuple[Look, bool]] = field(default_factory=dict)
    """Looks that were computed, by what they follow from, and whether they place the element."""
    _elements: list[Element] = field(default_factory=list)
    """What selectors see of the elements that are open, from the outermost; made when one looks."""
    _drawings: int = 0
    _choices: Choices = field(default_factory=Choices)

    def inside(
        self,
        node: LexborNode,
        tag: str,
        attributes: dict[str, str | None],
        stack: Sequence[Open],
        look: Look,
    ) -> Look:
        """Return the look inside an element that stands in `look`, under those of the stack."""
        if look.hidden:
            return look  # nothing in it undoes that
        style = self._declared(node, tag, attributes, stack) if self.sheets else _NO_STYLE
        bare = not (style[0] or style[1] or look.place or self.whole)
        if bare and tag not in LOOKING and LOOKS.isdisjoint(attributes):
            return look
        unseen = self._unseen(node, tag, look)
        tag_named = "" if tag == "summary" and not is_heading(node) else tag
        kind = tag_named if tag_named in _BY_TAG or look.place else ""
        flags = "open" in attributes, "hidden" in attributes, "href" in attributes, unseen
        values = map(attributes.get, _IN_ORDER)
        key: tuple[object, ...] = (id(look), id(style[0]), kind, flags, *values)
        drawn = bool(attributes) and look.place in ("svg", "drawn")
        if unseen != "svg" and (drawn or (tag == "svg" and not look.place)):
            key = (*key, node.mem_id)
        inner, placed = self._known.get(key, (None, False))
        if inner is None:
            declarations = self._moved_on(cascade(style, attributes))
            if tag == "svg" and not (look.place or unseen) and figures_behind(node):
                declarations = {"background-image": "url(figures)", **declarations}
            inner = look_of(look, tag_named, attributes, declarations, unseen)
            if inner.hidden == "mso_hide":
                if stands_in_for_outlook(node, self.html):
                    declarations = {**declarations, "mso-hide": "none"}
                    inner = look_of(look, tag, attributes, declarations)
                key = (*key, node.mem_id)
            placed = declarations.get("position") in _PLACED
            self._known[key] = inner, placed
        if placed:
            self.covered |= covered_by_others(node)
        if tag in ("col", "colgroup") and inner.invisible:
            self.columns.take_out(node)
        return inner

    @property
    def whole(self) -> bool:
        """Whether elements without a look of their own have to be looked at too."""
        return bool(self.covered or self.columns or self.shadows)

    def _unseen(self, node: LexborNode, tag: str, look: Look) -> str:
        """Return why an element is not seen by what it is or where it lies."""
        if look.place == "svg" and tag in FIGURES:
            return "svg"
        if tag == "svg":
            self._drawings += 1
            if self._drawings > DRAWINGS:
                return "svg"
        if self.covered and node.mem_id in self.covered:
            return "covered"
        if self.columns and tag in ("td", "th") and self.columns.holds(node):
            return "visibility"
        if self.shadows and tag != "template" and _has_shadow(node):
            return "template"
        if tag == "option" and not self._choices.is_shown(node):
            return "unchosen"
        return "ruby" if tag == "rp" else ""

    def _moved_on(self, style: Declarations) -> Declarations:
        """Return declarations with those in which an animation leaves the element."""
        value = style.get("animation") or style.get("animation-name")
        if not value or not self.sheets.frames:
            return style
        words = {*value.replace(",", " ").split(), style.get("animation-fill-mode", "")}
        if words.isdisjoint(("forwards", "both")):
            return style
        for name in words & self.sheets.frames.keys():
            style = {**style, **self.sheets.frames[name]}
        return style

    def _declared(
        self,
        node: LexborNode,
        tag: str,
        attributes: dict[str, str | None],
        stack: Sequence[Open],
    ) -> tuple[Declarations, Declarations]:
        """Return what the style sheets declare for an element: ordinary and important."""
        declared = self.sheets.known(tag, attributes.get("class"), attributes.get("id"))
        if declared:
            return declared
        try:
            return self.sheets.style_of(self._element(node, tag, attributes, stack))
        except SheetTooCostlyError:
            self.too_costly = True
            return _NO_STYLE

    def _element(
        self,
        node: LexborNode,
        tag: str,
        attributes: dict[str, str | None],
        stack: Sequence[Open],
    ) -> Element:
        """Return what selectors see of an element, with all that hold it."""
        elements = self._elements
        del elements[len(stack) :]
        while elements and elements[-1].node is not stack[len(elements) - 1][0]:
            elements.pop()
        for opened, _, _, own in stack[len(elements) :]:
            parent = elements[-1] if elements else None
            elements.append(Element(opened.tag or "", own, opened, parent))
        return Element(tag, attributes, node, elements[-1] if elements else None)


def _has_shadow(node: LexborNode) -> bool:
    """Whether an element shows a shadow tree, and not what it holds (HTML section 4.12.3)."""
    child = node.first_child
    for _ in range(_FIRST_CHILDREN):
        if child is None:
            break
        if child.tag == "template" and "shadowrootmode" in child.attributes:
            return True
        child = child.next
    return False
