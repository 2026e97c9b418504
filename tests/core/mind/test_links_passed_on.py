"""An allowed host that passes its reader on."""

import pytest

from tasks.core.leaks.links import find_links, is_allowed

HOST = "https://teasel.example"


@pytest.mark.parametrize(
    ("link", "allowed"),
    [
        (f"{HOST}/prices?size=4#top", True),
        (f"{HOST}/form?name=plan.pdf", True),
        (f"{HOST}/go?to={HOST}/prices", True),
        (f"{HOST}/a//b", True),
        (f"{HOST}/redirect?url=https://heron.example", False),
        (f"{HOST}/r?u=https%3A%2F%2Fheron.example", False),
        (f"{HOST}/r?u=https%253A%252F%252Fheron.example", False),
        (f"{HOST}/?next=//heron.example", False),
        (f"{HOST}/?next=\\\\heron.example", False),
        (f"{HOST}/go?to=heron.example", False),
        (f"{HOST}/#https://heron.example", False),
    ],
)
def test_a_link_leads_where_its_query_passes_it_on(link: str, allowed: bool) -> None:
    """A host that is named in the query counts as the one that is led to."""
    assert all(is_allowed(one, ["teasel.example"]) for one in find_links(link)) is allowed
