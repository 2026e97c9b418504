"""The documentation says what the code says: settings, states, stages, commands, endpoints."""

import base64
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import click
import pytest
import typer
from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import SecretStr
from starlette.routing import BaseRoute

from data.records.core.organization import Policy
from data.settings import Settings, load_settings
from data.states import (
    EDGES,
    AgentState,
    ApprovalState,
    BranchState,
    CaseState,
    ChatState,
    DeliveryState,
    ForwardState,
    MemoryState,
    MessageStatus,
    MoveState,
    TaskState,
    TurnState,
)
from flows.core.bindings import TABLE
from tasks.mail.route.gates import GATES

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
STATE_SECTIONS: dict[str, type[StrEnum]] = {
    "Message": MessageStatus,
    "Case": CaseState,
    "Branch": BranchState,
    "Delivery": DeliveryState,
    "Approval": ApprovalState,
    "Forward": ForwardState,
    "Agent": AgentState,
    "Task": TaskState,
    "Chat": ChatState,
    "Turn": TurnState,
    "Move": MoveState,
    "Memory": MemoryState,
}
OF_AGENTS = (AgentState, TaskState, ChatState, TurnState, MoveState, MemoryState)
"""What agents.md shows."""


def page(name: str) -> str:
    """Return a page of docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """Return what stands under a heading, up to the next one; examples in fences are left out."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text)
    _, found, rest = f"\n{prose}".partition(f"\n{heading}\n")
    assert found, f"there is no heading {heading!r}"
    return re.split(r"\n#+ ", rest, maxsplit=1)[0]


def table(text: str) -> list[list[str]]:
    """Return the cells of the rows of the first table, without head and rule."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return rows[2:]


def ticked(cell: str) -> list[str]:
    """Return what stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def commands() -> Iterator[str]:
    """Give the full name of every command of the command line."""
    from flows.cli.application import app

    def walk(group: click.Group, before: str) -> Iterator[str]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from walk(command, f"{before} {name}")  # type: ignore[arg-type]
            else:
                yield f"{before} {name}"

    yield from walk(typer.main.get_command(app), "postern")  # type: ignore[arg-type]


def endpoints() -> Iterator[str]:
    """Give `METHOD /path` of every endpoint that a module of the API has."""
    import flows.api

    for module in walk_packages(flows.api.__path__, "flows.api."):
        router = getattr(import_module(module.name), "router", None)
        if isinstance(router, APIRouter):
            yield from endpoints_of(router.routes)


def endpoints_of(routes: Sequence[BaseRoute]) -> Iterator[str]:
    """Give `METHOD /path` of each of these routes that is an endpoint."""
    for route in routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods:
                yield f"{method} {route.path}"


def shown(default: object) -> str:
    """Return a default as the table of settings writes it."""
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    if default in ("", (), None):
        return "empty"
    if isinstance(default, tuple):
        return ", ".join(f"`{one}`" for one in default)
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def test_every_setting_is_documented_with_its_variable_default_and_meaning() -> None:
    """The table of settings in configuration.md is that of `Settings`, in the same order."""
    from flows.core.setting_list import list_variables

    expected = [
        [
            f"`{name}`",
            f"`{list_variables(name)[0]}`",
            shown(field.default),
            " ".join((field.description or "").split()),
        ]
        for name, field in Settings.model_fields.items()
    ]
    documented = table(section(page("configuration.md"), "## Settings"))
    missing = [f"| {' | '.join(row)} |" for row in expected if row not in documented]
    assert missing == [], "\n".join(["these rows belong into the table:", *missing])
    assert documented == expected


def test_every_key_of_the_policy_is_documented() -> None:
    """The table of the policy in configuration.md has exactly the fields of `Policy`."""
    rows = table(section(page("configuration.md"), "## The policy"))
    assert [ticked(row[0])[0] for row in rows] == list(Policy.model_fields)


@pytest.mark.parametrize("heading", STATE_SECTIONS)
def test_states_and_moves_are_those_of_the_code(heading: str) -> None:
    """Each table of states holds every state, and exactly its legal moves."""
    kind = STATE_SECTIONS[heading]
    shown_in = "agents.md" if kind in OF_AGENTS else "pipeline.md"
    rows = table(section(page(shown_in), f"### {heading}"))
    documented = {ticked(row[0])[0]: set(ticked(row[2])) for row in rows}
    edges = EDGES[kind]
    assert documented == {str(state): {str(to) for to in edges[state]} for state in kind}


def test_every_kind_of_state_has_a_table() -> None:
    """No kind of state is left out."""
    assert set(STATE_SECTIONS.values()) == set(EDGES)


def test_the_failure_policy_is_that_of_the_bindings() -> None:
    """The table of stages in pipeline.md has the tries, delays, limits and ends of the bindings."""
    expected = [
        [
            f"`{binding.stage}`",
            str(binding.retries),
            ", ".join(f"{delay:g}" for delay in binding.delays),
            f"{binding.timeout:g}",
            f"`{binding.after}`",
        ]
        for binding in TABLE
    ]
    assert table(section(page("pipeline.md"), "## The stages")) == expected


def test_every_stage_is_described_and_stands_in_the_readme() -> None:
    """Each stage has a heading in pipeline.md and a row in the README's table."""
    rows = [row[0] for row in table(section(README.read_text("utf-8"), "## The stages"))]
    for binding in TABLE:
        assert binding.stage in rows
        assert section(page("pipeline.md"), f"### {binding.stage}").strip()


def test_the_gates_are_documented_in_their_order() -> None:
    """The table of gates in pipeline.md has the names of `GATES`, in the same order."""
    rows = table(section(page("pipeline.md"), "## The gates"))
    assert [ticked(row[0])[0] for row in rows] == [name for name, _ in GATES]


def test_the_flows_are_those_of_the_deployments() -> None:
    """The table of flows in pipeline.md names every deployment of prefect.yaml."""
    from flows.running.deployments import declared

    rows = table(section(page("pipeline.md"), "## Prefect"))
    assert {ticked(row[0])[0] for row in rows} == set(declared())


def test_every_command_is_documented() -> None:
    """The table of commands in operate.md has exactly the commands that `postern` has."""
    rows = table(section(page("operate.md"), "## Commands"))
    assert sorted(ticked(row[0])[0] for row in rows) == sorted(commands())


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_examples_name_commands_that_exist(document: Path) -> None:
    """Whatever a page tells people to type after `postern` is a command of it."""
    known = {name.split()[1] for name in commands()}
    text = document.read_text(encoding="utf-8")
    typed = re.findall(r"(?:`|/|^)postern +(?:--home \S+ +)?([a-z][a-z-]+)", text, re.M)
    assert [word for word in typed if word not in known] == []


def test_the_example_of_a_settings_file_is_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The `postern.toml` shown in configuration.md can be loaded as it stands."""
    (example,) = re.findall(r"(?s)```toml\n(.*?)```", page("configuration.md"))
    (tmp_path / "postern.toml").write_text(example, encoding="utf-8")
    monkeypatch.setenv("POSTERN_CONFIG", str(tmp_path / "postern.toml"))
    settings = load_settings()
    assert settings.transport == "smtp"
    assert settings.trusted_authserv_ids == ("mx.harbor.example",)


def test_the_examples_of_an_organizations_files_are_valid(tmp_path: Path) -> None:
    """The policy and the knowledge entry shown in configuration.md can be loaded as they stand."""
    from connectors.sources.markdown_files import read_knowledge_files
    from data.policy_files import merge_policy

    text = page("configuration.md")
    (policy,) = re.findall(r"(?s)```yaml\n(version: .*?)```", text)
    assert merge_policy(("policy.yaml", policy)).autonomy_rules[0].auto_send
    (entry,) = re.findall(r"(?s)```\n(---\ntitle.*?)```", text)
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "opening-hours.md").write_text(entry, encoding="utf-8")
    read = read_knowledge_files(tmp_path)
    assert (list(read.rows), read.errors) == (["opening-hours"], [])


def test_every_endpoint_is_documented() -> None:
    """The table of calls in api.md has exactly the endpoints of the API."""
    rows = table(section(page("api.md"), "## Endpoints"))
    assert sorted(ticked(row[0])[0] for row in rows) == sorted(endpoints())


def test_the_application_serves_every_endpoint(tmp_path: Path) -> None:
    """No module of the API is left out of the application, and none is in it twice."""
    from flows.api.app import create_app
    from flows.core.house import House

    app = create_app(House(Settings(home=tmp_path)))
    assert sorted(endpoints_of(app.routes)) == sorted(endpoints())


def test_the_worked_webhook_verifies() -> None:
    """The signature in api.md is what our check takes for the body, id, time and secret there."""
    from connectors.webhook import read_payload, verify

    text = page("api.md")
    body = re.findall(r"```json\n(\{\"mail_from.*?)\n```", text, re.S)[0].encode()
    (secret,) = re.findall(r"`(whsec_\S+=)`", text)
    (stamp,) = re.findall(r"the time `(\d+)`", text)
    (identity,) = re.findall(r"the id `(\S+)`", text)
    (signature,) = re.findall(r"webhook-signature: (\S+)", text)
    headers = {
        "webhook-id": identity,
        "webhook-timestamp": stamp,
        "webhook-signature": signature,
    }
    assert verify(secret, headers, body, datetime.fromtimestamp(int(stamp), UTC)) == identity
    raw = read_payload(body)[2]
    assert raw == base64.b64decode("U3ViamVjdDogSGkNCg0KT3BlbiB0b2RheT8NCg==")


def test_every_make_target_is_documented() -> None:
    """Each target with a help text in the Makefile stands in the README or in operate.md."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"(?m)^([a-z]+):.*## ", makefile)
    assert len(targets) > 5
    text = README.read_text(encoding="utf-8") + page("operate.md")
    assert [target for target in targets if f"make {target}" not in text] == []
