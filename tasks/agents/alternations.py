"""Lists of words as alternations of a pattern, with and without their accents."""

from collections.abc import Sequence

from tasks.core.words.sentences import fold


def split_list(listed: str) -> list[str]:
    """Return the words of a list; none of an empty one."""
    return [word.strip() for word in listed.split(",") if word.strip()]


def build_alternation(listed: str | Sequence[str]) -> str:
    """Return an alternation of words, with and without their accents, the longest first."""
    words = split_list(listed) if isinstance(listed, str) else listed
    both = {word for each in words for word in (each.lower(), fold(each))}
    return "|".join(_quote_word(word) for word in sorted(both, key=len, reverse=True))


def _quote_word(word: str) -> str:
    return "".join(
        "['’]" if mark in "'’" else f"\\{mark}" if mark in ".-" else mark for mark in word
    )
