"""Reports in a real browser: charts are drawn, and nothing is fetched from elsewhere."""

import pytest

from tests.core.window.browsing import Browser, chromium
from tests.core.window.engine import TOKEN

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed"),
]
CHARTS = "document.querySelectorAll('.stVegaLiteChart canvas, .stVegaLiteChart svg.marks').length"
ELSEWHERE = (
    "performance.getEntriesByType('resource').map(one => new URL(one.name))"
    ".filter(url => url.hostname !== location.hostname).map(url => url.href)"
)
SIDEWAYS = "document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"


def test_charts_are_drawn_without_a_network_and_fit_a_phone(browser: Browser, address: str) -> None:
    """Four of them; wide tables scroll by themselves."""
    browser.open(f"{address}/reports?token={TOKEN}")
    browser.until(f"{CHARTS} === 4")
    browser.settles()
    assert browser.value(ELSEWHERE) == []
    browser.resize(420, 900)
    browser.until(f"{SIDEWAYS} <= 0")
    assert browser.value(CHARTS) == 4
