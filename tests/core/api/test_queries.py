"""What a query may ask for: pages and days that nothing can count are refused, not met as bugs."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.core.api.fixtures import Api
from tests.core.small import SLUG, api_over

BEYOND = 2**63
"""One more than the state counts."""


def paged(api: Mapping[str, Any]) -> Iterator[str]:
    """Give the path of every list that is asked for in pages."""
    for path, calls in api["paths"].items():
        names = {one["name"] for one in calls.get("get", {}).get("parameters", ())}
        if "offset" in names:
            yield str(path).replace("{org}", SLUG)


async def test_a_page_beyond_any_list_is_refused(api: Api) -> None:
    """The answer is 422 and names the field, for every list."""
    paths = list(paged(api_over(api.line.house).openapi()))
    assert len(paths) > 15
    for path in paths:
        answer = await api.client.get(path, params={"offset": BEYOND})
        assert answer.status_code == 422, path
        assert answer.json()["error"]["message"].startswith("offset: "), path


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
@pytest.mark.parametrize(
    ("path", "first", "last"),
    [
        ("/report", "since", "until"),
        ("/report/export", "since", "until"),
        ("/calendar/events", "first", "last"),
    ],
)
async def test_a_day_at_the_end_of_all_calendars_is_refused(
    api: Api, path: str, first: str, last: str, day: str
) -> None:
    """No day comes after it, or it begins before all days in some zone."""
    answer = await api.get(path, **{first: day, last: day})
    assert answer.status_code == 422
    assert first in answer.json()["error"]["message"]
