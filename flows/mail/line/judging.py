"""Routing a batch of cases: the gates, with what is known of each and what leaves meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from data.records.core.briefing import Briefing
from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import Examined, Plans, Written
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.mail.line.earlier_departures import EarlierDepartures
from flows.mail.line.staleness import is_stale
from tasks.mail.route.case_evidence import CaseEvidence
from tasks.mail.route.routing import route_case
from tasks.mail.route.signals import RouteSignals
from tasks.mail.route.stricter import combine_decisions


@dataclass(frozen=True, kw_only=True)
class CaseInWork:
    """One case before its route, with what was made of it."""

    row: CaseRow
    text: str
    """What its messages say."""
    evidence: CaseEvidence
    classification: Classification
    briefing: Briefing
    plans: Plans
    written: Written
    checked: Examined


@dataclass(frozen=True, kw_only=True)
class Judging:
    """Routes each case of one batch, with what was gathered for all of them."""

    batch: Batch
    departures: EarlierDepartures
    stopped: bool
    """Whether the kill switch is on."""
    signing_ready: bool
    """Whether replies can be signed."""
    leaving: list[CaseRow] = field(default_factory=list)
    """Cases of this batch that are to leave, which the stage adds; they count for those after."""

    def decide(
        self,
        work: CaseInWork,
        classification: Classification,
        planned: Sequence[Plan],
        local_plans: Sequence[Plan],
        draft: Draft,
        checked: Checked,
    ) -> Decision:
        """Return the decision on a reply; where a model has planned, what both views allow.

        `local_plans` are those of the embedded provider, empty where no language model planned.
        """
        decision = self._route_reply(work, classification, planned, draft, checked)
        if not local_plans:
            return decision
        by_local = self._route_reply(work, classification.judged, local_plans, draft, checked)
        return combine_decisions(decision, by_local)

    def _route_reply(
        self,
        work: CaseInWork,
        classification: Classification,
        planned: Sequence[Plan],
        draft: Draft,
        checked: Checked,
    ) -> Decision:
        evidence, row, workspace = work.evidence, work.row, self.batch.workspace
        return route_case(
            classification=classification,
            screening=evidence.screening,
            authentication=evidence.authentication,
            automated=evidence.automated,
            briefing=work.briefing,
            checked=checked,
            draft=draft,
            plans=planned,
            policy=workspace.policy,
            organization=workspace.organization,
            signals=RouteSignals(
                now=self.batch.now(),
                recipients=evidence.recipients,
                stopped=self.stopped,
                transport_ready=self.signing_ready,
                bare_eol=evidence.bare_eol,
                defects=evidence.defects,
                attachments=evidence.attachments,
                newer_mail=row.id in self.departures.cases_with_newer_mail,
                stale=is_stale(row, work.briefing),
                repeated_body=row.id in self.departures.cases_with_repeated_text,
                auto_sends_today=self.departures.automatic_today + len(self.leaving),
                sent=self.departures.count_sent(row, self.leaving),
            ),
        )
