"""Words with which a sentence only says that something is added, or that another matter begins."""

from tasks.core.patterns import compiled

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
EITHER = "|".join((*_TURNS.values(), *_OPENINGS.values()))
"""Both, as alternatives of a pattern."""
TURNED = compiled(rf"(?i)^(?:{'|'.join(_TURNS.values())})(?:[\s,:;–—-]|$)")
"""The beginning of a sentence that turns to another matter."""
OPENED = compiled(rf"(?i)^(?:{EITHER})(?:[\s,:;–—-]|$)")
"""The beginning of a sentence that turns to another matter, or adds something to this one."""


def without_opening(sentence: str) -> str:
    """Return a sentence without the words at its start that only say that something is added."""
    opening = OPENED.match(sentence)
    rest = sentence[opening.end() :].lstrip(" ,;:–—-\n") if opening is not None else ""
    return rest or sentence
