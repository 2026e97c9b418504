"""`postern policy …`: what is allowed, what speaks for a change, versions, and changing it."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import console, make_inert, print_table, say

if TYPE_CHECKING:
    from data.records.core.policies import PolicyState
    from data.records.mail.shadow import JudgedDraft
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="The policy: what is allowed, its versions, and changing it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
EvenSoOption = Annotated[
    bool, typer.Option("--even-so", help="Keep it although what people decided speaks against it.")
]
WhyOption = Annotated[str, typer.Option(help="Why, for whoever reads the versions.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="policy", short_help="Show, change and take back the policy.")


@group.command("show")
def show(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    text: Annotated[bool, typer.Option("--text", help="Its wording alone.")] = False,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show what counts, where it is kept, and its rules."""
    engine, slug = engine_and_slug(ctx, organization)
    state = _state(engine, slug)
    if json:
        print(state.model_dump_json(indent=2))  # output of the command
        return
    if text:
        print(state.version.text, end="")  # output of the command
        return
    version, policy = state.version, state.policy
    where = (
        "the file policy.yaml" if version.place == "file" else "Postern; the file does not count"
    )
    say(f"Version {version.number}, kept in {where}.")
    if state.fault:
        say(f"The file cannot be used: {make_inert(state.fault)}")
    elif state.unread:
        say("The file holds something else; `postern policy hand-back` lets it count again.")
    say(f"Mode {policy.mode}; quality asked for {policy.confidence_threshold:.2f}.")
    hours = policy.working_hours
    say(f"Working hours: {f'{hours.in_words()}, {hours.timezone}' if hours else 'none'}.")
    for rule in policy.autonomy_rules:
        parts = [value.value for value in (rule.category, rule.intent, rule.priority) if value]
        least = policy.confidence_threshold if rule.threshold is None else rule.threshold
        may = f"may leave by itself from {least:.2f}" if rule.auto_send else "waits for a person"
        say(f"  {', '.join(parts)}: {may}")


@group.command("evidence")
def show_evidence(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show what people said of the last drafts, by what they were about."""
    from rich.table import Table

    from data.records.mail.shadow import DraftJudgement, ShadowEvidence

    engine, slug = engine_and_slug(ctx, organization)
    evidence = ShadowEvidence.model_validate(engine.get(f"/v1/{slug}/policy/evidence"))
    if json:
        for draft in evidence.drafts:
            print(draft.model_dump_json())  # output of the command
        return
    if not evidence.drafts:
        say("Nobody has decided on a draft yet.")
        return
    by: dict[str, list[JudgedDraft]] = {}
    for draft in evidence.drafts:
        for wish in draft.wishes:
            name = f"{wish.category.value}, {wish.intent.value if wish.intent else 'any'}"
            by.setdefault(name, []).append(draft)
    columns = (
        "about",
        "decided",
        "could leave",
        *(judgement.value for judgement in DraftJudgement),
    )
    table = Table(*columns, box=None, pad_edge=False)
    for name, drafts in sorted(by.items()):
        ours = [draft for draft in drafts if draft.could_leave]
        counts = [
            str(sum(draft.said is judgement for draft in ours)) for judgement in DraftJudgement
        ]
        table.add_row(name, str(len(drafts)), str(len(ours)), *counts)
    console().print(table)
    would = evidence.would_send
    say(
        f"With the rules as they are would have left: {would.unchanged} sent unchanged, "
        f"{would.edited} changed, {would.rejected} rejected, {would.closed} closed."
    )


@group.command("check")
def check(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="YAML, as policy.yaml has it.", dir_okay=False)],
    organization: OrganizationOption = None,
) -> None:
    """Say what a policy would change, and what speaks against it; nothing is kept."""
    from data.manifest_files import read_text

    engine, slug = engine_and_slug(ctx, organization)
    _preview(engine, slug, {"text": read_text(file)})


@group.command("set")
def set_policy(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="YAML, as policy.yaml has it.", dir_okay=False)],
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Keep a policy in Postern; from then on sources/policy.yaml does not count.

    \b
    postern policy show --text > wanted.yaml
    postern policy set wanted.yaml --why "answers to questions may leave"
    """  # noqa: D301  # \b keeps the lines of the example
    from data.manifest_files import read_text

    engine, slug = engine_and_slug(ctx, organization)
    _keep(engine, slug, {"text": read_text(file)}, even_so=even_so, why=why)


@group.command("mode")
def set_mode(
    ctx: typer.Context,
    mode: Annotated[str, typer.Argument(help="shadow, live or off.")],
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Let mail leave by itself where the rules allow it, only count it, or draft nothing."""
    from data.errors import ManifestError
    from data.records.core.organization import Mode

    if mode not in set(Mode):
        raise ManifestError(f"{mode!r} is no mode; there are {', '.join(Mode)}")
    engine, slug = engine_and_slug(ctx, organization)
    _keep(engine, slug, {"change": {"mode": mode}}, even_so=even_so, why=why)


@group.command("rule")
def set_rule(
    ctx: typer.Context,
    category: Annotated[str, typer.Argument(help="What it is about, e.g. support.")],
    intent: Annotated[str | None, typer.Option(help="Of what kind, e.g. question.")] = None,
    priority: Annotated[str | None, typer.Option(help="How urgent, e.g. low.")] = None,
    quality: Annotated[
        float | None,
        typer.Option(help="Let it leave by itself from this quality, 0 to 1.", min=0, max=1),
    ] = None,
    person: Annotated[bool, typer.Option("--person", help="It waits for a person.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="No rule of its own.")] = False,
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Change the rule for one category, and for one kind or priority of it.

    \b
    postern policy rule support --intent question --quality 0.95
    postern policy rule billing --person
    """  # noqa: D301  # \b keeps the lines of the examples
    from pydantic import ValidationError

    from data.errors import ManifestError
    from data.records.core.organization import AutonomyRule

    if (quality is not None) + person + remove != 1:
        raise ManifestError("say one of --quality, --person and --remove")
    rule_key = {"category": category, "intent": intent, "priority": priority}
    try:
        rule = AutonomyRule.model_validate(
            {**rule_key, "auto_send": quality is not None, "threshold": quality}
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise ManifestError(f"{first['loc'][0]} {first['input']!r}: {first['msg']}") from error
    engine, slug = engine_and_slug(ctx, organization)
    key = (rule.category, rule.intent, rule.priority)
    rules = [
        autonomy_rule
        for autonomy_rule in _state(engine, slug).policy.autonomy_rules
        if (autonomy_rule.category, autonomy_rule.intent, autonomy_rule.priority) != key
    ]
    rules += [] if remove else [rule]
    dumped = [allowance.model_dump(mode="json") for allowance in rules]
    _keep(engine, slug, {"change": {"autonomy_rules": dumped}}, even_so=even_so, why=why)


@group.command("hours")
def set_hours(
    ctx: typer.Context,
    days: Annotated[
        list[str],
        typer.Argument(help="Days and their hours, e.g. mon-thu=09:00-17:00 fri=09:00-13:00."),
    ],
    timezone: Annotated[
        str, typer.Option(help="IANA name; as it is, or the organization's, when left out.")
    ] = "",
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Say when people work; outside nothing leaves by itself, and service levels stand still.

    \b
    postern policy hours mon-thu=09:00-17:00 fri=09:00-13:00
    postern policy default working_hours
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.working_week import read_week

    engine, slug = engine_and_slug(ctx, organization)
    before = _state(engine, slug).policy.working_hours
    zone = timezone or (before.timezone if before else _zone(engine, slug))
    hours = read_week(days, zone).model_dump(mode="json")
    _keep(engine, slug, {"change": {"working_hours": hours}}, even_so=even_so, why=why)


@group.command("level")
def set_level(
    ctx: typer.Context,
    category: Annotated[str | None, typer.Option(help="What it is about; any if left out.")] = None,
    priority: Annotated[str | None, typer.Option(help="How urgent; any if left out.")] = None,
    first_answer: Annotated[
        float | None, typer.Option(help="Hours to the first answer, of the working hours.")
    ] = None,
    resolution: Annotated[
        float | None, typer.Option(help="Hours for which it may wait for us in all.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="No level of its own.")] = False,
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Say by when mail of a category, a priority or both should be answered.

    \b
    postern policy level --priority urgent --first-answer 2
    postern policy level --category billing --first-answer 8 --resolution 24
    """  # noqa: D301  # \b keeps the lines of the examples
    from pydantic import ValidationError

    from data.errors import ManifestError
    from data.records.core.organization import ServiceLevel
    from data.service_rows import place_level, remove_level

    hours = {"first_answer_hours": first_answer, "resolution_hours": resolution}
    if remove:
        hours["first_answer_hours"] = 1.0  # what is taken out is found by what it is about
    try:
        level = ServiceLevel.model_validate({"category": category, "priority": priority, **hours})
    except ValidationError as error:
        raise ManifestError(str(error.errors()[0]["msg"])) from error
    engine, slug = engine_and_slug(ctx, organization)
    before = _state(engine, slug).policy.service_levels
    after = (remove_level if remove else place_level)(before, level)
    dumped = [each.model_dump(mode="json") for each in after]
    _keep(engine, slug, {"change": {"service_levels": dumped}}, even_so=even_so, why=why)


@group.command("plant")
def set_planted(
    ctx: typer.Context,
    a_week: Annotated[int, typer.Argument(help="Letters a week; 0 plants none.", min=0, max=7)],
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Show some letters a week with a planted fault, to see whether letters are read."""
    engine, slug = engine_and_slug(ctx, organization)
    _keep(engine, slug, {"change": {"planted_a_week": a_week}}, even_so=even_so, why=why)


@group.command("versions")
def versions(ctx: typer.Context, organization: OrganizationOption = None) -> None:
    """List the wordings that the policy has had, the newest first."""
    from data.records.core.policies import PolicyVersions

    engine, slug = engine_and_slug(ctx, organization)
    versions_listed = PolicyVersions.model_validate(engine.get(f"/v1/{slug}/policy/versions")).items
    if not versions_listed:
        say("There is none yet: the defaults count.")
        return
    lines: list[tuple[str, ...]] = []
    for policy_version in versions_listed:
        at = f"{policy_version.written_at:%Y-%m-%d %H:%M} UTC" if policy_version.written_at else ""
        cells = (
            str(policy_version.number),
            at,
            policy_version.author,
            policy_version.place.value,
            policy_version.note,
        )
        lines.append(cells)
    print_table(("version", "at", "by", "kept in", "why"), lines, 60)


@group.command("diff")
def diff(
    ctx: typer.Context,
    before: Annotated[int, typer.Argument(help="A version; 0 for the defaults.", min=0)],
    after: Annotated[int, typer.Argument(help="Another one.", min=0)],
    organization: OrganizationOption = None,
) -> None:
    """Show what two versions have different."""
    engine, slug = engine_and_slug(ctx, organization)
    for line in engine.get(f"/v1/{slug}/policy/diff", before=before, after=after)["lines"]:
        print(make_inert(line))  # output of the command


@group.command("restore")
def restore(
    ctx: typer.Context,
    version: Annotated[int, typer.Argument(help="As `versions` lists it.", min=1)],
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Let an earlier version count again, as a new one."""
    engine, slug = engine_and_slug(ctx, organization)
    _keep(engine, slug, {"restore": version}, even_so=even_so, why=why)


@group.command("default")
def use_default(
    ctx: typer.Context,
    keys: Annotated[
        list[str], typer.Argument(help="As `show --text` has them, or `all`.", metavar="KEY...")
    ],
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Say some keys no longer, so that their default counts again, as a new version.

    \b
    postern policy default working_hours undo_seconds
    postern policy default all
    """  # noqa: D301  # \b keeps the lines of the example
    engine, slug = engine_and_slug(ctx, organization)
    order = {"text": ""} if keys == ["all"] else {"change": {"defaults": keys}}
    _keep(engine, slug, order, even_so=even_so, why=why)


@group.command("hand-back")
def hand_back(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    even_so: EvenSoOption = False,
    why: WhyOption = "",
) -> None:
    """Give the policy back to sources/policy.yaml, which counts as it is now."""
    engine, slug = engine_and_slug(ctx, organization)
    _keep(engine, slug, {"from_file": True}, even_so=even_so, why=why)


def _zone(engine: "Engine", slug: str) -> str:
    from flows.operating.organizations import organization_named

    return organization_named(engine, slug).timezone


def _state(engine: "Engine", slug: str) -> "PolicyState":
    from data.records.core.policies import PolicyState

    return PolicyState.model_validate(engine.get(f"/v1/{slug}/policy"))


def _preview(engine: "Engine", slug: str, order: Mapping[str, object]) -> bool:
    """Show what an order would change, and what speaks against it; return whether anything does."""
    preview = engine.post(f"/v1/{slug}/policy/preview", order)
    for line in preview["diff"]:
        print(make_inert(line))  # output of the command
    for warning in preview["warnings"]:
        say(f"Careful: {make_inert(warning)}")
    if not preview["diff"]:
        say("It says what counts already.")
    return bool(preview["warnings"])


def _keep(
    engine: "Engine", slug: str, order: Mapping[str, object], *, even_so: bool, why: str
) -> None:
    was = _state(engine, slug).version.number
    if _preview(engine, slug, order) and not even_so:
        say("Nothing is changed. Say --even-so if it is meant all the same.")
        raise typer.Exit(1)
    policy_kept = engine.put(
        f"/v1/{slug}/policy", {**order, "was": was, "knowing": even_so, "note": why}
    )
    version = policy_kept["version"]
    where = "sources/policy.yaml" if version["place"] == "file" else "Postern"
    say(f"Version {version['number']} counts from now on, kept in {where}.")
