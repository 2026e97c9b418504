"""`postern agent list | pause | resume`: the agents that people talk to."""

from typing import Annotated

import typer

from flows.operating.given import console, inert, say

group = typer.Typer(
    help="Agents that people talk to, in the window and over the API.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Slug = Annotated[
    str | None, typer.Option("--organization", help="Slug; the only organization when left out.")
]
Named = Annotated[str, typer.Argument(help="Slug of an agent; `postern agent list` shows them.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="agent", short_help="List, pause and resume agents.")


@group.command("list")
def list_agents(
    ctx: typer.Context,
    organization: Slug = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the agents of an organization, with what each can look up."""
    from rich.table import Table
    from rich.text import Text

    from data.records.agents.agents import AgentList
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    slug = organization_named(engine, organization).slug
    agents = AgentList.model_validate(engine.get(f"/v1/{slug}/agents")).items
    if json:
        for agent in agents:
            print(agent.model_dump_json())  # output of the command
        return
    if not agents:
        say("No agent is installed yet; `postern up` installs those of the catalogue.")
        return
    table = Table("agent", "name", "state", "version", "tools", box=None, pad_edge=False)
    for agent in agents:
        cells = (agent.slug, agent.name, agent.state, str(agent.version), ", ".join(agent.tools))
        table.add_row(*(Text(inert(cell)) for cell in cells))
    console().print(table)


@group.command("pause")
def pause(ctx: typer.Context, agent: Named, organization: Slug = None) -> None:
    """Let an agent begin no turn until it is resumed."""
    _set_state(ctx, agent, organization, "pause")


@group.command("resume")
def resume(ctx: typer.Context, agent: Named, organization: Slug = None) -> None:
    """Let a paused agent work again."""
    _set_state(ctx, agent, organization, "resume")


def _set_state(ctx: typer.Context, agent: str, organization: str | None, act: str) -> None:
    from data.records.agents.agents import Agent
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    slug = organization_named(engine, organization).slug
    changed = Agent.model_validate(engine.post(f"/v1/{slug}/agents/{agent}/{act}", {}))
    say(f"{changed.name} is {changed.state}.")
