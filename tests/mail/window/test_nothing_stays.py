"""What stands on the page belongs to the case that is selected, however slow the engine is."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.window.browsing import Browser, Chromium, chromium
from tests.core.window.opening import SlowWay, serving
from tests.core.window.real_engine import Engine
from tests.mail.line.parts_of import BOTH

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]

CASES = int(os.environ.get("POSTERN_TEST_DECISIONS", "3"))
"""How many decisions are made, each in another way; eight of them open the editor both ways."""
DELAY = 0.5
APPROVE = "[class*=st-key-approve-of-] button:not([disabled])"
ANY = "[class*=st-key-approve]"
TEXTAREA = "[class*=st-key-edit-body-] textarea"
WHY = "[class*=st-key-reason-should_not_reply-of-] button"
WRONG = "[class*=st-key-reason-wrong_fact-of-] button"
CLOSE = "[class*=st-key-close-now-of-] button"
ATTEMPTS = 5
EDITED = "[class*=st-key-approve-edited-of-] button:not([disabled])"
OPEN = "document.querySelector('.a-line[aria-current]')?.dataset.line"
TEXT = """
(() => {
  const pane = document.querySelector('.st-key-pane-case').cloneNode(true);
  for (const time of pane.querySelectorAll('time, style, script')) time.remove();
  const shadows = [...document.querySelectorAll('.st-key-pane-case *')]
    .filter((one) => one.shadowRoot)
    .map((one) => [...one.shadowRoot.children].filter((part) => part.tagName !== 'STYLE')
      .map((part) => part.textContent).join(' '));
  return [pane.textContent, ...shadows].join(' ').replace(/\\s+/g, ' ').trim();
})()
"""
"""All words of the open case, in the order of the page, but for the times, which go on."""
MATTERS = f"[...new Set(({TEXT}).match(/matter-[0-9]+/g) ?? [])]"
"""What the open case is about."""
APPROVABLE = f"""
[...document.querySelectorAll('{ANY}')].map((key) =>
  [...key.classList].find((name) => name.includes('-of-')).split('-of-')[1])
"""
"""The ids of the cases that could be approved."""
WATCH = """
window.seen = {mixed: [], approvable: {}};
const words = () => {
  const pane = document.querySelector('.st-key-pane-case');
  if (!pane) return;
  const found = new Set(pane.textContent.match(/matter-[0-9]+/g) ?? []);
  for (const one of pane.querySelectorAll('*'))
    for (const part of one.shadowRoot?.children ?? [])
      if (part.tagName !== 'STYLE')
        for (const word of part.textContent.match(/matter-[0-9]+/g) ?? []) found.add(word);
  if (found.size > 1) window.seen.mixed.push([...found].join(' '));
  for (const key of document.querySelectorAll('[class*=st-key-approve]')) {
    const id = [...key.classList].find((name) => name.includes('-of-')).split('-of-')[1];
    const shown = window.seen.approvable[id] ??= [];
    const matter = [...found].sort().join(' ');
    if (!shown.includes(matter)) shown.push(matter);
  }
};
new MutationObserver(words).observe(document.body, {childList: true, subtree: true});
setInterval(words, 30);
"""
"""Look at every change of the page: which matters it shows, and what could be approved then."""

KINDS = (
    "Hello,\n\nwhen is the workshop open? It is about {matter}.\n\nKind regards",
    BOTH + "\n\nThis is about {matter}.",
    "Hello,\n\ndo you know a good dentist in the village, for {matter}?\n\nBest",
    "Please send me a copy of invoice {matter}, and tell me what an inspection costs.\n\nThanks",
)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Run a real engine of the tiny organization with a case for each decision, and three more."""
    engine = Engine(tmp_path / "var")
    for number in range(CASES + 3):
        matter = f"matter-{number}"
        engine.receive(
            KINDS[number % len(KINDS)].format(matter=matter),
            subject=f"About {matter}",
            sender=f"guest{number}@heron.example",
        )
    yield engine
    engine.close()


@pytest.fixture
def browsers(tmp_path: Path) -> Iterator[tuple[Browser, Browser]]:
    """Start the browser of a person, and one that loads each page afresh."""
    running = [Chromium(tmp_path / name) for name in ("person", "fresh")]
    person, fresh = map(Browser, running)
    yield person, fresh
    for window, browser in zip((person, fresh), running, strict=True):
        window.close()
        browser.close()


def test_the_page_is_that_of_the_selected_case_after_each_decision(
    engine: Engine, browsers: tuple[Browser, Browser]
) -> None:
    """By keys, each way to decide in turn, with an engine that takes half a second for each call.

    After each one the words of the case are those of a page that is loaded afresh; and no change of
    the page ever showed two cases, or a button that approves another case than the shown one. An
    engine that is away leaves nothing of the case before, and no button that approves it.
    """
    person, fresh = browsers
    way = SlowWay(engine.port, DELAY)
    try:
        with serving(way.port) as slow, serving(engine.port) as direct:
            person.open(f"{slow}/review?token={engine.token}", 1440, 900)
            fresh.open(f"{direct}/review?token={engine.token}", 1440, 900)
            person.until(f"!!document.querySelector('{APPROVE}')")
            person.value(WATCH)
            for number in range(CASES):
                _decide(person, number)
                _same(person, fresh, direct, number)
            seen = person.value("window.seen")
            way.delay = 30
            before = person.value(MATTERS)
            assert len(before) == 1
            person.press("j", brings=f"!({MATTERS}).includes({json.dumps(before[0])})")
            own = person.value(OPEN)
            assert person.value(APPROVABLE) in ([], [own])
    finally:
        way.close()
    assert not seen["mixed"]
    assert len(seen["approvable"]) >= CASES / 2
    assert all(len([one for one in shown if one]) == 1 for shown in seen["approvable"].values()), (
        seen["approvable"]
    )


def _decide(person: Browser, number: int) -> None:
    """Decide on the open case in one of four ways; what cannot be approved is closed."""
    person.until("!!document.querySelector('.st-key-panel-close button')")
    decided = f"{OPEN} && {OPEN} !== {json.dumps(person.value(OPEN))}"
    ways = ("approve", "reject", "edit", "close")
    way = ways[number % len(ways)] if person.value(f"!!document.querySelector('{APPROVE}')") else ""
    if way == "approve":
        person.press("a", brings=decided)
    elif way == "reject":
        person.press("x", brings=f"!!document.querySelector('{WHY}')")
        _click_until(person, WHY, decided)
    elif way == "edit":
        if number % 8 == 2:
            person.press("e", brings=f"document.activeElement.matches('{TEXTAREA}')")
        else:  # a wrong fact opens the editor
            person.press("x", brings=f"!!document.querySelector('{WHY}')")
            person.click(WRONG, opens=TEXTAREA)
        person.settles()
        person.value(f"document.querySelector('{TEXTAREA}').focus()")
        person.call("Input.insertText", text=" And a word more.")
        _click_until(person, EDITED, decided)
    else:
        person.press("d", brings=f"!!document.querySelector('{CLOSE}')")
        _click_until(person, CLOSE, decided)


def _click_until(person: Browser, selector: str, decided: str) -> None:
    """Click what decides until the case is decided: the first one may only have a text checked."""
    for _attempt in range(ATTEMPTS):
        person.settles()
        if person.value(decided):
            return
        person.click(selector)
        if person.comes(decided, 20):
            return
    raise TimeoutError(f"{selector!r} did not decide the case")


def _same(person: Browser, fresh: Browser, direct: str, number: int) -> None:
    """Compare the words of the case with those of a fresh load, once both are drawn."""
    fresh.open(f"{direct}/review?case={person.value(OPEN)}", 1440, 900)
    fresh.until("!!document.querySelector('.st-key-pane-case .st-key-panel-close')")
    end = time.monotonic() + 60
    while True:
        person.settles()
        fresh.settles()
        words, wanted = person.value(TEXT), fresh.value(TEXT)
        if words == wanted:
            return
        if time.monotonic() > end:
            raise AssertionError(f"after decision {number + 1}:\n{words}\nis not\n{wanted}")
        time.sleep(0.3)
