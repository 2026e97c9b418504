"""The summary of a demo for a person."""

from typing import TYPE_CHECKING

from rich.table import Table

from flows.demo.inbox_tally import Summary

if TYPE_CHECKING:
    from rich.console import Console


def draw(summary: Summary, console: "Console") -> None:
    """Print the summary as a table."""
    table = Table(title="The played inbox", title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_row("sent / accepted", f"{summary['sent']} / {summary['accepted']}")
    table.add_row("lost", _mark(summary["lost"]))
    table.add_row("duplicated", _mark(summary["duplicated"]))
    table.add_row("unfinished", _mark(summary["unfinished"]))
    table.add_row("messages", _join_counts(summary["final_states"]))
    table.add_row("verdicts", _join_counts(summary["verdicts"]))
    right, compared = summary["verdicts_as_expected"], summary["accepted"]
    table.add_row("verdicts as expected", f"{right} of {compared}")
    table.add_row("cases", _join_counts(summary["case_states"]))
    table.add_row("drafts", str(summary["drafts"]))
    waits = summary["seconds_to_draft"]
    if waits["cases"]:
        table.add_row(
            "acceptance to draft",
            f"median {waits['median']} s, 95 % {waits['p95']} s, at most {waits['max']} s "
            "(quiet window not counted)",
        )
    if answers := summary.get("answers_of_agents"):
        table.add_row("answers of agents", f"{answers}, on the page Chats")
    table.add_row("seconds", str(summary["seconds"]))
    console.print(table)
    for unexpected in summary["verdicts_unexpected"][:10]:
        console.print(
            f"  {unexpected['id']}: {unexpected['got']}, expected {unexpected['expected']}",
            markup=False,
        )


def _join_counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _mark(count: int) -> str:
    return f"[red]{count}[/]" if count else f"[green]{count}[/]"
