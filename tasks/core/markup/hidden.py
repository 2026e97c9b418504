"""The text of an HTML document that its reader does not see, collected piece by piece."""

from dataclasses import dataclass, field

from data.records.core.parsed_mail import Hidden
from tasks.core.markup.bounds import without_tags
from tasks.core.markup.css_text import comments, without_comments
from tasks.core.markup.layout import Layout, seen_words
from tasks.core.patterns import compiled

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
_CONDITION = compiled(r"(?i)^\s*\[if [^\]]*\]>(?:<!)?|<!\[endif\]$")
_STRING = compiled(r'"((?:[^"\\\n]|\\.)*)"|' + r"'((?:[^'\\\n]|\\.)*)'")
# A sentence in a style text: words in a row with nothing between them, or ideographs.
_SENTENCE = compiled(
    r"(?:\pL[\pL'-]*(?: \pL[\pL'-]*){5,}|[\p{Han}\p{Hiragana}\p{Katakana}]{8,})[^{};\n\"]*"
)
_PRESSED = frozenset({"submit", "button", "reset", "image", "checkbox", "radio"})
_APART = frozenset({"alt", "title", "comment", "attribute", "style"})
_BY_STYLE = frozenset({
    "display_none", "visibility", "opacity", "zero_size", "zero_box", "off_screen", "clipped",
    "same_color", "transparent", "mso_hide", "hidden_attribute", "crammed", "covered", "masked",
})  # fmt: skip


def is_prose(value: str) -> bool:
    """Whether a value holds words; scripts without spaces count by their letters."""
    if value.isascii():
        if value.count(" ") < ATTRIBUTE_WORDS - 1:
            return False
    elif (
        sum(not letter.isascii() and letter.isalpha() for letter in value)
        >= 4 * ATTRIBUTE_WORDS - 4
    ):
        return True
    return sum(word.strip(".,:;!?").isalpha() for word in value.split()) >= ATTRIBUTE_WORDS


def sentences(css: str) -> list[str]:
    """Return what stands in a style text and reads as prose, outside of strings too."""
    if css.count(" ") < 5 and css.isascii():
        return []
    return [match.group() for match in _SENTENCE.finditer(css)]


@dataclass
class HiddenText:
    """Pieces of text that are not seen, in document order, with the reason."""

    pieces: list[tuple[str, str, tuple[int, int]]] = field(default_factory=list)
    """Words, reason, and how far the text had come."""
    cut: bool = False
    """Whether there were more pieces than are listed."""
    _preheader: int = 0
    """Characters of the preheader."""
    open: bool = False
    """Whether more text of the last piece may follow: nothing that is seen came since."""

    def add(self, text: str, reason: str, layout: Layout) -> None:
        """Note hidden text, joined to the piece before when both are hidden for one reason.

        A short line that its style hides before the reader has seen anything is a preheader, which
        inboxes show behind the subject.
        """
        if not text or text.isspace():
            return
        text = " ".join(text.split() if text.isascii() else seen_words(text))
        if not text:
            return
        if reason in _BY_STYLE and not layout.begun:
            self._preheader += len(text)
            if self._preheader <= PREHEADER_CHARACTERS:
                reason = "preheader"
        place = layout.reached
        if self.open and self.pieces and self.pieces[-1][1] == reason and reason not in _APART:
            before, _, place = self.pieces.pop()
            text = f"{before} {text}"
        for at in range(0, len(text), PIECE_CHARACTERS):
            if len(self.pieces) >= PIECES:
                self.cut = True
                return
            self.pieces.append((text[at : at + PIECE_CHARACTERS], reason, place))
        self.open = True

    def add_comment(self, content: str, layout: Layout) -> None:
        """Note a comment; of one for a single mail program the words without its markup."""
        if content.lstrip().startswith("["):
            content = without_tags(_CONDITION.sub(" ", content))
        self.add(content, "comment", layout)

    def add_sheet(self, css: str, layout: Layout) -> None:
        """Note what a style text says in words: comments, strings that it writes, and sentences."""
        self.add(comments(css), "style", layout)
        if "content" in css and ('"' in css or "'" in css):
            strings = (one or other for one, other in _STRING.findall(css))
            prose = (string for string in strings if is_prose(string))
            self.add("\n".join(prose), "style", layout)
        self.add("\n".join(sentences(without_comments(css))), "style", layout)

    def add_attributes(self, tag: str, attributes: dict[str, str | None], layout: Layout) -> None:
        """Note what the attributes of an element say in words."""
        if _SILENT.issuperset(attributes):
            return
        for name, value in attributes.items():
            if not value or name in _SILENT:
                continue
            if name == "style":
                if "/*" in value or '"' in value or "'" in value or "--" in value:
                    self.add_sheet(value, layout)
            elif name in ("alt", "title"):
                self.add(value, name, layout)
            elif name == "value":
                self._add_value(tag, (attributes.get("type") or "").lower(), value, layout)
            elif name == "content":
                if tag == "meta" and "http-equiv" not in attributes and is_prose(value):
                    self.add(value, "head", layout)
            elif name not in _CODES and is_prose(value):
                self.add(value, "attribute", layout)

    def _add_value(self, tag: str, kind: str, value: str, layout: Layout) -> None:
        """Note what a field of a form is filled with."""
        if tag == "input" and kind == "hidden":
            self.add(value, "hidden_input", layout)
        elif tag == "input" and kind not in _PRESSED and any(map(str.isalpha, value)):
            self.add(value, "form_field", layout)

    def result(self, layout: Layout, text: str) -> tuple[Hidden, ...]:
        """Return the pieces as records, with their places in the text of the layout."""
        places = layout.index((place for _, _, place in self.pieces), text)
        return tuple(
            Hidden(text=said, reason=reason, at=at)
            for (said, reason, _), at in zip(self.pieces, places, strict=True)
        )
