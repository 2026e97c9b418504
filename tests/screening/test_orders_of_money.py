"""Transfers nobody may hear of, codes of cards, and codes from a telephone, in ten languages."""

import pytest

from data.records.mail.screening import Verdict
from tests.screening.letters import rules_hit, screened

TRANSFERS = {
    "en": "I need a wire transfer of 18,900 EUR to a supplier today. Do not talk to anyone.",
    "de": "Bitte veranlassen Sie heute eine Überweisung von 18.900 EUR an einen Lieferanten. "
    "Das ist vertraulich, sprechen Sie mit niemandem.",
    "fr": "Faites un virement de 18 900 EUR aujourd'hui. N'en parlez à personne.",
    "es": "Haga hoy una transferencia de 18.900 EUR. No hable con nadie.",
    "it": "Faccia oggi un bonifico di 18.900 EUR. Non ne parli con nessuno.",
    "pt": "Faça hoje uma transferência de 18.900 EUR. Não fale com ninguém.",
    "pl": "Proszę dzisiaj zrobić przelew na 18 900 EUR. Nie rozmawiaj z nikim.",
    "ru": "Сегодня нужен перевод на 18 900 евро. Никому не говорите.",
    "zh": "请今天转账18900欧元给供应商。不要告诉任何人。",
}
CARDS = {
    "en": "Please buy six Apple gift cards and send me the codes. I'm in a meeting, do not call.",
    "de": "Kaufen Sie sechs Geschenkkarten und schicken Sie mir die Codes. "
    "Ich bin in einer Besprechung.",
    "fr": "Achetez six cartes cadeaux et envoyez-moi les codes. Je suis en réunion.",
    "es": "Compre seis tarjetas de regalo y envíeme los códigos. Estoy en una reunión.",
    "it": "Compri sei carte regalo e mi mandi i codici. Sono in riunione.",
    "pt": "Compre seis cartões presente e envie-me os códigos. Estou em reunião.",
    "pl": "Kup sześć kart podarunkowych i prześlij mi kody. Jestem na spotkaniu.",
    "ru": "Купите шесть подарочных карт и пришлите мне коды. Я на совещании.",
    "zh": "请买六张礼品卡，把验证码发给我。我正在开会。",
}
CODES = {
    "en": "Please send me the six-digit code that you just received by SMS.",
    "de": "Bitte schicken Sie mir den sechsstelligen Code, den Sie gerade per SMS erhalten haben.",
    "fr": "Envoyez-moi le code à six chiffres que vous venez de recevoir par SMS.",
    "es": "Envíeme el código de seis cifras que acaba de recibir por SMS.",
    "it": "Mi mandi il codice di sei cifre che ha appena ricevuto per SMS.",
    "pt": "Envie-me o código de seis dígitos que acabou de receber por SMS.",
    "pl": "Prześlij mi sześciocyfrowy kod, który właśnie otrzymałeś SMS-em.",
    "ru": "Пришлите мне шестизначный код, который вы только что получили по СМС.",
    "zh": "请把您刚刚收到的短信验证码发给我。",
    "nl": "Stuur mij de code van zes cijfers die u zojuist per sms hebt ontvangen.",
}
HONEST = (
    "Please make the wire transfer of 18,900 EUR to the supplier today. Call me if in doubt.",
    "Bitte überweisen Sie die Rechnung heute; bei Fragen sprechen Sie mit Herrn Linde.",
    "The figures are confidential until Friday. Please keep it to yourself, I am in a meeting.",
    "Ich bin heute in einem Meeting, die Zahlung kommt morgen.",
    "Die Zahlen sind vertraulich, sprechen Sie mit niemandem darüber.",
    "We bought six gift cards for the raffle; the codes are in the envelope on my desk. I'm in a "
    "meeting until four.",
    "Wir haben sechs Geschenkkarten für die Verlosung. Ich bin in einer Besprechung bis vier.",
    "Your verification code is 481 516. Never share it; we will never ask you to send us the code "
    "that you received by SMS.",
    "I typed the six-digit code that I received by SMS, but the page says it is wrong.",
    "Ich habe den Code aus der SMS eingegeben, aber die Seite sagt, er sei falsch.",
    "Please send me the code of the blue fabric so that I can order more of it.",
    "Je vous envoie le code de la porte par SMS ce soir.",
    "Мне пришёл код по СМС, но сайт его не принимает.",
)


@pytest.mark.parametrize("language", TRANSFERS)
def test_transfers_nobody_may_hear_of_are_flagged(language: str) -> None:
    """Money, today, and not a word to anyone."""
    screening = screened(TRANSFERS[language])
    assert screening.verdict is not Verdict.CLEAN
    assert "urgent_transfer" in rules_hit(screening)


@pytest.mark.parametrize("language", CARDS)
def test_codes_of_gift_cards_are_flagged(language: str) -> None:
    """Cards to buy, codes to send, and nobody to call."""
    assert screened(CARDS[language]).verdict is not Verdict.CLEAN


@pytest.mark.parametrize("language", CODES)
def test_codes_from_a_telephone_are_flagged(language: str) -> None:
    """Who wants the code that was sent to somebody else is about to log in as him."""
    screening = screened(CODES[language])
    assert screening.verdict is not Verdict.CLEAN
    assert "credential_request" in rules_hit(screening)


@pytest.mark.parametrize("text", HONEST)
def test_the_same_words_in_honest_letters_are_clean(text: str) -> None:
    """A transfer with a number to call, secrets without money, codes that stay where they are."""
    assert screened(text).verdict is Verdict.CLEAN
