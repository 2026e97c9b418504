"""The letter that is answered, at the end of an answer and with nothing that marks it as one.

Some programs put it behind *On 3 November Jonas wrote:* without a time of day or a `>`, and a
customer tells what somebody wrote in the same words. What a conversation holds decides: words that
are a letter of ours from its beginning on are that letter.
"""

from collections.abc import Sequence

from data.records.core.parsed_mail import ParsedMail, Segments
from tasks.core.patterns import compiled
from tasks.core.segment.attribution import STARTS, VERBS
from tasks.core.segment.lexicon import lexicon
from tasks.core.segment.subject import is_reply_subject

CHARACTERS = 20_000
"""Characters of an answer, and of a letter, that are compared."""
GREETING = 8
"""Words with which a letter may begin before what is repeated of it."""
LEAST = 8
"""Words that must be repeated; fewer are said by chance."""

_WORD = compiled(r"[\pL\pN]+")
_SAYS = compiled(rf"(?i)(?:^|[\s>)])(?:{VERBS})[^:\n]{{0,80}}:")
_INTRODUCTION = compiled(
    rf"(?i)(?:^|[.!?…)]\s+|\n)((?:(?:{STARTS})\s(?:\pL+[.,]*\s+){{0,2}}\d[^\n:]*|"
    rf"[^\n.!?:]*\s(?:{VERBS})[^\n.!?:]*):)\s*$"
)
_PRONOUN = compiled(rf"(?i)(?:^|[\s,])(?:{'|'.join(lexicon('quotes')['pronouns'])})[\s:]")


def may_repeat(mail: ParsedMail, segments: Segments) -> bool:
    """Return whether an answer without history says somewhere that somebody wrote something."""
    answers = bool(mail.in_reply_to or mail.references) or is_reply_subject(mail.subject)
    return answers and not segments.quoted and _SAYS.search(segments.new[:CHARACTERS]) is not None


def without_repeated(segments: Segments, letters: Sequence[str]) -> Segments:
    """Return the segments of an answer whose end repeats one of `letters`, which is then quoted.

    What introduces it goes with it. Where the sender himself says so (*you wrote:*), or nothing of
    his is left, all stays new.
    """
    new = segments.new
    if len(new) > CHARACTERS:
        return segments
    at = min((place for letter in letters if (place := _begin(new, letter)) >= 0), default=-1)
    if at < 0:
        return segments
    own, letter = new[:at], new[at:]
    match = _INTRODUCTION.search(own)
    if match is None or _PRONOUN.search(match.group(1)) is not None:
        return segments
    start = match.start(1)
    if not _WORD.search(own[:start]):
        return segments
    quoted = f"{own[start:].rstrip()}\n{letter}"
    return segments.model_copy(update={"new": own[:start].rstrip(), "quoted": quoted})


def _begin(text: str, letter: str) -> int:
    """Return from where on a text is the beginning of a letter, its greeting aside; -1 for not."""
    matches = list(_WORD.finditer(text))
    text_words = [match.group().casefold() for match in matches]
    letter_words = [match.group().casefold() for match in _WORD.finditer(letter[:CHARACTERS])]
    for first in range(min(GREETING + 1, len(letter_words))):
        for place in range(len(text_words) - LEAST + 1):
            if text_words[place] != letter_words[first]:
                continue
            if text_words[place:] == letter_words[first : first + len(text_words) - place]:
                return int(matches[place].start())
    return -1
