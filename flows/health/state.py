"""Health findings from stored state: late work, mailboxes, backups, syncs, caps, the audit log."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from data.counting import plural
from data.errors import PosternError
from data.records.core.audit_views import AuditChain
from data.records.core.caps import CapView
from data.records.core.health import HealthFinding, HealthLevel
from data.records.core.organization import Policy
from data.records.core.policies import PolicyState
from data.records.core.record import Record
from data.records.mail.mailboxes import MailboxStanding
from data.store.core import backup_log, control, syncs, usage
from data.store.core.audit_check import verify_log
from data.store.mail.ages import AgeRow, read_ages
from data.tool_names import explain_unreachable, without_effect
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving import endpoint_keys
from flows.mail.people.governing import policy_state
from flows.mail.polling.desk import MailboxDesk

LATE, VERY_LATE = timedelta(minutes=15), timedelta(hours=2)
"""How long work may be due before that is a warning, and before it is a failure."""
OLD_BACKUP = timedelta(days=2)
OLD_SYNC = timedelta(hours=3)
"""A sync comes every hour."""
OLD_POLL = timedelta(days=2)
"""A mailbox is polled once a day at the rarest (`poll_seconds`)."""
CAP_WARN_SHARE = 0.8
"""Share of a cap from which its use is a warning."""


class WorkPlace(Record):
    """A place where work waits, and what is said where too much does."""

    name: str
    singular: str
    plural: str
    remedy: str


BEHIND = {
    "messages": WorkPlace(name="reading", singular="message", plural="messages",
                          remedy="Look at the engine's log and at the line *loops* here."),
    "cases": WorkPlace(name="working", singular="case", plural="cases",
                       remedy="Look at the engine's log and at Prefect's page."),
    "deliveries": WorkPlace(name="leaving", singular="reply", plural="replies",
                            remedy="See that sending is not stopped and the next server answers."),
}  # fmt: skip
FAILED = {
    "failed cases": WorkPlace(name="failed cases", singular="case", plural="cases",
                              remedy="Review queue, *Failed*: try again, or answer by hand."),
    "failed messages": WorkPlace(name="failed messages", singular="message", plural="messages",
                                 remedy="Inbox, filter *failed*: have them worked on again."),
    "undecided deliveries": WorkPlace(name="undecided replies", singular="reply", plural="replies",
                                      remedy="Outbox: decide for each whether it goes again."),
    "failed forwards": WorkPlace(name="failed forwards", singular="forward", plural="forwards",
                                 remedy="Outbox, *Forwards*: retry or give up."),
}  # fmt: skip


async def house_findings(house: House, loops: Mapping[str, str]) -> list[HealthFinding]:
    """Return what concerns everything: loops, spool, backups, endpoints.

    Args:
        house: the engine's house.
        loops: by a loop's name what its last round ran into, "" where it went well; no entry where
            no engine runs.
    """
    findings = [
        HealthFinding.of(
            f"loop {name}",
            "fail" if trouble else "ok",
            f"{trouble}." if trouble else "Goes round.",
            "It tries again by itself; the engine's log says more." if trouble else "",
        )
        for name, trouble in loops.items()
    ]
    findings.append(await asyncio.to_thread(_spool, house))
    findings.append(await _backup(house))
    async for finding in _endpoints(house):
        findings.append(finding)
    return findings


def _spool(house: House) -> HealthFinding:
    waiting, aside = house.spool.waiting(), len(house.spool.aside.list_reasons())
    sentence = f"{plural(waiting, 'message')} accepted and not taken in yet"
    if aside:
        return HealthFinding.of(
            "spool",
            "warn",
            f"{sentence}; {aside} set aside because they cannot be taken in.",
            "`postern status` counts them, docs/operate.md says how to put them back.",
        )
    status: HealthLevel = "warn" if waiting > house.settings.spool_limit // 2 else "ok"
    remedy = "The engine is behind; above the setting `spool_limit` mail is put off."
    return HealthFinding.of("spool", status, f"{sentence}.", remedy if status == "warn" else "")


async def _backup(house: House) -> HealthFinding:
    newest = await house.control.read(backup_log.find_newest_made)
    if newest is None or newest.ended_at is None:
        remedy = "Make one on the page Backups, or by `postern backup`."
        return HealthFinding.of("backup", "warn", "None was made yet.", remedy)
    when = f"The last one is of {newest.ended_at:%Y-%m-%d %H:%M} UTC"
    if newest.verify_fault:
        return HealthFinding.of(
            "backup", "fail", f"{when} and is not whole: {newest.verify_fault}.", "Make another."
        )
    if house.clock() - newest.ended_at > OLD_BACKUP:
        remedy = "Make another, and let the machine's scheduler run `postern backup` every night."
        return HealthFinding.of("backup", "warn", f"{when}.", remedy)
    return HealthFinding.of("backup", "ok", f"{when}.")


async def _endpoints(house: House) -> AsyncIterator[HealthFinding]:
    """Look for the key of every endpoint."""
    for route in await house.control.read(control.list_routes):
        if not route.url:
            continue
        try:
            await asyncio.to_thread(endpoint_keys.read_key, house.settings, route.secret)
        except PosternError as error:
            yield HealthFinding.of("endpoint", "fail", f"{route.pattern}: {error}.")
        else:
            yield HealthFinding.of(
                "endpoint", "ok", f"{route.pattern} is forwarded to {route.url}."
            )


async def organization_findings(house: House, workspace: Workspace) -> list[HealthFinding]:
    """Return what concerns one organization; mailboxes that cannot be read are a finding."""
    now = house.clock()
    policy = await policy_state(workspace)
    findings = [_policy(policy), *_services(policy.policy)]
    waiting = await workspace.db.read(read_ages, now)
    findings += [_late(BEHIND[kind], waiting[kind], now) for kind in BEHIND]
    findings += [
        HealthFinding.of(
            place.name,
            "warn",
            f"{plural(waiting[kind].waiting, place.singular, place.plural)}.",
            place.remedy,
        )
        for kind, place in FAILED.items()
        if waiting[kind].waiting
    ]
    findings.append(await _sync_finding(workspace, now))
    caps = await workspace.db.read(usage.read_caps_view, house.settings.model_caps, now)
    findings += [finding for cap in caps if (finding := _cap(cap)) is not None]
    try:
        standings = await MailboxDesk.of(house, workspace).standings()
    except PosternError as error:
        findings.append(HealthFinding.of("mailboxes", "fail", f"{error}."))
    else:
        findings += mailbox_findings(standings, now)
    findings += _log_findings(await workspace.db.read(verify_log))
    return findings


def _log_findings(chain: AuditChain) -> Iterator[HealthFinding]:
    for fault in chain.faults.values():
        yield HealthFinding.of("audit", "fail", fault, "Compare with a backup.")
    if not chain.faults:
        fit = f"{plural(chain.events, 'event')} fit their hashes."
        yield HealthFinding.of("audit", "ok", fit)


def _policy(state: PolicyState) -> HealthFinding:
    policy = state.policy
    where = "the file" if state.version.place == "file" else "Postern"
    sentence = f"Mode {policy.mode.value}, version {state.version.number}, kept in {where}."
    if state.fault:
        remedy = "Until it is mended the one loaded before holds, or the default."
        return HealthFinding.of("policy", "fail", f"{state.fault}.", remedy)
    if state.unread:
        remedy = "Page Policy, or `postern policy hand-back`, lets the file count again."
        return HealthFinding.of(
            "policy", "warn", f"{sentence} policy.yaml holds something else.", remedy
        )
    if state.pending:
        sentence = f"{sentence} policy.yaml was changed since, and the next sync loads it."
    return HealthFinding.of("policy", "ok", sentence)


def _services(policy: Policy) -> Iterator[HealthFinding]:
    """Tell of services that no agent can call under their names, and of limits of no tool."""
    for reason in explain_unreachable(policy.services):
        remedy = "Give it another name in the policy; until then agents do not have it."
        yield HealthFinding.of("service", "warn", f"The service {reason}.", remedy)
    for reason in without_effect(policy):
        remedy = "Take it out of `agent_tools` of the policy, or write the name that was meant."
        yield HealthFinding.of(
            "policy", "warn", f"A limit of agents' tools has no effect: {reason}.", remedy
        )


def _late(place: WorkPlace, row: AgeRow, now: datetime) -> HealthFinding:
    if not row.waiting or row.oldest is None:
        return HealthFinding.of(place.name, "ok", "Nothing is late.")
    late = now - row.oldest
    count = plural(row.waiting, place.singular, place.plural)
    sentence = f"{count} due, the oldest for {_duration_words(late)}."
    if late < LATE:
        return HealthFinding.of(place.name, "ok", sentence)
    status: HealthLevel = "fail" if late >= VERY_LATE else "warn"
    return HealthFinding.of(place.name, status, sentence, place.remedy)


def _duration_words(late: timedelta) -> str:
    """Return how long something has been due, in the largest unit that says it."""
    seconds = late.total_seconds()
    if seconds < 5400:
        return plural(max(1, round(seconds / 60)), "minute")
    if seconds < 172_800:
        return plural(round(seconds / 3600), "hour")
    return plural(round(seconds / 86_400), "day")


async def _sync_finding(workspace: Workspace, now: datetime) -> HealthFinding:
    """Return the finding on when the files were last loaded, and on what was said of them."""
    last = next(iter(await workspace.db.read(syncs.list_syncs)), None)
    if last is None:
        return HealthFinding.of(
            "files", "warn", "Never loaded.", "Load them now: `postern organization sync`."
        )
    when = f"Loaded {last.synced_at:%Y-%m-%d %H:%M} UTC"
    if last.errors:
        remedy = "What it held before stays in use; mend it and load again."
        return HealthFinding.of("files", "fail", f"{when}. {last.errors[0]}.", remedy)
    if last.warnings:
        return HealthFinding.of("files", "warn", f"{when}. {last.warnings[0]}.", "See to it.")
    if now - last.synced_at > OLD_SYNC:
        remedy = "A running engine loads them every hour."
        return HealthFinding.of("files", "warn", f"{when}.", remedy)
    return HealthFinding.of("files", "ok", f"{when}.")


def _cap(view: CapView) -> HealthFinding | None:
    """Return the finding on one cap on models; None for one that has no single use to compare."""
    limit = view.cap.limit
    if view.used is None or not limit:
        return None
    share, sentence = view.used / limit, f"{view.cap.sentence}: {view.used / limit:.0%} used."
    if share < CAP_WARN_SHARE:
        return HealthFinding.of("models' cap", "ok", sentence)
    anew = f" until {view.begins_anew_at:%Y-%m-%d %H:%M} UTC" if view.begins_anew_at else ""
    if share < 1:
        remedy = "Raise it with `postern caps set`, or wait."
        return HealthFinding.of("models' cap", "warn", sentence, remedy)
    remedy = f"Postern thinks by itself{anew}; `postern caps set` raises it."
    return HealthFinding.of("models' cap", "fail", sentence, remedy)


def mailbox_findings(
    standings: Iterable[MailboxStanding], now: datetime
) -> Iterator[HealthFinding]:
    """Yield a finding on how the last poll of each mailbox went."""
    for standing in standings:
        name = f"mailbox {standing.name}"
        if not standing.enabled:
            yield HealthFinding.of(name, "ok", "Not enabled.")
        elif standing.polled_at is None:
            remedy = (
                f"`postern mailbox check {standing.name}` looks into it; `postern up` polls it."
            )
            yield HealthFinding.of(name, "warn", "Never polled.", remedy)
        elif standing.error:
            remedy = f"See to it, then `postern mailbox check {standing.name}`."
            status: HealthLevel = "fail" if standing.failures else "warn"
            yield HealthFinding.of(name, status, f"{standing.error}.", remedy)
        else:
            when = f"{standing.polled_at:%Y-%m-%d %H:%M} UTC"
            sentence = f"Last poll {when}, {plural(standing.taken, 'message')} taken."
            if now - standing.polled_at > OLD_POLL:
                remedy = "A running engine polls it; see that `postern up` runs."
                yield HealthFinding.of(name, "warn", sentence, remedy)
            else:
                yield HealthFinding.of(name, "ok", sentence)
