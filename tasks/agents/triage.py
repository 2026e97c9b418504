"""The intent of a message to an agent, recognized without a model (docs/agents.md#triage).

An intent's score is the share of the words that it knows; scores are made to sum to 1 with that of
reasoning. Strength is the best one, ambiguity how far the second is behind. What is not recognized
is left to whoever thinks: silence of a recognizer is no intent.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.agents.action_requests import find_deed_language
from tasks.agents.alternations import split_list
from tasks.agents.calling import find_call
from tasks.agents.orders import Order, find_order
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import asking_words, words
from tasks.core.words.sentences import fold, is_stop_word, sentences

_FILE = Path(lexicon.__file__).with_name("intents.yaml")
STRONG = 0.7
"""Strength from which an intent is taken."""
KNOWN = 0.85
"""Share of the words that an intent has to know: of a short question every one."""
APART = 0.3
"""How far the second has to be behind."""
REASONING = 0.2
"""Score of reasoning, which every message has: it wins where nothing else does."""
_PLAIN = "en"
_ADDRESSED = frozenset({"you", "du", "tu", "vous", "usted", "ustedes"})
"""Words for whom one talks to: *wie heißt du* asks for no contact."""
_WHOLE = compiled(r"[^,;:?!.\n]+")
_GOING_ON = frozenset({
    "and", "but", "please", "und", "aber", "bitte", "et", "mais", "y", "pero", "now", "also",
    "jetzt",
})  # fmt: skip
"""Folded words behind which something more is wanted."""
_NUMBERED = compiled(r"(?i)\b[a-z]{1,3}-\d{2,}\b")
"""The number of a hire, an order, an invoice, as mail names it."""
_BESIDE_NUMBER = 3
"""Words with a topic beside such a number, in a question that is about it."""
_GREETINGS = 3
"""Greetings that are passed over before what is meant."""
_LONGEST = 40
"""Words beyond which a message is no plain question."""


class ChatIntent(StrEnum):
    """What is meant."""

    GREETING = "greeting"
    THANKS = "thanks"
    TIME = "time"
    HELP = "help"
    URGENT = "urgent"
    WAITING = "waiting"
    PROMISES = "promises"
    LIST_TASKS = "list_tasks"
    LIST_EVENTS = "list_events"


class UtteranceKind(StrEnum):
    """The eight kinds of what people say to agents."""

    KNOWLEDGE_LOOKUP = "knowledge_lookup"  #: something is asked that can be looked up
    KNOWLEDGE_STORE = "knowledge_store"  #: something is to be remembered
    GREETING = "greeting"
    META_QUESTION = "meta_question"  #: about the agent itself
    TOOL_REQUEST = "tool_request"  #: something is to be done
    TIME_QUERY = "time_query"
    COMPLEX_REASONING = "complex_reasoning"  #: whatever nothing else is
    CONVERSATION = "conversation"  #: it goes on with what was said


class Triage(Record):
    """What was recognized in a message."""

    intent: ChatIntent | None = None
    """What is meant; None where nothing was recognized, or too little, or two things."""
    order: Order | None = None
    """A plain order or question with what was filled in; it goes before the intent."""
    language: str = ""
    """In which language it was recognized; empty where several know it as well."""
    category: UtteranceKind = UtteranceKind.COMPLEX_REASONING
    asked: str = ""
    """What of the message was looked at, where something else of it was ordered besides."""
    besides: tuple[str, ...] = ()
    """What was ordered besides a question, as written; it is not carried out with it."""
    several: tuple[str, ...] = ()
    """The questions of a message that asks more than one, each as it would be asked alone."""
    of_entries: tuple[str, ...] | None = None
    """Ids of the entries of the knowledge that may answer it, for a question of what was just
    answered (*what does it cost?*); None where any may."""


_CATEGORY_OF_INTENT = {
    ChatIntent.GREETING: UtteranceKind.GREETING,
    ChatIntent.THANKS: UtteranceKind.CONVERSATION,
    ChatIntent.TIME: UtteranceKind.TIME_QUERY,
    ChatIntent.HELP: UtteranceKind.META_QUESTION,
}
_CATEGORY_OF_ORDER = {
    "remind": UtteranceKind.TOOL_REQUEST,
    "add_task": UtteranceKind.TOOL_REQUEST,
    "mention_task": UtteranceKind.TOOL_REQUEST,
    "finish_task": UtteranceKind.TOOL_REQUEST,
    "move_task": UtteranceKind.TOOL_REQUEST,
    "drop_task": UtteranceKind.TOOL_REQUEST,
    "add_event": UtteranceKind.TOOL_REQUEST,
    "mention_event": UtteranceKind.TOOL_REQUEST,
    "move_event": UtteranceKind.TOOL_REQUEST,
    "remove_event": UtteranceKind.TOOL_REQUEST,
    "draft_reply": UtteranceKind.TOOL_REQUEST,
    "note_contact": UtteranceKind.TOOL_REQUEST,
    "propose_knowledge": UtteranceKind.TOOL_REQUEST,
    "query": UtteranceKind.TOOL_REQUEST,
    "agree": UtteranceKind.CONVERSATION,
    "refuse": UtteranceKind.CONVERSATION,
}
"""Those that are not named are lookups."""
_MENTION = "mention_task"
"""The turn of phrase by which somebody says what they have to do, and orders nothing."""


LOOKUPS = frozenset({ChatIntent.URGENT, ChatIntent.WAITING, ChatIntent.PROMISES})
"""Plain questions that a model answers, until a person has them answered without it."""


def is_plain(meant: Triage, switched_on: Collection[str] = ()) -> bool:
    """Whether what is meant needs no model: a plain order, a greeting, the time, help.

    `switched_on` are the plain questions that a person has answered without it besides. A question
    that goes on in another sentence (*am I free on Friday? If so, …*) asks more than is recognized,
    and what somebody mentions that they have to do may be meant in another way; one beside which
    something is ordered asks more than is answered without it, and so do several questions at once.
    """
    if meant.besides or meant.several:
        return False
    plain = (UtteranceKind.GREETING, UtteranceKind.TIME_QUERY, UtteranceKind.META_QUESTION)
    thanked = meant.intent is ChatIntent.THANKS
    asked = meant.intent is not None and meant.intent in switched_on
    ordered = (
        meant.order is not None and meant.order.kind != _MENTION and not _has_more_sentences(meant)
    )
    return ordered or thanked or asked or meant.category in plain


def is_question_or_order(sentence: str) -> bool:
    """Whether a sentence is a plain question or order, so that it states nothing to remember.

    What somebody mentions that they have to do states something.
    """
    meant = triage_message(sentence)
    if has_deed(meant):
        return True
    return meant.intent is not None or (meant.order is not None and meant.order.kind != _MENTION)


def _has_more_sentences(meant: Triage) -> bool:
    """Return whether more sentences follow a plain question."""
    if meant.order is None or meant.category is not UtteranceKind.KNOWLEDGE_LOOKUP:
        return False
    return len(sentences(meant.order.rest)) > 1


def has_deed(meant: Triage) -> bool:
    """Whether something is to be done for which no plain order of ours stands."""
    unknown = meant.order is None and meant.intent is None
    return unknown and meant.category is UtteranceKind.TOOL_REQUEST


def is_follow_up(meant: Triage) -> bool:
    """Whether a message goes on with what was said, and does not say with what."""
    unknown = meant.order is None and meant.intent is None
    return unknown and meant.category is UtteranceKind.CONVERSATION


class _IntentWords(Record):
    """The words of one intent in one language."""

    keys: frozenset[str]
    stems: tuple[str, ...]
    together: tuple[frozenset[str], ...]
    """Words that are a key only where all of a row are there."""
    around: frozenset[str]
    against: tuple[frozenset[str], ...]
    """Words, all of a row, where which stand it is not meant."""
    against_stems: tuple[str, ...]
    opens: tuple[tuple[str, ...], ...]
    """Words with which a sentence begins that is meant so, whatever else it says."""

    def has_denied_words(self, message_words: Sequence[str]) -> bool:
        """Return whether a message has words where which stand the intent is not meant."""
        if self.against_stems and any(
            word.startswith(self.against_stems) for word in message_words
        ):
            return True
        return any(row <= set(message_words) for row in self.against)

    def is_key(self, word: str) -> bool:
        """Return whether a folded word is a key by itself."""
        return word in self.keys or (bool(self.stems) and word.startswith(self.stems))

    def has_key(self, message_words: Sequence[str]) -> bool:
        """Return whether a message has a key of the intent."""
        return any(self.is_key(word) for word in message_words) or any(
            row <= set(message_words) for row in self.together
        )


def triage_message(text: str, greetings: int = _GREETINGS) -> Triage:
    """Return what a message asks, as far as its words say it, behind so many greetings at most."""
    order = find_order(text)
    about_agent = order is not None and fold(order.rest) in _ADDRESSED
    if order is not None and not about_agent and find_call(order, text) is not None:
        return triage_order(order)
    meant = _triage_words(text)
    greeted = _cut_greeting(text) if meant.intent is None and greetings else ""
    if greeted:
        return triage_message(greeted, greetings - 1)
    if meant.intent is None and (language := find_deed_language(text)):
        return meant.model_copy(
            update={"language": language, "category": UtteranceKind.TOOL_REQUEST}
        )
    if meant.intent is None and (number := _find_number_asked_for(text)):
        return triage_order(Order(kind="wrote_about", language="", rest=number))
    return _triage_list_question(meant, text)


def _find_number_asked_for(text: str) -> str:
    """Return the number of a thing that somebody asks for, *what is with H-2321*; else nothing.

    A number among much else, the *I-95* of a journey, is not what is asked for.
    """
    case_numbers = _NUMBERED.findall(text)
    if sum(not is_stop_word(word) for word in words(_NUMBERED.sub(" ", text))) > _BESIDE_NUMBER:
        return ""
    asks = "?" in text or (words(text) or ("",))[0] in asking_words() or len(text.split()) == 1
    return str(case_numbers[0]) if asks and len(case_numbers) == 1 else ""


def triage_order(order: Order) -> Triage:
    """Return what a plain order or question means."""
    category = _CATEGORY_OF_ORDER.get(order.kind, UtteranceKind.KNOWLEDGE_LOOKUP)
    return Triage(order=order, language=order.language, category=category)


def _triage_list_question(meant: Triage, text: str) -> Triage:
    """Return what is meant; a question by its words for one's tasks or events as that question."""
    if meant.intent not in (ChatIntent.LIST_TASKS, ChatIntent.LIST_EVENTS):
        return meant
    rest = text if meant.intent is ChatIntent.LIST_EVENTS else ""
    order = Order(kind=meant.intent, language=meant.language or _PLAIN, rest=rest)
    return meant.model_copy(update={"intent": None, "order": order})


def _cut_greeting(text: str) -> str:
    """Return what follows a greeting; nothing where there is none, or nothing behind it.

    It is a sentence of its own, or ends at a comma: *hi, what is urgent*.
    """
    first, *rest = sentences(text) or [""]
    head, comma, behind = first.partition(",")
    if comma and behind.strip() and _triage_words(head).intent is ChatIntent.GREETING:
        return " ".join((behind.strip(), *rest))
    if not rest or _triage_words(first).intent is not ChatIntent.GREETING:
        return ""
    return " ".join(rest)


def _triage_words(text: str) -> Triage:
    """Return what the words of a message ask, whatever turn of phrase they make.

    What an apostrophe joins is apart, as the lists have it: *what's* is *what* and *s*.
    """
    text_words = [part for word in words(text) for part in word.split("'") if part]
    if not text_words or len(text_words) > _LONGEST:
        return Triage()
    if (opened := _triage_opening(text)) is not None:
        return opened
    leading = [is_stop_word(word) and word not in asking_words() for word in text_words]
    shares = {intent: _measure_strength(intent, text_words, leading) for intent in ChatIntent}
    intent = max(shares, key=lambda each: shares[each])
    rest = [REASONING, *(share for each, share in shares.items() if each is not intent)]
    total = sum(shares.values()) + REASONING
    strength, ambiguity = shares[intent] / total, (shares[intent] - max(rest)) / total
    if shares[intent] < KNOWN or strength < STRONG or ambiguity < APART:
        return Triage()
    return _build_intent_triage(intent, _choose_language(intent, text_words, leading))


def _build_intent_triage(intent: ChatIntent, language: str) -> Triage:
    """Return what a message means that was recognized as an intent in a language."""
    category = _CATEGORY_OF_INTENT.get(intent, UtteranceKind.KNOWLEDGE_LOOKUP)
    return Triage(intent=intent, language=language, category=category)


def _triage_opening(text: str) -> Triage | None:
    """Return what the beginning of a sentence says, *thanks for …*, where nothing follows it.

    What asks, or has a second part, may want something besides.
    """
    sentence = text.strip().rstrip(".!")
    if not _WHOLE.fullmatch(sentence):
        return None
    spoken = words(sentence)
    if not _GOING_ON.isdisjoint(spoken):
        return None
    for intent, by_language in _read_intent_words().items():
        for language, intent_words in by_language.items():
            if any(spoken[: len(row)] == row for row in intent_words.opens):
                return _build_intent_triage(intent, language)
    return None


def _choose_language(
    intent: ChatIntent, message_words: Sequence[str], leading: Sequence[bool]
) -> str:
    """Return the language that knows most of the words; none where two know as many."""
    shares = {
        code: _measure_share(known, message_words, leading)
        for code, known in _read_intent_words()[intent].items()
    }
    best = [code for code, share in shares.items() if share == max(shares.values())]
    return best[0] if len(best) == 1 else ""


def _measure_strength(
    intent: ChatIntent, message_words: Sequence[str], leading: Sequence[bool]
) -> float:
    """Return the share of the words that an intent knows, in the language that knows most.

    `leading` says which words lead on, articles and prepositions; they do not count.
    """
    return max(
        _measure_share(pattern_known, message_words, leading)
        for pattern_known in _read_intent_words()[intent].values()
    )


def _measure_share(
    key_words: _IntentWords, message_words: Sequence[str], leading: Sequence[bool]
) -> float:
    if not key_words.has_key(message_words) or key_words.has_denied_words(message_words):
        return 0.0
    own = key_words.around.union(*(row for row in key_words.together if row <= set(message_words)))
    hits = [key_words.is_key(word) or word in own for word in message_words]
    counted = sum(hit or not leads for hit, leads in zip(hits, leading, strict=True))
    return sum(hits) / counted


@lru_cache(maxsize=1)
def _read_intent_words() -> dict[ChatIntent, dict[str, _IntentWords]]:
    """Return the words of every intent by language."""
    table: dict[str, dict[str, dict[str, str]]] = word_list(_FILE)
    return {
        intent: {code: _build_intent_words(lists) for code, lists in table[intent].items()}
        for intent in ChatIntent
    }


def _build_intent_words(lists: Mapping[str, str]) -> _IntentWords:
    keys = split_list(lists["keys"])
    against = split_list(lists["against"]) if "against" in lists else []
    return _IntentWords(
        keys=frozenset(fold(key) for key in keys if key[-1] != "*" and "+" not in key),
        stems=tuple(fold(key[:-1]) for key in keys if key[-1] == "*"),
        together=tuple(frozenset(map(fold, key.split("+"))) for key in keys if "+" in key),
        around=frozenset(map(fold, split_list(lists["around"]))),
        against=tuple(
            frozenset(map(fold, words_against.split("+")))
            for words_against in against
            if words_against[-1] != "*"
        ),
        against_stems=tuple(fold(word[:-1]) for word in against if word[-1] == "*"),
        opens=tuple(words(row) for row in split_list(lists["opens"])) if "opens" in lists else (),
    )
