"""The matter of a conversation, as evidence for what an answer within it is about.

*Yes please* and *Any news?* say nothing by themselves, so the matter of their conversation speaks
for them, the louder the less they say; a wish of its own wins over it. Thanks are about the matter
they thank for, but no thanks are a complaint.
"""

from collections.abc import Sequence
from typing import NamedTuple

from data.concepts import concepts_named_in, words_of
from data.linear import LinearModel
from data.ngrams import replace_surrogates
from data.records.core.understanding import Category
from tasks.core.patterns import compiled

CARRIED = (
    Category.SUPPORT,
    Category.SALES,
    Category.BILLING,
    Category.FEATURE_REQUEST,
    Category.COMPLAINT,
)
"""Matters that an answer shares with its conversation."""
SHORT, LONG = 8, 30
"""Words up to which an answer says nothing by itself, and from which it says everything."""
NAMING = 0.25
"""Share of the evidence that is left for an answer that names a matter itself."""
LEAST = 0.3
"""Share of the evidence that is left for a long answer: most go on about the same."""
TOLD = 0.4
"""Probability from which the words of a conversation tell its matter."""
READ = 2000
"""Characters of a conversation that are looked at."""
MATTERS = frozenset(
    {"invoice", "refund", "tax", "price", "quote", "discount", "demo", "login", "password"}
    | {"error", "down", "broken", "cancel", "api", "return", "warranty", "complain", "angry"}
    | {"threat", "delete"}
)
"""Concepts that name a matter by themselves."""
_AROUND = compiled(r"@|^[-_*=\s]*$|^\pL[\pL -]{1,14}:\s|\d:\d\d.*:\s*$")
"""Lines of a quotation that are not what was said: addresses, header fields, attributions."""


def openness(text: str) -> float:
    """How much an answer leaves to its conversation, from 0 to 1: how little it says by itself."""
    words = len(words_of(text))
    share = min(1.0, max(LEAST, (LONG - words) / (LONG - SHORT)))
    return share * (NAMING if concepts_named_in(text) & MATTERS else 1.0)


class Leaning(NamedTuple):
    """What a conversation says of a message in it."""

    category: Category | None = None
    """Its matter; None when it has none that an answer could share."""
    share: float = 0.0
    """How much that says of this message, from 0 to 1."""


class MessageMatter(NamedTuple):
    """A message and its conversation."""

    text: str
    """The new text of the message."""
    decided: Category | None
    """What the conversation was decided to be about."""
    earlier: str
    """What was said in it, for where nothing was decided."""


def list_leanings(message_matters: Sequence[MessageMatter], model: LinearModel) -> list[Leaning]:
    """What its conversation says of each message; undecided ones count as far as they are clear."""
    places = [n for n, one in enumerate(message_matters) if one.decided is None and one.earlier]
    carried_rows = model.predict(
        [
            _cut_quoting(replace_surrogates(message_matters[n].earlier[: 2 * READ]))[:READ]
            for n in places
        ],
        "category",
    )
    carried = [list(Category).index(own) for own in CARRIED]
    leaning_by_place = {
        place: (CARRIED[int(row[carried].argmax())], float(row[carried].max()))
        for place, row in zip(places, carried_rows, strict=True)
    }
    return [_leaning(one, leaning_by_place.get(place)) for place, one in enumerate(message_matters)]


def _cut_quoting(earlier: str) -> str:
    """What was said, without marks of quoting, attributions and header lines."""
    lines = (line.lstrip(">| \t") for line in earlier.splitlines())
    return "\n".join(line for line in lines if _AROUND.search(line) is None).strip()


def _leaning(message_matter: MessageMatter, opinion: tuple[Category, float] | None) -> Leaning:
    category, sure = opinion or (message_matter.decided, 1.0)
    if category not in CARRIED or sure < TOLD:
        return Leaning()
    return Leaning(category, sure * openness(message_matter.text))
