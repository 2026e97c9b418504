"""The examples of docs/extending.md and docs/agents.md are what they say."""

import json
import re
from pathlib import Path

import yaml

from data.policy_files import merge_policy
from data.records.core.principals import system
from data.records.core.tools import Effect
from flows.agents.services import build_service_tool
from flows.core.tools import Calling, Tool
from tests.agents.conftest import Office

PAGE = Path(__file__).parents[3] / "docs" / "extending.md"
OF_AGENTS = PAGE.with_name("agents.md")


def _examples(language: str, page: Path = PAGE) -> list[str]:
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M)
    return [block for named, block in blocks if named == language]


def _example(language: str) -> str:
    (example,) = _examples(language)
    return example


async def test_the_agent_of_the_page_answers(office: Office) -> None:
    """It is imported, assigned, and does what it says."""
    ida = await office.sign_in("Ida")
    body = {"manifest": _example("yaml"), "reason": "for the front desk"}
    assert (await ida.post("/agents/import", body)).json()["slug"] == "doorman"
    answer = await ida.ask(await ida.begin("doorman"), "What waits for a person?")
    assert "the queue is empty" in answer["text"]


async def test_the_tool_of_the_page_works(office: Office) -> None:
    """Its code runs as it stands, and gives what the page says."""
    made: dict[str, object] = {}
    exec(compile(_example("python"), "extending.md", "exec"), made)  # noqa: S102  # our own page
    tool = made["SAY_NAME"]
    assert isinstance(tool, Tool)
    calling = Calling(office.line.house, office.line.workspace, system("test"))
    result = await tool.work(calling, tool.takes())
    assert result.sentence == "This is Teasel Looms."


async def test_the_examples_of_the_page_about_agents_are_taken(office: Office) -> None:
    """What a manifest, the library and the policy are shown with is kept; what is asked answers."""
    ida = await office.sign_in("Ida")
    root = f"/v1/{ida.line.workspace.slug}"
    calls, curl, *fragments = _examples("", OF_AGENTS)
    looms, services = _examples("yaml", OF_AGENTS)
    body = {"content": looms, "reason": "for the hall"}
    kept = await ida.client.put(f"{root}/agent-library/extraction/looms", json=body)
    assert kept.is_success, kept.text
    (service,) = merge_policy(("policy.yaml", services)).services
    assert build_service_tool(service).declaration.effect is Effect.NONE
    for number, fragment in enumerate(fragments):
        names = {"slug": f"doorman-{number}", "name": f"Doorman {number}"}
        manifest = yaml.safe_load(_example("yaml")) | yaml.safe_load(fragment) | names
        body = {"manifest": yaml.safe_dump(manifest), "reason": "as it is shown"}
        made = await ida.post("/agents/import", body)
        assert (made.status_code, made.json().get("unanswered")) == (200, []), made.text
    assert len(fragments) == 3
    (asked,) = re.findall(r"-d '(.*)'", curl)
    order = json.loads(asked) | {"model": f"{ida.line.workspace.slug}/desk"}
    answer = (await ida.client.post("/v1/chat/completions", json=order)).json()
    assert "urgent" in answer["choices"][0]["message"]["content"]
    chat, turn = "", ""
    for method, path, given in re.findall(r"^(\w+) +(\S+) +(\{.*?\})?", calls, re.M):
        filled = path.format(org=ida.line.workspace.slug, chat_id=chat, turn_id=turn)
        send = {"json": json.loads(given)} if given else {}
        came = await ida.client.request(method, filled, **send)
        assert came.is_success, came.text
        if method == "POST":
            chat = chat or came.json()["id"]
            turn = came.json().get("turn_id", turn)
    assert "event: done" in came.text
