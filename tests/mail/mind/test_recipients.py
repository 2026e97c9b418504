import pytest

from data.records.core.parsed_mail import Address
from tasks.mail.compose.recipients import (
    choose_recipients,
    is_same_domain,
    is_valid_address,
    reduce_address,
)
from tests.mail.mind.examples import ORGANIZATION, SENDER, envelope, mail


def test_the_one_sender_is_answered() -> None:
    """A reply goes to the single address of From and to nobody else."""
    parent = mail(cc=(Address(email="eve@other.example"),), to=(Address(email="x@y.example"),))
    made = choose_recipients(parent, envelope(), ORGANIZATION)
    assert (made.to, made.needs_person, made.provenance) == ((SENDER.email,), False, "from")


@pytest.mark.parametrize(
    ("reply_to", "to", "person"),
    [
        ("desk@tulip.example", "desk@tulip.example", False),
        ("desk@mail.tulip.example", "desk@mail.tulip.example", False),
        ("eve@evil.test", SENDER.email, True),
        ("eve@tulip.example.evil.test", SENDER.email, True),
        ("eve@eviltulip.example", SENDER.email, True),
        ("eve@example", SENDER.email, True),
    ],
)
def test_reply_to_only_within_the_domain(reply_to: str, to: str, person: bool) -> None:
    """Reply-To counts within the sender's domain; elsewhere a person decides."""
    made = choose_recipients(mail(reply_to=(Address(email=reply_to),)), envelope(), ORGANIZATION)
    assert (made.to, made.needs_person) == ((to,), person)


def test_two_reply_to_addresses_need_a_person() -> None:
    """Several answers to the question where to reply are none."""
    parent = mail(reply_to=(Address(email="a@tulip.example"), Address(email="b@tulip.example")))
    assert choose_recipients(parent, envelope(), ORGANIZATION).needs_person


@pytest.mark.parametrize(
    "parent",
    [
        mail(sender=None, senders=()),
        mail(senders=(SENDER, Address(email="eve@evil.test"))),
        mail(sender=Address(email="paddle@lantern.example")),
        mail(sender=Address(email="Paddle+x@LANTERN.example")),
        mail(sender=Address(email="mailer-daemon@tulip.example")),
        mail(sender=Address(email="no-reply@tulip.example")),
        mail(sender=Address(email="boats-request@tulip.example")),
        mail(sender=Address(email="a@b>\r\nRCPT TO:<eve@evil.test")),
        mail(sender=Address(email="a\x00b@tulip.example")),
        mail(
            reply_to=(Address(email="paddle@lantern.example"),),
            sender=Address(email="x@lantern.example"),
        ),
    ],
)
def test_nobody_is_answered(parent: object) -> None:
    """Unclear, own, robotic and invalid addresses get no reply at all."""
    made = choose_recipients(parent, envelope(), ORGANIZATION)  # type: ignore[arg-type]
    assert (made.to, made.needs_person, made.provenance) == ((), True, "none")


def test_the_null_sender_needs_a_person() -> None:
    """Mail with an empty reverse-path is never answered by itself."""
    assert choose_recipients(mail(), envelope(mail_from=""), ORGANIZATION).needs_person


@pytest.mark.parametrize(
    "address",
    [
        *("a@b", "@b.test", "a@", "a b@c.test", "a..b@c.test", ".a@c.test", '"a"@c.test'),
        *("a@[1.2.3.4]", "a@-c.test", "a@c-.test", "a@c..test", "a@c.test\n", "a@c.test>"),
        *("x" * 65 + "@c.test", "a@" + "c" * 64 + ".test", "a\u200b@c.test", "a@b@c.test"),
        *("a,b@c.test", "a;b@c.test", "a@c.test\x00", "\ud800@c.test"),
    ],
)
def test_invalid_addresses(address: str) -> None:
    """What is not a plain mailbox is refused, never repaired."""
    assert not is_valid_address(address)


@pytest.mark.parametrize(
    "address", ["a@b.test", "A.b+c@d-e.test", "o'neil@x.test", "ü@bücher.test"]
)
def test_valid_addresses(address: str) -> None:
    """Plain mailboxes, also with letters beyond ASCII, are accepted."""
    assert is_valid_address(address)


def test_two_customers_of_one_host_are_not_one() -> None:
    """Two hosts side by side under one suffix count as different domains."""
    assert not is_same_domain("a@one.co.uk", "a@two.co.uk")
    assert not is_same_domain("a@one.co.uk", "a@uk")


def test_a_domain_is_one_in_either_spelling() -> None:
    """An address is the same in letters and in ASCII, and *ß* is not *ss*."""
    assert (
        reduce_address("A+x@Straße.test")
        == reduce_address("a@xn--strae-oqa.test")
        != reduce_address("a@strasse.test")
    )
    assert reduce_address("a@\ud800.test") == "a@\ud800.test"
