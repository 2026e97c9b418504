"""Letters said by words: the spelling alphabets of radio and telephone.

Read are those of ICAO and ITU (Appendix 14 of the Radio Regulations), the British and American
ones before it, the German ones of names (DIN 5009 until 2022) and of towns (since then), the Dutch,
French, Italian and Spanish ones. Of a row of words each stands for its first letter.
"""

from collections.abc import Iterator

from tasks.core.patterns import compiled
from tasks.core.screen.disguises.joining import parted_words
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.pattern_gate import GATE

_CHARACTERS = 50_000
"""Characters of a text that are looked at, at its two ends."""
_ALPHABETS = (
    "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima"
    " mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray"
    " yankee zulu",
    "able baker dog easy fox george how item jig king love nan oboe peter queen roger sugar"
    " tare uncle william yoke zebra",
    "adam boy david edward frank henry ida john lincoln mary nora ocean robert sam tom union young",
    "anton arger berta casar cesar charlotte dora emil friedrich gustav heinrich julius"
    " kaufmann konrad ludwig martha nordpol otto okonom paula quelle richard samuel siegfried"
    " schule theodor ulrich ubermut viktor wilhelm xanthippe xaver ypsilon zacharias zeppelin",
    "aachen umlaut berlin chemnitz dusseldorf essen frankfurt goslar hamburg ingelheim jena"
    " koln leipzig munchen nurnberg offenbach potsdam quickborn rostock salzwedel tubingen"
    " unna volklingen wuppertal xanten zwickau",
    "bernard cornelis dirk eduard ferdinand gerard hendrik izaak jan karel lodewijk maria"
    " nico pieter quirinius rudolf simon teunis utrecht willem xantippe zaandam",
    "anatole berthe celestin desire eugene francois gaston henri irma joseph kleber louis"
    " marcel nicolas oscar pierre quintal raoul suzanne therese ursule victor xavier yvonne"
    " zoe",
    "ancona bologna como domodossola empoli firenze genova imola jolly kursaal livorno milano"
    " napoli otranto palermo quadro roma savona torino udine venezia york zara",
    "antonio barcelona carmen dolores enrique francia gerona historia ines jose lorenzo"
    " madrid navarra oviedo paris queso ramon sabado tarragona ulises valencia washington"
    " yegua zaragoza",
)
_LETTERS = {word: word[0] for own in _ALPHABETS for word in own.split() if word != "umlaut"}
_BETWEEN = r"[ \t]*[ ,;.\-/|\n]{1,3}[ \t>]*"
_SPACES = ("space", "leerzeichen", "leer", "pause", "stop", "spatie", "espace", "espacio", "spazio")
_ANY = "|".join(sorted((*_LETTERS, *_SPACES, "x-ray", "cäsar", "ärger", "ökonom", "köln")))
_ROW = compiled(rf"(?i)(?:\b(?:{_ANY})\b{_BETWEEN}){{7,}}\b(?:{_ANY})\b")
_ROW_SIGN = GATE.watch(
    compiled(rf"(?i)\b(?:{_ANY})\b{_BETWEEN}(?:{_ANY})\b{_BETWEEN}(?:{_ANY})\b"), kind="words"
)
SPELLED = _ROW_SIGN
"""Sign of a text that may spell something by words."""
_GAP = compiled(r"(?i)\s*[/|]\s*|\n\s*\n|\b(?:" + "|".join(_SPACES) + r")\b")
_WORD = compiled(r"[a-z]+")


def spelled_out(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, text) for what `text` spells by words; `signs` are `GATE`'s."""
    if not signs & _ROW_SIGN:
        return
    rows = [_join_words(match.group()) for match in _ROW.finditer(ends(text, _CHARACTERS))]
    if rows:
        yield "spelling", "\n".join(rows)


def _join_words(row: str) -> str:
    row = fold(row).replace("x-ray", "xray")
    words = ["".join(_LETTERS.get(word, "") for word in _WORD.findall(p)) for p in _GAP.split(row)]
    return " ".join(parted_words(word) for word in words if word)
