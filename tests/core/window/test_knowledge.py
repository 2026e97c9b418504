"""The page of knowledge: entries with where they are from, and what was learned."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.knowledge import Usage
from data.records.core.learning import LearnedState, SavedReplyView
from tests.core.window import invented
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.engine import World
from tests.core.window.knowing import AT, entry, proposal

Opener = Callable[..., AppTest]
LEARNED = {"knowledge-what": "proposals"}


def test_without_knowledge_the_page_says_how_it_is_made(window: Opener) -> None:
    """An empty list explains itself."""
    assert says(window("knowledge"), "Write it, or make it of a file that you have.")


def test_an_entry_shows_its_source_its_use_and_what_is_wrong_with_it(
    window: Opener, world: World
) -> None:
    """File, validity, how often and when it was cited, and the warning of the sync are drawn."""
    usage = Usage(used=3, last_used_at=AT, last_case_id="case-1")
    world.entries = [
        entry(usage=usage, warnings=("'a' says 3, 'b' says 4",), valid_until="2030-01-01"),
        entry("old-hours", title="Old hours", found=False, superseded_by=("opening-hours",)),
    ]
    app = window("knowledge", entry="opening-hours")
    assert "From  knowledge/opening-hours.md" in "\n".join(texts(app))
    assert says(app, "cited 3 times")
    assert says(app, "until 1 Jan 2030")
    assert says(app, "'a' says 3, 'b' says 4")
    assert says(app, "superseded")


def test_search_narrows_the_list(window: Opener, world: World) -> None:
    """Only entries with the words are listed."""
    world.entries = [entry(), entry("repair", title="Repair of a loom")]
    app = window("knowledge")
    app.text_input(key="knowledge-q").set_value("repair").run()
    assert says(app, "1 entry")
    assert "Opening hours" not in texts(app)


def test_what_was_learned_is_accepted_and_taken_back(window: Opener, world: World) -> None:
    """A proposal is labelled untrusted; yes makes it knowledge, undo a proposal again."""
    world.proposals["learned-1"] = proposal()
    app = window("knowledge", proposal="learned-1", **LEARNED)
    assert says(app, "not trusted")
    button(app, "proposal-accept").click().run()
    assert world.proposals["learned-1"].state is LearnedState.ACCEPTED
    assert world.done("/learned-1/edit") == []
    assert not keys(app) & {"proposal-accept"}
    button(app, "proposal-undo").click().run()
    assert world.proposals["learned-1"].state is LearnedState.PROPOSED


def test_a_changed_wording_is_saved_before_the_yes(window: Opener, world: World) -> None:
    """Accepting what was edited on the page sends the edit first."""
    world.proposals["learned-1"] = proposal()
    app = window("knowledge", proposal="learned-1", **LEARNED)
    app.text_area[0].set_value("We use beeswax.").run()
    button(app, "proposal-accept").click().run()
    (sent,) = world.done("/learned-1/edit")
    assert sent["body"] == "We use beeswax."
    assert world.proposals["learned-1"].state is LearnedState.ACCEPTED


def test_a_title_from_mail_is_drawn_inert(window: Opener, world: World) -> None:
    """Words of a stranger are never interpreted, wherever the page draws them."""
    world.proposals["learned-1"] = proposal(title=invented.HOSTILE)
    app = window("knowledge", proposal="learned-1", **LEARNED)
    html = "".join(str(one.proto.body) for one in app.get("html"))
    assert invented.HOSTILE not in html
    button(app, "proposal-reject").click().run()
    assert world.proposals["learned-1"].state is LearnedState.REJECTED


def test_saved_replies_are_listed_with_what_drafts_make_of_them(
    window: Opener, world: World
) -> None:
    """One that states something is cited, one around answers is not; the text is as in the file."""
    made = {"language": "en", "intent": "question"}
    told = SavedReplyView(
        id="vouchers", title="Vouchers", body="Sold at 20 euros.", cited=True,
        file="saved_replies/vouchers.md", **made,
    )  # fmt: skip
    frame = SavedReplyView(
        id="frame", title="Frame", body="Thanks.\n\n{answer}", cited=False, **made
    )
    world.replies = [frame, told]
    app = window("knowledge", **{"knowledge-what": "replies", "reply": "vouchers"})
    assert says(app, "2 saved replies")
    assert says(app, "around answers")
    assert says(app, "Read-only here: change it in saved_replies/vouchers.md")
    assert "reply-save" not in keys(app)
    assert "Sold at 20 euros." in "\n".join([*texts(app), *(one.value for one in app.code)])
