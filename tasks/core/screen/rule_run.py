"""One message while rules are asked about it: what they found, missed and failed at."""

from functools import partial

from data.records.core.screening import Hit, Screening
from tasks.core.screen.classifier import InjectionClassifier
from tasks.core.screen.judgement import ask_classifier, judge_hits
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import ScreenRule
from tasks.core.screen.scoring import CLASSIFIER

_LONGEST_ERROR = 300


class AnsweredRules:
    """A message and the answers of the rules."""

    def __init__(self, views: Views) -> None:
        mail, known_senders = views.mail, views.known
        self.views = views
        self._allowed = (
            known_senders.allowed_rules(mail.sender.email) if mail.sender else frozenset()
        )
        self._hits: list[Hit] = []
        self._excused: list[Hit] = []
        self._misses: list[str] = []
        self._errors: list[str] = []

    def ask(self, rule: ScreenRule) -> None:
        """Keep what `rule` finds; never raises."""
        try:
            hits = list(rule.check(self.views))
        except Exception as error:  # noqa: BLE001  # a rule's bug must flag the mail, not free or lose it
            self._failed(rule.name, error)
            return
        (self._excused if rule.name in self._allowed else self._hits).extend(hits)
        if not hits:
            self._misses.append(rule.name)

    def screening(self, classifier: InjectionClassifier | None) -> Screening:
        """Return what the answers come to; `classifier` is the one that was among the rules."""
        hits, excused = self._ask_classifier(classifier)
        hits.sort(key=lambda hit: -hit.score)
        views, errors = self.views, tuple(self._errors)
        ask = partial(
            judge_hits, policy=views.policy, first_time=views.known.first_time, errors=bool(errors)
        )
        score, verdict = ask(hits)
        return Screening(
            verdict=verdict,
            score=round(score, 4),
            hits=tuple(hits),
            misses=tuple(self._misses),
            errors=errors,
            excused=tuple(excused),
            unexcused=ask([*hits, *excused])[1] if excused else None,
        )

    def _ask_classifier(
        self, classifier: InjectionClassifier | None
    ) -> tuple[list[Hit], list[Hit]]:
        """Return hits, and those excused, with what the classifier makes of their words."""
        hits, count = [*self._hits, *self._excused], len(self._hits)
        try:
            hits = ask_classifier(hits, self._misses, len(self.views.mail.text), classifier)
        except Exception as error:  # noqa: BLE001  # who cannot answer takes nothing from the rules
            self._failed(CLASSIFIER, error)
        return hits[:count], hits[count:]

    def _failed(self, name: str, error: Exception) -> None:
        self._errors.append(f"{name}: {type(error).__name__}: {error}"[:_LONGEST_ERROR])
