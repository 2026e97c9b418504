"""Events and tasks are changed on a plain order, where one alone is meant."""

from datetime import timedelta

import pytest

from data.errors import ConflictError
from data.records.agents.tasks import EditTask
from data.records.core.calendar import EditEvent
from data.states import TaskState
from data.store.agents import tasks
from data.store.core import users
from flows.agents import agenda
from flows.sync import sync_one
from tests.agents.conftest import Office, Talking
from tests.core.small import POLICY

AS_KEPT = {
    "calendar": "SELECT title, starts_at AS at FROM calendar_events",
    "taskmaster": "SELECT title, due_at AS at FROM tasks",
}


async def _ask(person: Talking, agent: str, text: str) -> str:
    """Ask in a chat of its own; return the answer as it is read."""
    answer = await person.ask(await person.begin(agent), text)
    return str(answer["text"]).replace("\\", "")


async def _titles(person: Talking, path: str) -> list[str]:
    return [one["title"] for one in (await person.get(path)).json()["items"]]


async def test_an_event_is_moved_and_cancelled_in_four_languages(office: Office) -> None:
    """It keeps how long it lasts; what is asked for without a time changes nothing."""
    ida = await office.sign_in("Ida")
    await _ask(ida, "calendar", "Add a meeting with Ines tomorrow at 14:00 for 45 minutes")
    for order, said in (
        ("Move the meeting with Ines to Friday at 15:00", "15:00 to 15:45."),
        ("Verschieb den Termin mit Ines auf Montag um 16 Uhr", "16:00 bis 16:45."),
        ("Déplace la réunion avec Ines à demain à 9 heures", "09:00 à 09:45."),
        ("Mueve la cita con Ines a mañana a las 11", "11:00 a 11:45."),
        ("Move the meeting with Ines to a room", "I need the event, and the day and the time"),
        ("Move the meeting with Tom to Friday at 15:00", "No event of the next 90 days"),
        ("Cancel the meeting with Ines in 5 days at 11:00", "No event of the next 90 days"),
        ("Cancel the meeting with Ines tomorrow at 3", "No event of the next 90 days"),
        ("Cancel the meeting with Ines tomorrow at 9:30", "No event of the next 90 days"),
        ("Cancel the meeting with Tom tomorrow at 11", "No event of the next 90 days"),
        ("Sag den Termin mit Ines ab", "steht nicht mehr im Kalender"),
        ("Cancel the meeting with Ines", "No event of the next 90 days"),
    ):
        assert said in await _ask(ida, "calendar", order), order


async def test_what_fits_several_or_repeats_is_not_changed(office: Office) -> None:
    """And what is the organization's changes only who may decide."""
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "viewer")
    for day in ("tomorrow", "in 3 days"):
        await _ask(ida, "calendar", f"Add a meeting with Ines {day} at 14:00")
    several = await _ask(ida, "calendar", "Cancel the meeting with Ines")
    assert several.startswith("2 events of the next 90 days have these words")
    begins = office.line.clock().isoformat()
    event = {"starts_at": begins, "ends_at": begins, "for_everybody": True}
    weekly = event | {"title": "Stocktaking", "repeats": "FREQ=WEEKLY", "for_everybody": False}
    for wanted in (event | {"title": "Summer party"}, weekly):
        assert (await ida.post("/calendar/events", wanted)).is_success
    assert "repeats" in await _ask(ida, "calendar", "Cancel the meeting stocktaking")
    refused = await _ask(vera, "calendar", "Cancel the event summer party")
    assert refused.startswith("Nothing was changed: your role does not permit you")
    assert "is out of the calendar" in await _ask(ida, "calendar", "Cancel the event summer party")


async def test_a_task_is_put_off_and_dropped(office: Office) -> None:
    """By words of its title; nobody changes the tasks of another."""
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "viewer")
    await _ask(ida, "taskmaster", "Remind me tomorrow at 9 to call Ana")
    put_off = await _ask(ida, "taskmaster", "Put off the call to Ana until 8 December 2099 at 10")
    assert "“call Ana” is now due Tuesday, 8 December 2099, 10:00." in put_off
    assert "I need the task, and the day" in await _ask(
        ida, "taskmaster", "Put off the call to Ana"
    )
    foreign = await _ask(vera, "taskmaster", "Take the call to Ana off my list")
    assert foreign.startswith("No open task of yours")
    off = await _ask(ida, "taskmaster", "Take the call to Ana off my list")
    assert off == "“call Ana” is off your list. [1]"
    assert await _titles(ida, "/tasks") == []
    # *Apunta …* alone is for the memory; with a word for a task it is one.
    await _ask(ida, "assistant", "Apunta una tarea: pedir pilas")
    assert await _titles(ida, "/tasks") == ["pedir pilas"]


async def test_a_time_that_is_not_understood_changes_nothing(office: Office) -> None:
    """Nothing is noted, moved, cancelled or told for another day than what was meant."""
    ida = await office.sign_in("Ida")
    await _ask(ida, "calendar", "Add a meeting with Ines tomorrow at 14:00")
    await _ask(ida, "taskmaster", "Add a task: count lamps")
    for agent, order, said in (
        ("calendar", "Cancel the meeting with Ines on 31 February", "do not understand that time"),
        ("calendar", "Move the meeting with Ines to every Monday at 9", "do not understand"),
        ("calendar", "Add a meeting with Tom tomorrow from 4 to 2 pm", "do not understand"),
        ("calendar", "Añade una reunión con Tom mañana por la noche", "Aún no se hizo nada"),
        ("calendar", "What is on next month?", "do not understand that time"),
        ("calendar", "What is on in February?", "do not understand that time"),
        ("calendar", "Welche Termine habe ich am 31. Februar?", "verstehe ich ohne Sprachmodell"),
        ("calendar", "What is on at Christmas?", "do not understand that time"),
        ("calendar", "¿Estoy libre el 31 de febrero?", "No entiendo ese momento"),
        ("calendar", "Am I free tomorrow at 25:00?", "do not understand that time"),
        ("calendar", "Am I free tomorrow between 9 and 26?", "do not understand that time"),
        ("calendar", "When am I free after lunch-ish", "do not understand that time"),
        ("calendar", "Am I free whenever the gallery is", "do not understand that time"),
        ("taskmaster", "Put off count lamps to next month", "do not understand that time"),
        (
            "taskmaster",
            "Erinnere mich jeden zweiten Montag ans Gießen",
            "wiederholen sich nicht, also wurde nichts notiert",
        ),
        (
            "taskmaster",
            "Rappelle-moi dans quelques jours de payer",
            "Je ne comprends pas ce moment",
        ),
    ):
        assert said in await _ask(ida, agent, order), order
    assert await _titles(ida, "/tasks") == ["count lamps"]
    assert "One event is on" in await _ask(ida, "calendar", "What is on tomorrow?")


async def test_an_hour_without_its_half_of_the_day_is_either(office: Office) -> None:
    """Of a day, what begins at 3:00 or at 15:00 is meant by *at 3*, and nothing else."""
    ida = await office.sign_in("Ida")
    await _ask(ida, "calendar", "Add a meeting with Ines in 2 days at 15:00")
    order = "Cancel the meeting with Ines in 2 days at"
    assert "No event of the next 90 days" in await _ask(ida, "calendar", f"{order} 4")
    assert "is out of the calendar" in await _ask(ida, "calendar", f"{order} 3")


async def test_an_hour_alone_keeps_the_day_that_something_has(office: Office) -> None:
    """*Move lunch to 1 pm* is meant for the day of the lunch, and not for the next afternoon."""
    ida = await office.sign_in("Ida")
    day = (office.line.clock() + timedelta(days=5)).date()
    await _ask(ida, "calendar", f"Add lunch with Ines on {day} at 12:30")
    moved = await _ask(ida, "calendar", "Move lunch with Ines to 1 pm")
    assert f"{day.day} {day:%B} {day.year}, 13:00 to 14:00" in moved
    await _ask(ida, "taskmaster", "Remind me on 9 December 2099 at 9 to count lamps")
    put_off = await _ask(ida, "taskmaster", "Put off count lamps to 3 pm")
    assert "9 December 2099, 15:00" in put_off


async def test_a_day_alone_keeps_the_hour_that_something_has(office: Office) -> None:
    """*Move lunch to Friday* is meant for the hour of the lunch; what had no hour gets none."""
    ida = await office.sign_in("Ida")
    day = (office.line.clock() + timedelta(days=5)).date()
    await _ask(ida, "calendar", f"Add lunch with Ines on {day} at 12:30")
    moved = await _ask(ida, "calendar", f"Move lunch with Ines to {day + timedelta(days=1)}")
    assert "12:30 to 13:30" in moved
    for noted, due in (("at 9", "9 December 2099, 09:00"), ("", "9 December 2099.")):
        await _ask(ida, "taskmaster", f"Remind me on 8 December 2099 {noted} to count lamps")
        assert due in await _ask(ida, "taskmaster", "Put off count lamps to 9 December 2099")
        await _ask(ida, "taskmaster", "Take count lamps off my list")


async def test_how_long_an_event_lasts_is_read_at_its_end(office: Office) -> None:
    """With a word before it or without; in a task it stays what is to be done."""
    ida = await office.sign_in("Ida")
    added = await _ask(ida, "calendar", "Book a call with Tom tomorrow 11am 30 min")
    assert "“call with Tom”" in added
    assert "11:00 to 11:30" in added
    task = await _ask(ida, "taskmaster", "Remind me tomorrow at 9 to wait 30 minutes")
    assert "“wait 30 minutes”" in task


async def test_a_title_says_something(office: Office) -> None:
    """Spaces alone are no name of a task, an event, or a chat."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    at = office.line.clock().isoformat()
    event = {"title": " ", "starts_at": at, "ends_at": at}
    assert (await ida.post("/tasks", {"title": "  "})).status_code == 422
    assert (await ida.post("/calendar/events", event)).status_code == 422
    path = f"/v1/{office.line.workspace.slug}/chats/{chat}"
    assert (await ida.client.patch(path, json={"title": "  "})).status_code == 422


async def test_a_yes_changes_nothing_that_was_changed_since_it_was_asked_for(
    office: Office,
) -> None:
    """It was to what stood there then; what somebody did in between stays, and is told."""
    file = office.line.workspace.sources / "policy.yaml"
    gated = "move_event, remove_event, move_task, drop_task"
    file.write_text(f"{POLICY}\nagent_tools: {{ask_first: [{gated}]}}\n")
    await sync_one(office.line.house, office.line.workspace)
    ida = await office.sign_in("Ida")
    await _ask(ida, "calendar", "Add a meeting with Ines tomorrow at 14:00 for 45 minutes")
    await _ask(ida, "taskmaster", "Remind me tomorrow at 9 to call Ana")
    (event,) = await office.line.rows("SELECT id FROM calendar_events")
    (task,) = await office.line.rows("SELECT id FROM tasks")
    path = {"calendar": f"/calendar/events/{event['id']}", "taskmaster": f"/tasks/{task['id']}"}
    later = office.line.clock() + timedelta(days=3)

    async def say_yes(agent: str, order: str, edit: dict[str, object]) -> str:
        chat = await ida.begin(agent)
        turn = (await ida.post(f"/chats/{chat}/messages", {"text": order})).json()["turn_id"]
        assert "event: waiting" in (await ida.get(f"/turns/{turn}/events")).text, order
        (call,) = (await ida.get("/calls")).json()["items"]
        if edit:
            office.line.clock.forward(60)
            org = ida.line.workspace.slug
            assert (await ida.client.put(f"/v1/{org}{path[agent]}", json=edit)).is_success
        decision = {"version": call["version"], "sha256": call["sha256"], "approve": True}
        assert (await ida.post(f"/calls/{call['approval_id']}", decision)).is_success
        await ida.ended(turn)
        return str((await ida.get(f"/chats/{chat}")).json()["messages"][-1]["text"])

    for agent, order, done in (
        ("calendar", "Move the meeting with Ines to Friday at 15:00", "Tom” is now Friday"),
        ("calendar", "Cancel the meeting with Ines", "is out of the calendar"),
        ("taskmaster", "Put off the call to Ana until 8 December 2099 at 10", "is now due"),
        ("taskmaster", "Take the call to Ana off my list", "is off your list"),
    ):
        edit: dict[str, object] = {"title": "call Ana", "due_at": later.isoformat()}
        if agent == "calendar":
            times = {"starts_at": later.isoformat(), "ends_at": later.isoformat()}
            edit = {"title": "meeting with Ines and Tom", **times}
        assert "was changed meanwhile" in await say_yes(agent, order, edit), order
        (row,) = await office.line.rows(AS_KEPT[agent])
        assert (row["title"], row["at"]) == (edit["title"], later)
        assert done in await say_yes(agent, order, {}), order


async def test_what_is_written_over_another_state_than_was_looked_at_is_refused(
    office: Office,
) -> None:
    """Between looking an event up and moving it, somebody else may have changed it."""
    ida = await office.sign_in("Ida")
    await _ask(ida, "calendar", "Add a meeting with Ines tomorrow at 14:00")
    await _ask(ida, "taskmaster", "Add a task: count lamps")
    house, workspace = office.line.house, office.line.workspace
    principal = await house.control.read(users.read_principal, ida.user_id)
    day = office.line.clock().date()
    (event,) = await agenda.list_events_between(
        workspace, day, day + timedelta(days=3), principal.id
    )
    (task,) = await workspace.db.read(tasks.list_of_owner, principal.id, [TaskState.OPEN])
    of_event = EditEvent(title="Ines", starts_at=event.starts_at, ends_at=event.ends_at)
    of_task = EditTask(title="count all lamps")
    at_event, at_task = (house, workspace, event.id), (house, workspace, task.id)
    await agenda.change_event(*at_event, of_event, principal, event)
    await agenda.change_task(*at_task, of_task, principal, task)
    for late in (
        agenda.change_event(*at_event, of_event, principal, event),
        agenda.remove_event(*at_event, principal, event),
        agenda.change_task(*at_task, of_task, principal, task),
    ):
        with pytest.raises(ConflictError, match="was changed meanwhile"):
            await late
    assert await _titles(ida, "/tasks") == ["count all lamps"]
