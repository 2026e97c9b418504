"""Knowledge written, uploaded, changed and brought back in the window, over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.core.window.drawn import button, says
from tests.core.window.real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def kept(engine: Engine) -> dict[str, tuple[int, str]]:
    """Return number and state of the newest wording of everything written here."""
    found = engine.run(
        engine.line.rows("SELECT id, number, state FROM knowledge_versions ORDER BY number")
    )
    return {str(one["id"]): (int(one["number"]), str(one["state"])) for one in found}


def test_an_entry_is_written_changed_retired_and_brought_back(
    engine: Engine, window: Opener
) -> None:
    """What is missing is said; every step is a version."""
    app = window("knowledge", entry="new")
    assert not app.exception
    button(app, "entry-save-new").click().run()
    assert kept(engine) == {}
    app.text_input(key="entry-title-new").set_value("Looms for hire").run()
    app.text_area(key="entry-body-new").set_value("Looms can be hired for 20 euros.").run()
    button(app, "entry-save-new").click().run()
    assert not app.exception
    assert kept(engine) == {"looms-for-hire": (1, "kept")}
    app.text_area(key="entry-body-looms-for-hire-1").set_value("For 25 euros a week.").run()
    button(app, "entry-save-looms-for-hire-1").click().run()
    assert not app.exception
    button(app, "entry-retire-looms-for-hire").click().run()
    assert not app.exception
    assert kept(engine) == {"looms-for-hire": (3, "retired")}
    button(app, "entry-restore-looms-for-hire").click().run()
    assert kept(engine) == {"looms-for-hire": (4, "kept")}
    assert not app.exception


def test_a_file_becomes_entries_after_somebody_has_seen_them(
    engine: Engine, window: Opener
) -> None:
    """Each part can be left out."""
    app = window("knowledge", entry="new")
    text = b"# Prices\n\nA reed costs 12 euros.\n\n# Hire\n\nFrom 20 euros.\n"
    app.file_uploader(key="entry-file").set_value(("prices.md", text, "text/markdown")).run()
    assert not app.exception
    assert says(app, "2 parts")
    first, _ = [one for one in app.checkbox if str(one.key).startswith("section-keep-")]
    first.uncheck().run()
    button(app, "entry-keep-file").click().run()
    assert not app.exception
    assert kept(engine) == {"hire": (1, "kept")}


def test_many_files_are_read_each_with_its_outcome(engine: Engine, window: Opener) -> None:
    """What cannot be read is named and holds up no other; what is refused stays on the page."""
    app = window("knowledge", entry="new")
    prices = ("prices.md", b"# Prices\n\nA reed costs 12 euros.\n", "text/markdown")
    hire = ("hire.txt", b"A loom is hired from 20 euros a week.\n", "text/plain")
    torn = ("torn.txt", b"\xff\xfe\xff", "text/plain")
    app.file_uploader(key="entry-file").set_value([prices, torn, hire]).run()
    assert not app.exception
    assert all(says(app, name) for name in ("prices.md", "hire.txt", "torn.txt"))
    assert says(app, "It is no UTF-8 text")
    assert "Keep 2 entries" in [one.label for one in app.button]
    button(app, "entry-keep-file").click().run()
    assert not app.exception
    assert sorted(kept(engine)) == ["hire", "prices"]


def test_a_question_without_an_answer_leads_to_an_entry(engine: Engine, window: Opener) -> None:
    """Its words are the title to begin with."""
    engine.receive("Do you sell alpaca wool in bulk?", subject="Wool")
    app = window("knowledge", **{"knowledge-what": "questions"})
    assert not app.exception
    button(app, "question-write-0").click().run()
    assert not app.exception
    assert "alpaca" in app.text_input(key="entry-title-new").value


def test_too_many_words_to_find_it_by_are_told(engine: Engine, window: Opener) -> None:
    """In a sentence with the field's name; what was typed stays."""
    app = window("knowledge", entry="new")
    app.text_input(key="entry-title-new").set_value("Looms for hire")
    app.text_area(key="entry-body-new").set_value("Looms can be hired for 20 euros.")
    words = ", ".join(f"word{number}" for number in range(21))
    app.text_input(key="entry-tags-new").set_value(words).run()
    button(app, "entry-save-new").click().run()
    assert not app.exception
    assert says(app, "Words to find it by: 20 at most.")
    assert app.text_input(key="entry-tags-new").value == words
    assert kept(engine) == {}
