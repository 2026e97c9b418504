"""Handling rules in eight languages: the same matcher from the same meaning, or a named refusal."""

import pytest

from data.lexicons.rules import rule_words
from data.records.mail.rules import Deed, Matcher, RuleEffect
from tasks.core.words.sentences import fold
from tasks.mail.rules.compiling import UnclearRuleError, compile_rule
from tasks.mail.rules.matching import matches
from tests.mind.test_plan_rules import KNOWN, PEOPLE, compiled, make_subject

ALWAYS_ASK = {
    "de": "Alles zur DSGVO: immer fragen",
    "fr": "Tout ce qui concerne le RGPD : toujours demander",
    "es": "Todo sobre el RGPD: preguntar siempre",
    "it": "Tutto riguardo al GDPR: chiedere sempre",
    "nl": "Alles over de AVG: altijd vragen",
    "pt": "Tudo sobre o RGPD: perguntar sempre",
    "pl": "Wszystko na temat RODO: zawsze pytaj",
}
LANDLORD = {
    "de": "Rechnungen von Harbor Estates: archivieren",
    "fr": "Factures de Harbor Estates : archiver",
    "es": "Facturas de Harbor Estates: archivar",
    "it": "Fatture da Harbor Estates: archiviare",
    "nl": "Facturen van Harbor Estates: archiveren",
    "pt": "Faturas da Harbor Estates: arquivar",
    "pl": "Faktury od Harbor Estates: zarchiwizuj",
}
COMPLAINTS = {
    "de": "Beschwerden auf Englisch: an Ida Fenn geben",
    "fr": "Plaintes en anglais : confier à Ida Fenn",
    "es": "Quejas en inglés: asignar a Ida Fenn",
    "it": "Reclami in inglese: assegnare a Ida Fenn",
    "nl": "Klachten in het Engels: toewijzen aan Ida Fenn",
    "pt": "Reclamações em inglês: atribuir a Ida Fenn",
    "pl": "Skargi po angielsku: przekaż do Ida Fenn",
}
FILES = {
    "de": "Dringendes ohne Anhang von tulip.example oder rose.example: zurückhalten und als eilig "
          "markieren",
    "fr": "Urgences de tulip.example ou rose.example sans pièce jointe : retenir et étiqueter "
          "eilig",
    "es": "Urgentes de tulip.example o rose.example sin adjuntos: retener y etiquetar como eilig",
    "it": "Urgenti da tulip.example o rose.example senza allegati: trattenere e etichettare eilig",
    "nl": "Dringend van tulip.example of rose.example zonder bijlage: vasthouden en labelen als "
          "eilig",
    "pt": "Urgentes de tulip.example ou rose.example sem anexos: reter e etiquetar como eilig",
    "pl": "Pilne od tulip.example lub rose.example bez załącznika: wstrzymać i oznacz jako eilig",
}  # fmt: skip
LOOSER = {
    "de": "Fragen zu Preisen: senden", "fr": "Questions sur les prix : répondre",
    "es": "Preguntas sobre precios: responder", "it": "Domande sui prezzi: rispondere",
    "nl": "Vragen over prijzen: antwoorden", "pt": "Perguntas sobre preços: responder",
    "pl": "Pytania o ceny: odpowiedz",
}  # fmt: skip
OTHERS = list(ALWAYS_ASK)


@pytest.mark.parametrize("code", OTHERS)
def test_a_topic_is_watched_for_in_the_words_that_were_written(code: str) -> None:
    """*Always ask* compiles to the one effect and the one topic."""
    matcher = compiled(ALWAYS_ASK[code])
    assert matcher.deeds == (Deed(effect=RuleEffect.ASK),)
    (topic,) = matcher.topics
    name = {"de": "dsgvo", "it": "gdpr", "nl": "avg", "pl": "rodo"}.get(code, "rgpd")
    assert name in topic
    assert matches(matcher, make_subject(f"A word on {name.upper()}, please"))
    assert not matches(matcher, make_subject("A word on Sunday, please"))


@pytest.mark.parametrize("code", OTHERS)
def test_a_topic_matches_mail_in_other_languages(code: str) -> None:
    """Invoices in any language are found, from the contact that is named and nobody else."""
    matcher = compiled(LANDLORD[code])
    assert matcher.senders == ("rent@harbor.example",)
    assert matcher.deeds == (Deed(effect=RuleEffect.ARCHIVE),)
    sender = "rent@harbor.example"
    assert matches(matcher, make_subject("Your invoice for May", sender=sender))
    assert matches(matcher, make_subject("Ihre Rechnung für Mai", sender=sender, language="de"))
    assert not matches(matcher, make_subject("Your invoice for May"))
    assert not matches(matcher, make_subject("Your parcel", sender=sender))


@pytest.mark.parametrize("code", OTHERS)
def test_kind_language_and_person_are_understood(code: str) -> None:
    """The same matcher as the English sentence gives."""
    assert compiled(COMPLAINTS[code]) == compiled("complaints in English: assign to Ida Fenn")


@pytest.mark.parametrize("code", OTHERS)
def test_alternatives_attachments_and_two_effects(code: str) -> None:
    """*Or*, *without* and *and* are those of the language."""
    english = "urgent from tulip.example or rose.example without attachments: hold and tag eilig"
    assert compiled(FILES[code]) == compiled(english)


@pytest.mark.parametrize("code", OTHERS)
def test_no_language_lets_something_happen(code: str) -> None:
    """A rule that would send is refused, and it is said that a rule can only restrict or file."""
    with pytest.raises(UnclearRuleError, match="only restrict or file"):
        compiled(LOOSER[code])


@pytest.mark.parametrize(
    ("sentence", "unclear", "understood"),
    [
        ("Beschwerden von unserem Vermieter: archivieren", "unserem vermieter", "complaint"),
        ("Plaintes en klingon : archiver", "klingon", "complaint"),
        ("Todo sobre lana con amor: archivar", "con amor|with amor", '"lana"'),
        ("Domande da tulip.example in marziano: archiviare", "marziano", "tulip.example"),
        ("questions from our landlord: archive", "our landlord", "question"),
    ],
)
def test_a_refusal_says_what_was_understood_so_far(
    sentence: str, unclear: str, understood: str
) -> None:
    """In the language that understood most: the part that was not, and the parts that were."""
    with pytest.raises(UnclearRuleError, match=unclear) as refused:
        compiled(sentence)
    assert "understood so far" in str(refused.value)
    assert understood in str(refused.value)


def test_effects_are_told_apart_and_never_in_two_groups() -> None:
    """No word means two effects in a language, and none that is looser is an effect."""
    for code, words in rule_words().items():
        plain = [fold(one) for name in ("ask", "hold", "file") for one in words.effects[name]]
        assert len(plain) == len(set(plain)), code
        assert not {fold(one) for one in words.looser} & set(plain), code


def test_what_compiles_can_only_restrict_or_file() -> None:
    """Every plain effect of every language, with and without a second one, is of the closed set."""
    for words in rule_words().values():
        for name in ("ask", "hold", "file"):
            for said in words.effects[name]:
                matcher: Matcher = compile_rule(f"wool: {said}", KNOWN, PEOPLE)
                assert {deed.effect for deed in matcher.deeds} <= set(RuleEffect)
