"""A model looks things up before it plans: bounded, scoped by code, and told in the trace.

Each turn is a call of its own, reserved and counted like any other; what a tool gives goes back
as material. The number of lookups is limited, and every turn without an answer uses one up at
least, so there is one call more than lookups at most.
"""

from collections.abc import Mapping
from dataclasses import replace

from data.asking import Fault, ModelFaultError, Question, Reply, Talk, ToolCall, ToolOffer
from data.errors import PosternError
from data.manifest import Task
from data.records.planning import Lookup
from data.records.tools import Capability
from flows.planning_tools import TOOLS, Scope, ToolCallError, allowed_in, call
from flows.thinking import Thinker
from tasks.asking.lookups import FAILED, REFUSED, SPENT, result_text
from tasks.asking.planning import harmless

_WORDS = 120


def offers(names: tuple[str, ...], task: Task) -> tuple[ToolOffer, ...]:
    """Return the tools of a manifest as they are offered in a step, in the registry's order.

    Raises:
        ToolCallError: the registry has no tool of a name, or the step may not hold it.

    """
    allowed = allowed_in(task)
    for name in names:
        if name not in TOOLS:
            raise ToolCallError(f"there is no tool {name!r}; there are {', '.join(TOOLS)}")
        if not TOOLS[name].labels <= allowed:
            raise ToolCallError(f"the task {task!r} may not be offered the tool {name!r}")
    return tuple(
        ToolOffer(name=tool.name, tells=tool.tells, takes=tool.takes)
        for tool in TOOLS.values()
        if tool.name in names
    )


async def ask_with_tools(
    thinker: Thinker, scope: Scope, question: Question, marker: str, *, most: int
) -> tuple[Reply, tuple[Lookup, ...]]:
    """Return the answer, and what was looked up before it.

    Args:
        thinker: who asks.
        scope: whose case it is; tools see nothing else.
        question: with the tools that are offered.
        marker: of the question's fences, which those of the results share.
        most: lookups that are carried out.

    Raises:
        ModelFaultError: there is no usable answer.

    """
    lookups: list[Lookup] = []
    tokens = 0
    while True:
        spent = len(lookups) >= most
        asked = replace(question, tools=() if spent else question.tools)
        reply = await thinker.ask(
            scope.workspace, asked, item=scope.case_id, sender=scope.contact_email
        )
        if not reply.calls:
            return reply, tuple(lookups)
        if spent:
            raise ModelFaultError(Fault.MALFORMED)
        results: dict[str, str] = {}
        for one in reply.calls:
            lookup, results[one.id] = await _looked(scope, question, one, marker, lookups, most)
            lookups.append(lookup)
        tokens += sum(len(text.encode()) for text in results.values()) + question.max_tokens
        talk = Talk(history=reply.history, results=results, tokens=tokens)
        question = replace(question, talk=talk)


async def _looked(
    scope: Scope,
    question: Question,
    wanted: ToolCall,
    marker: str,
    before: list[Lookup],
    most: int,
) -> tuple[Lookup, str]:
    """Carry out one call; return its line of the trace, and what the model is told."""
    given = wanted.arguments if isinstance(wanted.arguments, Mapping) else None
    offered = wanted.name in {one.name for one in question.tools}
    name = wanted.name if offered else "unknown"
    words = harmless(_written(given.get("words", "")), _WORDS) if offered and given else ""
    if sum(one.outcome != "limit" for one in before) >= most:
        return Lookup(tool=name, words=words, outcome="limit"), SPENT
    if given is None or not offered:
        return Lookup(tool=name, words=words, outcome="refused"), REFUSED
    try:
        result = await call(scope, name, given, allowed_in(question.task))
    except ToolCallError:
        return Lookup(tool=name, words=words, outcome="refused"), REFUSED
    except PosternError:
        return Lookup(tool=name, words=words, outcome="failed"), FAILED
    found = getattr(result, "found", (result,))
    untrusted = Capability.UNTRUSTED in TOOLS[name].labels
    told = result_text(marker, result, untrusted=untrusted)
    return Lookup(tool=name, words=words, found=len(found), outcome="answered"), told


def _written(value: object) -> str:
    """Return what a model wrote as text that can be encoded."""
    return str(value).encode("utf-8", "replace").decode("utf-8")
