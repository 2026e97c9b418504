"""Names that a sentence states: two or more capitalized words, or one where words are not.

A single word with a capital inside a sentence counts, but not in German, whose nouns all have one:
there it counts where a person or a place is named (*Ansprechpartner ist …*). The first word counts
where it is no word that the tokenizer knows and a verb follows.
"""

from collections.abc import Iterator
from functools import lru_cache

from data.lexicons.drafting import LANGUAGES, phrases, shared_words
from data.word_forms import stem
from data.word_vectors import word_vectors
from tasks.core.claims.dates import blank_moments, moments, month_of
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, is_stop_word, words

_NAME = compiled(
    r"\b[\p{Lu}][\p{L}\p{M}'’-]+(?:\s+(?:(?:van|von|de|der|da|di|du|la)\s+)*[\p{Lu}][\p{L}'’-]+)+"
)
_CAPITAL = compiled(r"(?:^|[^\p{L}\p{N}@./_'’-])([\p{Lu}][\p{L}\p{M}'’-]+)")
_GERMAN = compiled(
    r"(?:[Aa]nsprechpartner(?:in)? ist|[Ss]prechen Sie mit|[Ww]enden Sie sich an"
    r"|[Ff]ragen Sie(?: nach)?|[Mm]elden Sie sich bei|[Kk]olleg(?:e|in|en)|[Ss]chreiben Sie an"
    r"|(?:[Kk]ommen|[Ff]ahren) Sie nach|[Ll]iefern mit|[Vv]ersenden mit|hilft Ihnen"
    r"|ruft Sie|[Rr]ufen Sie)\s+([\p{Lu}][\p{L}'’-]{2,})"
)
_SAYS = compiled(
    r"^\W*([\p{Lu}][\p{L}'’-]{2,})\s+(?:will|can|is|has|may|knows|answers|sera|peut|sait|est"
    r"|puede|es|può|è|pode|é|kan|zal|może|jest|wird|kann|weiß)\s"
)
_SHORTEST, _ENDING = 4, 2
"""Letters that two forms of a name share at least, and by which they may differ."""
_FIRST_NAMES = frozenset({"marco", "jan", "maja"})
"""Names of people that are months in other languages."""


def names(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the folded form and the words as written of each name, none twice."""
    name_by_key: dict[str, str] = {}
    folded = fold(sentence)
    if len(folded) == len(sentence):
        sentence = blank_moments(sentence, moments(folded))
    for match in _NAME.findall(sentence):
        name_words = match.split()
        titled = len(name_words)
        while name_words and (
            is_stop_word(fold(name_words[0])) or fold(name_words[0]) in _titles()
        ):
            name_words = name_words[1:]
        if len(name_words) == 1 and titled > 1 and fold(match.split()[-2]) in _titles():
            name_by_key[fold(name_words[0])] = name_words[0]
        while name_words and is_stop_word(fold(name_words[-1])):
            name_words = name_words[:-1]
        if len(name_words) > 1:
            name_by_key[fold(" ".join(name_words))] = " ".join(name_words)
    one_by_one = _GERMAN.findall(sentence) if _is_german(sentence) else _list_inner_names(sentence)
    for word in (*one_by_one, *_first(sentence)):
        folded = fold(word)
        if not any(folded in name.split() for name in name_by_key) and _may_be(folded, word):
            name_by_key[folded] = word
    yield from name_by_key.items()


def is_named(name: str, text: str) -> bool:
    """Return whether a folded text holds a name; of one word in any of its forms."""
    if " " in name:
        return name in " ".join(text.split())
    return any(_is_same_name(name, word) for word in _distinct(text))


def _is_german(sentence: str) -> bool:
    """Return whether a sentence holds letters or small words that no other language has."""
    if not _german_words().isdisjoint(words(sentence)):
        return True
    return not sentence.isascii() and any(letter in "äöüßÄÖÜ" for letter in sentence)


@lru_cache(maxsize=1)
def _german_words() -> frozenset[str]:
    others = (phrases(code) for code in LANGUAGES if code != "de")
    theirs = {fold(word) for own in others for word in (*own.stop_words, *own.numbers)}
    german = phrases("de")
    mine = {fold(word) for word in (*german.stop_words, *german.numbers, *german.weekdays)}
    return frozenset(word for word in mine - theirs if len(word) > 2)


def _list_inner_names(sentence: str) -> list[str]:
    """Return the words with a capital that do not begin the sentence or what is quoted."""
    names_inside: list[str] = []
    for match in _CAPITAL.finditer(sentence):
        before = sentence[: match.start(1)].rstrip(" \"'“„«»(¿¡*_")
        if before and before[-1] not in ".!?:…;":
            names_inside.append(match[1])
    return names_inside


def _first(sentence: str) -> list[str]:
    """Return the first word where it is none of the language and somebody does something."""
    match = _SAYS.search(sentence)
    if match is None or len(word_vectors().pieces([match[1].lower()])[0]) == 1:
        return []
    return [match[1]]


def _may_be(folded: str, word: str) -> bool:
    """Return whether a word may be a name: no month or day, no stop word, no common short form."""
    if folded in _FIRST_NAMES:
        return True
    plain = is_stop_word(folded) or month_of(folded) or folded in _common()
    return not plain and len(word) > 2


def _is_same_name(name: str, word: str) -> bool:
    if stem(name) == stem(word):
        return True
    short, long = sorted((name, word), key=len)
    return len(short) >= _SHORTEST and long.startswith(short) and len(long) - len(short) <= _ENDING


@lru_cache(maxsize=512)
def _distinct(text: str) -> frozenset[str]:
    return frozenset(words(text))


@lru_cache(maxsize=1)
def _titles() -> frozenset[str]:
    return frozenset(fold(word) for word in shared_words("titles"))


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    return frozenset(fold(word) for word in shared_words("capitals"))
