"""What a source says under a limit, or of something else, is held where a draft drops that."""

from pathlib import Path
from typing import Any

from data.records.core.briefing import Briefing, Snippet, SourceKind
from data.records.core.citations import Citation
from data.records.core.organization import Policy
from data.records.mail.drafting import Draft, Finding
from data.word_lists import word_list
from tasks.mail.check.checking import check
from tests.mail.mind.examples import ORGANIZATION, SENDER

SETS: dict[str, list[list[str]]] = word_list(Path(__file__).with_name("limits_in_drafts.yaml"))


def findings_of(language: str, source: str, *body: str) -> list[Finding]:
    """Return the findings in a draft whose sentences all cite one entry."""
    fields: dict[str, Any] = {"source": SourceKind.KNOWLEDGE, "trusted": True, "language": language}
    draft = Draft(
        subject="Re: Looms",
        body=" ".join(body),
        language=language,
        citations=tuple(Citation(sentence=sentence, ref="knowledge:all") for sentence in body),
    )
    checked = check(
        draft,
        Briefing(snippets=(Snippet(ref="knowledge:all", text=source, **fields),)),
        new_text="",
        organization=ORGANIZATION,
        policy=Policy(),
        sender=SENDER,
    )
    return list(checked.findings)


def test_what_leaves_a_limit_out_is_held() -> None:
    """Also where each word of it stands in the source, in a row."""
    assert [row for row in SETS["dropped"] if not findings_of(*row)] == []


def test_what_is_turned_by_a_small_word_is_held() -> None:
    """Who does it, whether it is a duty, how often, before or after, what is more than what."""
    assert [row for row in SETS["turned"] if not findings_of(*row)] == []


def test_what_tells_the_limit_is_not_held() -> None:
    """In another order, in another notation, or of another case of the same sentence."""
    assert [row for row in SETS["told"] if findings_of(*row)] == []


def test_what_is_judged_wrongly_is_known() -> None:
    """These sets shrink where the rules see more; none of them is judged right by now."""
    assert [row for row in SETS["missed"] if findings_of(*row)] == []
    assert [row for row in SETS["held"] if not findings_of(*row)] == []


def test_a_limit_may_stand_in_a_sentence_of_its_own() -> None:
    """It has to be in the letter: what a model cites and does not write tells nobody."""
    source = "Delivery is free for orders above 100 euros."
    assert findings_of("en", source, "Delivery is free.", "This holds above 100 euros.") == []
    (finding,) = findings_of("en", source, "Delivery is free.")
    assert finding.check == "dropped_limit"
    assert "above 100 euros" in finding.sentence


def test_a_figure_of_something_else_is_underlined() -> None:
    """The words of two prices are not put together to a third."""
    source = "The red loom costs 200 euros. The blue loom costs 300 euros."
    (finding,) = findings_of("en", source, "The red loom costs 300 euros.")
    assert (finding.check, finding.excerpt) == ("misplaced_figure", "300 euros")
    assert findings_of("en", source, "The red loom is 200 euros and the blue one 300 euros.") == []
