"""The overview: numbers that lead somewhere."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.audit_views import AuditView
from data.records.mail.passing_on import Purpose
from data.states import CaseState, DeliveryState
from tests.core.window import invented
from tests.core.window.drawn import button, keys, lines, says, texts
from tests.core.window.engine import World, full
from tests.core.window.knowing import entry

Opener = Callable[..., AppTest]


def test_the_numbers_of_the_engine_are_shown(window: Opener) -> None:
    """Counts, shares, seconds, the mode in a sentence."""
    app = window()
    for words in ("to review", ">3<", "78\N{NO-BREAK SPACE}%", "2.4 s", "oldest waits 13 min"):
        assert says(app, words), words
    assert says(app, "Shadow mode: nothing leaves by itself.")


def test_an_organization_without_mail_is_told_how_to_begin(window: Opener, world: World) -> None:
    """The steps with what is there; with all of them done they are gone."""
    world.messages.clear()
    world.cases.clear()
    app = window()
    assert says(app, "First steps")
    assert says(app, "What drafts may rest on")
    assert says(app, "1 of 3 are done.")
    world.entries.append(entry())
    world.messages["news-1"] = invented.newsletter("news-1")
    app.session_state["lately-setup"] = None
    app.run()
    assert not says(app, "First steps")


def test_a_quiet_day_is_calm(window: Opener, world: World) -> None:
    """With nothing to do the page says so, and draws no empty chart."""
    quiet = World()
    world.cases, world.messages, world.held = quiet.cases, quiet.messages, quiet.held
    app = window()
    assert says(app, "Nothing needs you.")
    assert says(app, "A quiet day.")
    assert not app.exception


@pytest.mark.parametrize(
    ("tile", "path", "query"),
    [
        ("review", "/queue", {}),
        ("urgent", "/queue", {"priority": "urgent"}),
        ("held", "/quarantine", {}),
        ("undecided", "/outbox", {"state": "unknown"}),
        ("failed", "/messages", {"status": "failed"}),
        ("today", "/messages", {}),
        ("leaving", "/outbox", {"state": "queued"}),
    ],
)
def test_a_number_leads_to_the_list_it_counts(
    tile: str, path: str, query: dict[str, str], window: Opener, world: World
) -> None:
    """Pressing a number opens its list, filtered."""
    world.deliveries["d-1"] = invented.delivery("d-1", DeliveryState.UNKNOWN)
    failed = next(iter(world.cases.values())).model_copy(
        update={"id": "case-failed", "state": CaseState.FAILED}
    )
    world.cases[failed.id] = failed
    app = window()
    world.calls.clear()
    button(app, f"open-tile-{tile}").click().run()
    assert not app.exception
    asked = [sent for _, called, sent in world.calls if called.endswith(path)]
    assert any(query.items() <= sent.items() for sent in asked), asked


def test_a_number_leads_to_what_it_counts_whatever_was_looked_for(
    window: Opener, world: World
) -> None:
    """An earlier search does not hide it; of what was passed on it opens that list."""
    made = invented.delivery("d-1", DeliveryState.UNKNOWN, purpose=Purpose.FORWARD)
    world.deliveries["d-1"] = made
    app = window(**{"inbox-q-messages": "nothing like this", "pages-messages": 3})
    button(app, "open-tile-today").click().run()
    assert not app.exception
    sent = [query for _, path, query in world.calls if path.endswith("/messages")][-1]
    assert "q" not in sent
    app = window()
    button(app, "open-tile-undecided").click().run()
    assert [line["id"] for line in lines(app)] == ["d-1"]


def test_a_number_without_a_list_is_no_button(window: Opener) -> None:
    """What counts nothing that could be opened cannot be pressed."""
    app = window()
    assert "open-tile-today" in keys(app)
    assert not {"open-tile-spool", "open-tile-unchanged", "open-tile-quick"} & keys(app)


def test_who_decided_what_is_shown(window: Opener, world: World) -> None:
    """The audit log says in words who did what, and leads to what it was done to."""
    world.audit.clear()
    assert says(window("audit"), "Nobody has decided anything yet.")
    world.audit.append(
        AuditView(
            sequence=1,
            at=invented.before(minutes=3),
            actor="ada",
            action="confirm-rule",
            subject="rule-1",
            detail="always ask",
        )
    )
    rejected = {"sequence": 2, "action": "reject", "subject": "case:case-2"}
    detail = "wrong_fact the price is old"
    title = "A <b>reed</b>, Mara <mara@heron.example>"
    world.audit.append(
        world.audit[0].model_copy(update=rejected | {"detail": detail, "title": title})
    )
    app = window("audit")
    assert any("ada  confirmed a handling rule\nalways ask" in words for words in texts(app))
    assert any(
        f"ada  rejected a draft\n{title}\nWrong fact the price is old" in words
        for words in texts(app)
    )
    assert not app.exception
    button(app, "audit-open-2").click().run()
    assert app.session_state["case"] == "case-2"


def test_what_is_with_you_and_with_nobody_leads_to_its_view(window: Opener, world: World) -> None:
    """Both are views of the queue; what went wrong is shown only where something did."""
    app = window()
    assert not {"open-tile-undecided", "open-tile-failed"} & keys(app)
    button(app, "open-tile-mine").click().run()
    assert [query for _, path, query in world.calls if path.endswith("/queue")][-1][
        "whose"
    ] == "mine"
    app = window()
    button(app, "open-tile-unassigned").click().run()
    assert [query for _, path, query in world.calls if path.endswith("/queue")][-1][
        "handed"
    ] == "false"


def test_the_help_lists_every_key(window: Opener) -> None:
    """Each shortcut of the buttons is explained on the help page."""
    world = full()
    assert world.cases
    used = set()
    for page in ("review", "quarantine"):
        app = window(page, held="held-1")
        used |= {entry.proto.shortcut.upper() for entry in app.button if entry.proto.shortcut}
    help_page = " ".join(str(entry.proto.body) for entry in window("help").get("html"))
    caps = help_page.replace(" / ", "</kbd><kbd>")
    assert used
    assert [key for key in used if f"<kbd>{key}</kbd>" not in caps] == []
