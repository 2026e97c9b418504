"""The organization's facts for the screen of its mail, gathered for a batch.

Everything is read anew for each batch: a block, an allowance or a lesson counts from the next
message on. Only the organization's own state is asked, and, where a setting names one, a service
that knows links and spam filters of others.
"""

import asyncio
import logging
from collections.abc import Mapping

from data.errors import OutsideError
from data.records.core.envelope import Envelope
from data.records.core.filters import FilterVerdict
from data.records.core.parsed_mail import Automated
from data.records.core.reputation import Opinion
from data.store.mail import contacts, decisions, learning
from flows.core.batch import Batch
from flows.core.workspace import Workspace
from flows.mail.line.mailroom import mailroom_of
from tasks.core.screen import Allowance, KnownSenders
from tasks.core.screen.bayes import BayesOpinion, Examples, judge
from tasks.core.screen.filter_headers import header_verdict
from tasks.core.screen.reputation import asked_about
from tasks.core.screen.spam_tokens import spam_tokens
from tasks.mail.read import Reading

log = logging.getLogger("postern.screen")


async def gather_knowledge(
    batch: Batch,
    readings: Mapping[str, Reading],
    automated: Mapping[str, Automated],
    envelopes: Mapping[str, Envelope],
) -> dict[str, KnownSenders]:
    """Return what is known about each message of a batch, by id."""
    workspace = batch.workspace
    common = await read_common_knowledge(workspace)
    known_senders = await _list_known_senders(workspace, readings)
    learned = await _judge_by_examples(workspace, readings, automated)
    opinions, failed = await _ask_reputation(batch, readings)
    filter_verdicts = await _ask_filters(batch, readings, envelopes)
    known_by_item = {}
    for item, reading in readings.items():
        sender = reading.mail.sender
        known_by_item[item] = common.model_copy(
            update={
                "first_time": (sender.email.lower() if sender else "") not in known_senders,
                "learned": learned.get(item),
                "opinions": opinions.get(item, ()),
                "filters": filter_verdicts.get(item, ()),
                "reputation_failed": item in failed,
            }
        )
    return known_by_item


async def read_common_knowledge(workspace: Workspace) -> KnownSenders:
    """Return what an organization knows whoever wrote: its domains, blocks and allowances."""
    senders, domains = await workspace.db.read(decisions.list_blocked)
    contact_domains = await workspace.db.read(contacts.list_domains)
    allowances = await workspace.db.read(decisions.list_allowances)
    own = {address.rpartition("@")[2].lower() for address in workspace.organization.addresses}
    return KnownSenders(
        organization_domains=tuple(sorted(own)),
        contact_domains=contact_domains,
        blocked_addresses=tuple(sorted(senders)),
        blocked_domains=tuple(sorted(domains)),
        allowances=tuple(Allowance(rule=row.rule, sender=row.sender) for row in allowances),
    )


async def _list_known_senders(workspace: Workspace, readings: Mapping[str, Reading]) -> set[str]:
    """Return those of the senders that something came from, or went to, before."""
    emails = {
        reading.mail.sender.email.lower()
        for reading in readings.values()
        if reading.mail.sender is not None
    }
    return await workspace.db.read(contacts.list_known_senders, emails)


async def _judge_by_examples(
    workspace: Workspace, readings: Mapping[str, Reading], automated: Mapping[str, Automated]
) -> dict[str, BayesOpinion]:
    """Return what this organization's examples say; nothing before there are examples."""
    spam, ham = await workspace.db.read(learning.count_examples)
    examples = Examples(spam=spam, ham=ham)
    if not examples.both:
        return {}

    def tokens() -> dict[str, dict[int, str]]:
        return {
            item: spam_tokens(reading.mail, reading.segments, automated[item])
            for item, reading in readings.items()
        }

    tokens_by_item = await asyncio.to_thread(tokens)
    all_tokens = sorted({token for item_tokens in tokens_by_item.values() for token in item_tokens})
    counts = await workspace.db.read(learning.count_tokens, all_tokens)
    return {
        item: judge(item_tokens, counts, examples) for item, item_tokens in tokens_by_item.items()
    }


async def _ask_reputation(
    batch: Batch, readings: Mapping[str, Reading]
) -> tuple[dict[str, tuple[Opinion, ...]], set[str]]:
    """Return the service's opinions, and the messages for which its failure counts."""
    service = mailroom_of(batch.house).reputation
    if service is None:
        return {}, set()
    urls = {item: asked_about(reading.mail) for item, reading in readings.items()}
    try:
        link_opinions = await service.opinions(
            [url for item_urls in urls.values() for url in item_urls]
        )
    except OutsideError as error:
        log.warning("links are not looked up: %s", error)
        counts = batch.house.settings.url_reputation_failure == "flag"
        return {}, {item for item, item_urls in urls.items() if item_urls and counts}
    return {
        item: tuple(link_opinions[url] for url in item_urls if url in link_opinions)
        for item, item_urls in urls.items()
    }, set()


async def _ask_filters(
    batch: Batch, readings: Mapping[str, Reading], envelopes: Mapping[str, Envelope]
) -> dict[str, tuple[FilterVerdict, ...]]:
    """Return what filters of others say: those asked here, and those of trusted front servers."""
    trusted = batch.house.settings.trusted_spam_headers
    verdicts_by_item = await mailroom_of(batch.house).filters.judge(
        batch.workspace.archive, envelopes
    )
    header_verdicts = {
        item: header_verdict(reading.mail, envelopes[item], trusted)
        for item, reading in readings.items()
    }
    return {
        item: (
            *verdicts_by_item.get(item, ()),
            *([verdict] if (verdict := header_verdicts[item]) else []),
        )
        for item in readings
    }
