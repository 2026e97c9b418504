"""People tell agents what to remember, ask for it later, and take it back; in four languages."""

import pytest

from data.states import MoveState
from tasks.agents.remembering.memory_orders import MemoryOrder, find_wish
from tests.agents.conftest import Office, Talking
from tests.core.small import settle

WISHES = {
    "Remember that I prefer short answers.": (MemoryOrder.REMEMBER, "I prefer short answers"),
    "Can you remember that our stand-up is at 9?": (MemoryOrder.REMEMBER, "our stand-up is at 9"),
    "Merk dir bitte, dass ich Tee mag.": (MemoryOrder.REMEMBER, "ich Tee mag"),
    "Souviens-toi que je préfère le thé.": (MemoryOrder.REMEMBER, "je préfère le thé"),
    "Recuerda que prefiero el té.": (MemoryOrder.REMEMBER, "prefiero el té"),
    "What do you know about my desk?": (MemoryOrder.RECALL, "my desk"),
    "Was weißt du über mein Büro?": (MemoryOrder.RECALL, "mein Büro"),
    "Que sais-tu sur mon bureau ?": (MemoryOrder.RECALL, "mon bureau"),
    "¿Qué sabes de mi despacho?": (MemoryOrder.RECALL, "mi despacho"),
    "Forget that.": (MemoryOrder.FORGET, ""),
    "Vergiss das!": (MemoryOrder.FORGET, ""),
    "Oublie ça.": (MemoryOrder.FORGET, ""),
    "Olvida eso.": (MemoryOrder.FORGET, ""),
    "Forget what I told you about my desk": (MemoryOrder.FORGET, "my desk"),
}
OTHERS = (
    "Remember to call Ana.",
    "What is urgent?",
    "Do not remember the Alamo, write to Ana.",
    "I forgot my umbrella.",
    "Denk daran, zu bestellen.",
    "",
)


@pytest.mark.parametrize(("text", "meant"), WISHES.items())
def test_wishes_are_recognized(text: str, meant: tuple[MemoryOrder, str]) -> None:
    """With what they are about."""
    wish = find_wish(text)
    assert wish is not None
    assert (wish.wish, wish.what) == meant


@pytest.mark.parametrize("text", OTHERS)
def test_other_messages_are_none(text: str) -> None:
    """A reminder, a question and a remark are no wish of the memory."""
    assert find_wish(text) is None


async def _told(ida: Talking, chat: str, text: str) -> str:
    """Return the answer, once what was said is read for facts too."""
    answer = await ida.ask(chat, text)
    await settle(ida.line.house)
    return str(answer["text"])


@pytest.mark.parametrize(
    ("text", "layer", "what"),
    [
        ("Remember for everybody that the depot is shut", "organization", "the depot is shut"),
        ("Merk dir für alle: das Lager ist zu", "organization", "das Lager ist zu"),
        ("Retiens pour tout le monde que le dépôt est fermé", "organization", "le dépôt est fermé"),
        ("Recuerda para el equipo que cerramos a las 17", "team", "cerramos a las 17"),
        ("Remember for the team: we meet on Monday", "team", "we meet on Monday"),
        ("Merk dir nur für mich, dass ich dienstags frei habe", "user", "ich dienstags frei habe"),
        ("Remember for all orders above 50 euros postage is free", None,
         "for all orders above 50 euros postage is free"),
        ("Merk dir, für uns ist Freitag der ruhigste Tag", None,
         "für uns ist Freitag der ruhigste Tag"),
    ],
)  # fmt: skip
def test_for_whom_something_is_remembered_may_be_said(
    text: str, layer: str | None, what: str
) -> None:
    """It stands before a colon or *that*; what only begins like it is a part of what holds."""
    wish = find_wish(text)
    assert wish is not None
    assert (wish.layer, wish.what) == (layer, what)


@pytest.mark.parametrize(
    ("told", "asked", "forgotten"),
    [
        ("Souviens-toi que je préfère le thé.", "Que sais-tu sur le thé ?", "Oublie le thé."),
        ("Recuerda que prefiero el té.", "¿Qué sabes sobre el té?", "Olvida el té."),
    ],
)
async def test_a_topic_that_folds_to_an_article_is_recalled(
    office: Office, told: str, asked: str, forgotten: str
) -> None:
    """*Thé* is no *the*: what has that English word is not recalled for it."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    await _told(ida, chat, "Remember that the gate is painted green.")
    await _told(ida, chat, told)
    answer = await _told(ida, chat, asked)
    assert "thé" in answer or "té" in answer
    assert "gate" not in answer
    await _told(ida, chat, forgotten)
    assert "thé" not in (again := await _told(ida, chat, asked))
    assert "té." not in again


async def test_what_was_told_is_recalled_in_another_chat(office: Office) -> None:
    """It says what was stored, answers from it with its source, and forgets it when told to."""
    ida = await office.sign_in("Ida")
    first, second = await ida.begin("assistant"), await ida.begin("librarian")
    told = await _told(ida, first, "Remember that my desk is on the third floor.")
    assert "My desk is on the third floor" in told
    answer = await ida.ask(second, "Where is my desk?")
    assert "third floor" in answer["text"]
    assert answer["sources"][0]["kind"] == "memory"
    assert "third floor" in await _told(ida, second, "What do you know about me?")
    assert "forgotten" in await _told(ida, first, "Forget that.")
    assert "third floor" not in (await ida.ask(second, "Where is my desk?"))["text"]


async def test_what_is_said_by_the_way_is_picked_up(office: Office) -> None:
    """After the answer, in its layer, with its words; small talk is not."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    await _told(ida, chat, "Thanks! By the way, I work from home on Tuesdays. Is anything urgent?")
    (row,) = await office.line.rows("SELECT layer, text, state FROM memories")
    assert row == {
        "layer": f"user:{ida.user_id}",
        "text": "By the way, I work from home on Tuesdays.",
        "state": "current",
    }
    (words,) = await office.line.rows("SELECT words, said_by, turn_id FROM memory_evidence")
    assert (words["words"], words["said_by"]) == (row["text"], "Ida")
    assert words["turn_id"]


async def test_what_holds_for_more_stays_with_its_person_until_shared(office: Office) -> None:
    """What is said to an agent alone is nobody else's; it is noted for whom it seems meant."""
    ida = await office.sign_in("Ida")
    await _told(ida, await ida.begin("assistant"), "Our return period is thirty days.")
    (row,) = await office.line.rows("SELECT layer, meant_for FROM memories")
    assert row == {"layer": f"user:{ida.user_id}", "meant_for": "organization"}


async def test_reading_a_message_twice_counts_it_once(office: Office) -> None:
    """Killed behind the answer, the next engine reads the message; it is the same message."""
    from flows.agents.extracting import resume_extracting

    ida = await office.sign_in("Ida")
    await _told(ida, await ida.begin("assistant"), "I work from home on Tuesdays.")
    db = office.line.workspace.db
    await db.write(
        lambda cursor: (
            cursor.execute(
                "UPDATE turn_moves SET state = ?, ended_at = NULL "
                "WHERE kind = 'extract' AND name = ''",
                [MoveState.RUNNING],
            )
            and None
        )
    )
    assert await resume_extracting(office.line.house, office.line.workspace) == 1
    (row,) = await office.line.rows("SELECT count FROM memories")
    assert row["count"] == 1
    (move,) = await office.line.rows(
        "SELECT state FROM turn_moves WHERE kind = 'extract' AND name = ''"
    )
    assert move["state"] == MoveState.DONE


async def test_a_secret_is_refused_in_words(office: Office) -> None:
    """The answer does not repeat it, and nothing is stored."""
    ida = await office.sign_in("Ida")
    told = await _told(
        ida, await ida.begin("assistant"), "Remember that my password is tulip-Harbour-93."
    )
    assert "do not remember" in told
    assert "tulip" not in told
    assert await office.line.rows("SELECT 1 FROM memories") == []


@pytest.mark.parametrize(
    ("tell", "ask", "word"),
    [
        ("Merk dir bitte, dass mein Büro Raum 214 ist.", "Wo ist mein Büro?", "214"),
        ("Retiens que mon bureau est au troisième étage.", "Où est mon bureau ?", "troisième"),
        (
            "Recuerda que mi despacho está en la tercera planta.",
            "¿Dónde está mi despacho?",
            "tercera",
        ),
    ],
)
async def test_other_languages_are_spoken(office: Office, tell: str, ask: str, word: str) -> None:
    """Told, recalled, and answered in the language of the question."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    await _told(ida, chat, tell)
    assert word in await _told(ida, chat, ask)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("merk dir, dass ich Diabetes habe", "es geht um jemandes Gesundheit"),
        ("retiens que j'ai le diabète", "il s'agit de la santé de quelqu'un"),
        ("recuerda que tengo diabetes", "trata de la salud de alguien"),
    ],
)
async def test_why_a_thing_is_not_remembered_is_said_in_the_language_of_who_asks(
    office: Office, told: str, why: str
) -> None:
    """The reason is no English among other words."""
    ida = await office.sign_in("Ida")
    answer = str((await ida.ask(await ida.begin("assistant"), told))["text"])
    assert why in answer.replace("\\", "")
