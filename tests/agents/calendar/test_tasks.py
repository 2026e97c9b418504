"""Tasks are their owner's alone, noted on a plain order or a yes, and told once when due."""

from flows.agents.tools.tasks import remind_owners
from tests.agents.conftest import Office, Talking


async def _asked(somebody: Talking, *says: str) -> str:
    chat = await somebody.begin("taskmaster")
    answer = ""
    for words in says:
        answer = str((await somebody.ask(chat, words))["text"]).replace("\\", "")
    return answer


async def test_a_mention_is_noted_by_a_plain_yes_alone(office: Office) -> None:
    """A yes with a condition, a maybe, or silence is none."""
    ida = await office.sign_in("Ida")
    mention = "I have to call Femke tomorrow at 11"
    for no in ("yes, but not before Friday", "maybe", "no"):
        assert "no open task" in await _asked(ida, mention, no, "What are my tasks?")
    assert "is on your list" in await _asked(ida, mention, "yes")
    assert "nothing that I asked" in await _asked(ida, "yes")


async def test_a_yes_in_another_chat_is_for_nothing(office: Office) -> None:
    """What was asked in one chat is neither noted nor dropped by what is said in another."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    await ida.ask(chat, "I have to call Femke tomorrow at 11")
    assert "nothing that I asked" in await _asked(ida, "yes")
    assert "nothing that I asked" in await _asked(ida, "no")
    assert "is on your list" in (await ida.ask(chat, "yes"))["text"]


async def test_what_another_chat_asks_takes_no_question_back(office: Office) -> None:
    """Each chat has a yes of its own; a second question in it replaces the first."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    await ida.ask(chat, "I have to order yarn tomorrow at 9")
    await ida.ask(chat, "I have to call Femke tomorrow at 11")
    assert "is on your list" in await _asked(ida, "I have to oil the looms on Friday", "yes")
    assert "is on your list" in (await ida.ask(chat, "yes"))["text"]
    tasks = await _asked(ida, "What are my tasks?")
    assert "call Femke" in tasks
    assert "oil the looms" in tasks
    assert "order yarn" not in tasks


async def test_a_chat_program_says_yes_to_what_its_conversation_has(office: Office) -> None:
    """The agent's question comes back as text; another conversation's is not agreed to."""
    ida = await office.sign_in("Ida")

    async def ask_all(*says: tuple[str, str]) -> str:
        answer = await ida.client.post(
            "/v1/chat/completions",
            json={
                "model": f"{office.line.workspace.slug}/taskmaster",
                "messages": [{"role": role, "content": text} for role, text in says],
            },
        )
        return str(answer.json()["choices"][0]["message"]["content"])

    mention = ("user", "I have to call Femke tomorrow at 11")
    question = ("assistant", await ask_all(mention))
    assert "nothing that I asked" in await ask_all(("user", "yes"))
    assert "is on your list" in await ask_all(mention, question, ("user", "yes"))


async def test_a_yes_that_comes_hours_later_is_for_nothing(office: Office) -> None:
    """What was proposed is forgotten after an hour."""
    ida = await office.sign_in("Ida")
    await _asked(ida, "I have to call Femke tomorrow at 11")
    office.line.clock.forward(3700)
    assert "nothing that I asked" in await _asked(ida, "yes")
    assert "no open task" in await _asked(ida, "What are my tasks?")


OF_DAYS = {
    "what do I have to do tomorrow?": ["call Femke"],
    "and the day after tomorrow?": ["pay Ines"],
    "what is due today?": ["water the fern"],
    "which tasks are overdue?": ["water the fern"],
    "which tasks have no date?": ["count the looms"],
    "Was muss ich morgen machen?": ["call Femke"],
    "Welche Aufgaben sind überfällig?": ["water the fern"],
    "que dois-je faire demain ?": ["call Femke"],
    "tâches sans date": ["count the looms"],
    "¿qué tareas están vencidas?": ["water the fern"],
    "¿qué tengo que hacer mañana?": ["call Femke"],
    "what are my tasks?": ["water the fern", "call Femke", "pay Ines", "count the looms"],
}


async def test_who_asks_for_some_days_is_told_of_these_alone(office: Office) -> None:
    """What is late is to be done today as well; of a day that is not understood nothing is told."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    await ida.ask(chat, "remind me in 5 minutes to water the fern")
    for order in ("tomorrow at 9 to call Femke", "the day after tomorrow at 9 to pay Ines"):
        await ida.ask(chat, f"remind me {order}")
    await ida.ask(chat, "new task: count the looms")
    office.line.clock.forward(600)
    titles = OF_DAYS["what are my tasks?"]
    for question, listed in OF_DAYS.items():
        answer = (await ida.ask(chat, question))["text"]
        assert [title for title in titles if title in answer] == listed, question
    for question in ("what do I have to do every Monday?", "what do I have to do to buy a loom?"):
        answer = (await ida.ask(chat, question))["text"]
        assert not [title for title in titles if title in answer], question


async def test_nobody_sees_or_ends_the_tasks_of_another(office: Office) -> None:
    """Neither by asking nor by its title."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    await _asked(ida, "Add a task: order batteries")
    assert "no open task" in await _asked(tom, "What are my tasks?")
    assert "nothing was changed" in await _asked(tom, "I have done order batteries")
    assert "order batteries" in await _asked(ida, "What are my tasks?")


async def test_a_title_that_fits_two_tasks_ends_neither(office: Office) -> None:
    """It is said how many it fits."""
    ida = await office.sign_in("Ida")
    await _asked(ida, "Add a task: order batteries", "Add a task: order tea")
    assert "2 open tasks" in await _asked(ida, "I have done order")
    assert "2 tasks are open" in await _asked(ida, "What are my tasks?")


async def test_who_has_a_task_is_told_once_when_it_is_due(office: Office) -> None:
    """By a notification that nobody else sees, an administrator without an address included."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    await _asked(ida, "Remind me in 2 hours to eat")
    workspace, clock = office.line.workspace, office.line.clock
    assert await remind_owners(workspace, clock()) == 0
    clock.forward(7300)
    assert await remind_owners(workspace, clock()) == 1
    assert await remind_owners(workspace, clock()) == 0
    told = (await ida.get("/notifications")).json()
    assert [item["sentence"] for item in told["items"]] == ["Due now: eat"]
    assert told["unseen"] == 1
    assert (await tom.get("/notifications")).json()["items"] == []
    assert (await tom.post("/notifications/seen", {})).json()["marked"] == 0
    assert (await ida.post("/notifications/seen", {})).json()["marked"] == 1
