"""The window in a real browser: what no run without one can show."""

import json
import time

import pytest

from data.records.core.parsed_mail import Segments
from data.states import ForwardState
from tests.core.window import invented, planning
from tests.core.window.browsing import Browser, chromium
from tests.core.window.engine import TOKEN, World
from tests.core.window.knowing import entry
from tests.core.window.promising import promise
from tests.mail.window.test_forwards import put

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(900),  # a machine with much else to do takes long, and is not wrong
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]

OPENED = "document.querySelector('[class*=st-key-subject-case]')?.innerText"
FOCUSED = "document.activeElement.closest('[class*=st-key-]')?.className ?? ''"
APPROVE = "[class*=st-key-approve-of-] button:not([disabled])"
CURRENT = "document.querySelector('.a-line[aria-current]')?.dataset.line"
DIRECTION = """(words => {
    const card = words.parentElement.getBoundingClientRect();
    return [0, words.textContent.length - 5].map(at => {
        const range = document.createRange();
        range.setStart(words.firstChild, at);
        range.setEnd(words.firstChild, at + 4);
        const box = range.getBoundingClientRect();
        return card.right - box.right < box.left - card.left ? "right" : "left";
    });
})(document.querySelector("[class*=st-key-letter-new] [data-testid=stText] > *"))"""
"""At which edge the first and the last word of a letter stand."""
BOXES = (
    "[...document.querySelectorAll('.st-key-held-actions button')]"
    ".map(button => button.getBoundingClientRect())"
)
TOP_OF = "name => document.querySelector(name).getBoundingClientRect().top"
BESIDE = (
    "(([list, item]) => list.right <= item.left && Math.abs(list.top - item.top) < 4"
    " && item.width > 500)([...document.querySelector('[class*=st-key-halves-] .stHorizontalBlock')"
    ".children].map(half => half.getBoundingClientRect()))"
)
STEP = 60.0
"""How long a step of the browser's history may take, seconds."""
SIDEWAYS = "document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"


def test_loading_the_page_again_keeps_a_person_signed_in_until_they_sign_out(
    address: str, browser: Browser
) -> None:
    """The token leaves the address bar, a reload needs none, and signing out ends that."""
    browser.open(f"{address}/?token={TOKEN}")
    browser.sees("What came in, where it is")
    browser.until("!location.search.includes('token')")
    browser.until("document.cookie.includes('postern_session=')")
    assert TOKEN not in browser.value("document.cookie")

    browser.open(f"{address}/help")
    browser.sees("The keys and the words of this desk")
    assert not browser.value("document.body.innerText.includes('Sign in to Postern')")

    browser.click(".st-key-account button", opens=".st-key-sign-out button")
    browser.click(".st-key-sign-out button")
    browser.sees("Sign in to Postern")
    browser.until("!/postern_session=[^;]/.test(document.cookie)")
    browser.open(address)
    browser.sees("Sign in to Postern")


def test_an_address_that_was_sent_is_open_once_signed_in(address: str, browser: Browser) -> None:
    """The sign-in stands at the page's own address, and leads there."""
    browser.open(f"{address}/help")
    browser.sees("Sign in to Postern")
    assert not browser.value("document.body.innerText.includes('Page not found')")
    browser.click(".stMain input[type=password]")
    browser.call("Input.insertText", text=TOKEN)
    browser.value("document.activeElement.blur()")
    browser.settles()
    browser.click(".stMain button[kind^=primary]")
    browser.sees("The keys and the words of this desk")
    assert browser.value("location.pathname") == "/help"


def test_the_name_of_the_first_page_leads_to_it(address: str, browser: Browser) -> None:
    """It stands at the root, once in the bar of pages; nothing says that it is not there."""
    browser.open(f"{address}/?token={TOKEN}")
    browser.sees("What came in, where it is")
    browser.open(f"{address}/overview")
    browser.sees("What came in, where it is")
    assert not browser.value("document.body.innerText.includes('Page not found')")
    links = "document.querySelectorAll('[data-testid=stTopNav] a[href$=\"/overview\"]').length"
    assert browser.value(links) == 0
    assert browser.value("location.pathname") == "/"


def test_a_reply_is_approved_and_taken_back_by_keys(
    address: str, browser: Browser, world: World
) -> None:
    """J opens the next case, K goes back, A approves what is shown, U takes it back."""
    browser.open(f"{address}/review?token={TOKEN}")
    browser.until(f"!!document.querySelector('{APPROVE}')")
    first = json.dumps(browser.value(OPENED))
    browser.press("j", brings=f"{OPENED} && {OPENED} !== {first}")
    browser.press("k", brings=f"{OPENED} === {first}")
    browser.until(f"!!document.querySelector('{APPROVE}')")
    browser.press("a", shows="Leaves in")
    assert len(world.done("/approve")) == 1
    aloud = "document.querySelector('body > .told-aloud[role=status]')?.textContent"
    browser.until(f"{aloud}?.endsWith('U takes it back.')")  # for who does not see the bar
    browser.press("u", shows="Taken back")
    assert len(world.done("/cancel")) == 1


def test_a_button_that_is_pressed_again_and_again_decides_once(
    address: str, browser: Browser, world: World
) -> None:
    """With a slow engine too: nothing is approved that has not been seen, nothing is refused."""
    browser.open(f"{address}/review?token={TOKEN}")
    browser.until(f"!!document.querySelector('{APPROVE}')")
    first = json.dumps(browser.value(OPENED))
    world.slow = 0.2
    browser.settles()
    browser.value(
        f"window.shown = document.querySelector('{APPROVE}');"
        "window.pressing = setInterval(() => shown.isConnected && shown.click(), 40)"
    )
    browser.until(f"{OPENED} && {OPENED} !== {first} && !window.shown.isConnected")
    browser.settles()
    assert len(world.done("/approve")) == 1
    assert not browser.value("document.body.innerText.includes('has changed since')")


def test_a_slow_engine_is_seen_to_be_waited_for(
    address: str, browser: Browser, world: World
) -> None:
    """A bar runs along the top while a page waits, from before its first word on."""
    browser.open(f"{address}/help?token={TOKEN}")
    browser.sees("The keys and the words of this desk")
    world.slow = 1.0
    browser.open(f"{address}/inbox")
    browser.until("getComputedStyle(document.querySelector('.stApp'), '::before').opacity === '1'")
    browser.until("document.querySelectorAll('.a-line').length > 2")


def test_a_step_to_the_next_case_draws_nothing_but_the_case(address: str, browser: Browser) -> None:
    """The lines of the list stay the very elements they were; the mark moves to the open one."""
    browser.open(f"{address}/review?token={TOKEN}")
    browser.until(f"!!document.querySelector('{APPROVE}')")
    browser.settles()  # what is drawn once more after the first drawing has new elements
    first = browser.value(CURRENT)
    browser.value("window.before = [...document.querySelectorAll('.a-line')]")
    browser.press("j", brings=f"{CURRENT} && {CURRENT} !== {json.dumps(first)}")
    assert browser.value("window.before.length") == 3
    assert browser.value("window.before.every((line) => line.isConnected)")
    assert browser.value("document.querySelectorAll('.a-line[aria-current]').length") == 1


def test_a_line_of_a_list_is_a_button_that_opens_it(address: str, browser: Browser) -> None:
    """Also where nothing was open: the message appears, and its line is marked at once."""
    browser.open(f"{address}/inbox?token={TOKEN}")
    browser.until("document.querySelectorAll('.a-line').length > 2")
    line = browser.value("document.querySelectorAll('.a-line')[1].dataset.line")
    browser.click(
        f'.a-line[data-line="{line}"]', opens=f'.a-line[data-line="{line}"][aria-current]'
    )
    browser.sees("From outside, not vouched for")


def walk_back(address: str, browser: Browser) -> bool:
    """Open a message, go to the review queue, and step back twice; return whether both steps led.

    From the case to the message that was open, and from it to the bare list. Streamlit forgets that
    a run is a step of the history where a request of a part of the page comes before it has begun,
    names that a limitation, and may leave the address of another place behind.
    """
    browser.open(f"{address}/inbox?token={TOKEN}")
    browser.until("document.querySelectorAll('.a-line').length > 2 && !location.search")
    line = browser.value("document.querySelectorAll('.a-line')[1].dataset.line")
    opened = f"{CURRENT} === {json.dumps(line)} && location.search === '?message={line}'"
    browser.click(f'.a-line[data-line="{line}"]', opens='[class*="st-key-letter-new"]')
    browser.until(opened)
    browser.click('[data-testid=stTopNav] a[href$="/review"]')
    browser.until(f"location.search.includes('case=') && !!document.querySelector('{APPROVE}')")
    bare = f"location.pathname === '/inbox' && !location.search && !({CURRENT})"
    for place in (opened, bare):
        browser.settles()
        browser.value("history.back()")
        if not browser.comes(place, STEP / 3):
            return False
    return True


def test_back_leads_one_step_for_each_place(address: str, browser: Browser) -> None:
    """The address of a page that names nothing yet is passed through.

    Where somebody opened something there it is a place of its own. A walk in which a step met
    another request is begun anew.
    """
    assert any(walk_back(address, browser) for _ in range(4)), browser.value("location.href")


def test_a_forward_that_is_pressed_opens(address: str, browser: Browser, world: World) -> None:
    """Its list renews itself alone, and still the other half shows what was chosen in it."""
    put(world, ForwardState.FAILED)
    browser.open(f"{address}/outbox?token={TOKEN}")
    browser.until("!!document.querySelector('[class*=st-key-outbox-what] button')")
    browser.click("[class*=st-key-outbox-what] button:last-child", opens='.a-line[data-line="f-1"]')
    browser.click('.a-line[data-line="f-1"]', opens="[class*=st-key-forward-retry-of-] button")


def test_each_paragraph_runs_in_the_direction_of_its_words(
    address: str, browser: Browser, world: World
) -> None:
    """A Hebrew letter begins at the right edge of its card, in the window made for English."""
    segments = Segments(new="\u05e9\u05dc\u05d5\u05dd\n\nHello")
    message = world.messages["news-1"].model_copy(update={"segments": segments})
    world.messages = {"news-1": message}
    browser.open(f"{address}/inbox?token={TOKEN}")
    browser.click(".a-line", opens="[class*=st-key-letter-new]")
    browser.sees("Hello")
    assert browser.value(DIRECTION) == ["right", "left"]


def test_what_was_done_within_a_part_of_a_page_is_told(
    address: str, browser: Browser, world: World
) -> None:
    """A button in a part that renews itself draws that part alone; its notice appears too."""
    world.promises["promise-1"] = promise()
    browser.open(f"{address}/?token={TOKEN}")
    browser.click(".st-key-promise-done-promise-1 button")
    browser.sees("The promise is closed.")


def test_no_page_is_wider_than_a_phone(address: str, browser: Browser) -> None:
    """On 420 pixels nothing has to be moved sideways to be read."""
    browser.open(f"{address}/?token={TOKEN}", width=420)
    browser.sees("Needs you")
    for page, words in (
        ("", "Needs you"),
        ("review", "Unassigned"),
        ("inbox", "Conversations"),
        ("quarantine", "Quarantine"),
        ("outbox", "To programs"),
        ("help", "Reasons to reject"),
    ):
        browser.open(f"{address}/{page}", width=420)
        browser.sees(words)
        browser.settles()
        assert browser.until(f"{SIDEWAYS} <= 0"), page


def test_list_and_item_stand_side_by_side(address: str, browser: Browser, world: World) -> None:
    """From 900 pixels on, whatever is open: half a screen, a tablet, a desk at 125 percent."""
    world.deliveries["d-1"] = invented.delivery("d-1")
    world.tickets["t-1"] = planning.ticket(id="t-1")
    world.entries.append(entry("e-1"))
    browser.open(f"{address}/?token={TOKEN}")
    browser.sees("Needs you")
    for page in ("review", "inbox", "quarantine", "knowledge", "outbox", "tickets"):
        browser.open(f"{address}/{page}", 1280, 800)
        browser.click(".a-line", opens="[class*=st-key-subject-]")
        browser.settles()
        for width in (900, 1024, 1152, 1280):
            browser.resize(width, 800)
            assert browser.until(BESIDE), (page, width)
            assert browser.until(f"{SIDEWAYS} <= 0"), (page, width)


def test_every_decision_of_the_quarantine_is_within_reach(address: str, browser: Browser) -> None:
    """One row on a small desk; on a phone nothing is cut off, and what is open comes first."""
    browser.open(f"{address}/quarantine?token={TOKEN}", width=1280, height=800)
    browser.click(".a-line", opens=".st-key-held-actions")
    browser.settles()
    browser.until(f"({BOXES}).length === 7")
    middles = browser.value(f"({BOXES}).map(box => Math.round(box.y + box.height / 2))")
    assert max(middles) - min(middles) <= 2
    browser.open(f"{address}/quarantine", width=390, height=844)
    browser.until("document.querySelectorAll('.a-line').length > 1")
    assert not browser.value("document.querySelector('.st-key-card-nothing').offsetHeight")
    browser.click(".a-line", opens=".st-key-held-actions")
    browser.settles()
    assert browser.value(f"Math.max(...({BOXES}).map(box => box.right))") <= 390
    assert browser.value(f"({TOP_OF})('.st-key-subject-held') < ({TOP_OF})('.a-line')")


def test_the_question_mark_opens_the_sheet_of_keys(address: str, browser: Browser) -> None:
    """Anywhere but in a field; there it is a letter."""
    browser.open(f"{address}/?token={TOKEN}")
    browser.sees("Needs you")
    browser.until("!!document.querySelector('.st-key-key-sheet button')")
    browser.press("?", shows="this sheet of keys")


def test_the_focus_goes_where_the_next_key_is_expected(address: str, browser: Browser) -> None:
    """Into the text that E opens, back on the button at its end, and along with J in the list."""
    browser.open(f"{address}/review?token={TOKEN}")
    browser.until(f"!!document.querySelector('{APPROVE}')")
    text = "document.activeElement.matches('[class*=st-key-edit-body-] textarea')"
    browser.press("e", brings=text)
    browser.escape()
    browser.until(f"!{text}")
    browser.press("x", brings=f"({FOCUSED}).includes('st-key-reason-')")
    browser.click(".st-key-panel-cancel button")
    browser.until(f"({FOCUSED}).includes('st-key-panel-reject')")
    browser.press("n", brings="document.activeElement.matches('.st-key-actions textarea')")
    browser.escape()
    browser.until("!document.querySelector('.st-key-actions textarea')")
    for key, field in (("f", "st-key-forward-to-"), ("z", "st-key-snooze-")):
        browser.press(key, brings=f"({FOCUSED}).includes('{field}')")
        browser.escape()
        browser.until("!document.querySelector('.st-key-panel-cancel')")
    browser.value("document.activeElement.blur()")
    first = browser.value(CURRENT)
    browser.press("j", brings=f"{CURRENT} && {CURRENT} !== {json.dumps(first)}")
    browser.until(f"document.activeElement.dataset.line === {CURRENT}")


def test_the_bar_of_undo_tells_the_last_decision_alone(address: str, browser: Browser) -> None:
    """What was offered before says nothing any more, while it would still have counted down."""
    browser.open(f"{address}/review?token={TOKEN}")
    browser.until(f"!!document.querySelector('{APPROVE}')")
    words = "(document.querySelector('.undo-words')?.textContent ?? '')"
    browser.press("p", brings=f"{words}.includes('Gave')")
    browser.press("p", brings=f"{words}.includes('again')")
    for _ in range(12):
        time.sleep(0.1)
        assert "again" in browser.value(words)


def test_steps_leave_nothing_behind(address: str, browser: Browser) -> None:
    """What earlier cases were drawn with is let go: there is no more of it after many steps."""
    browser.open(f"{address}/review?token={TOKEN}")
    browser.until(f"!!document.querySelector('{APPROVE}') && {CURRENT}")
    held = []
    for _round in range(3):
        for key in "jk":
            shown = json.dumps(browser.value(CURRENT))
            browser.press(key, brings=f"{CURRENT} && {CURRENT} !== {shown}")
        browser.settles()
        held.append(browser.held())
    assert held[-1] < 1.3 * held[0], held
