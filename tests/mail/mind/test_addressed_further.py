"""Whose mail it is: colleagues among each other, quoted forwards, who is turned to in a copy."""

import pytest

from data.records.core.organization import Organization
from tasks.core.parse.parsing import parse
from tasks.mail.plan.addressed import left_to
from tasks.mail.read import Reading, read_mail, with_writer
from tests.mail.mind.test_addressed import HOUSE

AT_HOME = Organization(slug="loom", name="Loom Corner", addresses=("loom.corner@gmail.com",))
QUOTED = (
    "> From: {who}\n> Subject: Loom\n> Date: 2 March 2026\n> To: Ole\n> \n"
    "> Hello,\n> what does it cost?\n"
)
PLAIN = (
    "From: {who}\nSent: Monday, March 2, 2026 9:12 AM\nTo: Ole\nSubject: Loom\n\n"
    "Hello,\nwhat does it cost?\n"
)


def passed(block: str, who: str, sender: str, house: Organization = HOUSE) -> Reading:
    """Return a forward as it is read for an organization."""
    raw = (
        f"From: {sender}\nTo: {house.addresses[0]}\nSubject: Fwd: Loom\nMessage-ID: <f@q>\n"
        f"Content-Type: text/plain; charset=utf-8\n\nSee below\n\nBegin forwarded message:\n\n"
        f"{block.format(who=who)}"
    )
    people = [person.email for person in house.people]
    return with_writer(read_mail(raw.encode()), house.own_addresses, people)


@pytest.mark.parametrize("block", [QUOTED, PLAIN], ids=["quoted", "plain"])
def test_a_customers_words_are_read_without_the_marks_of_a_quotation(block: str) -> None:
    """Apple's programs put a mark before each line of what they pass on."""
    read = passed(block, "Mara <mara@heron.example>", "Ole <ole@quay.example>")
    assert read.passed_on is not None
    assert read.segments.new == "Hello,\nwhat does it cost?"


@pytest.mark.parametrize("who", ["Ada <ada@quay.example>", "Ole Reed <ole@reed.example>"])
def test_a_colleagues_mail_is_no_customers(who: str) -> None:
    """Whoever of ours passes it on, nobody outside waits for an answer."""
    assert passed(PLAIN, who, "Ole <ole@quay.example>").passed_on is None


def test_a_stranger_at_the_same_provider_is_no_colleague() -> None:
    """An organization that writes from free mail shares its domain with everybody."""
    stranger = "Eve <eve@gmail.com>"
    assert passed(PLAIN, "Mara <mara@heron.example>", stranger, AT_HOME).passed_on is None
    raw = f"From: {stranger}\nTo: Ben <ben@gmail.com>\nCc: {AT_HOME.addresses[0]}\n\nBen, when?"
    assert left_to(parse(raw.encode()), "Ben, when?", AT_HOME) == "Ben"
