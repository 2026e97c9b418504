"""Previews in a real browser: what is drawn is seen, and its pages are turned."""

import base64
import os
from pathlib import Path

import pytest

from tests.core.reading.pictures import picture
from tests.core.window.browsing import Browser, chromium
from tests.core.window.engine import TOKEN, World
from tests.mail.window.test_previews import NOTE, PLAN

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]

FOLD = ".st-key-mail [data-testid=stExpander] summary"
PREVIEW = "[class*=st-key-preview-file-0] button"
DRAWN = "document.querySelector('[role=dialog] img')"
TURN = "[class*=st-key-preview-turn-1] button"


@pytest.fixture
def page(world: World, address: str, browser: Browser) -> Browser:
    """Open a case whose mail carries a PDF of three pages and a text."""
    case = world.cases["case-1"]
    first = case.messages[0].model_copy(update={"attachments": (PLAN, NOTE)})
    world.cases["case-1"] = case.model_copy(update={"messages": (first, *case.messages[1:])})
    world.drawn[PLAN.sha256] = [
        picture("PNG", 1100, 1600), picture("PNG", 1400, 900), picture("PNG", 300, 400),
    ]  # fmt: skip
    browser.open(f"{address}/review?token={TOKEN}&case=case-1", 1440, 900)
    browser.until(f"!!document.querySelector('{FOLD}')")
    browser.settles()
    return browser


def take_picture(page: Browser, name: str) -> None:
    """Keep what is seen, where somebody has asked for it."""
    if folder := os.environ.get("POSTERN_TEST_PICTURES"):
        page.settles()
        shot = page.call("Page.captureScreenshot", format="png")["data"]
        (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(shot))


def test_a_pdf_is_looked_at_and_its_pages_are_turned(page: Browser, world: World) -> None:
    """Nothing is drawn unasked; each page is another picture, and all of it fits the width."""
    page.value(f"[...document.querySelectorAll('{FOLD}')].at(-1).click()")
    page.until(f"!!document.querySelector('{PREVIEW}')")
    page.settles()
    take_picture(page, "preview-closed")
    assert not [path for _, path, _ in world.calls if path.endswith("/preview")]
    page.value(f"document.querySelector('{PREVIEW}').click()")
    page.until(f"{DRAWN}?.naturalWidth === 1100")
    page.sees("Page 1 of 3")
    take_picture(page, "preview-open")
    page.value(f"document.querySelector('{TURN}').click()")
    page.until(f"{DRAWN}?.naturalWidth === 1400")
    page.sees("Page 2 of 3")
    take_picture(page, "preview-second")
    box = page.value(f"(({{left, right}}) => [left, right])({DRAWN}.getBoundingClientRect())")
    assert box[0] >= 0
    assert box[1] <= 1440
    page.resize(420, 900)
    page.settles()
    take_picture(page, "preview-phone")
    assert page.value(f"{DRAWN}.getBoundingClientRect().right") <= 420
    assert page.value(f"{DRAWN}.alt") == "plan.pdf, page 2"
