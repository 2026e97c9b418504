"""Knowledge that people write, change, retire and bring back; and files that they make it from."""

import asyncio
import base64
import binascii
from pathlib import PurePath

from connectors.sources.markdown_files import (
    FENCE,
    NOT_WRITTEN,
    join_soft_breaks,
    split_front_matter,
)
from data.errors import ConflictError, ManifestError, NotFoundError, UnfitError, UnreadableMailError
from data.manifest_files import validate_values
from data.records.core.kept_knowledge import (
    LONGEST_ENTRY,
    MOST_SECTIONS,
    MOST_TITLE,
    EntryVersion,
    EntryVersions,
    GivenFile,
    KeepEntry,
    KeptState,
    ReadFile,
    TurnEntry,
    WriteEntry,
)
from data.records.core.principals import Principal
from data.records.mail.documents import DocumentText
from data.store.core import kept_knowledge as store
from data.store.core.database import Connection
from data.store.core.kept_knowledge import KeptRow
from data.store.core.loaded import read_knowledge
from data.text_diff import diff_lines
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.all_knowledge import known_ids, refresh
from flows.mail.line.mailroom import mailroom_of
from tasks.core.language.english_bridge import teller
from tasks.core.language.language_identification import UNDETERMINED
from tasks.mail.documents.reading import request
from tasks.mail.documents.sections import sections

LEAST = 3
"""Letters of a title and of a text."""
PATHS = frozenset({"read", "unanswered"})
"""Names that no entry gets, because the API means something else by them."""
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


async def write(house: House, workspace: Workspace, order: KeepEntry, principal: Principal) -> str:
    """Keep a new entry, on which drafts may rest from now on; return its id.

    Raises:
        UnfitError: a day or a name in it cannot be meant.

    """

    def work(act: Act) -> str:
        taken_ids = known_ids(act.cursor) | set(store.read_newest(act.cursor)) | PATHS
        id = _free_id(order.entry.title, taken_ids)
        _keep(act, id, order, "write-knowledge")
        return id

    id = await carry_out(house, workspace, principal, work)
    await refresh(workspace)
    return id


async def change(
    house: House, workspace: Workspace, id: str, order: KeepEntry, principal: Principal
) -> None:
    """Keep another wording of an entry; a file's of that name does not count from then on.

    Raises:
        NotFoundError: there is no such entry.
        ConflictError: it was learned, or somebody has changed it meanwhile.
        UnfitError: a day or a name in it cannot be meant.

    """

    def work(act: Act) -> None:
        _look_for(act.cursor, id)
        _keep(act, id, order, "change-knowledge")

    await carry_out(house, workspace, principal, work)
    await refresh(workspace)


async def turn(
    house: House,
    workspace: Workspace,
    id: str,
    order: TurnEntry,
    principal: Principal,
    state: KeptState,
) -> None:
    """Restore a version, retire an entry, or give it back to its file, as `state` says.

    Raises:
        NotFoundError: there is no such entry, version or file.
        ConflictError: it was learned, or somebody has changed it meanwhile.

    """

    def work(act: Act) -> None:
        written = _look_for(act.cursor, id)
        if state is KeptState.FILE and not any(
            entry.id == id for entry in read_knowledge(act.cursor)
        ):
            raise NotFoundError(f"no file of the folder 'sources' holds {id!r}")
        if order.restore is not None:
            written = store.read_version(act.cursor, id, order.restore).written
        number = store.write_version(
            act.cursor, id, written, state=state, was=order.was, author=act.actor, now=act.now
        )
        act.note(ACTIONS[state], f"knowledge:{id}", f"{written.title}, version {number}")

    await carry_out(house, workspace, principal, work)
    await refresh(workspace)


ACTIONS = {
    KeptState.KEPT: "restore-knowledge",
    KeptState.RETIRED: "retire-knowledge",
    KeptState.FILE: "hand-back-knowledge",
}


def entry_versions(cursor: Connection, id: str) -> EntryVersions:
    """Return every wording that was written here, the newest first, with what each changed."""
    version_rows = store.list_versions(cursor, id)
    texts = [*(_as_text(row) for row in version_rows), ""]
    return EntryVersions(
        items=tuple(
            EntryVersion(
                number=row.number,
                state=KeptState(row.state),
                entry=row.written,
                author=row.author,
                note=row.note,
                written_at=row.written_at,
                lines=diff_lines(texts[place + 1], texts[place]),
            )
            for place, row in enumerate(version_rows)
        )
    )


async def read_file(house: House, workspace: Workspace, order: GivenFile) -> ReadFile:
    """Return what a file says as entries; nothing is kept.

    Raises:
        UnfitError: its content is no base64.

    """
    try:
        content = base64.b64decode(order.content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnfitError("'content' is no base64; send the file's bytes that way") from error
    name = PurePath(order.filename)
    if name.suffix.lower() in (".md", ".markdown", ".txt"):
        return await asyncio.to_thread(_of_text, content, name, workspace.organization.language)
    try:
        document = await mailroom_of(house).documents.read(request(name.name, "", content))
    except UnreadableMailError:
        document = DocumentText(trouble="It takes more time or memory to read than a file may.")
    # What stands in the head of a page is its name, which hides nothing from its readers.
    heads = [hidden_text for hidden_text in document.hidden if hidden_text.reason == "head"]
    hidden = tuple(
        hidden_text.text
        for hidden_text in document.hidden
        if hidden_text not in heads and hidden_text.text.strip()
    )[:20]
    titled = " ".join(heads[0].text.split())[:MOST_TITLE] if heads else ""
    title = _long_enough(titled) if titled else _title(name)
    if document.trouble or not document.text.strip():
        trouble = document.trouble or "There is no text in it; it may be a picture of one."
        return ReadFile(kind=document.kind, trouble=trouble, hidden=hidden)
    entries = _entries(document.text, title, workspace.organization.language)
    cut = document.cut or len(entries) > MOST_SECTIONS
    return ReadFile(kind=document.kind, sections=entries[:MOST_SECTIONS], cut=cut, hidden=hidden)


def _of_text(content: bytes, name: PurePath, language: str) -> ReadFile:
    """Read Markdown as a sync would, and where it has no front matter, at its headings."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return ReadFile(kind="text", trouble="It is no UTF-8 text; save it as that.")
    if text.split("\n", 1)[0].rstrip() == FENCE:
        try:
            values, body = split_front_matter(text, name.name)
            entry_fields = {
                key: value for key, value in values.items() if key in WriteEntry.model_fields
            }
            left = [
                key for key in values if key not in (*entry_fields, *NOT_WRITTEN, "id", "trusted")
            ]
            if left:
                trouble = f"{name.name!r}: key {left[0]!r} is not known; remove it"
                return ReadFile(kind="text", trouble=trouble)
            fields = {"title": _title(name), **entry_fields, "body": join_soft_breaks(body)}
            entry = validate_values(WriteEntry, fields, name.name)
        except ManifestError as error:
            return ReadFile(kind="text", trouble=str(error))
        return ReadFile(kind="text", sections=(entry,))
    entries = _entries(text, _title(name), language)
    if not entries:
        return ReadFile(kind="text", trouble="There is no text in it.")
    return ReadFile(kind="text", sections=entries[:MOST_SECTIONS], cut=len(entries) > MOST_SECTIONS)


def _entries(text: str, title: str, language: str) -> tuple[WriteEntry, ...]:
    language_read = teller().tell(text)
    spoken = language_read if language_read != UNDETERMINED else language
    return tuple(
        WriteEntry(title=_long_enough(name)[:200], body=join_soft_breaks(body), language=spoken)
        for name, body in sections(text, title)
        if len(body.strip()) >= LEAST
    )


def _long_enough(title: str) -> str:
    return title if len(title) >= LEAST else f"{title} (short title)"


def _title(name: PurePath) -> str:
    words = " ".join(name.stem.replace("-", " ").replace("_", " ").split())
    return _long_enough((words[:1].upper() + words[1:]) or "Untitled")[:200]


def _keep(act: Act, id: str, order: KeepEntry, action: str) -> None:
    entry = order.entry.model_copy(
        update={
            "title": " ".join(order.entry.title.split()),
            "body": join_soft_breaks(order.entry.body.replace("\r\n", "\n").strip())[
                :LONGEST_ENTRY
            ],
        }
    )
    _check(act.cursor, id, entry)
    number = store.write_version(
        act.cursor,
        id,
        entry,
        state=KeptState.KEPT,
        was=order.was,
        author=act.actor,
        now=act.now,
        note=order.note,
    )
    act.note(action, f"knowledge:{id}", f"{entry.title}, version {number}")


def _check(cursor: Connection, id: str, entry: WriteEntry) -> None:
    """Refuse what is well-formed and cannot be meant."""
    if len(entry.title) < LEAST or len(entry.body) < LEAST:
        raise UnfitError("write a title and a text, of three letters at least")
    if "\x00" in entry.body + entry.title:
        raise UnfitError("a zero byte cannot be stored; write it without")
    if entry.valid_from and entry.valid_until and entry.valid_from > entry.valid_until:
        raise UnfitError("it would end to be valid before it begins; mend one of the days")
    ids = known_ids(cursor)
    for name in (*entry.supersedes, *entry.belongs_to, *entry.contradicts):
        if name == id:
            raise UnfitError("an entry cannot supersede, contradict or belong to itself")
        if name not in ids:
            raise UnfitError(f"there is no entry {name!r} that it could name")


def _look_for(cursor: Connection, id: str) -> WriteEntry:
    """Return an entry as it stands, of here or of a file."""
    row = store.read_newest(cursor).get(id)
    files = {entry.id: entry for entry in read_knowledge(cursor)}
    if row is not None and not (row.state == KeptState.FILE and id in files):
        return row.written
    if id in files:
        fields = {name: getattr(files[id], name) for name in WriteEntry.model_fields}
        fields["title"] = _long_enough(files[id].title)[:200]
        fields["body"] = files[id].body[:LONGEST_ENTRY]
        return WriteEntry(**fields)
    if id in known_ids(cursor):
        raise ConflictError("this was learned; change it under what was learned")
    raise NotFoundError(f"there is no entry {id!r}")


def _free_id(title: str, known_ids: set[str]) -> str:
    """Return a name for a new entry: the letters of its title, and a number where it is taken."""
    letters = "".join(letter if letter in LETTERS else " " for letter in title.lower())
    base = "-".join(letters.split())[:60].strip("-") or "entry"
    if base not in known_ids:
        return base
    return next(
        f"{base}-{n}" for n in range(2, len(known_ids) + 3) if f"{base}-{n}" not in known_ids
    )


def _as_text(row: KeptRow) -> str:
    """Return a wording as the lines that a diff compares."""
    entry = row.written
    usual = WriteEntry.model_construct(title="", body="")
    keys = [
        f"{name}: {value if not isinstance(value, tuple) else ', '.join(value)}"
        for name, value in entry
        if name != "body" and value != getattr(usual, name, None)
    ]
    state = [] if row.state == KeptState.KEPT else [f"({row.state})"]
    return "\n".join((*state, *keys, "", entry.body))
