"""Spam filters of others: asked about all messages of a batch, and told what people decide.

Their failure stops no mail: a message that a filter did not answer for is screened without its
word. One that fails several times in a row is left alone for a while.
"""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from connectors.filters.spam_filter import MOST_BYTES, SpamFilter
from connectors.models.resting import Resting
from data.errors import NotFoundError, OutsideError, OutsideTemporaryError
from data.records.core.asking import Fault
from data.records.core.envelope import Envelope
from data.records.core.filters import FilterVerdict

log = logging.getLogger("postern.filters")
AT_ONCE = 5
"""Messages that one filter looks at at once: spamd starts with so many children."""
FAILURES, REST_SECONDS = 3, 60.0
"""Failures in a row after which a filter is left alone, and for how long."""


class RawMail(Protocol):
    """Where raw mail is."""

    def read(self, sha256: str) -> bytes:
        """Return a message; raises NotFoundError."""


class AskedFilters:
    """The filters that the settings name."""

    def __init__(self, filters: Sequence[SpamFilter] = ()) -> None:
        """Ask none by default."""
        self.filters = tuple(filters)
        self._resting = {
            spam_filter.name: Resting(FAILURES, REST_SECONDS) for spam_filter in filters
        }
        self._places = {spam_filter.name: asyncio.Semaphore(AT_ONCE) for spam_filter in filters}

    async def judge(
        self, archive: RawMail, envelopes: Mapping[str, Envelope]
    ) -> dict[str, tuple[FilterVerdict, ...]]:
        """Return what each filter says of each message; what it does not answer for is missing."""
        if not self.filters:
            return {}
        asked = [(item, spam_filter) for item in envelopes for spam_filter in self.filters]
        answers = await asyncio.gather(
            *(self._judge(one, archive, envelopes[item]) for item, one in asked)
        )
        verdicts: dict[str, tuple[FilterVerdict, ...]] = {}
        for (item, _), answer in zip(asked, answers, strict=True):
            if answer is not None:
                verdicts[item] = (*verdicts.get(item, ()), answer)
        return verdicts

    async def _judge(
        self, asked: SpamFilter, archive: RawMail, envelope: Envelope
    ) -> FilterVerdict | None:
        """Return what one filter says of one message; None where it does not answer."""
        if envelope.size_bytes > MOST_BYTES:
            return None
        async with self._places[asked.name]:
            resting = self._resting[asked.name]
            if not resting.may_ask(time.monotonic()):
                return None
            try:
                raw = await asyncio.to_thread(archive.read, envelope.sha256)
                verdict = await asked.judge(raw, envelope)
            except NotFoundError:
                resting.gave_up()
                return None
            except OutsideError as error:
                log.warning("not asked about spam: %s", error)
                temporary = isinstance(error, OutsideTemporaryError)
                resting.failed(Fault.CONNECTION if temporary else Fault.REFUSED, time.monotonic())
                return None
            except BaseException:
                resting.gave_up()
                raise
            resting.answered()
            return verdict

    async def teach(
        self, archive: RawMail, learner: SpamFilter, sha256: str, *, spam: bool
    ) -> str | None:
        """Tell a filter a lesson; return why it will never be learned, or empty.

        None when it has to be told later: it does not answer, or is left alone for a while. A
        message over `MOST_BYTES` is not told, as it is not asked about.
        """
        resting = self._resting[learner.name]
        if not resting.may_ask(time.monotonic()):
            return None
        refusal = ""
        try:
            raw = await asyncio.to_thread(archive.read, sha256)
            if len(raw) > MOST_BYTES:
                resting.gave_up()
                return ""
            await learner.learn(raw, spam=spam)
        except NotFoundError:
            resting.gave_up()
            return "its bytes are no longer kept"
        except OutsideTemporaryError as error:
            log.warning("not told about spam: %s", error)
            resting.failed(Fault.CONNECTION, time.monotonic())
            return None
        except OutsideError as error:
            log.warning("not told about spam: %s", error)
            refusal = str(error)
        except BaseException:
            resting.gave_up()
            raise
        resting.answered()
        return refusal
