"""A message cut into sentences, and where a sender begins another matter.

A word like "also" at the start of a sentence says so loudest, a blank line or an item of a list
less, and "also" further inside least; any other sentence says nothing.
"""

from enum import IntEnum

from tasks.patterns import compiled

LONGEST = 24
"""Sentences that are looked at singly; what follows belongs to the last."""
SHORTEST = 3
"""Words that a sentence needs to carry a wish of its own."""
_HEAD = 6
"""Words at the start of a sentence among which "also" counts."""


class Start(IntEnum):
    """How loudly a sender says that another matter begins with a sentence."""

    SENTENCE = 0  #: not at all
    HINTED = 1  #: a new paragraph or item, "and" at its start, or "also" inside
    SAID = 2  #: "also", "besides" at its start
    TURNED = 3  #: "another thing", "secondly", "on a different note" at its start


_OPENINGS = {
    "en": r"also|besides(?: that)?|by the way|btw|moreover|furthermore|additionally|"
    r"in addition(?: to (?:that|this))?|finally|lastly|first(?:ly)?|p\.?s\.?|as for \w+|oh,? and|"
    r"while (?:i|we)(?:'m| am|'re| are| have) \w+",
    "de": r"(?:und )?außerdem|übrigens|des weiteren|weiterhin|ferner|zudem|darüber hinaus|"
    r"nebenbei|bei (?:der|dieser) gelegenheit|erstens|zum ersten|ach ja|zusätzlich|p\.?s\.?",
    "fr": r"par ailleurs|de plus|en outre|en plus|d'autre part|d'ailleurs|au passage|au fait|"
    r"premièrement|enfin|j'en profite pour|et sinon|sinon|aussi|p\.?s\.?",
    "es": r"además|por otr[oa] (?:parte|lado)|asimismo|de paso|por cierto|en primer lugar|"
    r"por último|aprovecho|también|p\.?d\.?",
    "it": r"inoltre|a proposito|già che ci sono|oltre a (?:questo|ciò)|in primo luogo|infine|"
    r"in più|poi|p\.?s\.?",
    "nl": r"daarnaast|bovendien|verder|trouwens|overigens|ten eerste|tot slot|ook|p\.?s\.?",
    "pt": r"além disso|já agora|por outro lado|a propósito|em primeiro lugar|por fim|aproveito|"
    r"também|p\.?s\.?",
    "pl": r"poza tym|ponadto|oprócz tego|przy okazji|po pierwsze|a propos|dodatkowo|swoją drogą|"
    r"p\.?s\.?",
}
"""Words with which a sender adds something: another matter, or more about the same one."""
_TURNS = {
    "en": r"(?:and |oh,? )?(?:another|one (?:more|last|other|further)|a (?:second|further)) "
    r"(?:thing|matter|point|question|request)|on (?:another|a different) note|second(?:ly)?|"
    r"third(?:ly)?|(?:and )?a suggestion(?: as well)?|unrelated(?:ly)?|separately|"
    r"(?:quite )?(?:apart|aside) from (?:that|this)|my (?:other|second) (?:point|question|request)",
    "de": r"(?:und )?noch (?:etwas|eine (?:frage|sache|bitte)|ein (?:punkt|anliegen))|zweitens|"
    r"drittens|zum (?:zweiten|anderen)|(?:und )?ein (?:vorschlag|wunsch)|abgesehen davon|"
    r"unabhängig davon|davon abgesehen|(?:und )?eine (?:bitte|anregung)|"
    r"weiter(?:e|er) (?:frage|punkt)|"
    r"mein(?:e)? (?:zweite[rs]?|andere[rs]?) (?:punkt|frage|anliegen)",
    "fr": r"(?:et )?(?:une )?(?:autre|dernière|seconde|deuxième) (?:chose|question|demande)|"
    r"deuxièmement|à part (?:ça|cela)|une suggestion",
    "es": r"otra (?:cosa|pregunta|cuestión)|aparte de eso|en segundo lugar|una sugerencia",
    "it": r"un'altra (?:cosa|domanda)|in secondo luogo|un suggerimento|per il resto",
    "nl": r"nog (?:iets|een (?:vraag|ding|punt))|ten tweede|een idee|los daarvan",
    "pt": r"outra (?:coisa|questão|pergunta)|em segundo lugar|uma sugestão",
    "pl": r"jeszcze jedno|druga sprawa|po drugie|mam też",
}
"""Words with which a sender turns to another matter."""
_ALSO = frozenset(
    {"also", "too", "auch", "ebenfalls", "aussi", "également", "también", "anche", "ook", "tevens"}
    | {"também", "też", "również"}
)
"""Words that say that something comes beside something else."""
_AND = frozenset({"and", "und", "et", "y", "e", "en", "i"})
_EITHER = "|".join((*_TURNS.values(), *_OPENINGS.values()))
_TURNED = compiled(rf"(?i)^(?:{'|'.join(_TURNS.values())})(?:[\s,:;–—-]|$)")
_OPENED = compiled(rf"(?i)^(?:{_EITHER})(?:[\s,:;–—-]|$)")
_INSIDE = compiled(rf"(?i)(?:[,;:]\s+|\s[–—-]\s+|\s(?:and|und|et|y|e|en|i)\s+)(?:{_EITHER})\s")
_ENDS = compiled(r"[.!?…。！？]+[\"')\]]*(?:\s+|$)|\n\s*\n|\n\s*(?:[-*•]|[\da-e]{1,2}[.)])\s+|\n")
_ITEM = compiled(r"^(?:[-*•]|[\da-e]{1,2}[.)])\s")
_ABBREVIATED = compiled(
    r"(?i)(?:^|\s)(?:mr|mrs|ms|dr|prof|no|nr|inv|st|z\.b|bzw|ca|evtl|sr|sra|dott|mme|\p{L}|\d{1,2})$"
)


def cut_sentences(text: str) -> list[tuple[str, Start]]:
    """The sentences of `text` in order, without empty ones, and how loudly each begins a matter.

    At most `LONGEST`; the last one holds what is left.
    """
    pieces_cut: list[tuple[str, Start]] = []
    at, apart = 0, False
    for end in _ENDS.finditer(text):
        piece = text[at : end.start()]
        if end[0].startswith(".") and _ABBREVIATED.search(piece[-12:]) is not None:
            continue
        mark = end[0].strip() if not end[0][0].isspace() else ""
        pieces_cut += _marked((piece + mark).strip(), apart=apart)
        between = text[end.start() + len(mark) : end.end()]
        apart = between.count("\n") > 1 or (between[:1] == "\n" and between.strip() != "")
        at = end.end()
    pieces_cut += _marked(text[at:].strip(), apart=apart)
    if len(pieces_cut) > LONGEST:
        rest = pieces_cut[LONGEST - 1 :]
        pieces_cut[LONGEST - 1 :] = [(" ".join(piece for piece, _ in rest), rest[0][1])]
    return pieces_cut


def without_opening(sentence: str) -> str:
    """Return a sentence without the words at its start that only say that something is added."""
    opening = _OPENED.match(sentence)
    rest = sentence[opening.end() :].lstrip(" ,;:–—-\n") if opening is not None else ""
    return rest or sentence


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, without empty ones; at most `LONGEST`."""
    return [sentence for sentence, _ in cut_sentences(text)]


def _marked(sentence: str, *, apart: bool) -> list[tuple[str, Start]]:
    """A sentence, cut before words that begin another matter, with how loudly each piece does."""
    if not sentence:
        return []
    pieces = _halves(sentence)
    return [
        (piece, _loudness(piece, apart=apart and not place)) for place, piece in enumerate(pieces)
    ]


def _loudness(sentence: str, *, apart: bool) -> Start:
    if _TURNED.match(sentence) is not None:
        return Start.TURNED
    if _OPENED.match(sentence) is not None:
        return Start.SAID
    head = [word.strip(",.;:!?'") for word in sentence.lower().split()[:_HEAD]]
    apart = apart or head[0] in _AND or not _ALSO.isdisjoint(head)
    return Start.HINTED if apart or _ITEM.match(sentence) is not None else Start.SENTENCE


def _halves(sentence: str) -> list[str]:
    """A sentence cut before a word like "also" that starts another matter."""
    inside = _INSIDE.search(sentence)
    if inside is None or len(sentence[: inside.start()].split()) < SHORTEST:
        return [sentence]
    return [sentence[: inside.start()], sentence[inside.start() :].lstrip(" ,;:–—-")]
