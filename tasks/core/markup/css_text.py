"""Comments and escapes of style text, read as browsers read them (CSS Syntax 3, section 4)."""

from tasks.core.patterns import compiled

_ESCAPE = compiled(r"(?s)\\([0-9a-fA-F]{1,6})\s?|\\(.)")


def without_comments(css: str) -> str:
    """Return style text with each comment replaced by a space; an open one ends the text."""
    return " ".join(_split_comments(css)[0]) if "/*" in css else css


def comments(css: str) -> str:
    """Return the words of all comments of a style text, one comment per line."""
    if "/*" not in css:
        return ""
    return "\n".join(comment.strip("*\n\t ") for comment in _split_comments(css)[1])


def _split_comments(css: str) -> tuple[list[str], list[str]]:
    """Return what stands around the comments, and the comments; those in strings are none."""
    around: list[str] = []
    comments_cut: list[str] = []
    start = at = 0
    while (begin := css.find("/*", at)) >= 0:
        line = css[max(start, css.rfind("\n", start, begin)) : begin]
        quote = next((quote_mark for quote_mark in "\"'" if line.count(quote_mark) % 2), "")
        if quote and (closing := css.find(quote, begin)) >= 0 and "\n" not in css[begin:closing]:
            at = closing + 1
            continue
        end = css.find("*/", begin + 2)
        around.append(css[start:begin])
        comments_cut.append(css[begin + 2 : end if end >= 0 else len(css)])
        if end < 0:
            return around, comments_cut
        start = at = end + 2
    around.append(css[start:])
    return around, comments_cut


def unescape(css: str) -> str:
    """Return a CSS identifier or value with its escapes decoded (CSS Syntax 3 section 4.3.7)."""
    if "\\" not in css:
        return css
    return str(_ESCAPE.sub(lambda match: _character(match.group(1)) or match.group(2), css))


def _character(digits: str | None) -> str:
    """Return the character of a code point in hexadecimal digits."""
    if not digits:
        return ""
    point = int(digits, 16)
    return chr(point) if 0 < point < 0xD800 or 0xDFFF < point < 0x110000 else "\ufffd"
