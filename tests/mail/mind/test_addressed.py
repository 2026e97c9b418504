"""Whom a mail is for: a colleague's forward, a copy for our information, and whose answer it is."""

from pathlib import Path

import pytest

from data.records.core.organization import Organization, Person
from data.records.core.parsed_mail import Address
from data.records.mail.planning import ActionType, Plan
from data.word_lists import word_list
from tasks.core.parse.parsing import parse
from tasks.mail.actions import make_action
from tasks.mail.compose.recipients import choose_recipients
from tasks.mail.plan.addressed import left_to, without_answer
from tasks.mail.read import Reading, read_mail, with_writer
from tests.mail.reading.test_automated import envelope

HOUSE = Organization(
    slug="quay",
    name="Quay Looms",
    addresses=("desk@quay.example",),
    group_addresses=("sales@quay.example",),
    people=(Person(name="Ole Reed", email="ole@reed.example", role="desk"),),
)
HEADS = [
    "---------- Forwarded message ---------\nFrom: Mara Heron <mara@heron.example>\n"
    "Date: Mon, 2 Mar 2026 at 09:12\nSubject: Loom hums\nTo: Ole <ole@quay.example>\n",
    "-----Ursprüngliche Nachricht-----\nVon: Mara Heron <mara@heron.example>\n"
    "Gesendet: Montag, 2. März 2026 09:12\nAn: Ole <ole@quay.example>\nBetreff: Loom hums\n",
    "Begin forwarded message:\n\nFrom: Mara Heron <mara@heron.example>\nSubject: Loom hums\n"
    "Date: 2 March 2026\nTo: Ole <ole@quay.example>\n",
    "-------- Message transféré --------\nSujet : Loom hums\nDate : 2 mars 2026\n"
    "De : Mara Heron <mara@heron.example>\nPour : Ole <ole@quay.example>\n",
]


def forwarded(head: str, sender: str = "Ole <ole@quay.example>") -> Reading:
    """Return a forward by `sender`, as it is read for the organization."""
    raw = (
        f"From: {sender}\nTo: desk@quay.example\nSubject: Fwd: Loom hums\nMessage-ID: <f@q>\n"
        f"Content-Type: text/plain; charset=utf-8\n\n"
        f"Please answer her. Ole\n\n{head}\nHello Ole,\n\nwhat does a repair cost?\n\nMara Heron\n"
    )
    people = [one.email for one in HOUSE.people]
    return with_writer(read_mail(raw.encode()), HOUSE.own_addresses, people)


@pytest.mark.parametrize("head", HEADS, ids=["en", "de", "apple", "fr"])
@pytest.mark.parametrize("sender", ["Ole <ole@quay.example>", "Ole Reed <ole@reed.example>"])
def test_whose_mail_a_colleague_passes_on_is_answered(head: str, sender: str) -> None:
    """The customer is the recipient, her words are what is new, and a person decides."""
    read = forwarded(head, sender)
    assert read.passed_on == Address(name="Mara Heron", email="mara@heron.example")
    assert read.segments.new.startswith("Hello Ole,")
    assert "Please answer" not in read.segments.new
    to = choose_recipients(read.mail, envelope(), HOUSE, read.passed_on)
    assert (to.to, to.provenance, to.needs_person) == (("mara@heron.example",), "passed_on", True)


@pytest.mark.parametrize(
    ("head", "sender"),
    [
        (HEADS[0], "Eve <eve@shrike.test>"),
        (HEADS[0].replace("mara@heron.example", "no-reply@heron.example"), "ole@quay.example"),
        (HEADS[0].replace("mara@heron.example", "desk@quay.example"), "ole@quay.example"),
        (HEADS[0].replace("mara@heron.example", "ole@quay.example"), "ole@quay.example"),
        (HEADS[0].replace("<mara@heron.example>", ""), "ole@quay.example"),
    ],
    ids=["a stranger", "a machine's", "ours", "his own", "no address"],
)
def test_a_forward_of_nobody_else_is_the_forwarders(head: str, sender: str) -> None:
    """Only a colleague passes on, and only what somebody else wrote who can be answered."""
    read = forwarded(head, sender)
    assert read.passed_on is None
    assert read.segments.new.startswith("Please answer her")


def others(text: str, to: str, cc: str) -> str:
    """Return to whom a mail leaves the answer."""
    raw = f"From: Otto <otto@heron.example>\nTo: {to}\nCc: {cc}\nSubject: Friday\n\n{text}"
    return left_to(parse(raw.encode()), text, HOUSE)


@pytest.mark.parametrize(
    ("text", "to", "cc", "whose"), word_list(Path(__file__).with_name("addressed.yaml"))["left to"]
)
def test_the_answer_is_left_to_who_is_asked(text: str, to: str, cc: str, whose: str) -> None:
    """Who stands in To where we are in copy alone; nobody where we or a colleague are asked.

    That is in To, in a note to oneself, in a blind copy, or by our name at the beginning of a
    line; a name within a sentence turns to nobody.
    """
    assert others(text, to, cc) == whose


def test_a_plan_for_somebody_else_answers_nothing_and_still_hands_over() -> None:
    """No reply, question or ticket is left; what goes to a person goes to a person."""
    reply = make_action(ActionType.REPLY, "About the price.")
    ticket = make_action(ActionType.CREATE_TICKET, "Somebody carries it out.")
    grave = make_action(ActionType.ESCALATE, "Urgent.", argument="ole@reed.example")
    left = without_answer(Plan(actions=(ticket, reply)), "Ben")
    assert [one.type for one in left.actions] == [ActionType.ARCHIVE]
    assert (left.left_to, left.replies) == ("Ben", False)
    assert [one.type for one in without_answer(Plan(actions=(grave, reply)), "Ben").actions] == [
        ActionType.ESCALATE
    ]
    untouched = Plan(actions=(ticket, reply))
    assert without_answer(untouched, "") is untouched
