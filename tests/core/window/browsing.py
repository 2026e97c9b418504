"""A headless Chromium, driven over the DevTools protocol by websocket."""

import contextlib
import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--remote-debugging-port=0",
)
PATIENCE = 240.0
"""How long a page may take before the test fails, seconds; far more than it needs."""


def chromium() -> str | None:
    """Return the browser's path, or None when this machine has none."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return next((path for path in found if path), None)


CLICKS, SETTLING = 12, 8.0
"""How often a click or a key is repeated that did nothing, and how long each may take, seconds."""
RESTS = "document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
RESTING = 40.0
"""How long a key waits for a page to rest, seconds; one that asks a slow engine never does."""


def _says(words: str) -> str:
    said = json.dumps(words.lower())
    return f"document.body?.innerText.toLowerCase().includes({said})"


class Chromium:
    """A running browser."""

    def __init__(self, profile: Path) -> None:
        self._process = subprocess.Popen(
            [str(chromium()), *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            self.door = self._find_door(profile / "DevToolsActivePort")
        except BaseException:
            self.close()
            raise
        self.free: list[str] = []
        """Contexts of windows that were closed: they know nobody, and have Streamlit's scripts."""

    def _find_door(self, file: Path) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(FileNotFoundError, ValueError):
                port, path = file.read_text(encoding="utf-8").splitlines()
                return f"ws://127.0.0.1:{port}{path}"
            time.sleep(0.05)
        raise TimeoutError("the browser did not open its door")

    def close(self) -> None:
        """End it and wait for it."""
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Browser:
    """One window of a browser, with cookies of its own; closing it forgets them.

    What else the browser has loaded stays for a later window: to fetch and compile the scripts of
    a page again takes longer than most of what is done there.
    """

    def __init__(self, running: Chromium) -> None:
        self._calls = 0
        self._session = ""
        self._free = running.free
        self._socket = connect(running.door, max_size=None, proxy=None)
        self._own: str = (
            self._free.pop()
            if self._free
            else self.call("Target.createBrowserContext")["browserContextId"]
        )
        target = self.call("Target.createTarget", url="about:blank", browserContextId=self._own)
        self._target = target["targetId"]
        attached = self.call("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]

    def call(self, method: str, **params: object) -> Any:  # noqa: ANN401
        """Send one command of the protocol and return its result."""
        self._calls += 1
        command = {"id": self._calls, "method": method, "params": params}
        if self._session:
            command["sessionId"] = self._session
        self._socket.send(json.dumps(command))
        while True:
            answer = json.loads(self._socket.recv(timeout=PATIENCE))
            if answer.get("id") == self._calls:
                if "error" in answer:
                    raise RuntimeError(f"{method} failed: {answer['error']['message']}")
                return answer["result"]

    def open(self, address: str, width: int = 1400, height: int = 900) -> None:
        """Go to an address, in a window of that many pixels.

        Where the address signs somebody in, the page has drawn the cookie that keeps it so.
        """
        self.resize(width, height)
        self.call("Page.navigate", url=address)
        if "token=" in address:
            self.until("document.cookie.includes('postern_session=')")

    def resize(self, width: int, height: int) -> None:
        """Make the window that many pixels wide and high."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def value(self, script: str) -> Any:  # noqa: ANN401
        """Return what a JavaScript expression gives; None while the page is being changed."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value")

    def until(self, script: str) -> Any:  # noqa: ANN401
        """Wait until an expression gives something true, and return it."""
        if found := self.comes(script, PATIENCE):
            return found
        seen = self.value("(document.querySelector('.stMain') || document.body).innerText")
        raise TimeoutError(f"{script!r} did not come true; the page says {str(seen)[:3000]!r}")

    def comes(self, script: str, patience: float, pause: float = 0.05) -> Any:  # noqa: ANN401
        """Return what an expression gives once it is true, or None after `patience` seconds.

        It is looked at again every `pause` seconds.
        """
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with contextlib.suppress(RuntimeError):  # the page was just left
                if found := self.value(script):
                    return found
            time.sleep(pause)
        return None

    def sees(self, words: str) -> None:
        """Wait until words stand on the page, in small or in capital letters."""
        self.until(_says(words))

    def click(self, selector: str, opens: str = "") -> None:
        """Click into the middle of an element that can be used, once the page is drawn.

        With `opens`, click again until that element is there: a page that is drawn anew
        closes what was just opened, and may take the place of what was pressed.
        """
        self.settles()
        there = f"!!document.querySelector({json.dumps(opens)})"
        for attempt in range(CLICKS):
            self._click(selector, there if opens and attempt else "false")
            if not opens or self.comes(there, SETTLING):
                return
        raise TimeoutError(f"a click on {selector!r} did not open {opens!r}")

    def settles(self) -> None:
        """Wait until the page has nothing left to draw."""
        self.until(RESTS)

    def _click(self, selector: str, needless: str) -> None:
        """Click as a person does: on what stands still, where nothing lies above it.

        Once the expression `needless` is true, nothing is clicked.
        """
        spot = self.until(
            f"({needless}) ? 'needless' : "
            "(element => { if (!element || element.disabled) { delete window.stood; return null; }"
            " element.scrollIntoView({block: 'center', behavior: 'instant'});"
            " const box = element.getBoundingClientRect();"
            " const spot = [box.x + box.width / 2, box.y + box.height / 2];"
            " const still = window.stood === String(spot); window.stood = String(spot);"
            " const hit = document.elementFromPoint(...spot);"
            " return still && (element.contains(hit) || hit?.closest('label')?.contains(element))"
            " ? spot : null; })"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        if spot == "needless":
            return
        for kind in ("mousePressed", "mouseReleased"):
            spots = {"x": spot[0], "y": spot[1], "button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", type=kind, **spots)

    def press(self, key: str, shows: str = "", brings: str = "") -> None:
        """Press and release a letter's key, once the page has nothing left to draw or never rests.

        With `shows`, press again until those words stand on the page, and with `brings` until that
        expression is true, as a person does: under load a page has been seen to take no press.
        """
        wanted = _says(shows) if shows else brings
        for attempt in range(CLICKS):
            self.comes(f"({RESTS}) || ({brings or 'false'})", RESTING)
            if (brings or (shows and attempt)) and self.value(wanted):
                return
            self._press(key)
            if not wanted or self.comes(wanted, SETTLING):
                return
        raise TimeoutError(f"the key {key!r} did not bring {wanted!r}")

    def _press(self, key: str) -> None:
        code = {"key": key, "code": f"Key{key.upper()}", "windowsVirtualKeyCode": ord(key.upper())}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=key, **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def escape(self) -> None:
        """Press and release Esc."""
        code = {"key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27}
        self.call("Input.dispatchKeyEvent", type="keyDown", **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def enter(self) -> None:
        """Press and release Enter."""
        code = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
        self.call("Input.dispatchKeyEvent", type="keyDown", text="\r", **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def send(self) -> None:
        """Press and release Ctrl+Enter."""
        code = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "modifiers": 2}
        self.call("Input.dispatchKeyEvent", type="keyDown", **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def held(self) -> int:
        """Return how many nodes of pages the browser cannot let go."""
        self.call("HeapProfiler.collectGarbage")
        self.call("HeapProfiler.collectGarbage")
        return int(self.call("Memory.getDOMCounters")["nodes"])

    def close(self) -> None:
        """Close the window, and forget who was signed in and what pages keep."""
        origin = self.value("location.origin")
        if str(origin).startswith("http"):
            storage = "cookies,local_storage,indexeddb,service_workers"
            self.call("Storage.clearDataForOrigin", origin=origin, storageTypes=storage)
        self._session = ""
        self.call("Target.closeTarget", targetId=self._target)
        self.call("Storage.clearCookies", browserContextId=self._own)
        self._free.append(self._own)
        self._socket.close()
