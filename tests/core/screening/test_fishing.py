"""Letters, links, senders and files that fish, and 350 honest letters that use the same words."""

from pathlib import Path
from typing import Any

import pytest

from data.records.core.parsed_mail import Link
from data.records.core.screening import Verdict
from data.word_lists import word_list
from tasks.mail.read import read_mail
from tests.core.screening.letters import rules_hit, screened

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
