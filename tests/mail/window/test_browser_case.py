"""The page of a case in a real browser: what is in view, the letter as a field, and its keys."""

import json

import pytest

from tests.core.window import invented
from tests.core.window.browsing import Browser, chromium
from tests.core.window.engine import TOKEN, World

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]

APPROVE = "[class*=st-key-approve-of-] button:not([disabled])"
TEXT = ".l-text"
BOX = "(name) => document.querySelector(name).getBoundingClientRect().toJSON()"
LINES = "[...document.querySelectorAll('.a-line')].map(line => line.getBoundingClientRect())"


@pytest.fixture
def page(world: World, address: str, browser: Browser) -> Browser:
    """Open the review queue of sixteen cases at the size of a desk."""
    for number in range(4, 17):
        id = f"case-{number}"
        world.cases[id] = invented.case(id, item=invented.item(id))
    browser.open(f"{address}/review?token={TOKEN}", 1440, 900)
    browser.until(f"!!document.querySelector('{APPROVE}')")
    browser.settles()
    return browser


def test_the_whole_letter_is_in_view_beside_its_mail(page: Browser) -> None:
    """Mail left, letter right, its last line above the bar; nine entries and more of the list."""
    mail, text = page.value(f"({BOX})('.st-key-mail')"), page.value(f"({BOX})('{TEXT}')")
    bar = page.value(f"({BOX})('.st-key-actions')")
    assert mail["right"] <= text["left"]
    assert text["bottom"] <= bar["top"] < bar["bottom"] <= 900
    assert page.value(f"document.querySelector('{TEXT}').scrollHeight") <= text["height"] + 1
    heights = page.value(f"({LINES}).map(box => box.height)")
    assert all(64 <= height <= 72 for height in heights), heights
    assert page.value(f"({LINES}).filter(box => box.bottom <= 900).length") >= 9
    page.click(".density")
    page.until(f"Math.max(...({LINES}).map(box => box.height)) < 60")


def test_a_number_lights_its_sentence_and_opens_its_source(page: Browser) -> None:
    """From whatever tab is open."""
    page.value("document.querySelectorAll('.st-key-evidence [role=tab]')[4].click()")
    page.until("document.querySelector('.st-key-evidence [role=tab]').ariaSelected === 'false'")
    page.click("button.l-cite")
    page.until("document.querySelector('.l-lit')?.textContent.includes('42-tooth ring')")
    page.until("document.querySelector('.st-key-evidence [role=tab]').ariaSelected === 'true'")
    page.until("!!document.querySelector('.st-key-card-source-1.led-to')")


def test_what_is_typed_is_checked_and_sent_by_a_key(page: Browser, world: World) -> None:
    """No letter of it is an order; what leaves is what stands there, and the next case opens."""
    page.press("e", brings=f"document.activeElement.matches('{TEXT}')")
    page.value(f"document.querySelector('{TEXT}').select()")
    for letter in "axdj":
        page.call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=letter)
    assert page.value(f"document.querySelector('{TEXT}').value") == "axdj"
    page.until("!!document.querySelector('[class*=st-key-approve-edited-of-case-1] button')")
    page.send()
    page.until("document.querySelector('.a-line[aria-current]')?.dataset.line === 'case-2'")
    assert [one["body"] for one in world.done("/approve")] == ["axdj"]
    expected = json.dumps(invented.BODY)
    page.until(f"document.querySelector('{TEXT}').value === {expected}")


def test_a_note_is_kept_by_the_key_that_sends_a_letter(page: Browser, world: World) -> None:
    """Ctrl+Enter keeps the note where it is typed; in the letter it leaves the note alone."""
    field = ".st-key-actions textarea"
    page.press("n", brings=f"document.activeElement.matches('{field}')")
    page.call("Input.insertText", text="They rang twice.")
    page.send()
    page.sees("Noted.")
    assert world.done("/case-1/notes") == [{"text": "They rang twice."}]
    page.until(f"!document.querySelector('{field}')")
    assert not world.done("/approve")


def test_a_copy_and_a_blind_one_are_typed(page: Browser, world: World) -> None:
    """Each tells the engine once, and nobody is told of a change that was their own."""
    for place, address in (("cc", "ben@quill.example"), ("bcc", "audit@lab.example")):
        box = "[data-testid=stPopoverBody] input"
        page.click(f".st-key-{place}-case-1 button", opens=box)
        page.click(box)
        page.call("Input.insertText", text=address)
        page.enter()
        page.sees(f"{place.capitalize()} · 1")
        page.escape()
        page.settles()
    assert len(world.done("/copies")) == 2
    assert not page.value("document.body.innerText.includes('has changed since')")


@pytest.mark.parametrize("width", [1280, 1366, 1440])
def test_what_decides_stands_in_one_row(page: Browser, width: int) -> None:
    """Also on the narrowest desk, and with a question to be answered."""
    page.resize(width, 800)
    page.settles()
    tops = (
        "[...document.querySelectorAll('.st-key-actions button')].map(button =>"
        " button.getBoundingClientRect()).filter(box => box.height).map(box => Math.round(box.top))"
    )
    page.until(f"new Set({tops}).size === 1")


def test_a_long_subject_is_seen_to_its_end(page: Browser, world: World) -> None:
    """It is signed as the text is; Enter makes no second line of it, and neither does a paste."""
    field = "document.querySelector('.l-subject')"
    page.click(".l-subject")
    page.value(f"{field}.select()")
    page.call("Input.insertText", text="Re: " + "the chain rings of the grey bicycle, " * 9)
    page.until(f"{field}.clientHeight > 40 && {field}.scrollHeight <= {field}.clientHeight")
    page.call("Input.insertText", text="one\ntwo")
    page.enter()
    page.until("!!document.querySelector('[class*=st-key-approve-edited-of-case-1] button')")
    page.send()
    page.until("document.querySelector('.a-line[aria-current]')?.dataset.line === 'case-2'")
    (approved,) = world.done("/approve")
    assert approved["subject"].endswith("one two")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (1130, 800)])
def test_what_stands_above_a_case_takes_room_from_the_mail(
    page: Browser, width: int, height: int
) -> None:
    """The page is no taller than its window; what decides is in view, also with a panel open."""
    taller = "document.querySelector('[data-testid=stMain]').scrollHeight - window.innerHeight"
    page.resize(width, height)
    page.settles()
    page.until(f"{taller} <= 0")
    page.press("a", shows="Leaves in")
    page.settles()
    page.until(f"{taller} <= 0")
    page.press("x", brings="!!document.querySelector('[class*=st-key-reason-]')")
    page.until(f"{taller} <= 0")
    page.escape()
    page.value(
        "(place => { const line = document.createElement('p'); line.style.height = '90px';"
        " place.prepend(line); })(document.querySelector('.st-key-pane-case').parentElement)"
    )
    page.until(f"{taller} <= 0")


def test_to_whom_a_letter_goes_is_seen_whole(page: Browser, world: World) -> None:
    """Also an address that leaves no room for what may be added beside it."""
    long_address = "the.office.of.visitor.services@museum-of-bells-and-other-things.example"
    text = "document.querySelector('.st-key-to-whom [data-testid=stText]')"
    item = invented.item("case-9")
    world.cases["case-9"] = invented.case("case-9", item=item, recipients=(long_address,))
    page.call("Page.navigate", url=page.value("location.origin") + "/review?case=case-9")
    page.until(f"{text}?.innerText === {json.dumps(long_address)}")
    drawn = f"[...{text}.querySelectorAll('*'), {text}]"
    page.until(f"{drawn}.every(part => part.scrollWidth <= part.clientWidth + 1)")
    card = f"{text}.closest('.st-key-letter').getBoundingClientRect().right"
    page.until(f"{text}.getBoundingClientRect().right <= {card}")
