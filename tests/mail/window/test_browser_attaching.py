"""Files and a new mail in a real browser: what is chosen there arrives whole."""

import base64
import json
import os
from pathlib import Path

import pytest

from tests.core.window.browsing import Browser, chromium
from tests.core.window.engine import TOKEN, World

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]

APPROVE = "[class*=st-key-approve-of-] button:not([disabled])"
CHOICE = "[class*=st-key-files-case-1-] input[type=file]"


@pytest.fixture
def page(address: str, browser: Browser) -> Browser:
    """Open the first case of the review queue."""
    browser.open(f"{address}/review?token={TOKEN}&case=case-1", 1440, 900)
    browser.until(f"!!document.querySelector('{APPROVE}')")
    browser.settles()
    return browser


def press(page: Browser, within: str, words: str) -> None:
    """Press the button with these words."""
    found = (
        f"[...document.querySelectorAll({json.dumps(within + ' button')})]"
        f".find(one => one.innerText.includes({json.dumps(words)}))"
    )
    page.until(f"!!{found}")
    page.settles()
    page.value(f"{found}.click()")


def picture(page: Browser, name: str) -> None:
    """Keep what is seen, where somebody has asked for it."""
    if folder := os.environ.get("POSTERN_TEST_PICTURES"):
        page.settles()
        shot = page.call("Page.captureScreenshot", format="png")["data"]
        (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(shot))


def test_a_file_that_is_chosen_is_attached_whole(
    page: Browser, world: World, tmp_path: Path
) -> None:
    """Its bytes and its name; it stands below the address, and goes by a press."""
    file = tmp_path / "Preise März.csv"
    file.write_bytes(bytes(range(256)) * 200 + b"pass")
    press(page, ".st-key-to-whom", "Attach")
    page.until(f"!!document.querySelector('{CHOICE}')")
    picture(page, "attach-open")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=root, selector=CHOICE)["nodeId"]
    page.call("DOM.setFileInputFiles", nodeId=field, files=[str(file)])
    page.until("document.querySelector('.st-key-attached')?.innerText.includes('Preise März')")
    (kept,) = world.cases["case-1"].attachments
    assert kept.filename == file.name
    assert world.files[kept.sha256] == file.read_bytes()
    picture(page, "attached")
    page.resize(390, 844)
    page.value("document.querySelector('.st-key-attached').scrollIntoView({block: 'center'})")
    picture(page, "attached-phone")
    page.resize(1440, 900)
    press(page, ".st-key-attached", "Take off")
    page.until("!document.querySelector('.st-key-attached')")
    assert world.cases["case-1"].attachments == ()


def test_a_new_mail_is_begun_by_hand(page: Browser, world: World) -> None:
    """What is typed is sent, and the letter is open to be written."""
    press(page, ".st-key-count-head", "New mail")
    page.until("!!document.querySelector('.st-key-new-mail-to-review input')")
    for name, text in (("to", "nora@alder.example"), ("subject", "Chains for your school")):
        page.value(f"document.querySelector('.st-key-new-mail-{name}-review input').focus()")
        page.call("Input.insertText", text=text)
    picture(page, "new-mail")
    press(page, "[data-testid=stForm]", "Begin the mail")
    page.until("document.body.innerText.includes('A new mail of ours')")
    assert world.done("/letters") == [
        {
            "to": "nora@alder.example",
            "name": "",
            "subject": "Chains for your school",
            "body": None,
            "cc": [],
            "bcc": [],
        }
    ]
    page.sees("nora@alder.example")
    picture(page, "new-mail-begun")
