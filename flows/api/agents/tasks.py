"""A person's tasks and reminders, seen by nobody else (docs/agents.md#tasks-and-calendar)."""

from fastapi import APIRouter, Query

from data.records.agents.tasks import EditTask, Task, TaskList
from data.states import TaskState
from data.store.agents import tasks
from flows.agents import agenda
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset, StandsSince

router = APIRouter(prefix="/v1/{org}/tasks", tags=["calendar"])


@router.get("")
async def list_tasks(
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    state: TaskState = TaskState.OPEN,
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> TaskList:
    """Return one page of the tasks of who asks, what is due first; what has ended, newest first."""
    items, total = await workspace.db.read(
        tasks.list_page, principal.id, state, limit=limit, offset=offset
    )
    return TaskList(items=tuple(items), total=total)


@router.post("")
async def new_task(
    order: EditTask, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Task:
    """Note a task; who has it is told when its time has come."""
    return await agenda.add_task(house, workspace, order, principal)


@router.get("/{task_id}")
async def show_task(task_id: str, workspace: WorkspaceOf, principal: PrincipalOf) -> Task:
    """Return one task of who asks, whatever state it is in."""
    return await workspace.db.read(tasks.read_task, task_id, principal.id)


@router.put("/{task_id}")
async def change_task(
    task_id: str,
    order: EditTask,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    stood: StandsSince = None,
) -> Task:
    """Give a task another title or another time."""
    return (await agenda.change_task(house, workspace, task_id, order, principal, stood)).after


@router.post("/{task_id}/done")
async def finish_task(
    task_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Task:
    """Say that a task is done."""
    return (await agenda.move_task(house, workspace, task_id, TaskState.DONE, principal)).after


@router.post("/{task_id}/open")
async def open_task(
    task_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Task:
    """Say that a task is to be done: one that an agent proposed, or one that had ended."""
    return (await agenda.move_task(house, workspace, task_id, TaskState.OPEN, principal)).after


@router.post("/{task_id}/drop")
async def drop_task(
    task_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Task:
    """Say that a task is not to be done."""
    return (await agenda.move_task(house, workspace, task_id, TaskState.DROPPED, principal)).after
