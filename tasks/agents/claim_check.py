"""The claims of a model's answer, held against the results that it names as its sources.

Numbers, amounts, days, names and promises are looked for, as in a draft: words are compared, not
meanings. It stops no answer; people see which of its words no result holds.
"""

from collections.abc import Iterator, Mapping, Sequence

from data.records.agents.turn_work import ClaimStanding, StatedClaim
from tasks.core.claims.claims import Claim, claims
from tasks.core.claims.holding import holds
from tasks.core.patterns import compiled
from tasks.core.words.sentences import sentences

_REFERENCE = compiled(r"\[(\d{1,3})\]")
_BEHIND_STOP = compiled(r"([.!?])\s*((?:\[\d{1,3}\]\s*)+)")
_LIST_SIGN = compiled(r"(?m)^\s*(?:\d{1,3}[.)]|[-*#]+)\s+")
_SIGNS = compiled(r"[*_`]")
_MOST = 60
"""Claims of one answer that are looked at."""
_NO_CLAIMS = frozenset({"commitment"})
"""What is none in a chat: an agent that says *I will* promises no customer anything."""


def check_claims(
    text: str, texts: Mapping[int, str], beside: Sequence[str]
) -> tuple[StatedClaim, ...]:
    """Return what an answer states, each with where it stands.

    Args:
        text: of the answer in Markdown, with the numbers of its sources: `[2]`.
        texts: what each source says, by its number.
        beside: whatever else was before who thinks: what was asked, remembered, and told without a
            source.

    """
    stated: list[StatedClaim] = []
    whole = _BEHIND_STOP.sub(r" \2\1 ", _LIST_SIGN.sub("", text))
    for sentence in sentences(whole):
        cited = [int(number) for number in _REFERENCE.findall(sentence)]
        plain = _SIGNS.sub("", _REFERENCE.sub("", sentence)).strip()
        stated += _check_sentence(plain, cited, texts, beside)
    return tuple(stated[:_MOST])


def _check_sentence(
    sentence: str, cited: Sequence[int], texts: Mapping[int, str], beside: Sequence[str]
) -> Iterator[StatedClaim]:
    """Yield the claims of a sentence; one that is a part of another is looked at with that one."""
    every = {
        claim.excerpt.strip(): claim for claim in claims(sentence) if claim.kind not in _NO_CLAIMS
    }
    stated = {
        excerpt: claim
        for excerpt, claim in every.items()
        if not any(excerpt != longer and excerpt in longer for longer in every)
    }
    named = {
        excerpt: {number for number in cited if holds(texts.get(number, ""), claim, sentence)}
        for excerpt, claim in stated.items()
    }
    in_named = [numbers for numbers in named.values() if numbers]
    stitched = len(in_named) > 1 and not set.intersection(*in_named)
    for excerpt, claim in stated.items():
        standing = ClaimStanding.SUPPORTED
        if named[excerpt]:
            standing = ClaimStanding.STITCHED if stitched else standing
        elif not any(holds(other, claim, sentence) for other in beside):
            elsewhere = _is_held(claim, sentence, texts)
            standing = ClaimStanding.MISATTRIBUTED if cited else standing
            standing = standing if elsewhere else ClaimStanding.NONE
        yield StatedClaim(excerpt=excerpt[:200], standing=standing)


def _is_held(claim: Claim, sentence: str, texts: Mapping[int, str]) -> bool:
    """Return whether any source holds a claim."""
    return any(holds(text, claim, sentence) for text in texts.values())
