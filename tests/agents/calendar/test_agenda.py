"""Tasks and events over the API: whose they are, who changes them, and what comes back."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import httpx

from data.store.core.database import Connection
from flows.agents.tools.tasks import remind_owners
from tests.agents.conftest import Office, Talking

NINE = "2099-03-02T09:00:00+00:00"
LATER = "2099-03-02T10:00:00+00:00"


async def _send(who: Talking, method: str, path: str, body: dict[str, Any] | None = None) -> Any:  # noqa: ANN401  # JSON
    slug = who.line.workspace.slug
    return await who.client.request(method, f"/v1/{slug}{path}", json=body)


def _stood(thing: dict[str, str]) -> str:
    """Return the part of a query that asks for a task or an event to stand as it was seen."""
    since = thing["changed_at"] or thing.get("added_at") or thing["made_at"]
    return urlencode({"stood": since})


async def _titles(who: Talking, state: str = "open") -> list[str]:
    listed = (await who.get(f"/tasks?state={state}")).json()
    assert listed["total"] == len(listed["items"])
    return [task["title"] for task in listed["items"]]


async def test_a_task_is_noted_changed_done_and_taken_back(office: Office) -> None:
    """What is due first stands first; each step can be undone."""
    ida = await office.sign_in("Ida")
    tea = (await ida.post("/tasks", {"title": "order tea"})).json()
    call = (await ida.post("/tasks", {"title": "call Ana", "due_at": NINE, "timed": True})).json()
    assert await _titles(ida) == ["call Ana", "order tea"]
    changed = await _send(ida, "PUT", f"/tasks/{tea['id']}", {"title": "order green tea"})
    assert changed.json()["title"] == "order green tea"
    late = await _send(ida, "PUT", f"/tasks/{tea['id']}?{_stood(tea)}", {"title": "order coffee"})
    assert late.status_code == httpx.codes.CONFLICT
    again = f"/tasks/{tea['id']}?{_stood(changed.json())}"
    assert (await _send(ida, "PUT", again, {"title": "order green tea"})).is_success
    assert (await ida.post(f"/tasks/{call['id']}/done")).json()["state"] == "done"
    assert (await _titles(ida), await _titles(ida, "done")) == (["order green tea"], ["call Ana"])
    assert (await ida.post(f"/tasks/{call['id']}/open")).json()["state"] == "open"
    assert (await ida.post(f"/tasks/{tea['id']}/drop")).json()["state"] == "dropped"
    assert (await ida.post(f"/tasks/{tea['id']}/done")).status_code == httpx.codes.CONFLICT
    assert (await ida.post(f"/tasks/{tea['id']}/open")).json()["state"] == "open"


async def test_nobody_reaches_a_task_of_another(office: Office) -> None:
    """Neither an administrator nor by its id."""
    ida, tom = await office.sign_in("Ida", "viewer"), await office.sign_in("Tom")
    task = (await ida.post("/tasks", {"title": "order tea"})).json()
    assert await _titles(tom) == []
    for method, path in (("PUT", ""), ("POST", "/done"), ("POST", "/drop"), ("POST", "/open")):
        body = {"title": "mine"} if method == "PUT" else None
        answer = await _send(tom, method, f"/tasks/{task['id']}{path}", body)
        assert answer.status_code == httpx.codes.NOT_FOUND
    assert await _titles(ida) == ["order tea"]


async def test_another_time_is_told_again_and_the_same_is_not(office: Office) -> None:
    """A reminder is one for each time that a task was given."""
    ida = await office.sign_in("Ida")
    workspace, now = office.line.workspace, office.line.clock()
    body = {"title": "eat", "due_at": now.isoformat(), "timed": True}
    task = (await ida.post("/tasks", body)).json()
    assert await remind_owners(workspace, now) == 1
    await _send(ida, "PUT", f"/tasks/{task['id']}", body | {"title": "eat soup"})
    assert await remind_owners(workspace, now) == 0
    office.line.clock.forward(60)
    later = office.line.clock()
    await _send(ida, "PUT", f"/tasks/{task['id']}", body | {"due_at": later.isoformat()})
    assert await remind_owners(workspace, later) == 1


async def test_a_calendar_reads_hours_the_next_event_and_a_bare_appointment(
    office: Office,
) -> None:
    """Free time within the hours that are asked for; what is next whenever it is."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("calendar")

    async def ask(words: str) -> str:
        return str((await ida.ask(chat, words))["text"]).replace("\\", "")

    assert "No event of yours lies ahead." in await ask("my next appointment")
    monday = office.line.clock() + timedelta(days=21)
    monday -= timedelta(days=monday.weekday())
    day = f"{monday:%Y-%m-%d}"
    noted = await ask(f"Termin mit Ines {day} um 15:30 Uhr")
    assert "Termin mit Ines" in noted
    assert "15:30" in await ask("when is my next meeting")
    assert "Dein nächster Termin" in await ask("wann ist mein nächster Termin")
    assert "10:00" in await ask("verschieb den termin mit Ines auf 10 Uhr")
    assert "15:30" in await ask("schieb ihn zurück")
    asked = await ask(f"Termin mit Ines {day} um 15:30 Uhr?")
    assert "steht in deinem Kalender" not in asked, "a question notes nothing"
    free = await ask(f"am I free on {day} after 3?")
    assert "after 15:00" in free
    assert "15:00 to 15:30" in free
    assert "09:00" not in free.partition("Working hours")[2].partition(".")[2]
    before = await ask(f"bin ich am {day} vor 11 Uhr frei")
    assert "vor 11:00 Uhr" in before
    assert "15:30" not in before


async def test_events_of_some_days_are_the_persons_and_the_organizations(office: Office) -> None:
    """Another person's are not among them; what was changed meanwhile is not written over."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    body = {"title": "Inspection", "starts_at": NINE, "ends_at": LATER}
    own = (await ida.post("/calendar/events", body)).json()
    ours = body | {"title": "Fair", "for_everybody": True}
    fair = (await ida.post("/calendar/events", ours)).json()
    assert (bool(own["owner"]), fair["owner"]) == (True, "")
    days = "/calendar/events?first=2099-03-02&last=2099-03-02"
    assert [one["title"] for one in (await tom.get(days)).json()["items"]] == ["Fair"]
    assert len((await ida.get(days)).json()["items"]) == 2
    assert (await ida.get(days.replace("-02", "-03"))).json()["items"] == []
    backwards = "/calendar/events?first=2099-03-02&last=2099-03-01"
    assert (await ida.get(backwards)).status_code == httpx.codes.UNPROCESSABLE_ENTITY
    path = f"/calendar/events/{own['id']}"
    for method in ("PUT", "DELETE"):
        answer = await _send(tom, method, path, body if method == "PUT" else None)
        assert answer.status_code == httpx.codes.NOT_FOUND
    moved = await _send(ida, "PUT", path, body | {"title": "Loom", "for_everybody": True})
    assert (moved.json()["title"], moved.json()["id"]) == ("Loom", own["id"])
    assert len((await tom.get(days)).json()["items"]) == 2
    for method in ("PUT", "DELETE"):  # Tom has looked at it before it was moved
        sent = body if method == "PUT" else None
        answer = await _send(tom, method, f"{path}?{_stood(own)}", sent)
        assert (answer.status_code, "was changed meanwhile" in answer.text) == (409, True)
    looked_at = (await tom.get(days)).json()["items"]
    (loom,) = [event for event in looked_at if event["title"] == "Loom"]
    answer = await _send(tom, "DELETE", f"{path}?{_stood(loom)}")
    assert answer.status_code == httpx.codes.OK
    assert [one["title"] for one in (await ida.get(days)).json()["items"]] == ["Fair"]


async def test_no_event_of_a_full_calendar_is_left_out(office: Office) -> None:
    """The last of many is there too: who asks when they are free is told of all that is busy."""
    ida = await office.sign_in("Ida")

    def fill(cursor: Connection) -> None:
        cursor.execute(
            "INSERT INTO calendar_events (id, uid, title, starts_at, ends_at, added_by, added_at) "
            "SELECT n, n, 'shift', t, t + INTERVAL 1 MINUTE, 'Ida', t FROM (SELECT n::VARCHAR "
            "AS n, TIMESTAMPTZ '2026-12-07 08:00:00+00' + INTERVAL (n) SECOND AS t "
            "FROM range(1200) AS r(n))"
        )

    await office.line.workspace.db.write(fill)
    listed = (await ida.get("/calendar/events?first=2026-12-07&last=2026-12-07")).json()["items"]
    assert len(listed) == 1200


async def test_who_may_only_look_keeps_a_calendar_and_leaves_the_organizations(
    office: Office,
) -> None:
    """Neither by the page's way, nor with a file, nor by an agent."""
    wes, ida = await office.sign_in("Wes", "viewer"), await office.sign_in("Ida")
    body = {"title": "Dentist", "starts_at": NINE, "ends_at": LATER}
    assert (await wes.post("/calendar/events", body)).status_code == httpx.codes.OK
    ours = body | {"for_everybody": True}
    fair = (await ida.post("/calendar/events", ours)).json()
    path = f"/calendar/events/{fair['id']}"
    for answer in (
        await wes.post("/calendar/events", ours),
        await _send(wes, "PUT", path, body),
        await _send(wes, "DELETE", path),
        await wes.post("/calendar", {"ics": "BEGIN:VCALENDAR", "for_everybody": True}),
    ):
        assert answer.status_code == httpx.codes.FORBIDDEN
