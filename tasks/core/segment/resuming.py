"""The writer's words that go on below a signature, or below dashes that begin none.

People write a postscript under their card, and draw `--` or `—` between two matters. What speaks to
its reader there is new text: a request that nobody hears is worse than a motto that counts as one.
"""

from collections.abc import Sequence

import re2

from data.concepts import concepts_named_in
from tasks.core.patterns import compiled
from tasks.core.segment.cards import (
    LINE_CHARACTERS,
    is_card_line,
    is_contact,
    is_name,
    is_notice,
    is_prose,
)
from tasks.core.segment.lexicon import phrases
from tasks.core.words.questions import asks
from tasks.core.words.sentence_rows import all_of, words
from tasks.core.words.sentence_signs import (
    begins_request,
    is_courtesy,
    is_order,
    only_announces,
    speaks_of_self,
    tells_trouble,
)
from tasks.core.words.sentences import sentences

_POSTSCRIPT = compiled(
    r"(?i)^\W*(?:p\.?\s?p?\.?\s?-?\s?s|p\.?\s?d|n\.?\s?b|post[\s-]?script(?:um)?|pos(?:t\s?)?data|"
    r"nachtrag|nachsatz|naschrift|dopisek|addendum|nota bene|apostille)\b\s?[.:,)–—-]|^\W*PP?S\s"
)
_NUMBERED = compiled(r"(?:^|[\s(])\p{Lu}{1,3}-\d+\b")
"""The number of an order or a booking."""
_MATTER = compiled(
    rf"(?i)^\W*(?:my |our |mein[e]? |unsere? |ma |notre |mi |nuestro |il mio |o meu |mijn |mój )?"
    rf"(?:{'|'.join(re2.escape(word) for word in sorted(phrases('signatures', 'matters')))})"
    r"[\s.:#º°-]*[A-Z]{0,4}[\s-]?\d"
)
"""A line that names an order, a device or a customer by its number; no card has one."""
_SAYS = 3
"""Words with which something is said of it."""
_READ = 30
"""Lines below a delimiter that are looked at."""
_LONGEST = 240
"""Characters of a paragraph of prose below a card that is taken for the writer's."""
_REMARKS = tuple(
    phrase
    for name in ("remarks", "footers", "disclaimers")
    for phrase in phrases("signatures", name)
)
_LIST_FOOTERS = tuple(phrases("signatures", "list_footers"))
_CHANGES = tuple(phrases("signatures", "changes"))
_QUOTES = ('"', "“", "„", "«", "'")
EXACT = "-- "
"""The delimiter that mail programs draw (RFC 3676, section 4.3)."""


def is_postscript(line: str) -> bool:
    """Return whether a line goes on writing below a name: `PS:`, `P.S.`, `NB:`."""
    return _POSTSCRIPT.search(line) is not None


def resumes(lines: Sequence[str], start: int) -> int | None:
    """Return where own words begin again in a signature that begins at `start`, or None.

    That is at a postscript, at a line of a card that orders or tells of a change, and at a
    paragraph below the first that is no part of a card.
    """
    legal = is_notice(" ".join(_paragraph(lines, start)))
    first = lines[start].strip() in ("--", "—", "–", "- -", "- --")
    closed = _is_list_footer(lines, start)
    for at in range(start + 1, len(lines)):
        line = lines[at].strip()
        if not line:
            continue
        if is_postscript(line):
            return at
        if closed or at >= start + _READ:
            continue
        if not lines[at - 1].strip() or (first and at == start + 1):
            paragraph = _paragraph(lines, at)
            more = _goes_on(paragraph) if legal else _tells(paragraph)
            if not first and (more or _speaks(paragraph)):
                return at
            first, legal = False, legal or is_notice(" ".join(paragraph))
        elif not legal and _breaks_card(line):
            return at
    return None


def is_delimiter(lines: Sequence[str], at: int) -> bool:
    """Return whether dashes at line `at` stand above a signature, and not above another matter.

    Below the delimiter of mail programs anything may stand that does not speak to its reader;
    below other dashes only what looks like a card.
    """
    below = next((n for n in range(at + 1, len(lines)) if lines[n].strip()), None)
    if below is None:
        return True
    paragraph = _paragraph(lines, below)
    if is_postscript(paragraph[0]) or _speaks(paragraph):
        return False
    if lines[at] == EXACT or is_notice(" ".join(paragraph)):
        return True
    shaped = all(map(is_card_line, paragraph))
    is_name_line = is_name(paragraph[0].strip()) or all(
        len(line.split()) == 1 for line in paragraph
    )
    return shaped and (is_name_line or any(map(is_contact, paragraph)))


def _speaks(paragraph: Sequence[str]) -> bool:
    """Return whether a paragraph speaks to its reader: it asks, orders, or tells of its writer."""
    if is_notice(" ".join(paragraph)) or paragraph[0].lstrip()[:1] in _QUOTES:
        return False
    if paragraph[0].casefold().lstrip("*_ ").startswith(_REMARKS):
        return False
    own = "\n".join(line for line in paragraph if not is_contact(line))
    return any(
        asks(sentence)
        or is_order(sentence)
        or speaks_of_self(sentence)
        or (":" in sentence and only_announces(sentence.partition(":")[0]))
        for sentence in sentences(own)
    )


def _tells(paragraph: Sequence[str]) -> bool:
    """Return whether a short paragraph below a card is prose, of which nothing else is known."""
    whole = " ".join(paragraph)
    folded = whole.casefold().lstrip("*_ ")
    if len(whole) > _LONGEST or is_notice(whole) or folded.startswith(_REMARKS):
        return False
    if paragraph[0][:1] in _QUOTES or any(word in folded for word in _LIST_FOOTERS):
        return False
    if is_courtesy(whole) or _is_change(folded):
        return not is_courtesy(whole)
    if any(map(_numbers_matter, paragraph)):
        return True
    own = [line for line in paragraph if not is_contact(line)]
    return any(is_prose(line) or (tells_trouble(line) and not is_name(line)) for line in own)


def _goes_on(paragraph: Sequence[str]) -> bool:
    """Return whether a line below a legal notice leads on, tells trouble, or names a number."""
    whole = " ".join(paragraph)
    folded = whole.casefold().lstrip("*_ ")
    if len(paragraph) > 1 or is_notice(whole) or folded.startswith((*_REMARKS, *_QUOTES)):
        return False
    if any(word in folded for word in _LIST_FOOTERS):
        return False
    leads = words(whole)[:1] and words(whole)[0] in all_of("leading")
    troubled = tells_trouble(whole) and "you" not in concepts_named_in(whole)
    return bool(leads) or _is_change(folded) or _numbers_matter(whole) or troubled


def _numbers_matter(line: str) -> bool:
    """Return whether a few words are about something with a number: *H-9 is off*, *Order 4711*."""
    if _MATTER.search(line) is not None:
        return True
    return len(words(line)) >= _SAYS and _NUMBERED.search(line) is not None


def _breaks_card(line: str) -> bool:
    """Return whether a line within a card orders something, or says what is new of its writer."""
    folded = line.casefold().lstrip("*_ ")
    if _is_change(folded):
        return True
    if len(line) > LINE_CHARACTERS or is_contact(line) or folded.startswith(_REMARKS):
        return False
    return is_order(line) and (line[0].islower() or begins_request(words(line), len(line)))


def _is_list_footer(lines: Sequence[str], start: int) -> bool:
    """Return whether what begins here is what a mailing list puts below each message."""
    footer_text = " ".join(lines[start : start + 14]).casefold()
    return not any(map(str.isalnum, lines[start])) and any(
        word in footer_text for word in _LIST_FOOTERS
    )


def _is_change(folded: str) -> bool:
    return folded.startswith(_CHANGES)


def _paragraph(lines: Sequence[str], at: int) -> list[str]:
    """Return the lines from `at` to the next blank one."""
    end = next((n for n in range(at, len(lines)) if not lines[n].strip()), len(lines))
    return [line.strip() for line in lines[at:end]]
