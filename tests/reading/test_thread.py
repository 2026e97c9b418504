"""Which conversation a message joins."""

from datetime import UTC, datetime, timedelta

import pytest

from data.records.mail import ParsedMail
from tasks.thread import ThreadCandidate, ThreadMatch, find_thread, normalize_subject

NOW = datetime(2024, 3, 1, tzinfo=UTC)


def thread(
    name: str, *, owner: str = "ada@x.example", days: float = 1, **more: object
) -> ThreadCandidate:
    """Return a conversation whose newest message is `days` old."""
    values = {"normalized_subject": "broken gear", **more}
    return ThreadCandidate(
        thread_id=name, contact_email=owner, last_message_at=NOW - timedelta(days=days), **values
    )


def find(
    mail: ParsedMail,
    *,
    by_id: dict[str, ThreadCandidate] | None = None,
    by_subject: tuple[ThreadCandidate, ...] = (),
    contact: str = "ada@x.example",
) -> ThreadMatch:
    """Find the conversation of a mail."""
    return find_thread(mail, contact, by_id or {}, by_subject, NOW)


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
        "Odpověď: Broken gear",
        "ΑΠ: Broken gear",
        "Ответ: Broken gear",
        "Відп: Broken gear",
        "השב: Broken gear",
        "رد: Broken gear",
        "回复:Broken gear",
        "答复: Broken gear",
        "返信: Broken gear",
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


def test_answer_of_the_owner_joins() -> None:
    """The owner's answer continues the conversation."""
    found = find(
        ParsedMail(subject="Re: Broken gear", in_reply_to="<1@p>"), by_id={"<1@p>": thread("t1")}
    )
    assert found.thread_id == "t1"
    assert not found.subject_changed


def test_answer_of_a_participant_joins() -> None:
    """Somebody who takes part may continue it, in whatever case the address is written."""
    candidate = thread("t1", owner="bob@y.example", participants=("Ada@X.example",))
    found = find(ParsedMail(references=("<1@p>",)), by_id={"<1@p>": candidate})
    assert found.thread_id == "t1"


def test_answer_of_a_stranger_begins_anew_and_is_linked() -> None:
    """An id that somebody else learned does not let him in."""
    found = find(
        ParsedMail(subject="Broken gear", in_reply_to="<1@p>"),
        by_id={"<1@p>": thread("t1", owner="bob@y.example")},
        by_subject=(thread("t2"),),
    )
    assert found.thread_id is None
    assert found.linked_to == "t1"


def test_nearest_id_counts_first() -> None:
    """In-Reply-To comes before References, and newer references before older ones."""
    by_id = {"<1@p>": thread("t1"), "<2@p>": thread("t2"), "<3@p>": thread("t3")}
    mail = ParsedMail(in_reply_to="<3@p>", references=("<1@p>", "<2@p>"))
    assert find(mail, by_id=by_id).thread_id == "t3"
    assert find(ParsedMail(references=("<1@p>", "<2@p>")), by_id=by_id).thread_id == "t2"


def test_own_id_proves_nothing() -> None:
    """A message that names itself continues nothing."""
    mail = ParsedMail(message_id="<1@p>", in_reply_to="<1@p>", references=("<1@p>",))
    assert find(mail, by_id={"<1@p>": thread("t1")}).thread_id is None


def test_changed_subject_is_told() -> None:
    """An answer under another subject joins and says so."""
    found = find(
        ParsedMail(subject="Something else", in_reply_to="<1@p>"), by_id={"<1@p>": thread("t1")}
    )
    assert found.thread_id == "t1"
    assert found.subject_changed


def test_same_subject_of_the_contact_joins_the_newest() -> None:
    """Without ids the contact's newest conversation of that subject is continued."""
    found = find(
        ParsedMail(subject="AW: Broken gear"),
        by_subject=(thread("t1", days=9), thread("t2", days=3)),
    )
    assert found.thread_id == "t2"


@pytest.mark.parametrize(
    "candidate",
    [
        thread("t1", days=31),
        thread("t1", owner="bob@y.example"),
        thread("t1", normalized_subject="broken wheel"),
    ],
)
def test_subject_joins_only_within_bounds(candidate: ThreadCandidate) -> None:
    """An old conversation, another contact's or another subject is not continued."""
    found = find(ParsedMail(subject="Broken gear"), by_subject=(candidate,))
    assert found.thread_id is None
    assert found.linked_to is None


@pytest.mark.parametrize("subject", ["", "Re:", "Hi", "Hello!", "AW: Frage", "???", "Re: Danke"])
def test_subject_that_says_nothing_joins_nothing(subject: str) -> None:
    """Trivial subjects are no sign of one conversation."""
    candidate = thread("t1", normalized_subject=normalize_subject(subject))
    assert find(ParsedMail(subject=subject), by_subject=(candidate,)).thread_id is None
