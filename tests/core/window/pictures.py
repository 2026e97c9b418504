"""Pictures of every page of a running window, in three sizes, by day and by night.

    python -m tests.core.window.pictures 'http://127.0.0.1:8501/?token=…' FOLDER [--axe axe.min.js]

The address is the link that `postern demo` prints. A page wider than its window is named; with the
script of axe-core 4 (https://github.com/dequelabs/axe-core) each page is looked at by it as well.
Exits with 1 where anything was found.
"""

import argparse
import base64
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tests.core.window.browsing import RESTS, Browser, Chromium, chromium
from ui.app import SECTIONS

SIZES = {"desk": (1440, 900), "tablet": (1024, 768), "phone": (420, 900)}
SCHEMES = ("light", "dark")
DRAWN = 40.0
"""Seconds that a page may take until it rests; what renews itself is taken as it is then."""
STANDS = (
    f"document.querySelector('.stMain h1, .stMain h2') && {RESTS}"
    " && !document.querySelector('.stMain [data-testid=stSkeleton]')"
)
"""Whether a page is drawn to its end, its fields too, which come a moment after their places."""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
AXE = """
window.axeFound = undefined;
axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then(result => {
    window.axeFound = result.violations.map(one => ({
        id: one.id, impact: one.impact, help: one.help,
        where: one.nodes.slice(0, 5).map(node => node.target.join(' ')),
        count: one.nodes.length}));
});
"""


def pages() -> list[str]:
    """Return the names of all pages, in the order of the navigation."""
    return [name for section in SECTIONS.values() for name, _, _ in section]


def take(browser: Browser, address: str, folder: Path, axe: str) -> Iterator[str]:
    """Take the pictures; yield what is wrong with a page, in a sentence."""
    root = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    browser.open(address)
    for scheme in SCHEMES:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.call("Emulation.setEmulatedMedia", features=[feature])
        for size, (width, height) in SIZES.items():
            browser.resize(width, height)
            for page in pages():
                # The first page has no name of its own in the address.
                path = "" if page == pages()[0] else page
                browser.call("Page.navigate", url=f"{root}/{path}")
                time.sleep(1)
                browser.comes(STANDS, DRAWN)
                time.sleep(1)
                picture = browser.call("Page.captureScreenshot", format="png")["data"]
                (folder / f"{page}-{size}-{scheme}.png").write_bytes(base64.b64decode(picture))
                where = f"{page}, {size}, {scheme}"
                if over := browser.value(WIDER):
                    yield f"{where}: {over} pixels wider than the window"
                if axe:
                    yield from (f"{where}: {line}" for line in look(browser, axe))


def look(browser: Browser, axe: str) -> list[str]:
    """Return what axe-core finds on the page as it stands, a line per rule."""
    browser.value(axe)
    browser.value(AXE)
    found = browser.comes("window.axeFound !== undefined && JSON.stringify(window.axeFound)", DRAWN)
    if not found:
        return ["axe did not answer"]
    return [
        f"{one['id']} ({one['impact']}, {one['count']} places): {one['help']}; {one['where'][0]}"
        for one in json.loads(found)
    ]


def main() -> None:
    """Take the pictures and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="the link that signs in")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--axe", type=Path, help="axe.min.js")
    given = parser.parse_args()
    if chromium() is None:
        sys.exit("there is no Chromium; install the package chromium")
    given.folder.mkdir(parents=True, exist_ok=True)
    axe = given.axe.read_text(encoding="utf-8") if given.axe else ""
    faults = 0
    with tempfile.TemporaryDirectory() as profile:
        running = Chromium(Path(profile))
        try:
            for fault in take(Browser(running), given.address, given.folder, axe):
                faults += 1
                print(fault, flush=True)
        finally:
            running.close()
    count = len(list(given.folder.glob("*.png")))
    print(f"{count} pictures in {given.folder}, {faults} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
