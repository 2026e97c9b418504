"""Reports in a real browser: charts are drawn, and nothing is fetched from elsewhere."""

from collections.abc import Iterator

import pytest

from tests.window.browsing import Browser, Chromium, chromium
from tests.window.conftest import Served
from tests.window.engine import TOKEN, World
from tests.window.opening import serving

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


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Open a window of a browser that knows nobody."""
    running = Chromium(tmp_path_factory.mktemp("profile"))
    browser = Browser(running)
    yield browser
    browser.close()
    running.close()


def test_charts_are_drawn_without_a_network_and_fit_a_phone(browser: Browser, world: World) -> None:
    """Four of them; wide tables scroll by themselves."""
    served = Served(world)
    try:
        with serving(served.port) as address:
            browser.open(f"{address}/reports?token={TOKEN}")
            browser.until(f"{CHARTS} === 4")
            browser.settles()
            assert browser.value(ELSEWHERE) == []
            browser.resize(420, 900)
            browser.until(f"{SIDEWAYS} <= 0")
            assert browser.value(CHARTS) == 4
    finally:
        served.close()
