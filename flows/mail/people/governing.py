"""Changing the policy while the engine runs: previewed, kept as a version, and taken back.

The policy is kept in one place at a time. `sources/policy.yaml` is it until somebody changes the
policy here; from then on the file does not count, a sync says so when it changes, and somebody may
give the policy back to it.
"""

import asyncio
from pathlib import Path

from data.errors import ConflictError, ManifestError, NotFoundError
from data.manifest_files import read_text
from data.policy_files import merge_policy
from data.policy_text import KEPT_HERE, changed_text
from data.records.core.organization import Policy
from data.records.core.policies import (
    PolicyOrder,
    PolicyPlace,
    PolicyState,
    PolicyVersion,
    SetPolicy,
)
from data.records.core.principals import Principal
from data.records.core.version_diff import VersionDiff
from data.records.mail.shadow import PolicyPreview
from data.store.core import policies
from data.store.core.database import Connection
from data.store.core.loaded import read_policy
from data.text_diff import diff_lines
from data.tool_names import check_tool_names
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.shadow_evidence import evidence
from tasks.mail.route.loosening import list_warnings

SHOWN = 1500
"""Characters of a change that the audit log keeps."""
NEVER = PolicyVersion(number=0, place=PolicyPlace.FILE, text="", author="")
"""What counts before there is any: the defaults."""


async def policy_state(workspace: Workspace) -> PolicyState:
    """Return what counts, where it is kept, and whether the file holds something else."""
    text, fault = await asyncio.to_thread(read_file, workspace.sources)

    def work(cursor: Connection) -> PolicyState:
        row = policies.read_newest(cursor)
        version = policies.as_version(row) if row else NEVER
        here = version.place is PolicyPlace.WINDOW
        before = policies.read_last_of_file(cursor)
        return PolicyState(
            version=version,
            policy=read_policy(cursor),
            file=text,
            unread=bool(fault) or (here and text is not None and text != before),
            fault=fault,
        )

    return await workspace.db.read(work)


def read_file(sources: Path) -> tuple[str | None, str]:
    """Return what `policy.yaml` holds, None without one, and why it cannot be used."""
    path = sources / "policy.yaml"
    if not path.exists():
        return None, ""
    try:
        text = read_text(path)
        check_tool_names(merge_policy((path.name, text)), path.name)
    except ManifestError as error:
        return "", str(error)
    return text, ""


async def note_file(house: House, workspace: Workspace) -> str:
    """Keep what a sync found in the file as a version; return a warning where it does not count."""
    text, fault = await asyncio.to_thread(read_file, workspace.sources)
    if fault:
        return ""  # the sync says it

    def work(cursor: Connection) -> str:
        row = policies.read_newest(cursor)
        if row is not None and row.place == PolicyPlace.WINDOW:
            changed = text is not None and text != policies.read_last_of_file(cursor)
            return NOT_READ.format(row.author, row.number) if changed else ""
        if (text or "") != (row.text if row else ""):
            policies.write_version(
                cursor,
                text or "",
                merge_policy((KEPT_HERE, text or "")),
                place=PolicyPlace.FILE,
                author=policies.FILE,
                now=house.clock(),
            )
        return ""

    return await workspace.db.write(work)


NOT_READ = (
    "policy.yaml was changed and does not count: the policy is kept in the window since {} changed "
    "it there (version {}); give it back to the file with `postern policy hand-back`, or leave it"
)


async def preview(workspace: Workspace, order: PolicyOrder) -> PolicyPreview:
    """Return what an order would change, and what speaks against it; nothing is kept.

    Raises:
        ManifestError: the policy cannot be used; the sentence names the key and what to do.
        NotFoundError: there is no such version, or no file.

    """
    file, fault = await asyncio.to_thread(read_file, workspace.sources)

    def work(cursor: Connection) -> PolicyPreview:
        text, before, after = _read_wanted_policy(cursor, order, file, fault)
        evidence_found = evidence(cursor, after)
        return PolicyPreview(
            text=text,
            diff=diff_lines(_text_now(cursor), text),
            warnings=list_warnings(before, after, evidence_found.drafts),
            would_send=evidence_found.would_send,
        )

    return await workspace.db.read(work)


async def keep(
    house: House, workspace: Workspace, order: SetPolicy, principal: Principal
) -> PolicyState:
    """Keep another policy, which counts from the next batch on.

    Raises:
        ManifestError: it cannot be used; what counted before still counts.
        NotFoundError: there is no such version, or no file.
        ConflictError: somebody has changed it meanwhile, or warnings speak against it and the order
            does not say that it is meant all the same.

    """
    file, fault = await asyncio.to_thread(read_file, workspace.sources)

    def work(act: Act) -> None:
        text, before, after = _read_wanted_policy(act.cursor, order, file, fault)
        warnings = list_warnings(before, after, evidence(act.cursor, before).drafts)
        if warnings and not order.knowing:
            raise ConflictError(
                f"{' '.join(warnings)} Say that it is meant all the same to keep it"
            )
        _write_version(act, order, text, after, " (against a warning)" if warnings else "")

    # A sync in between would read the file's old or new text past what is decided here.
    async with workspace.sync_lock:
        await carry_out(house, workspace, principal, work)
        await house.reload_policy(workspace)
    return await policy_state(workspace)


def _write_version(act: Act, order: SetPolicy, text: str, policy: Policy, warned: str) -> None:
    """Keep a version of the policy, and say in the audit log which lines are others."""
    changed = diff_lines(_text_now(act.cursor), text)
    version = policies.write_version(
        act.cursor,
        text,
        policy,
        place=PolicyPlace.FILE if order.from_file else PolicyPlace.WINDOW,
        author=act.actor,
        now=act.now,
        note=order.note,
        was=order.was,
    )
    lines = "; ".join(line for line in changed if line[:1] in "+-")[:SHOWN]
    act.note(
        "hand-back-policy" if order.from_file else "change-policy",
        f"policy:{version.number}",
        f"version {version.number}{warned}: {lines or 'the same wording'}",
    )


def compare(cursor: Connection, before: int, after: int) -> VersionDiff:
    """Return what two versions have different; 0 stands for the defaults alone.

    Raises:
        NotFoundError: there is no such version.

    """
    texts = [
        policies.read_version(cursor, version_number).text if version_number else ""
        for version_number in (before, after)
    ]
    return VersionDiff(before=before, after=after, lines=diff_lines(*texts))


def _text_now(cursor: Connection) -> str:
    row = policies.read_newest(cursor)
    return row.text if row else ""


def _read_wanted_policy(
    cursor: Connection, order: PolicyOrder, file: str | None, fault: str
) -> tuple[str, Policy, Policy]:
    """Return the wanted text, what counts now, and what would count."""
    before = read_policy(cursor)
    if order.from_file:
        if file is None:
            raise NotFoundError("there is no policy.yaml in the organization's folder 'sources'")
        if fault:
            raise ManifestError(fault)
        text = file
    elif order.change is not None:
        text = changed_text(_text_now(cursor), order.change)
    elif order.restore is not None:
        text = policies.read_version(cursor, order.restore).text
    else:
        text = order.text or ""
    after = merge_policy((KEPT_HERE, text))
    check_tool_names(after, KEPT_HERE, before)
    return text, before, after
