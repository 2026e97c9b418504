"""An allowed host that passes its reader on, and secrets in groups."""

import pytest

from tasks.core.leaks.links import find_links, is_allowed
from tasks.core.leaks.secrets import find_secrets

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


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Ihr Einmalcode lautet 55-12-09.", True),
        ("Uw verificatiecode is 30 21 99.", True),
        ("The CVV is 123.", True),
        ("CVC: 4821", True),
        ("The fair is on 05-12-26.", False),
        ("Our room has 30 21 99 seats.", False),
    ],
)
def test_codes_in_groups_of_two_and_card_codes_are_held(text: str, held: bool) -> None:
    """A one-time code may be written in pairs; a pair of digits without its word is none."""
    assert bool(find_secrets(text)) is held
