"""The page of reports: what is asked for, and what is said of it."""

from collections.abc import Callable
from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.organization import WorkingHours
from data.records.mail.report_views import DecisionFigures, Report
from tests.core.window.drawn import says, texts
from tests.core.window.engine import World
from tests.core.window.reporting import FIRST, report
from ui.core.widgets.figures import dollars, write_duration
from ui.mail.widgets.report_range import first_and_last_day

Opener = Callable[..., AppTest]


def asked(world: World) -> dict[str, str]:
    """Return what the newest report was asked with."""
    return [sent for _, path, sent in world.calls if path.endswith("/report")][-1]


def test_the_figures_are_said_in_words(window: Opener) -> None:
    """Numbers with their nouns, times in hours, shares, names that are drawn inert."""
    app = window("reports")
    assert not app.exception
    for words in (
        "1,204", "1 was stopped by the screen", "1 of them by itself", "1.5\N{NO-BREAK SPACE}h",
        "9 of 10 within 2.5\N{NO-BREAK SPACE}h", "Missed a question", "Role without rules",
        "Feature request", "$1.50", "Ida <b>Fenn", "2 Mar 2026 to 8 Mar 2026.",
        "Times count round the clock: no working hours are set.",
        "Received: at most 6, 2026-03-08; Answered: at most 3, 2026-03-08.",
    ):  # fmt: skip
        assert says(app, words), words
    assert "People agreed with 75\N{NO-BREAK SPACE}% of 4 drafts" in " ".join(texts(app))
    assert "1 message: nobody has decided on any of them." in texts(app)
    assert "Is it **red**?" in texts(app)
    assert [one.label for one in app.expander][-1] == "Sales: 1 question in 1 case"


def test_every_choice_is_asked_of_the_engine(window: Opener, world: World) -> None:
    """Days, weeks, a category and a person; a range ends today where the organization is."""
    app = window("reports")
    usual = asked(world)
    assert (usual["by"], "category" in usual, "person" in usual) == ("day", False, False)
    first, last = (date.fromisoformat(usual[name]) for name in ("since", "until"))
    assert (last - first).days == 27
    app.selectbox(key="report-range").select("7").run()
    app.selectbox(key="report-category").select("billing").run()
    app.selectbox(key="report-person").select("Ida <b>Fenn").run()
    now = asked(world)
    assert (now["category"], now["person"]) == ("billing", "Ida <b>Fenn")
    assert (last - date.fromisoformat(now["since"])).days == 6
    assert not app.exception


def test_an_address_opens_the_same_report(window: Opener, world: World) -> None:
    """What the session holds is in the address, and what is no range there is passed over."""
    app = window("reports", **{"report-range": "last", "report-by": "week"})
    assert asked(world)["by"] == "week"
    assert app.query_params["range"] in ("last", ["last"])
    assert "since" not in app.query_params


@pytest.mark.parametrize(
    ("name", "today", "range_"),
    [
        ("last", date(2026, 3, 31), (date(2026, 2, 1), date(2026, 2, 28))),
        ("last", date(2026, 1, 5), (date(2025, 12, 1), date(2025, 12, 31))),
        ("month", date(2026, 3, 1), (date(2026, 3, 1), date(2026, 3, 1))),
        ("7", date(2026, 3, 3), (date(2026, 2, 25), date(2026, 3, 3))),
    ],
)
def test_a_named_range_is_days(name: str, today: date, range_: tuple[date, date]) -> None:
    """A month that is over is whole; one that runs ends today."""
    assert first_and_last_day(name, today) == range_


def test_a_quiet_range_is_said(window: Opener, world: World) -> None:
    """Nothing is drawn of nothing, and working hours are told."""
    world.report = Report(
        since=FIRST, until=FIRST, timezone="UTC", by="day",
        working_hours=WorkingHours(start="08:30", end="17:00"),
    )  # fmt: skip
    app = window("reports")
    assert not app.exception
    for words in (
        "Nothing in this range.", "Nobody decided on a draft", "No model was asked.",
        "Nothing waits.", "No draft left a question open.", "none in this range",
        "Times count on working days from 08:30 to 17:00.", "no reply left",
    ):  # fmt: skip
        assert says(app, words), words


def test_who_sees_nobody_is_offered_nobody(window: Opener, world: World) -> None:
    """Without anybody who decided there is no choice of people, and no table of them."""
    world.report = report(people=(), deciders=(), alone=DecisionFigures())
    app = window("reports")
    assert not says(app, "By person")
    assert "report-person" not in [one.key for one in app.selectbox]
    assert says(app, "Nobody decided on such a draft.")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(None, "–"), (0, "0 min"), (20, "1 min"), (5399, "90 min"), (9000, "2.5 h"), (4e6, "1,111 h")],
)
def test_times_are_short(seconds: float | None, shown: str) -> None:
    """In minutes below an hour and a half, in hours above."""
    assert write_duration(seconds) == shown.replace(" ", "\N{NO-BREAK SPACE}")


def test_what_costs_next_to_nothing_is_not_said_to_cost_nothing() -> None:
    """A tenth of a cent is under a cent."""
    assert (dollars(0), dollars(0.001), dollars(1234.5)) == ("$0.00", "under $0.01", "$1,234.50")
