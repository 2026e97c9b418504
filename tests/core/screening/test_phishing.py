"""Links, domains and senders that deceive, and what is asked of a reputation service."""

from typing import Any

from data.records.core.parsed_mail import Address, Automated, AutomatedKind, Link
from data.records.core.reputation import LinkStanding, Opinion
from data.records.core.screening import MessagePlace, Verdict
from tasks.core.screen import KnownSenders
from tasks.core.screen.reputation import LONGEST, MOST_LINKS, asked_about
from tests.core.screening.letters import ALDER, mail, rules_hit, screened

CHANGED = "Our bank details have changed. Kindly send all future payments to the new account."
CREDENTIALS = (
    "Your mailbox is almost full. Sign in below to confirm your account, or it will be "
    "deactivated within 24 hours."
)


def test_a_stranger_who_asks_for_a_transfer_weighs_more() -> None:
    """The same change of bank details scores higher from somebody never heard of."""
    known, stranger = ALDER, ALDER.model_copy(update={"first_time": True})
    assert screened(CHANGED, known=stranger).score > screened(CHANGED, known=known).score


def test_a_counter_of_clicks_is_not_a_deceiving_link() -> None:
    """A newsletter leads every link through one host; a single such link is suspect."""
    counted = tuple(
        Link(text=f"www.shop{number}.example", href=f"https://clicks.example/{number}")
        for number in range(6)
    )
    alone = screened("Our offers.", links=counted[:1])
    assert alone.verdict is Verdict.FLAGGED
    assert screened("Our offers.", links=counted).verdict is Verdict.CLEAN


def test_a_name_in_plain_sight_before_the_host_is_no_disguise() -> None:
    """A manual's example shows all of its address; a feigned host before the @ is flagged."""
    manual = screened("Call ftp://reader:word@files.example/list to fetch the list.")
    feigned = screened("Look at https://www.bank.example@hole.example/list today.")
    assert manual.verdict is Verdict.CLEAN
    assert feigned.verdict is Verdict.FLAGGED


def test_a_long_letter_meets_advertising_words_by_chance() -> None:
    """The same few phrases flag a short letter, and not one of twenty thousand characters."""
    offer = "Win the lottery, risk-free, no obligation, absolutely free: act now and save!\n"
    assert screened(offer).verdict is Verdict.FLAGGED
    assert screened(offer + "The committee met in the old hall. " * 600).verdict is Verdict.CLEAN


def test_answers_that_go_elsewhere() -> None:
    """A Reply-To at a free mail provider counts for people, and not for mailing lists."""
    elsewhere: dict[str, Any] = {"reply_to": (Address(email="petra.quince@gmail.com"),)}
    assert "sender_mismatch" in rules_hit(screened("Good morning.", **elsewhere))
    same = (Address(email="office@mail.quince.example"),)
    assert "sender_mismatch" not in rules_hit(screened("Good morning.", reply_to=same))
    bulk = Automated(automated=True, kind=AutomatedKind.MAILING_LIST)
    assert "sender_mismatch" not in rules_hit(
        screened("Good morning.", automated=bulk, **elsewhere)
    )


def warned(standing: LinkStanding) -> KnownSenders:
    """Return what is known when a service said so about one link."""
    return KnownSenders(opinions=(Opinion(url="https://quince.example/a", standing=standing),))


def test_a_reputation_service_only_adds_suspicion() -> None:
    """Malicious stops, suspicious flags; harmless and unknown change nothing for any mail."""
    assert screened("Hi", known=warned(LinkStanding.MALICIOUS)).verdict is Verdict.QUARANTINE
    assert screened("Hi", known=warned(LinkStanding.SUSPICIOUS)).verdict is Verdict.FLAGGED
    for standing in (LinkStanding.HARMLESS, LinkStanding.UNKNOWN):
        assert screened("Hi", known=warned(standing)).verdict is Verdict.CLEAN
        lure = CREDENTIALS
        assert screened(lure, known=warned(standing)) == screened(lure, known=KnownSenders())


def test_a_service_that_fails_flags_if_the_setting_says_so() -> None:
    """The message is flagged and never stopped for that."""
    failed = screened("Hi", known=KnownSenders(reputation_failed=True))
    assert failed.verdict is Verdict.FLAGGED
    assert [(hit.rule, hit.place) for hit in failed.hits] == [("url_reputation", MessagePlace.LINK)]


def test_a_service_learns_no_more_than_it_needs() -> None:
    """Query, fragment and user are cut off; numbers and other schemes are not asked about."""
    links = (
        Link(text="a", href="https://user:pw@Shop.example/track?who=petra@quince.example#x"),
        Link(text="b", href="https://shop.example/track"),
        Link(text="c", href="http://198.51.100.7/x"),
        Link(text="d", href="mailto:petra@quince.example"),
        Link(text="e", href="https://long.example/" + "a" * 2_000),
    )
    asked = asked_about(mail("", links=links))
    assert asked[0] == "https://shop.example/track"
    assert len(asked) == 2
    assert len(asked[1]) == LONGEST
    many = tuple(Link(text="", href=f"https://h{n}.example/") for n in range(200))
    assert len(asked_about(mail("", links=many))) == MOST_LINKS
