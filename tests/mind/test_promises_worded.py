"""Promises as people word them in eight languages: active, passive, relative, and none."""

from datetime import date

import pytest

from tasks.core.claims.promises import promises

SUNDAY = date(2026, 11, 22)
SAID = [
    ("en", "We'll send the replacement by Friday.", "2026-11-27"),
    ("en", "The parts will be shipped on 3 December.", "2026-12-03"),
    ("en", "You will have our offer within two working days.", "2026-11-24"),
    ("en", "I'm going to call you tomorrow morning.", "2026-11-23"),
    ("en", "A technician is coming next Tuesday.", "2026-11-24"),
    ("en", "Expect our reply by the end of the month.", "2026-11-30"),
    ("en", "Our colleague will get in touch with you.", "undated"),
    ("en", "Your refund is being processed and will arrive in five days.", "2026-11-27"),
    ("en", "We will not be able to send it before Friday.", None),
    ("en", "You should receive it the day after tomorrow.", "2026-11-24"),
    ("en", "We will let you know.", "undated"),
    ("en", "We cannot promise anything.", None),
    ("en", "Please send us the form by Friday.", None),
    ("en", "We close on Friday.", None),
    ("de", "Wir schicken Ihnen das Teil bis Freitag.", "2026-11-27"),
    ("de", "Das Ersatzteil wird am 3. Dezember verschickt.", "2026-12-03"),
    ("de", "Sie erhalten unser Angebot in zwei Tagen.", "2026-11-24"),
    ("de", "Ich rufe Sie morgen an.", "2026-11-23"),
    ("de", "Wir melden uns übermorgen.", "2026-11-24"),
    ("de", "Ein Kollege kümmert sich darum.", "undated"),
    ("de", "Wir melden uns bis Ende der Woche.", "2026-11-27"),
    ("de", "Wir können das nicht bis Freitag schicken.", None),
    ("de", "Bitte senden Sie uns das Formular bis Freitag.", None),
    ("fr", "Nous vous enverrons la pièce d'ici vendredi.", "2026-11-27"),
    ("fr", "La pièce sera expédiée le 3 décembre.", "2026-12-03"),
    ("fr", "Je vous rappelle demain.", "2026-11-23"),
    ("fr", "Vous recevrez notre offre dans deux jours.", "2026-11-24"),
    ("fr", "Nous ne pourrons pas l'envoyer avant vendredi.", None),
    ("fr", "Merci de nous envoyer le formulaire avant vendredi.", None),
    ("es", "Le enviaremos la pieza antes del viernes.", "2026-11-27"),
    ("es", "La pieza será enviada el 3 de diciembre.", "2026-12-03"),
    ("es", "Le llamo mañana.", "2026-11-23"),
    ("es", "Recibirá nuestra oferta en dos días.", "2026-11-24"),
    ("es", "Pasado mañana le respondemos.", "2026-11-24"),
    ("it", "Le invieremo il pezzo entro venerdì.", "2026-11-27"),
    ("it", "Il pezzo sarà spedito il 3 dicembre.", "2026-12-03"),
    ("it", "La chiamo domani.", "2026-11-23"),
    ("it", "Riceverà la nostra offerta fra due giorni.", "2026-11-24"),
    ("pt", "Enviaremos a peça até sexta-feira.", "2026-11-27"),
    ("pt", "A peça será enviada no dia 3 de dezembro.", "2026-12-03"),
    ("pt", "Ligo-lhe amanhã.", "2026-11-23"),
    ("pt", "Receberá a nossa oferta dentro de dois dias.", "2026-11-24"),
    ("nl", "We sturen u het onderdeel uiterlijk vrijdag.", "2026-11-27"),
    ("nl", "Het onderdeel wordt op 3 december verzonden.", "2026-12-03"),
    ("nl", "Ik bel u morgen.", "2026-11-23"),
    ("nl", "U ontvangt onze offerte binnen twee dagen.", "2026-11-24"),
    ("nl", "We laten het u overmorgen weten.", "2026-11-24"),
    ("pl", "Wyślemy część do piątku.", "2026-11-27"),
    ("pl", "Część zostanie wysłana 3 grudnia.", "2026-12-03"),
    ("pl", "Zadzwonię jutro.", "2026-11-23"),
    ("pl", "Otrzymają Państwo ofertę w ciągu dwóch dni.", "2026-11-24"),
    ("pl", "Odezwiemy się pojutrze.", "2026-11-24"),
    ("pl", "Nie zdążymy wysłać do piątku.", None),
    ("fr", "Je vous enverrai le plan demain.", "2026-11-23"),
    ("fr", "Nous réparerons votre appareil.", "undated"),
    ("fr", "Nous espérons que cela vous aide.", None),
    ("fr", "C'est vrai, le musée est ouvert.", None),
    ("fr", "Nous serons fermés vendredi.", None),
    ("es", "Le enviaré el plano mañana.", "2026-11-23"),
    ("es", "Haré lo posible.", "undated"),
    ("es", "Queremos saber su dirección.", None),
    ("es", "No le enviaré nada.", None),
    ("it", "Le manderò la piantina domani.", "2026-11-23"),
    ("it", "Però la bottega è aperta.", None),
    ("pt", "Mandarei a planta amanhã.", "2026-11-23"),
    ("de", "Morgen werde ich Ihnen den Plan schicken.", "2026-11-23"),
    ("nl", "Morgen zal ik u de plattegrond sturen.", "2026-11-23"),
    ("en", "The office will be closed on Friday.", None),
    ("de", "Das Büro wird am Freitag geschlossen sein.", None),
    ("en", "Expect a call from us on Tuesday.", "2026-11-24"),
    ("en", "Leave it with me.", "undated"),
    ("de", "Ich kümmere mich um den Versand.", "undated"),
    ("de", "Am Montag bekommen Sie von uns eine Liste.", "2026-11-23"),
    ("fr", "Je m'occupe du remboursement.", "undated"),
    ("fr", "Notre technicien passera chez vous vendredi.", "2026-11-27"),
    ("es", "Me encargo de que lleguen a tiempo.", "undated"),
]
"""Language, sentence, and the day that it binds to; `undated` where it names none, None where it
binds nobody."""


@pytest.mark.parametrize(("language", "sentence", "due"), SAID)
def test_a_sentence_binds_to_its_day_or_not_at_all(
    language: str, sentence: str, due: str | None
) -> None:
    """What binds becomes an entry with its day; denials, requests and closing days do not."""
    letter = f"Hello,\n\n{sentence}\n\nKind regards"
    made = promises(letter, language, SUNDAY, within=5)
    days = [str(one.due) if one.dated else "undated" for one in made]
    assert days == ([due] if due else [])
