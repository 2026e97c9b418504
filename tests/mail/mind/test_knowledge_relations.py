"""What knowledge says of other knowledge: whose part it is, and what it contradicts."""

from datetime import date
from pathlib import Path

import pytest

from connectors.knowledge.succession import contradicted_on, in_force, with_successors
from connectors.knowledge.weighing import weight
from connectors.sources.markdown_files import read_knowledge_files
from data.policy_files import load_policy
from data.records.core.briefing import Briefing, Snippet, SourceKind
from data.records.core.citations import Citation
from data.records.core.knowledge import KnowledgeEntry, KnowledgeKind
from data.records.core.organization import Organization
from data.records.core.parsed_mail import Address
from data.records.mail.drafting import Draft
from flows.mail.knowing.all_knowledge import list_misfits
from tasks.mail.check.checking import check

TODAY = date(2026, 3, 2)


def entry(id: str, **more: object) -> KnowledgeEntry:
    """Return an entry of that name."""
    return KnowledgeEntry.model_validate(
        {"id": id, "title": id.title(), "body": f"The {id} is open.", **more}
    )


def standing(*entries: KnowledgeEntry) -> set[str]:
    """Return the entries that hold today."""
    return {one.id for one in with_successors(entries) if in_force(one, TODAY)}


def test_a_part_goes_with_its_whole() -> None:
    """What belongs to a replaced price list is not found; what belongs to the new one is."""
    entries = (
        entry("list"),
        entry("row", belongs_to=("list",)),
        entry("cell", belongs_to=("row",)),
        entry("next", supersedes=("list",)),
        entry("line", belongs_to=("next",)),
    )
    assert standing(*entries) == {"next", "line"}
    assert standing(*entries[:3]) == {"list", "row", "cell"}
    gone = date(2026, 3, 1)
    assert "row" in standing(*entries[:3], entry("next", supersedes=("list",), valid_until=gone))


def test_parts_of_each_other_are_no_trouble() -> None:
    """A circle of parts holds, and one that names itself by others too."""
    assert standing(entry("a", belongs_to=("b",)), entry("b", belongs_to=("a",))) == {"a", "b"}


def test_a_contradiction_counts_for_both_until_one_supersedes() -> None:
    """Whichever says it, both are contradicted; superseding settles it, and so does its end."""

    def against(*entries: KnowledgeEntry) -> dict[str, list[str]]:
        made = with_successors(entries)
        gone = {one.id for one in made if not in_force(one, TODAY)}
        held = [contradicted_on(one, TODAY, gone) for one in made]
        return {one.id: [span.by for span in one.contradicted] for one in held}

    a = entry("a", contradicts=("b",))
    assert against(a, entry("b")) == {"a": ["b"], "b": ["a"]}
    assert against(a, entry("b", supersedes=("a",))) == {"a": [], "b": []}
    assert against(a, entry("b", valid_until=date(2026, 3, 1)))["a"] == []
    assert against(a, entry("b", trusted=False)) == {"a": [], "b": []}
    assert against(a, entry("b"), entry("c", supersedes=("b",)))["a"] == []


def test_sync_warns_of_what_does_not_fit() -> None:
    """Stated contradictions and names that there are none of are told, once each."""
    told = list_misfits(
        [entry("a", contradicts=("b",), belongs_to=("nowhere",)), entry("b")], TODAY
    )
    assert [ids for _, ids in told] == [("a",), ("a", "b")]
    assert "names 'nowhere'" in told[0][0]
    assert "contradict each other" in told[1][0]
    settled = [entry("a", contradicts=("b",), supersedes=("b",)), entry("b")]
    assert list_misfits(settled, TODAY) == []


@pytest.mark.parametrize("against", [(), ("winter-hours",)])
def test_a_draft_on_contradicted_knowledge_waits(against: tuple[str, ...]) -> None:
    """Its quality is lower and a finding names both; without a contradiction it is whole."""
    said = "The workshop is open from Monday to Friday."
    fact = Snippet(
        source=SourceKind.KNOWLEDGE,
        ref="knowledge:hours",
        title="Hours",
        text=said,
        trusted=True,
        language="en",
        against=against,
    )
    draft = Draft(
        subject="Re: Hours",
        body=said,
        language="en",
        citations=(Citation(sentence=said, ref="knowledge:hours"),),
    )
    checked = check(
        draft,
        Briefing(snippets=(fact,)),
        new_text="When is the workshop open?",
        organization=Organization(slug="teasel", name="Teasel", addresses=("a@teasel.example",)),
        policy=load_policy(),
        sender=Address(email="mara@heron.example"),
    )
    found = [one for one in checked.findings if one.check == "contradicted_source"]
    assert bool(found) is bool(against)
    assert (checked.parts["grounded"] == 1) is not bool(against)


def test_a_preference_gives_way() -> None:
    """Of two entries that fit alike, what holds for everybody counts more."""
    liked = entry("a", kind="preference")
    assert liked.kind is KnowledgeKind.PREFERENCE
    assert weight(liked, None, TODAY) < weight(entry("b"), None, TODAY)


def test_relations_are_read_from_files(tmp_path: Path) -> None:
    """Front matter holds them, and an entry that names itself is refused."""
    folder = tmp_path / "knowledge"
    folder.mkdir()
    front = "---\ntitle: Row\nkind: preference\nbelongs_to: [list]\ncontradicts: [other]\n---\n"
    (folder / "row.md").write_text(f"{front}A row is long.\n")
    (folder / "bad.md").write_text("---\ntitle: Bad\ncontradicts: [bad]\n---\nIt is bad.\n")
    reading = read_knowledge_files(tmp_path)
    row = reading.rows["row"]
    assert (row["kind"], row["belongs_to"]) == ("preference", ["list"])
    assert row["contradicts"] == ["other"]
    assert any("key 'contradicts' names the entry itself" in one for one in reading.errors)
