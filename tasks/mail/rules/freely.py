"""Rules as people write them without a colon, put into the form with one.

*Always ask about refunds*, *tag warranty questions as warranty*, *Beschwerden bitte immer an …*:
the effect stands first, last, or around what it is about. Only the form is changed here; what the
two halves mean is read as strictly as ever.
"""

from collections.abc import Iterator

from tasks.core.words.sentences import fold
from tasks.mail.rules.grammar import Grammar

_BETWEEN = " ,;"


def split_halves(sentence: str, grammar: Grammar) -> Iterator[tuple[str, str]]:
    """Yield what a folded sentence without a colon is about, and what to do, each way to read it.

    The ways that leave the least for the matter come first.
    """
    folded_sentence = " ".join(fold(sentence).split())
    for effect, patterns in grammar.around.items():
        for pattern in patterns:
            halves_around = _around(folded_sentence, pattern)
            if halves_around is not None:
                what, order = halves_around
                yield _matter(what, grammar), _deed(effect, order, grammar)
    for words in sorted(grammar.plain_effects, key=len, reverse=True):
        if folded_sentence.startswith(f"{words} ") and words not in grammar.kinds:
            yield _matter(folded_sentence.removeprefix(words), grammar), words
        if folded_sentence.endswith((f" {words}", f",{words}")):
            yield _matter(folded_sentence.removesuffix(words), grammar), words
    head, comma, tail = folded_sentence.partition(",")
    if comma:
        yield _matter(head, grammar), tail.strip(_BETWEEN)


def _around(sentence: str, pattern: str) -> tuple[str, str] | None:
    """Return what stands for `{what}` and for `{x}` in a pattern; the latter may be empty."""
    before, _, rest = pattern.partition("{what}")
    middle, _, after = rest.partition("{x}")
    if not sentence.startswith(before) or (after and not sentence.endswith(after)):
        return None
    inner = sentence[len(before) : len(sentence) - len(after)] if after else sentence[len(before) :]
    if "{x}" not in pattern:
        what = inner.removesuffix(middle)
        return (what, "") if inner.endswith(middle) and what else None
    what, mark, condition_given = inner.rpartition(middle)
    return (what, condition_given) if mark and what.strip() and condition_given.strip() else None


def _matter(matter_text: str, grammar: Grammar) -> str:
    """Return what a rule is about without words that say nothing, led in as a matter."""
    matter_text = matter_text.strip(_BETWEEN)
    while (word := next((w for w in grammar.filler if matter_text.endswith(f" {w}")), "")) != "":
        matter_text = matter_text.removesuffix(word).strip(_BETWEEN)
    lead = next(
        (lead_words for lead_words in grammar.lead if matter_text.startswith(f"{lead_words} ")), ""
    )
    if not lead:
        return matter_text
    rest = matter_text.removeprefix(lead).strip()
    head, parts = grammar.split_into_parts(rest)
    opens = any(rest == joker or rest.startswith(f"{joker} ") for joker in grammar.any)
    plain = grammar.without_leading_articles(rest.split())
    kind = " ".join(plain) in grammar.kinds
    if opens or kind or not head or (parts and head in grammar.kinds):
        return " ".join(plain) if kind else rest
    return f"{grammar.anything} {grammar.about} {rest}"


def _deed(effect: str, deed_text: str, grammar: Grammar) -> str:
    """Return an effect as the strict form has it."""
    if effect in ("tag", "assign"):
        return grammar.template_of(effect).replace("{x}", deed_text.strip(_BETWEEN))
    return next(words for words, name in grammar.plain_effects.items() if name == effect)
