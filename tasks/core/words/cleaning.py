"""Text and lines without control characters, and without those that draw nothing."""

from tasks.core.patterns import compiled

_LINE_ENDS = compiled(r"[\x0b\x0c\x1c-\x1f\x{85}\x{2028}\x{2029}]")
"""What ends a line or a field without being a line feed; without it words would run together."""
_CONTROLS = compiled(r"[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{2028}\x{2029}\x{fffe}\x{ffff}]")


def clean_text(text: str) -> str:
    """Return `text` with LF as line end and without other control characters than tabs."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROLS.search(text) is None:
        return text
    return str(_CONTROLS.sub("", _LINE_ENDS.sub("\n", text)))


def clean_line(text: str) -> str:
    """Return `text` as one line: runs of white space and control characters become one space."""
    if text.isprintable():
        return " ".join(text.split()) if "  " in text or not text.isascii() else text.strip(" ")
    return " ".join(_CONTROLS.sub(" ", text).split())


def straighten_apostrophes(text: str) -> str:
    """Return a text with straight apostrophes, as word lists have them; phones write `’`."""
    return text if text.isascii() else text.translate(_APOSTROPHES)


_APOSTROPHES = dict.fromkeys(map(ord, "’ʼ´`′"), "'")
_UNDRAWN = compiled(
    r"[\x{ad}\x{34f}\x{61c}\x{180e}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}"
    r"\x{e0000}-\x{e01ef}]"
)
"""Soft hyphens, places to break a line, directions, tags."""
_JOINERS = compiled(
    r"(^|[^\p{Arabic}\p{Syriac}\p{Devanagari}\p{Bengali}\p{Gujarati}\p{Gurmukhi}\p{Kannada}"
    r"\p{Malayalam}\p{Oriya}\p{Sinhala}\p{Tamil}\p{Telugu}\p{Khmer}\p{Mongolian}\p{M}\p{So}])"
    r"[\x{200c}\x{200d}]+"
)
"""Joiners behind a letter that has no joined form; elsewhere they are part of the spelling."""


def without_undrawn(text: str) -> str:
    """Return a text as its reader sees it, without soft hyphens and joiners within its words.

    For understanding and searching what somebody wrote. The screen gets the text as it came.
    """
    if text.isascii():
        return text
    text = str(_UNDRAWN.sub("", text))
    return str(_JOINERS.sub(r"\1", text)) if "\u200c" in text or "\u200d" in text else text
