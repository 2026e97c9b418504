"""Text and lines without control characters."""

from tasks.patterns import compiled

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
