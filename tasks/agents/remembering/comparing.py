"""The comparison of a new statement with what is known: the same, another value, or new."""

from collections.abc import Sequence
from typing import NamedTuple

from data.records.agents.memories import Candidate, Memory, more_trusted
from data.records.agents.memories import least_trusted as least
from data.states import MemoryState
from tasks.core.words.sentence_rows import denials
from tasks.core.words.sentences import fold

SAME = 0.8
"""Share of stems that two statements have in common from which they say the same."""


class Comparison(NamedTuple):
    """What is to be done with a candidate."""

    again: Memory | None = None
    """What it says once more."""
    replaced: Memory | None = None
    """What it takes the place of."""
    asks: bool = False
    """Whether it does so only after a person's yes."""


def compare_candidate(candidate: Candidate, memories: Sequence[Memory]) -> Comparison:
    """Return what a candidate is to the items of its layer.

    What a person has worded, and what is more trusted than the candidate, is replaced only after a
    yes; unless a person asks for it in so many words. What a person has said no to is nothing that
    is known to who asks for it after all.
    """
    for item in memories:
        refused = item.state is MemoryState.REJECTED and candidate.explicit
        if not refused and _is_same(candidate, item):
            return Comparison(again=item)
    if not candidate.replaces or not candidate.slot:
        return Comparison()
    for item in memories:
        if item.state is MemoryState.CURRENT and (item.subject, item.slot) == (
            candidate.subject,
            candidate.slot,
        ):
            provenance = least([evidence_item.provenance for evidence_item in candidate.evidence])
            outranked = item.corrected or more_trusted(item.provenance, provenance)
            return Comparison(replaced=item, asks=outranked and not candidate.explicit)
    return Comparison()


def _is_same(candidate: Candidate, item: Memory) -> bool:
    if candidate.slot and candidate.slot == item.slot and candidate.subject == item.subject:
        return _is_alike(candidate.value, item.value)
    if fold(candidate.text) == fold(item.text):
        return True
    candidate_text = f"{candidate.subject} {candidate.value}"
    return candidate.slot == item.slot and _is_alike(candidate_text, f"{item.subject} {item.value}")


def _is_alike(one: str, other: str) -> bool:
    """Return whether stems are the same but for a few; numbers and denials have to be the same."""
    first, second = set(one.split()), set(other.split())
    if _choose_hard_stems(first) != _choose_hard_stems(second) or not first or not second:
        return False
    return len(first & second) / len(first | second) >= SAME


def _choose_hard_stems(stems: set[str]) -> set[str]:
    return {stem for stem in stems if stem[:1].isdigit() or stem in denials()}
