"""Letters, links, senders and files that fish, and 350 honest letters that use the same words."""

from pathlib import Path
from typing import Any

import pytest

from data.records.mail.mail import Address, Attachment, Link
from data.records.mail.screening import Verdict
from data.word_lists import word_list
from tasks.mail.read import read_mail
from tests.screening.letters import rules_hit, screened

HERE = Path(__file__).parent
FISHING: dict[str, dict[str, list[str]]] = word_list(HERE / "fishing_letters.yaml")
HONEST: list[str] = word_list(HERE / "honest_mail.yaml")
LANGUAGES = list(FISHING["payments"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_that_fish_for_secrets_are_flagged(language: str) -> None:
    """Alarm about an account, a mailbox or a payment, and a demand to log in, enter or scan."""
    for text in FISHING["credentials"][language]:
        screening = screened(text)
        assert screening.verdict is not Verdict.CLEAN, text
        assert rules_hit(screening) & {"account_alarm", "credential_request"}, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_that_lead_money_elsewhere_are_flagged(language: str) -> None:
    """A changed bank, a new account for the wages, another account than the usual one."""
    for text in FISHING["payments"][language]:
        screening = screened(text)
        assert screening.verdict is not Verdict.CLEAN, text
        assert "payment_change" in rules_hit(screening), text


LINKS = {
    "host in words": ("Sign in at www.mybank.example now", "https://hole.example/a"),
    "address in words": ("Go to https://mybank.example/login »", "https://hole.example/a"),
    "in brackets": ("(mybank.example)", "https://hole.example/a"),
    "at the end of a sentence": ("mybank.example.", "https://hole.example/"),
    "wide dot": ("mybank。example", "https://hole.example/"),
    "letters that draw nothing": ("my\u200bbank.example", "https://hole.example/"),
    "another address to write to": ("pay@mybank.example", "mailto:pay@hole.example"),
    "through a counter": ("mybank.example", "https://count.example/?u=https://hole.example/"),
    "backslashes": ("mybank.example", "https:\\\\hole.example/"),
    "one slash": ("mybank.example", "https:/hole.example"),
    "encoded sign before the host": ("here", "https://mybank.example%40hole.example/"),
    "decimal": ("here", "http://3627734734/"),
    "octal": ("here", "http://0300.0250.0.01/"),
    "hexadecimal parts": ("here", "http://0xC0.0xA8.0x0.0x1/"),
    "two parts": ("here", "http://192.11010049/"),
    "number behind a counter": ("here", "https://count.example/l?u=http%3A%2F%2F203.0.113.9%2F"),
    "two alphabets": ("here", "https://myb\u0430nk.example/"),
    "two alphabets in punycode": ("here", "https://xn--mybnk-8nf.example/"),
    "search on a server": ("here", "search-ms:query=x&crumb=location:\\\\hole.example"),
    "document of a server": ("here", "ms-word:ofe|u|https://hole.example/a.docx"),
    "share": ("here", "\\\\hole.example\\share"),
    "script with a line break": ("here", "java\nscript:alert(1)"),
}


@pytest.mark.parametrize("name", LINKS)
def test_links_that_deceive_are_flagged(name: str) -> None:
    """However the shown host or the true one is written, a contradiction is seen."""
    text, href = LINKS[name]
    screening = screened("Good morning.", links=(Link(text=text, href=href),))
    assert "link_target" in rules_hit(screening)
    assert screening.verdict is not Verdict.CLEAN


IMITATIONS = (
    "https://alder.example-login.test/",
    "https://login-alder-example.test/",
    "https://count.example/?to=https%3A%2F%2Fa1der.example%2F",
    "https://harbuortrade.example/",
    "https://harb0urtrade.example/",
    "https://alder.example.hole.test/",
)


@pytest.mark.parametrize("href", IMITATIONS)
def test_links_to_imitated_domains_are_flagged(href: str) -> None:
    """Joined with hyphens, behind a counter, with letters swapped or exchanged."""
    screening = screened("Good morning.", links=(Link(text="here", href=href),))
    assert "lookalike_domain" in rules_hit(screening)
    assert screening.verdict is not Verdict.CLEAN


@pytest.mark.parametrize(
    ("name", "address", "hit"),
    [
        ("Alder.example Helpdesk", "x@hole.example", True),
        ("Harbourtrade Billing", "hb.billing@gmail.com", True),
        ("HARBOURTRADE Accounts", "k@hole.example", True),
        ("Harbourtrade Billing", "billing@harbourtrade.example", False),
        ("Petra Quince", "petra@gmail.com", False),
        ("Alder Smith", "smith@birch.example", False),
    ],
)
def test_a_display_name_that_borrows_a_domain_is_seen(name: str, address: str, hit: bool) -> None:
    """Who calls itself by the name of a contact's domain writes from that domain."""
    sender = Address(name=name, email=address)
    assert ("sender_mismatch" in rules_hit(screened("Good morning.", sender=sender))) is hit


@pytest.mark.parametrize(
    "filename", ["a.iqy", "b.search-ms", "c.theme", "d.html", "e.pdf.htm", "f.svg", "g.diagcab"]
)
def test_files_that_run_or_open_as_pages_are_flagged(filename: str) -> None:
    """Files that call on servers, and pages that come as attachments."""
    attachment = Attachment(
        filename=filename, content_type="application/octet-stream", size_bytes=9, sha256="a"
    )
    screening = screened("Good morning.", attachments=(attachment,))
    assert "attachment_types" in rules_hit(screening)
    assert screening.verdict is not Verdict.CLEAN


COUNTED = (
    ("View in browser", "https://click.mailer.example/ls?upn=1"),
    ("Read more", "https://click.mailer.example/ls?upn=2"),
    ("quince.example", "https://click.mailer.example/ls?upn=3"),
    ("www.quince.example/shop", "https://click.mailer.example/ls?upn=4"),
    ("Unsubscribe", "https://click.mailer.example/ls?upn=5"),
)
GUARDED = (
    (
        "https://birch.example/news",
        "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fbirch.example%2Fnews",
    ),
    ("www.quince.example", "https://urldefense.com/v3/__https://www.quince.example/__;!!abc"),
)
NAMED = (
    ("invoice-2041.pdf", "https://files.quince.example/d/1"),
    ("Node.js", "https://pages.quince.example/node"),
    ("St.Gallen", "https://quince.example/sg"),
    ("petra@quince.example", "mailto:petra@quince.example"),
)


@pytest.mark.parametrize("links", [(), COUNTED, GUARDED, NAMED, (*COUNTED, *NAMED)])
def test_honest_letters_are_clean(links: tuple[tuple[str, str], ...]) -> None:
    """Resets, notices, invoices and menus, with links through counters, guards and to files."""
    given: dict[str, Any] = {"links": tuple(Link(text=text, href=href) for text, href in links)}
    wrong = [
        text
        for text in HONEST
        if screened(text.replace(" / ", "\n\n"), **given).verdict is not Verdict.CLEAN
    ]
    assert wrong == []
    assert len(HONEST) >= 60


def test_a_form_in_a_letter_is_a_link_and_a_field_for_a_password_is_flagged() -> None:
    """Where a form leads is held against imitated domains; letters do not ask for passwords."""
    head = "From: petra@quince.example\r\nContent-Type: text/html\r\n\r\n"
    form = '<p>Hello<form action="https://a1der.example/x"><input type=password></form>'
    mail = read_mail((head + form).encode()).mail
    assert [link.href for link in mail.links] == ["https://a1der.example/x"]
    screening = screened("Hello", html=mail.html, links=mail.links)
    assert {"account_alarm", "lookalike_domain"} <= rules_hit(screening)
