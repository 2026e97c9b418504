"""Text from outside, made harmless for the places that draw it.

`st.text`, `st.code` and our own components interpret nothing and take `shown(text)`. Labels of
buttons and expanders, toasts and alerts interpret Markdown and take `make_inert(text)`.
"""

import string
import unicodedata
from itertools import takewhile

from data.tag_characters import is_tag, runs, spell_tags

JOINER = "\u2060"
"""Word joiner: takes no room, allows no line break, and ends every pattern it stands in."""

_BREAKERS = frozenset(".:@/-_")
"""Characters that text-level rules (links, mail addresses, emoji codes, arrows) need."""

_KEPT_FORMAT = frozenset("\u200c\u200d\u2060\u00ad")
"""Format characters that scripts and emoji need, and that cannot turn text around."""


_ENDS = {ord("\n"): None, ord("\t"): None}


def show_controls(text: str) -> str:
    """Return `text` with every control and direction character written out.

    A reader must see what is there: a right-to-left override becomes `‹U+202E›`, and a
    message spelled in tag characters `‹hidden: …›`. Line ends and tabs stay.
    """
    if text.translate(_ENDS).isprintable():
        return text  # nothing that a reader would not see: most texts, at a hundredth of the time
    pieces: list[str] = []
    for tagged, run in runs(text):
        if tagged:
            pieces.append(f"‹hidden: {spell_tags(run)}›")
        else:
            pieces.extend(_shown_character(character) for character in run)
    return "".join(pieces)


def make_inert(text: str, limit: int = 240) -> str:
    """Return `text` as one line that Markdown draws as exactly these characters.

    Every ASCII punctuation mark is escaped by a backslash (CommonMark section 2.4). That is not
    enough for the rules that run over finished text, such as bare links and emoji codes, so a
    word joiner follows the characters they look for. At most `limit` characters are kept.
    """
    line = " ".join(show_controls(text).split())
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    escaped = "".join(_escaped(character) for character in line)
    return escaped.replace("www", f"w{JOINER}w{JOINER}w").replace("WWW", f"W{JOINER}W{JOINER}W")


def label_words(text: str, limit: int = 120) -> str:
    """Return only the words of `text`, for a label that is told to a screen reader as it stands.

    Such a label is not drawn, so backslashes that keep Markdown away would be read out.
    """
    words = "".join(
        character if character.isalnum() or unicodedata.category(character)[0] == "M" else " "
        for character in text[: 4 * limit]
    )
    return " ".join(words.split())[:limit].rstrip()


def one_line(text: str, limit: int = 160) -> str:
    """Return `text` as one line of at most `limit` characters, control characters written out."""
    line = " ".join(show_controls(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def shorten_middle(text: str, limit: int) -> str:
    """Return `text` on one line with its middle left out: how a file's name ends matters too."""
    line = one_line(text, 4 * limit)
    if len(line) <= limit:
        return line
    return line[: limit // 2].rstrip() + "…" + line[-(limit - limit // 2 - 1) :].lstrip()


def tags_at(text: str, place: int) -> int:
    """Return where the tag characters end that begin at `place`."""
    run = takewhile(is_tag, text[place:])
    return place + sum(1 for _ in run)


def _shown_character(character: str) -> str:
    if character in "\n\t" or character in _KEPT_FORMAT:
        return character
    if character == "\r":
        return ""
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"}:
        return f"‹U+{ord(character):04X}›"
    return character


def _escaped(character: str) -> str:
    if character in _BREAKERS:
        return f"\\{character}{JOINER}"
    if character in string.punctuation:
        return f"\\{character}"
    return character
