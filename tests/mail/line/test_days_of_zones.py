"""Knowledge begins and ends by the day of the organization, wherever the engine runs."""

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from data.records.core.organization import Caps, Organization
from flows.api.mail.review.case_view import case_view
from flows.api.overview import overview
from flows.mail.thinking.planning_tools import call
from flows.sync import sync_one
from tests.core.small import TEASEL, Line
from tests.mail.line.scopes import scope_of
from tests.mail.line.sending_by_itself import QUESTION, open_live, write

EAST, WEST = "Pacific/Kiritimati", "Pacific/Pago_Pago"
"""14 hours ahead of UTC and 11 behind: at every moment another day in the one than in the other."""


async def told(line: Line, zone: str) -> set[str]:
    """Return the entries about offers that a case and a tool find in a zone."""
    line.workspace.organization = line.workspace.organization.model_copy(update={"timezone": zone})
    line.send("Is there a spring offer on looms?", subject=f"Offer in {zone}")
    await line.run()
    case = str((await line.rows("SELECT id FROM cases ORDER BY id DESC LIMIT 1"))[0]["id"])
    view = await case_view(line.house, line.workspace, case)
    seen = {one.ref for one in view.snippets}
    scope = await scope_of(line, case)
    found = await call(scope, "search_knowledge", {"words": "spring offer"})
    looked_up = {one.ref for one in found.found}  # type: ignore[attr-defined]
    offers = {"knowledge:ends", "knowledge:begins"}
    assert seen & offers == looked_up & offers
    return seen & offers


def offer(folder: Path, name: str, line: str) -> None:
    """Write an entry about an offer with a line about its validity."""
    text = f"The spring offer on looms, which {name}, gives 10 percent off."
    (folder / f"{name}.md").write_text(
        f"---\nid: {name}\ntitle: Spring offer\nkind: fact\npublic: true\n{line}\n---\n{text}\n"
    )


async def test_what_ended_yesterday_and_what_begins_tomorrow(line: Line) -> None:
    """In the east the new day has begun: the old offer is over there, and the new one holds."""
    east = TEASEL.model_copy(update={"timezone": EAST}).day(line.clock())
    west = TEASEL.model_copy(update={"timezone": WEST}).day(line.clock())
    assert west < east
    folder = line.workspace.sources / "knowledge"
    offer(folder, "ends", f"valid_until: {west}")
    offer(folder, "begins", f"valid_from: {east}")
    await sync_one(line.house, line.workspace)
    assert await told(line, EAST) == {"knowledge:begins"}
    assert await told(line, WEST) == {"knowledge:ends"}


def test_a_zone_that_there_is_none_of_is_refused() -> None:
    """An organization is not made with a time zone that nobody knows."""
    for zone in ("Mars/North", "", "../etc/passwd", "Europe"):
        with pytest.raises(ValidationError, match="no IANA time zone"):
            Organization.model_validate(TEASEL.model_dump() | {"timezone": zone})
    made = Organization.model_validate(TEASEL.model_dump() | {"timezone": "Asia/Kathmandu"})
    assert made.day(datetime(2026, 3, 4, 18, 15, tzinfo=UTC)) == date(2026, 3, 5)


async def test_what_came_today_is_counted_by_the_organization_s_day(line: Line) -> None:
    """An hour before midnight UTC is today for whoever is 14 hours ahead, two hours later too."""
    line.workspace.organization = line.workspace.organization.model_copy(update={"timezone": EAST})
    now = line.clock()
    last_hour = datetime.combine(now.date() + timedelta(days=1), time(23), tzinfo=UTC)
    line.clock.forward((last_hour - now).total_seconds())
    line.send("When is the workshop open?")
    await line.intake()
    line.clock.forward(2 * 3600.0)
    shown = await overview(line.house, line.workspace)
    assert (shown.received_today, shown.received_total) == (1, 1)


async def test_the_daily_cap_counts_by_the_organization_s_day(tmp_path: Path) -> None:
    """Past midnight UTC it is still the same day in the east, and the cap of one is reached."""
    async with open_live(tmp_path / "var") as line:
        own, policy = line.workspace.organization, line.workspace.policy
        line.workspace.organization = own.model_copy(update={"timezone": EAST})
        caps = Caps(auto_sends_per_day=1)
        line.workspace.policy = policy.model_copy(update={"caps": caps})
        tomorrow = line.clock().date() + timedelta(days=1)
        last_hour = datetime.combine(tomorrow, time(23), tzinfo=UTC)
        line.clock.forward((last_hour - line.clock()).total_seconds())
        write(line, QUESTION, "<one@heron.example>")
        await line.run()
        assert len(await line.rows("SELECT id FROM deliveries WHERE automatic")) == 1
        line.clock.forward(2 * 3600.0)
        write(line, QUESTION, "<two@reed.example>", sender="pat@reed.example")
        await line.run()
        assert len(await line.rows("SELECT id FROM deliveries WHERE automatic")) == 1
        line.clock.forward(10 * 3600.0)
        write(line, QUESTION, "<three@teal.example>", sender="kim@teal.example")
        await line.run()
        assert len(await line.rows("SELECT id FROM deliveries WHERE automatic")) == 2
