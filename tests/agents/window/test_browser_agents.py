"""The pages around agents in a real browser: the week, one agent, and an answer that failed."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import yaml

from data.records.agents.chats import AuthorKind, NewChat
from data.records.agents.turns import PersonCaller, Turn, TurnEvent
from data.records.core.streams import StreamEvent
from data.states import AgentState, TurnState
from data.store.agents import agents, chats, turns
from data.store.core import control
from data.store.core.database import Connection
from flows.agents.chats import begin_chat
from flows.agents.lifecycle import install_catalogue
from flows.agents.speaking import Speaker
from flows.agents.turn_triggers import begin_turn
from tests.core.roster.test_manifests import PICTURE
from tests.core.window.browsing import Browser, Chromium, chromium
from tests.core.window.opening import serving
from tests.core.window.real_engine import Engine
from tests.mail.window.test_browser import SIDEWAYS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(900),  # a machine with much else to do takes long, and is not wrong
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]

PAGES = ("chats", "agents", "agents?agent=desk", "agenda", "business")
TOPS = (
    "[...new Set([...document.querySelectorAll('.w-day')]"
    ".map(day => Math.round(day.getBoundingClientRect().top)))].length"
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Serve the tiny organization with the agents of the catalogue."""
    engine = Engine(tmp_path_factory.mktemp("engine") / "var")
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def address(engine: Engine) -> Iterator[str]:
    """Serve the window over it."""
    with serving(engine.port) as address:
        yield address


@pytest.fixture
def browser(browser: Browser, engine: Engine, address: str) -> Browser:
    """Sign the browser in, over the engine with agents."""
    browser.open(f"{address}/?token={engine.token}", 1440)
    return browser


def go_to(browser: Browser, address: str) -> None:
    """Go to a page within the session of who is signed in."""
    browser.call("Page.navigate", url=address)
    browser.until("!!document.querySelector('h1.title')")
    browser.settles()


def go_to_chat(browser: Browser, address: str) -> None:
    """Go to a chat, in which an answer may be under way so that the page does not settle."""
    browser.call("Page.navigate", url=address)
    browser.until("!!document.querySelector('.t-all')")


@pytest.mark.parametrize("lost", ["#root", '[data-testid="stMain"]'])
def test_a_page_that_went_blank_is_loaded_anew(browser: Browser, address: str, lost: str) -> None:
    """Streamlit loses what is on a page when a part of the page before answers too late."""
    go_to(browser, f"{address}/agenda")
    browser.value("sessionStorage.clear()")
    browser.value(f"document.querySelector('{lost}').replaceChildren()")
    assert not browser.value("!!document.querySelector('h1.title')")
    browser.until("!!document.querySelector('h1.title')")


def test_the_pages_around_agents_are_no_wider_than_a_phone(browser: Browser, address: str) -> None:
    """Nor than a small desk; nothing has to be moved sideways to be read."""
    for width in (420, 1024):
        browser.resize(width, 900)
        for page in PAGES:
            go_to(browser, f"{address}/{page}")
            assert browser.until(f"{SIDEWAYS} <= 0"), (page, width)


def test_days_stand_beside_each_other_and_on_a_phone_below(browser: Browser, address: str) -> None:
    """What is put in stands in its week at once, and a press on it opens it."""
    go_to(browser, f"{address}/agenda")
    browser.until(f"{TOPS} === 1")
    browser.click(".st-key-event-new button", ".st-key-event-new-title input")
    browser.click(".st-key-event-new-title input")
    browser.call("Input.insertText", text="Loom inspection")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", windowsVirtualKeyCode=13)
    browser.click(".st-key-event-new-save button:not([disabled])", ".w-own")
    browser.click(".w-own", ".st-key-card-event")
    browser.sees("Nobody else sees it.")
    browser.resize(420, 900)
    browser.until(f"{TOPS} === 7")


def test_an_answer_that_failed_is_asked_again_with_one_press(
    engine: Engine, browser: Browser, address: str
) -> None:
    """The sentence goes, the answer stands in its place, and the question stands once."""
    go_to(browser, f"{address}/agents")
    browser.click(".st-key-begin-assistant button", ".st-key-suggest-0 button")
    house, settings = engine.line.house, engine.line.house.settings
    house.settings = settings.model_copy(update={"turn_seconds": 1e-9})
    browser.click(".st-key-suggest-0 button", ".t-again")
    house.settings = settings
    browser.click(".t-again")
    browser.until("document.querySelectorAll('.t-rating').length === 1")
    browser.until("document.querySelectorAll('.t-again, .t-failed').length === 0")
    assert browser.value("document.querySelectorAll('.t-mine').length") == 1
    root = f"http://127.0.0.1:{engine.port}/v1/{engine.line.workspace.slug}/chats"
    headers = {"Authorization": f"Bearer {engine.token}"}
    with httpx.Client(
        headers=headers, timeout=60
    ) as elsewhere:  # what is said there comes by itself
        newest = elsewhere.get(root).json()["items"][0]["id"]
        elsewhere.post(f"{root}/{newest}/messages", json={"text": "What can you do?"})
    browser.until("document.querySelectorAll('.t-rating').length === 2")


class Answer:
    """An answer that an agent is at: the test says its words, through the turn's own stream."""

    def __init__(self, engine: Engine, before: int = 0) -> None:
        """Begin a chat in which so many messages and one more were said; the last is answered."""
        self._engine, self._db = engine, engine.line.workspace.db
        self.chat = ""
        self.begin(before)

    def begin(self, before: int = 0) -> None:
        """Begin an answer to one more message of the chat, as in the beginning."""
        self.chat, self.turn = self._engine.run(self._begin(before))
        self.lines = 0

    async def _begin(self, before: int) -> tuple[str, str]:
        house, workspace = self._engine.line.house, self._engine.line.workspace
        user = await house.control.read(control.read_token_principal, self._engine.token)
        opening = NewChat(agent="desk", title="Looms")
        chat_id = self.chat or (await begin_chat(house, workspace, opening, user)).id
        author = chats.Author(AuthorKind.PERSON, user.id, user.name)

        def write(cursor: Connection) -> Turn:
            now, pause = house.clock(), timedelta(hours=1)
            for number in range(before):
                words = f"Shaft {number} wants oil"
                chats.add_message(cursor, chat_id, author, words, now=now, pause=pause)
            words = "What wants oil in the hall?"
            message = chats.add_message(cursor, chat_id, author, words, now=now, pause=pause)
            event = TurnEvent(caller=PersonCaller(user=user.id), on_behalf_of=user.id, agent="desk",
                              agent_version=1, chat_id=chat_id, message_id=message.id)  # fmt: skip
            return begin_turn(cursor, event, now)

        turn = await self._db.write(write)
        self._speaker = Speaker(house.streams.open(turn.id))
        return chat_id, turn.id

    def say(self, words: str) -> None:
        """Say more of it."""
        self.lines += words.count("\n\n")

        async def put() -> None:
            self._speaker.say_so_far(self._speaker.stream.said + words)

        self._engine.run(put())

    def retract(self) -> None:
        """Take back what was said of it."""
        self.lines = 0

        async def take_back() -> None:
            self._speaker.retract()

        self._engine.run(take_back())

    def end(self) -> None:
        """Say no more: what was said is the answer."""

        async def end() -> None:
            stream, now = self._speaker.stream, self._engine.line.clock()
            desk = chats.Author(AuthorKind.AGENT, "desk", "Desk")

            def write(cursor: Connection) -> None:
                chats.add_message(cursor, self.chat, desk, stream.said, now=now,
                          pause=timedelta(hours=1), turn_id=self.turn)  # fmt: skip
                turns.end(cursor, self.turn, TurnState.COMPLETED, "", now)

            await self._db.write(write)
            self._speaker.send(StreamEvent(kind="done"))
            stream.end()

        self._engine.run(end())


LIVE = "(document.querySelector('.st-key-live')?.innerText ?? '').split('loom').length - 1"
WHOLE = "[...document.querySelectorAll('.t-agent .t-said')].map(one => one.innerText).join('|')"


PALE = """window.pale = []; new MutationObserver(changes => {
    for (const node of changes.flatMap(change => [...change.addedNodes]))
        if (node.classList.contains('t-sending'))
            window.pale.push(node.querySelector('.t-said').textContent);
}).observe(document.querySelector('.t-all'), {childList: true})"""
"""Notes in the page what is shown as being sent, which may be for a moment alone."""


def write(browser: Browser, words: str) -> None:
    """Type something in a chat, and send it."""
    browser.click("[data-testid='stChatInputTextArea']")
    browser.call("Input.insertText", text=words)
    browser.enter()


def test_an_answer_goes_on_after_a_reload_and_in_a_second_tab(
    engine: Engine, browser: Browser, chromium: Chromium, address: str
) -> None:
    """What was said so far stands there once, goes on to the end, and then stands whole, once.

    What is written is shown at once as being sent, and no more where it is refused.
    """
    answer = Answer(engine)
    answer.say("The loom ")
    second = Browser(chromium)
    try:
        go_to_chat(browser, f"{address}/chats?chat={answer.chat}")
        browser.until(f"({LIVE}) === 1")
        browser.call("Page.reload")
        browser.until(f"({LIVE}) === 1")
        second.open(f"{address}/?token={engine.token}")
        go_to_chat(second, f"{address}/chats?chat={answer.chat}")
        second.until(f"({LIVE}) === 1")
        answer.say("is a second loom.")
        for tab in (browser, second):
            tab.until(f"({LIVE}) === 2")
        answer.end()
        for tab in (browser, second):
            tab.until(f"({WHOLE}) === 'The loom is a second loom.' && ({LIVE}) === 0")
    finally:
        second.close()
    browser.value(PALE)
    write(browser, "Thanks a lot")
    browser.until("window.pale.join() === 'Thanks a lot'")
    browser.until("document.querySelectorAll('.t-mine:not(.t-sending)').length === 2")
    browser.until("document.querySelectorAll('.t-rating').length === 2")  # and is answered
    engine.run(engine.line.workspace.db.write(agents.set_state, "desk", AgentState.PAUSED))
    try:
        write(browser, "And now?")
        browser.until("window.pale.join() === 'Thanks a lot,And now?'")
        browser.until("document.querySelectorAll('.t-sending').length === 0")
        field = "document.querySelector('[data-testid=stChatInputTextArea]').value"
        browser.until(f"{field} === 'And now?'")  # refused, and nobody has to type it twice
        assert browser.value("document.querySelectorAll('.t-mine').length") == 2
    finally:
        engine.run(engine.line.workspace.db.write(agents.set_state, "desk", AgentState.ACTIVE))


TALK = "document.querySelector('.st-key-talk')"
LEFT = f"({TALK}.scrollHeight - {TALK}.clientHeight - {TALK}.scrollTop)"
"""Pixels below what is read."""
AT_END = f"{LEFT} < 2 && document.querySelector('.t-end').hidden"
WATCH = f"""(() => {{
    const edge = {TALK}.getBoundingClientRect().top;
    const at = [...document.querySelectorAll('.t-message')].find(
        one => one.getBoundingClientRect().bottom > edge);
    const place = at.getBoundingClientRect().top;
    const watch = window.watch = {{}};
    window.moved = 0;
    const look = () => {{  // after each picture that is drawn, not before it
        if (watch !== window.watch) return;
        const now = document.querySelector(`[data-message="${{at.dataset.message}}"]`);
        const by = now ? Math.abs(now.getBoundingClientRect().top - place) : Infinity;
        window.moved = Math.max(window.moved, by);
        requestAnimationFrame(() => setTimeout(look));
    }};
    look();
}})()"""
"""From now on `window.moved` is the most by which the message at the upper edge was moved."""
SHORTENED = f"""new Promise(resolve => {{
    const [all, column] = [document.querySelector('.t-all'), {TALK}.parentElement.parentElement];
    all.style.display = 'none';
    {TALK}.scrollTop;
    all.style.display = '';
    setTimeout(() => {{
        column.style.height = 'calc(100vh - 2rem)';
        {TALK}.scrollTop;
        column.style.height = '';
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
    }});
}})"""
"""Has what was said, and then the room for it, change and back before a picture of it is drawn.

A page does so that measures while it is drawn anew: what is read is pushed up by that.
"""
LENGTHENED = (
    f"(document.querySelector('.t-all').style.paddingBottom = '300px', {TALK}.scrollTop += 6)"
)
"""Has more said, and what is read moved down by a little before it is drawn, as a layout does."""
WORDS = f"""(() => {{
    window.counts = new Set();
    const watch = window.watch = {{}};
    const look = () => {{
        if (watch !== window.watch) return;
        window.counts.add({TALK}.innerText.split('loom').length);
        requestAnimationFrame(() => setTimeout(look));
    }};
    look();
}})()"""
"""From now on `window.counts` has how many words there were in each picture."""
RESTING_PLACE = f"""new Promise(resolve => {{
    let [before, still] = [-1, 0];
    const look = () => {{
        still = before === {TALK}.scrollTop ? still + 1 : 0;
        before = {TALK}.scrollTop;
        still > 20 ? resolve(before) : requestAnimationFrame(look);
    }};
    look();
}})"""
"""Comes once what was scrolled has rested for twenty pictures."""


def evaluate(browser: Browser, promise: str) -> Any:  # noqa: ANN401
    """Return what a JavaScript promise comes to."""
    answer = browser.call(
        "Runtime.evaluate", expression=promise, awaitPromise=True, returnByValue=True
    )
    return answer["result"]["value"]


def turn_wheel(browser: Browser, by: int) -> float:
    """Turn the wheel over what is said in a chat; return the place where it rests."""
    box = browser.value(f"{TALK}.getBoundingClientRect().toJSON()")
    spot = {"x": box["x"] + 90, "y": box["y"] + 90}
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", deltaX=0, deltaY=by, **spot)
    return float(evaluate(browser, RESTING_PLACE))


def test_who_reads_at_the_end_follows_and_who_has_scrolled_up_stays(
    engine: Engine, browser: Browser, address: str
) -> None:
    """Neither words under way, their end, the whole answer nor earlier messages move what is read.

    Back at the end, by the wheel or with one press, what comes is followed again.
    """
    answer = Answer(engine, before=60)
    go_to_chat(browser, f"{address}/chats?chat={answer.chat}")

    def hear(lines: int, until: str = AT_END) -> None:
        evaluate(browser, SHORTENED)
        answer.say("The loom is oiled.\n\n" * lines)
        browser.until(f"({LIVE}) === {answer.lines}")
        browser.until(until)

    def end() -> None:
        answer.end()
        whole = f"({WHOLE}).split('|').at(-1).split('loom').length - 1 === {answer.lines}"
        browser.until(f"{whole} && ({LIVE}) === 0")
        browser.settles()

    for lines in (5, 5, 5, 5):
        hear(lines)
    browser.value(LENGTHENED)
    browser.until(AT_END)
    browser.value("document.querySelector('.t-all').style.paddingBottom = ''")
    browser.until(AT_END)
    turn_wheel(browser, -700)
    browser.value(WATCH)
    for lines in (1, 4, 5):
        hear(lines, f"{LEFT} > 300")
    end()
    assert browser.value("window.moved") < 1
    while not browser.value(AT_END):
        turn_wheel(browser, 5000)
    answer.begin()
    hear(10)
    hear(10)
    turn_wheel(browser, -200)  # without the words under way there is no such place
    browser.value(WATCH)
    answer.retract()
    browser.until(f"({LIVE}) === 0")
    answer.say("The loom is oiled.\n\n")
    end()
    assert browser.value("window.moved") < 1
    while turn_wheel(browser, -5000):
        pass
    browser.value(WATCH)
    browser.click(".t-earlier")
    browser.until("document.querySelectorAll('.t-message').length > 60")
    browser.settles()
    assert browser.value("window.moved") < 1
    browser.click(".t-end")
    browser.until(AT_END)
    answer.begin()
    hear(5)
    browser.value(WORDS)
    end()
    assert browser.value("window.counts.size") == 1  # never twice, and never away
    browser.until(AT_END)


def test_the_number_of_a_source_leads_to_its_page(browser: Browser, address: str) -> None:
    """It is a link with an address of its own, and a press opens the page in the same session."""
    go_to(browser, f"{address}/agents")
    browser.click(".st-key-begin-taskmaster button", ".st-key-suggest-0 button")
    browser.click("[data-testid='stChatInputTextArea']")
    browser.call("Input.insertText", text="Add a task: order batteries")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", windowsVirtualKeyCode=13)
    browser.until("document.querySelectorAll('a.t-number').length === 1")
    browser.until("document.querySelectorAll('.t-sending').length === 0")
    page = browser.value("document.querySelector('a.t-number').getAttribute('href')")
    assert page.startswith("/agenda?task=")
    assert page == browser.value("document.querySelector('a.t-opens').getAttribute('href')")
    browser.click(".t-did summary", ".t-did[open] li")
    browser.click("a.t-number", "[class*='st-key-task-editor-']")
    browser.until(f"location.href.includes({page.partition('task=')[2]!r})")


def test_an_agents_own_picture_is_shown_wherever_it_is(
    engine: Engine, browser: Browser, address: str
) -> None:
    """In the gallery, on its page and beside what it says; without one, its letter."""
    path = f"/v1/{engine.line.workspace.slug}/agents/librarian"
    headers = {"Authorization": f"Bearer {engine.token}"}
    root = f"http://127.0.0.1:{engine.port}"
    with httpx.Client(base_url=root, headers=headers, timeout=60) as client:
        manifest = client.get(f"{path}/versions").json()["items"][0]["manifest"]
        fields = dict(yaml.safe_load(manifest))
        pictured = yaml.safe_dump({**fields, "avatar_url": PICTURE})
        changed = client.put(path, json={"manifest": pictured, "reason": "a face"})
        assert changed.is_success, changed.text
    drawn = "[...document.querySelectorAll('img.face')].filter(one => one.naturalWidth).length"
    go_to(browser, f"{address}/agents")
    browser.until(f"{drawn} === 1")
    letters = "[...document.querySelectorAll('i.face')].map(one => one.textContent).join('')"
    assert browser.value(letters) == "AACDRT"
    go_to(browser, f"{address}/agents?agent=librarian")
    browser.until(f"{drawn} === 1")
    browser.click(".st-key-begin-librarian button", ".st-key-suggest-0 button")
    browser.click(".st-key-suggest-0 button", ".t-rating")
    browser.until("document.querySelectorAll('.t-agent .t-head img.face').length === 1")
    assert browser.value(drawn) == 1
    sizes = "[...document.querySelectorAll('img.face')].map(one => one.clientWidth).join()"
    assert int(browser.value(sizes)) > 10
