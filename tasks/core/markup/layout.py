"""Visible text as lines: paragraphs apart, list items and table cells marked, quotes prefixed."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

_PARAGRAPHS = frozenset(
    ["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "hr"]
)
_BLOCKS = _PARAGRAPHS | frozenset({
    "div", "tr", "li", "dt", "dd", "section", "article", "header", "footer", "main", "aside",
    "nav", "address", "center", "form", "fieldset", "figure", "figcaption", "caption", "tbody",
    "thead", "tfoot", "body", "details", "summary", "legend", "option",
})  # fmt: skip
_COUNTED = frozenset(["blockquote", "pre", "ul", "ol", "li", "td", "th"])
LAID_OUT = _BLOCKS | frozenset({"br", "td", "th"})
"""Elements that change the layout."""
QUOTE_DEPTH = 20
"""Levels of `> ` that are written."""


# Characters without a glyph; newsletters pad their preview line with them.
_NO_GLYPH = "\u00ad\u034f\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


def seen_words(text: str) -> list[str]:
    """Return the words of which at least one character is seen."""
    return [word for word in text.split() if word.strip(_NO_GLYPH)]


@dataclass
class Layout:
    """Lines of text in the making."""

    lines: list[str] = field(default_factory=list)
    current: list[str] = field(default_factory=list)
    quote: int = 0
    preformatted: int = 0
    counters: list[int] = field(default_factory=list)
    """One per open list: the last number of an ordered one, -1 for an unordered one."""
    space: bool = False
    """Whether white space came since the last character."""
    width: int = 0
    """Characters of the current line, without the quote marks."""
    mark: str = ""
    """What the next text begins with: a bullet, a number or a cell separator."""

    @property
    def reached(self) -> tuple[int, int]:
        """Where the text has come to: lines that are ended, and characters of the next one."""
        return len(self.lines), self.width + len(self._prefix()) if self.current else 0

    @property
    def begun(self) -> bool:
        """Whether any text was written."""
        return bool(self.lines or self.current)

    def enter(self, tag: str) -> None:
        """Open an element of `LAID_OUT`."""
        if tag == "br":
            self.break_line(empty=True)
            return
        if tag in _BLOCKS:
            if self.current:
                self.break_line()
            self.space = False
            if tag in _PARAGRAPHS:
                self.blank()
        if tag not in _COUNTED:
            return
        if tag == "blockquote":
            self.quote += 1
        elif tag == "pre":
            self.preformatted += 1
        elif tag in ("ul", "ol"):
            self.counters.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self.mark = self._bullet()
        elif tag in ("td", "th") and self.current:
            self.mark = " | "

    def leave(self, tag: str) -> None:
        """Close an element."""
        if tag in _BLOCKS:
            if self.current:
                self.break_line()
            self.space = False
        if tag in ("td", "th", "li"):
            self.mark = ""
            self.space = True
            return
        if tag == "blockquote":
            self.quote = max(0, self.quote - 1)
            if self.lines and not self.lines[-1].strip("> "):
                self.lines[-1] = self._prefix().rstrip()
        if tag in _PARAGRAPHS:
            self.blank()
        if tag == "pre":
            self.preformatted = max(0, self.preformatted - 1)
        elif tag in ("ul", "ol") and self.counters:
            self.counters.pop()

    def _bullet(self) -> str:
        """Return the mark of the next list item."""
        indent = "  " * max(0, min(len(self.counters), QUOTE_DEPTH) - 1)
        if not self.counters or self.counters[-1] < 0:
            return f"{indent}- "
        self.counters[-1] += 1
        return f"{indent}{self.counters[-1]}. "

    def write(self, text: str) -> None:
        """Add text; white space is collapsed unless it is preformatted."""
        if self.preformatted:
            first, *others = text.split("\n")
            self._put(first.rstrip("\r"))
            for line in others:
                self.break_line(empty=True)
                self._put(line.rstrip("\r"))
            return
        words = " ".join(text.split() if text.isascii() else seen_words(text))
        if not words:
            self.space = self.space or bool(text)
            return
        if text[0].isspace():
            self.space = True
        self._put(words)
        self.space = text[-1].isspace()

    def _put(self, words: str) -> None:
        """Add words to the current line, after the pending mark or space."""
        if not words:
            return
        if self.mark:
            self.current.append(self.mark)
            self.width += len(self.mark)
            self.mark = ""
        elif self.space and self.current:
            self.current.append(" ")
            self.width += 1
        self.space = False
        self.current.append(words)
        self.width += len(words)

    def break_line(self, *, empty: bool = False) -> None:
        """End the current line; `empty` makes an empty one when there is nothing on it."""
        if self.current:
            self.lines.append(self._prefix() + "".join(self.current).rstrip())
            self.current.clear()
            self.width = 0
        elif empty and self.lines:
            self.blank_line()
        self.space = False

    def _prefix(self) -> str:
        """Return the quote marks of the current line."""
        return "> " * min(self.quote, QUOTE_DEPTH)

    def blank(self) -> None:
        """Put an empty line between paragraphs, never two."""
        if self.lines and self.lines[-1].strip("> "):
            self.blank_line()

    def blank_line(self) -> None:
        """Put an empty line."""
        if len(self.lines) < 2 or self.lines[-1].strip("> ") or self.lines[-2].strip("> "):
            self.lines.append(self._prefix().rstrip())

    def result(self) -> str:
        """Return the text."""
        self.break_line()
        return "\n".join(self.lines).strip("\n")

    def index(self, reached: Iterable[tuple[int, int]], text: str) -> list[int]:
        """Return where in the text, as `result` gives it, places stand that `reached` has told."""
        starts = list(accumulate((len(line) + 1 for line in self.lines), initial=0))
        cut = next((starts[at] for at, line in enumerate(self.lines) if line), 0)
        return [
            max(0, min(starts[min(line, len(self.lines))] + width - cut, len(text)))
            for line, width in reached
        ]
