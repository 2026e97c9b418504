"""The pages around agents in a real browser: the week, one agent, and an answer that failed."""

from collections.abc import Iterator

import httpx
import pytest
import yaml

from flows.agents.lifecycle import install_catalogue
from tests.roster.test_manifests import PICTURE
from tests.window.browsing import Browser, chromium
from tests.window.opening import serving
from tests.window.test_browser import SIDEWAYS
from tests.window.test_real_engine import Engine

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


def test_the_pages_around_agents_are_no_wider_than_a_phone(browser: Browser, address: str) -> None:
    """Nor than a small desk; nothing has to be moved sideways to be read."""
    for width in (420, 1024):
        browser.resize(width, 900)
        for page in PAGES:
            go_to(browser, f"{address}/{page}")
            assert browser.value(SIDEWAYS) <= 0, (page, width)


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
    assert browser.value("document.querySelectorAll('.t-again, .t-failed').length") == 0
    assert browser.value("document.querySelectorAll('.t-mine').length") == 1
    root = f"http://127.0.0.1:{engine.port}/v1/{engine.line.workspace.slug}/chats"
    headers = {"Authorization": f"Bearer {engine.token}"}
    with httpx.Client(
        headers=headers, timeout=60
    ) as elsewhere:  # what is said there comes by itself
        newest = elsewhere.get(root).json()["items"][0]["id"]
        elsewhere.post(f"{root}/{newest}/messages", json={"text": "What can you do?"})
    browser.until("document.querySelectorAll('.t-rating').length === 2")


def test_the_number_of_a_source_leads_to_its_page(browser: Browser, address: str) -> None:
    """It is a link with an address of its own, and a press opens the page in the same session."""
    go_to(browser, f"{address}/agents")
    browser.click(".st-key-begin-taskmaster button", ".st-key-suggest-0 button")
    browser.click("[data-testid='stChatInputTextArea']")
    browser.call("Input.insertText", text="Add a task: order batteries")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", windowsVirtualKeyCode=13)
    browser.until("document.querySelectorAll('a.t-number').length === 1")
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
