"""The interface of a stage: perform on a batch, settle, give up, put off."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from data.errors import PosternError
from data.records.core.record import Record
from data.store.core.database import Connection
from flows.core.batch import Batch

if TYPE_CHECKING:
    pass

OutputT = TypeVar("OutputT", bound=Record)


class Stage(ABC, Generic[OutputT]):
    """One stage: it performs on what it is given, and settles what came of it."""

    name: ClassVar[str]
    output: type[OutputT]

    @abstractmethod
    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, OutputT | PosternError]:
        """Return a result or an expected failure for each of the ids; changes nothing."""

    @abstractmethod
    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, OutputT], now: datetime
    ) -> None:
        """Write what follows from the results, in the transaction that journals them."""

    @abstractmethod
    def give_up(
        self, cursor: Connection, batch: Batch, errors: Mapping[str, str], now: datetime
    ) -> None:
        """Write what happens to items that the stage has failed for good."""

    @abstractmethod
    def delay(self, cursor: Connection, ids: Sequence[str], until: datetime) -> None:
        """Put off the items until then."""
