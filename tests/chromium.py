"""One page of a headless Chromium, driven over the DevTools protocol through a pipe.

Chromium comes from the system (`apt-get install chromium`); no driver and no further package is
needed. The fixture `browser` of tests/conftest.py opens one.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


class Browser:
    """One page of a headless Chromium, driven through --remote-debugging-pipe."""

    def __init__(self, profile: Path) -> None:
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
        flags += "--disable-background-networking --disable-component-update --disable-sync "
        flags += f"--remote-debugging-pipe --user-data-dir={profile} --window-size=1100,1400"
        flags += " --hide-scrollbars"

        def wire() -> None:  # Chromium reads from 3 and writes to 4
            kept = os.dup(to_read), os.dup(to_write)
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        assert CHROMIUM is not None
        self._process = subprocess.Popen(
            [CHROMIUM, *flags.split(), "about:blank"],
            preexec_fn=wire,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._ids, self._buffer = itertools.count(1), b""
        self.events: list[dict] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> dict:
        number = next(self._ids)
        message: dict = {"id": number, "method": method, "params": params}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(self, page: Path | str) -> None:
        """Open a file or an address, and wait until it is drawn."""
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri() if isinstance(page, Path) else page)
        deadline = time.monotonic() + 60
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            assert time.monotonic() < deadline, "the page did not load"
            self.run("1")
        self.frame()

    def fits(self, page: Path, width: int, height: int = 900) -> bool:
        """Open a file in a window of a size, and say whether it is no wider, without complaint."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.open(page)
        wide = self.run("document.documentElement.scrollWidth")
        assert isinstance(wide, int)
        return wide <= width and self.complaints() == []

    def run(self, script: str) -> object:
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, condition: str, seconds: float = 60) -> None:
        """Wait until a condition of the page holds."""
        deadline = time.monotonic() + seconds
        while not self.run(condition):
            assert time.monotonic() < deadline, f"never true: {condition}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press and release a key, as a person would."""
        codes = {"Enter": 13, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38}
        codes |= {"ArrowRight": 39, "ArrowDown": 40}
        for kind in ("rawKeyDown", "keyUp"):
            code = codes[key]
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)

    def frame(self) -> None:
        """Wait until the page has drawn what it was asked to."""
        script = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        self.call("Runtime.evaluate", expression=script, awaitPromise=True)

    def complaints(self) -> list[dict]:
        kinds = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        return [event for event in self.events if event.get("method") in kinds]

    def requests(self) -> list[str]:
        sent = [e for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def screenshot(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def _read(self) -> dict:
        while b"\0" not in self._buffer:
            piece = os.read(self._in, 1 << 16)
            assert piece, "Chromium ended"
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)
