"""The examples of docs/extending.md are what they say."""

import re
from pathlib import Path

from data.records.core.principals import system
from flows.core.tools import Calling, Tool
from tests.agents.conftest import Office

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"


def _example(language: str) -> str:
    (example,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    return str(example)


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
