"""What domains look like."""

import pytest

from tasks.core.screen.message.hosts import (
    is_ip,
    looks_like,
    mixes_alphabets,
    registrable,
    shown_host,
    target,
)


@pytest.mark.parametrize(
    ("host", "imitates"),
    [
        ("a1der.example", True),
        ("alder.example.hole.test", True),
        ("xn--lder-43d.example", True),
        ("harbourtrde.example", True),
        ("alder-login.test", True),
        ("rnarket.example", True),
        ("alder.example", False),
        ("shop.alder.example", False),
        ("elder.example", False),
        ("balderdash.example", False),
        ("sea.example", False),
    ],
)
def test_look_alikes_are_told_from_strangers(host: str, imitates: bool) -> None:
    """Changed letters, added words and foreign scripts imitate; other names do not."""
    own = ("alder.example", "harbourtrade.example", "market.example")
    assert bool(list(looks_like(host, own))) is imitates


def test_registered_part_knows_second_levels() -> None:
    """The registered part has three labels under a public second level."""
    assert registrable("mail.quince.co.uk") == "quince.co.uk"
    assert registrable("mail.quince.example") == "quince.example"


def test_numbers_are_hosts_in_every_spelling() -> None:
    """Dotted, hexadecimal, decimal and IPv6 numbers are recognized."""
    assert all(map(is_ip, ("10.0.0.1", "0x7f000001", "2130706433", "::1")))
    assert not is_ip("quince.example")


def test_unreadable_links_have_no_host() -> None:
    """A link that cannot be taken apart is kept without a host."""
    assert target("x", "http://[::1/").host == ""
    assert target("x", "https://a:b@quince.example/").userinfo


def test_only_a_text_that_is_an_address_shows_a_host() -> None:
    """A link's text shows a host when it is one, not when it mentions one."""
    assert shown_host("https://www.quince.example/shop") == "quince.example"
    assert shown_host("read more") == ""


@pytest.mark.parametrize(
    ("host", "mixed"),
    [
        ("xn--strae-oqa.example", False),  # straße
        ("xn--bcher-kva.example", False),
        ("straße.example", False),
        ("xn--pple-43d.example", True),  # its first letter is Cyrillic
        ("xn--zzzzzz.example", True),  # stands for no letters at all
        ("quince.example", False),
    ],
)
def test_alphabets_are_mixed_by_disguises_alone(host: str, mixed: bool) -> None:
    """A German sharp s is a letter of the alphabet around it, in either way to write a domain."""
    assert mixes_alphabets(host) is mixed
