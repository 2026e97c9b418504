"""An agent is set up by its manifest's questions: answers fit, are versions, and have an effect."""

from datetime import UTC, datetime

import httpx
import pytest

from data.agent_settings import fit_settings, read_answers, settings_schema
from data.errors import UnfitError
from data.portable import read_portable, write_portable
from data.records.core.manifest_format import ConfigurationField
from data.records.core.organization import DayHours, WorkingHours
from tasks.agents.conversing import cut_escapes
from tests.agents.conftest import Office, Talking
from tests.core.small import settle

COACH = """
version: "1"
kind: agent
name: Coach
slug: coach
description: Says what waits.
accent_colour: "#445566"
execution: {type: platform, system_prompt: "You are Coach."}
capability_level: tools_only
channels: [chat]
tools: [waiting_cases, memory]
configuration_schema:
  - {field: team, label: "Which team do you help?", type: text, required: true}
  - {field: tone, label: "How do you speak?", type: select, options: [warm, brief]}
  - {field: most, label: "How many cases at once?", type: number}
  - {field: weekends, label: "Also on weekends?", type: boolean}
governance: {trust_level: standard}
metadata: {origin: custom, author: Ida Fenn, version: "1.0.0"}
"""
FIELDS = read_portable(COACH).agent.configuration_schema


async def _put(somebody: Talking, slug: str, **body: object) -> httpx.Response:
    path = f"/v1/{somebody.line.workspace.slug}/agents/{slug}/settings"
    return await somebody.client.put(path, json={"reason": "for the hall"} | body)


async def _coach(office: Office) -> Talking:
    ida = await office.sign_in("Ida")
    made = await ida.post("/agents/import", {"manifest": COACH, "reason": "to help"})
    assert made.status_code == httpx.codes.OK, made.text
    return ida


async def test_an_agent_works_once_what_it_has_to_know_is_answered(office: Office) -> None:
    """Before that it is refused with what is missing; afterwards each answer is a version."""
    ida = await _coach(office)
    refused = await ida.post("/chats", {"agent": "coach"})
    assert refused.status_code == httpx.codes.CONFLICT
    assert "Which team do you help?" in refused.text
    written = await _put(ida, "coach", values={"team": "the weavers", "most": 3})
    assert (written.json()["version"], written.json()["unanswered"]) == (2, [])
    chat = await ida.begin("coach")
    assert "the queue is empty" in (await ida.ask(chat, "What waits for a person?"))["text"]
    again = await _put(ida, "coach", values={"most": 3})
    assert again.json()["version"] == 2
    shown = (await ida.get("/agents/coach/settings")).json()
    assert shown["values"] == {"team": "the weavers", "most": 3}
    assert shown["accepts"]["required"] == ["team"]
    assert "+configuration:" in (await ida.get("/agents/coach/diff")).json()["text"]
    back = {"version": 1, "reason": "not yet"}
    assert (await ida.post("/agents/coach/restore", back)).json()["unanswered"] != []
    refused = await ida.post(f"/chats/{chat}/messages", {"text": "What waits?"})
    assert "Which team do you help?" in refused.text


async def test_an_answer_that_does_not_fit_changes_nothing(office: Office) -> None:
    """Neither does one that somebody gives to a version that is no more, or who may not."""
    ida = await _coach(office)
    wrong = [{"tone": "loud"}, {"most": "three"}, {"weekends": 1}, {"colour": "red"}, {"team": " "}]
    for values in wrong:
        assert (await _put(ida, "coach", values=values)).status_code == 422, values
    assert (await _put(ida, "coach", values={"team": "x"}, version=7)).status_code == 409
    vera = await office.sign_in("Vera", "reviewer")
    assert (await _put(vera, "coach", values={"team": "x"})).status_code == 403
    assert (await ida.get("/agents/coach")).json()["version"] == 1
    unfit = COACH + "configuration: {tone: loud}\n"
    body = {"manifest": unfit, "reason": "x"}
    path = f"/v1/{ida.line.workspace.slug}/agents/coach"
    assert "warm, brief" in (await ida.client.put(path, json=body)).text


async def test_the_calendar_looks_for_free_time_in_the_hours_that_it_is_told(
    office: Office,
) -> None:
    """Without an answer those are 9 to 17, or what the policy says of each day."""
    office.line.clock.ahead = datetime(2026, 12, 1, 9, tzinfo=UTC) - datetime.now(UTC)
    ida = await office.sign_in("Ida")
    chat = await ida.begin("calendar")

    async def ask_for_answer() -> str:
        return cut_escapes((await ida.ask(chat, "When am I free on 8 December?"))["text"])

    assert "09:00 to 17:00" in await ask_for_answer()
    await _put(ida, "calendar", values={"day_begins": "08:00", "day_ends": "16:00"})
    assert "08:00 to 16:00" in await ask_for_answer()
    await _put(ida, "calendar", values={"day_begins": None, "day_ends": None})
    assert "09:00 to 17:00" in await ask_for_answer()
    workspace = office.line.workspace
    short = DayHours(days=(2,), start="09:00", end="12:30")  # 8 December is a Tuesday
    hours = WorkingHours(start="10:00", end="16:00", differing=(short,))
    workspace.policy = workspace.policy.model_copy(update={"working_hours": hours})
    told = await ask_for_answer()
    assert "10:00 to 16:00" in told
    assert "09:00 to 12:30, Tuesday" in told
    of_week = cut_escapes((await ida.ask(chat, "When am I free next week?"))["text"])
    assert "7 December 2026, 10:00 to 16:00" in of_week
    assert "8 December 2026, 09:00 to 12:30" in of_week


async def test_only_an_agent_that_may_learn_picks_up_what_is_said(office: Office) -> None:
    """One of a lower level remembers what it is plainly told, and nothing else."""
    ida = await _coach(office)
    await _put(ida, "coach", values={"team": "the weavers"})
    chat = await ida.begin("coach")
    await ida.ask(chat, "My desk is on the third floor.")
    await settle(office.line.house)
    assert (await ida.get("/memories")).json()["items"] == []
    await ida.ask(chat, "Remember that my desk is on the third floor")
    assert len((await ida.get("/memories")).json()["items"]) == 1


def test_answers_are_told_with_their_questions() -> None:
    """The schema says what is taken; an agent without answers is the same text as before."""
    schema = settings_schema(FIELDS)
    assert schema["properties"]["tone"]["enum"] == ["warm", "brief"]  # type: ignore[index, call-overload]
    assert "configuration:" not in write_portable(read_portable(COACH))
    given = ["team=the weavers", "most=3", "weekends=yes", "tone="]
    values = read_answers(FIELDS, given)
    assert values == {"team": "the weavers", "most": 3, "weekends": True, "tone": None}
    assert fit_settings(FIELDS, values) == {"team": "the weavers", "most": 3, "weekends": True}


@pytest.mark.parametrize("written", ["team", "most=many", "weekends=perhaps"])
def test_an_answer_that_is_not_written_so_is_refused(written: str) -> None:
    """With what would be right."""
    with pytest.raises(UnfitError):
        read_answers(
            [ConfigurationField.model_validate(one.model_dump()) for one in FIELDS], [written]
        )
