"""A model looks things up before it plans: bounded, scoped by code, and told in the trace.

Each turn is a call of its own, reserved and counted like any other; what a tool gives goes back
as material. The number of lookups is limited, and every turn without an answer uses one up at
least, so there is one call more than lookups at most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from data.errors import PosternError
from data.records.core.asking import (
    Charge,
    Fault,
    LookupCall,
    ModelFaultError,
    ModelReply,
    Question,
    Talk,
    ToolOffer,
)
from data.records.core.briefing import Snippet
from data.records.core.messages import ModelRequest, ResultPart
from data.records.core.record import Record
from data.records.core.tools import Label
from data.records.mail.planning import Lookup, LookupOutcome
from flows.core.thinker import Thinker
from flows.core.tools import ToolCallError
from flows.mail.thinking.line_agents import LINE_AGENTS, LineAgent
from flows.mail.thinking.planning_tools import BOTH, TOOLS, ToolScope, allowed_to, call
from tasks.mail.context.late_snippets import sources_in
from tasks.mail.plan.lookup_results import FAILED, REFUSED, SPENT, result_text
from tasks.mail.plan.plan_form import make_harmless

_WORDS = 120
MOST_CALLS, MOST_ASKED = 16, 16_384
"""Calls of one turn, and bytes of what they ask for; one call is wanted, and a few words."""


@dataclass
class Looked:
    """What was looked up for one wish."""

    lookups: list[Lookup] = field(default_factory=list)
    """The trace, in order."""
    sources: list[Snippet] = field(default_factory=list)
    """What was found that a reply may be written from, in the order in which it was found."""


def offers(names: tuple[str, ...], agent: LineAgent[object]) -> tuple[ToolOffer, ...]:
    """Return the tools of a manifest as they are offered to an agent, in the registry's order.

    Raises:
        ToolCallError: the registry has no tool of a name, or the agent may not hold it.

    """
    allowed = allowed_to(agent)
    for name in names:
        if allowed is None or not allowed.permits(TOOLS.read_declaration(name)):
            raise ToolCallError(f"agent {agent.slug!r} may not be offered the tool {name!r}")
    return TOOLS.pick(names).offers


async def ask_with_tools(
    thinker: Thinker,
    scope: ToolScope,
    question: Question,
    marker: str,
    looked: Looked,
    *,
    most: int,
) -> ModelReply:
    """Return the answer; what was looked up before it is in `looked`, whatever comes of it.

    Args:
        thinker: who asks.
        scope: whose case it is; tools see nothing else.
        question: with the tools that are offered.
        marker: of the question's fences, which those of the results share.
        looked: empty; the trace is kept in it.
        most: lookups that are carried out.

    Raises:
        ModelFaultError: there is no usable answer.

    """
    tokens = 0
    while True:
        spent = len(looked.lookups) >= most
        asked = replace(question, tools=() if spent else question.tools)
        reply = await thinker.ask(
            scope.workspace, asked, Charge(item=scope.case_id, sender=scope.contact_email)
        )
        if not reply.calls:
            return reply
        if spent or len(reply.calls) > MOST_CALLS or _size(reply.calls) > MOST_ASKED:
            raise ModelFaultError(Fault.MALFORMED)
        results = [
            ResultPart(
                call_id=tool_call.id,
                tool=tool_call.name,
                text=await _carry_out(scope, question, tool_call, marker, looked, most),
            )
            for tool_call in reply.calls
        ]
        tokens += sum(len(result.text.encode()) for result in results) + question.max_tokens
        messages = question.messages.followed_by(reply.answer, ModelRequest(parts=tuple(results)))
        talk = Talk(messages=messages, follows=reply.call_id, tokens=tokens)
        question = replace(question, talk=talk)


async def _carry_out(
    scope: ToolScope,
    question: Question,
    lookup_call: LookupCall,
    marker: str,
    looked: Looked,
    most: int,
) -> str:
    """Carry out one call, note it and what it has found; return what the model is told."""
    call_arguments = lookup_call.arguments if isinstance(lookup_call.arguments, Mapping) else None
    offered = lookup_call.name in {tool.name for tool in question.tools}
    name = lookup_call.name if offered else "unknown"
    words = (
        make_harmless(_as_encodable(call_arguments.get("words", "")), _WORDS)
        if offered and call_arguments
        else ""
    )

    def note(outcome: LookupOutcome, told: str, result: Record | None = None) -> str:
        sources = sources_in(result) if result is not None else ()
        looked.sources.extend(sources)
        looked.lookups.append(
            Lookup(
                tool=name,
                words=words,
                outcome=outcome,
                found=len(getattr(result, "found", (result,))) if result is not None else 0,
                refs=tuple(source.ref for source in sources),
            )
        )
        return told

    if sum(lookup.outcome != "limit" for lookup in looked.lookups) >= most:
        return note("limit", SPENT)
    if call_arguments is None or not offered:
        return note("refused", REFUSED)
    try:
        result = await call(
            scope, name, call_arguments, allowed_to(LINE_AGENTS[question.agent]) or BOTH
        )
    except ToolCallError:
        return note("refused", REFUSED)
    except PosternError:
        return note("failed", FAILED)
    untrusted = Label.UNTRUSTED in TOOLS.read_declaration(name).labels
    return note("answered", result_text(marker, result, untrusted=untrusted), result)


def _size(calls: Sequence[LookupCall]) -> int:
    return sum(
        len(f"{tool_call.id}{tool_call.name}{tool_call.arguments}".encode("utf-8", "replace"))
        for tool_call in calls
    )


def _as_encodable(value: object) -> str:
    """Return what a model wrote as text that can be encoded."""
    return str(value).encode("utf-8", "replace").decode("utf-8")
