"""The look of text at one place of an HTML document, and the reason why it is not seen, if any."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from tasks.core.markup.color import Color, Shade, blend, too_near
from tasks.core.markup.hiding import FAINT

FAINT_WHOLE = 0.1
"""Opacity of a whole element up to which nobody reads it."""
SMALL_LETTERS = 4.0
"""Pixels of a font up to which nobody reads it; legal notices have 7 and more."""
_LINK: Color = (0, 0, 238, 1.0)
"""Colour of links that say no other."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text at one place of the document looks; inherited downwards."""

    hidden: str = ""
    """Why it is not seen, whatever is inside; empty when it is."""
    invisible: bool = False
    """`visibility: hidden`, which a child may undo."""
    thin: bool = False
    """Inside a box whose height is that of its lines, which have none; a child may undo it."""
    place: str = ""
    """Where among elements that show only some of their words; see `shown.place_within`."""
    crammed: bool = False
    """Letters lie on one another; a child may undo it."""
    size: float = 16.0
    """Font size, pixels."""
    root: float = 16.0
    """Font size of the page, pixels."""
    scale: float = 1.0
    """By how much all is made smaller."""
    opacity: float = 1.0
    """Opacity of the whole, from 0 to 1."""
    color: Color | None = (0, 0, 0, 1.0)
    """Text colour; None when it is not known."""
    filled: bool = False
    """Whether that is a colour of filling, which the colour of a child does not undo."""
    link: Color | None = _LINK
    """Colour of links that have no other."""
    room: float | None = None
    """Height of the box around that cuts off what is beyond, pixels; None where none does."""
    shadow: Color | None = None
    """A shadow by which text is read that has no colour of its own."""
    background: Shade | None = (255, 255, 255)
    """Colour behind the text; None when it is not known, e.g. an image."""
    variables: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Custom properties."""
    reason: str = ""
    """Why text with this look is not seen; empty when it is."""


class LookChange(TypedDict, total=False):
    """What of a look an element changes: fields of `Look`."""

    hidden: str
    invisible: bool
    thin: bool
    place: str
    crammed: bool
    size: float
    root: float
    scale: float
    opacity: float
    color: Color | None
    filled: bool
    link: Color | None
    room: float | None
    shadow: Color | None
    background: Shade | None
    variables: Mapping[str, str]


def why_unseen(look: Look) -> str:
    """Return why text with this look is not seen, or an empty string."""
    if look.hidden:
        return look.hidden
    if look.place in ("folded", "svg"):
        return look.place
    if look.invisible:
        return "visibility"
    if look.opacity <= FAINT_WHOLE:
        return "opacity"
    if look.size * look.scale <= SMALL_LETTERS:
        return "zero_size"
    if look.thin:
        return "zero_box"
    if look.crammed:
        return "crammed"
    if look.color is None or (look.shadow is not None and _differs(look.shadow, look)):
        return ""
    if look.color[3] * look.opacity <= FAINT:
        return "transparent"
    return "" if _differs(look.color, look) else "same_color"


def _differs(color: Color, look: Look) -> bool:
    """Whether a colour is told from what is behind the text; from what is not known it is."""
    if look.background is None:
        return True
    faded = (*color[:3], color[3] * look.opacity)
    return not too_near(blend(faded, look.background), look.background)
