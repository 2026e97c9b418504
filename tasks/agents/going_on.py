"""The meaning of a message behind the one before it (docs/agents.md#going-on).

*And Marta?* asks of Marta what was just asked of Declan, *no, Wednesday* gives what was just noted
another day, *forget that* takes it back. A message is filled up from what the same person said
before, and from what the answer to it named; then it is answered as if it had been said in full.
What that does not make whole stays as it is.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from data.records.core.record import Record
from data.records.core.tools import Source
from tasks.agents.alternations import split_list
from tasks.agents.calling import find_call
from tasks.agents.going_on_words import (
    EDGES,
    cut_filling,
    find_words_after,
    list_row_words,
    list_word_rows,
)
from tasks.agents.orders import Order, find_order, list_said_words
from tasks.agents.parting import recognize_message
from tasks.agents.same_question import OF_SOMEBODY, LastQuestion, is_complete, repeat_question
from tasks.agents.spoken_time import has_time, read_spoken_time
from tasks.agents.stating import has_statement
from tasks.agents.time_patterns import read_time_lists
from tasks.agents.triage import Triage, triage_order
from tasks.core.language.lists import LANGUAGES
from tasks.core.words.sentences import is_stop_word, whole_words

_LONGEST = 12
"""Words beyond which a message says by itself what is meant."""
_LONGEST_NAME = 4
_LONGEST_TITLE = 12
"""Words of a subject by which its mail is looked for."""
_ALONE = 3
"""Words of a question without a word that joins it to the one before."""
_UNDONE = frozenset({"remind", "add_task", "mention_task", "add_event", "mention_event", "agree"})
"""Turns of phrase that are taken back by dropping what they made."""
_MOVED = frozenset({"move_task", "move_event"})
"""Those behind which something has another time."""
_MAKING = _UNDONE | _MOVED
_JOINED = "&"
"""What stands before a question that was asked with another in one message."""
_PLACES = ("first", "second", "third", "last")


class EarlierQuestion(Record):
    """What somebody said, and what the answer to it named."""

    asked: str
    """Their words, short forms written out."""
    about: tuple[Source, ...] = ()


def understand_follow_up(text: str, before: Sequence[EarlierQuestion]) -> Triage | None:
    """Return what a message means behind what was said before; None where it stands by itself.

    Args:
        text: what somebody says, short forms written out.
        before: what the same person said to the same agent, the oldest first.

    Returns:
        What is meant; its `asked` is the message in full.

    """
    if not before or not 0 < len(list_said_words(text)) <= _LONGEST:
        return None
    return _understand_after_last(text, _find_last_asked(before))


def _find_last_asked(before: Sequence[EarlierQuestion]) -> LastQuestion:
    """Return what was asked last; where it says that not by itself, with what stood before it."""
    *earlier, exchange = before
    meant = recognize_message(exchange.asked)
    if meant.order is None and meant.intent is None:
        meant = understand_follow_up(exchange.asked, earlier) or meant
    return LastQuestion(meant.asked or exchange.asked, meant, exchange.about)


def is_correction(text: str) -> bool:
    """Whether a message takes back a word of the one before, so that it tells nothing to keep."""
    bare = find_words_after(text, "corrects") or text
    if list_said_words(bare) in list_word_rows("undo", "back", "remove", "done"):
        return True
    rest = find_words_after(text, "corrects", "changes")
    bare = cut_filling(rest or "")
    return any(_find_time_words(bare, language) for language in LANGUAGES)


def is_incomplete(text: str) -> bool:
    """Whether a message says too little by itself: a few words behind one that joins, *and her?*.

    What stands before would have to say what is asked of them; looked up alone they are taken for
    something else.
    """
    rest = find_words_after(text, "joins")
    if not rest or len(list_said_words(rest)) > _LONGEST_NAME:
        return False
    return not is_complete(rest) and not has_statement(rest)


def _understand_after_last(text: str, last: LastQuestion) -> Triage | None:
    spoken = list_said_words(text)
    return (
        _ask_of_it(text, spoken, last)
        or _change_thing(text, spoken, last)
        or _correct_last(text, last)
        or _choose_listed(text, spoken, last)
        or _ask_further(text, spoken, last)
    )


def _ask_of_it(text: str, spoken: tuple[str, ...], last: LastQuestion) -> Triage | None:
    """Return what asks of the very thing that was just answered: *what does it cost?*.

    No other entry answers that, whatever words it shares; what names a thing of its own is none.
    """
    if text.startswith(_JOINED) or not spoken or last.meant.order or last.meant.intent:
        return None
    for row in list_word_rows("asks_of_it"):
        place = next((at for at in range(len(spoken)) if spoken[at : at + len(row)] == row), None)
        beside = (*spoken[:place], *spoken[(place or 0) + len(row) :])
        if place is None or not all(
            is_stop_word(word) or word in list_row_words("beside_it") for word in beside
        ):
            continue
        entries = tuple(source.id for source in last.about if source.kind == "knowledge")
        return Triage(asked=f"{last.text.rstrip(EDGES)}? {text}", of_entries=entries)
    return None


def _change_thing(text: str, spoken: tuple[str, ...], last: LastQuestion) -> Triage | None:
    """Return what is to become of the task or the event that was just noted, or named."""
    thing = last.thing
    if thing is None or has_time(thing.title, last.language):
        return None
    spoken = (
        list_said_words(find_words_after(text, "corrects") or "") or spoken
    )  # *no wait, forget that*
    if spoken not in list_word_rows("undo", "back", "remove", "done"):
        spoken = _cut_reason(text, list_said_words(text))
    if spoken in list_word_rows("done") and thing.kind == "task":
        return _understand_order("finish_task", last.language, thing.title, text)
    puts_back = spoken in list_word_rows("undo", "back") - list_word_rows("remove")
    if puts_back and thing.was and last.kind in _MOVED:
        return _understand_order(
            f"move_{thing.kind}", last.language, f"{thing.title} {thing.was}", text
        )
    undoes = spoken in list_word_rows("undo") and last.kind in _UNDONE
    if undoes or spoken in list_word_rows("remove"):
        kind = "drop_task" if thing.kind == "task" else "remove_event"
        return _understand_order(kind, last.language, thing.title, text)
    return None


def _cut_reason(text: str, spoken: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of an order without a reason behind it: *cancel that, she called*.

    What follows and asks or orders something is no reason.
    """
    head, _, behind = text.partition(",")
    reason = find_words_after(behind, "joins") or behind.strip()
    return list_said_words(head) if reason and not is_complete(reason) else spoken


def _correct_last(text: str, last: LastQuestion) -> Triage | None:
    """Return what is meant by a message that takes a word of the one before back."""
    changed, corrected = find_words_after(text, "changes"), find_words_after(text, "corrects")
    rest = changed if changed is not None else corrected
    bare = cut_filling(text if rest is None else rest)
    if not bare or (rest is None and bare == text.strip(EDGES)):
        return None
    thing = last.thing if changed is not None or last.kind in _MAKING else None
    time = _find_time_words(bare, last.language)
    if thing is not None and time and not has_time(thing.title, last.language):
        return _understand_order(f"move_{thing.kind}", last.language, f"{thing.title} {time}", text)
    return repeat_question(bare, last) if corrected is not None else None


def _choose_listed(text: str, spoken: tuple[str, ...], last: LastQuestion) -> Triage | None:
    """Return what asks for one of what was listed: *the second one*."""
    listed = [source for source in last.about if source.kind in ("case", "contact", "task")]
    chosen = next(
        (
            (place, wish)
            for wish in ("show", "done", "remove")
            for place, name in enumerate(_PLACES)
            for row in list_word_rows(name)
            if _names_only_choice(spoken, row, wish)
        ),
        None,
    )
    if len(listed) == 1 and spoken in list_word_rows("it"):
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
        return _understand_order(kind, last.language, source.title, text)
    if wish != "show":
        return None
    if source.kind == "contact":
        return _understand_order("contact", last.language, source.id, text)
    title_words = " ".join(whole_words(source.title)[:_LONGEST_TITLE])
    return _understand_order("wrote_about", last.language, title_words, text)


def _names_only_choice(spoken: tuple[str, ...], row: tuple[str, ...], wish: str) -> bool:
    """Return whether words are a row and, around it, words of a list."""
    places = [at for at in range(len(spoken)) if spoken[at : at + len(row)] == row]
    if not places:
        return False
    around = (*spoken[: places[0]], *spoken[places[0] + len(row) :])
    return list_row_words(wish).issuperset(around)


def _ask_further(text: str, spoken: tuple[str, ...], last: LastQuestion) -> Triage | None:
    """Return the same question of something else, or another one of the same person."""
    rest = find_words_after(text, "joins")
    if rest and last.kind == "add_task" and ":" in text[: len(text) - len(rest)]:
        return _understand_order("add_task", last.language, rest, text)
    if (same := _ask_of_same_person(rest or text, last)) is not None:
        return same
    if rest is None and not (len(spoken) <= _ALONE and text.rstrip().endswith("?")):
        return None
    fragment = cut_filling(rest or text)
    return repeat_question(_cut_opening(fragment, last.text), last)


def _cut_opening(fragment: str, before: str) -> str:
    """Return words without those that the question before opens with too: *how many yesterday*."""
    runs, opening = fragment.split(), list_said_words(before)
    same = 0
    while same < len(runs) - 1 and list_said_words(runs[same]) == opening[same : same + 1]:
        same += 1
    return " ".join(runs[same:])


def _ask_of_same_person(text: str, last: LastQuestion) -> Triage | None:
    """Return a question of whom was just asked about: *what is her mail*."""
    if not last.name:
        return None
    if list_said_words(text) in list_word_rows("reply"):
        return _understand_order("draft_reply", last.language, last.name, text)
    spoken = list_said_words(text)
    for of_whom in (spoken, spoken[1:] if spoken[:1] in list_word_rows("pronouns") else ()):
        if of_whom in list_word_rows("fields"):
            return _understand_order("contact", last.language, last.name, text)
        if of_whom in list_word_rows("phones"):
            return _understand_order("contact_phone", last.language, last.name, text)
    order = find_order(text)
    if order is None or order.kind not in OF_SOMEBODY:
        return None
    if list_said_words(order.rest) not in list_word_rows("pronouns"):
        return None
    return _understand_order(order.kind, order.language, last.name, text)


def _understand_order(kind: str, language: str, rest: str, text: str) -> Triage | None:
    """Return what is meant by a turn of phrase with these words filled in."""
    order = Order(kind=kind, language=language, rest=rest)
    if find_call(order, text) is None:
        return None
    return triage_order(order).model_copy(update={"asked": text})


def _is_time(text: str, language: str) -> bool:
    """Return whether words name a time and nothing else."""
    if not has_time(text, language):
        return False
    rest = read_spoken_time(text, language, datetime(2000, 1, 3, tzinfo=UTC)).rest
    return not list_said_words(cut_filling(rest))


def _find_time_words(text: str, language: str) -> str:
    """Return words that name a time and nothing else, an hour alone with its word; else nothing."""
    written = [text, f"{text}."]  # *am 16.*
    if text.isdigit():
        written.append(f"{split_list(read_time_lists(language)['at'])[0]} {text}")
    return next((each for each in written if _is_time(each, language)), "")
