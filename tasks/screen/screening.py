"""The stage *screen* decides whether a message is clean, to be looked at, or to be stopped."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from data.portions import portions
from data.records.envelope import Envelope
from data.records.mail import Automated, ParsedMail, Segments
from data.records.organization import Policy
from data.records.screening import Hit, Screening, SecurityFlags
from tasks.screen.chain import CHAIN
from tasks.screen.classifier import InjectionClassifier
from tasks.screen.judgement import heard, judged
from tasks.screen.known import KnownSenders
from tasks.screen.rule import Rule
from tasks.screen.rules.classifier_says import Reader, rule_for
from tasks.screen.scoring import CLASSIFIER
from tasks.screen.views import Views

_TOGETHER, _MOST_TOGETHER = 12_000, 16
"""Characters and messages from which a classifier gains nothing by reading more at once."""


def screen(
    mail: ParsedMail,
    segments: Segments,
    automated: Automated,
    envelope: Envelope,
    policy: Policy,
    known: KnownSenders,
    classifier: InjectionClassifier | None = None,
    chain: Sequence[Rule] = CHAIN,
) -> Screening:
    """Ask every rule of the chain and say what happens to the message.

    Args:
        mail: the message as read.
        segments: its body cut by whose words they are.
        automated: whether a machine wrote it.
        envelope: how it came in.
        policy: the organization's thresholds, blocked attachments and prohibited categories.
        known: what the organization knows about senders.
        classifier: a trained judge; its opinion is one hit among others.
        chain: the rules.

    Returns:
        The verdict with every hit (strongest first), miss and error; never raises for any message.

    """
    return screen_all(
        [Views(mail, segments, automated, envelope, policy, known)], classifier, chain
    )[0]


def screen_all(
    messages: Iterable[Views],
    classifier: InjectionClassifier | None = None,
    chain: Sequence[Rule] = CHAIN,
) -> list[Screening]:
    """Return for each message what `screen` does; quicker, for a classifier reads several at once.

    `messages` may be made while they are asked for: what was screened is not kept.
    """
    if classifier is None:
        return [_screened(views, chain) for views in messages]
    found: list[Screening] = []
    for together in _portions(messages):
        reader = Reader(classifier)
        if len(together) > 1:
            with suppress(Exception):  # each is then read by itself, and its rule names the error
                reader.read(together)
        rules = (*chain, rule_for(reader))
        found += [_screened(views, rules, classifier) for views in together]
    return found


def _portions(messages: Iterable[Views]) -> Iterator[list[Views]]:
    """Yield messages that are together about as long as a classifier reads best."""
    return portions(
        messages, lambda views: len(views.mail.text), most=_MOST_TOGETHER, size=_TOGETHER
    )


def _screened(
    views: Views, rules: Sequence[Rule], classifier: InjectionClassifier | None = None
) -> Screening:
    """Ask every rule about one message; `classifier` is the one that a rule of them asks."""
    mail, known = views.mail, views.known
    allowed = known.allowed_rules(mail.sender.email) if mail.sender else frozenset()
    hits: list[Hit] = []
    excused: list[Hit] = []
    misses: list[str] = []
    errors: list[str] = []
    for rule in rules:
        try:
            found = list(rule.check(views))
        except Exception as error:  # noqa: BLE001  # a rule's bug must flag the mail, not free or lose it
            errors.append(f"{rule.name}: {type(error).__name__}: {error}"[:300])
            continue
        (excused if rule.name in allowed else hits).extend(found)
        if not found:
            misses.append(rule.name)
    try:
        found = heard([*hits, *excused], misses, len(mail.text), classifier)
        hits, excused = found[: len(hits)], found[len(hits) :]
    except Exception as error:  # noqa: BLE001  # who cannot answer takes nothing from the rules
        errors.append(f"{CLASSIFIER}: {type(error).__name__}: {error}"[:300])
    hits.sort(key=lambda hit: -hit.score)
    ask = partial(judged, policy=views.policy, first_time=known.first_time, errors=bool(errors))
    score, verdict = ask(hits)
    return Screening(
        verdict=verdict,
        score=round(score, 4),
        hits=tuple(hits),
        misses=tuple(misses),
        errors=tuple(errors),
        excused=tuple(excused),
        unexcused=ask([*hits, *excused])[1] if excused else None,
    )


def security_flags(screening: Screening, now: datetime) -> SecurityFlags:
    """Return the record kept on a quarantined message."""
    strongest = screening.hits[0] if screening.hits else None
    return SecurityFlags(
        injection_detected=strongest is not None,
        injection_type=screening.injection_type,
        confidence=screening.score,
        flagged_content=strongest.excerpt if strongest else None,
        scan_timestamp=now,
    )
