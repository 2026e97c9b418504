"""One contact's data in the window: shown to administrators, erased after a second look."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.mail.overview_views import Me
from data.store.mail.contact_data import HELD
from tests.core.window.drawn import button, says
from tests.core.window.engine import World
from ui.mail.widgets.quarantine.contact_data import ROW_NOUNS, _count_rows

Opener = Callable[..., AppTest]
ADDRESS = "mara@heron.example"


def as_admin(world: World) -> None:
    """Let the person be an administrator."""
    world.me = Me(user="ida", role="admin", administers=True, organizations=world.me.organizations)


def test_a_reviewer_does_not_see_it(window: Opener, world: World) -> None:
    """Only administrators are offered a contact's data."""
    world.me = Me(user="maud", role="reviewer", organizations=world.me.organizations)
    assert "contact-address" not in [one.key for one in window("quarantine").text_input]


def test_it_is_erased_once_the_address_was_typed_again(window: Opener, world: World) -> None:
    """What is held is counted; the button waits for the address; the engine gets the order."""
    as_admin(world)
    app = window("quarantine")
    app.text_input(key="contact-address").input(ADDRESS).run()
    # Tables that files are loaded into are no business of whoever asks.
    assert says(app, "2 messages, 1 case, 16 rows loaded from files, 1 line of contacts.csv")
    assert says(app, "What other people's mail quotes of them stays.")
    assert button(app, "contact-erase").disabled
    app.text_input(key="contact-again").input("Mara@heron.example").run()
    app = button(app, "contact-erase").click().run()
    path = [body for method, url, body in world.calls if url.endswith("/contact/erase")]
    assert path == [{"address": ADDRESS, "keep_learned": False, "also": []}]
    assert says(app, "Erased for good: 3 records.")


def test_what_is_on_hold_cannot_be_erased(window: Opener, world: World) -> None:
    """The reason is shown, and there is no button."""
    as_admin(world)
    app = window("quarantine")
    app.text_input(key="contact-address").input("held@heron.example").run()
    assert says(app, "legal_hold.txt line 1 keeps 'held@heron.example'")
    assert "contact-erase" not in [one.key for one in app.button]


@pytest.mark.parametrize("table", [held.name for held in HELD])
def test_what_is_held_is_called_as_people_would(table: str) -> None:
    """One and several rows of each table have a name that is no table's and no made-up plural."""
    several = _count_rows(table, 2).removeprefix("2 ")
    assert not _count_rows(table, 1).endswith(("she", "sse", "xe"))
    if table not in ROW_NOUNS:
        assert several == table.replace("_", " ")
        assert not several.endswith(("ys", "xs"))
