"""Handling rules as people write them: without a colon, the effect first, last, or around."""

import pytest

from tasks.mail.rules.compiling import LooserRuleError, UnclearRuleError, compile_rule
from tests.mind.test_plan_rules import KNOWN, PEOPLE

READ = [
    ("always ask about refunds", "anything about refunds: always ask"),
    ("never answer complaints automatically", "complaints: never answer automatically"),
    ("if someone mentions a lawyer, always ask me", "anything about lawyer: always ask me"),
    ("tag warranty questions as warranty", "warranty questions: tag as warranty"),
    ("hold everything from tulip.example", "everything from tulip.example: hold"),
    (
        "mails from @press.example should go to Ida Fenn",
        "mails from press.example: assign to Ida Fenn",
    ),
    (
        "invoices from our landlord rent@hill.example: archive",
        "invoices from rent@hill.example: archive",
    ),
    ("Beschwerden bitte immer an Ida Fenn", "Beschwerden: an Ida Fenn"),
    ("Bei Kündigungen immer nachfragen", "Alles über Kündigungen: immer nachfragen"),
    (
        "toujours demander pour les remboursements",
        "tout concernant remboursements : toujours demander",
    ),
    ("les réclamations : ne jamais répondre sans moi", "réclamations : toujours demander"),
    ("las quejas: asignar a Ida Fenn", "quejas: asignar a Ida Fenn"),
    ("klachten altijd naar Ida Fenn", "klachten: toewijzen aan Ida Fenn"),
    ("skargi zawsze do Ida Fenn", "skargi: przydzielić do Ida Fenn"),
]
LOOSER = [
    "reply to all complaints without asking",
    "Fragen zu Preisen automatisch beantworten",
    "répondre automatiquement aux questions sur les prix",
    "responder automáticamente a las preguntas",
    "vragen over prijzen automatisch beantwoorden",
    "let support questions go out by themselves",
    "approve everything from tulip.example",
]
UNCLEAR = [
    ("anything about GDPR on Fridays: hold", "on"),
    ("everything except complaints: hold", "except"),
    ("anything not from our customers: archive", "not"),
    ("don't archive anything about GDPR", "colon"),
    ("Alles zum Datenschutz außer Löschung: immer fragen", "außer"),
    ("todo sobre reembolsos salvo urgentes: archivar", "salvo"),
]


@pytest.mark.parametrize(("said", "strictly"), READ)
def test_free_words_mean_what_the_strict_form_says(said: str, strictly: str) -> None:
    """A rule without a colon gives the matcher of the same rule with one."""
    assert compile_rule(said, KNOWN, PEOPLE) == compile_rule(strictly, KNOWN, PEOPLE)


@pytest.mark.parametrize("said", LOOSER)
def test_free_words_never_loosen(said: str) -> None:
    """What asks for an answer without a person is refused, however it is put."""
    with pytest.raises(UnclearRuleError):
        compile_rule(said, KNOWN, PEOPLE)


def test_a_wish_for_more_is_named_as_such() -> None:
    """Who wants something to happen reads that no rule does that."""
    with pytest.raises(LooserRuleError, match="can only restrict"):
        compile_rule("answer all questions about prices", KNOWN, PEOPLE)


@pytest.mark.parametrize(("said", "named"), UNCLEAR)
def test_conditions_that_no_rule_has_are_named(said: str, named: str) -> None:
    """A time, an exception or a denial is refused by name and never becomes a topic."""
    with pytest.raises(UnclearRuleError, match=named.replace("ß", "(ß|ss)")):
        compile_rule(said, KNOWN, PEOPLE)


def test_two_words_of_one_matter_are_no_sender() -> None:
    """*Protección de datos* is a topic, though *de* can mean from."""
    made = compile_rule("todo sobre protección de datos: preguntar siempre", KNOWN, PEOPLE)
    assert not made.senders
    assert made.topics
