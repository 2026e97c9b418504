"""What a message means behind the one before it (docs/agents.md#going-on).

*And Marta?* asks of Marta what was just asked of Declan, *no, Wednesday* gives what was just noted
another day, *forget that* takes it back. A message is filled up from what the same person said
before, and from what the answer to it named; then it is answered as if it had been said in full.
What that does not make whole stays as it is.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.records.core.tools import Source
from data.word_lists import word_list
from tasks.agents.calling import call_of
from tasks.agents.either import either, split
from tasks.agents.orders import Order, order_in, said_words
from tasks.agents.parting import recognize
from tasks.agents.periods import split_question
from tasks.agents.remembering.lists import LANGUAGES, language_of
from tasks.agents.remembering.placing import states_something
from tasks.agents.spoken_clock import clock_lists
from tasks.agents.spoken_parts import DayPart
from tasks.agents.spoken_time import names_time, spoken_days, spoken_time
from tasks.agents.time_patterns import time_lists, time_patterns
from tasks.agents.triage import Triage, UtteranceKind, meant_by, triage, wants_deed
from tasks.patterns import compiled
from tasks.words.sentence_rows import asking_words
from tasks.words.sentences import is_stop_word, whole_words

if TYPE_CHECKING:
    import re2

_FILE = Path(lexicon.__file__).with_name("going_on.yaml")
_EDGES = " \t\n.,:;!?¿¡…-–"
_LONGEST = 12
"""Words beyond which a message says by itself what is meant."""
_LONGEST_NAME = 4
_LONGEST_TITLE = 12
"""Words of a subject by which its mail is looked for."""
_ALONE = 3
"""Words of a question without a word that joins it to the one before."""
_SOME_DAY = date(2000, 1, 3)
"""A day to read times by, where it does not matter which day they are on."""
_MAKING = frozenset(
    {"remind", "add_task", "mention_task", "add_event", "mention_event", "agree"}
    | {"move_task", "move_event"}
)
"""Turns of phrase behind which something was noted, or has another time."""
_UNDONE = _MAKING - {"move_task", "move_event"}
"""Those that are taken back by dropping what they made."""
_OF_SOMEBODY = frozenset(
    {"contact", "contact_mail", "contact_phone", "cases_of", "promised_to", "draft_reply"}
)
"""Turns of phrase whose gap is a name."""
_OF_NAMES = _OF_SOMEBODY | {"contacts_at", "wrote_about"}
_OF_DAYS = frozenset({"list_events", "free_time"})
_OF = compiled(r"(?i)^(?:de|du|del|von|vom|of|from)\s+|^d['’]")
"""What leads on to a name where the question before has it already."""
_PLACES = ("first", "second", "third", "last")
_ARTICLES = frozenset(
    split(
        "a, an, the, ein, eine, einen, einem, einer, der, die, das, den, dem, un, une, le, la, les"
    )
    + split("una, el, los, las")
)
"""Words behind which a thing is named, and not what is asked of it."""


class Exchange(Record):
    """What somebody said, and what the answer to it named."""

    asked: str
    """Their words, short forms written out."""
    about: tuple[Source, ...] = ()


class _Asked(NamedTuple):
    """What was asked last, in full."""

    text: str
    meant: Triage
    about: tuple[Source, ...]

    @property
    def kind(self) -> str:
        return self.meant.order.kind if self.meant.order is not None else ""

    @property
    def language(self) -> str:
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
        call = call_of(order, self.text) if order is not None else None
        if contacts or call is None or self.kind not in _OF_SOMEBODY:
            return ""
        return str(call.arguments.get("name") or call.arguments.get("words") or "")


def gone_on(text: str, before: Sequence[Exchange]) -> Triage | None:
    """Return what a message means behind what was said before; None where it stands by itself.

    Args:
        text: what somebody says, short forms written out.
        before: what the same person said to the same agent, the oldest first.

    Returns:
        What is meant; its `asked` is the message in full.

    """
    if not before or not 0 < len(said_words(text)) <= _LONGEST:
        return None
    return _behind(text, _asked_last(before))


def _asked_last(before: Sequence[Exchange]) -> _Asked:
    """Return what was asked last; where it says that not by itself, with what stood before it."""
    *earlier, exchange = before
    meant = recognize(exchange.asked)
    if meant.order is None and meant.intent is None:
        meant = gone_on(exchange.asked, earlier) or meant
    return _Asked(meant.asked or exchange.asked, meant, exchange.about)


def takes_back(text: str) -> bool:
    """Whether a message takes back a word of the one before, so that it tells nothing to keep."""
    bare = _after(text, "corrects") or text
    if said_words(bare) in _rows("undo", "remove", "done"):
        return True
    rest = _after(text, "corrects", "changes")
    bare = _without_filling(rest or "")
    return any(_as_time(bare, language) for language in LANGUAGES)


def leans(text: str) -> bool:
    """Whether a message says too little by itself: a few words behind one that joins, *and her?*.

    What stands before would have to say what is asked of them; looked up alone they are taken for
    something else.
    """
    rest = _after(text, "joins")
    if not rest or len(said_words(rest)) > _LONGEST_NAME:
        return False
    return not _stands_alone(rest) and not states_something(rest)


def _behind(text: str, last: _Asked) -> Triage | None:
    spoken = said_words(text)
    return (
        _of_thing(text, spoken, last)
        or _corrected(text, last)
        or _chosen(text, spoken, last)
        or _asked_further(text, spoken, last)
    )


def _of_thing(text: str, spoken: tuple[str, ...], last: _Asked) -> Triage | None:
    """Return what is to become of the task or the event that was just noted, or named."""
    thing = last.thing
    if thing is None or names_time(thing.title, last.language):
        return None
    spoken = said_words(_after(text, "corrects") or "") or spoken  # *no wait, forget that*
    if spoken not in _rows("undo", "remove", "done"):
        spoken = _without_reason(text, said_words(text))
    if spoken in _rows("done") and thing.kind == "task":
        return _ordered("finish_task", last.language, thing.title, text)
    undoes = spoken in _rows("undo") and last.kind in _UNDONE
    if undoes or spoken in _rows("remove"):
        kind = "drop_task" if thing.kind == "task" else "remove_event"
        return _ordered(kind, last.language, thing.title, text)
    return None


def _without_reason(text: str, spoken: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of an order without a reason behind it: *cancel that, she called*.

    What follows and asks or orders something is no reason.
    """
    head, _, behind = text.partition(",")
    reason = _after(behind, "joins") or behind.strip()
    return said_words(head) if reason and not _stands_alone(reason) else spoken


def _corrected(text: str, last: _Asked) -> Triage | None:
    """Return what is meant by a message that takes a word of the one before back."""
    changed, corrected = _after(text, "changes"), _after(text, "corrects")
    rest = changed if changed is not None else corrected
    bare = _without_filling(text if rest is None else rest)
    if not bare or (rest is None and bare == text.strip(_EDGES)):
        return None
    thing = last.thing if changed is not None or last.kind in _MAKING else None
    time = _as_time(bare, last.language)
    if thing is not None and time and not names_time(thing.title, last.language):
        return _ordered(f"move_{thing.kind}", last.language, f"{thing.title} {time}", text)
    return _same_question(bare, last) if corrected is not None else None


def _chosen(text: str, spoken: tuple[str, ...], last: _Asked) -> Triage | None:
    """Return what asks for one of what was listed: *the second one*."""
    listed = [source for source in last.about if source.kind in ("case", "contact", "task")]
    chosen = next(
        (
            (place, wish)
            for wish in ("show", "done", "remove")
            for place, name in enumerate(_PLACES)
            for row in _rows(name)
            if _says_only(spoken, row, wish)
        ),
        None,
    )
    if len(listed) == 1 and spoken in _rows("it"):
        chosen = (0, "show")
    if chosen is None or len({source.kind for source in listed}) != 1:
        return None
    place, wish = chosen
    if place < len(_PLACES) - 1 and place >= len(listed):
        return None
    source = listed[-1 if place == len(_PLACES) - 1 else place]
    if source.kind == "task":
        kind = {"done": "finish_task", "remove": "drop_task"}.get(wish, "")
        if not kind or last.kind != "list_tasks":  # *the first one* of those that were shown
            return None
        return _ordered(kind, last.language, source.title, text)
    if wish != "show":
        return None
    if source.kind == "contact":
        return _ordered("contact", last.language, source.id, text)
    title_words = " ".join(whole_words(source.title)[:_LONGEST_TITLE])
    return _ordered("wrote_about", last.language, title_words, text)


def _says_only(spoken: tuple[str, ...], row: tuple[str, ...], wish: str) -> bool:
    """Return whether words are a row and, around it, words of a list."""
    places = [at for at in range(len(spoken)) if spoken[at : at + len(row)] == row]
    if not places:
        return False
    around = (*spoken[: places[0]], *spoken[places[0] + len(row) :])
    return _row_words(wish).issuperset(around)


def _asked_further(text: str, spoken: tuple[str, ...], last: _Asked) -> Triage | None:
    """Return the same question of something else, or another one of the same person."""
    rest = _after(text, "joins")
    if rest and last.kind == "add_task" and ":" in text[: len(text) - len(rest)]:
        return _ordered("add_task", last.language, rest, text)
    if (same := _of_same(rest or text, last)) is not None:
        return same
    if rest is None and not (len(spoken) <= _ALONE and text.rstrip().endswith("?")):
        return None
    fragment = _without_filling(rest or text)
    return _same_question(_without_opening(fragment, last.text), last)


def _without_opening(fragment: str, before: str) -> str:
    """Return words without those that the question before opens with too: *how many yesterday*."""
    runs, opening = fragment.split(), said_words(before)
    same = 0
    while same < len(runs) - 1 and said_words(runs[same]) == opening[same : same + 1]:
        same += 1
    return " ".join(runs[same:])


def _of_same(text: str, last: _Asked) -> Triage | None:
    """Return a question of whom was just asked about: *what is her mail*."""
    if not last.name:
        return None
    if said_words(text) in _rows("reply"):
        return _ordered("draft_reply", last.language, last.name, text)
    spoken = said_words(text)
    for of_whom in (spoken, spoken[1:] if spoken[:1] in _rows("pronouns") else ()):
        if of_whom in _rows("fields"):
            return _ordered("contact", last.language, last.name, text)
        if of_whom in _rows("phones"):
            return _ordered("contact_phone", last.language, last.name, text)
    order = order_in(text)
    if order is None or order.kind not in _OF_SOMEBODY:
        return None
    if said_words(order.rest) not in _rows("pronouns"):
        return None
    return _ordered(order.kind, order.language, last.name, text)


def _same_question(fragment: str, last: _Asked) -> Triage | None:
    """Return the question before with a part of it in the place of what it had there."""
    order, spoken = last.meant.order, said_words(fragment)
    asks = last.meant.category is not UtteranceKind.TOOL_REQUEST and not last.meant.besides
    if not spoken or not asks or last.meant.several or _stands_alone(fragment):
        return None
    if order is None:
        return _anchored(fragment, last) if last.meant.intent is None else None
    if order.kind in _OF_DAYS and (day := _with_its_day(fragment, order, last.language)):
        return _in_its_place(day, order, last)
    if order.kind in _OF_DAYS and spoken_days(fragment, last.language, _SOME_DAY):
        return _in_its_place(fragment, order, last)
    period = split_question(fragment, last.language)
    if order.kind == "figures" and period.when and not period.words:
        counted = " ".join(split_question(order.rest, last.language).words)
        return _in_its_place(f"{counted} {fragment}", order, last)
    if order.kind in _OF_NAMES and _is_name(spoken, fragment, last.language):
        return _in_its_place(_OF.sub("", fragment), order, last)
    days = split_question(order.rest, last.language).when if order.kind == "figures" else ""
    return _anchored(fragment, last, "" if period.when else days)


def _with_its_day(fragment: str, order: Order, language: str) -> str:
    """Return a part of a day with the day that was asked about; nothing where it is no such part.

    *And in the morning?* is asked of the Friday of whose afternoon was asked before.
    """
    day = time_patterns(language).day.search(order.rest)
    lists = clock_lists(language)
    parts = [split(lists[f"{alone}{part}"]) for part in DayPart for alone in ("", "alone_")]
    if day is None or said_words(fragment) not in {said_words(p) for each in parts for p in each}:
        return ""
    return f"{day.group().strip()} {fragment}"


def _stands_alone(fragment: str) -> bool:
    """Return whether words are a question or an order of their own."""
    meant = triage(fragment)
    asking = said_words(fragment)[0] in asking_words()
    return asking or meant.order is not None or meant.intent is not None or wants_deed(meant)


def _in_its_place(fragment: str, order: Order, last: _Asked) -> Triage | None:
    """Return what is meant with words in the place of what the question before had filled in."""
    place = last.text.rfind(order.rest) if order.rest else -1
    if place < 0:
        return None
    return _same_kind(last.text[:place] + fragment + last.text[place + len(order.rest) :], last)


def _anchored(fragment: str, last: _Asked, behind: str = "") -> Triage | None:
    """Return the question before with what follows a word of it replaced: *and for 40?*.

    The word has to stand there once; behind an article only as many words as are named are
    replaced, since more may belong to what is asked. `behind` are words that stay at the end.
    """
    runs, new = last.text.rstrip(_EDGES).split(), fragment.split()
    folded = [" ".join(said_words(run)) for run in runs]
    anchor = " ".join(said_words(new[0]))
    if not is_stop_word(anchor) or folded.count(anchor) != 1 or len(new) < len((anchor, "word")):
        return None
    at = folded.index(anchor)
    end = at + len(new) if anchor in _ARTICLES else len(runs)
    return _same_kind(" ".join([*runs[:at], *new, *runs[end:], behind]).rstrip(), last)


def _same_kind(text: str, last: _Asked) -> Triage | None:
    """Return what a question means that was filled up; None where it is another one by that."""
    meant = triage(text)
    kind = meant.order.kind if meant.order is not None else ""
    if kind != last.kind or meant.intent is not None or wants_deed(meant):
        return None
    return meant.model_copy(update={"asked": text})


def _ordered(kind: str, language: str, rest: str, text: str) -> Triage | None:
    """Return what is meant by a turn of phrase with these words filled in."""
    order = Order(kind=kind, language=language, rest=rest)
    if call_of(order, text) is None:
        return None
    return meant_by(order).model_copy(update={"asked": text})


def _is_name(spoken: tuple[str, ...], fragment: str, language: str) -> bool:
    """Return whether words may be a name: few, none of them a figure, not all of them leading on.

    What is a time, or a span of days, is none.
    """
    if len(spoken) > _LONGEST_NAME or any(word.isdigit() for word in spoken):
        return False
    timed = names_time(fragment, language) or split_question(fragment, language).when
    return not timed and not any(
        is_stop_word(word) and word not in _row_words("of_names") for word in spoken
    )


def _is_time(text: str, language: str) -> bool:
    """Return whether words name a time and nothing else."""
    if not names_time(text, language):
        return False
    rest = spoken_time(text, language, datetime(2000, 1, 3, tzinfo=UTC)).rest
    return not said_words(_without_filling(rest))


def _as_time(text: str, language: str) -> str:
    """Return words that name a time and nothing else, an hour alone with its word; else nothing."""
    written = [text, f"{text}."]  # *am 16.*
    if text.isdigit():
        written.append(f"{split(time_lists(language)['at'])[0]} {text}")
    return next((each for each in written if _is_time(each, language)), "")


def _without_filling(text: str) -> str:
    """Return words without those at their ends that say nothing."""
    bare = text.strip(_EDGES)
    while (match := _filling().search(bare)) is not None:
        bare = (bare[: match.start()] + bare[match.end() :]).strip(_EDGES)
    return bare


def _after(text: str, *names: str) -> str | None:
    """Return what follows the words of these lists that a message begins with; None for none."""
    match = _leads(names).match(text)
    return None if match is None else text[match.end() :].strip(_EDGES)


@cache
def _leads(names: tuple[str, ...]) -> "re2._Regexp":
    return compiled(rf"(?i)^[\s¿¡]*(?:{either(_listed(*names))})(?:[\s,;:.!?…]+|$)")


@cache
def _filling() -> "re2._Regexp":
    filling = either(_listed("filling"))
    return compiled(rf"(?i)^(?:{filling})[\s,]+|[\s,]+(?:{filling})$")


@cache
def _rows(*names: str) -> frozenset[tuple[str, ...]]:
    return frozenset(said_words(row) for row in _listed(*names))


@cache
def _row_words(*names: str) -> frozenset[str]:
    """Return the single words of these lists."""
    return frozenset(word for row in _rows(*names) for word in row)


@cache
def _listed(*names: str) -> tuple[str, ...]:
    """Return the entries of these lists in every language."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return tuple(
        row for language in LANGUAGES for name in names for row in split(table[language][name])
    )
