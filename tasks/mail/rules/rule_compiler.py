"""A person's sentence into a matcher, by a small grammar over a closed vocabulary.

`<what>[ from …][ about …][ in …][ with|without attachments]: <effect>[ and <effect>]`, in any of
eight languages (`data/lexicons/rules`). What is not understood is refused and named, with what was
understood so far; nothing is guessed. The sentence is an operator's, never a mail's.
"""

from data.errors import UnfitError
from data.records.mail.rules import Deed, Matcher, RuleEffect
from tasks.core.language.english_bridge import gloss
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, is_stop_word, words
from tasks.mail.rules.freely import split_halves
from tasks.mail.rules.grammar import Grammar, grammars
from tasks.mail.rules.wording import conditions

_ADDRESS = compiled(r"^[^\s@,;<>]+@[a-z0-9.-]+\.[a-z]{2,}$")
_DOMAIN = compiled(r"^@?([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,})$")
_TAG = compiled(r"^[\p{Ll}\p{Nd}]+(?:[ _-][\p{Ll}\p{Nd}]+){0,3}$")
_NO_COLON = (
    "{said!r} has no colon between what it is about and what to do; write for "
    "example 'anything about GDPR: always ask'"
)
_TOO_MUCH = (
    "{said!r} would let something happen; a rule can only restrict or file: always ask, "
    "hold, archive, tag …, assign to …"
)
_EFFECTS = {"ask": RuleEffect.ASK, "hold": RuleEffect.HOLD, "file": RuleEffect.ARCHIVE}
_MOST_WORDS, _MOST_HEAD, _LINK = 4, 2, 1

MatcherParts = dict[str, object]
KnownNames = dict[str, tuple[str, ...]]


class UnclearRuleError(UnfitError):
    """A sentence is not understood, or asks for what no rule may do; says which part."""


class LooserRuleError(UnclearRuleError):
    """A sentence asks for what no rule may do."""


def compile_rule(sentence: str, known_words: KnownNames, people: dict[str, str]) -> Matcher:
    """Return the matcher of a sentence, in the language in which all of it is understood.

    `known_words` gives addresses by folded name of a contact, `people` the address of a colleague
    by folded name or address. Raises UnclearRuleError, which says what was understood so far in the
    language that understood most.
    """
    left, colon, right = " ".join(sentence.split()).strip(" .").rpartition(":")
    refusals: list[tuple[int, UnclearRuleError]] = []
    for grammar in grammars():
        ways = [(left, right)] if colon else list(split_halves(right, grammar))
        if not colon and _asks_for_more(right, grammar, ways):
            raise LooserRuleError(_TOO_MUCH.format(said=sentence))
        for about, deed in ways:
            matcher = _read(about, deed, people, known_words, grammar)
            if isinstance(matcher, Matcher):
                return matcher
            refusals.append(matcher)
    if not colon or not left.strip() or not right.strip():
        refusals.append((-1, UnclearRuleError(_NO_COLON.format(said=sentence))))
    raise max(refusals, key=lambda refusal: refusal[0])[1]


def _read(
    left: str, right: str, people: dict[str, str], known_words: KnownNames, grammar: Grammar
) -> Matcher | tuple[int, UnclearRuleError]:
    """Return the matcher of the two halves of a sentence, or why not and how much was read."""
    fields: MatcherParts = {}
    deeds: list[Deed] = []
    if not left.strip() or not right.strip():
        return -1, UnclearRuleError(_NO_COLON.format(said=f"{left}:{right}"))
    try:
        for text in grammar.split_at_and(fold(right).strip()):
            deeds.append(_deed(text, people, grammar))
        _conditions_of(left, grammar, fields, known_words)
        return Matcher.model_validate({**fields, "deeds": tuple(deeds)})
    except UnclearRuleError as error:
        understood = conditions(fields)
        progress = 10 * len(deeds) + len(understood) + 5 * isinstance(error, LooserRuleError)
        return progress, _so_far(error, understood)


def _asks_for_more(order: str, grammar: Grammar, ways: list[tuple[str, str]]) -> bool:
    """Return whether a sentence that can be read in no way wants something to happen."""
    spoken = words(order)
    return not ways and bool(spoken) and bool(grammar.looser & {spoken[0], spoken[-1]})


def _so_far(error: UnclearRuleError, understood: list[str]) -> UnclearRuleError:
    if not understood:
        return error
    return UnclearRuleError(f"{error} (understood so far: {', and '.join(understood)})")


def _conditions_of(
    left: str, grammar: Grammar, fields: MatcherParts, known_words: KnownNames
) -> None:
    """Fill in what a message must be like; what was understood stays when the rest is not."""
    head, parts = grammar.split_into_parts(fold(left).strip())
    _head(head, grammar, fields)
    for name, text in parts:
        _part(name, text, grammar, fields, known_words)
    if not fields:
        raise UnclearRuleError(
            f"{left.strip()!r} would match every message; say from whom, about what, or which kind"
        )


def _head(order: str, grammar: Grammar, fields: MatcherParts) -> None:
    for opening in grammar.every:
        if order.startswith(f"{opening} ") and order not in grammar.any:
            order = order.removeprefix(opening).strip()
            break
    bare = order
    for ending in grammar.articles:
        bare = bare.removesuffix(f" {ending}").strip()
    if bare not in grammar.any and bare not in grammar.kinds:
        bare = " ".join(grammar.without_leading_articles(bare.split()))
    if order in grammar.any or bare in grammar.any or not bare:
        return
    if bare in grammar.kinds:
        field, _, value = grammar.kinds[bare].partition(":")
        fields[field] = (value,)
    elif bare in grammar.languages:
        fields["languages"] = (grammar.languages[bare],)
    elif len(words(bare)) > _MOST_HEAD + _LINK * bool(grammar.linkers & set(bare.split())) or any(
        is_stop_word(word) and word not in grammar.linkers for word in words(bare)
    ):
        raise UnclearRuleError(
            f"{order!r} is not understood; write 'anything about …', 'anything from …', or a kind "
            f"such as {', '.join(sorted(grammar.kinds)[:4])}"
        )
    else:
        fields["topics"] = (_topic(bare, grammar),)


def _part(
    name: str, text: str, grammar: Grammar, fields: MatcherParts, known_words: KnownNames
) -> None:
    field = {"from": "senders", "about": "topics", "in": "languages"}.get(name, "attachments")
    if field != "topics" and (field in fields or (field == "senders" and "domains" in fields)):
        raise UnclearRuleError(f"it says {name!r} twice; write two rules, or join them with 'or'")
    if name == "from":
        _from(text, grammar, fields, known_words)
    elif name == "about":
        every = [form for choice in grammar.split_at_or(text) for form in _topic(choice, grammar)]
        fields["topics"] = (*fields.get("topics", ()), tuple(every))  # type: ignore[misc]
    elif name == "in":
        codes = [grammar.languages.get(choice) for choice in grammar.split_at_or(text)]
        if None in codes:
            raise UnclearRuleError(
                f"{text!r} is no language that is known; there are {', '.join(grammar.languages)}"
            )
        fields["languages"] = tuple(codes)
    elif text in grammar.attachments:
        fields["attachments"] = name == "with"
    else:
        raise UnclearRuleError(f"{name + ' ' + text!r} is not understood; write 'with attachments'")


def _from(text: str, grammar: Grammar, fields: MatcherParts, known_words: KnownNames) -> None:
    senders: list[str] = []
    domains: list[str] = []
    for name in grammar.split_at_or(text):
        bare = " ".join(grammar.without_leading_articles(name.split()))
        last = name.split()[-1]
        if len(name.split()) <= _MOST_WORDS and _ADDRESS.match(last):
            name = last  # what stands before an address only says who that is
        if _ADDRESS.match(name):
            senders.append(name)
        elif match := _DOMAIN.match(name):
            domains.append(match[1])
        elif bare in known_words:
            senders += known_words[bare]
        else:
            raise UnclearRuleError(
                f"who {name!r} is, is not known; give an address or a domain, or the name "
                "of a contact as the contacts have it"
            )
    if senders:
        fields["senders"] = tuple(dict.fromkeys(senders))
    if domains:
        fields["domains"] = tuple(dict.fromkeys(domains))


def _topic(text: str, grammar: Grammar) -> tuple[str, ...]:
    """Return one topic as its phrase, and in English where the dictionary has every word of it."""
    topic_words = grammar.without_leading_articles(words(text))
    if len(topic_words) > _MOST_WORDS or all(is_stop_word(word) for word in topic_words):
        raise UnclearRuleError(
            f"{text.strip()!r} is not understood; name a topic in at most {_MOST_WORDS} words"
        )
    limit = next((word for word in topic_words if word in grammar.limits), "")
    if limit:
        raise UnclearRuleError(
            f"{text.strip()!r} is not understood: no rule knows what {limit!r} means; name a topic "
            "alone"
        )
    if grammar.looser & set(topic_words):
        raise LooserRuleError(_TOO_MUCH.format(said=text.strip()))
    own = " ".join(topic_words)
    english = [gloss(word, grammar.code) for word in topic_words] if grammar.code != "en" else []
    if not english or None in english:
        return (own,)
    return tuple(
        dict.fromkeys((own, " ".join(english_word for english_word in english if english_word)))
    )


def _deed(order: str, people: dict[str, str], grammar: Grammar) -> Deed:
    effect, argument = grammar.effect_of(order) or ("", "")
    if effect in _EFFECTS:
        return Deed(effect=_EFFECTS[effect])
    if effect == "tag":
        if _TAG.match(argument) and len(argument) <= 40:
            return Deed(effect=RuleEffect.TAG, argument=argument)
        raise UnclearRuleError(f"{argument!r} cannot be a tag; use small letters, digits and '-'")
    if effect == "assign":
        if argument in people:
            return Deed(effect=RuleEffect.ASSIGN, argument=people[argument])
        raise UnclearRuleError(
            f"{argument!r} is none of the organization's people; name one of them"
        )
    if grammar.looser & set(words(order)):
        raise LooserRuleError(_TOO_MUCH.format(said=order))
    raise UnclearRuleError(
        f"{order!r} is not understood; there are: always ask, hold, archive, tag …, assign to …"
    )
