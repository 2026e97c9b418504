"""`postern sender list | allow | disallow | unblock`: what holds for single senders."""

from typing import Annotated
from urllib.parse import quote

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.operating.command_context import print_table, say

group = typer.Typer(
    help="What people decided about senders: rules that do not count for them, and blocks.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="sender", short_help="Allowances and blocks of senders.")


@group.command("list")
def list_senders(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the allowances (rules that do not count for a sender) and the blocked senders."""
    import orjson

    lists_known = _list_decisions(ctx, organization)
    if json:
        for entry in lists_known:
            print(orjson.dumps(entry).decode())  # output of the command
        return
    if not lists_known:
        say("Nobody is allowed or blocked; `postern sender allow --help` says how to allow one.")
        return
    head = ("what", "sender", "rule", "by", "id")
    print_table(head, ([entry[name] for name in head] for entry in lists_known))


@group.command("allow")
def allow(
    ctx: typer.Context,
    rule: Annotated[
        str,
        typer.Argument(
            help="The rule by its name (spam_words) or as the quarantine calls it ('Advertising')."
        ),
    ],
    sender: Annotated[
        str, typer.Argument(help="An address (a name beside it is left away), or @domain.")
    ],
    organization: OrganizationOption = None,
) -> None:
    """Let a rule of the screen not count for a sender from now on.

    Rules about who the sender is can never be allowed, and an allowance does not help a message
    whose sender DMARC finds forged.
    """
    from flows.mail.people.sender_patterns import read_sender

    name, who = _rule_named(rule), read_sender(sender)
    engine, root = engine_at(ctx, organization)
    engine.post(f"{root}/allowances", {"rule": name, "sender": who})
    say(f"Rule {name!r} no longer counts for {who!r}.")


@group.command("disallow")
def disallow(
    ctx: typer.Context,
    allowance: Annotated[str, typer.Argument(help="Its id, as `postern sender list` shows it.")],
    organization: OrganizationOption = None,
) -> None:
    """Take an allowance back."""
    engine, root = engine_at(ctx, organization)
    engine.delete(f"{root}/allowances/{quote(allowance, safe='')}")
    say("The rule counts again.")


@group.command("unblock")
def unblock(
    ctx: typer.Context,
    pattern: Annotated[str, typer.Argument(help="The blocked address or domain.")],
    organization: OrganizationOption = None,
) -> None:
    """Take a block back; messages that it has stopped stay in quarantine."""
    engine, root = engine_at(ctx, organization)
    engine.delete(f"{root}/blocks/{quote(pattern, safe='')}")
    say(f"{pattern!r} is no longer blocked.")


@group.command("person")
def person(
    ctx: typer.Context,
    message: Annotated[str, typer.Argument(help="Id of a stored message, as the window shows it.")],
    organization: OrganizationOption = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take that back.")] = False,
) -> None:
    """Say that a person wrote a message that was stored as a machine's.

    It becomes a case; what its sender sends with the same marks is a person's from then on, until
    the rows that `postern sender list` shows are taken back.
    """
    engine, root = engine_at(ctx, organization)
    action = "undo" if undo else "person"
    engine.post(f"{root}/messages/{quote(message, safe='')}/{action}", {})
    state_text = "is where it was before" if undo else "is a person's and becomes a case"
    say(f"Message {message!r} {state_text}.")


def _list_decisions(ctx: typer.Context, organization: str | None) -> list[dict[str, str]]:
    """Return every allowance and block: `what`, `sender`, `rule`, `by`, `id`."""
    engine, root = engine_at(ctx, organization)
    allowed = [
        {
            "what": "allowed",
            "sender": row["sender"],
            "rule": row["rule"],
            "by": row["created_by"],
            "id": row["id"],
        }
        for row in engine.get(f"{root}/allowances")["items"]
    ]
    blocked = [
        {
            "what": "blocked",
            "sender": row["pattern"],
            "rule": "",
            "by": row["created_by"],
            "id": "",
        }
        for row in engine.get(f"{root}/blocks")["items"]
    ]
    return [*allowed, *blocked]


def _rule_named(rule_name: str) -> str:
    """Return the name of a rule that the window calls so; else `rule_name`."""
    from data.rule_words import RULES

    shown = {words.casefold(): name for name, (words, _) in RULES.items()}
    return shown.get(rule_name.strip().casefold(), rule_name)
