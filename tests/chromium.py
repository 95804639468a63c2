"""A page in headless Chromium, driven over a pipe by the DevTools protocol: what it asks for, logs and lays out."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_OPTIONS = (
    "--headless=new", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
_READS, _WRITES = 3, 4
"""File numbers by which Chromium reads commands and writes answers."""


class Chromium:
    """A browser with one tab.

    Args:
        profile: an empty folder for its files.
    """

    def __init__(self, profile: Path) -> None:
        assert PROGRAM is not None
        commands, self._commands = os.pipe()
        answers, written = os.pipe()

        def numbered() -> None:
            kept = [os.dup(commands), os.dup(written)]  # so that neither is overwritten before it is moved
            os.dup2(kept[0], _READS)
            os.dup2(kept[1], _WRITES)

        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # as root Chromium refuses to start with one
        self._process = subprocess.Popen(
            [PROGRAM, *_OPTIONS, *sandbox, f"--user-data-dir={profile}"],
            preexec_fn=numbered, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(commands)
        os.close(written)
        self._answers = os.fdopen(answers, "rb")
        self._number, self._events, self._tab = 0, list[dict[str, Any]](), dict[str, Any]()
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._tab = {"sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._commands)
        self._answers.close()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command; events that come before it are kept."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters, **self._tab}
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        while (message := self._next()).get("id") != self._number:
            self._events.append(message)
        assert "error" not in message, message
        result: dict[str, Any] = message["result"]
        return result

    def open(self, page: Path | str, width: int, dark: bool) -> None:
        """Opens a file, or an address, in a window of a width in pixels, and waits until it is loaded."""
        self._events.clear()
        self.resize(width, dark)
        self.ask("Page.navigate", url=page if isinstance(page, str) else page.as_uri())
        self._wait_for_load(1)

    def reload(self) -> None:
        """Loads the page again, and waits until it is loaded."""
        loaded = len(self.seen("Page.loadEventFired"))
        self.ask("Page.reload")
        self._wait_for_load(loaded + 1)

    def resize(self, width: int, dark: bool) -> None:
        """Gives the window a width in pixels, and light or dark colours."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def _wait_for_load(self, times: int) -> None:
        while len(self.seen("Page.loadEventFired")) < times:
            self._events.append(self._next())

    def seen(self, *methods: str) -> Sequence[dict[str, Any]]:
        """The parameters of events of the page."""
        return [event["params"] for event in self._events if event.get("method") in methods]

    def value(self, expression: str) -> Any:
        """The value of an expression in the page, or of its promise; None if it has none."""
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 120.0) -> None:
        """Waits until an expression is true in the page."""
        end = time.monotonic() + seconds
        while not self.value(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)

    def press(self, key: str, code: int) -> None:
        """Presses a key, by its name and its number."""
        text = {"text": "\r"} if key == "Enter" else {}
        named = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **named, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **named)

    def screenshot(self, file: Path, whole: bool = True) -> None:
        """Writes a picture of the whole page, or of what the window shows of it."""
        picture = self.ask("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(picture))

    def _next(self) -> dict[str, Any]:
        read = bytearray()
        while (byte := self._answers.read(1)) != b"\0":
            assert byte, "Chromium ended"
            read += byte
        message: dict[str, Any] = json.loads(read)
        return message
