"""The first start in a real browser: from the link of the terminal to holidays out of a file."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.core.window.browsing import Browser, chromium
from tests.core.window.opening import serving
from tests.core.window.test_beginning import Empty, empty
from tests.mail.api.test_holidays import CALENDAR

__all__ = ["empty"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]


@pytest.fixture
def page(empty: Empty, browser: Browser) -> Iterator[tuple[Browser, str]]:
    """Open the link of the setup at the size of a desk."""
    with serving(empty.port) as address:
        browser.call("Emulation.setTimezoneOverride", timezoneId="Europe/Lisbon")
        browser.open(f"{address}/?setup={empty.secret}", 1440, 900)
        browser.sees("Welcome to Postern")
        yield browser, address


def write(browser: Browser, key: str, text: str) -> None:
    """Write into a field as a person does, and leave it."""
    browser.click(f".st-key-{key} input")
    browser.call("Input.insertText", text=text)
    browser.value("document.activeElement.blur()")
    browser.settles()


def test_whoever_has_the_link_is_signed_in_and_stays_so(
    page: tuple[Browser, str], tmp_path: Path
) -> None:
    """The zone is the browser's, the secret leaves the address, and a file brings holidays."""
    browser, address = page
    for key, text in (
        ("begin-name", "Harbor Museum"),
        ("begin-address", "help@harbor.example"),
        ("begin-person", "Maud"),
    ):
        write(browser, key, text)
    zone = "document.querySelector('.st-key-begin-zone')"
    browser.until(f"({zone}.innerText + {zone}.querySelector('input').value).includes('Lisbon')")
    browser.click(".st-key-begin button")
    browser.sees("you are signed in as Maud")
    browser.until("!location.search.includes('setup')")
    browser.sees(f"{address}/?token=pst_")
    browser.click(".st-key-begun-on button")
    browser.sees("First steps")
    browser.until("document.cookie.includes('postern_session=')")
    browser.open(f"{address}/setup", 1440, 900)
    browser.sees("Maud · Harbor Museum")
    browser.sees("1 of 8 are done.")

    browser.open(f"{address}/settings", 1440, 900)
    browser.sees("None lies ahead")
    browser.click("[class*=st-key-holidays-file] summary")
    browser.until("!!document.querySelector('.st-key-holidays-upload input[type=file]')")
    browser.settles()
    upload(browser, tmp_path / "holidays.ics")
    year = datetime.now(UTC).year
    browser.sees(f"{year + 1}-01-01 New Year's Day")
    browser.sees("Left out: Party")
    new_year = f".st-key-holiday-{year + 1}-01-01"
    browser.click(".st-key-holidays-import button", opens=new_year)
    browser.sees(f"1 Jan {year + 1}: New Year's Day")


def upload(browser: Browser, file: Path) -> None:
    """Choose a calendar file of this year."""
    file.write_text(CALENDAR.format(year=datetime.now(UTC).year), encoding="utf-8")
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    field = browser.call(
        "DOM.querySelector", nodeId=root, selector=".st-key-holidays-upload input[type=file]"
    )
    browser.call("DOM.setFileInputFiles", nodeId=field["nodeId"], files=[str(file)])
