"""Stage *authenticate*: whether the sender is who From says.

Joins three parts: `tasks` says what is worth asking and what the answers mean, the resolver's
connector asks, the archive has the message as it came. A message about which nothing can be
established, because its domain is reserved or no resolver answers, costs neither file nor thread.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cached_property

from connectors.authentication import ask
from connectors.dns_resolver import Resolver, SystemResolver
from data.errors import NotFoundError, PosternError
from data.records.core.envelope import Channel, Envelope
from data.records.core.organization import RouteMode
from data.records.core.parsed_mail import ParsedMail
from data.records.core.screening import Authentication
from data.settings import Settings
from data.states import MessageStatus
from data.store.core.database import Connection
from data.store.mail import messages
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.mail.leaving.forwarding import queue_forwards
from flows.mail.stages.excuse_withdrawal import withdraw_excuses
from flows.mail.stages.message_stage import MessageStage
from tasks.core.authenticate.authenticating import front_server_said, is_within, refuse_identity
from tasks.core.authenticate.questions import questions
from tasks.core.authenticate.sender_identity import sender_identity
from tasks.core.authenticate.verdict import verdict
from tasks.core.parse.header_fields import header_fields
from tasks.mail.read import Reading

THREADS = 16
"""Messages that are asked about at the same time; they wait for name servers, mostly."""


def authenticate_shortly(
    mail: ParsedMail, envelope: Envelope, settings: Settings, resolver: Resolver
) -> Authentication | None:
    """Return the answer when it needs neither the message as it came nor a question, or None."""
    identity = sender_identity(mail)
    if identity.problem:
        return refuse_identity(identity)
    if _may_have_results(envelope, settings):
        return None
    why = (
        resolver.refuses(identity.domain)
        if settings.authenticate_senders
        else "setting 'authenticate_senders' is off"
    )
    return Authentication(reasons=(f"not asked: {why}",)) if why else None


def authenticate_fully(
    mail: ParsedMail, envelope: Envelope, raw: bytes, settings: Settings, resolver: Resolver
) -> Authentication:
    """Return the answer of a front server of ours, or else of our own questions."""
    fields = header_fields(raw)
    identity = sender_identity(mail, fields)
    if identity.problem:
        return refuse_identity(identity)
    front_verdict: Authentication | str = front_server_said(
        mail,
        envelope,
        identity,
        settings.trusted_authserv_ids,
        fields,
        settings.trusted_front_servers,
        needs_policy=settings.dmarc_policy_required,
    )
    if isinstance(front_verdict, Authentication):
        return front_verdict
    if not settings.authenticate_senders:
        return Authentication(
            reasons=(front_verdict, "not asked: setting 'authenticate_senders' is off")
        )
    why = resolver.refuses(identity.domain)
    if why:
        return Authentication(reasons=(front_verdict, f"not asked: {why}"))
    checks = questions(
        identity,
        envelope,
        fields,
        arc_sealers=settings.trusted_arc_sealers,
        front_servers=settings.trusted_front_servers,
    )
    return verdict(
        identity,
        checks,
        ask(raw, checks, resolver),
        needs_policy=settings.dmarc_policy_required,
        arc_sealers=settings.trusted_arc_sealers,
    )


def _may_have_results(envelope: Envelope, settings: Settings) -> bool:
    """Whether a front server of ours may have written its results into the message."""
    return bool(settings.trusted_authserv_ids) and (
        envelope.channel is not Channel.SMTP
        or is_within(envelope.peer, settings.trusted_front_servers)
    )


class AuthenticateStage(MessageStage[Authentication]):
    """Asks, or believes a front server of ours."""

    name = "authenticate"
    output = Authentication

    def __init__(self, resolver: Callable[[], Resolver] = SystemResolver) -> None:
        self._open_resolver = resolver

    @cached_property
    def _resolver(self) -> Resolver:
        """The resolver, opened when first needed: importing the flow asks nobody."""
        return self._open_resolver()

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(THREADS, thread_name_prefix="authenticate")

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Authentication | PosternError]:
        """Answer for each message."""
        readings = await batch.read_results("parse", Reading, ids)
        rows = await batch.workspace.db.read(messages.read_messages, ids)
        loop, settings = asyncio.get_running_loop(), batch.house.settings
        archive, resolver = batch.workspace.archive, self._resolver

        def fully(item: str, envelope: Envelope) -> Authentication | PosternError:
            try:
                raw = archive.read(rows[item].raw_sha256)
            except NotFoundError as error:
                return error
            return authenticate_fully(readings[item].mail, envelope, raw, settings, resolver)

        result_by_item: dict[str, Authentication | PosternError] = {}
        waiting: dict[str, asyncio.Future[Authentication | PosternError]] = {}
        for item, reading in readings.items():
            envelope = Envelope.model_validate_json(rows[item].envelope)
            short = authenticate_shortly(reading.mail, envelope, settings, resolver)
            if short is None:
                waiting[item] = loop.run_in_executor(self._threads, fully, item, envelope)
            else:
                result_by_item[item] = short
        for item, future in waiting.items():
            result_by_item[item] = await future
        return result_by_item

    def settle(
        self,
        cursor: Connection,
        batch: Batch,
        results: Mapping[str, Authentication],
        now: datetime,
    ) -> None:
        """Look again at what an allowance had excused; let the rest go where its routes say.

        An endpoint gets nothing that is not screened and authenticated, for it cannot be taken back
        there. Mail that is not worked on ends here.
        """
        stopped = set(withdraw_excuses(cursor, batch, results, now))
        rows = messages.read_messages(cursor, [item for item in results if item not in stopped])
        passed = {item: row for item, row in rows.items() if row.status == MessageStatus.SCREENING}
        queue_forwards(cursor, batch.house, batch.workspace, passed, now)
        parked = {item: row.mode for item, row in passed.items() if row.mode != RouteMode.AGENT}
        notes = [{"id": item, "note": f"route mode {mode}"} for item, mode in parked.items()]
        messages.change(cursor, notes)
        move(cursor, list(parked), MessageStatus.STORED, actor=self.name, now=now)
        batch.take_off(list(parked), "stored")
