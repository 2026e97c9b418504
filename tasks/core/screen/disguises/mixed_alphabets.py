"""Words of Cyrillic and Greek in which letters of other alphabets, or digits, stand for their own.

`masked_words.unmask` makes Latin of everything that looks like it; here the same is undone the
other way (UTS 39 section 5.1): a word that is in part Cyrillic, and wholly so once its other
letters are written as what they look like, is written so. Names of products and numbers of parts
have letters that look like none, and stay. Linear in the text.
"""

from collections.abc import Mapping

import re2

from tasks.core.patterns import compiled

_LETTERS = r"A-Za-z0-9@\p{Greek}\p{Cyrillic}"
_MIXED = compiled(
    rf"[{_LETTERS}]*(?:\p{{Cyrillic}}[A-Za-z0346@\p{{Greek}}]|[A-Za-z0346\p{{Greek}}]\p{{Cyrillic}}"
    rf"|\p{{Greek}}[A-Za-z03]|[A-Za-z03]\p{{Greek}})[{_LETTERS}]*"
)
_LONE = compiled(r"\b[aceopxyACEOPXY]{1,3}\b")
"""Short words that may be of either alphabet."""
_LINE_BEFORE = compiled(r"\p{Cyrillic}[ ,]{1,2}\b[aceopxyACEOPXY]{1,3}\b")
_LONGEST = 40
_CYRILLIC = str.maketrans(
    "aceopxykmthnruwibABCEHKMOPTXYαερουχκτΑΒΕΗΚΜΟΡΤΧΥϲ0346@",
    "асеорхукмтнпгишіьАВСЕНКМОРТХУаероухктАВЕНКМОРТХУсозчба",
)
_GREEK = str.maketrans(
    "aopvuiketxynwbABEZHIKMNOPTYXаеоруктхАВЕКМНОРТУХ03",
    "αορνυικετχγηωβΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεορυκτχΑΒΕΚΜΗΟΡΤΥΧοε",
)
_TABLES: tuple[tuple["re2._Regexp", Mapping[int, int]], ...] = (
    (compiled(r"^\p{Cyrillic}+$"), _CYRILLIC),
    (compiled(r"^\p{Greek}+$"), _GREEK),
)


def unmixed(text: str) -> str | None:
    """Return `text` with words of two alphabets in the one that all of them fits; None if none is.

    Between Cyrillic words short ones of look-alikes alone become Cyrillic too.
    """
    if text.isascii() or _MIXED.search(text) is None:
        return None
    whole = str(_MIXED.sub(lambda item: _in_one(item.group()), text))
    if whole == text:
        return None
    return str(_LINE_BEFORE.sub(lambda item: _lone(item.group()), whole))


def _in_one(word: str) -> str:
    """Return a word in Cyrillic or Greek, or as it was when it fits neither."""
    if len(word) > _LONGEST:
        return word
    for fits, table in _TABLES:
        other = word.translate(table)
        if other != word and fits.search(other) is not None:
            return other
    return word


def _lone(pair: str) -> str:
    """Return the end of a Cyrillic word with the short word behind it in Cyrillic as well."""
    return str(_LONE.sub(lambda item: item.group().translate(_CYRILLIC), pair))
