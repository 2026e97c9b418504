"""An agent's configuration at the command line: its manifest, its settings, its versions."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.agents.agent_talk import AgentArgument
from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import make_inert, print_lines, say

if TYPE_CHECKING:
    from data.records.agents.agents import Agent

ReasonOption = Annotated[str, typer.Option("--why", "--reason", help="Why; kept with the version.")]
ManifestArgument = Annotated[
    Path, typer.Argument(exists=True, dir_okay=False, help="A manifest as `export` writes it.")
]


def register(group: typer.Typer) -> None:
    """Put the commands under `postern agent`."""
    group.command("set")(set_manifest)
    group.command("settings")(settings)
    group.command("answers")(own_answers)
    group.command("versions")(versions)
    group.command("restore")(restore)


def set_manifest(
    ctx: typer.Context,
    agent: AgentArgument,
    manifest: ManifestArgument,
    reason: ReasonOption,
    organization: OrganizationOption = None,
    version: Annotated[
        int | None,
        typer.Option("--version", min=1, help="The one that was changed; refused where it is old."),
    ] = None,
) -> None:
    """Give an agent another manifest, as one more version."""
    from data.manifest_files import read_text
    from data.records.agents.agents import Agent

    body = {"manifest": read_text(manifest), "reason": reason, "version": version}
    engine, slug = engine_and_slug(ctx, organization)
    show_state(Agent.model_validate(engine.put(f"/v1/{slug}/agents/{agent}", body)))


def settings(
    ctx: typer.Context,
    agent: AgentArgument,
    organization: OrganizationOption = None,
    answers: Annotated[
        list[str] | None,
        typer.Option("--answer", help="NAME=VALUE; without a value it is taken away."),
    ] = None,
    reason: Annotated[
        str, typer.Option("--why", "--reason", help="Why; kept with the version, else *set up*.")
    ] = "",
) -> None:
    """Show what an agent asks to be set up, or answer it, as one more version."""
    from data.agent_settings import read_answers
    from data.errors import UnfitError
    from data.records.agents.agents import Agent, AgentSettings

    if reason and not answers:
        raise UnfitError("--why says why something is answered: name what with --answer")
    path = f"/{agent}/settings"
    agent_settings = AgentSettings.model_validate(ask_engine(ctx, organization, path))
    if answers:
        engine, slug = engine_and_slug(ctx, organization)
        body = {
            "values": read_answers(agent_settings.fields, answers),
            "reason": reason or "set up",
            "version": agent_settings.version,
        }
        show_state(Agent.model_validate(engine.put(f"/v1/{slug}/agents{path}", body)))
        return
    if not agent_settings.fields:
        say(f"{agent} has no settings.")
    for field in agent_settings.fields:
        needed = " (has to be answered)" if field.label in agent_settings.unanswered else ""
        options = f"; one of {', '.join(field.options)}" if field.options else ""
        say(
            f"{field.field} = {make_inert(str(agent_settings.values.get(field.field, '')))}{needed}"
        )
        say(f"  {make_inert(field.label)} ({field.type}{options})")


def own_answers(
    ctx: typer.Context,
    agent: AgentArgument,
    organization: OrganizationOption = None,
    answers: Annotated[
        list[str] | None,
        typer.Option("--answer", help="NAME=VALUE; without a value it is taken away."),
    ] = None,
) -> None:
    """Show what an agent asks of you alone, or answer it; it asks in the chat, too."""
    from data.agent_settings import read_answers
    from data.records.agents.agents import OwnAnswers

    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/chats/answers/{agent}"
    own = OwnAnswers.model_validate(engine.get(path))
    if answers:
        body = {"values": read_answers(own.fields, answers)}
        own = OwnAnswers.model_validate(engine.put(path, body))
    if not own.fields:
        say(f"{agent} asks nothing of you.")
    for field in own.fields:
        options = f"; one of {', '.join(field.options)}" if field.options else ""
        say(f"{field.field} = {make_inert(str(own.values.get(field.field, '')))}")
        say(f"  {make_inert(field.label)} ({field.type}{options})")


def versions(
    ctx: typer.Context,
    agent: AgentArgument,
    organization: OrganizationOption = None,
    diff: Annotated[
        int | None, typer.Option("--diff", help="Show what this version changed.", min=1)
    ] = None,
    template: Annotated[
        bool,
        typer.Option("--template", help="Show what its template has otherwise; it is not applied."),
    ] = False,
) -> None:
    """List every version of an agent, with author and reason; of a deleted one, too."""
    from data.errors import UnfitError
    from data.records.agents.agents import AgentVersionList, Difference

    if diff is not None and template:
        raise UnfitError("--diff compares two versions, --template one with its template: name one")
    if diff is not None or template:
        if diff is None:
            diff_page = ask_engine(ctx, organization, f"/{agent}/template")
        else:
            diff_page = ask_engine(ctx, organization, f"/{agent}/diff", after=str(diff))
        difference = Difference.model_validate(diff_page)
        if difference.text:
            print_lines(difference.text)
        elif difference.before == difference.after:
            say(f"Version {diff} is the first; there is none before it.")
        else:
            say("Nothing is different.")
        return
    listed = AgentVersionList.model_validate(ask_engine(ctx, organization, f"/{agent}/versions"))
    for item in listed.items:
        moment = f"{item.made_at:%Y-%m-%d %H:%M %Z}"
        say(f"{item.version}  {moment}  {make_inert(item.author)}  {make_inert(item.note)}")


def restore(
    ctx: typer.Context,
    agent: AgentArgument,
    version: Annotated[int, typer.Argument(min=1)],
    reason: ReasonOption,
    organization: OrganizationOption = None,
    expected: Annotated[
        int | None,
        typer.Option("--expected", min=1, help="The one that it has; refused where that is old."),
    ] = None,
) -> None:
    """Give an agent an earlier version again, as one more."""
    body = {"version": version, "reason": reason, "expected": expected}
    show_state(post_change(ctx, organization, f"/{agent}/restore", body))


def post_change(
    ctx: typer.Context, organization: str | None, path: str, body: Mapping[str, object]
) -> "Agent":
    """Post a change of an agent, by a path below the organization's agents; return the agent."""
    from data.records.agents.agents import Agent

    engine, slug = engine_and_slug(ctx, organization)
    return Agent.model_validate(engine.post(f"/v1/{slug}/agents{path}", body))


def ask_engine(ctx: typer.Context, organization: str | None, path: str, **query: str) -> object:
    """Return what the engine says of a path below the organization's agents."""
    engine, slug = engine_and_slug(ctx, organization)
    return engine.get(f"/v1/{slug}/agents{path}", **query)


def show_state(agent: "Agent") -> None:
    """Say what an agent is now."""
    say(f"{agent.name} ({agent.slug}) is {agent.state}, version {agent.version}.")
