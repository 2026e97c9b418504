"""The test that a text holds what a sentence claims."""

from functools import lru_cache

from tasks.core.claims.claims import Claim, other_forms, values
from tasks.core.claims.names import is_named
from tasks.core.words.sentences import fold


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    return " ".join(fold(text).split())


@lru_cache(maxsize=256)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(value for _, value in values(text))


def holds(text: str, claim: Claim, sentence: str) -> bool:
    """Return whether a text states a claim of a sentence, in whatever notation."""
    if claim.kind == "name" and is_named(claim.value, _folded(text)):
        return True
    if claim.kind == "number" and claim.value in _numbers(text):
        return True
    known_values = values(text)
    plain = claim.kind not in ("name", "number") and (claim.kind, claim.value) in known_values
    return plain or any(form in known_values for form in other_forms(claim, sentence))
