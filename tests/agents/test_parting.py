"""What is ordered beside a question is told as not done, in four languages."""

import pytest

from tasks.agents.conversing import Answer
from tasks.agents.parting import hint_of, recognize, with_undone
from tasks.agents.triage import ChatIntent, is_plain
from tests.agents.conftest import Office

PARTED = (
    ("What is urgent, and call Jonas", "What is urgent", ("call Jonas",)),
    ("What is urgent? And call Jonas.", "What is urgent?", ("call Jonas.",)),
    ("call Jonas and tell me what is urgent", "tell me what is urgent", ("call Jonas",)),
    ("Was ist dringend, und ruf Jonas an", "Was ist dringend", ("ruf Jonas an",)),
    ("Qu'est-ce qui est urgent ? Et appelle Jonas", "Qu'est-ce qui est urgent ?",
     ("appelle Jonas",)),
    ("¿Qué es urgente hoy? Y llama a Jonas", "¿Qué es urgente hoy?", ("llama a Jonas",)),
    ("Who is Jonas, and send him a catalogue", "Who is Jonas", ("send him a catalogue",)),
    ("Remind me on Friday at 9 to call Ana. What is urgent?", "What is urgent?",
     ("Remind me on Friday at 9 to call Ana.",)),
)  # fmt: skip
WHOLE = (
    "call Jonas and Tom",
    "how do I cancel and change a hire",
    "how do I cancel a hire and print the return label",
    "Wie kann ich eine Miete ändern und den Kunden informieren?",
    "¿cómo puedo cambiar y pagar una reserva?",
    "Who is responsible for orders and returns?",
    "Remind me on Friday at 9 to call Ana and order batteries",
    "The lamp is dead. Buy a new one.",
    "What is urgent, and why?",
    "",
)
SAID = {
    "en": "“call Jonas” was not done",
    "de": "„call Jonas“ ist nicht geschehen",
    "fr": "« call Jonas » n'a pas été fait",
    "es": "«call Jonas» no se ha hecho",
}


@pytest.mark.parametrize(("text", "asked", "besides"), PARTED)
def test_a_question_and_an_order_are_told_apart(
    text: str, asked: str, besides: tuple[str, ...]
) -> None:
    """Whichever comes first; and together they are nothing plain."""
    meant = recognize(text)
    assert (meant.asked, meant.besides) == (asked, besides)
    assert not is_plain(meant, [ChatIntent.URGENT])


@pytest.mark.parametrize("text", WHOLE)
def test_what_is_one_thing_stays_whole(text: str) -> None:
    """A second verb of a question, the rest of an order, and words without a question."""
    assert recognize(text).besides == ()


@pytest.mark.parametrize(("language", "expected"), SAID.items())
def test_what_was_not_done_is_said_behind_the_answer(language: str, expected: str) -> None:
    """In the language of the answer; what an agent does by itself is asked for once more."""
    meant = recognize("What is urgent, and call Jonas")
    told = with_undone(Answer(pieces=("Nothing.",)), meant, language)
    assert told.pieces[0] == "Nothing."
    assert told.pieces[1].startswith(expected)


def test_a_model_is_told_what_was_recognized() -> None:
    """And that an order stands beside a question; of what is open it is told nothing."""
    assert hint_of(recognize("What is urgent?")) == "a question of the kind 'urgent'"
    assert "ordered besides" in hint_of(recognize("What is urgent, and call Jonas"))
    assert hint_of(recognize("call Jonas")) == "a tool request"
    assert hint_of(recognize("Is the loom of Mara in the workshop?")) == ""


async def test_the_order_is_not_carried_out(office: Office) -> None:
    """Nothing is noted for what is to be said by itself."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    answer = await ida.ask(chat, "What is urgent, and remind me on Friday at 9 to call Ana")
    assert answer["text"].startswith("Nothing that waits is urgent.")
    assert "was not done yet" in answer["text"]
    assert "no open task" in (await ida.ask(chat, "What are my tasks?"))["text"]
