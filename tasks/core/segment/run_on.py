"""A reply, an attribution and the earlier letter, all in the last line of a text.

Phones and web mail drop line ends, and the letter that is answered runs on behind the reply. A
customer tells what somebody wrote in much the same words. So what is cut off must be written as
programs write it: a whole date, a name and a verb, a colon, and a letter that begins as letters do.
"""

import re2

from tasks.core.patterns import compiled
from tasks.core.segment.attribution import STARTS, VERBS, has_clock
from tasks.core.segment.lexicon import lexicon, phrases

CHARACTERS = 8_000
"""Characters of a line that is looked at."""

_FOOTERS = "|".join(re2.escape(footer) for footer in sorted(phrases("signatures", "footers")))
_ANGLED = r"<[^<>\s]+@[^<>\s]+>"
_ADDRESSED = compiled(
    rf"(?i)^(.*?[.!?)…](?:\s+(?:{_FOOTERS})[^.!?:]*?)?)\s+((?:{STARTS})\s(?:\pL+[.,]*\s+){{0,2}}\d[^<>]*"
    rf"(?:{_ANGLED}\)?\s*(?:{VERBS})|(?:{VERBS})[^<>:]*{_ANGLED})\s?:)\s+(\S.*)$"
)
_MONTH = r"\pL{3,12}\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|º|\.)?"
_DATE = (
    rf"(?:{_DAY},?\s+(?:(?:de|of)\s+)?{_MONTH},?\s+(?:(?:de|del)\s+)?\d{{4}}|{_MONTH}\s+{_DAY},?\s+\d{{4}}"
    r"|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}[./-]\d{2}[./-]\d{2})"
)
_HOUR = r"\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s?[AaPp]\.?\s?[Mm]\b\.?)?(?:\s+(?:Uhr|uur|hrs?|h)\b)?"
_CLOCK = (
    r"(?:,?\s+(?:(?:at|um|à|a las|a la|alle(?: ore)?|ore|om|às|as|o|kl\.?|ve|v)\s+)?"
    rf"{_HOUR}(?:\s+\(?(?:[A-Z]{{2,5}}|[+-]\d{{4}})\)?)?)"
)
_FIRST_NAME = r"\p{Lu}[\pL.'’-]*"
_PARTICLES = r"(?:(?:van|von|der|den|de|la|du|di|da)\s+){0,2}"
_NAME = rf"\"?{_FIRST_NAME}(?:,?\s+{_PARTICLES}{_FIRST_NAME}){{0,4}}\"?"
_WHEN = rf"(?:{STARTS})\s+(?:\pL+[.,]*\s+){{0,2}}{_DATE}({_CLOCK})?,?"
_STRICT = compiled(
    rf"^(.*?)\s*(\b(?:{_WHEN}\s+(?:{_NAME},?\s+(?:{VERBS})|(?:{VERBS})\s+{_NAME}))\s?:)"
    r"\s+([\p{Lu}>].*)$"
)
"""The same without an address; what follows begins with a capital letter or a mark of a quote."""
_PRONOUN = compiled(rf"(?:^|[\s,])(?:{'|'.join(lexicon('quotes')['pronouns'])})[\s:]")
_SENTENCE_ENDS = (".", "!", "?", ")", "…", "。")


def part_line(line: str, *, answered: bool, alone: bool) -> list[str]:
    """Return a last line parted into a reply, an attribution and what it attributes; else nothing.

    `answered` says that the mail is a reply, `alone` that no words stand above the line. With an
    address it is parted behind a whole sentence, or what a phone has added.
    """
    if len(line) > CHARACTERS or line.startswith(">"):
        return []
    line = line.replace("\xa0", " ").replace("\u202f", " ")
    if "@" in line:
        match = _ADDRESSED.search(line)
        if match is not None and has_clock(match.group(2)):
            return [match.group(1), match.group(2), match.group(3)]
    return _without_address(line, alone=alone) if answered else []


def _without_address(line: str, *, alone: bool) -> list[str]:
    """Return the pieces of a line whose attribution names a person and no address.

    Without a time of day a question at the end, where letters have a name, may be the sender's.
    """
    match = _STRICT.search(line)
    if match is None or _PRONOUN.search(match.group(2)) is not None:
        return []
    own, attribution, rest = match.group(1).rstrip(), match.group(2), match.group(4)
    if not own:
        return [] if alone else ["", attribution, rest]
    clock = match.group(3) is not None
    whole = clock or (own.endswith(_SENTENCE_ENDS) and not rest.endswith("?"))
    return [own, "", attribution, rest] if whole or rest.startswith(">") else []
