"""`postern agent …`: the agents that people talk to, and what becomes of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from data.counting import plural
from flows.cli.agents import agent_library, agent_talk, agent_versions
from flows.cli.agents.agent_talk import AgentArgument
from flows.cli.agents.agent_versions import (
    ManifestArgument,
    ReasonOption,
    ask_engine,
    post_change,
    show_state,
)
from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import make_inert, print_json_lines, print_table, say

if TYPE_CHECKING:
    from data.records.agents.agents import Assignment
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="Agents that people talk to, in the window and over the API.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    agent_talk.register(group)
    agent_library.register(group)
    agent_versions.register(group)
    app.add_typer(group, name="agent", short_help="Ask, list, change, assign and pause agents.")


@group.command("list")
def list_agents(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the agents of an organization, with what each can look up."""
    from data.records.agents.agents import AgentList

    engine, slug = engine_and_slug(ctx, organization)
    agents = AgentList.model_validate(engine.get(f"/v1/{slug}/agents", everyone="true")).items
    if json:
        print_json_lines(agents)
        return
    if not agents:
        say("No agent is installed yet; `postern up` installs those of the catalogue.")
        return
    lines: list[tuple[str, ...]] = []
    for agent in agents:
        cells = (agent.slug, agent.name, agent.state, str(agent.version), ", ".join(agent.tools))
        lines.append(cells)
    print_table(("agent", "name", "state", "version", "tools"), lines)


TrustLevel = Literal["read", "standard", "elevated", "admin"]
AgentOrAllArgument = Annotated[
    str | None, typer.Argument(help="Slug of an agent; `postern agent list` shows them.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Every agent of the organization.")]


@group.command("pause")
def pause(
    ctx: typer.Context,
    agent: AgentOrAllArgument = None,
    every: AllOption = False,
    organization: OrganizationOption = None,
) -> None:
    """Let an agent begin no turn until it is resumed, and end what it is at."""
    _set_states(ctx, agent, organization, "pause", every=every)


@group.command("resume")
def resume(
    ctx: typer.Context,
    agent: AgentOrAllArgument = None,
    every: AllOption = False,
    organization: OrganizationOption = None,
) -> None:
    """Let a paused agent work again."""
    _set_states(ctx, agent, organization, "resume", every=every)


@group.command("activate")
def activate(
    ctx: typer.Context, agent: AgentArgument, organization: OrganizationOption = None
) -> None:
    """Let those have an agent that was tested to whom it is assigned."""
    _set_states(ctx, agent, organization, "activate")


@group.command("install")
def install(
    ctx: typer.Context,
    template: Annotated[
        str, typer.Argument(help="Slug of a template of the catalogue or the library.")
    ],
    organization: OrganizationOption = None,
    slug: Annotated[
        str | None, typer.Option("--as", help="Another slug: an agent with a memory of its own.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What people read.")] = None,
) -> None:
    """Make an agent from a template, for everybody."""
    body = {"template": template, "slug": slug, "name": name}
    show_state(post_change(ctx, organization, "/install", body))


@group.command("show")
def show(ctx: typer.Context, agent: AgentArgument, organization: OrganizationOption = None) -> None:
    """Show what an agent is, may and has done."""
    from data.records.agents.agents import AgentWork

    engine, slug = engine_and_slug(ctx, organization)
    work = AgentWork.model_validate(engine.get(f"/v1/{slug}/agents/{agent}/work"))
    say(f"{work.agent.name} ({work.agent.slug}), {work.agent.state}, version {work.agent.version}")
    say(make_inert(work.agent.description))
    budget = f"at most {work.budget:g} dollars" if work.budget else "no limit in dollars"
    say(f"Trust {work.trust_level}; {budget} for an answer.")
    if work.agent.template:
        say(f"Made from the template {work.agent.template} {work.agent.template_version}.")
    if work.model:
        say(f"It thinks with {make_inert(work.model)}.")
    to = ", ".join(_names_of_assigned(engine, slug, work.assigned)) or "nobody"
    say(f"Available to {to}. Who may ask it has version {work.agent.assigned_version}.")
    say(f"{plural(work.turns, 'turn')}, {work.failed} of them failed.")
    if work.unheeded:
        say(f"Its manifest also says {', '.join(work.unheeded)}, which has no effect yet.")
    for tool in work.tools:
        calls = plural(tool.calls, "time")
        say(f"  {tool.name} ({tool.effect}), called {calls}: {tool.description}")


@group.command("days")
def days(
    ctx: typer.Context,
    agent: AgentArgument,
    organization: OrganizationOption = None,
    most: Annotated[
        int, typer.Option("--days", min=1, max=366, help="How many days, up to today.")
    ] = 30,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per day.")] = False,
) -> None:
    """Show what an agent did and cost on each day, as its page does; quiet days are left out."""
    from data.records.agents.agents import AgentDays

    shown = AgentDays.model_validate(
        ask_engine(ctx, organization, f"/{agent}/days", days=str(most))
    )
    if json:
        print_json_lines(shown.items)
        return
    lines = [
        (
            day.day.isoformat(),
            *map(str, (day.turns, day.requests, day.tokens)),
            f"{day.cost:.4f}",
        )
        for day in shown.items
        if day.turns or day.requests
    ]
    if lines:
        print_table(("day", "answers asked", "requests", "tokens", "US$"), lines)
    turns, cost = sum(day.turns for day in shown.items), sum(day.cost for day in shown.items)
    asked = plural(turns, "answer")
    say(f"{asked} asked of {agent} in {plural(most, 'day')}, at US$ {cost:.4f} ({shown.zone}).")


def _names_of_assigned(engine: "Engine", slug: str, assigned: "Sequence[Assignment]") -> list[str]:
    """Return to whom an agent is available, for people."""
    from data.records.core.principals import Team, User

    names = {"": "everybody"}
    if any(item.subject for item in assigned):
        teams = [Team.model_validate(item) for item in engine.get(f"/v1/{slug}/teams")]
        people = [User.model_validate(item) for item in engine.get(f"/v1/{slug}/users")]
        names |= {team.id: f"team {team.name}" for team in teams}
        names |= {person.id: person.name for person in people}
    return [make_inert(names.get(item.subject, "somebody who has left")) for item in assigned]


@group.command("assign")
def assign(
    ctx: typer.Context,
    agent: AgentArgument,
    organization: OrganizationOption = None,
    everybody: Annotated[bool, typer.Option("--everybody", help="The organization.")] = False,
    team: Annotated[
        list[str] | None, typer.Option("--team", help="Name or id of a team; give it again.")
    ] = None,
    user: Annotated[
        list[str] | None, typer.Option("--user", help="A user's name, address or id; the same.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", help="A tool or group that these teams and users do not have."),
    ] = None,
    trust: Annotated[
        TrustLevel | None, typer.Option("--trust", help="How far it is trusted for them at most.")
    ] = None,
    most_calls: Annotated[
        int | None, typer.Option("--most-calls", min=0, help="Calls of tools in a turn of theirs.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", help="US dollars for a turn of theirs, at most.")
    ] = None,
    version: Annotated[
        int | None,
        typer.Option(
            "--version", min=0, help="Of who may ask it, as `show` says; refused where it is old."
        ),
    ] = None,
) -> None:
    """Make an agent available to these, and to nobody else."""
    from data.records.agents.agents import (
        AssigneeKind,
        Assignment,
        AssignmentList,
        Restrictions,
    )
    from data.records.core.tools import Trust
    from flows.cli.core.people import team_named, user_named

    engine, slug = engine_and_slug(ctx, organization)
    teams = list(dict.fromkeys(team_named(engine, slug, words).id for words in team or ()))
    users = list(dict.fromkeys(user_named(engine, words).id for words in user or ()))
    assignments = [Assignment(kind=AssigneeKind.ORGANIZATION)] if everybody else []
    less = Restrictions(
        without=tuple(without or ()),
        trust=Trust(trust) if trust else None,
        most_calls=most_calls,
        budget=budget,
    )
    for kind, subjects in ((AssigneeKind.TEAM, teams), (AssigneeKind.USER, users)):
        assignments += [
            Assignment(kind=kind, subject=subject, restrictions=less) for subject in subjects
        ]
    body = AssignmentList(items=tuple(assignments), version=version).model_dump(mode="json")
    engine.put(f"/v1/{slug}/agents/{agent}/assignments", body)
    counted = ((len(teams), "team"), (len(users), "user"))
    some = " and ".join(f"{n} {word}{'s' * (n > 1)}" for n, word in counted if n)
    say(f"{agent} is available to {'everybody' if everybody else some or 'nobody'}.")


@group.command("delete")
def delete(
    ctx: typer.Context, agent: AgentArgument, organization: OrganizationOption = None
) -> None:
    """Delete an agent; what it remembers goes to the organization."""
    engine, slug = engine_and_slug(ctx, organization)
    engine.delete(f"/v1/{slug}/agents/{agent}")
    say(f"{agent} is gone; the organization keeps what it knew.")


@group.command("export")
def export(
    ctx: typer.Context,
    agent: AgentArgument,
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to write it.")],
    organization: OrganizationOption = None,
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="An earlier one; else the newest.")
    ] = None,
) -> None:
    """Write an agent's manifest with its prompt into a file."""
    engine, slug = engine_and_slug(ctx, organization)
    query = {} if version is None else {"version": str(version)}
    file.write_bytes(engine.fetch(f"/v1/{slug}/agents/{agent}/manifest", **query))
    say(f"Written to {file}.")


@group.command("import")
def import_manifest(
    ctx: typer.Context,
    manifest: ManifestArgument,
    reason: ReasonOption,
    organization: OrganizationOption = None,
    testing: Annotated[
        bool, typer.Option("--testing", help="Only you can ask it, until `activate`.")
    ] = False,
) -> None:
    """Install an agent from a file; `assign` makes it available."""
    from data.manifest_files import read_text

    body = {"manifest": read_text(manifest), "reason": reason, "testing": testing}
    show_state(post_change(ctx, organization, "/import", body))


def _set_states(
    ctx: typer.Context,
    agent: str | None,
    organization: str | None,
    act: str,
    *,
    every: bool = False,
) -> None:
    """Pause, resume or activate an agent, or all of those that are not yet what they are to be.

    Raises:
        UnfitError: one is named and all are meant, or neither.

    """
    from data.errors import UnfitError
    from data.records.agents.agents import Agent, AgentList
    from data.states import AgentState

    if (agent is None) is not every:
        raise UnfitError("name one agent, or say --all")
    engine, slug = engine_and_slug(ctx, organization)
    root = f"/v1/{slug}/agents"
    slugs = [agent] if agent is not None else []
    if every:
        listed = AgentList.model_validate(engine.get(root, everyone="true")).items
        paused = act == "resume"
        slugs = [agent.slug for agent in listed if (agent.state is AgentState.PAUSED) is paused]
    for slug_of_agent in slugs:
        changed = Agent.model_validate(engine.post(f"{root}/{slug_of_agent}/{act}", {}))
        say(f"{changed.name} is {changed.state}.")
