"""The language of a text: by script where that decides, else by a small model."""

from collections.abc import Sequence

from data.linear import LinearModel
from data.ngrams import replace_surrogates
from data.weights import LANGUAGE
from tasks.core.patterns import compiled
from tasks.core.segment.writers_words import writers_words

UNDETERMINED = "und"
"""What is said when it cannot be told (ISO 639-2)."""
FLOOR, FLOOR_ALONE = 0.5, 0.8
"""Below this probability the language counts as undetermined, of more words and of a single one.

*Question* and *Information* are words of several languages."""
READ = 600
"""Characters that are looked at; more tell nothing new."""

_SCRIPTS = (
    ("ja", compiled(r"[\p{Hiragana}\p{Katakana}]")),
    ("ko", compiled(r"\p{Hangul}")),
    ("zh", compiled(r"\p{Han}")),
    ("el", compiled(r"\p{Greek}")),
    ("he", compiled(r"\p{Hebrew}")),
    ("hi", compiled(r"\p{Devanagari}")),
    ("th", compiled(r"\p{Thai}")),
    ("uk", compiled(r"[іїєґІЇЄҐ]")),
    ("fa", compiled(r"[پچژگ]")),
    ("ar", compiled(r"\p{Arabic}")),
    ("ru", compiled(r"\p{Cyrillic}")),
)
_LATIN = compiled(r"\p{Latin}")
_OTHER = compiled(r"[^\p{Latin}\P{L}]")
_ADDRESS = compiled(r"(?i)(?:https?://|www\.)\S+|\S+@\S+|\S*\d\S*")


def by_script(text: str) -> str | None:
    """The language that the script alone tells, or None for Latin letters and for no letters."""
    if text.isascii() or _OTHER.search(text) is None:
        return None
    others = len(_OTHER.findall(text))
    if others == 0 or others * 2 < len(_LATIN.findall(text)):
        return None
    return next((code for code, pattern in _SCRIPTS if pattern.search(text)), UNDETERMINED)


class LanguageTeller:
    """Tells languages apart; load once, use from any thread."""

    def __init__(self, model: LinearModel | None = None) -> None:
        self._model = model or LinearModel.load(LANGUAGE)
        self.codes = self._model.heads["language"].labels

    def tell_many(self, texts: Sequence[str]) -> list[str]:
        """ISO 639-1 code of each text, `und` where it cannot be told."""
        cut = [_ADDRESS.sub(" ", replace_surrogates(text[:READ])) for text in texts]
        result = [by_script(text) for text in cut]
        open_ones = [place for place, code in enumerate(result) if code is None]
        guessed = self._model.predict([cut[place] for place in open_ones])
        for place, row in zip(open_ones, guessed, strict=True):
            best = int(row.argmax())
            floor = FLOOR if " " in cut[place].strip() else FLOOR_ALONE
            sure = row[best] >= floor and _LATIN.search(cut[place]) is not None
            result[place] = self.codes[best] if sure else UNDETERMINED
        return [code or UNDETERMINED for code in result]

    def tell_mails(self, mails: Sequence[tuple[str, str]]) -> list[str]:
        """The same of each mail, subject and text; the subject counts where the text tells nothing.

        People answer under other people's subjects, and below banners of gateways: of the text the
        writer's own sentences count, and the whole where they tell nothing.
        """
        own = [writers_words(text) for _, text in mails]
        languages = self.tell_many(own)
        open_ones = [n for n, code in enumerate(languages) if code == UNDETERMINED]
        open_ones = [n for n in open_ones if own[n] != mails[n][1]]
        for place, code in zip(
            open_ones, self.tell_many([mails[n][1] for n in open_ones]), strict=True
        ):
            languages[place] = code
        open_ones = [n for n, code in enumerate(languages) if code == UNDETERMINED and mails[n][0]]
        whole = self.tell_many([f"{mails[n][0]}\n{mails[n][1]}" for n in open_ones])
        for place, code in zip(open_ones, whole, strict=True):
            languages[place] = code
        return languages

    def tell(self, text: str) -> str:
        """ISO 639-1 code of `text`, `und` when it cannot be told."""
        return self.tell_many([text])[0]
