"""A message forked into its wishes, one intent for each (docs/pipeline.md#classify).

A sentence that names another wish surely enough forks off; how sure it has to be depends on how
loudly the sender says that another matter begins (`tasks.mail.classify.topic_segments`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.concepts import concepts_named_in
from data.records.core.understanding import Category, Intent, IntentKind
from tasks.mail.classify.topic_segments import SHORTEST, Start

MOST = 4
"""Intents that a message can have at most."""
NEEDED = {Start.TURNED: 0.5, Start.SAID: 0.5, Start.HINTED: 0.6}
"""Probability from which a matter that begins so names a wish of its own."""
BEFORE = 0.4
"""The same of the matter before it."""
FURTHER = 0.1
"""What support needs more than others: the words of any wish lean to it."""
MOOD = 0.85
"""What a complaint needs in any case: most are the mood of another wish."""
MARGIN = 0.4
"""By how much each of two matters must lean more to its own category than to the other's."""
WHOLE = 0.01
"""Probability of a hinted category in the message as a whole."""
ASKING = 0.5
"""Probability from which a sentence wants something by its kind alone."""
UNTROUBLED = 0.97
"""What support needs after "also" where it names no trouble."""
MOOD_WORDS = 6
"""Words that a complaint needs: a shorter one is a sigh."""
TELLING = 0.9
"""Probability from which a sentence that begins with a word like "also" needs to ask nothing."""
SURE, SURE_MARGIN, SURE_WORDS = 0.9, 0.9, 6
"""The same where the sender says nothing of another matter: probability, margin, words."""
SURE_FURTHER = 0.03
"""What support needs more there."""

WISHES = (
    Category.SUPPORT,
    Category.SALES,
    Category.BILLING,
    Category.FEATURE_REQUEST,
    Category.COMPLAINT,
)
"""Categories that can stand beside each other in one message."""

TROUBLE = frozenset(
    {"not", "broken", "error", "down", "problem", "missing", "login", "password", "late", "wait"}
)
"""Concepts one of which support names beside another wish: a mere question belongs to the other."""
WISHED = frozenset(
    {"wish", "want", "help", "send", "problem", "broken", "error", "not", "refund", "twice"}
    | {"cancel", "missing", "angry", "complain", "how", "where", "add", "call", "down", "return"}
    | {"change", "know", "quote", "price", "charge"}
)
"""Concepts without one of which, and without a question mark, a sentence carries no wish."""

Floats = npt.NDArray[np.float32]
_QUIET = (IntentKind.INFORMATION, IntentKind.ACKNOWLEDGMENT)


_ORDER = list(Category)


@dataclass(frozen=True, kw_only=True)
class IntentOpinion:
    """What the model says of one text."""

    category: Floats
    """Shape (categories,)."""
    intent: Floats
    """Shape (intents,)."""
    urgent: float = 0.0
    """Probability that it cannot wait."""

    def strongest(self) -> tuple[Category, float]:
        """The likeliest category and its probability."""
        place = int(self.category.argmax())
        return tuple(Category)[place], float(self.category[place])

    def kind(self) -> tuple[IntentKind, float]:
        """The likeliest kind of intent and its probability."""
        place = int(self.intent.argmax())
        return tuple(IntentKind)[place], float(self.intent[place])


@dataclass(frozen=True)
class Pick:
    """A sentence that names a wish: where it stands, of what category, and how surely."""

    place: int
    category: Category
    sure: float
    troubled: bool
    """Whether it wants anything but support, or names what is wrong."""


def fork_intents(
    whole: IntentOpinion,
    parts: Sequence[str],
    opinions: Sequence[IntentOpinion],
    starts: Sequence[Start] = (),
    scores_by_class: Floats | None = None,
) -> tuple[Intent, ...]:
    """One intent for each wish that is surely there, strongest first; usually one.

    `parts` are the message's sentences, `opinions` what the model says of each, `starts` how loudly
    each begins a matter, `scores_by_class` what the model alone says of the whole (`whole` without
    it). Every sentence belongs to one intent.
    """
    if len(opinions) == len(parts) and whole.strongest()[0] is not Category.SPAM:
        general = whole.category if scores_by_class is None else scores_by_class
        owners = _apart(parts, opinions, starts, general)
        owners = owners or _surely(whole, parts, opinions, general)
        if owners:
            return _intents(parts, opinions, owners)
    return (_build_only_intent(whole, " ".join(parts)),)


def _apart(
    parts: Sequence[str],
    opinions: Sequence[IntentOpinion],
    starts: Sequence[Start],
    general: Floats,
) -> list[Category]:
    """The category of each sentence where the sender begins another matter; empty where nowhere.

    A matter reaches from such a sentence to the next. One that names no wish, or not surely
    enough another, belongs to the one before.
    """
    picks: list[Pick] = []
    firsts: dict[int, Category] = {}
    for places in _matters(starts):
        start = starts[places[0]] if places[0] else Start.SENTENCE
        picks_made = [
            one for n in places if (one := _pick(parts, opinions, n, starts[n])) is not None
        ]
        best = max(picks_made, key=lambda item: item.sure, default=None)
        if best is None or best.category in {pick.category for pick in picks}:
            continue
        if not picks or _differs(best, picks, start, opinions, general):
            picks.append(best)
            firsts[places[0]] = best.category
    if len(picks) < 2 or len(picks) > MOST:
        return []
    owner = picks[0].category
    owners = []
    for place in range(len(parts)):
        owner = firsts.get(place, owner)
        owners.append(owner)
    return owners


def _matters(starts: Sequence[Start]) -> list[list[int]]:
    """The places of sentences in runs, each from one that begins a matter to the next."""
    runs: list[list[int]] = []
    for place, start in enumerate(starts):
        if not runs or start is not Start.SENTENCE:
            runs.append([])
        runs[-1].append(place)
    return runs


def _pick(
    parts: Sequence[str], opinions: Sequence[IntentOpinion], place: int, start: Start
) -> Pick | None:
    """A sentence as the bearer of a wish, or None when it names none."""
    category, sure = opinions[place].strongest()
    if category not in WISHES or len(parts[place].split()) < SHORTEST:
        return None
    kind, share = opinions[place].kind()
    wants = kind not in _QUIET and share >= ASKING
    words = len(parts[place].split())
    if category is Category.COMPLAINT:
        wants = wants and words >= MOOD_WORDS
    else:
        wants = wants or _wishes(parts[place])
    tells = start >= Start.SAID and sure >= TELLING
    troubled = category is not Category.SUPPORT or bool(concepts_named_in(parts[place]) & TROUBLE)
    return Pick(place, category, sure, troubled) if wants or tells else None


def _differs(
    new: Pick,
    picks: Sequence[Pick],
    start: Start,
    opinions: Sequence[IntentOpinion],
    general: Floats,
) -> bool:
    """Whether a matter is surely another than those before it."""
    hinted = start is Start.HINTED
    needed = _needed(new.category, NEEDED.get(start, 1.0), FURTHER if hinted else 0.0)
    clear = new.troubled or start is Start.TURNED
    if new.sure < (needed if clear else max(needed, UNTROUBLED)):
        return False
    if hinted and not all(pick.troubled for pick in (new, *picks)):
        return False
    return all(
        pick.sure >= _needed(pick.category, BEFORE, 0.0)
        and _margin(new, pick, opinions) >= MARGIN
        and (not hinted or min(_share(general, new), _share(general, pick)) >= WHOLE)
        for pick in picks
    )


def _needed(category: Category, least: float, further: float) -> float:
    if category is Category.COMPLAINT:
        return max(least, MOOD)
    return least + further if category is Category.SUPPORT else least


def _margin(pick: Pick, other: Pick, opinions: Sequence[IntentOpinion]) -> float:
    """By how much each of two sentences leans more to its own category than to the other's."""
    return min(
        pick.sure - _share(opinions[pick.place].category, other),
        other.sure - _share(opinions[other.place].category, pick),
    )


def _share(probabilities: Floats, pick: Pick) -> float:
    return float(probabilities[_ORDER.index(pick.category)])


def _surely(
    whole: IntentOpinion, parts: Sequence[str], opinions: Sequence[IntentOpinion], general: Floats
) -> list[Category]:
    """The category of each sentence where single ones are very sure; empty where none are.

    Sentences that name another wish fork off; all others stay with the strongest.
    """
    if whole.strongest()[0] not in WISHES:
        return []
    best: dict[Category, Pick] = {}
    for place, part in enumerate(parts):
        pick = _pick(parts, opinions, place, Start.SENTENCE)
        if pick is None or pick.sure < SURE or len(part.split()) < SURE_WORDS:
            continue
        if pick.category not in best or pick.sure > best[pick.category].sure:
            best[pick.category] = pick
    main = max(best.values(), key=lambda item: item.sure, default=None)
    if main is None:
        return []
    sure_categories = {main.category}
    for category, pick in best.items():
        support = Category.SUPPORT in (category, main.category)
        sure = pick.sure >= SURE + (SURE_FURTHER if support else 0.0)
        shown = min(_share(general, pick), _share(general, main)) >= WHOLE
        apart = pick.troubled and main.troubled
        if apart and sure and shown and _margin(pick, main, opinions) >= SURE_MARGIN:
            sure_categories.add(category)
    if len(sure_categories) < 2 or len(sure_categories) > MOST:
        return []
    strongest = [opinion.strongest() for opinion in opinions]
    return [
        own if own in sure_categories and sure >= SURE else main.category for own, sure in strongest
    ]


def _intents(
    parts: Sequence[str], opinions: Sequence[IntentOpinion], owners: Sequence[Category]
) -> tuple[Intent, ...]:
    """The intent of each category, with the sentences that it owns."""
    intents = []
    for category in dict.fromkeys(owners):
        places = [place for place, owner in enumerate(owners) if owner is category]
        intents.append(
            _find_carried_intent(
                category, [parts[n] for n in places], [opinions[n] for n in places]
            )
        )
    return tuple(sorted(intents, key=lambda intent: -intent.confidence))


def _wishes(sentence: str) -> bool:
    """Whether a sentence can carry a wish of its own, not only circumstances."""
    if len(sentence.split()) < SHORTEST:
        return False
    return "?" in sentence or bool(concepts_named_in(sentence) & WISHED)


def _find_carried_intent(
    category: Category, parts: Sequence[str], opinions: Sequence[IntentOpinion]
) -> Intent:
    """The intent that a group of sentences carries."""
    place = _ORDER.index(category)
    best = max(opinions, key=lambda opinion: float(opinion.category[place]))
    kind, sure = best.kind()
    share = float(best.category[place])
    return Intent(
        intent=kind,
        category=category,
        confidence=round(min(1.0, share * sure), 4),
        text=" ".join(parts),
    )


def _build_only_intent(whole: IntentOpinion, text: str) -> Intent:
    """The one intent of a message that has one."""
    category, share = whole.strongest()
    kind, sure = whole.kind()
    return Intent(
        intent=kind, category=category, confidence=round(min(1.0, share * sure), 4), text=text
    )
