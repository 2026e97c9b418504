"""Messages through the pure stages, without state and without sending.

What a stage needs is imported when it first runs: screening a file of messages loads neither the
classifier nor the index. Runs inside the reading processes (`from_frame`) and, where an
organization's knowledge is searched, in the command's own process.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from typing import Any

import orjson

from data.errors import PosternError
from data.records.core.parsed_mail import Address
from flows.core.garbage_collection import settle_heap
from flows.tryout.sender_facts import excused_markers, known_senders
from flows.tryout.tried_parts import (
    ReplyDecider,
    brief_trial,
    examine_trial,
    plans_of,
    route_trial,
    understand_trial,
    write_reply,
)
from flows.tryout.world import FindEntries, TriedMail, World, neutral_world

TrialReport = dict[str, Any]
"""What a stage says of a message, or all of them, as JSON: records, dumped."""
NOTHING: Mapping[str, object] = {}
TrialStage = Callable[[Sequence[TriedMail]], Sequence[Any]]
"""What a stage makes of each message, or the error that it met."""


def _parse(trial: TriedMail) -> TrialReport:
    from tasks.core.parse.parsing import parse

    mail = trial.mail = parse(trial.raw)
    return {
        "subject": mail.subject,
        "from": _address(mail.sender) if mail.sender else None,
        "to": [_address(mailbox) for mailbox in mail.to],
        "cc": [_address(mailbox) for mailbox in mail.cc],
        "date": mail.date.isoformat() if mail.date else None,
        "message_id": mail.message_id,
        "in_reply_to": mail.in_reply_to,
        "references": list(mail.references),
        "text": mail.text,
        "attachments": [
            attachment.model_dump(include={"filename", "content_type", "size_bytes"})
            for attachment in mail.attachments
        ],
        "defects": list(mail.defects),
    }


def _segment(trial: TriedMail) -> TrialReport:
    from tasks.core.segment.segmenting import segment

    trial.keep_segments(segment(trial.mail))
    return trial.segments.model_dump()


def _automated(trial: TriedMail) -> TrialReport:
    from tasks.mail.automated.detecting import PERSONS, detect_automated

    trial.automated = detect_automated(
        trial.mail,
        trial.envelope,
        own_addresses=trial.world.organization.own_addresses,
        own_message_ids=frozenset(),
        is_own_loop_token=lambda _: False,
        excused=excused_markers(trial, PERSONS),
    )
    return trial.automated.model_dump(mode="json")


def _screen(trials: Sequence[TriedMail]) -> list[TrialReport]:
    """Screen them together: the classifier reads several in the time of few."""
    from tasks.mail.screen.screen_messages import ToScreen, screen_messages

    if not trials:
        return []
    screenings = screen_messages(
        (trials[0].world.policy, True),  # one world for all
        [
            ToScreen(
                reading=trial.reading,
                envelope=trial.envelope,
                automated=trial.automated,
                known=known_senders(trial),
                released=False,
            )
            for trial in trials
        ],
    )
    for trial, screening in zip(trials, screenings, strict=True):
        trial.screening = screening
    return [screening.model_dump(mode="json") for screening in screenings]


def _authenticate(trial: TriedMail) -> TrialReport:
    from tasks.core.authenticate.authenticating import authenticate

    trial.authentication = authenticate(
        trial.mail, trial.envelope, trial.world.trusted_authserv_ids, raw=trial.raw
    )
    return trial.authentication.model_dump(mode="json")


def _classify(trial: TriedMail) -> TrialReport:
    trial.classification = understand_trial(trial, _taught_layer(trial.world))
    return trial.classification.model_dump(mode="json")


def _context(trial: TriedMail) -> TrialReport:
    trial.briefing = brief_trial(trial)
    return trial.briefing.model_dump(mode="json")


def _plan(trial: TriedMail) -> list[TrialReport]:
    understanding = trial.classification
    trial.plans = plans_of(trial)
    return [
        {"intent": str(intent.intent), "category": str(intent.category)}
        | made.model_dump(mode="json")
        for intent, made in zip(understanding.intents, trial.plans, strict=True)
    ]


def _draft(trial: TriedMail) -> TrialReport:
    trial.written = write_reply(trial)
    return trial.written.model_dump(mode="json")


def _check(trial: TriedMail) -> TrialReport:
    trial.checked = examine_trial(trial)
    return trial.checked.model_dump(mode="json")


def _route(trial: TriedMail) -> TrialReport:
    decide = ReplyDecider(trial)
    decision = route_trial(trial, decide).model_dump(mode="json")
    return decision | {"recipients": decide.recipients.model_dump(mode="json")}


def _one_by_one(run: Callable[[TriedMail], Any]) -> TrialStage:
    """Return the stage that runs one message after the other."""

    def run_all(trials: Sequence[TriedMail]) -> list[Any]:
        return [_answer_or_error(run, trial) for trial in trials]

    return run_all


def _answer_or_error(run: Callable[[TriedMail], Any], trial: TriedMail) -> Any:  # noqa: ANN401  # a stage's own
    try:
        return run(trial)
    except PosternError as error:
        return error


STAGES: dict[str, tuple[str, TrialStage]] = {
    "parse": ("parse", _one_by_one(_parse)),
    "segment": ("segments", _one_by_one(_segment)),
    "automated": ("automated", _one_by_one(_automated)),
    "screen": ("screen", _screen),
    "authenticate": ("authentication", _one_by_one(_authenticate)),
    "classify": ("classification", _one_by_one(_classify)),
    "context": ("context", _one_by_one(_context)),
    "plan": ("plan", _one_by_one(_plan)),
    "draft": ("draft", _one_by_one(_draft)),
    "check": ("check", _one_by_one(_check)),
    "route": ("route", _one_by_one(_route)),
}
"""Every stage in order: the key of its answer, and what runs it."""


def searches_knowledge(until: str) -> bool:
    """Return whether the stages up to `until` look into an organization's knowledge."""
    names = list(STAGES)
    return names.index(until) >= names.index("context")


def run_stages(
    raws: Sequence[bytes], until: str, world: World, find: FindEntries = lambda _: ()
) -> list[TrialReport | PosternError]:
    """Return what each stage up to `until` decided about messages, by the keys of `STAGES`.

    Of a message that cannot be read it is the error instead.
    """
    trials = [TriedMail(raw, world, find) for raw in raws]
    answers: list[TrialReport | PosternError] = [{} for _ in trials]
    for name, (key, run) in STAGES.items():
        going = [
            (place, answer) for place, answer in enumerate(answers) if isinstance(answer, dict)
        ]
        results = run([trials[place] for place, _ in going])
        for (place, answer), result in zip(going, results, strict=True):
            if isinstance(result, PosternError):
                answers[place] = result
            else:
                answer[key] = result
        if name == until:
            break
    return answers


def answer_line(
    identity: object, answer: TrialReport | PosternError, used: Mapping[str, object] = NOTHING
) -> bytes:
    """Return an answer as a line of JSON, without its end; `used` stands behind the stages."""
    if isinstance(answer, PosternError):
        return error_line(identity, str(answer))
    return orjson.dumps({"id": identity, **answer, **used})


def error_line(identity: object, sentence: str) -> bytes:
    """Return the answer to a message that cannot be read, as a line of JSON."""
    return orjson.dumps({"id": identity, "error": sentence})


def pack_frame(items: Sequence[tuple[object, bytes]], until: str, world: str = "") -> bytes:
    """Return what `from_frame` takes: a line of JSON, then the messages."""
    sizes = [(identity, len(raw)) for identity, raw in items]
    header = orjson.dumps({"items": sizes, "until": until, "world": world})
    return b"\n".join((header, b"".join(raw for _, raw in items)))


def from_frame(frame: bytes) -> bytes:
    """Return a line of JSON for each message of a frame; the work of a reading process."""
    header, _, together = frame.partition(b"\n")
    header_fields: Mapping[str, Any] = orjson.loads(header)
    ends = list(accumulate(size for _, size in header_fields["items"]))
    raws = [together[begin:end] for begin, end in pairwise((0, *ends))]
    world = _read_world(header_fields["world"])
    answers = run_stages(raws, header_fields["until"], world)
    settle_heap("a frame")
    return b"\n".join(
        answer_line(identity, answer, world.used)
        for (identity, _), answer in zip(header_fields["items"], answers, strict=True)
    )


_kept: dict[str, Any] = {}
"""The last world that was asked for, and its layer, which only `_taught_layer` unpacks."""


def _read_world(text: str) -> World:
    """Return the world of that JSON, made once; the neutral one of now when it is empty."""
    if _kept.get("text") != text or "world" not in _kept:
        world_read = World.model_validate_json(text) if text else neutral_world(datetime.now(UTC))
        _kept.update(text=text, world=world_read)
    world: World = _kept["world"]
    return world


def _taught_layer(world: World) -> Any:  # noqa: ANN401  # imported late
    """Return the layer that people's corrections made, unpacked once; None without one."""
    if not world.memory.layer:
        return None
    if _kept.get("training") != world.memory.training:
        from data.linear import LinearModel

        packed = base64.b64decode(world.memory.layer)
        layer = LinearModel.unpacked(packed, f"training {world.memory.training}")
        _kept.update(training=world.memory.training, taught=layer)
    return _kept["taught"]


def _address(address: Address) -> TrialReport:
    return {"name": address.name, "email": address.email}
