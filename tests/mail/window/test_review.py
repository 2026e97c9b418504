"""The review queue: what is shown of a case and of the list, and moving through it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from data.records.mail.onlookers import Onlooker
from data.records.mail.service_levels import ServiceTarget, TargetKind
from tests.core.window import invented
from tests.core.window.drawn import button, keys, lines, opened, press, says, texts
from tests.core.window.engine import TOKEN, World
from tests.core.window.fixtures import Served
from ui.core.text.keys import KEYS

Opener = Callable[..., AppTest]


def test_everything_a_reviewer_needs_is_there(window: Opener) -> None:
    """Conversation, understanding, plan, draft, sources, findings, gates, recipients, hash."""
    app = window("review")
    assert not app.exception
    words = "\n".join(texts(app))
    for expected in (
        "the chain ring of my Heron is worn",
        "Thank you for your order of 3 March",
        "Do you have the one with 42 teeth",
        "A question that the knowledge answers.",
        "costs 38.50 EUR.[1] Delivery to Ghent takes two days. On Saturday",
        "[2] Opening hours",
        "No source says how long delivery takes.",
        "Not answered: What does delivery to Ghent cost?",
        "Quality 0.71 is below the threshold 0.85.",
        "The sender of the last message; no Reply-To was given.",
        "To: ada@quill.example\nSubject: Re: Spare chain ring for the Heron",
        invented.hashed(invented.DRAFT.subject, invented.BODY),
        "classify  23 ms",
        "Ada Quill <ada@quill.example>",
    ):
        assert expected in words, expected


def test_the_nearest_knowledge_stands_open_beside_an_open_question(
    window: Opener, world: World
) -> None:
    """What the draft does not answer can be looked for at once; else what was read is folded."""
    case = world.cases["case-1"]
    repairs = case.snippets[0].model_copy(
        update={"ref": "knowledge:repairs", "title": "Repairs", "text": "A repair takes a week."}
    )
    case = case.model_copy(update={"snippets": (*case.snippets, repairs)})
    for unanswered in (("How long does a repair take?",), ()):
        newest = case.revisions[-1]
        draft = newest.draft.model_copy(update={"unanswered": unanswered})
        revision = newest.model_copy(update={"draft": draft})
        world.cases["case-1"] = case.model_copy(update={"revisions": (revision,)})
        app = window("review", case="case-1")
        assert says(app, "Perhaps in these") is bool(unanswered)


def test_a_case_leads_to_its_flow_run(window: Opener, world: World) -> None:
    """The journal ends with a link to the run in Prefect; without a run there is none."""
    link = "[The flow run in Prefect](http://127.0.0.1:4200/runs/flow-run/0192)"
    assert link in [one.value for one in window("review").caption]
    for id, case in world.cases.items():
        world.cases[id] = case.model_copy(update={"run_url": ""})
    assert not any("Prefect" in one.value for one in window("review").caption)


def test_an_empty_queue_says_when_the_last_message_came(window: Opener, world: World) -> None:
    """Nothing to do is said in one sentence."""
    world.cases.clear()
    app = window("review")
    assert says(app, "Nothing needs you.")
    assert says(app, "The last message came 4 minutes ago.")


def test_an_empty_queue_without_mail_says_so(window: Opener, world: World) -> None:
    """The very first visit has its own sentence."""
    world.cases.clear()
    world.messages.clear()
    assert says(window("review"), "No mail has come yet.")


def test_a_filter_without_result_says_so(window: Opener) -> None:
    """An empty list because of a filter is not an empty queue."""
    app = window("review")
    app.text_input(key="filter-q").input("nothing like this").run()
    assert says(app, "Nothing matches.")
    assert app.session_state["case"] is None, "what does not match stays open on the right"
    app.text_input(key="filter-q").input("").run()
    assert opened(app) == ["case-1"]


def test_filters_reach_the_engine(window: Opener, world: World) -> None:
    """Each narrower filter is a parameter of the list."""
    app = window("review")
    app.selectbox(key="filter-priority").select("urgent").run()
    queue = [query for _, path, query in world.calls if path.endswith("/queue")][-1]
    assert queue["priority"] == "urgent"
    assert "state" not in queue
    assert opened(app) == [line["id"] for line in lines(app)] == ["case-2"]


def test_moving_through_the_list(window: Opener) -> None:
    """Next and previous walk the list and stop at its ends."""
    app = window("review")
    seen = []
    for key in ("move-next", "move-next", "move-next", "move-previous"):
        button(app, key).click().run()
        seen.append(app.session_state["case"])
    assert seen == ["case-2", "case-3", "case-3", "case-2"]


def test_a_line_of_the_list_opens_its_case(window: Opener) -> None:
    """Pressing a line shows that case on the right."""
    app = window("review")
    press(app, "case-3")
    assert app.session_state["case"] == "case-3"
    assert says(app, "Billing address")


@pytest.mark.parametrize(("version", "told"), [(3, False), (2, True)])
def test_a_case_that_moved_on_is_told_without_a_reload(
    version: int, told: bool, served: Served
) -> None:
    """The watcher compares versions, says so, and leaves the reload to the reader."""

    def watching(version: int) -> None:
        import streamlit as st

        from tests.core.window import invented
        from ui.mail.views.review import watch

        shown = {"version": version, "revisions": ()}
        st.session_state["watched"] = invented.case("case-1").model_copy(update=shown)
        watch()

    app = AppTest.from_function(watching, kwargs={"version": version}, default_timeout=90)
    app.session_state["token"] = TOKEN
    app.session_state["case"] = "case-1"
    app.run()
    assert not app.exception
    assert says(app, "Changed since you opened it") is told
    assert says(app, "There is a newer draft, by Postern.") is told
    assert ("reload" in keys(app)) is told


def test_to_whom_it_was_given_is_said_by_name(served: Served, world: World) -> None:
    """The address is for machines."""

    def watching() -> None:
        import streamlit as st

        from tests.core.window import invented
        from ui.mail.views.review import watch

        st.session_state["watched"] = invented.case("case-1")
        watch()

    case = world.cases["case-1"]
    item = case.item.model_copy(update={"assignee": "mira@kettle.example"})
    update = {"item": item, "version": case.version + 1}
    world.cases["case-1"] = case.model_copy(update=update)
    app = AppTest.from_function(watching, default_timeout=90)
    app.session_state["token"] = TOKEN
    app.session_state["case"] = "case-1"
    app.run()
    assert not app.exception
    assert says(app, "It was given to Mira Holt.")


@pytest.mark.parametrize(
    ("panel", "writing"), [("", False), ("note", True), ("reject", False), ("changed", True)]
)
def test_it_is_said_who_else_has_the_case_open(
    panel: str, writing: bool, served: Served, world: World
) -> None:
    """Who writes there is named as such; that one writes oneself is told to the others."""

    def watching() -> None:
        import streamlit as st

        from tests.core.window import invented
        from ui.mail.deciding import unsent
        from ui.mail.views.review import watch

        case = st.session_state["watched"] = invented.case("case-1")
        if st.session_state["panel"] == "changed":  # the field of the reply has told so
            unsent.keep(case.id, "Re: Chains", "Chains cost 12 euros.")
        watch()
        unsent.drop(case.id)

    world.onlookers = (
        Onlooker(name="Femke Aerts", writing=True), Onlooker(name="Jonas Pohl", writing=False),
    )  # fmt: skip
    app = AppTest.from_function(watching, default_timeout=90)
    app.session_state["token"], app.session_state["case"] = TOKEN, "case-1"
    app.session_state["panel"] = panel
    app.run()
    assert not app.exception
    assert says(app, "Femke Aerts is writing here")
    assert says(app, "Jonas Pohl has this case open too")
    assert world.looks == [("case-1", writing)]
    world.onlookers = ()
    app.run()
    assert not says(app, "Femke Aerts")


def test_no_key_means_two_things_on_one_page(window: Opener, world: World) -> None:
    """Every shortcut on the screen belongs to one button."""
    world.stopped = True
    for panel in ("", "reject", "reassign", "forward", "close", "edit"):
        app = window("review", panel=panel)
        shortcuts = [entry.proto.shortcut for entry in app.button if entry.proto.shortcut]
        assert len(shortcuts) == len(set(shortcuts)), shortcuts


def test_a_list_is_one_element_however_long_it_is(window: Opener, world: World) -> None:
    """What a step costs in the browser is the number of elements: lines are data of one."""
    for number in range(4, 26):
        id = f"case-{number}"
        world.cases[id] = invented.case(id, item=invented.item(id))
    app = window("review")
    assert len(lines(app)) == 25
    drawing = [entry.proto.component_name for entry in app.get("bidi_component")]
    assert drawing.count("postern_lines") == 1
    assert "case-25" not in {str(entry.key) for entry in app.button}


def test_what_waits_stands_beside_the_names_of_the_pages(window: Opener, world: World) -> None:
    """The number of cases and of what the screen stopped; a decision is counted at once."""
    app = window("review")
    assert _number(app, 'href$="/review"') == "3"
    assert _number(app, 'href$="/quarantine"') == str(len(world.held))
    assert _number(app, 'href$="/chats"') == ""
    button(app, "approve").click().run()
    assert _number(app, 'href$="/review"') == "2"


def _number(app: AppTest, place: str) -> str:
    """Return what the style writes after the name of a page."""
    styles = [str(entry.proto.body) for entry in app.get("html") if "<style>" in entry.proto.body]
    rules = [rule for style in styles for rule in style.split("}") if place in rule]
    return rules[0].partition('content: "')[2].partition('"')[0] if rules else ""


def test_a_letter_means_the_same_on_every_page() -> None:
    """Where two pages have a letter, what it does begins with the same verb."""
    verbs: dict[str, set[str]] = {}
    for place in KEYS.values():
        for names, text in place.items():
            for key in names.split(" / "):
                verbs.setdefault(key, set()).add(text.split()[0])
    assert {key: told for key, told in verbs.items() if len(told) > 1} == {}
    assert len(verbs) > 12


@pytest.mark.parametrize(("minutes", "words"), [(-180, "late by 3 h"), (90, "due in")])
def test_a_card_says_how_long_there_is(
    window: Opener, world: World, minutes: int, words: str
) -> None:
    """Where the organization has set by when mail is answered."""
    due = datetime.now(UTC) + timedelta(minutes=minutes)
    target = ServiceTarget(kind=TargetKind.FIRST_ANSWER, due_at=due)
    item = world.cases["case-1"].item.model_copy(update={"target": target})
    world.cases["case-1"] = world.cases["case-1"].model_copy(update={"item": item})
    assert says(window("review"), words)
