"""Without a model agents answer in the language of the question, or the one that is chosen."""

from datetime import date
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import data.lexicons.wording as lexicon
from data.gate_words import GATES, NO_ANSWER
from data.word_lists import word_list
from flows.agents.lifecycle import read_catalogue
from flows.running.agents import TOOLS
from tasks.agents.conversing import choose_call
from tasks.agents.parting import recognize_message
from tasks.core.wording import day_words, languages, word_for, word_sentence
from tests.agents.chats.test_talking import URGENT
from tests.agents.conftest import Office

ANSWERS = [
    ("desk", "Was ist dringend?", "Ein Fall ist dringend:"),
    ("desk", "Qu'est-ce qui est urgent ?", "Un dossier est urgent :"),
    ("desk", "¿Qué es urgente?", "Un caso es urgente:"),
    ("desk", "What is urgent?", "One case is urgent:"),
    ("desk", "Was wartet?", "Ein Fall wartet auf einen Menschen:"),
    ("desk", "Danke!", "Gern geschehen."),
    ("desk", "Wie spät ist es?", "Uhr am"),
    ("desk", "Bonjour", "Vous pouvez me demander"),
    ("librarian", "Wer hat 1998 die Regatta in Kiel gewonnen?", "nichts gefunden"),
    ("taskmaster", "Welche Aufgaben habe ich?", "Du hast keine offene Aufgabe."),
    ("taskmaster", "Rappelle-moi demain à 9 heures d'appeler Ana", "est sur votre liste, pour le"),
    ("taskmaster", "recuérdame mañana a las 9 llamar a Ana", "está en tu lista, para el"),
    ("calendar", "Welche Termine habe ich morgen?", "Kein Termin am"),
    ("calendar", "cuándo estoy libre mañana", "El horario de trabajo es de"),
    ("rolodex", "Wer ist Albert Einstein?", "Keiner unserer Kontakte heißt so."),
    ("rolodex", "Qui est Tom Otter ?", "Un contact porte ce nom :"),
    ("rolodex", "¿Quién espera una respuesta?", "Una persona espera una respuesta:"),
    ("desk", "Gibt es etwas von Tom Otter?", "Ein Fall von dort wartet auf einen Menschen:"),
    ("desk", "Qui a écrit au sujet de Smoke ?", "Un dossier en attente parle de cela :"),
    ("desk", "Entwirf eine Antwort an Niemand", "Kein Fall von dort wartet auf eine Antwort."),
    ("analyst", "Wie viele Fälle gibt es?", "Fälle insgesamt: 1."),
    ("analyst", "Combien de dossiers par priorité ?", "Dossiers par priorité :"),
    ("analyst", "SELECT 1 FROM nobody", "I do not run that: there are the views"),
]


async def test_an_answer_is_in_the_language_of_its_question(office: Office) -> None:
    """What strangers wrote stays as it is."""
    office.line.send(URGENT, subject="Smoke", sender="Tom Otter <tom@otter.example>")
    await office.line.run()
    ida = await office.sign_in("Ida")
    for agent, question, expected in ANSWERS:
        answer = await ida.ask(await ida.begin(agent), question)
        assert expected in answer["text"].replace("\\", ""), question
    waiting = await ida.ask(await ida.begin("desk"), "Was ist dringend?")
    assert "Smoke" in waiting["text"]
    assert "wartet seit" in waiting["text"]
    assert "waits for" not in waiting["text"]
    assert "Dringende Post geht sofort an einen Menschen." in waiting["text"]


async def test_a_chosen_language_goes_before_that_of_the_question(office: Office) -> None:
    """And one that there are no sentences in is answered in English."""
    ida = await office.sign_in("Ida")
    path = f"/v1/{ida.line.workspace.slug}/chats/preferences"
    for language, expected in (("es", "Nada de lo que espera"), ("pl", "Nothing that waits")):
        await ida.client.put(path, json={"style": "standard", "language": language})
        answer = await ida.ask(await ida.begin("desk"), "Was ist dringend?")
        assert expected in answer["text"]
    unknown = await ida.client.put(path, json={"style": "standard", "language": "zz"})
    assert unknown.status_code == 422
    assert "no language 'zz'; agents answer in en, de, fr, es without" in unknown.text
    chosen = {"style": "standard", "language": "es"}
    assert (await ida.client.put(path, json=chosen)).json() == chosen
    chat = await ida.begin("desk")
    assert (await ida.get(f"/chats/{chat}")).json()["suggestions"][0] == "¿Qué es urgente?"
    gap = await ida.ask(chat, "Redacta una respuesta a …")
    assert gap["text"] == word_sentence("es", "gap")
    assert (await ida.get(f"/chats/{chat}")).json()["suggestions"] == []
    for said, expected in (
        ("Remember that my desk is on the third floor", "Lo recuerdo"),
        ("What do you know about my desk?", "Esto es lo que sé"),
        ("What is my desk on?", "Esto es lo que sé"),
        ("Forget that", "Lo he olvidado"),
    ):
        assert expected in (await ida.ask(chat, said))["text"], said


@pytest.mark.parametrize("language", languages())
def test_every_suggestion_of_the_catalogue_is_understood_in_its_language(language: str) -> None:
    """It leads to the tool of which it is the example, the same one in every language."""
    for slug, manifest in read_catalogue().items():
        offered = TOOLS.pick(manifest.agent.tools).declarations
        english = manifest.agent.suggestions
        suggestions = manifest.agent.suggestions_for(language)
        assert len(suggestions) == len(english), slug
        assert suggestions != english or language == "en", slug
        for suggestion, example in zip(suggestions, english, strict=True):
            own, other = (
                choose_call(recognize_message(text), text, offered)
                for text in (suggestion.replace("…", "Ana"), example.replace("…", "Ana"))
            )
            assert own is not None, suggestion
            assert other is not None, example
            in_words = {"words": "", "question": "", "language": language}
            assert own.name == other.name, suggestion
            assert own.arguments.get("language", language) == language, suggestion
            assert own.arguments | in_words == other.arguments | in_words, suggestion


def _table(name: str) -> dict[str, dict[str, Any]]:
    file = Path(lexicon.__file__).with_name(name)
    table: dict[str, dict[str, Any]] = word_list(file)
    return table


@pytest.mark.parametrize("name", ["answers.yaml", "answers_of_line.yaml"])
@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_there_in_every_language_with_what_is_filled_in(
    language: str, name: str
) -> None:
    """None is missing, and none wants what another language does not."""
    table = _table(name)
    words = {code: said.get("words", {}).keys() for code, said in table.items() if code != "en"}
    assert words[language if language != "en" else "de"] == words["de"]
    own = table[language]
    english = {key: said for key, said in table["en"].items() if key != "words"}
    assert own.keys() - {"words"} == english.keys()
    for key, sentence in english.items():
        names = [
            {name for _, name, _, _ in Formatter().parse(one) if name}
            for one in (sentence, own[key])
        ]
        assert names[0] == names[1], (language, key)
    if name == "answers.yaml":
        assert len(own["months"].split(", ")) == 12
        assert len(own["weekdays"].split(", ")) == 7


def test_why_a_case_waits_is_said_as_the_queue_says_it() -> None:
    """Each gate has its sentence in every language; the English one is that of the queue's page."""
    for name, gate in GATES.items():
        said = f"{gate.no[0].upper()}{gate.no[1:]}."
        assert word_sentence("en", f"why_{name}") == said
    assert word_sentence("en", "why_no_answer").casefold() == f"{NO_ANSWER}."


def test_days_and_spans_are_words_of_the_language() -> None:
    """What is no word of ours stays as it is."""
    day = date(2026, 12, 4)
    assert day_words(day) == "Friday, 4 December 2026"
    assert day_words(day, "de") == "Freitag, 4. Dezember 2026"
    assert day_words(day, "es") == "viernes, 4 de diciembre de 2026"
    assert word_for("fr", "3 hours") == "3 heures"
    assert word_for("en", "feature_request") == "feature request"
    assert word_for("fr", "Heron Mill") == "Heron Mill"
    assert word_sentence("xx", "thanks") == "You are welcome."
