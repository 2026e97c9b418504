"""One message through the pure stages, without state and without sending.

What a stage needs is imported when it first runs: screening a file of messages loads neither the
classifier nor the index. Runs inside the reading processes (`from_frame`) and, with an
organization's knowledge, in the command's own process.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from data.records.knowledge import HistoryEntry
from data.records.mail import Address
from flows.tryout_world import Find, Trial, World, neutral_world

Answer = dict[str, Any]


def _parse(trial: Trial) -> Answer:
    from tasks.parse import parse

    mail = trial.mail = parse(trial.raw)
    return {
        "subject": mail.subject,
        "from": _address(mail.sender) if mail.sender else None,
        "to": [_address(one) for one in mail.to],
        "cc": [_address(one) for one in mail.cc],
        "date": mail.date.isoformat() if mail.date else None,
        "message_id": mail.message_id,
        "in_reply_to": mail.in_reply_to,
        "references": list(mail.references),
        "text": mail.text,
        "attachments": [
            one.model_dump(include={"filename", "content_type", "size_bytes"})
            for one in mail.attachments
        ],
        "defects": list(mail.defects),
    }


def _segment(trial: Trial) -> Answer:
    from tasks.segment import segment

    trial.segments = segment(trial.mail)
    return trial.segments.model_dump()


def _automated(trial: Trial) -> Answer:
    from tasks.automated import detect_automated

    trial.automated = detect_automated(
        trial.mail,
        trial.envelope,
        own_addresses=trial.world.organization.addresses,
        own_message_ids=frozenset(),
        is_own_loop_token=lambda _: False,
    )
    return trial.automated.model_dump(mode="json")


def _screen(trial: Trial) -> Answer:
    from tasks.screen import KnownSenders, load_classifier, screen

    known = KnownSenders(organization_domains=trial.world.domains)
    trial.screening = screen(
        trial.mail,
        trial.segments,
        trial.automated,
        trial.envelope,
        trial.world.policy,
        known,
        load_classifier(),
    )
    return trial.screening.model_dump(mode="json")


def _authenticate(trial: Trial) -> Answer:
    from tasks.authenticate import authenticate

    trial.authentication = authenticate(
        trial.mail, trial.envelope, trial.world.trusted_authserv_ids, raw=trial.raw
    )
    return trial.authentication.model_dump(mode="json")


def _classify(trial: Trial) -> Answer:
    from data.records.screening import AuthResult

    ours = trial.sender.email.rpartition("@")[2].lower() in trial.world.domains
    internal = ours and trial.authentication.dmarc is AuthResult.PASS
    trial.classification = _classifier().classify(
        trial.words, subject=trial.mail.subject, internal=internal
    )
    return trial.classification.model_dump(mode="json")


def _context(trial: Trial) -> Answer:
    from tasks.context import build_briefing

    text, none = f"{trial.mail.subject}\n{trial.words}", list[HistoryEntry]()
    world = trial.world
    trial.briefing = build_briefing(
        case_text=text,
        thread=none,
        contact=none,
        knowledge=trial.find(text),
        organization=world.organization,
        policy=world.policy,
        budget_tokens=world.context_tokens,
        recent_messages=world.context_recent_messages,
        knowledge_limit=world.context_knowledge_entries,
        saved_replies=world.saved_replies,
    )
    return trial.briefing.model_dump(mode="json")


def _plan(trial: Trial) -> list[Answer]:
    from tasks.plan import plan

    seen = trial.classification
    trial.plans = tuple(
        plan(
            intent,
            seen,
            trial.briefing,
            trial.world.policy,
            automated=trial.automated,
            first_contact=True,
        )
        for intent in seen.intents
    )
    return [
        {"intent": str(intent.intent), "category": str(intent.category)}
        | made.model_dump(mode="json")
        for intent, made in zip(seen.intents, trial.plans, strict=True)
    ]


def _draft(trial: Trial) -> Answer:
    from tasks.draft import draft

    trial.written = draft(
        intents=trial.classification.intents,
        plans=trial.plans,
        new_text=trial.words,
        subject=trial.mail.subject,
        sender=trial.sender,
        classification=trial.classification,
        briefing=trial.briefing,
        organization=trial.world.organization,
        policy=trial.world.policy,
        saved_replies=trial.world.saved_replies,
    )
    return trial.written.model_dump(mode="json")


def _check(trial: Trial) -> Answer:
    from tasks.check import check

    trial.checked = check(
        trial.written,
        trial.briefing,
        new_text=trial.words,
        organization=trial.world.organization,
        policy=trial.world.policy,
        sender=trial.sender,
        saved_replies=trial.world.saved_replies,
        intents=trial.classification.intents,
    )
    return trial.checked.model_dump(mode="json")


def _route(trial: Trial) -> Answer:
    from tasks.recipients import reply_recipients
    from tasks.route import RouteSignals, route

    recipients = reply_recipients(trial.mail, trial.envelope, trial.world.organization)
    decision = route(
        classification=trial.classification,
        screening=trial.screening,
        authentication=trial.authentication,
        automated=trial.automated,
        briefing=trial.briefing,
        checked=trial.checked,
        draft=trial.written,
        plans=trial.plans,
        policy=trial.world.policy,
        organization=trial.world.organization,
        signals=RouteSignals(
            now=trial.world.now,
            recipients=recipients,
            stopped=False,
            transport_ready=True,
            bare_eol=trial.bare_eol,
            defects=trial.mail.defects,
            attachments=len(trial.mail.attachments),
            first_contact=True,
        ),
    )
    return decision.model_dump(mode="json") | {"recipients": recipients.model_dump(mode="json")}


STAGES: dict[str, tuple[str, Callable[[Trial], Any]]] = {
    "parse": ("parse", _parse),
    "segment": ("segments", _segment),
    "automated": ("automated", _automated),
    "screen": ("screen", _screen),
    "authenticate": ("authentication", _authenticate),
    "classify": ("classification", _classify),
    "context": ("context", _context),
    "plan": ("plan", _plan),
    "draft": ("draft", _draft),
    "check": ("check", _check),
    "route": ("route", _route),
}
"""Every stage in order: the key of its answer, and what runs it."""


def run_stages(
    identity: object, raw: bytes, until: str, world: World, find: Find = lambda _: ()
) -> Answer:
    """Return what each stage up to `until` decided about a message, by the keys of `STAGES`.

    Raises:
        UnreadableMailError: the message cannot be read.

    """
    trial, answer = Trial(raw, world, find), {"id": identity}
    for name, (key, run) in STAGES.items():
        answer[key] = run(trial)
        if name == until:
            break
    return answer


def pack_frame(identity: object, raw: bytes, until: str, world: str = "") -> bytes:
    """Return what `from_frame` takes: a line of JSON, then the message."""
    return orjson.dumps({"id": identity, "until": until, "world": world}) + b"\n" + raw


def from_frame(frame: bytes) -> bytes:
    """Return the answer to a frame as JSON; the work of a reading process.

    Raises:
        UnreadableMailError: the message cannot be read.

    """
    header, _, raw = frame.partition(b"\n")
    given: Mapping[str, Any] = orjson.loads(header)
    return orjson.dumps(run_stages(given["id"], raw, given["until"], _world(given["world"])))


_kept: dict[str, Any] = {}


def _world(text: str) -> World:
    """Return the world of that JSON, made once; the neutral one of now when it is empty."""
    if _kept.get("text") != text or "world" not in _kept:
        made = World.model_validate_json(text) if text else neutral_world(datetime.now(UTC))
        _kept.update(text=text, world=made)
    world: World = _kept["world"]
    return world


def _classifier() -> Any:  # noqa: ANN401  # imported late
    if "classifier" not in _kept:
        from tasks.classify import LocalClassifier

        _kept["classifier"] = LocalClassifier()
    return _kept["classifier"]


def _address(address: Address) -> Answer:
    return {"name": address.name, "email": address.email}
