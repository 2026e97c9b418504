"""The gates in people's words, and why a case waits, in one line."""

from collections.abc import Sequence

from data.records.core.record import Record
from data.records.mail.deciding import Decision, Outcome
from data.records.mail.views import QueueItem
from data.states import CaseState

ANSWERS_NOTHING = 0.005
"""Below this quality a draft answers nothing: it is shown as 0 and called what it is."""


class GateWords(Record):
    """How a gate is called, and what it means that it says no."""

    title: str
    no: str
    """Goes on after *it waits because*."""


def _gate(title: str, no: str) -> GateWords:
    return GateWords(title=title, no=no)


GATES: dict[str, GateWords] = {
    "newer_mail": _gate("Nothing newer", "something changed since it was drafted"),
    "draft_present": _gate("There is a reply", "there is no draft"),
    "screening": _gate("Screen", "the screen found something suspicious"),
    "message_form": _gate(
        "Form of the message", "its form is odd, or nobody has proved the sender"
    ),
    "recipient": _gate("Recipient", "where the reply goes needs a look"),
    "automated": _gate("A person wrote it", "a machine seems to have written it"),
    "sensitive": _gate(
        "Nothing delicate", "it is a complaint, urgent, angry, or asks for a person"
    ),
    "attachments": _gate("Attachments", "its attachments were not read"),
    "accounted": _gate("Every sentence", "something that the sender wrote is not dealt with"),
    "quality": _gate("Quality of the draft", "the draft answers only a part"),
    "findings": _gate("Check of the draft", "the check marked something in the draft"),
    "approval_floor": _gate("What the plan does", "something that it plans needs your yes"),
    "context_tier": _gate("Whole context", "the context had to be shortened"),
    "category_rule": _gate("Rule for its category", "no rule lets its category leave by itself"),
    "reply_governor": _gate("Limits of replies", "a limit of replies is reached"),
    "daily_cap": _gate("Cap of the day", "the cap of automatic replies is reached"),
    "sender_authenticated": _gate("Sender", "nobody has proved who sent it"),
    "transport": _gate("Way out", "nothing can be sent now"),
    "kill_switch": _gate("Kill switch", "sending is stopped"),
    "pipeline_mode": _gate("Drafting", "drafting is off"),
    "working_hours": _gate("Working hours", "it is outside of working hours"),
    "shadow_mode": _gate("Mode", "the mode is shadow: nothing leaves by itself"),
}
"""What tells most about a case comes first; the mode, which holds every case, comes last."""

NO_ANSWER = "no sentence of the draft answers it"


def name_gate(name: str) -> str:
    """Return how people call a gate."""
    gate_words = GATES.get(name)
    return gate_words.title if gate_words else name.replace("_", " ").capitalize()


def tell_reasons(holding: Sequence[str], quality: float, most: int) -> str:
    """Return what holds a case back, what tells most first, at most so many things."""
    reasons = [_say_no(name, quality) for name in _in_order(holding)[:most]]
    more = len([name for name in _in_order(holding) if name != "shadow_mode"]) - most
    return "; ".join(reasons) + (f", and {more} more" if more > 0 else "")


def _in_order(holding: Sequence[str]) -> list[str]:
    """Return what holds a case back, what tells most first; the mode alone where nothing else."""
    order = list(GATES)
    names = sorted(holding, key=lambda name: order.index(name) if name in order else 0)
    if "findings" in names and ("quality" in names or "accounted" in names):
        names.remove("findings")  # what is not answered is found by all of them
    return [name for name in names if name != "shadow_mode"] or names


def explain_wait(item: QueueItem) -> str:
    """Return in one line why a case of the queue waits for a person."""
    if item.state is CaseState.FAILED:
        return "A stage failed; open it to see which."
    if item.would_auto_send:
        return "Only shadow mode holds it: it would have left by itself."
    if item.outcome is Outcome.REVIEW and item.holding and _composed(item.reason):
        reasons = tell_reasons(item.holding, item.quality, most=1)
        return f"{reasons[0].upper()}{reasons[1:]}."
    return item.reason.partition("; handed to ")[0]


def tell_briefly(decision: Decision, quality: float) -> str:
    """Return in one sentence why a case is where it is."""
    holding = [gate.name for gate in decision.gates if not gate.passed]
    if decision.would_auto_send:
        return "Only shadow mode holds it: it would have left by itself."
    if decision.outcome is Outcome.REVIEW and holding and _composed(decision.reason):
        reasons = tell_reasons(holding, quality, most=1)
        return f"{reasons[0].upper()}{reasons[1:]}."
    reason, handed, _ = decision.reason.partition("; handed to ")
    return f"{reason}." if handed else reason


def telling_most(decision: Decision, quality: float) -> str:
    """Return by name what tells most why a case waits: a gate, `only_shadow` or `no_answer`.

    Empty where the decision has a reason of its own. `tell_briefly` says the same as a sentence.
    """
    holding = [gate.name for gate in decision.gates if not gate.passed]
    if decision.would_auto_send:
        return "only_shadow"
    if decision.outcome is not Outcome.REVIEW or not holding or not _composed(decision.reason):
        return ""
    name = _in_order(holding)[0]
    return "no_answer" if name == "quality" and quality < ANSWERS_NOTHING else name


def explain_decision(decision: Decision, quality: float, *, waits: bool = True) -> str:
    """Return why a case is where it is, for its page, or why it waited before it was decided on."""
    holding = [gate.name for gate in decision.gates if not gate.passed]
    if decision.would_auto_send:
        return "Only shadow mode holds it: it would have left by itself."
    if decision.outcome is Outcome.REVIEW and holding and _composed(decision.reason):
        began = "It waits for you" if waits else "It waited for a person"
        return f"{began}: {tell_reasons(holding, quality, most=4)}."
    return decision.reason


def _composed(reason: str) -> bool:
    """Return whether a decision's sentence only counts gates; others say something of their own."""
    return " gates hold it back" in reason


def _say_no(name: str, quality: float) -> str:
    if name == "quality" and quality < ANSWERS_NOTHING:
        return NO_ANSWER
    gate_words = GATES.get(name)
    return gate_words.no if gate_words else f"{name_gate(name).lower()} says no"
