"""One page of a list, as the API answers it."""

from typing import Generic, TypeVar

from pydantic import Field

from data.records.core.record import Record

ItemT = TypeVar("ItemT", bound=Record)


class Page(Record, Generic[ItemT]):
    """Some items of a list, in its order."""

    items: tuple[ItemT, ...]
    total: int = Field(description="How many there are in all.")


class SearchedPage(Page[ItemT], Generic[ItemT]):
    """Some items of a list that words of mail may have narrowed."""

    unsearched: int = Field(
        default=0,
        description="Messages that no search finds by their words yet, while the index is filled.",
    )
