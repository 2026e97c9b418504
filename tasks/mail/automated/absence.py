"""Until when an absence note says that somebody is away, and notes that say nothing else."""

from collections.abc import Sequence
from datetime import date, datetime

import re2

from data.concepts import concepts_named_in
from data.lexicons import drafting
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import lexicon, phrases
from tasks.core.words.clauses import clauses
from tasks.core.words.cleaning import straighten_apostrophes
from tasks.core.words.sentence_rows import words as row_words
from tasks.core.words.sentence_signs import (
    begins_request,
    is_courtesy,
    is_courtesy_with_names,
    is_order,
    looks_like_names,
    tells_trouble,
)
from tasks.core.words.sentences import fold, sentences

CHARACTERS = 3_000
"""Characters at the beginning of a note that are read."""
GAP = 40
"""Characters between a word such as `until` and its date."""

_MONTHS = {
    str(name).casefold(): number
    for number, names in lexicon("absence")["months"].items()
    for name in names
}


def _either(words: frozenset[str]) -> str:
    return "|".join(re2.escape(word) for word in sorted(words, key=len, reverse=True))


_ENGLISH = ("until", "till", "through", "back", "return")
_UNTIL = compiled(rf"(?i)(?:^|[\s(,.])(?:{_either(phrases('absence', 'until'))})[\s:]+")
_ISO = compiled(r"\b(20\d\d)-(\d{1,2})-(\d{1,2})\b")
_NUMBERS = compiled(r"\b(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d{2}))?\b")
_DAY_MONTH = compiled(
    rf"(?i)\b(\d{{1,2}})(?:\.|st|nd|rd|th|º|er|°)?\s+(?:de\s+|of\s+)?({_either(frozenset(_MONTHS))})\b\.?"
    r"(?:,?\s+(?:de\s+|del\s+)?(20\d\d))?"
)
_MONTH_DAY = compiled(
    rf"(?i)\b({_either(frozenset(_MONTHS))})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(20\d\d))?"
)

_DAY = compiled(
    r"(?i)^\s*(?:\p{L}{2,12}\.?,?\s+)?(?:(?:the|le|el|de|dia|dnia)\s+)?"
    r"(?:20\d\d-\d{1,2}-\d{1,2}|\d{1,2}[./-]\s?\d{1,2}(?:[./-](?:\d{4}|\d{2})?)?|"
    r"\d{1,2}(?:\.|st|nd|rd|th|º|er|°)?\s+(?:de\s+|of\s+)?(\p{L}{3,10})\.?|"
    r"(\p{L}{3,10})\.?\s+\d{1,2}(?:st|nd|rd|th)?)(?:,?\s+(?:de\s+|del\s+)?20\d\d)?"
)
_SHORT_UNTIL = compiled(rf"(?i)(?:{_either(phrases('absence', 'short_until'))})")
_AWAY = _either(phrases("absence", "away"))
_AWAY_BEFORE = compiled(rf"(?i)(?:^|[^\p{{L}}\p{{N}}])(?:{_AWAY})[\s,:–-]{{1,3}}$")
_AWAY_AFTER = compiled(rf"(?i)^[\s,:–-]{{0,3}}(?:{_AWAY})(?:$|[^\p{{L}}\p{{N}}])")
_WORD = compiled(r"\p{L}+")
SHORT_LETTERS, SHORT_WORDS = 160, 8
"""Of a note that says nothing else: characters in all, and words beside the short form."""
SHOUTED = 3
"""Letters of the longest word in capitals that may be somebody's initials."""
LEAST_SENTENCES, NOTE_CHARACTERS, CARD_WORDS = 2, 1_200, 14
"""Of a note in several sentences: these, characters in all, words of a closing with a name."""
_AWAY_SOMEWHERE = compiled(rf"(?i)(?:^|[^\p{{L}}\p{{N}}])(?:{_AWAY})(?:$|[^\p{{L}}\p{{N}}])")
_NOTE_SIGNS = phrases("absence", "note_signs")
_NOTE_URGENT = phrases("absence", "note_urgent")
_NOTE_CONDITIONS = phrases("absence", "note_conditions")
_NOTE_WISHES = compiled(rf"(?i)(?:{_either(phrases('absence', 'note_wishes'))})(?:$|[^\p{{L}}])")
_NOTE_TURN = phrases("absence", "note_turn")
_NOTE_WORDS = phrases("absence", "note_words") | frozenset(_MONTHS)
_DAYS = frozenset(
    fold(day) for code in drafting.LANGUAGES for day in drafting.phrases(code).weekdays
)
_IF_NEEDED = compiled(r"(?i)\b(?:if|should) you (?:need|require)\b")
_ADDRESS = compiled(r"\S+@\S+|(?:https?://|www\.)\S+")
_SIGN_OFFS = phrases("signatures", "sign_offs")
NAME_WORDS = 3
"""Words of a name behind a closing."""
_TERM = compiled(r"[\p{L}]+(?:['’-][\p{L}]+)*")
_TO_WHOM = compiled(r"@|\d{3}|\d{2}(?:[ .-]\d{2}){2}")
_NUMBERED = compiled(r"(?:^|[^\d +/()-])[ #]*\d{2,5}(?:$|[^\d /()-])")
"""A number that is no telephone's: an order's, a house's."""


_ABSENT = compiled(rf"(?i)(?:{_either(phrases('absence', 'note_absences'))})")
_REDIRECTED = compiled(rf"(?i)(?:{_either(phrases('absence', 'note_redirects'))})")
_PROMISED = compiled(rf"(?i)(?:{_either(phrases('absence', 'note_promises'))})")
_WISHED = compiled(rf"(?i)(?:{_either(phrases('absence', 'note_wished'))})")
_DEPUTY = compiled(rf"(?i)(?:{_either(phrases('absence', 'note_deputies'))})")
_ANSWERS = compiled(rf"(?i)(?:{_either(phrases('absence', 'note_answers'))})")
_NUMBER_OF = compiled(r"\+?\d[\d /().-]{4,}\d")
_BUSINESS = frozenset(
    {"order", "deliver", "invoice", "pay", "refund", "hire", "quote", "broken", "cancel", "bank"}
)
"""Concepts of what a sender has with us; a note to everybody names none."""
_NOTE_SELF = phrases("absence", "note_self")
_IMPERATIVES = frozenset({"answer", "reply", "respond", "antworten", "beantworten", "reageer"})
"""First words with which somebody asks for an answer; elsewhere who will give one may begin so."""
_STOPPED = compiled(r"(\d)\.\s+(\p{Ll})")
"""The stop behind a day, which ends no sentence."""


def says_away(text: str) -> bool:
    """Return whether a text says in the short form that somebody is away.

    That is a day until which, and a word for away beside it: `bis 5. Juni abwesend`.
    """
    return _short_form(text) is not None


def is_short_note(text: str) -> bool:
    """Return whether a text says that and nothing else, but perhaps a greeting and a name.

    Any other word may be a wish: *bis 5. Juni im Urlaub, liefert danach*.
    """
    plain = straighten_apostrophes(text.strip())
    absence = _short_form(plain) if len(plain) <= SHORT_LETTERS else None
    if absence is None or "?" in plain:
        return False
    rest = f"{plain[: absence[0]]} {plain[absence[1] :]}"
    return len(_WORD.findall(rest)) <= SHORT_WORDS and all(
        term.casefold() in _NOTE_WORDS or fold(term) in _DAYS or term[0].isupper()
        for term in _TERM.findall(rest)
    )


def is_absence_note(text: str) -> bool:
    """Return whether all sentences of a text are those of an absence note, and how it goes on too.

    Each word is one of such notes, a number, a day or an address. Names stand in a closing and
    where it is said whom to turn to; one word more, or a question, and a person may have written.
    """
    note = straighten_apostrophes(text.strip())
    if not note or len(note) > NOTE_CHARACTERS or "?" in note or not _AWAY_SOMEWHERE.search(note):
        return False
    note_sentences = sentences(note)
    if _NOTE_WISHES.search(note) or len(note_sentences) < LEAST_SENTENCES:
        return False
    return any(_has_any(_NOTE_SIGNS, sentence) for sentence in note_sentences) and all(
        _is_of_note(sentence) for sentence in note_sentences
    )


def is_sentence_note(text: str) -> bool:
    """Return whether each sentence of a text is an absence note's, in whatever words it says so.

    One says that somebody is away, another to whom to turn, with an address or a number, or that
    there will be an answer; the rest are courtesies. A question, or one sentence more, and a person
    may have written.
    """
    note = straighten_apostrophes(text.strip())
    if not note or len(note) > NOTE_CHARACTERS or "?" in note or "？" in note:
        return False
    if _ABSENT.search(note) is None or _NOTE_WISHES.search(note) is not None:
        return False
    note_sentences = sentences(_STOPPED.sub(r"\1 \2", note))
    away = onward = False
    will_answer = any(map(_is_redirection, note_sentences)) or any(
        _PROMISED.search(sentence) is not None and _ANSWERS.search(sentence) is not None
        for sentence in note_sentences
    )
    for sentence in note_sentences:
        absent, promised = _ABSENT.search(sentence), _PROMISED.search(sentence)
        turned = _is_redirection(sentence)
        rest = _ABSENT.sub(" ", sentence)
        of_note = _is_of_note(sentence) or (absent is not None and _is_of_note(rest))
        asked = not (turned or of_note) and (_asks_something(rest) or _says_more(sentence))
        if concepts_named_in(rest) & _BUSINESS or asked:
            return False
        usual = turned or promised
        usual = usual or (of_note and (will_answer or _has_any(_NOTE_SIGNS, sentence)))
        if absent and not usual and tells_trouble(rest):
            return False
        away, onward = away or absent is not None, onward or turned or promised is not None
        if not (absent or promised or turned or of_note or _is_polite(sentence)):
            return False
    return away and onward and len(note_sentences) >= LEAST_SENTENCES


def tells_who_is_away(text: str) -> bool:
    """Return whether a text says that somebody is away and how it goes on, whatever else it says.

    A person may write so as well.
    """
    note = straighten_apostrophes(text[:NOTE_CHARACTERS])
    if _ABSENT.search(note) is None:
        return False
    return any(
        _PROMISED.search(sentence) is not None
        or (sentence.endswith((".", "!")) and _is_redirection(sentence))
        for sentence in sentences(_STOPPED.sub(r"\1 \2", note))
    )


def _says_more(sentence: str) -> bool:
    """Return whether a clause says something else beside one that promises an answer."""
    parts = [clause.text for clause in clauses(sentence) if not clause.polite]
    promised = [_PROMISED.search(part) is not None for part in parts]
    return any(promised) and not all(
        there or _ABSENT.search(part) is not None or _is_of_note(part)
        for part, there in zip(parts, promised, strict=True)
    )


def _is_redirection(sentence: str) -> bool:
    """Return whether a sentence says to whom to turn: another one, by an address or a number."""
    if _REDIRECTED.search(sentence) is None or _TO_WHOM.search(sentence) is None:
        return False
    if any(map(str.isdigit, _NUMBER_OF.sub(" ", _ADDRESS.sub(" ", sentence)))):
        return False
    own = not _NOTE_SELF.isdisjoint(term.casefold() for term in _TERM.findall(sentence))
    return not own or _DEPUTY.search(sentence) is not None


def _asks_something(sentence: str) -> bool:
    """Return whether a sentence wants something; who will answer himself asks nobody to."""
    sentence_words = row_words(sentence)
    if begins_request(sentence_words) or (sentence_words and sentence_words[0] in _IMPERATIVES):
        return True
    return is_order(sentence) and _ANSWERS.search(sentence) is None


def _is_polite(sentence: str) -> bool:
    """Return whether a sentence greets, thanks, wishes well or is a name."""
    if is_courtesy_with_names(sentence) or _WISHED.search(sentence) is not None:
        return True
    if _is_closing(sentence):
        return True
    pieces = [piece for piece in sentence.replace("\n", ",").split(",") if piece.strip()]
    return all(is_courtesy(piece) or looks_like_names(piece) for piece in pieces)


def _is_closing(sentence: str) -> bool:
    """Return whether a sentence takes leave with a name: *Cordiali saluti Ada Fell*."""
    closing = sentence.split()
    return any(
        " ".join(closing[:count]).casefold().strip(",.! ") in _SIGN_OFFS
        and all(word[0].isupper() for word in closing[count:])
        for count in range(max(1, len(closing) - NAME_WORDS), len(closing) + 1)
    )


def _has_any(note_words: frozenset[str], sentence: str) -> bool:
    return any(term.casefold() in note_words for term in _TERM.findall(sentence))


def _is_of_note(sentence: str) -> bool:
    """Return whether a sentence of an absence note says nothing else.

    A closing, and a line with a greeting, end in no stop; they and whom to turn to name somebody.
    """
    line = _IF_NEEDED.sub(" if you ", _ADDRESS.sub(" @ ", sentence))
    terms = _TERM.findall(line)
    if _is_urgent(terms):
        return False
    unstopped = not line.endswith((".", "!", ":", ";")) and len(terms) <= CARD_WORDS
    closing = unstopped and _NUMBERED.search(line) is None
    names = closing or _has_any(_NOTE_TURN, line) or _TO_WHOM.search(line) is not None
    return all(
        term.casefold() in _NOTE_WORDS
        or fold(term) in _DAYS
        or (names and (place > 0 or closing) and _may_name(term))
        for place, term in enumerate(terms)
    )


def _is_urgent(terms: Sequence[str]) -> bool:
    """Return whether something is said to be urgent, with no *if* or *for* before it."""
    small = [term.casefold() for term in terms]
    at = next((place for place, term in enumerate(small) if term in _NOTE_URGENT), None)
    return at is not None and _NOTE_CONDITIONS.isdisjoint(small[:at])


def _may_name(term: str) -> bool:
    """Return whether a word is written as a name is; what is shouted is none."""
    return term[0].isupper() and (len(term) <= SHOUTED or not term.isupper())


def _short_form(text: str) -> tuple[int, int] | None:
    """Return where the short form stands in the beginning of a text, or None."""
    text = text[:CHARACTERS]
    for match in _SHORT_UNTIL.finditer(text):
        start = match.start()
        if start and text[start - 1].isalnum():
            continue
        day = _DAY.search(text[match.end() : match.end() + GAP])
        if day is None:
            continue
        month = next((name for name in day.groups() if name), None)
        if month is not None and month.casefold() not in _MONTHS:
            continue
        end = match.end() + day.end()
        before = _AWAY_BEFORE.search(text[max(0, start - GAP) : start])
        if before is not None:
            return max(0, start - GAP) + before.start(), end
        after = _AWAY_AFTER.search(text[end : end + GAP])
        if after is not None:
            return start, end + after.end()
    return None


def away_until(text: str, sent: datetime | None) -> date | None:
    """Return the last day that follows a word such as `until` or `back on`, or None.

    A date without a year is the next such day after `sent`; without `sent` it is not read. Of two
    numbers that could both be the month nobody can tell which is in English; elsewhere, and with
    dots, the day stands first.
    """
    days = []
    text = text[:CHARACTERS]
    for match in _UNTIL.finditer(text):
        english = match.group(0).strip(" (,.:\n").casefold().startswith(_ENGLISH)
        day = _first_date(text[match.end() : match.end() + GAP], sent, day_first=not english)
        if day is not None:
            days.append(day)
    return max(days, default=None)


def _first_date(text: str, sent: datetime | None, *, day_first: bool) -> date | None:
    """Return the date that stands first in a piece of text."""
    if match := _ISO.search(text):
        return _date(match.group(1), match.group(2), match.group(3), sent)
    if match := _DAY_MONTH.search(text):
        return _date(match.group(3), _MONTHS[match.group(2).casefold()], match.group(1), sent)
    if match := _MONTH_DAY.search(text):
        return _date(match.group(3), _MONTHS[match.group(1).casefold()], match.group(2), sent)
    if match := _NUMBERS.search(text):
        leading, mark, other, year = (match.group(n) for n in (1, 2, 3, 4))
        day_first = day_first or mark == "."
        if not day_first and int(leading) <= 12 and int(other) <= 12 and leading != other:
            return None
        day, month = (leading, other) if int(other) <= 12 else (other, leading)
        return _date(year, month, day, sent)
    return None


def _date(year: str | None, month: str | int, day: str | int, sent: datetime | None) -> date | None:
    """Return a date, in the next year that makes it lie after `sent` when it states none."""
    try:
        if year:
            number = int(year)
            return date(number + 2000 if number < 100 else number, int(month), int(day))
        if sent is None:
            return None
        return_day = date(sent.year, int(month), int(day))
        return return_day if return_day >= sent.date() else return_day.replace(year=sent.year + 1)
    except ValueError:
        return None
