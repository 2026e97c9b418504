"""Sentences and words of the tools over the line, in the language of the call."""

from data.gate_words import GATES, tell_briefly, telling_most
from data.records.mail.stage_outputs import Routed
from flows.core.tools import Calling
from tasks.core.calendar.periods import Period
from tasks.core.wording import day_words, word_for, word_sentence


def say(calling: Calling, key: str, **given: object) -> str:
    """Return a sentence in the language of the call."""
    return word_sentence(calling.language, key, **given)


def say_count(calling: Calling, key: str, total: int, **values: object) -> str:
    """Return how many there are: the sentence of none, of one, or of many."""
    number = "none" if not total else "one" if total == 1 else "many"
    return word_sentence(calling.language, f"{key}_{number}", total=total, **values)


def word(calling: Calling, known_word: str) -> str:
    """Return a word of ours in the language of the call; itself where it is none of ours."""
    return word_for(calling.language, known_word)


def say_period(calling: Calling, period: Period) -> str:
    """Return which days something is about: *from … to …*, or *on …*."""
    first, last = (day_words(day, calling.language) for day in (period.first, period.last))
    if first == last:
        return say(calling, "on_day", day=first)
    return say(calling, "from_to", first=first, last=last)


def subject_words(calling: Calling, subject: str) -> str:
    """Return a subject as it is written, or that there is none."""
    return subject or say(calling, "no_subject")


def why_words(calling: Calling, decided: Routed, quality: float) -> str:
    """Return in a sentence why a case waits for a person.

    Words that a rule of the organization or a person gave as the reason stay as they are.
    """
    name = telling_most(decided, quality)
    if name in GATES or name in ("only_shadow", "no_answer"):
        return say(calling, f"why_{name}")
    return word(calling, tell_briefly(decided, quality))
