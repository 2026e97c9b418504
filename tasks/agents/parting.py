"""The questions of a message in which something else is ordered (docs/agents.md#triage).

*How many cases wait, and call Priya* is a question, and an order besides. The question is answered,
and the order is named as one that was not carried out: nothing that was ordered is passed over.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import data.lexicons.agents as lexicon
from data.records.core.tools import Source
from data.word_lists import word_list
from tasks.agents.alternations import build_alternation, split_list
from tasks.agents.conversing import Answer, escape_words
from tasks.agents.triage import ChatIntent, Triage, UtteranceKind, has_deed, triage_message
from tasks.core.patterns import compiled
from tasks.core.wording import word_sentence
from tasks.core.words.questions import has_topic, points, wants_number
from tasks.core.words.sentence_rows import WordRows, asking_words, words
from tasks.core.words.sentences import sentences

if TYPE_CHECKING:
    import re2

_FILE = Path(lexicon.__file__).with_name("parting.yaml")
_SOURCE = compiled(r"(^|[^\\])\[(\d+)\]")
"""The mark of a source in an answer; where somebody wrote one it is escaped."""
_EDGES = " \t\n,;–-"
_MOST = 12
"""Pieces of a message beyond which it is no plain question with an order."""
_MOST_PIECES = 4 * _MOST
"""Pieces of a message that are looked at one by one: a list of names is no list of questions."""
_FEWEST = 2
"""Words below which nothing is a question of its own."""
_COURTESIES = frozenset({ChatIntent.GREETING, ChatIntent.THANKS})
"""What is said besides and asks nothing."""
_UNORDERED = frozenset({"mention_task", "mention_event", "query"})
"""Turns of phrase that ask for something to be done, and order nothing."""


class _Piece(NamedTuple):
    """A part of a message that may stand by itself."""

    text: str
    joint: str
    """What stands between it and the piece before; nothing where a sentence begins."""

    @property
    def apart(self) -> bool:
        """Whether a comma or the end of a sentence stands before it."""
        return self.joint.lstrip()[:1] in ("", ",", ";")


def recognize_message(text: str) -> Triage:
    """Return what a message asks; where it orders something besides, with what that is."""
    whole = triage_message(text)
    filled_in = _is_order(whole) and whole.order is not None
    pieces = list(_split_pieces(text, within=not filled_in))
    asked, ordered = _part_pieces(pieces) if 1 < len(pieces) <= _MOST else ([], [])
    if not asked or not ordered:
        return whole.model_copy(update={"several": _list_questions(text, whole)})
    question = " ".join(asked)
    return triage_message(question).model_copy(
        update={"asked": question, "besides": tuple(ordered)}
    )


def _list_questions(text: str, whole: Triage) -> tuple[str, ...]:
    """Return the questions of a message that asks more than one; nothing where it asks one.

    One of them has to be a plain question. What is plain as it stands (*which cases are open and
    wait*) is one question, unless each part is one of another kind; one that takes all that follows
    for a name (*who is Ana and what is urgent*) is not.
    """
    parts = list_asked_parts(text)
    meant = [triage_message(part) for part in parts]
    if whole.intent is not None or (whole.order is not None and not whole.order.rest):
        kinds = {each.order.kind if each.order is not None else each.intent for each in meant}
        return parts if len(kinds - {None}) == len(parts) else ()
    return parts if any(map(_is_recognized, meant)) else ()


def list_asked_parts(text: str) -> tuple[str, ...]:
    """Return the parts of a message that each ask something; nothing where it has not several."""
    parts: list[str] = []
    pieces = list(islice(_split_pieces(text, within=True), _MOST_PIECES + 1))
    if len(pieces) > _MOST_PIECES:
        return ()
    for piece in pieces:
        of_letters = sum(map(str.isalpha, words(piece.text)))
        is_bare = of_letters < _FEWEST  # *between 9 and 26?*, *and why?*
        if parts and (is_bare or not _is_question(piece.text)):
            parts[-1] = f"{parts[-1]}{piece.joint}{piece.text}"
        else:
            parts.append(piece.text)
    parts = [part.strip(_EDGES) for part in parts]
    return tuple(parts) if 1 < len(parts) <= _MOST and all(map(_is_question, parts)) else ()


def split_open_question(text: str, meant: Triage) -> tuple[str, ...]:
    """Return the parts of an open question where one of them is about nothing of the others.

    *What are the opening hours and where are you* looked up as one finds what has the words of
    both. A part that asks for a number, or points at something, is about what stands before it.
    """
    parts = list_asked_parts(text) if meant.order is None and meant.intent is None else ()
    return parts if any(map(_has_own_topic, parts[1:])) else ()


def _has_own_topic(part: str) -> bool:
    return not (has_topic(part) or wants_number(part) or points(part))


def join_answers(answers: Sequence[tuple[str, Answer]], language: str) -> Answer:
    """Return the answers to several questions as one, their sources numbered through.

    A question that has no answer is named with a word of that.
    """
    pieces: list[str] = []
    sources: list[Source] = []
    for question, answer in answers:
        if not answer.sources and answer.declined:
            pieces.append(word_sentence(language, "apart_unknown", words=escape_words(question)))
            continue
        pieces += [_raise_numbers(piece, len(sources)) for piece in answer.pieces]
        sources += answer.sources
    declined = all(answer.declined for _, answer in answers)
    return Answer(pieces=tuple(pieces), sources=tuple(sources), declined=declined)


def _raise_numbers(piece: str, before: int) -> str:
    """Return a piece with the numbers of its sources raised; others can write no such marks."""
    return str(_SOURCE.sub(lambda mark: f"{mark[1]}[{int(mark[2]) + before}]", piece))


def hint_of(meant: Triage) -> str:
    """Return what a model may know of a message before it thinks; nothing where nothing is sure."""
    hints = []
    if meant.intent is not None:
        hints.append(f"a question of the kind {meant.intent.value!r}")
    elif meant.order is not None or has_deed(meant):
        hints.append(f"a {meant.category.value.replace('_', ' ')}")
    if meant.besides:
        hints.append("something is ordered besides: do it too, or say that it was not done")
    return "; ".join(hints)


def add_undone(answer: Answer, meant: Triage, language: str) -> Answer:
    """Return an answer that also says what was ordered beside the question, and was not done."""
    pieces = tuple(
        word_sentence(
            language,
            "besides_alone" if triage_message(ordered).order is not None else "besides_not_mine",
            words=escape_words(ordered.rstrip(".!")),
        )
        for ordered in meant.besides
    )
    return answer.model_copy(update={"pieces": (*answer.pieces, *pieces)})


def _part_pieces(pieces: Sequence[_Piece]) -> tuple[list[str], list[str]]:
    """Return what is asked, or said, and what is ordered; nothing asked where nothing is."""
    parts: list[str] = []
    for piece in pieces:
        if parts and not _is_new_part(parts[-1], piece):
            parts[-1] = f"{parts[-1]}{piece.joint}{piece.text}"
        else:
            parts.append(piece.text)
    ordered = [part.strip(_EDGES) for part in parts if _is_order(triage_message(part))]
    asked = [part.strip(_EDGES) for part in parts if not _is_order(triage_message(part))]
    return (asked, ordered) if any(map(_is_question, asked)) else ([], [])


def _is_new_part(before: str, piece: _Piece) -> bool:
    """Return whether a piece is a question behind an order, or an order behind a question."""
    if not piece.joint:
        return True
    if _is_order(triage_message(before)):
        return _is_question(piece.text)
    if not _is_question(before) or not _is_order(triage_message(piece.text)):
        return False
    return piece.apart or _is_recognized(triage_message(before)) or not _may_lead_on(before)


def _is_order(meant: Triage) -> bool:
    """Return whether something is to be done."""
    if meant.order is None:
        return has_deed(meant)
    plain = meant.category is UtteranceKind.TOOL_REQUEST
    return plain and meant.order.kind not in _UNORDERED


def _is_question(text: str) -> bool:
    """Return whether a part of a message asks something."""
    meant = triage_message(text)
    if _is_order(meant):
        return False
    first = (words(text) or ("",))[0]
    return "?" in text or first in asking_words() or _is_recognized(meant)


def _is_recognized(meant: Triage) -> bool:
    """Return whether a part is a plain question."""
    if meant.order is not None:
        return meant.category is UtteranceKind.KNOWLEDGE_LOOKUP
    return meant.intent is not None and meant.intent not in _COURTESIES


def _may_lead_on(text: str) -> bool:
    """Return whether a second verb may belong to what is asked."""
    return _read_leading_rows().first(words(text)) >= 0


def _split_pieces(text: str, *, within: bool) -> Iterator[_Piece]:
    """Yield the pieces of a message: its sentences, and `within` them what words join."""
    for sentence in sentences(text):
        opening = _build_opening_pattern().match(sentence)
        begin, joint = opening.end() if opening else 0, ""
        for match in _build_joint_pattern().finditer(sentence, begin) if within else ():
            yield _Piece(sentence[begin : match.start()], joint)
            begin, joint = match.end(), match.group()
        yield _Piece(sentence[begin:], joint)


@cache
def _build_joint_pattern() -> "re2._Regexp":
    """Return the pattern of what joins two parts of a sentence: a comma, words, or both."""
    return compiled(
        rf"(?i)\s*[,;]\s+(?:(?:{_build_joining_words()})\s+)?|\s+(?:{_build_joining_words()})\s+"
    )


@cache
def _build_opening_pattern() -> "re2._Regexp":
    """Return the pattern of a word that joins a sentence to the one before."""
    return compiled(rf"(?i)[¿¡]?(?:{_build_joining_words()})\s+")


def _build_joining_words() -> str:
    """Return the words that join, as an alternation."""
    return build_alternation(
        [phrase for lists in _read_table().values() for phrase in split_list(lists["joins"])]
    )


@cache
def _read_leading_rows() -> WordRows:
    listed = [
        phrase for lists in _read_table().values() for phrase in split_list(lists["leads_on"])
    ]
    return WordRows(frozenset(row for phrase in listed if (row := words(phrase))))


def _read_table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table
