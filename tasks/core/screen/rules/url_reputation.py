"""Links that a reputation service warns of."""

from collections.abc import Iterator

from data.records.core.reputation import LinkStanding
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule

_SCORES = {LinkStanding.MALICIOUS: 0.8, LinkStanding.SUSPICIOUS: 0.4}
UNASKED = 0.35
"""What counts when the service failed and the setting says that this is suspicious: a flag."""


def look(views: Views) -> Iterator[Find]:
    """Find what the service says is bad, or that it could not be asked."""
    for opinion in views.known.opinions:
        score = _SCORES.get(opinion.standing)
        if score is not None:
            reason = f" ({opinion.reason})" if opinion.reason else ""
            yield Find(MessagePlace.LINK, f"{opinion.standing}: {opinion.url}{reason}", score)
    if views.known.reputation_failed:
        opinion_text = "the reputation service could not be asked"
        yield Find(
            MessagePlace.LINK,
            opinion_text,
            max(UNASKED, views.policy.flag_threshold),
            advisory=True,
        )


RULE = ScreenRule(
    name="url_reputation",
    sentence="Has a link that a reputation service warns of.",
    technique="phishing",
    layer=FilterLayer.CONTENT,
    severity=1.0,
    look=look,
)
