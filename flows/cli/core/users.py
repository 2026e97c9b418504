"""`postern user | team | role`: who works with Postern, and what each may do."""

from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import print_json_lines, print_table, say

if TYPE_CHECKING:
    from data.records.core.principals import Grant

users = typer.Typer(
    help="Users: people who work with Postern.", no_args_is_help=True, rich_markup_mode=None
)
teams = typer.Typer(
    help="Teams of an organization's users.", no_args_is_help=True, rich_markup_mode=None
)
roles = typer.Typer(
    help="Roles: named sets of permissions.", no_args_is_help=True, rich_markup_mode=None
)
UserArgument = Annotated[str, typer.Argument(help="The user's name, address or id.")]
GrantsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--grant", help="A role, and the organization it counts in: reviewer@harbor, or admin."
    ),
]
OrganizationOption = Annotated[
    str | None, typer.Option("--organization", help="The organization's slug.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]
MembersOption = Annotated[list[str] | None, typer.Option("--member", help="A user; give it again.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(users, name="user", short_help="Make, list, change and end users.")
    app.add_typer(teams, name="team", short_help="Make, list, change and remove teams.")
    app.add_typer(roles, name="role", short_help="Make, list, change and remove roles.")


@users.command("add")
def add_user(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="The person's name, as the audit log shows it.")],
    email: Annotated[str, typer.Option(help="The person's mail address.")] = "",
    grant: GrantsOption = None,
) -> None:
    """Make a user; `postern token add` makes the link that signs the person in.

    \b
    postern user add "Maud Reed" --email maud@harbor.example --grant reviewer@harbor
    """  # noqa: D301  # \b keeps the lines of the example
    from data.records.core.principals import NewUser, User
    from flows.operating.engine_api import engine_of

    new_user = NewUser(name=name, email=email, grants=_grants(grant or []))
    user_made = User.model_validate(
        engine_of(ctx).post("/v1/users", new_user.model_dump(mode="json"))
    )
    say(f"{user_made.name!r} is user {user_made.id}.")


@users.command("list")
def list_users(ctx: typer.Context, json: JsonOption = False) -> None:
    """Show the users, and what each may do where."""
    from flows.cli.core.people import known_users
    from flows.operating.engine_api import engine_of

    user_list = known_users(engine_of(ctx))
    if json:
        print_json_lines(user_list)
        return
    if not user_list:
        say("No user yet; `postern user add NAME` makes one, and so does the first `postern up`.")
        return
    lines = []
    for user in user_list:
        may = ", ".join(
            grant.role + (f"@{grant.organization}" if grant.organization else "")
            for grant in user.grants
        )
        ended = f"{user.ended_at:%Y-%m-%d}" if user.ended_at else ""
        lines.append((user.name, user.email, may or "nothing", ended, user.id))
    print_table(("name", "address", "may", "ended", "id"), lines)


@users.command("set")
def edit_user(
    ctx: typer.Context,
    who: UserArgument,
    name: Annotated[str | None, typer.Option(help="Another name.")] = None,
    email: Annotated[str | None, typer.Option(help="Another address.")] = None,
    grant: GrantsOption = None,
) -> None:
    """Change a user; with --grant, those grants take the place of all that were there."""
    from data.records.core.principals import EditUser, User
    from flows.cli.core.people import user_named
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    edit = EditUser(name=name, email=email, grants=None if grant is None else _grants(grant))
    path = f"/v1/users/{user_named(engine, who).id}"
    changed = User.model_validate(engine.put(path, edit.model_dump(mode="json")))
    say(f"{changed.name!r} is changed; it counts from the next call on.")


@users.command("end")
def end_user(ctx: typer.Context, who: UserArgument) -> None:
    """Take grants, teams and tokens from a user; what the user did stays on record."""
    from flows.cli.core.people import user_named
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    user = user_named(engine, who)
    engine.delete(f"/v1/users/{user.id}")
    say(f"{user.name!r} may do nothing any more.")


@roles.command("list")
def list_roles(ctx: typer.Context, json: JsonOption = False) -> None:
    """Show the roles, and what each permits."""
    from data.records.core.principals import Role
    from flows.operating.engine_api import engine_of

    role_list = [Role.model_validate(item) for item in engine_of(ctx).get("/v1/roles")]
    if json:
        print_json_lines(role_list)
        return
    print_table(
        ("role", "name", "permits"),
        ((role.slug, role.name, ", ".join(role.permissions) or "nothing") for role in role_list),
    )


@roles.command("set")
def set_role(
    ctx: typer.Context,
    slug: Annotated[str, typer.Argument(help="Its short name.")],
    name: Annotated[str, typer.Option(help="What it is called.")] = "",
    permission: Annotated[
        list[str] | None,
        typer.Option(help="see, decide, teach, manage_users or administer; give it again."),
    ] = None,
) -> None:
    """Make a role, or change one that did not come with Postern."""
    from pydantic import ValidationError

    from data.errors import ManifestError
    from data.records.core.principals import Permission, Role
    from flows.operating.engine_api import engine_of

    known_names = {str(permitted) for permitted in Permission}
    unknown = [word for word in permission or [] if word not in known_names]
    if unknown:
        raise ManifestError(
            f"there is no permission {unknown[0]!r}; there are: {', '.join(sorted(known_names))}"
        )
    permissions = tuple(Permission(word) for word in permission or [])
    try:
        role = Role(slug=slug, name=name or slug, permissions=permissions)
    except ValidationError as error:
        raise ManifestError(
            f"{slug!r} cannot name a role; use small letters, digits and hyphens"
        ) from error
    engine_of(ctx).put(f"/v1/roles/{role.slug}", role.model_dump(mode="json"))
    say(f"The role {slug!r} permits: {', '.join(permissions) or 'nothing'}.")


@roles.command("remove")
def remove_role(
    ctx: typer.Context, slug: Annotated[str, typer.Argument(help="Its short name.")]
) -> None:
    """Remove a role that nobody holds."""
    from urllib.parse import quote

    from flows.operating.engine_api import engine_of

    engine_of(ctx).delete(f"/v1/roles/{quote(slug, safe='')}")
    say(f"The role {slug!r} is removed.")


@teams.command("list")
def list_teams(
    ctx: typer.Context, organization: OrganizationOption = None, json: JsonOption = False
) -> None:
    """Show the teams of an organization and who is in them."""
    from flows.cli.core.people import known_teams, known_users
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    team_list = known_teams(engine, organization_named(engine, organization).slug)
    if json:
        print_json_lines(team_list)
        return
    if not team_list:
        say("No team yet; `postern team add NAME --member WHO` makes one.")
        return
    names = {user.id: user.name for user in known_users(engine)}
    print_table(
        ("team", "members", "id"),
        ((team.name, ", ".join(names[id] for id in team.members), team.id) for team in team_list),
    )


@teams.command("add")
def add_team(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="What it is called.")],
    organization: OrganizationOption = None,
    member: MembersOption = None,
) -> None:
    """Make a team of users who may see the organization."""
    from data.records.core.principals import NewTeam, Team
    from flows.cli.core.people import user_named

    engine, slug = engine_and_slug(ctx, organization)
    members = tuple(user_named(engine, member_key).id for member_key in member or [])
    order = NewTeam(name=name, members=members).model_dump(mode="json")
    team_made = Team.model_validate(engine.post(f"/v1/{slug}/teams", order))
    say(f"Team {team_made.name!r} has {_count_members(len(team_made.members))}.")


@teams.command("set")
def set_team(
    ctx: typer.Context,
    team: Annotated[str, typer.Argument(help="The team's name or id.")],
    organization: OrganizationOption = None,
    name: Annotated[str | None, typer.Option(help="Another name.")] = None,
    member: MembersOption = None,
) -> None:
    """Change a team; with --member, those take the place of all who were in it."""
    from data.records.core.principals import EditTeam
    from flows.cli.core.people import team_named, user_named

    engine, slug = engine_and_slug(ctx, organization)
    before = team_named(engine, slug, team)
    members = before.members
    if member is not None:
        members = tuple(user_named(engine, member_key).id for member_key in member)
    new_team = EditTeam(name=name or before.name, members=members, was=before.mark)
    engine.put(f"/v1/{slug}/teams/{before.id}", new_team.model_dump(mode="json"))
    say(f"Team {new_team.name!r} has {_count_members(len(members))}.")


@teams.command("remove")
def remove_team(
    ctx: typer.Context,
    team: Annotated[str, typer.Argument(help="The team's name or id.")],
    organization: OrganizationOption = None,
) -> None:
    """Remove a team; its members stay users."""
    from flows.cli.core.people import team_named

    engine, slug = engine_and_slug(ctx, organization)
    engine.delete(f"/v1/{slug}/teams/{team_named(engine, slug, team).id}")
    say(f"Team {team!r} is removed.")


def _grants(words: list[str]) -> tuple["Grant", ...]:
    """Return what `role@organization` stands for; a role alone counts in every organization."""
    from data.records.core.principals import Grant

    parted = (word.partition("@") for word in words)
    return tuple(Grant(role=role, organization=slug or None) for role, _, slug in parted)


def _count_members(members: int) -> str:
    return "1 member" if members == 1 else f"{members} members"
