"""`postern report | audit`: how mail was answered in a range of days, and what people did."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import console, hand_over, make_inert, say

if TYPE_CHECKING:
    from rich.table import Table

    from data.records.mail.report_views import (
        DecisionFigures,
        DurationFigures,
        Report,
        ServiceFigures,
        VigilanceFigures,
    )

DAY_OPTION = typer.Option(formats=["%Y-%m-%d"])
TABLES = "periods, categories, people, topics, agents, models or costs"
"""What `flows.api.reports.Table` holds, which is not loaded for a help text."""


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Show how mail was answered in a range of days.")(report)
    app.command(short_help="Show what people did, or write it to a file.")(audit)


def report(
    ctx: typer.Context,
    organization: Annotated[
        str | None, typer.Option(help="Slug; the only organization when left out.")
    ] = None,
    since: Annotated[datetime | None, DAY_OPTION] = None,
    until: Annotated[datetime | None, DAY_OPTION] = None,
    by: Annotated[str, typer.Option(help="day or week.")] = "day",
    category: Annotated[str, typer.Option(help="Only mail about that.")] = "",
    person: Annotated[str, typer.Option(help="Only what that person decided.")] = "",
    table: Annotated[str, typer.Option(help=f"Write one table to a file: {TABLES}.")] = "",
    form: Annotated[str, typer.Option("--format", help="csv, parquet or jsonl.")] = "csv",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; else standard output.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show received, answered, times to an answer, decisions, what waits, and what models cost.

    Without days it is the last 28. Times are in working hours where the policy has such.

    \b
    postern report --since 2026-11-01 --until 2026-11-30 --by week
    postern report --table categories --format parquet -o november.parquet
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.records.mail.report_views import Report

    engine, slug = engine_and_slug(ctx, organization)
    report_query = {
        "since": since.date() if since else "",
        "until": until.date() if until else "",
        "by": by,
        "category": category,
        "person": person,
    }
    query = {name: str(value) for name, value in report_query.items() if value}
    if table:
        path = f"/v1/{slug}/report/export"
        content = engine.fetch(path, **query, table=table, format=form)
        if hand_over(content, output):
            say(f"Wrote {table} to {output}.")
        return
    content = engine.fetch(f"/v1/{slug}/report", **query)
    if json:
        print(content.decode())  # output of the command
        return
    _draw(Report.model_validate_json(content))


def audit(
    ctx: typer.Context,
    organization: Annotated[
        str | None, typer.Option(help="Slug; the only organization when left out.")
    ] = None,
    actor: Annotated[str, typer.Option(help="Only what that person did, by name.")] = "",
    action: Annotated[str, typer.Option(help="Only that, as the log names it.")] = "",
    words: Annotated[str, typer.Option(help="Only events that hold these words.")] = "",
    since: Annotated[datetime | None, DAY_OPTION] = None,
    until: Annotated[datetime | None, DAY_OPTION] = None,
    limit: Annotated[int, typer.Option(help="How many of the newest to show.")] = 50,
    form: Annotated[
        str, typer.Option("--format", help="Write all of them: csv, parquet or jsonl.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; else standard output.")
    ] = None,
) -> None:
    """Show the audit log, newest first, or write it to a file with the hashes of its chain.

    \b
    postern audit --actor "Maud Reed" --since 2026-11-01
    postern audit --format csv -o audit.csv
    """  # noqa: D301  # \b keeps the lines of the examples
    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/audit"
    days = {"since": since, "until": until}
    only = {"actor": actor, "action": action, "words": words}
    query = {name: text for name, text in only.items() if text}
    query |= {name: str(day.date()) for name, day in days.items() if day}
    if form:
        if hand_over(engine.fetch(f"{path}/export", **query, format=form), output):
            say(f"Wrote the audit log to {output}.")
        return
    audit_page = engine.get(path, **query, limit=limit)
    for event in audit_page["items"]:
        who, what = (
            make_inert(event["actor"], 40),
            make_inert(f"{event['subject']} {event['detail']}", 160),
        )
        title = f" ({make_inert(event['title'], 160)})" if event["title"] else ""
        print(f"{event['at'][:19]} {who}: {event['action']} {what}{title}")
    say(f"{len(audit_page['items'])} of {audit_page['total']} events.")


def _draw(made: "Report") -> None:
    where = [f"{made.since} to {made.until}, {made.timezone}"]
    where += [word for word in (made.category, make_inert(made.person)) if word]
    hours = made.working_hours
    counted = f"working hours {hours.in_words()}" if hours else "hours of the clock"
    say(f"{' · '.join(where)}; times in {counted}")
    for name, value in _headline(made):
        print(f"{name:22} {value}")
    for table in (_periods(made), _categories(made), _people(made), _costs(made)):
        if table.row_count:
            console().print(table, markup=False)


def _headline(made: "Report") -> list[tuple[str, str]]:
    ages = ", ".join(
        f"{age_bar.value} {_age(age_bar.name)}" for age_bar in made.backlog.by_age if age_bar.value
    )
    reasons = ", ".join(
        f"{reason.value} {reason.name.replace('_', ' ')}" for reason in made.reasons
    )
    edited = "" if made.edits.median is None else f", half changed by {made.edits.median:.0%}"
    stopped = made.stopped
    questions = sum(topic.questions for topic in made.topics)
    return [
        ("received", f"{made.received:,}"),
        ("answered", f"{made.answered:,}, of them by itself {made.by_itself:,}"),
        ("first answer", _spread(made.first_answer)),
        ("resolution", _spread(made.resolution)),
        ("waiting at the end", f"{made.backlog.waiting:,}" + (f" ({ages})" if ages else "")),
        ("approved unchanged", f"{made.judged.unchanged:,}"),
        ("approved with changes", f"{made.judged.edited:,}{edited}"),
        ("rejected", f"{made.judged.rejected:,}" + (f" ({reasons})" if reasons else "")),
        ("closed without reply", f"{made.judged.closed:,}"),
        ("would have left alone", f"{made.would_send:,}, {_agreed(made.alone)}"),
        ("answered in time", _in_time(made.service)),
        ("read before approval", _read(made.vigilance)),
        ("left open in drafts", f"{questions:,} {'question' if questions == 1 else 'questions'}"),
        (
            "stopped by the screen",
            f"{stopped.stopped:,}, confirmed {stopped.confirmed:,}, released {stopped.released:,}",
        ),
        ("cost of models", f"${made.cost:,.2f}"),
    ]


def _age(name: str) -> str:
    return "older" if name == "more" else f"up to {name} {'day' if name == '1' else 'days'}"


def _agreed(judged: "DecisionFigures") -> str:
    return (
        "nobody decided on any"
        if judged.unchanged_share is None
        else f"people agreed {judged.unchanged_share:.0%}"
    )


def _in_time(figures: "ServiceFigures") -> str:
    """Return how often mail was answered by its target."""
    answered = figures.kept + figures.missed
    if not answered and not figures.broken:
        return "no targets"
    return f"{figures.kept:,} of {answered:,}, past their target at the end {figures.broken:,}"


def _read(figures: "VigilanceFigures") -> str:
    """Return how carefully letters were looked at, in words."""
    ended = figures.seen + figures.missed
    seconds = "nobody measured" if figures.seconds is None else f"median {figures.seconds:.0f} s"
    planted = f", {figures.seen:,} of {ended:,} planted faults seen" if ended else ""
    return f"{seconds} ({figures.timed:,}), {figures.unread:,} approved unread{planted}"


def _spread(spread: "DurationFigures") -> str:
    if spread.median is None or spread.p90 is None:
        return "none"
    return f"median {_time(spread.median)}, 90% within {_time(spread.p90)} ({spread.count:,})"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _times(spread: "DurationFigures") -> tuple[str, str]:
    return _time(spread.median), _time(spread.p90)


def _format_decisions(judged: "DecisionFigures") -> tuple[str, str, str]:
    return f"{judged.unchanged:,}", f"{judged.edited:,}", f"{judged.rejected:,}"


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _periods(made: "Report") -> "Table":
    table = _table(
        made.by, "received", "stopped", "answered", "by itself", "waiting", "first answer", "cost"
    )
    for period in made.periods:
        counts = (
            period.received,
            period.stopped,
            period.answered,
            period.by_itself,
            period.waiting,
        )
        cost = f"${period.cost:,.2f}" if period.cost else ""
        shown = [f"{count:,}" for count in counts]
        table.add_row(str(period.begins), *shown, _time(period.first_answer), cost)
    return table


def _categories(made: "Report") -> "Table":
    table = _table("about", "cases", "answered", "median", "90%", "unchanged", "edited", "rejected")
    for category in made.categories:
        counts = f"{category.received:,}", f"{category.answered:,}"
        table.add_row(
            category.category,
            *counts,
            *_times(category.first_answer),
            *_format_decisions(category.judged),
        )
    return table


def _people(made: "Report") -> "Table":
    table = _table("person", "answered", "median", "90%", "unchanged", "edited", "rejected")
    for person in made.people:
        who = make_inert(person.person, 40)
        table.add_row(
            who,
            f"{person.answered:,}",
            *_times(person.first_answer),
            *_format_decisions(person.judged),
        )
    return table


def _costs(made: "Report") -> "Table":
    table = _table("agent", "calls", "tokens", "cost")
    for agent in made.agents:
        table.add_row(
            make_inert(agent.name, 40),
            f"{agent.calls:,}",
            f"{agent.tokens:,}",
            f"${agent.cost:,.2f}",
        )
    return table
