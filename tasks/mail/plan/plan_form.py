"""Planning by a model: it proposes steps from the closed set; what they may do is code's word.

Floors come from the table of actions. A step that the embedded plan does not hold needs a
person as soon as somebody outside would notice it; an escalation of the embedded plan stays.
Whom it goes to, tags and titles are ours or are cut down to harmless words.
"""

from pydantic import JsonValue, ValidationError

from data.records.core.approvals import Floor
from data.records.core.asking import Brief, Fault, ModelFaultError, Question, ToolOffer
from data.records.core.briefing import Briefing
from data.records.core.organization import Policy
from data.records.core.understanding import Classification, Intent
from data.records.mail.planning import Action, ActionType, Plan
from tasks.core.asking.model_view import text_view
from tasks.core.asking.packing import context_of, pack
from tasks.core.leaks.links import find_addresses, find_links
from tasks.core.patterns import compiled
from tasks.mail.actions import make_action
from tasks.mail.forms import ActionForm, PlanForm
from tasks.mail.plan.planning import assignee

MAX_TOKENS = 1_200
_TASK = (
    "Look up what the plan needs and is not given, if anything; then fill in the form: call the "
    "tool `answer` once, and write nothing else."
)
_REASON, _TITLE, _TAG = 300, 120, 40
_WISH = 4_000
_PLAIN_TAG = compiled(r"^[\p{Ll}\p{Nd}]+(?:[ _-][\p{Ll}\p{Nd}]+)?$")


def plan_question(
    intent: Intent,
    classification: Classification,
    briefing: Briefing,
    *,
    brief: Brief,
    marker: str,
    tools: tuple[ToolOffer, ...] = (),
) -> Question:
    """Return the question what to do about one wish; `tools` may be looked at before."""
    trusted, foreign = context_of(briefing)
    payload: dict[str, JsonValue] = {
        "classification": {
            "category": classification.category.value,
            "priority": classification.priority.value,
            "sentiment": classification.sentiment.value,
            "language": classification.language,
        },
        "wish": {"intent": intent.intent.value, "category": intent.category.value},
        "entries": trusted,
    }
    mail = {"wish in the sender's words": text_view(intent.text, _WISH), **foreign}
    return brief.question(
        pack(marker, payload, mail, _TASK if tools else ""),
        PlanForm,
        MAX_TOKENS,
        tools=tools,
    )


def narrow_plan(
    embedded: Plan,
    answer: object,
    classification: Classification,
    intent: Intent,
    policy: Policy,
    model: str,
) -> Plan:
    """Return the model's plan within what the embedded plan of the same wish allows.

    Raises:
        ModelFaultError: the answer is not in the form.

    """
    try:
        form = PlanForm.model_validate(answer)
    except ValidationError as error:
        raise ModelFaultError(Fault.MALFORMED) from error
    allowed = {action.type: action for action in embedded.actions}
    actions: dict[ActionType, Action] = {}
    for step in form.actions:
        if step.type not in actions:
            actions[step.type] = _action(step, allowed, classification, intent, policy)
    for kind in (ActionType.ESCALATE, ActionType.CREATE_CONTACT, ActionType.TAG_THREAD):
        if kind in allowed:
            actions[kind] = allowed[kind]
    if ActionType.REPLY in actions and embedded.escalates:
        reply = actions[ActionType.REPLY]
        actions[ActionType.REPLY] = reply.model_copy(update={"floor": Floor.PERSON})
    return Plan(actions=tuple(actions.values()), provider=model)


def _action(
    step: ActionForm,
    allowed: dict[ActionType, Action],
    classification: Classification,
    intent: Intent,
    policy: Policy,
) -> Action:
    """Return a step with the floor of its nature, raised to a person where ours has none such."""
    own = allowed.get(step.type)
    action = make_action(
        step.type,
        make_harmless(step.reason, _REASON) or "The model gives no reason.",
        argument=_argument(step, classification, intent, policy),
        money=own is not None and own.money,
    )
    person = own is None and action.outside_effect
    if person or (own is not None and own.floor is Floor.PERSON):
        action = action.model_copy(update={"floor": Floor.PERSON})
    return action


def _argument(
    step: ActionForm, classification: Classification, intent: Intent, policy: Policy
) -> str:
    if step.type is ActionType.ESCALATE:
        return assignee(policy, intent.category, classification.priority)
    if step.type is ActionType.TAG_THREAD:
        tag = step.argument.lower()[:_TAG]
        return tag if _PLAIN_TAG.match(tag) else intent.category.value
    if step.type in (ActionType.CREATE_TICKET, ActionType.ASK_OWNER):
        return make_harmless(step.argument, _TITLE)
    return ""


def make_harmless(text: str, most: int) -> str:
    """Return a line of a model for the reviewer's eyes; nothing if it holds a link or address."""
    line = " ".join(text_view(text, most).split())
    return "" if find_links(line) or find_addresses(line) else line
