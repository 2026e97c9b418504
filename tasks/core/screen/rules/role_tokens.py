"""Marks that separate roles in a model's conversation; nobody writes them in a letter."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache

import re2

from data.lexicons.screen import MARKS, lexicon_of, read
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled, compiled_set
from tasks.core.screen.combinations import REPORT_WEIGHT, weighed
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.folding import keep_visible, undo_presentation
from tasks.core.screen.words.framing import frame, frame_of, words_of
from tasks.core.screen.words.scanned import Text
from tasks.core.screen.words.spotting import mask_of, mask_within, spot
from tasks.core.screen.words.vocabulary import Vocabulary

_AROUND = 150
"""Characters before and after a mark that tell whether somebody writes about it."""
_TICKET_WEIGHT = 0.3
"""What a mark counts beside words of tickets on what models are fed with."""
_NOTICE_WEIGHT = 0.3
"""What `[SYSTEM]` counts before a notice on disks and mailboxes that says nothing to a model."""
_QUOTED_WEIGHT = 0.3
"""What a mark counts that stands between quotation marks by itself."""
_IN_A_SENTENCE = 0.6
"""What a mark counts that begins a turn, and stands in a sentence as a word does."""
_MOST = 10
"""Marks of one kind that are looked at in a text."""
_UNUSUAL = compiled(
    r"[＜［｜]|[<\[|]\S{0,30}[\x{AD}\x{200B}-\x{200F}\x{2060}-\x{2064}\x{FEFF}\x{E0001}-\x{E007F}]"
)
"""Sign of marks that are not written plainly."""
_QUOTES_OPEN = compiled(r"(?:^|[^`])[\"“„«「`]$")
_QUOTES_CLOSE = compiled(r"^[\"”“»」`](?:$|[^`])")
_CLOSES = compiled(r"(?i)/|end|eot|eos")
_GOES_BEFORE = compiled(r"\p{Ll}[,:]? $")
_GOES_ON = compiled(r"^ \p{Ll}{2,}[ ,.]|^[.,](?:\s|$)")
_TO_MODELS = (
    "override|instruction|machine|automaton|assistant|prompt_object|own_rules|response|persona"
    "|freedom|task_switch|target|hoard"
)

_ORDERS = "override|prompt_object|own_rules|freedom|task_switch|target|hoard|conceal"
"""What no ticket shows between marks to say that these are wrong."""


@cache
def patterns() -> tuple[tuple["re2._Regexp", float, bool], ...]:
    """Return (pattern, score, whether a colon or order must follow) from `role_tokens.yaml`."""
    return tuple(
        (compiled(row["pattern"]), float(row["score"]), bool(row.get("alone", True)))
        for row in read("role_tokens")["patterns"]
    )


@cache
def _any() -> "re2.Set":
    """Return one pattern for all, so that ordinary mail costs a single search."""
    return compiled_set([_all()])


@cache
def _every() -> "re2._Regexp":
    """Return one pattern for all that says where they stand; for texts that have some."""
    return compiled(_all())


def _all() -> str:
    return "|".join(f"(?:{row['pattern']})" for row in read("role_tokens")["patterns"])


@cache
def _read_topic_words() -> Vocabulary:
    """Return the words of who writes about marks, models or attacks."""
    return Vocabulary(lexicon_of(MARKS))


def _has_mark(text: str) -> bool:
    return bool(_any().Match(text))


@lru_cache(maxsize=4096)
def _short_marked(text: str) -> bool:
    """Return the same for a short text; names, headers and footers come with every message."""
    return _has_mark(text)


def look(views: Views) -> Iterator[Find]:
    """Find forged role marks and prompt boundaries."""
    for text in map(_plainly, views.texts):
        if not (_short_marked if text.short else _has_mark)(text.text):
            continue
        for pattern, score, _ in patterns():
            loudest = _loudest(text, pattern)
            if loudest is not None:
                weight, mark = loudest
                excerpt = text.text[max(0, mark.start() - 20) : mark.end() + 80]
                yield Find(text.place, excerpt, weighed(text, score * weight))


def _plainly(text: Text) -> Text:
    """Return a text with marks in full width, or with unseen letters in them, as tokenizers do."""
    if text.text.isascii() or _UNUSUAL.search(text.text) is None:
        return text
    return replace(text, text=undo_presentation(keep_visible(text.text)))


def _loudest(text: Text, pattern: "re2._Regexp") -> tuple[float, "re2._Match"] | None:
    """Return the mark that least is written about, and what it counts; a later one may be meant."""
    loudest: tuple[float, re2._Match] | None = None
    for number, mark in enumerate(pattern.finditer(text.text)):
        weight = _weigh_around(text, mark) if number < _MOST else 1.0  # nobody writes about so many
        if loudest is None or weight > loudest[0]:
            loudest = weight, mark
        if weight == 1:
            break
    return loudest


def _weigh_around(text: Text, match: "re2._Match") -> float:
    """Return less than 1 where somebody writes about such marks, or a program about disks."""
    if text.disguised or text.place is MessagePlace.HIDDEN:
        return 1.0
    begin, end = max(0, match.start() - _AROUND), match.end() + _AROUND
    rest = text.text[match.end() : end]
    text_after = _without_marks(f"{text.text[begin : match.start()]}\n{rest}")
    words = words_of(text_after)
    frames = frame_of(words)
    if frames & frame("notice") and _notice(match.group(0), rest):
        return _NOTICE_WEIGHT
    reported = bool(
        mask_within(words, _read_topic_words()) and spot(text_after).mask & mask_of("report")
    )
    if frames & frame("model_parts") and not spot(rest).mask & mask_of(_ORDERS):
        return _TICKET_WEIGHT if reported or frames & frame("transcript") else REPORT_WEIGHT
    weight = REPORT_WEIGHT if reported else 1.0
    return min(weight, _mentioned(text.text[begin : match.start()], match.group(0), rest))


def _without_marks(around: str) -> str:
    """Return what stands around a mark without further marks: a *token* in one tells of none."""
    return str(_every().sub(" ", around))


def _mentioned(before: str, mark: str, after: str) -> float:
    """Return less than 1 for a mark that is quoted by itself, or a word in somebody's sentence.

    Not where anything around it is an order for a model.
    """
    if spot(f"{before} {after}").mask & mask_of(_ORDERS):
        return 1.0
    if _QUOTES_OPEN.search(before) is not None and _QUOTES_CLOSE.search(after) is not None:
        return _QUOTED_WEIGHT
    in_a_sentence = _GOES_BEFORE.search(before) is not None and _GOES_ON.search(after) is not None
    closes = _CLOSES.search(mark) is not None  # and so begins nobody's turn
    return (REPORT_WEIGHT if closes else _IN_A_SENTENCE) if in_a_sentence else 1.0


def _notice(mark: str, rest: str) -> bool:
    """Whether `mark` begins a notice, and `rest` says nothing to a model."""
    begins = mark.lstrip(" \t\n>*").lower().startswith(("[system]", "system message"))
    notice_words = mark.partition("]")[2]
    return begins and not spot(f"{notice_words}{rest}").mask & mask_of(_TO_MODELS)


RULE = ScreenRule(
    name="role_tokens",
    sentence="Forges the marks that separate system, user and assistant for a model.",
    technique="delimiter_attack",
    layer=FilterLayer.INJECTION,
    severity=0.9,
    look=look,
)
