"""The names of Postern's own tools and of their groups, and what a policy says of them."""

from collections.abc import Iterable

from data.errors import ManifestError
from data.records.core.organization import HttpService, Policy

TOOL_NAMES = frozenset(
    {
        "add_event", "add_task", "answer_from_knowledge", "answer_from_profile", "answer_time",
        "cases_about", "cases_of", "confirm_task", "correct_memory", "count_figures", "draft_reply",
        "drop_proposed_task", "drop_task", "find_contacts", "finish_task", "follow_ups", "forget",
        "free_time", "list_events", "list_knowledge", "list_promises", "list_tasks", "move_event",
        "move_task", "newest_mail", "note_about_contact", "note_lesson", "propose_knowledge",
        "propose_task", "read_knowledge", "read_result", "recall", "remember", "remove_event",
        "run_query", "this_case", "this_contact", "usage_stats", "waiting_cases",
    }
)  # fmt: skip
"""What agents call, by name; `tests/agents/tools/test_services.py` holds this to the tools."""
GROUP_NAMES = frozenset(
    {
        "calendar", "contacts", "context", "figures", "knowledge", "memory", "queue", "services",
        "tasks",
    }
)  # fmt: skip
"""Groups of them: a manifest that names one has all of its tools."""


def explain_unreachable(services: Iterable[HttpService]) -> tuple[str, ...]:
    """Return why services cannot be called under their names, a sentence's end for each of them."""
    reasons, names = [], set()
    for service in services:
        if service.name in TOOL_NAMES:
            reasons.append(f"{service.name!r} is a tool of Postern's own")
        elif service.name in GROUP_NAMES:
            reasons.append(f"{service.name!r} is a group of Postern's own tools")
        elif service.name in names:
            reasons.append(f"{service.name!r} stands there twice")
        names.add(service.name)
    return tuple(reasons)


def without_effect(policy: Policy) -> tuple[str, ...]:
    """Return which names of `agent_tools` are no tool's, a sentence's end for each of them."""
    there = TOOL_NAMES | GROUP_NAMES | {service.name for service in policy.services}
    names = dict.fromkeys((*policy.agent_tools.forbidden, *policy.agent_tools.ask_first))
    return tuple(
        f"{name!r} is no tool, no group of tools and no service"
        for name in names
        if name not in there
    )


def check_tool_names(policy: Policy, name: str, before: Policy | None = None) -> None:
    """Refuse services that nobody could call, and limits of tools that are not there.

    What stood in a policy `before` may stay.

    Raises:
        ManifestError: there is one; `name` is where it stands.

    """
    reasons_before = explain_unreachable(before.services) if before is not None else ()
    for reason in explain_unreachable(policy.services):
        if reason not in reasons_before:
            raise ManifestError(
                f"{name!r}: key 'services' names a service that agents could not call: {reason}; "
                "choose another name"
            )
    reasons_before = without_effect(before) if before is not None else ()
    for reason in without_effect(policy):
        if reason not in reasons_before:
            raise ManifestError(
                f"{name!r}: key 'agent_tools' limits nothing: {reason}; "
                "`postern agent show assistant` lists tools"
            )
