"""The question before, asked of something else: *and Marta?*, *and yesterday?*, *and for 40?*."""

from datetime import date
from typing import NamedTuple

from data.records.core.tools import Source
from tasks.agents.alternations import split_list
from tasks.agents.calling import find_call
from tasks.agents.going_on_words import EDGES, list_row_words
from tasks.agents.orders import Order, list_said_words
from tasks.agents.spoken_clock import read_clock_lists
from tasks.agents.spoken_parts import DayPart
from tasks.agents.spoken_time import find_spoken_days, has_time
from tasks.agents.time_patterns import build_time_patterns
from tasks.agents.triage import Triage, UtteranceKind, has_deed, triage_message
from tasks.core.calendar.periods import split_question
from tasks.core.language.lists import language_of
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import asking_words
from tasks.core.words.sentences import is_stop_word

_LONGEST_NAME = 4
_SOME_DAY = date(2000, 1, 3)
"""A day to read times by, where it does not matter which day they are on."""
OF_SOMEBODY = frozenset(
    {"contact", "contact_mail", "contact_phone", "cases_of", "promised_to", "draft_reply"}
)
"""Turns of phrase whose gap is a name."""
_OF_NAMES = OF_SOMEBODY | {"contacts_at", "wrote_about"}
_OF_DAYS = frozenset({"list_events", "list_tasks", "free_time"})
_OF = compiled(r"(?i)^(?:de|du|del|von|vom|of|from)\s+|^d['’]")
"""What leads on to a name where the question before has it already."""
_ARTICLES = frozenset(
    split_list(
        "a, an, the, ein, eine, einen, einem, einer, der, die, das, den, dem, un, une, le, la, les"
    )
    + split_list("una, el, los, las")
)
"""Words behind which a thing is named, and not what is asked of it."""


class LastQuestion(NamedTuple):
    """What was asked last, in full."""

    text: str
    meant: Triage
    about: tuple[Source, ...]

    @property
    def kind(self) -> str:
        """Which turn of phrase it was; empty for none."""
        return self.meant.order.kind if self.meant.order is not None else ""

    @property
    def language(self) -> str:
        """In which language it was asked."""
        return self.meant.language or language_of(self.text)

    @property
    def thing(self) -> Source | None:
        """The one task or event that the answer named."""
        things = [source for source in self.about if source.kind in ("task", "event")]
        return things[0] if len(things) == 1 else None

    @property
    def name(self) -> str:
        """The name of whom it was about; empty where it was about several, or nobody."""
        contacts = {source.id: source.title for source in self.about if source.kind == "contact"}
        if len(contacts) == 1:
            return next(iter(contacts.values()))
        order = self.meant.order
        call = find_call(order, self.text) if order is not None else None
        if contacts or call is None or self.kind not in OF_SOMEBODY:
            return ""
        return str(call.arguments.get("name") or call.arguments.get("words") or "")


def repeat_question(fragment: str, last: LastQuestion) -> Triage | None:
    """Return the question before with a part of it in the place of what it had there."""
    order, spoken = last.meant.order, list_said_words(fragment)
    asks = last.meant.category is not UtteranceKind.TOOL_REQUEST and not last.meant.besides
    if not spoken or not asks or last.meant.several or is_complete(fragment):
        return None
    if order is None:
        return _replace_behind_anchor(fragment, last) if last.meant.intent is None else None
    if order.kind in _OF_DAYS and (day := _add_asked_day(fragment, order, last.language)):
        return _fill_in_its_place(day, order, last)
    if order.kind in _OF_DAYS and find_spoken_days(fragment, last.language, _SOME_DAY):
        return _fill_in_its_place(fragment, order, last)
    period = split_question(fragment, last.language)
    if order.kind == "figures" and period.when and not period.words:
        counted = " ".join(split_question(order.rest, last.language).words)
        return _fill_in_its_place(f"{counted} {fragment}", order, last)
    if order.kind in _OF_NAMES and _is_name(spoken, fragment, last.language):
        return _fill_in_its_place(_OF.sub("", fragment), order, last)
    days = split_question(order.rest, last.language).when if order.kind == "figures" else ""
    return _replace_behind_anchor(fragment, last, "" if period.when else days)


def _add_asked_day(fragment: str, order: Order, language: str) -> str:
    """Return a part of a day with the day that was asked about; nothing where it is no such part.

    *And in the morning?* is asked of the Friday of whose afternoon was asked before.
    """
    day = build_time_patterns(language).day.search(order.rest)
    lists = read_clock_lists(language)
    parts = [split_list(lists[f"{alone}{part}"]) for part in DayPart for alone in ("", "alone_")]
    if day is None or list_said_words(fragment) not in {
        list_said_words(p) for each in parts for p in each
    }:
        return ""
    return f"{day.group().strip()} {fragment}"


def is_complete(fragment: str) -> bool:
    """Return whether words are a question or an order of their own."""
    meant = triage_message(fragment)
    asking = list_said_words(fragment)[0] in asking_words()
    return asking or meant.order is not None or meant.intent is not None or has_deed(meant)


def _fill_in_its_place(fragment: str, order: Order, last: LastQuestion) -> Triage | None:
    """Return what is meant with words in the place of what the question before had filled in."""
    place = last.text.rfind(order.rest) if order.rest else -1
    if place < 0:
        return None
    return _triage_same_kind(
        last.text[:place] + fragment + last.text[place + len(order.rest) :], last
    )


def _replace_behind_anchor(fragment: str, last: LastQuestion, behind: str = "") -> Triage | None:
    """Return the question before with what follows a word of it replaced: *and for 40?*.

    The word has to stand there once; behind an article only as many words as are named are
    replaced, since more may belong to what is asked. `behind` are words that stay at the end.
    """
    runs, new = last.text.rstrip(EDGES).split(), fragment.split()
    folded = [" ".join(list_said_words(run)) for run in runs]
    anchor = " ".join(list_said_words(new[0]))
    if not is_stop_word(anchor) or folded.count(anchor) != 1 or len(new) < len((anchor, "word")):
        return None
    at = folded.index(anchor)
    end = at + len(new) if anchor in _ARTICLES else len(runs)
    return _triage_same_kind(" ".join([*runs[:at], *new, *runs[end:], behind]).rstrip(), last)


def _triage_same_kind(text: str, last: LastQuestion) -> Triage | None:
    """Return what a question means that was filled up; None where it is another one by that."""
    meant = triage_message(text)
    kind = meant.order.kind if meant.order is not None else ""
    if kind != last.kind or meant.intent is not None or has_deed(meant):
        return None
    return meant.model_copy(update={"asked": text})


def _is_name(spoken: tuple[str, ...], fragment: str, language: str) -> bool:
    """Return whether words may be a name: few, none of them a figure, not all of them leading on.

    What is a time, or a span of days, is none.
    """
    if len(spoken) > _LONGEST_NAME or any(word.isdigit() for word in spoken):
        return False
    timed = has_time(fragment, language) or split_question(fragment, language).when
    return not timed and not any(
        is_stop_word(word) and word not in list_row_words("of_names") for word in spoken
    )
