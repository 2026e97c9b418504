"""What an HTML document holds besides the text that its reader sees, collected piece by piece."""

from dataclasses import dataclass, field

import re2

from data.records.mail import Hidden
from tasks.html_bounds import without_tags
from tasks.html_css import comments
from tasks.html_layout import seen_words

PIECES = 1_000
"""Hidden pieces that are listed."""
PIECE_CHARACTERS = 2_000
"""Characters of each; longer text goes on in the next."""
PREHEADER_CHARACTERS = 300
"""Characters of a line that inboxes show behind the subject; they cut it at 90 to 200."""
ATTRIBUTE_WORDS = 3
"""Words from which the value of an attribute is taken for text."""

# Attributes that hold codes, not words.
_CODES = frozenset({
    "style", "class", "href", "src", "srcset", "sizes", "id", "media", "face", "rel", "width",
    "height", "viewbox", "d", "points", "transform", "accept", "sandbox", "coords", "background",
    "alt", "title", "content", "type", "value", "lang", "xmlns", "cite", "action",
})  # fmt: skip
_SILENT = _CODES - {"style", "alt", "title", "content", "value"}
# What surrounds markup that only one mail program reads: `<!--[if mso]> … <![endif]-->`.
_CONDITION = re2.compile(r"(?i)^\s*\[if [^\]]*\]>(?:<!)?|<!\[endif\]$")
_STRING = re2.compile(r'"((?:[^"\\\n]|\\.)*)"|' + r"'((?:[^'\\\n]|\\.)*)'")
_APART = frozenset({"alt", "title", "comment", "attribute", "style"})
_BY_STYLE = frozenset({
    "display_none", "visibility", "opacity", "zero_size", "zero_box", "off_screen", "clipped",
    "same_color", "transparent", "mso_hide", "hidden_attribute",
})  # fmt: skip


def is_prose(value: str) -> bool:
    """Whether a value holds words; scripts without spaces count by their letters."""
    if value.isascii():
        if value.count(" ") < ATTRIBUTE_WORDS - 1:
            return False
    elif sum(not one.isascii() and one.isalpha() for one in value) >= 4 * ATTRIBUTE_WORDS - 4:
        return True
    return sum(word.strip(".,:;!?").isalpha() for word in value.split()) >= ATTRIBUTE_WORDS


@dataclass
class HiddenText:
    """Pieces of text that are not seen, in document order, with the reason."""

    pieces: list[tuple[str, str]] = field(default_factory=list)
    cut: bool = False
    """Whether there were more pieces than are listed."""
    _preheader: int = 0
    """Characters of the preheader."""
    open: bool = False
    """Whether more text of the last piece may follow: nothing that is seen came since."""

    def add(self, text: str, reason: str, *, at_top: bool = False) -> None:
        """Note hidden text, joined to the piece before when both are hidden for one reason.

        `at_top` says that the reader has seen nothing yet: a short line hidden there by its style
        is a preheader, which inboxes show behind the subject.
        """
        if not text or text.isspace():
            return
        text = " ".join(text.split() if text.isascii() else seen_words(text))
        if not text:
            return
        if at_top and reason in _BY_STYLE:
            self._preheader += len(text)
            if self._preheader <= PREHEADER_CHARACTERS:
                reason = "preheader"
        if self.open and self.pieces and self.pieces[-1][1] == reason and reason not in _APART:
            before, _ = self.pieces.pop()
            text = f"{before} {text}"
        for at in range(0, len(text), PIECE_CHARACTERS):
            if len(self.pieces) >= PIECES:
                self.cut = True
                return
            self.pieces.append((text[at : at + PIECE_CHARACTERS], reason))
        self.open = True

    def add_comment(self, content: str) -> None:
        """Note a comment; of one for a single mail program the words without its markup."""
        if content.lstrip().startswith("["):
            content = without_tags(_CONDITION.sub(" ", content))
        self.add(content, "comment")

    def add_sheet(self, css: str) -> None:
        """Note what a style text says in words: its comments, and the strings that it writes."""
        self.add(comments(css), "style")
        if "content" in css and ('"' in css or "'" in css):
            strings = (one or other for one, other in _STRING.findall(css))
            prose = (one for one in strings if is_prose(one))
            self.add("\n".join(prose), "style")

    def add_attributes(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Note what the attributes of an element say in words."""
        if _SILENT.issuperset(attributes):
            return
        for name, value in attributes.items():
            if not value or name in _SILENT:
                continue
            if name == "style":
                if "/*" in value or '"' in value or "'" in value:
                    self.add_sheet(value)
            elif name in ("alt", "title"):
                self.add(value, name)
            elif name == "value":
                if tag == "input" and (attributes.get("type") or "").lower() == "hidden":
                    self.add(value, "hidden_input")
            elif name == "content":
                if tag == "meta" and "http-equiv" not in attributes and is_prose(value):
                    self.add(value, "head")
            elif name not in _CODES and is_prose(value):
                self.add(value, "attribute")

    def result(self) -> tuple[Hidden, ...]:
        """Return the pieces as records."""
        return tuple(Hidden(text=text, reason=reason) for text, reason in self.pieces)
