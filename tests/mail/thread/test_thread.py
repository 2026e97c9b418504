"""Which conversation a message joins: who may, by what, and who may not."""

from datetime import timedelta

import pytest

from tasks.core.segment.subject import is_reply_subject, opening_subject
from tasks.mail.thread.conversation_ties import NAMED, normalize_subject
from tasks.mail.thread.thread_book import ThreadBook
from tests.mail.thread.threading_mail import ADA, BOB, EVE, NOW, Mail, place_all


@pytest.mark.parametrize(
    "subject",
    [
        "Broken gear",
        "Re: Broken gear",
        "RE : broken  GEAR",
        "Re[2]: Broken gear",
        "Re(3): Broken gear",
        "AW: WG: Broken gear",
        "Antw: Broken gear",
        "SV: VS: Broken gear",
        "Odp: Broken gear",
        "RIF: R: Broken gear",
        "RES: ENC: Broken gear",
        "RV: Broken gear",
        "TR: RÉF: Broken gear",
        "YNT: Broken gear",
        "Vá: Broken gear",
        "Antw.: Broken gear",
        "Odpověď: Broken gear",
        "ΑΠ: Broken gear",
        "Ответ: Broken gear",
        "Відп: Broken gear",
        "השב: Broken gear",
        "رد: Broken gear",
        "回复:Broken gear",
        "答复: Broken gear",
        "返信: Broken gear",
        "Re\uff1aBroken gear",
        "\u8f6c\u53d1\uff1a\u56de\u590d\uff1aBroken gear",
        "\u200f\u05d4\u05e9\u05d1\u200f: Broken gear",
        "YNT: \u0130LT: Broken gear",
        "На: Broken gear",
        "회신: Broken gear",
        "Trả lời: Broken gear",
        "Bls: Broken gear",
        "[gears] Re: [list] Broken gear",
        "Re: [gears] Fwd: AW: Broken gear (fwd)",
    ],
)
def test_prefixes_and_tags_are_taken_off(subject: str) -> None:
    """Answer and forward prefixes of twenty languages and list tags do not count."""
    assert normalize_subject(subject) == "broken gear"


@pytest.mark.parametrize(
    ("subject", "normalized"),
    [("Report: gears", "report: gears"), ("[urgent]", "[urgent]"), ("Re:", ""), ("Ready", "ready")],
)
def test_words_of_the_subject_stay(subject: str, normalized: str) -> None:
    """What only looks like a prefix stays, and a lone tag is a subject."""
    assert normalize_subject(subject) == normalized


def test_a_reference_names_the_matter_and_answers_nothing() -> None:
    """Its words are those of the sender; ids say what it answers."""
    assert opening_subject("Ref: order 4711") == "Ref: order 4711"
    assert not is_reply_subject("Ref.: order 4711")
    assert is_reply_subject("AW.: order 4711")


def test_answer_of_the_owner_joins() -> None:
    """The owner's answer continues the conversation, whichever header names it."""
    for named in ({"in_reply_to": "<1@p>"}, {"references": ("<0@p>", "<1@p>")}):
        first, answer = place_all(Mail(ADA, "<1@p>"), Mail(ADA, "<2@p>", "Else", **named))
        assert answer.thread_id == first.thread_id
        assert answer.subject_changed
        assert not answer.new


def test_answer_to_everybody_joins() -> None:
    """Who was addressed and answers to everybody takes part, in whatever case it is written."""
    first, answer = place_all(
        Mail(ADA, "<1@p>", to=("BOB@Y.example",)),
        Mail(BOB, "<2@p>", in_reply_to="<1@p>", to=(ADA.upper(),)),
    )
    assert answer.thread_id == first.thread_id


@pytest.mark.parametrize(("asked", "answered"), [((), (ADA,)), ((BOB,), ()), ((), ())])
def test_answer_of_one_sided_acquaintance_begins_anew(
    asked: tuple[str, ...], answered: tuple[str, ...]
) -> None:
    """Who was not addressed, or leaves the other out, begins a conversation that is linked."""
    first, answer = place_all(
        Mail(ADA, "<1@p>", to=asked), Mail(BOB, "<2@p>", in_reply_to="<1@p>", to=answered)
    )
    assert answer.new
    assert answer.linked_to == first.thread_id
    assert "takes no part" in answer.reason


def test_answer_to_our_mail_joins_only_from_whom_we_wrote_to() -> None:
    """Our reply admits its recipient and nobody else."""
    ours = Mail("", "<o@us>", to=(ADA,))
    sent, answer, other = place_all(
        ours,
        Mail(ADA, "<2@p>", "Else", in_reply_to="<o@us>"),
        Mail(EVE, "<3@p>", in_reply_to="<o@us>"),
    )
    assert answer.thread_id == sent.thread_id
    assert other.new
    assert other.linked_to == sent.thread_id


def test_forged_sender_joins_nothing() -> None:
    """Mail whose From authentication refutes joins neither by ids nor by subject."""
    first, forged, own = place_all(
        Mail(ADA, "<1@p>"),
        Mail(ADA, "<2@p>", in_reply_to="<1@p>", forged=True),
        Mail(ADA, "<3@p>", "Else", in_reply_to="<2@p>"),
    )
    assert forged.new
    assert forged.linked_to == first.thread_id
    assert own.new, "nor is a forged message anybody's parent"


def test_nearest_id_counts_first() -> None:
    """In-Reply-To comes before References; of conversations arranged by hand it alone counts."""
    one, two = Mail(ADA, "<1@p>", "One matter"), Mail(ADA, "<2@p>", "Other matter")
    answer = Mail(ADA, "<3@p>", "Else", in_reply_to="<2@p>", references=("<1@p>",))
    _, second, placed = place_all(one, two, answer, arranged=("m0", "m1"))
    assert placed.thread_id == second.thread_id
    assert placed.joined == ()


def test_a_message_that_answers_two_conversations_makes_them_one() -> None:
    """The older goes on, and the other is named as part of it."""
    one, two = Mail(ADA, "<1@p>", "One matter"), Mail(ADA, "<2@p>", "Other matter")
    first, _, placed = place_all(one, two, Mail(ADA, "<3@p>", references=("<1@p>", "<2@p>")))
    assert placed.thread_id == first.thread_id
    assert placed.joined == ("m1",)


def test_own_id_and_loops_prove_nothing() -> None:
    """A message that names itself continues nothing; two that name each other are one."""
    (alone,) = place_all(Mail(ADA, "<1@p>", in_reply_to="<1@p>", references=("<1@p>",)))
    assert alone.new
    one, two = place_all(
        Mail(ADA, "<1@p>", "One matter", in_reply_to="<2@p>"),
        Mail(ADA, "<2@p>", "Other matter", in_reply_to="<1@p>"),
    )
    assert one.thread_id == two.thread_id


def test_an_answer_before_its_parent_is_joined_when_it_comes() -> None:
    """The parent continues the conversation of its answer, and says so."""
    answer, parent = place_all(
        Mail(ADA, "<2@p>", "Else", in_reply_to="<1@p>"), Mail(ADA, "<1@p>", "Broken gear")
    )
    assert parent.thread_id == answer.thread_id
    assert parent.before
    assert "before" in parent.reason


def test_two_answers_to_what_never_came_are_one() -> None:
    """One contact's answers to the same unknown message belong together; two contacts' do not."""
    one, two, other = place_all(
        Mail(ADA, "<2@p>", "One matter", in_reply_to="<1@p>"),
        Mail(ADA, "<3@p>", "Other matter", in_reply_to="<1@p>"),
        Mail(EVE, "<4@p>", "One matter", in_reply_to="<1@p>"),
    )
    assert two.thread_id == one.thread_id
    assert other.thread_id != one.thread_id


def test_a_stranger_who_came_before_the_parent_is_linked_to_it() -> None:
    """Guessing an id before its owner uses it gains a link, not a place."""
    guess, parent = place_all(
        Mail(EVE, "<9@p>", in_reply_to="<1@p>", to=(ADA,)), Mail(ADA, "<1@p>")
    )
    assert parent.thread_id != guess.thread_id
    assert parent.named_by == (guess.thread_id,)


def test_the_same_id_with_other_content_is_told_and_joins_nothing() -> None:
    """Using the id of somebody's message first does not draw his answers in."""
    taken = Mail(EVE, "<1@p>", text="mine", to=(ADA,))
    thief, owner, answer = place_all(
        taken, Mail(ADA, "<1@p>", text="hers"), Mail(ADA, "<2@p>", "Else", in_reply_to="<1@p>")
    )
    assert owner.same_id_as == "m0"
    assert answer.thread_id == owner.thread_id != thief.thread_id


def test_the_same_mail_by_two_ways_is_one_conversation() -> None:
    """A copy through another route joins, even under a subject that says nothing."""
    one, two = place_all(Mail(ADA, "<1@p>", "Hi"), Mail(ADA, "<1@p>", "Hi"))
    assert two.thread_id == one.thread_id
    assert two.same_id_as is None


def test_missing_message_ids_fall_back_to_the_subject() -> None:
    """Without any id the contact's conversation of that subject is continued."""
    one, two, other = place_all(
        Mail(ADA, None, "Broken gear"), Mail(ADA, None, "AW: Broken gear"), Mail(ADA, None, "Wheel")
    )
    assert two.thread_id == one.thread_id != other.thread_id
    assert two.same_id_as is None


@pytest.mark.parametrize(
    "later",
    [
        Mail(ADA, "<2@p>", "Broken gear", days=31),
        Mail(EVE, "<2@p>", "Broken gear", days=1),
        Mail(ADA, "<2@p>", "Broken wheel", days=1),
        Mail(ADA, "<2@p>", "Broken gear", days=1, reply_to=EVE),
        Mail("", "<2@p>", "Broken gear", days=1),
    ],
)
def test_subject_joins_only_within_bounds(later: Mail) -> None:
    """Too late, another contact, subject or address to answer to, or no sender: a new one."""
    _, placed = place_all(Mail(ADA, "<1@p>", "Broken gear"), later)
    assert placed.new
    assert placed.linked_to is None


def test_the_days_of_the_subject_are_a_setting() -> None:
    """More days join what is older; none joins nothing."""
    mails = (Mail(ADA, "<1@p>"), Mail(ADA, "<2@p>", days=31))
    assert not place_all(*mails, days=40)[1].new
    near = (Mail(ADA, "<1@p>"), Mail(ADA, "<2@p>"))
    assert place_all(*near, days=0)[1].new


@pytest.mark.parametrize("subject", ["", "Re:", "Hi", "Hello!", "AW: Frage", "???", "Re: Danke"])
def test_subject_that_says_nothing_joins_nothing(subject: str) -> None:
    """Trivial subjects are no sign of one conversation."""
    assert place_all(Mail(ADA, "<1@p>", subject), Mail(ADA, "<2@p>", subject))[1].new


def test_of_very_long_references_the_first_and_the_newest_count() -> None:
    """Ten thousand ids cost nothing, and the ends of the chain are found."""
    chain = tuple(f"<{number}@far>" for number in range(10_000))
    for known in (chain[0], chain[-1]):
        first, answer = place_all(
            Mail(ADA, known, "One matter"), Mail(ADA, "<a@p>", "Else", references=chain)
        )
        assert answer.thread_id == first.thread_id
    assert len(Mail(ADA, "<a@p>", references=chain).head("m", NOW).named) == NAMED


def test_a_message_placed_again_stays_where_it_was() -> None:
    """Working on a message again does not carry it elsewhere, nor make a new conversation."""
    mail = Mail(ADA, "<1@p>", "Else").head("m9", NOW + timedelta(minutes=5))
    placed = ThreadBook().place(mail, "elsewhere")
    assert (placed.thread_id, placed.new) == ("elsewhere", False)
