"""The gates asked for a batch of cases: with what is known of each, and what leaves meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from data.records.core.understanding import Classification
from data.records.mail.briefing import Briefing
from data.records.mail.deciding import Decision
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.mail.line.evidence import CaseEvidence
from flows.mail.line.left_before import Past
from flows.mail.line.staleness import stale
from tasks.asking.stricter import stricter
from tasks.route.routing import route
from tasks.route.signals import RouteSignals


@dataclass(frozen=True, kw_only=True)
class Judging:
    """What decisions on the cases of one batch have in common."""

    batch: Batch
    found: Mapping[str, CaseRow]
    evidence: Mapping[str, CaseEvidence]
    briefings: Mapping[str, Briefing]
    past: Past
    stopped: bool
    """Whether the kill switch is on."""
    signs: bool
    """Whether replies can be signed."""
    leaving: list[CaseRow] = field(default_factory=list)
    """Cases of this batch that are to leave: they count for those after them."""

    def decide(
        self,
        case: str,
        said: Classification,
        planned: Sequence[Plan],
        embedded: Sequence[Plan],
        draft: Draft,
        checked: Checked,
    ) -> Decision:
        """Return the decision on a reply; where a model has planned, what both views allow.

        `embedded` are the plans of the embedded provider, empty where nobody else has planned.
        """
        made = self._ask(case, said, planned, draft, checked)
        if not embedded:
            return made
        return stricter(made, self._ask(case, said.judged, embedded, draft, checked))

    def _ask(
        self,
        case: str,
        said: Classification,
        planned: Sequence[Plan],
        draft: Draft,
        checked: Checked,
    ) -> Decision:
        seen, row, workspace = self.evidence[case], self.found[case], self.batch.workspace
        return route(
            classification=said,
            screening=seen.screening,
            authentication=seen.authentication,
            automated=seen.automated,
            briefing=self.briefings[case],
            checked=checked,
            draft=draft,
            plans=planned,
            policy=workspace.policy,
            organization=workspace.organization,
            signals=RouteSignals(
                now=self.batch.now(),
                recipients=seen.recipients,
                stopped=self.stopped,
                transport_ready=self.signs,
                bare_eol=seen.bare_eol,
                defects=seen.defects,
                attachments=seen.attachments,
                newer_mail=case in self.past.newer,
                stale=stale(row, self.briefings[case]),
                repeated_body=case in self.past.repeated,
                auto_sends_today=self.past.today + len(self.leaving),
                sent=self.past.count_sent(row, self.leaving),
            ),
        )
