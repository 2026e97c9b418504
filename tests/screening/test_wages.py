"""Letters that want the account changed to which somebody's wages go."""

import pytest

from data.records.mail.mail import Address
from data.records.mail.screening import Verdict
from tests.screening.letters import rules_hit, screened

WAGES = {
    "en": "Hello, I want to change the account my salary goes to. What do you need from me?",
    "de": "Guten Tag, ich möchte das Konto ändern, auf das mein Gehalt geht.",
    "fr": "Bonjour, je voudrais changer le compte sur lequel arrive mon salaire.",
    "es": "Hola, quiero cambiar la cuenta a la que llega mi nómina.",
    "it": "Buongiorno, vorrei cambiare il conto su cui arriva lo stipendio.",
    "pt": "Olá, quero mudar a conta para onde vai o meu salário.",
    "pl": "Dzień dobry, chcę zmienić konto, na które wpływa moje wynagrodzenie.",
    "ru": "Здравствуйте, хочу изменить счёт, на который приходит зарплата.",
    "zh": "您好，我想更改账户，我的工资打到那里。",
    "nl": "Hallo, ik wil de rekening wijzigen waarop mijn salaris komt.",
}
FREE = Address(name="Nora Linde", email="nora.linde.office@gmail.com")
OWN = Address(name="Nora Linde", email="nora.linde@alder.example")


@pytest.mark.parametrize("language", WAGES)
def test_wages_are_led_elsewhere_from_a_free_mailbox(language: str) -> None:
    """Who writes so from an address that anybody can have may be anybody."""
    screening = screened(WAGES[language], sender=FREE)
    assert screening.verdict is not Verdict.CLEAN
    assert "payment_change" in rules_hit(screening)
    assert screened(WAGES[language], sender=OWN).verdict is Verdict.CLEAN


@pytest.mark.parametrize("domain", ["hotmail.de", "rediffmail.com", "tuta.com"])
def test_any_large_provider_gives_mailboxes_to_anybody(domain: str) -> None:
    """The same providers count as such wherever it matters."""
    sender = Address(name="Nora Linde", email=f"nora.linde@{domain}")
    assert "payment_change" in rules_hit(screened(WAGES["en"], sender=sender))


@pytest.mark.parametrize(
    "text",
    [
        "My salary arrived, thank you. I will be in on Monday.",
        "Could you change the account name of our club to Alder Rowing?",
        "Mein Gehalt ist da, vielen Dank. Das Konto der Kasse stimmt auch.",
    ],
)
def test_other_letters_from_a_free_mailbox_are_clean(text: str) -> None:
    """Wages alone, or an account alone, say nothing."""
    assert screened(text, sender=FREE).verdict is Verdict.CLEAN
