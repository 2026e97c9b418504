"""`postern sender list | allow | disallow | unblock`, without an engine."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

from data.store.core.database import Database
from data.store.mail import decisions
from tests.core.commands.fixtures import Run


def listed(run: Run) -> list[dict[str, str]]:
    """Return what the list shows."""
    shown = run("sender", "list", "--json")
    assert shown.exit_code == 0, shown.output
    return [json.loads(line) for line in shown.stdout.splitlines()]


def test_an_allowance_comes_and_goes(run: Run, organization: str) -> None:
    """It is made, listed with its id, drawn in the table, and taken back by its id."""
    made = run("sender", "allow", "spam_words", "News@Weaver.example", "--organization", "harbor")
    assert made.exit_code == 0, made.output
    (entry,) = listed(run)
    assert (entry["what"], entry["sender"]) == ("allowed", "news@weaver.example")
    assert "spam_words" in run("sender", "list").stdout
    assert run("sender", "disallow", entry["id"]).exit_code == 0
    assert listed(run) == []
    again = run("sender", "disallow", entry["id"])
    assert (again.exit_code, "there is no allowance" in again.output) == (1, True)


def test_who_the_sender_is_is_never_allowed(run: Run, organization: str) -> None:
    """The refusal is one sentence, and nothing is kept; so with a rule that does not exist."""
    for rule, sentence in (("lookalike_domain", "who the sender is"), ("turnip", "no rule")):
        refused = run("sender", "allow", rule, "a@b.example")
        assert refused.exit_code == 1
        assert sentence in refused.output
    assert listed(run) == []


def test_a_block_is_lifted(run: Run, organization: str, home: Path) -> None:
    """A blocked domain is listed and taken back, once."""

    async def block() -> None:
        database = Database(home / "organizations" / organization / "state.duckdb", "organization")
        await database.write(
            decisions.block, "nightjar.test", "domain", "ida", datetime(2026, 3, 4, tzinfo=UTC)
        )
        database.close()

    asyncio.run(block())
    assert [entry["sender"] for entry in listed(run)] == ["nightjar.test"]
    assert run("sender", "unblock", "nightjar.test").exit_code == 0
    assert run("sender", "unblock", "nightjar.test").exit_code == 1
    assert listed(run) == []


def test_a_rule_and_a_sender_are_taken_as_people_write_them(run: Run, organization: str) -> None:
    """The quarantine's word for the rule, and an address with its name; what fits nothing fails."""
    made = run("sender", "allow", "Advertising", "News <news@weaver.example>")
    assert made.exit_code == 0, made.output
    assert "'spam_words' no longer counts for 'news@weaver.example'" in made.output
    (entry,) = listed(run)
    assert (entry["rule"], entry["sender"]) == ("spam_words", "news@weaver.example")
    refused = run("sender", "allow", "spam_words", "@")
    assert (refused.exit_code, "'@' is no sender" in refused.output) == (1, True)
    unknown = run("sender", "allow", "turnip", "a@b.example")
    assert "spam_words" in unknown.output
    assert len(listed(run)) == 1
