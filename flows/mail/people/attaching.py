"""A person attaches files to a letter before it is approved, and takes them off again.

What is shown and hashed changes with it, so what was approved is what leaves. The bytes are in the
archive before the letter has them: cut off in between, what is left of it goes with the next
`upkeep`.
"""

import asyncio
from collections.abc import Sequence

from data.counting import plural, size_words
from data.errors import UnfitError, UnreadableMailError
from data.ids import new_id
from data.records.core.parsed_mail import Attachment
from data.records.core.principals import Principal
from data.records.mail.attaching import AttachedFile, EnclosedFile
from data.settings import Settings
from data.store.core.database import Connection
from data.store.mail import attached_files, cases
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.leaving.outgoing_check import LeakError
from flows.mail.line.mailroom import mailroom_of
from flows.mail.people.deciding import (
    DECIDABLE,
    Deciding,
    decide,
    keeping_leaks,
    must_be_in,
)
from tasks.core.leaks.canary import echoes
from tasks.core.leaks.secrets import find_secrets
from tasks.core.parse.attachment_signs import signs_of
from tasks.core.screen.rules.attachment_types import weigh_reasons
from tasks.mail.compose.enclosing import describe_file
from tasks.mail.documents.reading import request

REFUSED = 0.5
"""How much has to speak against a file for it to be refused; what is less is a warning."""
MOST_READ = 200_000
"""Characters of a file's text that are looked through for secrets."""
MB = 1_000_000
_KINDS = {
    "secret": "a password or a key",
    "one_time_code": "a one-time code",
    "recovery_link": "a link that lets its reader in",
    "account_number": "an account or card number",
    "identity_number": "an identity number",
    "long_number": "a long number",
}


async def attach_file(
    house: House,
    workspace: Workspace,
    case_id: str,
    version: int,
    name: str,
    content: bytes,
    principal: Principal,
) -> str:
    """Attach a file to the letter of a case; return its id. The case's version moves on.

    Raises:
        UnfitError: it is too large or one too many, empty, without a name, on the letter already,
            dangerous to open, or would tell private context.
        ConflictError: the case is decided or has changed.

    """
    _refuse_size(house.settings, content)
    file = describe_file(name, content)

    def look(cursor: Connection) -> None:
        case = cases.read_version(cursor, case_id, version)
        must_be_in(DECIDABLE, case.state)
        _refuse_another(house.settings, attached_files.list_of_case(cursor, case_id), file)

    await workspace.db.read(look)
    warnings = await asyncio.to_thread(_weigh, workspace, file, content)
    try:
        async with keeping_leaks(house, workspace, case_id, principal):
            warnings += await _read(house, workspace, file, content)
    except LeakError as error:
        raise UnfitError(str(error)) from error
    identity = new_id(house.clock())
    row = {
        "id": identity,
        "case_id": case_id,
        "filename": file.filename,
        "content_type": file.content_type,
        "size_bytes": file.size_bytes,
        "sha256": file.sha256,
        "warnings": warnings,
        "added_by": principal.name,
        "added_at": house.clock(),
        "left_out_at": house.clock(),
    }
    await workspace.db.write(attached_files.add, row)
    await asyncio.to_thread(workspace.archive.keep, [content])

    def act(deciding: Deciding) -> None:
        cursor, now = deciding.cursor, deciding.now
        _refuse_another(house.settings, attached_files.list_of_case(cursor, case_id), file)
        attached_files.change(
            cursor, case_id, [{"id": identity, "added_at": now, "left_out_at": None}]
        )
        ask(cursor, workspace, [case_id], principal.name, now)

    await decide(
        house, workspace, case_id, version, principal, "attach-file", act, detail=_described(file)
    )
    return identity


async def detach_file(
    house: House,
    workspace: Workspace,
    case_id: str,
    version: int,
    file_id: str,
    principal: Principal,
) -> None:
    """Take a file off the letter of a case; the case's version moves on.

    Raises:
        NotFoundError: the letter has no such file.
        ConflictError: the case is decided or has changed.

    """

    def act(deciding: Deciding) -> None:
        cursor, now = deciding.cursor, deciding.now
        file = attached_files.read_file(cursor, case_id, file_id)
        attached_files.change(cursor, case_id, [{"id": file_id, "left_out_at": now}])
        ask(cursor, workspace, [case_id], principal.name, now)
        deciding.detail = _described(file)

    await decide(house, workspace, case_id, version, principal, "detach-file", act)


def _described(file: EnclosedFile) -> str:
    return f"{file.filename}, {size_words(file.size_bytes)}, sha256 {file.sha256}"


def _refuse_size(settings: Settings, content: bytes) -> None:
    """Refuse a file that is empty or too large.

    Raises:
        UnfitError: it is.

    """
    if not content:
        raise UnfitError("this file is empty; attach another one")
    if len(content) > settings.letter_file_mb * MB:
        raise UnfitError(
            f"a file on a letter may have {settings.letter_file_mb} MB, and this one has "
            f"{size_words(len(content))}; make it smaller, or send a link to it"
        )


def _refuse_another(
    settings: Settings, files: tuple[AttachedFile, ...], more: EnclosedFile
) -> None:
    """Refuse a file that is one too many or too much for the letter, or on it already.

    Raises:
        UnfitError: it is.

    """
    if any((file.sha256, file.filename) == (more.sha256, more.filename) for file in files):
        raise UnfitError(f"{more.filename!r} is on this letter already")
    refuse_too_many(settings, [*files, more])


def refuse_too_many(settings: Settings, files: Sequence[EnclosedFile | AttachedFile]) -> None:
    """Refuse files that are too many for one letter, or too large together.

    Raises:
        UnfitError: they are.

    """
    if len(files) > settings.letter_files:
        most = plural(settings.letter_files, "file")
        raise UnfitError(f"a letter may carry {most}; take one off first, or send them packed")
    total = sum(file.size_bytes for file in files)
    if total > settings.letter_total_mb * MB:
        raise UnfitError(
            f"the files of a letter may have {settings.letter_total_mb} MB together, and these "
            f"would have {size_words(total)}; take one off first"
        )


def _weigh(workspace: Workspace, file: EnclosedFile, content: bytes) -> list[str]:
    """Return what to know of a file by its name and its bytes, a sentence each.

    It is judged by the rules for the files of incoming mail.

    Raises:
        UnfitError: it is dangerous to open.

    """
    blocked = {ending.lower().lstrip(".") for ending in workspace.policy.block_attachments}
    attachment = Attachment(
        filename=file.filename,
        content_type=file.content_type.partition(";")[0],
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        signs=signs_of(content),
    )
    reasons = weigh_reasons(attachment, blocked, "")
    grave = [reason for reason, score in reasons.items() if score >= REFUSED]
    if grave:
        raise UnfitError(
            f"{file.filename!r} cannot be attached: {grave[0]}; whoever gets such a file cannot "
            "tell it from an attack, so send another form of it"
        )
    return [f"Whoever gets it may be warned: {reason}." for reason in reasons]


async def _read(
    house: House, workspace: Workspace, file: EnclosedFile, content: bytes
) -> list[str]:
    """Return what of a file's text should perhaps not leave, a sentence each.

    Raises:
        LeakError: it holds a mark of private context.

    """
    asked = request(file.filename, file.content_type.partition(";")[0], content)
    try:
        document = await mailroom_of(house).documents.read(asked)
    except UnreadableMailError:
        return ["Its text could not be looked through: it takes too much time or memory to read."]
    text = document.text[:MOST_READ]

    def look() -> list[str]:
        if echoes(text, workspace.canary):
            raise LeakError(
                f"{file.filename!r} holds a mark of private context; it cannot be attached"
            )
        kinds = dict.fromkeys(secret.check for secret in find_secrets(text))
        return [f"It seems to hold {_KINDS.get(kind, 'a secret')}; look at it." for kind in kinds]

    return await asyncio.to_thread(look) if text else []
