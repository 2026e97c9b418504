"""A person's sentence into a matcher, by a small grammar over a closed vocabulary.

`<what>[ from …][ about …][ in …][ with|without attachments]: <effect>[ and <effect>]`. What is not
understood is refused and named; nothing is guessed. The sentence is an operator's, never a mail's.
First version: sentences are English; what they match is mail in every language.
"""

import re2

from data.errors import PosternError
from data.records.rules import Deed, Effect, Matcher
from data.records.understanding import Category, IntentKind, Priority
from tasks.draft_words import fold, is_stop_word, words

_ANY = frozenset({"anything", "everything", "mail", "mails", "messages", "message", "all mail"})
_KINDS: dict[str, tuple[str, str]] = {
    "questions": ("intents", IntentKind.QUESTION),
    "requests": ("intents", IntentKind.REQUEST),
    "thanks": ("intents", IntentKind.ACKNOWLEDGMENT),
    "complaints": ("categories", Category.COMPLAINT),
    "suggestions": ("categories", Category.FEATURE_REQUEST),
    "feature requests": ("categories", Category.FEATURE_REQUEST),
    "billing": ("categories", Category.BILLING),
    "sales": ("categories", Category.SALES),
    "support": ("categories", Category.SUPPORT),
    "internal": ("categories", Category.INTERNAL),
    "urgent": ("priorities", Priority.URGENT),
}
_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es",
    "italian": "it", "dutch": "nl", "portuguese": "pt", "polish": "pl",
}  # fmt: skip
_ASK = frozenset({"ask", "ask me", "always ask", "always ask me", "ask a person", "review"})
_HOLD = frozenset({"hold", "hold it", "never reply", "do not reply", "no draft", "never answer"})
_FILE = frozenset({"archive", "archive it", "file", "file it", "file away", "close"})
_LOOSER = frozenset({"send", "reply", "answer", "approve", "release", "forward", "trust", "allow"})
_PARTS = re2.compile(r"(?i)\s+(from|about|in|with|without)\s+")
_ADDRESS = re2.compile(r"^[^\s@,;<>]+@[a-z0-9.-]+\.[a-z]{2,}$")
_DOMAIN = re2.compile(r"^@?([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,})$")
_TAG = re2.compile(r"^[\p{Ll}\p{Nd}]+(?:[ _-][\p{Ll}\p{Nd}]+){0,3}$")
_ARTICLES = frozenset({"a", "an", "the", "our"})
_MOST_WORDS, _MOST_HEAD = 4, 2


class UnclearRuleError(PosternError):
    """A sentence is not understood, or asks for what no rule may do; says which part."""


def compile_rule(
    sentence: str, known: dict[str, tuple[str, ...]], people: dict[str, str]
) -> Matcher:
    """Return the matcher of a sentence.

    `known` gives addresses by folded name of a contact, `people` the address of a colleague by
    folded name or address. Raises UnclearRuleError.
    """
    left, colon, right = " ".join(sentence.split()).strip(" .").rpartition(":")
    if not colon or not left.strip() or not right.strip():
        raise UnclearRuleError(
            f"{sentence!r} has no colon between what it is about and what to do; write for "
            "example 'anything about GDPR: always ask'"
        )
    found: dict[str, object] = {}
    head, *rest = _PARTS.split(left.strip())
    _head(head, found)
    for word, text in zip(rest[::2], rest[1::2], strict=True):
        _part(word.lower(), text.strip(), found, known)
    deeds = tuple(_deed(text, people) for text in _split_effects(right))
    if not found:
        raise UnclearRuleError(
            f"{left!r} would match every message; say from whom, about what, or which kind"
        )
    return Matcher.model_validate({**found, "deeds": deeds})


def _head(text: str, found: dict[str, object]) -> None:
    said = fold(text).strip()
    for opening in ("all ", "any ", "every "):
        if said.startswith(opening) and said not in _ANY:
            said = said.removeprefix(opening)
    bare = said.removesuffix(" mail").removesuffix(" messages").strip()
    if said in _ANY or bare in _ANY or not bare:
        return
    if bare in _KINDS or f"{bare}s" in _KINDS:
        field, value = _KINDS.get(bare) or _KINDS[f"{bare}s"]
        found[field] = (value,)
        return
    if bare in _LANGUAGES:
        found["languages"] = (_LANGUAGES[bare],)
        return
    if len(words(said)) > _MOST_HEAD or any(is_stop_word(word) for word in words(said)):
        raise UnclearRuleError(
            f"{text!r} is not understood; write 'anything about …', 'anything from …', or a kind "
            f"such as {', '.join(sorted(_KINDS)[:4])}"
        )
    found["topics"] = (_topic(text),)


def _part(
    word: str, text: str, found: dict[str, object], known: dict[str, tuple[str, ...]]
) -> None:
    field = {"from": "senders", "about": "topics", "in": "languages"}.get(word, "attachments")
    if field != "topics" and (field in found or (field == "senders" and "domains" in found)):
        raise UnclearRuleError(f"it says {word!r} twice; write two rules, or join them with 'or'")
    if word == "from":
        _from(text, found, known)
    elif word == "about":
        earlier = found.get("topics", ())
        found["topics"] = (*earlier, tuple(_alternatives(text)))  # type: ignore[misc]
    elif word == "in":
        codes = [_LANGUAGES.get(fold(name)) for name in text.replace(",", " or ").split(" or ")]
        if None in codes:
            raise UnclearRuleError(
                f"{text!r} is no language that is known; there are {', '.join(_LANGUAGES)}"
            )
        found["languages"] = tuple(codes)
    elif fold(text) in ("attachment", "attachments", "an attachment", "files"):
        found["attachments"] = word == "with"
    else:
        raise UnclearRuleError(f"{word + ' ' + text!r} is not understood; write 'with attachments'")


def _from(text: str, found: dict[str, object], known: dict[str, tuple[str, ...]]) -> None:
    senders: list[str] = []
    domains: list[str] = []
    for name in text.replace(",", " or ").split(" or "):
        folded = fold(name).strip()
        bare = folded.removeprefix("our ").removeprefix("the ").strip()
        if _ADDRESS.match(folded):
            senders.append(folded)
        elif match := _DOMAIN.match(folded):
            domains.append(match[1])
        elif bare in known:
            senders += known[bare]
        else:
            raise UnclearRuleError(
                f"who {name.strip()!r} is, is not known; give an address or a domain, or the name "
                "of a contact as the contacts have it"
            )
    if senders:
        found["senders"] = tuple(dict.fromkeys(senders))
    if domains:
        found["domains"] = tuple(dict.fromkeys(domains))


def _alternatives(text: str) -> list[str]:
    return [word for part in text.replace(",", " or ").split(" or ") for word in _topic(part)]


def _topic(text: str) -> tuple[str, ...]:
    """Return one topic as its phrase."""
    said = words(text)
    while said and said[0] in _ARTICLES:
        del said[0]
    if len(said) > _MOST_WORDS or all(is_stop_word(word) for word in said):
        raise UnclearRuleError(
            f"{text.strip()!r} is not understood; name a topic in at most {_MOST_WORDS} words"
        )
    return (" ".join(said),)


def _split_effects(text: str) -> list[str]:
    return [part.strip() for part in text.replace(",", " and ").split(" and ") if part.strip()]


def _deed(text: str, people: dict[str, str]) -> Deed:
    said = fold(text)
    for group, effect in ((_ASK, Effect.ASK), (_HOLD, Effect.HOLD), (_FILE, Effect.ARCHIVE)):
        if said in group:
            return Deed(effect=effect)
    first, _, rest = said.partition(" ")
    if first in ("tag", "label") and rest:
        tag = rest.removeprefix("it ").removeprefix("as ").strip("'\" ")
        if _TAG.match(tag) and len(tag) <= 40:
            return Deed(effect=Effect.TAG, argument=tag)
        raise UnclearRuleError(f"{rest!r} cannot be a tag; use small letters, digits and '-'")
    if first in ("assign", "give", "hand") and rest:
        name = rest.removeprefix("it ").removeprefix("to ").strip()
        if name in people:
            return Deed(effect=Effect.ASSIGN, argument=people[name])
        raise UnclearRuleError(f"{name!r} is none of the organization's people; name one of them")
    if _LOOSER & set(words(said)):
        raise UnclearRuleError(
            f"{text!r} would let something happen; a rule can only restrict or file: always ask, "
            "hold, archive, tag …, assign to …"
        )
    raise UnclearRuleError(
        f"{text!r} is not understood; there are: always ask, hold, archive, tag …, assign to …"
    )
