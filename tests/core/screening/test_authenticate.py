"""Three values, and only from a receiver that is ours."""

import pytest

from data.records.core.parsed_mail import Address
from data.records.core.screening import Authentication, AuthResult
from tasks.core.authenticate.authenticating import authenticate
from tests.core.screening.letters import ENVELOPE, mail

OURS = ("mx.alder.example",)
GOOD = (
    "mx.alder.example; spf=pass smtp.mailfrom=petra@quince.example;"
    " dkim=pass header.d=quince.example; dmarc=pass header.from=quince.example"
)


def result(*values: str, trusted: tuple[str, ...] = OURS, **given: object) -> Authentication:
    """Authenticate a message with these Authentication-Results, topmost first."""
    headers = tuple(("authentication-results", value) for value in values)
    return authenticate(mail("", headers=headers, **given), ENVELOPE, trusted)


def test_aligned_passes_of_our_receiver_are_passes() -> None:
    """SPF, DKIM and DMARC pass when our receiver says so and the domains align."""
    answer = result(GOOD)
    assert (answer.spf, answer.dkim, answer.dmarc) == (AuthResult.PASS,) * 3
    assert len(answer.reasons) == 3


@pytest.mark.parametrize(
    ("values", "trusted"),
    [
        ((), OURS),
        ((GOOD,), ()),
        ((GOOD.replace("mx.alder", "mx.evil"),), OURS),
        ((GOOD.replace("mx.alder", "mx.evil"), GOOD), OURS),
        (("mx.alder.example 2; dmarc=pass header.from=quince.example",), OURS),
        (("mx.alder.example; dmarc=pass (open comment",), OURS),
        (("mx.alder.example; none",), OURS),
        (("(mx.alder.example) mx.evil.example; dmarc=pass",), OURS),
    ],
    ids=[
        "none",
        "nobody trusted",
        "foreign",
        "foreign on top",
        "version",
        "comment",
        "empty",
        "id in comment",
    ],
)
def test_what_our_receiver_did_not_say_is_not_established(
    values: tuple[str, ...], trusted: tuple[str, ...]
) -> None:
    """Nothing, a foreign or an unreadable header establishes nothing and gives the reason."""
    answer = result(*values, trusted=trusted)
    assert answer.dmarc is AuthResult.NOT_ESTABLISHED
    assert answer.reasons


def test_our_header_below_ours_is_not_read() -> None:
    """Only the topmost header counts: a forged one below it changes nothing."""
    failing = "mx.alder.example; dmarc=fail header.from=quince.example"
    assert result(failing, GOOD).dmarc is AuthResult.FAIL


def test_pass_for_another_domain_is_no_pass_for_from() -> None:
    """A foreign signature and envelope do not vouch for From."""
    other = GOOD.replace("quince.example", "pear.example")
    answer = result(other)
    assert answer.dkim is AuthResult.NOT_ESTABLISHED
    assert answer.dmarc is AuthResult.NOT_ESTABLISHED


def test_reported_pass_without_aligned_identity_is_not_believed() -> None:
    """A DMARC pass that names no aligned identity is not established."""
    odd = (
        "mx.alder.example; spf=pass smtp.mailfrom=x@pear.example;"
        " dmarc=pass header.from=quince.example"
    )
    assert result(odd).dmarc is AuthResult.NOT_ESTABLISHED


@pytest.mark.parametrize("word", ["temperror", "neutral", "none", "bestguesspass"])
def test_neither_pass_nor_fail_is_not_established(word: str) -> None:
    """Results that say neither yes nor no stay open."""
    value = f"mx.alder.example; spf={word} smtp.mailfrom=quince.example; dmarc={word}"
    answer = result(value)
    assert (answer.spf, answer.dmarc) == (AuthResult.NOT_ESTABLISHED,) * 2


def test_contradicting_results_are_not_established() -> None:
    """DMARC reported both ways is not established."""
    assert result(GOOD + "; dmarc=fail").dmarc is AuthResult.NOT_ESTABLISHED


def test_several_senders_fail() -> None:
    """A message with more than one From never passes, whatever the header says."""
    two = (Address(email="a@quince.example"), Address(email="b@pear.example"))
    answer = result(GOOD, senders=two, sender=None)
    assert answer.dmarc is AuthResult.FAIL
    assert answer.spf is AuthResult.NOT_ESTABLISHED


def test_no_sender_is_not_established() -> None:
    """A message without From cannot be established."""
    assert result(GOOD, senders=(), sender=None).dmarc is AuthResult.NOT_ESTABLISHED


def test_subdomain_aligns_with_its_organization() -> None:
    """Alignment is relaxed: a subdomain of the same registered domain aligns."""
    value = GOOD.replace("header.d=quince.example", "header.d=mail.quince.example")
    assert result(value).dkim is AuthResult.PASS
