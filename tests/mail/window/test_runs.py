"""Text cut into marked pieces."""

from hypothesis import given
from hypothesis import strategies as st

from data.records.core.citations import Citation
from data.records.mail.drafting import Finding, Severity
from ui.core.text.inert import show_controls
from ui.core.text.text_runs import annotate_body, changed_share, difference, numbers

BODY = "It costs 9 EUR. It takes two days. It costs 9 EUR."
COST = Citation(sentence="It costs 9 EUR.", ref="knowledge:price", title="Price list")
DAYS = Finding(
    check="unsupported", severity=Severity.HOLD, excerpt="two days", sentence="No source says so."
)


def text(runs: object) -> str:
    """Return the words of runs without the numbers of sources."""
    return "".join(entry.text for entry in runs if entry.mark != "cite")  # type: ignore[attr-defined]


def test_a_cited_sentence_is_followed_by_its_number() -> None:
    """The number stands directly after the sentence and names its source."""
    runs = annotate_body(BODY, (COST,), ())
    place = next(index for index, entry in enumerate(runs) if entry.mark == "cite")
    assert runs[place].text == "[1]"
    assert runs[place].note == "Price list"
    assert "".join(entry.text for entry in runs[:place]) == "It costs 9 EUR."


def test_a_number_leads_to_its_source_and_shows_how_it_begins() -> None:
    """Where the pointer rests stand the title and the first words; a press names the place."""
    (number,) = (
        entry
        for entry in annotate_body(
            BODY, (COST,), (), {COST.ref: "Parcels cost\n9 EUR. " * 40}, "at"
        )
        if entry.mark == "cite"
    )
    assert number.to == "at-1"
    assert number.note.startswith("Price list\nParcels cost 9 EUR.")
    assert len(number.note) < 330


def test_a_finding_marks_its_words_by_severity() -> None:
    """The words concerned carry the mark and the reason."""
    marked = [entry for entry in annotate_body(BODY, (), (DAYS,)) if entry.mark != "plain"]
    assert [(entry.text, entry.mark, entry.note) for entry in marked] == [
        ("two days", "hold", "No source says so.")
    ]


def test_the_gravest_of_two_findings_wins() -> None:
    """Overlapping findings are drawn as the worst one, with both reasons."""
    grave = DAYS.model_copy(update={"severity": Severity.BLOCK, "sentence": "A promise."})
    marked = [entry for entry in annotate_body(BODY, (), (DAYS, grave)) if entry.mark != "plain"]
    assert [entry.mark for entry in marked] == ["block"]
    assert marked[0].note == "No source says so. A promise."


def test_what_does_not_stand_in_the_body_marks_nothing() -> None:
    """A sentence or excerpt from nowhere changes nothing."""
    stray = COST.model_copy(update={"sentence": "Never said."})
    lost = DAYS.model_copy(update={"excerpt": ""})
    assert [entry.mark for entry in annotate_body(BODY, (stray,), (lost,))] == ["plain"]


def test_sources_are_numbered_in_the_order_of_use() -> None:
    """The same source keeps its number."""
    other = COST.model_copy(update={"ref": "knowledge:hours"})
    assert numbers((other, COST, other)) == {"knowledge:hours": 1, "knowledge:price": 2}


@given(st.text(max_size=120), st.text(max_size=20), st.text(max_size=20))
def test_marking_never_changes_the_words(body: str, sentence: str, excerpt: str) -> None:
    """Joined together, the pieces are the body."""
    citation = COST.model_copy(update={"sentence": sentence})
    finding = DAYS.model_copy(update={"excerpt": excerpt})
    assert text(annotate_body(body, (citation,), (finding,))) == show_controls(body)


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_difference_holds_both_texts(before: str, after: str) -> None:
    """Without what was removed it is the new text, without what was added the old one."""
    runs = difference(before, after)
    assert "".join(run.text for run in runs if run.mark != "removed") == show_controls(after)
    assert "".join(run.text for run in runs if run.mark != "added") == show_controls(before)


def test_the_share_changed_is_by_words() -> None:
    """Nothing changed is 0, everything changed is 1."""
    assert changed_share("a b c", "a b c") == 0
    assert changed_share("a", "b") == 1
    assert 0 < changed_share("one two three", "one two four") < 0.5
