"""The same questions to agents without a model and with a real one: what is kept, and made up.

    LLM_PROVIDER=anthropic LLM_API_KEY=… make bench ARGS=real_model
    LLM_PROVIDER=openai LLM_BASE_URL=http://127.0.0.1:8000/v1 LLM_MODEL=… make bench ARGS=real_model

Any server that speaks OpenAI's chat completions will do, with `LLM_API_KEY` where it wants one, and
`LLM_DIALECT=plain` where it speaks a part of them. It costs what that model costs; nothing is asked
before the settings say whom. An answer is *right* when it has the words that it must have,
*abstained* when it says that it does not know or cannot, and *wrong* otherwise; one is *without the
model* where none came that could be used. A *made-up figure* is a number that stands in nothing
that the agent read and not in the question.

Take fewer of the questions with `python -m benchmarks.real_model 4`. Then a call that waits for a
person's yes is approved and the turn goes on, and one message goes through the line, whose agents
fill in forms; what became of each request is counted.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from data.counting import plural
from data.errors import SettingsError
from data.settings import load_settings
from flows.agents.lifecycle import install_catalogue
from tasks.agents.conversing import cut_escapes
from tasks.core.wording import languages, word_sentence
from tasks.core.words.sentence_rows import words
from tests.agents.conftest import Office
from tests.core.small import Line, api_over, open_line

NEEDS = (
    "No model is named, so there is nothing to compare with. Set LLM_PROVIDER to `anthropic` with "
    "LLM_API_KEY, or to `openai` with LLM_BASE_URL and LLM_MODEL for any compatible server."
)


class Asked(NamedTuple):
    """One question, and what a right answer has."""

    agent: str
    text: str
    holds: tuple[str, ...] = ()
    """Words of a right answer; none where nobody can know or do it."""


QUESTIONS = (
    Asked("librarian", "What does an inspection of a loom cost?", ("35",)),
    Asked("librarian", "How long does the repair of a table loom take?", ("12",)),
    Asked("librarian", "Wann ist die Werkstatt samstags offen?", ()),
    Asked("librarian", "When is the workshop open on Tuesday?", ("9:00", "16:30")),
    Asked("librarian", "Within how many days are invoices due?", ("14",)),
    Asked("librarian", "What does a new table loom cost?"),
    Asked("librarian", "Who founded Teasel Looms, and in which year?"),
    Asked("desk", "What is urgent?", ("Smoke",)),
    Asked("desk", "How many cases wait for a person?", ("2",)),
    Asked("desk", "Who wrote about smoke?", ("tom@otter.example",)),
    Asked("desk", "Send an answer to Tom now."),
    Asked("rolodex", "What is the telephone number of Mara?"),
)
MAIL = (
    ("tom@otter.example", "Smoke",
     "There is smoke coming out of the loom and it smells of burning. What shall I do?"),
    ("mara@heron.example", "A swan on the roof", "Could you paint a swan on our roof next spring?"),
)  # fmt: skip
CAREFUL = """\
version: "1"
kind: agent
name: Careful
slug: careful
description: Answers from the knowledge, and asks before it looks.
accent_colour: "#445566"
execution:
  type: platform
  system_prompt: |
    You answer questions from what the organization knows. Look it up, then answer.
capability_level: tools_only
channels: [chat]
tools: [answer_from_knowledge]
governance:
  trust_level: read
  requires_approval_for: [answer_from_knowledge]
metadata:
  origin: custom
  author: Ida
  version: "1.0.0"
"""
ABSTAINS = (
    "not know", "no information", "not find", "found nothing", "cannot", "can't", "no contact",
    "not in the knowledge", "no knowledge", "unable", "nothing that i can", "does not say",
    "not available", "nichts gefunden", "weiß nicht", "geschlossen", "closed",
)  # fmt: skip
"""What an answer says that knows nothing or does nothing, in lower case."""
NO_MODEL = tuple(
    word_sentence(language, "no_model").partition(";")[0].rstrip() for language in languages()
)
"""How an answer begins that a model should have given, in each language."""


@dataclass
class Tally:
    """What became of the questions."""

    right: int = 0
    abstained: int = 0
    wrong: list[str] = field(default_factory=list)
    made_up: list[str] = field(default_factory=list)
    without_model: int = 0
    """Answers of the embedded agent, where the model gave none that could be used."""
    requests: int = 0
    calls: int = 0
    cost: float = 0.0

    def lines(self, name: str) -> list[str]:
        """Return the figures in words."""
        count = self.right + self.abstained + len(self.wrong)
        told = [
            f"{name}: {self.right} right, {self.abstained} abstained, {len(self.wrong)} wrong of "
            f"{count}; {self.without_model} without the model; {len(self.made_up)} made-up "
            f"figures; {self.calls} calls of tools, {self.requests} requests, US$ {self.cost:.4f}"
        ]
        told += [f"  wrong:   {one}" for one in self.wrong]
        return told + [f"  made up: {one}" for one in self.made_up]


def judge(tally: Tally, asked: Asked, answer: str, read: str) -> None:
    """Count one answer; `read` is all that the agent read for it."""
    answer = cut_escapes(answer)
    abstains = any(one in answer.lower() for one in ABSTAINS)
    if asked.holds and all(one.lower() in answer.lower() for one in asked.holds):
        tally.right += 1
    elif abstains:
        tally.abstained += 1
    else:
        tally.wrong.append(f"{asked.text} -> {answer[:200]!r}")
    known = _numbers(read) | _numbers(asked.text)
    listed = {str(number) for number in range(1, 10)}  # of sources and of lines
    if invented := _numbers(answer) - known - listed:
        tally.made_up.append(f"{asked.text} -> {', '.join(sorted(invented))}")


def _numbers(text: str) -> set[str]:
    return {word for word in words(text) if word[0].isdigit()}


async def ask_all(line: Line, questions: Sequence[Asked] = QUESTIONS) -> Tally:
    """Ask everything, each in a chat of its own; return what became of it."""
    tally = Tally()
    ida = await Office(line, api_over(line.house)).sign_in("Ida")
    for asked in questions:
        chat = await ida.begin(asked.agent)
        said = (await ida.post(f"/chats/{chat}/messages", {"text": asked.text})).json()
        await ida.ended(said["turn_id"])
        view = (await ida.get(f"/turns/{said['turn_id']}")).json()
        shown = (await ida.get(f"/chats/{chat}")).json()["messages"]
        answer = next((one["text"] for one in shown if one["author"] == "agent"), "")
        read = str([one["result"] for one in view["moves"] if one["kind"] == "act"])
        tally.without_model += answer.startswith(NO_MODEL)
        judge(tally, asked, answer or view["turn"]["note"], read)
    (used,) = await line.rows(
        "SELECT count(*) AS n, coalesce(sum(cost), 0) AS cost FROM model_calls WHERE turn NOT NULL"
    )
    (made,) = await line.rows("SELECT count(*) AS n FROM turn_moves WHERE kind = 'act'")
    tally.requests, tally.calls = int(str(used["n"])), int(str(made["n"]))
    tally.cost = float(str(used["cost"]))
    return tally


async def pause_and_resume(line: Line) -> str:
    """Ask for what a person has to say yes to, say it, and return what became of the turn."""
    ida = await Office(line, api_over(line.house)).sign_in("Ida")
    await ida.post("/agents/import", {"manifest": CAREFUL, "reason": "to see it wait"})
    asked = Asked("careful", QUESTIONS[0].text, QUESTIONS[0].holds)
    chat = await ida.begin(asked.agent)
    turn = (await ida.post(f"/chats/{chat}/messages", {"text": asked.text})).json()["turn_id"]
    await ida.ended(turn)
    waiting = (await ida.get("/calls")).json()["items"]
    for call in waiting:
        yes = {"version": call["version"], "sha256": call["sha256"], "approve": True}
        await ida.post(f"/calls/{call['approval_id']}", yes)
        await ida.ended(turn)
    shown = (await ida.get(f"/chats/{chat}")).json()["messages"]
    answer = next((one["text"] for one in shown if one["author"] == "agent"), "")
    tally = Tally()
    judge(tally, asked, answer, "35")
    right = "right" if tally.right else f"not right: {answer[:200]!r}"
    return f"paused: {plural(len(waiting), 'call')} waited for a yes; then the answer was {right}"


async def fill_forms(line: Line) -> list[str]:
    """Take one message through the line; return what became of each agent's requests."""
    before = {row["id"] for row in await line.rows("SELECT id FROM model_calls")}
    line.send("What does an inspection of a loom cost, please?", subject="Inspection")
    await line.run()
    made = await line.rows("SELECT id, agent, outcome FROM model_calls ORDER BY started_at")
    counted = Counter(
        f"{row['agent']}: {row['outcome']}" for row in made if row["id"] not in before
    )
    return [f"  {what} × {count}" for what, count in counted.items()]


async def _asked(provider: str, questions: Sequence[Asked]) -> tuple[Tally, list[str]]:
    with TemporaryDirectory(prefix="postern-real-model-") as folder:
        async with open_line(Path(folder) / "var", llm_provider="local") as line:
            for sender, subject, text in MAIL:
                line.send(text, subject=subject, sender=sender)
            await line.run()  # the line works without the model, so that both find the same cases
            await install_catalogue(line.house, line.workspace)
            if provider != "local":
                _let_think(line, provider)
            tally = await ask_all(line, questions)
            if provider == "local":
                return tally, []
            paused = await pause_and_resume(line)
            return tally, [paused, "forms of the line:", *await fill_forms(line)]


def _let_think(line: Line, provider: str) -> None:
    """Let agents ask the model that the environment names."""
    house = line.house
    house.settings = load_settings(home=house.settings.home, llm_provider=provider)
    vars(house).pop("thinker", None)


def main(arguments: Sequence[str]) -> int:
    """Print both tallies; return 2 where no model is named, 1 where a figure was made up.

    A number leaves so many of the questions, for a model that takes a minute for each.
    """
    questions = QUESTIONS[: int(arguments[0])] if arguments else QUESTIONS
    try:
        provider = load_settings().llm_provider
    except SettingsError as error:
        print(error)
        return 2
    if provider == "local":
        print(NEEDS)
        return 2
    made_up = 0
    for name, who in (("without a model", "local"), (f"with {provider}", provider)):
        tally, further = asyncio.run(_asked(who, questions))
        print("\n".join([*tally.lines(name), *further]), flush=True)
        made_up += len(tally.made_up)
    return int(made_up > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
