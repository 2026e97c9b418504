from pathlib import Path
from typing import Any

import pytest

from data.lexicons.drafting import phrases
from data.records.core.briefing import Briefing
from data.records.core.citations import Citation
from data.records.mail.drafting import Checked, Draft, Severity
from data.records.mail.planning import ActionType, Plan
from data.word_lists import word_list
from tasks.mail.actions import make_action
from tasks.mail.check.checking import check
from tasks.mail.draft.names import closing, greeting
from tests.mail.mind.examples import FRAME, ORGANIZATION, POLICY, SENDER, briefing, intent, message

SENTENCES: dict[str, list[Any]] = word_list(Path(__file__).with_name("findings_in_drafts.yaml"))
PRICE = "A single kayak costs 31.50 euros per day."
ASKED = "What does a single kayak cost per day?"


def letter(*sentences: str, cite: str = "knowledge:rental-price", **more: object) -> Draft:
    """Return a draft of these sentences, each citing one source."""
    words = phrases("en")
    head = greeting(words, "en", POLICY, SENDER, ORGANIZATION)
    tail = closing(words, "en", POLICY, ORGANIZATION)
    values: dict[str, object] = {
        "subject": "Re: Boats",
        "body": "\n\n".join((head, " ".join(sentences), tail)),
        "language": "en",
        "citations": tuple(Citation(sentence=s, ref=cite) for s in sentences if cite),
    }
    return Draft.model_validate(values | more)


def checked(
    made: Draft, asked: str = ASKED, within: Briefing | None = None, **more: object
) -> Checked:
    """Return what the check says about a draft."""
    return check(
        made,
        within or briefing(),
        new_text=asked,
        organization=ORGANIZATION,
        policy=POLICY,
        sender=SENDER,
        **more,  # type: ignore[arg-type]
    )


def names(result: Checked) -> set[str]:
    """Return the names of the checks that found something."""
    return {finding.check for finding in result.findings}


def test_a_cited_answer_passes() -> None:
    """A sentence of the knowledge, cited, answers its question without findings."""
    result = checked(letter(PRICE))
    assert result.findings == ()
    assert result.quality > 0.9
    assert set(result.parts) == {"complete", "grounded", "tone", "safe"}


def test_a_faithful_paraphrase_passes() -> None:
    """The same facts in another order, with the number written otherwise, are still grounded."""
    assert "31,50" in (made := letter("Per day, a single kayak costs 31,50 €.")).body
    assert names(checked(made)) == set()


@pytest.mark.parametrize(("sentence", "finding"), SENTENCES["claims"])
def test_a_claim_beyond_its_source_is_held(sentence: str, finding: str) -> None:
    """A number, unit, date, name, promise or denial that the cited source lacks is held."""
    result = checked(letter(sentence))
    assert finding in names(result)
    assert result.parts["grounded"] == 0
    assert result.quality == 0


def test_a_sentence_without_source_is_held() -> None:
    """A true sentence that cites nothing is held all the same."""
    assert "uncited_sentence" in names(checked(letter(PRICE, cite="")))


@pytest.mark.parametrize(
    "ref", ["knowledge:opening-hours", "knowledge:nothing", "message:1", "template:x"]
)
def test_a_wrong_citation_does_not_help(ref: str) -> None:
    """A citation counts only when that very source is trusted and holds the sentence."""
    within = briefing(thread=[message(1, PRICE)])
    assert checked(letter(PRICE, cite=ref), within=within).quality == 0


def test_internal_knowledge_is_blocked() -> None:
    """Text of internal knowledge in a draft bars sending, whatever it cites."""
    told = "The margin on kayak rentals is 23 percent after the insurance of the fleet is paid."
    for ref in ("internal:margin", "knowledge:margin"):
        result = checked(letter(told, cite=ref))
        assert any(
            f.check == "internal_text" and f.severity is Severity.BLOCK for f in result.findings
        )
        assert result.parts["safe"] == 0


@pytest.mark.parametrize("link", SENTENCES["links"])
@pytest.mark.parametrize("place", ["body", "subject"])
def test_an_unlisted_link_is_held(link: str, place: str) -> None:
    """Every form of a link to a host that the policy does not list is held, in body and subject."""
    made = letter(PRICE, f"See {link} now.") if place == "body" else letter(PRICE, subject=link)
    result = checked(made)
    assert "unlisted_link" in names(result)
    assert result.parts["safe"] < 1


@pytest.mark.parametrize("link", ["https://lantern.example/trips?a=1", "www.lantern.example"])
def test_a_listed_link_passes(link: str) -> None:
    """A host on the policy's list may be linked to."""
    assert "unlisted_link" not in names(checked(letter(PRICE, f"See {link} for kayak trips.")))


@pytest.mark.parametrize("text", SENTENCES["no links"])
def test_plain_text_is_no_link(text: str) -> None:
    """Numbers, times and abbreviations are not taken for links."""
    assert "unlisted_link" not in names(checked(letter(text)))


@pytest.mark.parametrize("address", ["eve@evil.test", "EVE@evil.test", "wim@tulip.example"])
def test_a_foreign_address_is_held(address: str) -> None:
    """Only the organization's own addresses may stand in a reply."""
    assert "foreign_address" in names(checked(letter(PRICE, f"Write to {address}.")))
    assert "foreign_address" not in names(checked(letter(PRICE, "Ask bills@lantern.example.")))


@pytest.mark.parametrize(("text", "kind"), SENTENCES["secrets"])
def test_secrets_are_blocked(text: str, kind: str) -> None:
    """Keys, codes, recovery links and account numbers bar sending and leave no quality."""
    result = checked(letter(PRICE, text))
    found = {f.check: f.severity for f in result.findings}
    assert found.get(kind) is Severity.BLOCK
    assert result.quality == 0


@pytest.mark.parametrize("text", SENTENCES["no secrets"])
def test_plain_sentences_are_no_secrets(text: str) -> None:
    """Speaking about passwords, codes and telephones is not telling one."""
    assert not {"secret", "one_time_code", "account_number", "long_number"} & names(
        checked(letter(text))
    )


def test_the_number_in_a_kept_subject_is_the_senders() -> None:
    """A reply keeps the subject with its order's number; in our text, or a card's, it is secret."""
    order, card = "Boats 998877665544332", "Is 4111 1111 1111 1111 charged?"
    kept = letter(PRICE).model_copy(update={"subject": f"Re: {order}"})
    assert "long_number" not in names(checked(kept, kept_subject=order))
    assert "long_number" in names(checked(kept, kept_subject="Boats"))
    repeated = letter(PRICE, "It is 998877665544332.")
    repeated = repeated.model_copy(update={"subject": f"Re: {order}"})
    assert "long_number" in names(checked(repeated, kept_subject=order))
    charged = letter(PRICE).model_copy(update={"subject": f"Re: {card}"})
    assert "account_number" in names(checked(charged, kept_subject=card))


def test_the_senders_words_are_held() -> None:
    """Eight words in a row of the sender's text are not repeated as ours."""
    hostile = "Please confirm in writing that every boat is free for me."
    told = "We confirm in writing that every boat is free for me today."
    assert "copied_from_sender" in names(checked(letter(told), asked=hostile))


@pytest.mark.parametrize("mark", SENTENCES["marks"])
def test_marks_of_a_models_conversation_are_held(mark: str) -> None:
    """What tells a model's roles apart is in no letter, not even before a cited sentence."""
    made = letter(PRICE)
    result = checked(made.model_copy(update={"body": made.body.replace(PRICE, f"{mark} {PRICE}")}))
    assert "model_marks" in names(result)
    assert result.quality < 0.6


@pytest.mark.parametrize("told", SENTENCES["no marks"])
def test_plain_signs_are_no_marks_of_a_model(told: str) -> None:
    """Brackets, bars and headings of ordinary letters are none."""
    assert "model_marks" not in names(checked(letter(told)))


def test_the_wrong_language_is_held() -> None:
    """A draft in another language than it says is held."""
    told = "Das ist der Preis für ein Kajak und er gilt auch für die Paddel am Wochenende."
    assert "language_mismatch" in names(checked(letter(told)))


def test_an_open_question_is_held() -> None:
    """A question that no sentence of the draft answers is found, whether listed or not."""
    both = f"{ASKED} Do you rent out tents?"
    result = checked(letter(PRICE), asked=both)
    assert [f.excerpt for f in result.findings if f.check == "unanswered_question"] == [
        "Do you rent out tents?"
    ]
    assert 0 < result.parts["complete"] <= 0.5
    assert checked(letter(PRICE, unanswered=(ASKED,))).quality == 0


def test_irrelevant_truth_does_not_complete() -> None:
    """A grounded sentence about something else does not answer the question."""
    told = "Dogs are not allowed in double kayaks."
    assert checked(letter(told, cite="knowledge:dogs"), asked="Do you rent tents?").quality == 0


def test_thanks_complete_a_suggestion() -> None:
    """A suggestion put as a question wants no answer but thanks."""
    wish = intent("Could you add sails to the kayaks?", "request", "feature_request")
    made = letter(phrases("en").feature, cite="")
    ticket = Plan(actions=(make_action(ActionType.CREATE_TICKET, "A new suggestion."),))
    assert checked(made, asked=wish.text, intents=(wish,), plans=(ticket,)).quality == 1
    assert checked(made, asked=wish.text, intents=(wish,)).quality == 0
    assert checked(made, asked=wish.text).quality == 0


def test_operator_lines_need_no_source() -> None:
    """Phrases, signature and saved replies are the operator's words and are not held."""
    made = letter("Thank you for asking.", PRICE, "Come and paddle.", cite="")
    made = made.model_copy(update={"citations": letter(PRICE).citations})
    assert checked(made, saved_replies=(FRAME,)).findings == ()
    assert "uncited_sentence" in names(checked(made))


def test_what_is_too_long_to_check_is_held() -> None:
    """A draft or message beyond any letter's length has no quality, however good it looks."""
    assert names(checked(letter(PRICE * 500))) == {"too_long"}
    result = checked(letter(PRICE), asked=f"{ASKED} {'So we said. ' * 5000}Where is my refund?")
    assert names(result) == {"too_long"}
    assert result.quality == 0


@pytest.mark.parametrize("body", ["", "  \n\t "])
def test_an_empty_draft_has_no_quality(body: str) -> None:
    """Nothing said is worth nothing."""
    result = checked(letter(body=body))
    assert names(result) == {"empty_draft"}
    assert result.quality == 0
