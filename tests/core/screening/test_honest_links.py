"""Links of honest letters: numbers of one's own network, and counters of clicks."""

import pytest

from data.records.core.parsed_mail import Link
from data.records.core.screening import Verdict
from tasks.core.screen.message.hosts import list_targets
from tests.core.screening.letters import mail, rules_hit, screened

LOCAL = (
    "http://192.168.1.20/status",
    "http://127.0.0.1:8080/health",
    "http://10.4.0.9/",
    "http://172.31.2.2/",
    "http://169.254.10.1/",
    "http://[::1]:3000/",
    "http://[fe80::1]/",
    "http://[fd12:3456::7]/printer",
)
PUBLIC = (
    "http://198.51.100.7/login",
    "http://172.32.2.2/login",
    "http://[2001:db8::1]/login",
    "http://[2606:4700:4700::1111]/login",
    "https://[2606:4700:4700::1111]:8443/login",
    "http://0300.0250.0.01/",  # a number of the own network in disguise
    "http://2130706433/",
)


@pytest.mark.parametrize("href", LOCAL)
def test_numbers_of_the_own_network_say_nothing(href: str) -> None:
    """A printer or a program on this computer has no name, in the text and behind a link."""
    for screening in (
        screened(f"The printer at {href} is out of paper."),
        screened("The printer is out of paper.", links=(Link(text="printer", href=href),)),
    ):
        assert "link_target" not in rules_hit(screening)


@pytest.mark.parametrize("href", PUBLIC)
def test_numbers_of_elsewhere_are_found(href: str) -> None:
    """Public numbers and disguised ones, of either kind, in the text and behind a link."""
    for screening in (
        screened(f"Please see {href} for it."),
        screened("Please see it.", links=(Link(text="here", href=href),)),
    ):
        assert "link_target" in rules_hit(screening)


COUNTERS = (
    "https://link.hubspotlinks.com/Ctc/x/1",
    "https://quince.us4.list-manage.com/track/click?u=1",
    "https://u1.ct.sendgrid.net/ls/click?upn=1",
    "https://xyz.r.eu-west-1.awstrack.me/L0/1",
    "https://track.pstmrk.it/3s/1",
)
SIGNED = "Dear Nora, the chairs arrive on Tuesday. Kind regards, Petra Quince, www.quince.example"


@pytest.mark.parametrize("href", COUNTERS)
def test_one_link_through_a_known_counter_is_clean(href: str) -> None:
    """A program for letters counts clicks on the one link of a signature as well."""
    link = Link(text="www.quince.example", href=href)
    assert screened(SIGNED, links=(link,)).verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    "href",
    [
        "https://link.hubspotlinks.example/1",
        "https://sendgrid.net.hole.example/1",
        "https://mylist-manage.com/1",
    ],
)
def test_what_only_resembles_a_counter_is_flagged(href: str) -> None:
    """A name in which a counter's stands is another's."""
    link = Link(text="www.quince.example", href=href)
    assert screened(SIGNED, links=(link,)).verdict is Verdict.FLAGGED


def test_a_counter_excuses_nothing_else() -> None:
    """What leads through a counter to a public number, or to an imitated domain, is flagged."""
    for onward in ("http://203.0.113.9/", "https://a1der.example/"):
        href = f"https://link.hubspotlinks.com/x?u={onward}"
        link = Link(text="www.quince.example", href=href)
        assert screened(SIGNED, links=(link,)).verdict is not Verdict.CLEAN


def test_slashes_with_nothing_behind_them_are_no_link() -> None:
    """Whoever explains addresses writes `https://` by itself."""
    assert list_targets(mail("Begin it with https:// and not with http:// please.")) == ()
