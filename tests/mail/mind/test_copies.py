"""Reply to all: who is offered a copy, by what default, and what a person signs."""

import pytest

from data.records.core.organization import Policy
from data.records.core.parsed_mail import Address
from tasks.mail.compose.composing import hash_for_approval, preview_reply
from tasks.mail.compose.copies import add_copies
from tasks.mail.compose.headers import ComposeError
from tasks.mail.compose.recipients import Recipients, choose_recipients
from tests.mail.mind.examples import ORGANIZATION, envelope, mail
from tests.mail.mind.test_compose import composed

OTHERS = mail(
    to=(
        Address(email=ORGANIZATION.addresses[0]),
        Address(name="Ben Vane", email="ben@tulip.example"),
    ),
    cc=(
        Address(email="Una@tulip.example"),
        Address(email="no-reply@tulip.example"),
        Address(email="ben+x@tulip.example"),
        Address(email=ORGANIZATION.addresses[0].upper()),
    ),
)


def copied(chosen: tuple[str, ...] | None = None, **policy: bool) -> Recipients:
    """Return the recipients of the reply to `OTHERS`."""
    base = choose_recipients(OTHERS, envelope(), ORGANIZATION)
    return add_copies(base, OTHERS, ORGANIZATION, Policy(**policy), chosen)  # type: ignore[arg-type]


def test_who_stands_in_the_mail_is_offered_with_where_it_comes_from() -> None:
    """Neither its sender, nor we, nor machines, each once; by default nobody gets a copy."""
    found = copied()
    assert [(one.address, one.name, one.provenance, one.chosen) for one in found.offers] == [
        ("ben@tulip.example", "Ben Vane", "to", False),
        ("Una@tulip.example", "", "cc", False),
    ]
    assert found.cc == ()
    assert not found.needs_person


def test_the_policy_decides_the_default_and_a_person_what_goes() -> None:
    """A person may take away and add anybody; whatever has copies needs a person."""
    everybody = copied(reply_to_all=True)
    assert everybody.cc == ("ben@tulip.example", "Una@tulip.example")
    assert everybody.needs_person
    nobody = copied((), reply_to_all=True)
    assert (nobody.cc, nobody.needs_person) == ((), False)
    other = copied(("una@tulip.example", "lab@partner.test"))
    assert other.cc == ("una@tulip.example", "lab@partner.test")
    assert [(one.provenance, one.chosen) for one in other.offers] == [
        ("to", False),
        ("cc", True),
        ("person", True),
    ]


@pytest.mark.parametrize("provenance", ["form", "passed_on", "none"])
def test_nobody_is_offered_where_not_the_sender_is_answered(provenance: str) -> None:
    """Who stands in a form's mail or a colleague's forward has nothing to do with the writer."""
    base = Recipients(to=("mara@heron.example",), reason="?", provenance=provenance)
    assert add_copies(base, OTHERS, ORGANIZATION, Policy(reply_to_all=True)).offers == ()


def test_copies_stand_in_cc_and_in_what_is_signed() -> None:
    """The header, the envelope, the preview and the hash all name them."""
    base = Recipients(to=("wim@tulip.example",), reason="?", provenance="from")
    plain = composed(recipients=base)
    made = composed(recipients=base.model_copy(update={"cc": ("ben@tulip.example",)}))
    assert made.rcpt_to == ("wim@tulip.example", "ben@tulip.example")
    assert b"\r\nCc: ben@tulip.example\r\n" in made.raw
    assert b"\r\nCc:" not in plain.raw
    assert preview_reply(made).startswith("To: wim@tulip.example\nCc: ben@tulip.example\n")
    hashes = {hash_for_approval(one.rcpt_to, one.subject, one.body) for one in (plain, made)}
    assert len(hashes) == 2
    for wrong in ("ben@tulip.example\nBcc: x@y.test", "nobody", ORGANIZATION.addresses[0]):
        with pytest.raises(ComposeError):
            composed(recipients=base.model_copy(update={"cc": (wrong,)}))
