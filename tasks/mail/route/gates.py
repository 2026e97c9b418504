"""The gates that stand before auto-send, one function each, in the order they are shown.

A gate says whether it lets the draft through, and why in a sentence. All of them are asked, so that
a reviewer sees everything that stands in the way, not only the first.
"""

from collections.abc import Callable, Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from data.records.core.approvals import Floor
from data.records.core.briefing import Briefing, Tier
from data.records.core.organization import Holiday, Mode, Policy
from data.records.core.parsed_mail import Automated
from data.records.core.record import Record
from data.records.core.screening import Authentication, AuthResult, Screening, Verdict
from data.records.core.understanding import (
    Category,
    Classification,
    IntentKind,
    Priority,
    Sentiment,
)
from data.records.mail.deciding import Gate
from data.records.mail.drafting import Checked, Disposition, Draft, Severity
from data.records.mail.planning import Plan
from tasks.mail.actions import pick_strictest
from tasks.mail.compose.recipients import is_valid_address
from tasks.mail.route.autonomy import choose_threshold, list_rules
from tasks.mail.route.governor import explain_refusal
from tasks.mail.route.signals import RouteSignals

GateVerdict = tuple[bool, str]

_HARMLESS_DEFECTS = ("no date header", "no message-id header", "date: ")
"""How the few defects begin that leave no doubt about who wrote what; all others do."""

OWNER = "owner:"
"""What references of owners' answers begin with."""


class RouteEvidence(Record):
    """Everything a gate may look at."""

    classification: Classification
    screening: Screening
    authentication: Authentication
    automated: Automated
    briefing: Briefing
    checked: Checked
    draft: Draft
    plans: tuple[Plan, ...]
    policy: Policy
    signals: RouteSignals
    holidays: tuple[Holiday, ...] = ()
    """Days on which nobody of the organization works."""

    @property
    def categories(self) -> tuple[Category, ...]:
        """Every category that the case touches, each once."""
        intents = (intent.category for intent in self.classification.intents)
        return tuple(dict.fromkeys((self.classification.category, *intents)))


def _check_kill_switch(e: RouteEvidence) -> GateVerdict:
    if e.signals.stopped:
        return False, "The kill switch is on: nothing leaves by itself."
    return True, "The kill switch is off."


def _check_pipeline_mode(e: RouteEvidence) -> GateVerdict:
    if e.policy.mode is Mode.OFF:
        return False, "The policy's mode is off: nothing is drafted or sent."
    return True, f"The policy's mode is {e.policy.mode.value}."


def _check_shadow_mode(e: RouteEvidence) -> GateVerdict:
    if e.policy.mode is Mode.SHADOW:
        return False, "Shadow mode: what would be sent is counted, not sent."
    return True, "Not in shadow mode."


def _check_automated(e: RouteEvidence) -> GateVerdict:
    if e.automated.automated:
        return False, f"A machine wrote this ({e.automated.kind.value}); machines get no reply."
    return True, "Nothing says that a machine wrote this."


def _check_screening(e: RouteEvidence) -> GateVerdict:
    if e.screening.errors:
        return False, f"Screening could not run {', '.join(e.screening.errors)}; unknown is no."
    if e.screening.verdict is Verdict.QUARANTINE:
        return False, "Screening says quarantine: what a person releases, a person answers."
    if e.screening.together:
        return False, "Each message is clean; read as one, they give orders to a machine."
    if e.screening.verdict is not Verdict.CLEAN and not e.screening.hits:
        return False, "A person let this go on past the screen; a person answers."
    if e.screening.verdict is not Verdict.CLEAN:
        return False, f"Screening says {e.screening.verdict.value}."
    return True, "Screening says clean."


def _check_message_form(e: RouteEvidence) -> GateVerdict:
    if e.signals.bare_eol:
        return False, "The message held bare line ends, as smuggled mail does."
    odd = [d for d in e.signals.defects if not d.lower().startswith(_HARMLESS_DEFECTS)]
    if odd:
        return False, f"The message can be read in more than one way: {odd[0]}."
    return True, "The message's form leaves no doubt."


def _check_sender(e: RouteEvidence) -> GateVerdict:
    if e.authentication.dmarc is not AuthResult.PASS:
        return False, f"The sender is not authenticated: DMARC {e.authentication.dmarc.value}."
    return True, "The sender is authenticated: DMARC passes."


def _check_recipient(e: RouteEvidence) -> GateVerdict:
    to = e.signals.recipients
    if to.needs_person or len(to.to) != 1 or not is_valid_address(to.to[0]):
        return False, f"The recipient needs a person: {to.reason}"
    if to.provenance not in ("from", "reply_to"):
        return False, "The recipient does not come from the message's own headers."
    return True, f"One recipient, from the message: {to.reason}"


def _check_category_rule(e: RouteEvidence) -> GateVerdict:
    rules = list_rules(e.policy, e.classification)
    barred = [name for name, rule in rules if rule is None or not rule.auto_send]
    if barred:
        return False, f"No rule allows auto-send for {', '.join(barred)}."
    return True, f"A rule allows auto-send for {', '.join(name for name, _ in rules)}."


def _check_sensitive(e: RouteEvidence) -> GateVerdict:
    understanding = e.classification
    kinds = {intent.intent for intent in understanding.intents}
    if Category.COMPLAINT in e.categories or IntentKind.COMPLAINT in kinds:
        return False, "A complaint is always answered by a person."
    if IntentKind.ESCALATION in kinds:
        return False, "The sender asks for a person."
    if understanding.priority is Priority.URGENT:
        return False, "Urgent mail is always answered by a person."
    if understanding.sentiment is Sentiment.NEGATIVE:
        return False, "The sender is upset, so a person answers."
    return True, "Neither a complaint, nor urgent, nor in anger."


def _check_approval_floor(e: RouteEvidence) -> GateVerdict:
    if not e.plans:
        return False, "There is no plan."
    floor = pick_strictest([action.floor for plan in e.plans for action in plan.actions])
    if floor is Floor.PERSON:
        return False, "An action of the plan needs a person's yes."
    if _has_owner_words(e):
        return False, "It tells what an owner answered to this question alone; a person reads it."
    return True, f"The plan's actions need {floor.value} approval at most."


def _has_owner_words(e: RouteEvidence) -> bool:
    """Return whether a draft may hold an owner's own words, which nobody has read as a reply.

    Those that were remembered and accepted are knowledge, and cited as such. A model may tell
    what it was given without citing it.
    """
    cited = any(citation.ref.startswith(OWNER) for citation in e.draft.citations)
    is_given = any(snippet.ref.startswith(OWNER) for snippet in e.briefing.snippets)
    return cited or (is_given and e.draft.provider != "local")


def _check_draft_present(e: RouteEvidence) -> GateVerdict:
    replies = any(plan.replies for plan in e.plans)
    if not e.draft.body.strip() or not e.draft.subject.strip() or not replies:
        return False, "There is no reply to send."
    return True, "There is a reply."


def _check_quality(e: RouteEvidence) -> GateVerdict:
    rules = list_rules(e.policy, e.classification)
    needed = max(choose_threshold(rule, e.policy) for _, rule in rules)
    if not e.checked.quality >= needed:
        return False, f"Draft quality {e.checked.quality:.2f} is below {needed:.2f}."
    return True, f"Draft quality {e.checked.quality:.2f} reaches {needed:.2f}."


def _check_findings(e: RouteEvidence) -> GateVerdict:
    barring = [f for f in e.checked.findings if f.severity is not Severity.INFO]
    if barring:
        many = f"{len(barring)} findings hold" if len(barring) > 1 else "One finding holds"
        return False, f"{many} the draft, first: {barring[0].sentence}"
    return True, "The check found nothing that holds the draft."


def _check_accounted(e: RouteEvidence) -> GateVerdict:
    if not e.checked.accounts:
        return False, "Nobody could say what becomes of the sender's sentences; unknown is no."
    open_count = sum(account.disposition is Disposition.OPEN for account in e.checked.accounts)
    if open_count:
        return False, f"{open_count} of the sender's sentences are not dealt with."
    return True, "Every sentence of the sender is dealt with, or asks for nothing."


def _check_context(e: RouteEvidence) -> GateVerdict:
    if e.briefing.tier is not Tier.NORMAL:
        return False, f"The context was cut ({e.briefing.tier.value})."
    return True, "The whole context was seen."


def _check_attachments(e: RouteEvidence) -> GateVerdict:
    if e.signals.attachments:
        return False, f"{e.signals.attachments} attachments were not read."
    return True, "No attachments."


def _check_working_hours(e: RouteEvidence) -> GateVerdict:
    hours = e.policy.working_hours
    if hours is None:
        return True, "The policy sets no working hours."
    try:
        local = e.signals.now.astimezone(ZoneInfo(hours.timezone))
    except (ZoneInfoNotFoundError, ValueError):
        return False, f"The working hours' timezone {hours.timezone!r} is not known."
    clock = local.strftime("%H:%M")
    holiday = next((day_off for day_off in e.holidays if day_off.day == local.date()), None)
    if holiday is not None:
        holiday_name = f" ({holiday.name})" if holiday.name else ""
        return False, f"Nobody works today, {holiday.day:%d %B}{holiday_name}."
    start, end = hours.span_of(local.isoweekday())
    if not hours.works_on(local.date()) or not start <= clock < end:
        return False, f"Outside working hours: {local:%A} {clock}, {hours.timezone}."
    return True, f"Within working hours: {local:%A} {clock}."


def _check_daily_cap(e: RouteEvidence) -> GateVerdict:
    sent, cap = e.signals.auto_sends_today, e.policy.caps.auto_sends_per_day
    if sent >= cap:
        return False, f"{sent} replies left by themselves today; the cap is {cap}."
    return True, f"{sent} of {cap} automatic replies today."


def _check_governor(e: RouteEvidence) -> GateVerdict:
    why = explain_refusal(e.signals.sent, e.policy.caps)
    if not why and e.signals.repeated_body:
        why = "The same text went to this address within seven days."
    return (False, why) if why else (True, "Few replies went this way lately.")


def _check_newer_mail(e: RouteEvidence) -> GateVerdict:
    if e.signals.newer_mail:
        return False, "Somebody wrote again since this was drafted."
    if e.signals.stale:
        why = "A person acted on the case, or its conversation was changed"
        return False, f"{why}, since its context was gathered."
    return True, "Nothing newer has come in."


def _check_transport(e: RouteEvidence) -> GateVerdict:
    if not e.signals.transport_ready:
        return False, "The outbox cannot deliver at the moment."
    return True, "The outbox can deliver."


GATES: tuple[tuple[str, Callable[[RouteEvidence], GateVerdict]], ...] = (
    ("kill_switch", _check_kill_switch),
    ("pipeline_mode", _check_pipeline_mode),
    ("shadow_mode", _check_shadow_mode),
    ("automated", _check_automated),
    ("screening", _check_screening),
    ("message_form", _check_message_form),
    ("sender_authenticated", _check_sender),
    ("recipient", _check_recipient),
    ("category_rule", _check_category_rule),
    ("sensitive", _check_sensitive),
    ("approval_floor", _check_approval_floor),
    ("draft_present", _check_draft_present),
    ("quality", _check_quality),
    ("findings", _check_findings),
    ("accounted", _check_accounted),
    ("context_tier", _check_context),
    ("attachments", _check_attachments),
    ("working_hours", _check_working_hours),
    ("daily_cap", _check_daily_cap),
    ("reply_governor", _check_governor),
    ("newer_mail", _check_newer_mail),
    ("transport", _check_transport),
)
"""Name and test of every gate, in order; docs and tests hold to these names."""


def ask_all_gates(evidence: RouteEvidence) -> tuple[Gate, ...]:
    """Return every gate with its answer."""
    answers: Sequence[tuple[str, GateVerdict]] = [(name, test(evidence)) for name, test in GATES]
    return tuple(Gate(name=name, passed=passed, reason=why) for name, (passed, why) in answers)
