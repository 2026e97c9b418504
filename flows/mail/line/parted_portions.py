"""The two portions of a case that is parted: composed, checked, and decided on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from data.records.core.briefing import Briefing
from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision, Outcome
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import CaseText, Parting, Portion, Written
from data.store.mail.cases import CaseRow
from flows.core.workspace import Workspace
from flows.mail.line.check_basis import sender_of
from flows.mail.line.mail_line import mail_line_of
from tasks.mail.check.check_drafts import basis_of, check_draft
from tasks.mail.classify.message_parts import order_of
from tasks.mail.draft.merging import merge_parts

JudgePart = Callable[[Sequence[int], Draft, Checked], Decision]
"""Decides on a reply to some branches."""


@dataclass(frozen=True, kw_only=True)
class Whole:
    """A case with several branches, as far as parting it goes."""

    workspace: Workspace
    row: CaseRow
    text: str
    """What the sender wrote, as far as the case answers it."""
    seen: Classification
    briefing: Briefing
    written: Written
    plans: Sequence[Plan]
    """One for each branch."""

    def compose_reply(self, places: Sequence[int], *, rest_follows: bool) -> tuple[Draft, Checked]:
        """Return one reply to some of the branches, and what the check says of it."""
        workspace = self.workspace
        order = [n for n in order_of(self.seen.intents, self.text) if n in places]
        draft = merge_parts(
            [self.written.parts[place] for place in order],
            sender_of(self.row),
            workspace.organization,
            workspace.policy,
            rest_follows=rest_follows,
        )
        basis = basis_of(
            CaseText(subject="", text=self.text),  # a subject is asked of the whole alone
            sender_of(self.row),
            self.seen,
            self.briefing,
            self.plans,
        )
        checked = check_draft(mail_line_of(workspace).ground, basis, draft, places)
        return draft, checked

    def build_portion(
        self, places: Sequence[int], judge: JudgePart, *, rest_follows: bool
    ) -> Portion:
        """Return what a case answers that has these branches alone."""
        draft, checked = self.compose_reply(places, rest_follows=rest_follows)
        return Portion(
            places=tuple(places),
            draft=draft,
            checked=checked,
            decision=judge(places, draft, checked),
        )


def find_parting(
    whole: Whole, decision: Decision, parts: Sequence[Decision], judge: JudgePart
) -> Parting | None:
    """Return how a case is parted, where what may leave is answered without what is held.

    The reply to the first parts is checked and decided on as it would leave; unless that lets it
    through as well, everything stays together.
    """
    if whole.workspace.policy.answer_parts != "when_ready":
        return None
    if decision.outcome not in (Outcome.REVIEW, Outcome.ESCALATE):
        return None
    ready = (Outcome.AUTO_SEND, Outcome.ARCHIVE)
    first = [place for place, part in enumerate(parts) if part.outcome in ready]
    rest = [place for place in range(len(parts)) if place not in first]
    if not rest or not any(parts[place].outcome is Outcome.AUTO_SEND for place in first):
        return None
    leaving = whole.build_portion(first, judge, rest_follows=True)
    if leaving.decision.outcome is not Outcome.AUTO_SEND:
        return None
    staying = whole.build_portion(rest, judge, rest_follows=False)
    return Parting(
        first=leaving, rest=staying.model_copy(update={"decision": _decide_on_rest(staying)})
    )


def name_holding_part(
    decision: Decision, parts: Sequence[Decision], classification: Classification
) -> Decision:
    """Return a decision that says which part holds the others, where one does."""
    free = [p for p in parts if p.outcome is Outcome.AUTO_SEND or p.would_auto_send]
    holding_parts = [
        (n, p) for n, p in enumerate(parts) if p.outcome in (Outcome.REVIEW, Outcome.ESCALATE)
    ]
    holding_parts = [(n, part) for n, part in holding_parts if not part.would_auto_send]
    if not free or not holding_parts or decision.outcome is Outcome.AUTO_SEND:
        return decision
    place, part = holding_parts[0]
    about = classification.intents[place].category.value.replace("_", " ")
    why = f"The part about {about} holds the rest: {part.reason}"
    return decision.model_copy(update={"reason": why})


def _decide_on_rest(portion: Portion) -> Decision:
    """Return the decision on what stays: never that it leaves by itself, whatever the sum says."""
    if portion.decision.outcome in (Outcome.REVIEW, Outcome.ESCALATE):
        return portion.decision
    why = "Each part of it is held by itself; a person decides."
    return portion.decision.model_copy(
        update={"outcome": Outcome.REVIEW, "would_auto_send": False, "reason": why}
    )
