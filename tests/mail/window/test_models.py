"""Language models in the window: fallbacks, cost, and the draft that is being written."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.model_views import CallsView
from data.records.mail.planning import Lookup
from data.states import CaseState
from tests.core.window import invented
from tests.core.window.drawn import says, texts
from tests.core.window.engine import World

Opener = Callable[..., AppTest]
USED = CallsView(
    name="draft", calls=2, failed=1, tokens_in=2_000, cache_read=500, tokens_out=90, cost=0.0123
)


def test_the_reviewer_reads_who_stood_in_and_what_models_cost(window: Opener, world: World) -> None:
    """The fallback's sentence stands under the head; calls, tokens, cache and cost on the right."""
    why = "The embedded provider wrote this, not a model: The provider is overloaded."
    world.cases["case-1"] = invented.case("case-1", fallbacks=(why,), calls=(USED,))
    app = window("review", case="case-1")
    assert not app.exception
    assert says(app, why)
    assert says(app, "2 calls, 2,000 in, 25% cached, 90 out, US$ 0.0123")


def test_the_reviewer_reads_what_the_model_looked_up(window: Opener, world: World) -> None:
    """Each lookup is a sentence: where, for which words, and how much was found or why not."""
    lookups = (
        Lookup(tool="search_knowledge", words="refund **deadline**", found=3, outcome="answered"),
        Lookup(tool="search_thread", words="loom", found=0, outcome="answered"),
        Lookup(tool="lookup_contact", found=1, outcome="answered"),
        Lookup(tool="unknown", outcome="refused"),
        Lookup(tool="list_saved_replies", outcome="limit"),
    )
    case = invented.case("case-1")
    branch = case.branches[0]
    assert branch.plan is not None
    plan = branch.plan.model_copy(update={"lookups": lookups})
    branch = branch.model_copy(update={"plan": plan})
    world.cases["case-1"] = case.model_copy(update={"branches": (branch, *case.branches[1:])})
    app = window("review", case="case-1")
    assert not app.exception
    for told in (
        "The model looked up: knowledge ‘refund **deadline**’ → 3 entries",
        "The model looked up: this conversation ‘loom’ → nothing",
        "The model looked up: who writes → 1 contact",
        "something that is not there → not carried out: there is no such tool",
        "the saved replies → not carried out: it had looked up as much as it may",
    ):
        assert says(app, told), told


def test_a_draft_that_is_being_written_is_shown_inert(window: Opener, world: World) -> None:
    """What a model writes appears as plain text, marked as not checked; it goes when it is done."""
    text = "Dear Mara, <b>see</b> ![x](https://evil.test/x)"
    world.cases["case-1"] = invented.case("case-1", state=CaseState.RUNNING)
    world.writing["case-1"] = text
    app = window("review", case="case-1")
    assert not app.exception
    assert says(app, "not checked yet")
    assert any("evil.test" in one for one in texts(app))
    assert not any("evil.test" in str(one.value) for one in app.markdown)
    world.writing.clear()
    app.run()
    assert not says(app, "not checked yet")
