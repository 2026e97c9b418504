"""Times in words, said to Taskmaster and Calendar: what is assumed is asked first."""

from typing import Any

from tests.agents.conftest import Office, Talking


async def _said(somebody: Talking, chat: str, text: str) -> str:
    return str((await somebody.ask(chat, text))["text"]).replace("\\", "")


async def _tasks(somebody: Talking) -> list[dict[str, Any]]:
    return list((await somebody.get("/tasks?state=open")).json()["items"])


async def test_an_assumed_hour_is_shown_before_anything_is_noted(office: Office) -> None:
    """Only a yes notes it; a time that was said in full is noted at once."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    asked = await _said(ida, chat, "Remind me tomorrow morning to call Ana")
    assert asked.startswith("Shall I put “call Ana”")
    assert "09:00" in asked
    assert await _tasks(ida) == []
    assert "is on your list" in await _said(ida, chat, "yes")
    (task,) = await _tasks(ida)
    assert (task["title"], task["timed"]) == ("call Ana", True)
    noted = await _said(ida, chat, "Remind me tomorrow at half past ten to call Ben")
    assert "10:30" in noted
    assert len(await _tasks(ida)) == 2


async def test_what_is_half_understood_notes_nothing(office: Office) -> None:
    """A task that repeats or has an end, and an event without a full hour."""
    ida = await office.sign_in("Ida")
    tasks, calendar = await ida.begin("taskmaster"), await ida.begin("calendar")
    assert "does not repeat" in await _said(ida, tasks, "Remind me every Monday at 9 to count")
    assert "do not understand" in await _said(
        ida, tasks, "Remind me tomorrow from 9 to 10 to count"
    )
    assert await _tasks(ida) == []
    vague = await _said(ida, calendar, "Schedule a meeting tomorrow afternoon")
    assert "14:00" in vague
    assert "Nothing was done yet" in vague
    assert "Nothing is on" in await _said(ida, calendar, "What is on tomorrow?")


async def test_an_event_may_repeat_and_have_an_end(office: Office) -> None:
    """With its rule, and both its times."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("calendar")
    weekly = await _said(ida, chat, "Schedule a stand-up every Monday from 9 to 9:30")
    assert "09:00 to 09:30" in weekly
    assert "every Monday" in weekly
    assert "stand-up" in await _said(ida, chat, "What is on next week?")
    assert "You are free" in await _said(ida, chat, "When am I free next week?")
    only_morning = await _said(ida, chat, "What is on Monday afternoon?")
    assert "Nothing is on" in only_morning
