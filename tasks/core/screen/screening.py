"""The stage *screen* decides whether a message is clean, to be looked at, or to be stopped."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from data.batches import split_into_batches
from data.records.core.envelope import Envelope
from data.records.core.organization import Policy
from data.records.core.parsed_mail import Automated, ParsedMail, Segments
from data.records.core.screening import FilterLayer, Hit, Screening, SecurityFlags
from tasks.core.screen.batch_work import look_ahead
from tasks.core.screen.chain import CHAIN
from tasks.core.screen.classifier import InjectionClassifier
from tasks.core.screen.message.views import Views
from tasks.core.screen.organization_facts import KnownSenders
from tasks.core.screen.rule import ScreenRule
from tasks.core.screen.rule_run import AnsweredRules
from tasks.core.screen.rules.classifier_says import ClassifierReader, rule_for
from tasks.core.screen.scoring import SUSPICION, combine

_TOGETHER, _MOST_TOGETHER = 40_000, 64
"""Characters and messages from which nothing is gained by working on more at once."""

_ORDERS = frozenset({FilterLayer.INJECTION, FilterLayer.SMUGGLING})
"""Layers of rules that find orders to a machine; the classifier stands in the first."""


def screen(
    mail: ParsedMail,
    segments: Segments,
    automated: Automated,
    envelope: Envelope,
    policy: Policy,
    known_senders: KnownSenders,
    classifier: InjectionClassifier | None = None,
    chain: Sequence[ScreenRule] = CHAIN,
) -> Screening:
    """Ask every rule of the chain and say what happens to the message.

    Args:
        mail: the message as read.
        segments: its body cut by whose words they are.
        automated: whether a machine wrote it.
        envelope: how it came in.
        policy: the organization's thresholds, blocked attachments and prohibited categories.
        known_senders: what the organization knows about senders.
        classifier: a trained judge; its opinion is one hit among others.
        chain: the rules.

    Returns:
        The verdict with every hit (strongest first), miss and error; never raises for any message.

    """
    return screen_all(
        [Views(mail, segments, automated, envelope, policy, known_senders)], classifier, chain
    )[0]


def screen_all(
    messages: Iterable[Views],
    classifier: InjectionClassifier | None = None,
    chain: Sequence[ScreenRule] = CHAIN,
) -> list[Screening]:
    """Return for each message what `screen` does; quicker, for several are worked on at once.

    `messages` may be made while they are asked for: what was screened is not kept.
    """
    screenings: list[Screening] = []
    for together in _portions(messages):
        look_ahead(together)
        rules = chain if classifier is None else (*chain, _read(together, classifier))
        asked = [AnsweredRules(views) for views in together]
        for rule in rules:  # and not message by message, see `tasks.core.screen.batch_work`
            for asked_rules in asked:
                asked_rules.ask(rule)
        screenings += [asked_rule.screening(classifier) for asked_rule in asked]
    return screenings


def _portions(messages: Iterable[Views]) -> Iterator[list[Views]]:
    """Yield messages that are worked on at once."""
    return split_into_batches(
        messages, lambda views: len(views.mail.text), most=_MOST_TOGETHER, size=_TOGETHER
    )


def _read(together: Sequence[Views], classifier: InjectionClassifier) -> ScreenRule:
    """Let the classifier read messages; return the rule that says what it thinks of each."""
    reader = ClassifierReader(classifier)
    if len(together) > 1:
        with suppress(Exception):  # each is then read by itself, and its rule names the error
            reader.read(together)
    return rule_for(reader)


def order_in(screening: Screening) -> Hit | None:
    """Return the strongest order to a machine, if orders are what speaks against the message.

    So it is where they by themselves would have flagged it, or nothing spoke more against it.
    """
    orders = _orders(screening)
    if orders and round(combine(orders), 4) >= min(SUSPICION, screening.score):
        return orders[0]
    return None


def security_flags(screening: Screening, now: datetime) -> SecurityFlags:
    """Return the record kept on a quarantined message.

    It says that there was an injection where `order_in` finds one. A blocked sender or a file that
    runs is a reason, and none.
    """
    order = order_in(screening)
    strongest = screening.hits[0] if screening.hits else None
    return SecurityFlags(
        injection_detected=order is not None,
        injection_type=order.technique if order else None,
        confidence=round(combine(_orders(screening)), 4),
        flagged_content=order.excerpt if order else None,
        reason=screening.injection_type,
        reason_content=strongest.excerpt if strongest else None,
        scan_timestamp=now,
    )


def _orders(screening: Screening) -> list[Hit]:
    """Return what was found of orders to a machine, the strongest first."""
    return [hit for hit in screening.hits if hit.layer in _ORDERS]
