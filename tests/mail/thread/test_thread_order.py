"""Conversations do not depend on the order of arrival, and nobody guesses his way into one."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mail.thread.reading_order import parents_first
from tasks.mail.thread.thread_book import ThreadBook
from tests.mail.thread.threading_mail import ADA, BOB, EVE, NOW, Mail

PEOPLE = (ADA, BOB, "cy@z.example")
SUBJECTS = ("Broken gear", "A quote for four looms", "Hi", "", "Visit on Tuesday")


@st.composite
def correspondence(draw: st.DrawFn) -> list[Mail]:
    """Honest mail: everybody names only what was written by him or to him, and its ancestors."""
    mails: list[Mail] = []
    for number in range(draw(st.integers(1, 9))):
        sender = draw(st.sampled_from(PEOPLE))
        others = tuple(one for one in PEOPLE if one != sender)
        to = tuple(draw(st.lists(st.sampled_from(others), unique=True, max_size=2)))
        id = f"<{number}@p>" if draw(st.integers(0, 9)) else None
        known = [m for m in mails if m.id and (m.sender == sender or sender in m.to)]
        parent = draw(st.sampled_from([None, *known]))
        subject = draw(st.sampled_from(SUBJECTS))
        if parent is None:
            mails.append(Mail(sender, id, subject, to=to, text=str(number)))
            continue
        kept = draw(st.booleans())
        mails.append(
            Mail(
                sender,
                id,
                f"Re: {parent.subject}" if kept else subject,
                in_reply_to=parent.id if draw(st.booleans()) else None,
                references=(*parent.references, str(parent.id)),
                to=tuple({*to, *((parent.sender,) if parent.sender != sender else ())}),
                text=str(number),
            )
        )
    return mails


def conversations(mails: list[Mail], order: list[int]) -> set[frozenset[int]]:
    """Place mail in this order; return who is together."""
    book = ThreadBook()
    placed: dict[int, str] = {}
    for turn, number in enumerate(order):
        head = mails[number].head(f"m{turn:03}", NOW + timedelta(minutes=turn))
        placed[number] = book.place(head).thread_id
    grouped: dict[str, set[int]] = {}
    for number, thread in placed.items():
        grouped.setdefault(book.thread_of(thread), set()).add(number)
    return {frozenset(group) for group in grouped.values()}


@settings(max_examples=300, deadline=None)
@given(data=st.data(), mails=correspondence())
def test_the_order_of_arrival_changes_no_conversation(
    data: st.DataObject, mails: list[Mail]
) -> None:
    """Whatever comes first, in the end the same messages are together."""
    order = data.draw(st.permutations(range(len(mails))))
    assert conversations(mails, list(order)) == conversations(mails, list(range(len(mails))))


@st.composite
def guesses(draw: st.DrawFn) -> list[Mail]:
    """Mail of somebody whom nobody writes to, and who knows every id there is."""
    ids = [f"<{number}@p>" for number in range(9)]
    return [
        Mail(
            EVE,
            draw(st.sampled_from([*ids, f"<e{number}@shrike>"])),
            draw(st.sampled_from(SUBJECTS)),
            in_reply_to=draw(st.sampled_from([None, *ids])),
            references=tuple(draw(st.lists(st.sampled_from(ids), max_size=4))),
            to=tuple(draw(st.lists(st.sampled_from(PEOPLE), unique=True))),
            reply_to=draw(st.sampled_from(("", *PEOPLE))),
            text=f"guess {number}",
        )
        for number in range(draw(st.integers(1, 4)))
    ]


@settings(max_examples=300, deadline=None)
@given(data=st.data(), mails=correspondence(), theirs=guesses())
def test_nobody_guesses_his_way_into_a_conversation(
    data: st.DataObject, mails: list[Mail], theirs: list[Mail]
) -> None:
    """Before, between or after: a guesser is together with nobody, and parts nobody."""
    everything = [*mails, *theirs]
    order = list(data.draw(st.permutations(range(len(everything)))))
    found = conversations(everything, order)
    honest = set(range(len(mails)))
    assert all(group <= honest or not group & honest for group in found)
    without = conversations(mails, [number for number in order if number in honest])
    assert {group for group in found if group <= honest} == without


@given(
    st.permutations("abcd"),
    st.sets(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), max_size=6),
)
def test_parents_are_read_before_their_answers(
    items: list[str], answers: set[tuple[str, str]]
) -> None:
    """Nothing is lost, loops end, and without answers the order of arrival stays."""
    found = parents_first(items, answers)
    assert sorted(found) == sorted(items)
    assert parents_first(items, []) == items
    assert parents_first("ba", {("b", "a")}) == ["a", "b"]
