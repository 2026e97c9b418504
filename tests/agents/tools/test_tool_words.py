"""What tools take words for: no words name nothing, and what lasts is on all the while."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from data.records.agents.tasks import EditTask
from data.records.core.calendar import EditEvent
from data.records.core.occasions import Occasion
from data.states import TaskState
from data.store.agents import tasks
from data.store.core import users
from flows.agents.agenda import add_event, add_task
from flows.core.tools import Calling
from flows.running.agents import TOOLS
from tests.agents.conftest import Office


async def test_words_that_name_no_task_finish_none(office: Office) -> None:
    """Nor where there is one task alone."""
    house, workspace = office.line.house, office.line.workspace
    ida = await house.control.read(users.read_principal, (await office.sign_in("Ida")).user_id)
    task = await add_task(house, workspace, EditTask(title="Oil the loom"), ida)
    calling = Calling(house, workspace, ida, Occasion(kind="direct", user=ida.id, agent="desk"))
    assert (await TOOLS.call(calling, "finish_task", {"words": "…"})).refused
    open_tasks = await workspace.db.read(tasks.list_of_owner, ida.id, [TaskState.OPEN])
    assert [open_task.id for open_task in open_tasks] == [task.id]


async def test_what_began_the_day_before_is_on_in_the_morning(office: Office) -> None:
    """Whatever hour it began at."""
    house, workspace = office.line.house, office.line.workspace
    ida = await house.control.read(users.read_principal, (await office.sign_in("Ida")).user_id)
    zone = ZoneInfo(workspace.organization.timezone)
    begin = datetime.combine(house.clock().astimezone(zone).date(), time(14), tzinfo=zone)
    fair = EditEvent(title="Loom fair", starts_at=begin, ends_at=begin + timedelta(days=2))
    await add_event(house, workspace, fair, ida)
    calling = Calling(house, workspace, ida, Occasion(kind="direct", user=ida.id, agent="desk"))
    result = await TOOLS.call(calling, "list_events", {"words": "tomorrow morning"})
    assert result.total == 1
