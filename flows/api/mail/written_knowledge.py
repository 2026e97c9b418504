"""Knowledge that people write here: new, changed, retired, brought back; and files read for it."""

from fastapi import APIRouter

from data.records.core.kept_knowledge import (
    EntryVersions,
    GivenFile,
    KeepEntry,
    KeptState,
    OpenQuestion,
    OpenQuestions,
    ReadFile,
    TurnEntry,
)
from data.records.core.learning import EntryView
from data.store.mail.open_questions import list_open_questions
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.mail.knowledge import one_entry
from flows.api.mail.lines import pick_fields
from flows.mail.people import writing_knowledge

router = APIRouter(prefix="/v1/{org}/knowledge", tags=["knowledge"])


@router.post("", status_code=201)
async def write_entry(
    order: KeepEntry, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> EntryView:
    """Keep a new entry, on which drafts may rest from now on."""
    id = await writing_knowledge.write(house, workspace, order, principal)
    return await one_entry(house, workspace, id)


@router.post("/read")
async def read_file(order: GivenFile, house: HouseOf, workspace: WorkspaceOf) -> ReadFile:
    """Read a Markdown, text, PDF, Word or HTML file as entries; nothing is kept."""
    return await writing_knowledge.read_file(house, workspace, order)


@router.get("/unanswered")
async def unanswered(workspace: WorkspaceOf) -> OpenQuestions:
    """Return what people asked and the knowledge did not answer, the newest first."""
    questions = await workspace.db.read(list_open_questions)
    return OpenQuestions(items=tuple(pick_fields(OpenQuestion, row) for row in questions))


@router.get("/{entry_id}")
async def show_entry(entry_id: str, house: HouseOf, workspace: WorkspaceOf) -> EntryView:
    """Return one entry, a retired one too."""
    return await one_entry(house, workspace, entry_id)


@router.put("/{entry_id}")
async def change_entry(
    entry_id: str,
    order: KeepEntry,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> EntryView:
    """Keep another wording; a file's entry of that name does not count from then on."""
    await writing_knowledge.change(house, workspace, entry_id, order, principal)
    return await one_entry(house, workspace, entry_id)


@router.get("/{entry_id}/versions")
async def list_versions(entry_id: str, workspace: WorkspaceOf) -> EntryVersions:
    """Return every wording that was written here, with what each changed."""
    return await workspace.db.read(writing_knowledge.entry_versions, entry_id)


@router.post("/{entry_id}/restore")
async def restore_entry(
    entry_id: str, order: TurnEntry, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> EntryView:
    """Let it count again, in the wording of the version `restore` where one is named."""
    await writing_knowledge.turn(house, workspace, entry_id, order, principal, KeptState.KEPT)
    return await one_entry(house, workspace, entry_id)


@router.post("/{entry_id}/retire")
async def retire_entry(
    entry_id: str, order: TurnEntry, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> EntryView:
    """Let nothing rest on it any more."""
    await writing_knowledge.turn(house, workspace, entry_id, order, principal, KeptState.RETIRED)
    return await one_entry(house, workspace, entry_id)


@router.post("/{entry_id}/hand-back")
async def hand_back_entry(
    entry_id: str, order: TurnEntry, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> EntryView:
    """Give it back to its file, which counts again."""
    await writing_knowledge.turn(house, workspace, entry_id, order, principal, KeptState.FILE)
    return await one_entry(house, workspace, entry_id)
