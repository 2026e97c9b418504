"""What is ordered beside a question is told as not done, in four languages."""

import pytest

from data.records.core.tools import Source
from tasks.agents.conversing import Answer
from tasks.agents.parting import add_undone, hint_of, join_answers, recognize_message
from tasks.agents.triage import ChatIntent, is_plain
from tests.agents.conftest import Office
from tests.counting import calls_of

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
    meant = recognize_message(text)
    assert (meant.asked, meant.besides) == (asked, besides)
    assert not is_plain(meant, [ChatIntent.URGENT])


@pytest.mark.parametrize("text", WHOLE)
def test_what_is_one_thing_stays_whole(text: str) -> None:
    """A second verb of a question, the rest of an order, and words without a question."""
    assert recognize_message(text).besides == ()


@pytest.mark.parametrize(("language", "expected"), SAID.items())
def test_what_was_not_done_is_said_behind_the_answer(language: str, expected: str) -> None:
    """In the language of the answer; what an agent does by itself is asked for once more."""
    meant = recognize_message("What is urgent, and call Jonas")
    told = add_undone(Answer(pieces=("Nothing.",)), meant, language)
    assert told.pieces[0] == "Nothing."
    assert told.pieces[1].startswith(expected)


def test_a_model_is_told_what_was_recognized() -> None:
    """And that an order stands beside a question; of what is open it is told nothing."""
    assert hint_of(recognize_message("What is urgent?")) == "a question of the kind 'urgent'"
    assert "ordered besides" in hint_of(recognize_message("What is urgent, and call Jonas"))
    assert hint_of(recognize_message("call Jonas")) == "a tool request"
    assert hint_of(recognize_message("Is the loom of Mara in the workshop?")) == ""


async def test_the_order_is_not_carried_out(office: Office) -> None:
    """Nothing is noted for what is to be said by itself."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    answer = await ida.ask(chat, "What is urgent, and remind me on Friday at 9 to call Ana")
    assert answer["text"].startswith("Nothing that waits is urgent.")
    assert "was not done yet" in answer["text"]
    assert "no open task" in (await ida.ask(chat, "What are my tasks?"))["text"]


SEVERAL = (
    ("how many cases wait and what is urgent?", "how many cases wait|what is urgent?"),
    ("who is Ines and how many cases wait?", "who is Ines|how many cases wait?"),
    ("wer wartet am längsten und was ist dringend", "wer wartet am längsten|was ist dringend"),
    ("What is urgent? What did we promise?", "What is urgent?|What did we promise?"),
    ("what are my tasks and what is on tomorrow?", "what are my tasks|what is on tomorrow?"),
    ("what is on Monday and Tuesday", ""),
    ("how do I cancel and change a hire", ""),
    ("what is the deposit and when is it paid back?", ""),
    ("remind me on Friday to ask what is urgent and who waits", ""),
)


@pytest.mark.parametrize(("text", "several"), SEVERAL)
def test_several_questions_are_recognized_apart(text: str, several: str) -> None:
    """Where one is plain; none of them is left to be passed over without a model."""
    meant = recognize_message(text)
    assert "|".join(meant.several) == several
    assert not (several and is_plain(meant))


def test_a_long_list_is_no_list_of_questions() -> None:
    """It is not judged piece by piece: thousands of commas would keep everybody waiting."""
    few, many = [
        f"who is {', '.join(f'Ana{number}' for number in range(count))}?" for count in (300, 3000)
    ]
    assert recognize_message(many).several == ()
    recognize_message(few)  # what is loaded once is no work of a message
    assert calls_of(lambda: recognize_message(f"{many} ")) < 30 * len(many)


def test_answers_to_several_questions_are_numbered_through() -> None:
    """A mark that somebody wrote stays; a question without an answer is named."""
    source = Source(kind="case", id="1", title="Loom")
    answers = [
        ("who waits", Answer(pieces=("Ines [1]",), sources=(source,))),
        ("why", Answer(pieces=("I do not know",), declined=True)),
        ("who wrote", Answer(pieces=(r"Tom \[1\] [1]",), sources=(source,))),
    ]
    told = join_answers(answers, "en")
    assert told.pieces[0] == "Ines [1]"
    assert "“why” I have no answer" in told.pieces[1]
    assert told.pieces[2] == r"Tom \[1\] [2]"
    assert len(told.sources) == 2
    assert not told.declined


async def test_two_questions_at_once_are_both_answered(office: Office) -> None:
    """One behind the other, and what has no answer is said to have none."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    both = str((await ida.ask(chat, "what is urgent and what are my tasks?"))["text"])
    assert "urgent" in both
    assert "no open task" in both
    one = str((await ida.ask(chat, "what are my tasks and when does the moon rise?"))["text"])
    assert "no open task" in one
    assert "“when does the moon rise" in one


async def test_a_name_does_not_take_the_next_question_with_it(office: Office) -> None:
    """The contact is told, and what was asked besides is named as not answered."""
    office.line.send("The loom squeaks.", subject="Squeaking", sender="tom@otter.example")
    await office.line.run()
    ida = await office.sign_in("Ida")
    chat = await ida.begin("rolodex")
    told = str((await ida.ask(chat, "who is otter.example and duz he owe us smth"))["text"])
    assert "tom@otter.example" in told.replace("\\", "")
    assert "“duz he owe us something”" in told
