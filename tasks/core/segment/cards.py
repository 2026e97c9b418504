"""The lines of a signature: names, titles, telephone numbers, addresses, notices."""

import re2

from tasks.core.patterns import compiled, compiled_set
from tasks.core.segment.lexicon import lexicon, phrases

LINE_CHARACTERS = 90
"""Characters of a line of a signature; notices have longer ones."""
NAME_WORDS = 5
"""Words of a name, titles included."""
NOTICE_CHARACTERS = 60
"""Characters that a legal notice has at least."""
NOTICE_MOST = 1_500
"""Characters of it that are read."""

_FEW = 3
"""Words of the shortest line that is prose because it begins small."""
_CARD_WORDS = phrases("signatures", "card_words")
_NOTICES = compiled_set(
    "|".join(re2.escape(str(stem).casefold()) for stem in stems)
    for stems in lexicon("signatures")["notices"].values()
)
"""What notices say, one pattern each: first secrecy and whom the letter is meant for."""
_CONTACT = r"(?i)\+?\(?\d[\d ()./\x{2011}-]{6,}\d|\bwww\.\S|https?://|\S@\S+\.\S|^\S{2,}\.(?:com|de|fr|es|it|pt|nl|pl|eu|org|net|example)\b"
_LABELLED = compiled(r"(?i)^\W*(\pL[\pL .-]{0,20}?\.?)\s?[.:|]\s?\S")
_PLACE = r"\b\d{4,5}(?:-\d{3})?\s+\p{Lu}\pL|\b\d{2}-\d{3}\s+\p{Lu}|\b\d{4}\s?[A-Z]{2}\b"
_COMPANY = (
    r"(?i)\b(?:gmbh|mbh|e\.\s?v\.|ltd|limited|inc|llc|plc|s\.?a\.?r\.?l|s\.?a\.?s|s\.r\.l|s\.p\.a"
    r"|s\.l|s\.a|lda|b\.?v|sp\. z o\.?\s?o|kg|ohg|ag|eg)\.?(?:$|\W)"
)
_REACHED = compiled_set((_CONTACT, _PLACE, _COMPANY))
"""All three in one pass."""
_PARTICLES = frozenset(
    {
        *("van", "von", "de", "da", "di", "del", "della", "der", "den", "dos", "das", "du"),
        *("la", "le", "ter", "zu", "zur", "e", "y", "i"),
    }
)


def is_contact(line: str) -> bool:
    """Whether a line holds a telephone number, an address or a link, as a card does."""
    if _REACHED.Match(line):
        return True
    if "." not in line and ":" not in line and "|" not in line:
        return False
    match = _LABELLED.search(line)
    return match is not None and match.group(1).strip().casefold() in _CARD_WORDS


def is_card_line(line: str) -> bool:
    """Whether a line could be part of a card: short, and no sentence."""
    if len(line) > LINE_CHARACTERS:
        return is_contact(line) and len(line) < 2 * LINE_CHARACTERS
    if is_contact(line):
        return not (line.endswith(("?", "!")) or _is_sentence(line))
    return not line.endswith(("?", "!", ":", ";")) and not _is_sentence(line)


def _is_sentence(line: str) -> bool:
    """Whether a line reads like prose: several words with a full stop, or mostly lower case."""
    words = [word for word in line.split() if word[0].isalpha()]
    if len(words) < 4:
        return False
    lower = sum(word[0].islower() and word not in _PARTICLES for word in words)
    return lower >= 3 and lower * 2 >= len(words)


def is_prose(line: str) -> bool:
    """Whether a line reads like prose, or like a few words of it: *set 4 hums*."""
    line_words = line.split()
    begins = len(line_words) >= _FEW and line_words[0].isalpha() and line_words[0].islower()
    return _is_sentence(line) or (begins and line_words[0] not in _PARTICLES)


def is_name(line: str) -> bool:
    """Whether a line could be a person's name: a few words, all capitalized."""
    words = line.strip(" ,*_-–—").replace("/", " ").split()
    if not 0 < len(words) <= NAME_WORDS or any(mark in line for mark in "?!:;@|0123456789"):
        return False
    return any(word[0].isupper() for word in words) and all(
        word[0].isupper() or word in _PARTICLES or word.endswith(".") or word[0] in "(\"'"
        for word in words
    )


def is_notice(paragraph: str) -> bool:
    """Whether a paragraph is a legal notice: it says several of the things that notices say."""
    if len(paragraph) < NOTICE_CHARACTERS:
        return False
    folded = paragraph[:NOTICE_MOST].casefold()
    notices = _NOTICES.Match(folded) or ()
    if 0 not in notices and 1 not in notices:
        return False
    return len(notices) >= 3 or (len(notices) == 2 and len(paragraph) >= 140)
