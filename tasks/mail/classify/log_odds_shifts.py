"""Facts on a sender and a message beside its words, as shifts of log-odds.

Spam needs evidence: a known contact, an answer in a thread, or a message that names an order or an
invoice is practically never spam, and nothing is called spam that is not clearly so.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.concepts import NUMBERED, signs
from data.ngrams import addresses
from data.records.core.understanding import Category
from tasks.mail.classify.charging import is_about_power

Floats = npt.NDArray[np.float32]

COLLEAGUE = 4.1
"""Shift towards internal, and away from spam, when a colleague writes."""
STRANGER = 0.7
"""Shift away from internal when the sender is a contact from outside."""
KNOWN, ANSWERING, NAMING = 8.0, 7.0, 1.5
"""Shifts away from spam: a known contact, an answer, an order's number without a link."""
STRICT = 2.1
"""Shift away from spam for everyone: calling a person's mail spam costs more than the reverse."""
BELONGING = 0.7
"""Shift away from other for each of these: who is known and who answers writes about a matter."""
DOUBT = 1e-3
"""Least probability of any category for mail of people who are known."""
ADDRESSED = 1.5
"""Shift towards what the mailbox that was written to is for; judged, not fitted to any mail."""
CLEARLY_SPAM = 0.70
"""Probability below which nothing is called spam."""
CONTINUED, GENERAL, VAGUE = 5.0, 2.0, 0.3
"""For an answer that says nothing by itself (`tasks.mail.thread.matter`): shift towards what its
conversation was about, shift away from other, share by which its own words count less."""
POWER = 12.0
"""Shift away from billing for who speaks of charging a battery: *to charge* means both."""
FAINT = 0.28
"""Probability below which a message counts as support or as other, whichever is likelier."""

_PLACE = {category: place for place, category in enumerate(Category)}


@dataclass(frozen=True, kw_only=True)
class MailStanding:
    """How the sender and the message stand to the organization."""

    internal: bool = False
    known: bool = False
    reply: bool = False
    mailbox: Category | None = None
    """What the mailbox that it was sent to is for, by its name."""
    continued: Category | None = None
    """What its conversation was about."""
    leaning: float = 0.0
    """How much that says of this message, from 0 to 1."""


def shift_probabilities(category: Floats, standing: MailStanding, document: str) -> Floats:
    """Probabilities of shape (categories,) after what is known beside the words."""
    personal = standing.known or standing.reply or standing.internal
    logs = np.log(np.maximum(category, DOUBT if personal else 1e-9))
    spam, internal = _PLACE[Category.SPAM], _PLACE[Category.INTERNAL]
    logs[spam] -= STRICT
    if standing.internal:
        logs[internal] += COLLEAGUE
        logs[spam] -= COLLEAGUE
    elif standing.known:
        logs[internal] -= STRANGER
    if standing.known:
        logs[spam] -= KNOWN
        logs[_PLACE[Category.OTHER]] -= BELONGING
    if standing.reply:
        logs[spam] -= ANSWERING
        logs[_PLACE[Category.OTHER]] -= BELONGING
    if addresses(document) == 0 and NUMBERED in signs(document, 0):
        logs[spam] -= NAMING
    if standing.mailbox is not None and not standing.internal:
        logs = _beside_spam(logs, _towards(logs, standing.mailbox, ADDRESSED))
    if standing.continued is not None and not standing.internal:
        lean = standing.leaning
        vague = _towards(logs * np.float32(1 - VAGUE * lean), Category.OTHER, -GENERAL * lean)
        logs = _beside_spam(logs, _towards(vague, standing.continued, CONTINUED * lean))
    if is_about_power(document):
        logs = _beside_spam(logs, _towards(logs, Category.BILLING, -POWER))
    weighed = np.exp(logs - logs.max())
    result: Floats = (weighed / weighed.sum()).astype(np.float32)
    return result


def weigh_power(category: Floats, sentence: str) -> Floats:
    """Probabilities of shape (categories,) of a sentence; charging a battery is no billing."""
    if not is_about_power(sentence):
        return category
    result = category.copy()
    result[_PLACE[Category.BILLING]] *= np.float32(np.exp(-POWER))
    result /= result.sum()
    return result


def _towards(logs: Floats, category: Category, shift: float) -> Floats:
    """Shift log-odds of shape (categories,) towards a category."""
    result = logs.copy()
    result[_PLACE[category]] += shift
    return result


def _beside_spam(before: Floats, after: Floats) -> Floats:
    """Log-odds that are shared as in `after`, but for spam, which keeps its share of `before`."""
    is_other = np.arange(len(before)) != _PLACE[Category.SPAM]
    result = before.copy()
    gained = np.logaddexp.reduce(after[is_other]) - np.logaddexp.reduce(before[is_other])
    result[is_other] = after[is_other] - gained
    return result


def weigh_outsider(category: Floats) -> Floats:
    """Probabilities for a sender who is not established to be a colleague: never internal."""
    result = category.copy()
    result[_PLACE[Category.INTERNAL]] = 0
    total = float(result.sum())
    if total <= 0:
        result[_PLACE[Category.OTHER]] = total = 1.0
    result /= np.float32(total)
    return result


def settle_category(category: Floats) -> Floats:
    """Probabilities whose largest is what shall be said.

    What is spam without being clearly so is not spam: its share goes to none, so that the
    confidence in what remains stays low. Where nothing stands out, support and other remain.
    """
    result = category.copy()
    spam = _PLACE[Category.SPAM]
    if category.argmax() == spam and category[spam] < CLEARLY_SPAM:
        result[spam] = result[np.arange(len(result)) != spam].max() * 0.5
    if result.max() < FAINT:
        best = max((_PLACE[Category.SUPPORT], _PLACE[Category.OTHER]), key=lambda at: result[at])
        if result[best] > result.max() * 0.7:
            result[best] = result.max() + np.float32(1e-4)
    return result
