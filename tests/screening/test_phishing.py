"""Letters that fish, in nine languages, and the ordinary mail that uses the same words."""

from typing import Any

import pytest

from data.records.mail.mail import Address, Automated, AutomatedKind, Link
from data.records.mail.reputation import LinkStanding, Opinion
from data.records.mail.screening import MessagePlace, Verdict
from tasks.core.screen import KnownSenders
from tasks.core.screen.reputation import LONGEST, MOST_LINKS, asked_about
from tests.screening.letters import ALDER, mail, rules_hit, screened

CREDENTIALS = {
    "en": "Your mailbox is almost full. Sign in below to confirm your account, or it will be "
    "deactivated within 24 hours.",
    "de": "Ihr Konto wurde gesperrt. Bitte bestätigen Sie Ihre Zugangsdaten innerhalb von 24 "
    "Stunden über den folgenden Link.",
    "fr": "Votre compte sera suspendu. Veuillez confirmer vos identifiants sous 24 heures.",
    "es": "Su cuenta ha sido bloqueada. Verifique sus datos en las próximas 24 horas.",
    "it": "Il suo conto è stato sospeso. Confermi i suoi dati entro 24 ore.",
    "pt": "A sua conta foi bloqueada. Confirme os seus dados nas próximas 24 horas.",
    "pl": "Twoje konto zostało zablokowane. Potwierdź swoje dane w ciągu 24 godzin.",
    "ru": "Ваш аккаунт заблокирован. Подтвердите ваши данные в течение 24 часов.",
    "zh": "您的账户已被冻结，请在24小时内点击此处验证您的身份。",
}
ACCOUNTS = {
    "en": "Thank you for your order. You can see it in your account; there is nothing to do.",
    "de": "Vielen Dank für Ihre Bestellung. In Ihrem Konto sehen Sie den Stand der Lieferung.",
    "fr": "Merci de votre commande. Vous trouverez la facture dans votre compte.",
    "es": "Gracias por su pedido. Puede ver la factura en su cuenta cuando quiera.",
    "it": "Grazie per il suo ordine. Trova la fattura nel suo account.",
    "pt": "Obrigado pela encomenda. A fatura está na sua conta.",
    "pl": "Dziękujemy za zamówienie. Faktura jest na Twoim koncie.",
    "ru": "Спасибо за заказ. Счёт находится в вашем личном кабинете.",
    "zh": "感谢您的订单。您可以随时在您的账户中查看发票。",
}
CHANGED = {
    "en": "Our bank details have changed. Kindly send all future payments to the new account.",
    "de": "Unsere Bankverbindung hat sich geändert. Bitte überweisen Sie offene Rechnungen ab "
    "sofort auf das neue Konto.",
    "fr": "Nos coordonnées bancaires ont changé. Merci d'effectuer vos prochains virements sur "
    "le nouveau compte.",
    "es": "Nuestros datos bancarios han cambiado. Haga los próximos pagos a la nueva cuenta.",
    "it": "Le nostre coordinate bancarie sono cambiate. Effettui i pagamenti sul nuovo conto.",
    "pt": "Os nossos dados bancários mudaram. Faça os próximos pagamentos para a nova conta.",
    "pl": "Zmieniliśmy rachunek bankowy. Prosimy o przelewy na nowy numer konta.",
    "ru": "Наши банковские реквизиты изменились. Просим оплачивать счета по новым реквизитам.",
    "zh": "我们的银行账户已更改，请将今后的付款汇至新账户。",
}
PAID = {
    "en": "The payment for invoice 41 has reached our bank account, thank you.",
    "de": "Ihre Zahlung zur Rechnung 41 ist auf unserem Konto eingegangen, vielen Dank.",
    "fr": "Votre paiement de la facture 41 est bien arrivé sur notre compte bancaire, merci.",
    "es": "Hemos recibido el pago de la factura 41 en nuestra cuenta bancaria, gracias.",
    "it": "Il pagamento della fattura 41 è arrivato sul nostro conto bancario, grazie.",
    "pt": "O pagamento da fatura 41 chegou à nossa conta bancária, obrigado.",
    "pl": "Płatność za fakturę 41 wpłynęła na nasz rachunek bankowy, dziękujemy.",
    "ru": "Оплата по счёту 41 поступила на наш расчётный счёт, спасибо.",
    "zh": "发票41的付款已到达我们的银行账户，谢谢。",
}


@pytest.mark.parametrize("language", CREDENTIALS)
def test_a_request_for_credentials_is_flagged(language: str) -> None:
    """Confirm your account or lose it, in each language."""
    screening = screened(CREDENTIALS[language])
    assert "credential_request" in rules_hit(screening)
    assert screening.verdict is not Verdict.CLEAN


@pytest.mark.parametrize("language", CHANGED)
def test_a_change_of_bank_details_is_flagged(language: str) -> None:
    """Pay into another account from now on, in each language."""
    screening = screened(CHANGED[language])
    assert "payment_change" in rules_hit(screening)
    assert screening.verdict is not Verdict.CLEAN


@pytest.mark.parametrize(
    "text",
    [
        "Please don't change the bank details of a supplier because of a mail. Ring them first.",
        "Somebody writes in our name that our bank details have changed. They haven't.",
        "Whoever is asked to change bank details calls back, on a known number.",
        "Aufforderungen zur Änderung der Bankverbindung prüfen wir durch Rückruf.",
        "Le richieste di cambio IBAN si verificano al telefono, al numero che abbiamo già.",
        "Pedidos de alteração de IBAN só se atendem depois de telefonema para o banco.",
    ],
)
def test_a_warning_of_changed_bank_details_is_clean(text: str) -> None:
    """Who says how such requests are checked, or that nothing has changed, asks for no money."""
    assert screened(text).verdict is Verdict.CLEAN


@pytest.mark.parametrize("text", [*ACCOUNTS.values(), *PAID.values()])
def test_ordinary_mail_about_accounts_and_payments_is_clean(text: str) -> None:
    """The same words without pressure or change are nobody's business."""
    assert screened(text).verdict is Verdict.CLEAN


def test_a_stranger_who_asks_for_a_transfer_weighs_more() -> None:
    """The same change of bank details scores higher from somebody never heard of."""
    known, stranger = ALDER, ALDER.model_copy(update={"first_time": True})
    assert (
        screened(CHANGED["en"], known=stranger).score > screened(CHANGED["en"], known=known).score
    )


LINKS: list[tuple[str, Link, Link]] = [
    (
        "shows another host",
        Link(text="www.harbourtrade.example", href="https://elsewhere.example/x"),
        Link(text="www.harbourtrade.example", href="https://shop.harbourtrade.example/x"),
    ),
    (
        "number for a host",
        Link(text="here", href="http://198.51.100.7/x"),
        Link(text="here", href="http://quince.example/198.51.100.7"),
    ),
    (
        "number in hexadecimal",
        Link(text="here", href="http://0xC6336407/x"),
        Link(text="here", href="https://0xygen.example/x"),
    ),
    (
        "name before the host",
        Link(text="here", href="https://alder.example@hole.example/"),
        Link(text="here", href="https://quince.example/@petra"),
    ),
    (
        "script",
        Link(text="here", href="javascript:alert(1)"),
        Link(text="here", href="https://quince.example/javascript"),
    ),
]


@pytest.mark.parametrize(("name", "bad", "fine"), LINKS, ids=[row[0] for row in LINKS])
def test_links_that_deceive(name: str, bad: Link, fine: Link) -> None:
    """What a link shows is held against where it leads; near misses are left alone."""
    del name
    assert "link_target" in rules_hit(screened("See our offer.", links=(bad,)))
    assert "link_target" not in rules_hit(screened("See our offer.", links=(fine,)))


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


@pytest.mark.parametrize(
    "domain",
    [
        "a1der.example",
        "alder.example.hole.example",
        "\u0430lder.example".encode("idna").decode(),  # begins with a Cyrillic letter
        "harbourtrade-billing.example",
        "harbourtarde.example",
        "harbourtrade.test",
    ],
)
def test_domains_that_imitate(domain: str) -> None:
    """Look-alikes of the organization's and its contacts' domains, in From, Reply-To and links."""
    address = Address(email=f"office@{domain}")
    assert "lookalike_domain" in rules_hit(screened("Good morning.", sender=address))
    assert "lookalike_domain" in rules_hit(screened("Good morning.", reply_to=(address,)))
    link = Link(text="here", href=f"https://{domain}/")
    assert "lookalike_domain" in rules_hit(screened("Good morning.", links=(link,)))


@pytest.mark.parametrize(
    "domain",
    [
        "alder.example",
        "mail.alder.example",
        "harbourtrade.example",
        "birch.example",
        "holder.example",
    ],
)
def test_domains_that_are_what_they_are(domain: str) -> None:
    """Genuine domains, their subdomains, and others that share letters."""
    address = Address(email=f"office@{domain}")
    assert "lookalike_domain" not in rules_hit(screened("Good morning.", sender=address))


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
        lure = CREDENTIALS["en"]
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
