"""Chromium as the browser tests use it."""

from __future__ import annotations

import contextlib
import functools
import http.server
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

T = TypeVar("T")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
)


#: What a browser keeps that was here before: it is not greeted again.
KNOWN = """
if (location.host && !localStorage.getItem("tengen.settings"))
  localStorage.setItem("tengen.settings", JSON.stringify({ welcomed: true }));
"""


_ASK = """
const answers = [];
window.asked = { answers, done: false };
tengen.connection.send(arguments[0], (answer) => {
  answers.push(answer);
  window.asked.done = !tengen.connection.handlers.has(answer.id);
});
"""


class Server:
    """`tengen play` in a process of its own."""

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.start()

    def start(self) -> None:
        program = "from tengen.cli import main; main()"
        arguments = ["play", "--no-browser", "--port", str(self.port), "--threads", "1", "--runs", str(self._runs)]
        arguments += ["--library", str(self._runs / "library.sqlite")]
        self.process = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.DEVNULL)
        end = time.monotonic() + 120
        while time.monotonic() < end:
            with contextlib.suppress(OSError), urllib.request.urlopen(self.url, timeout=1):
                return
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            assert self.process.wait(60) in (0, 130)
        finally:
            self.process.kill()


class Files:
    """A plain file server, which knows nothing of Tengen."""

    def __init__(self, folder: Path) -> None:
        handler = functools.partial(_QuietHandler, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Page:
    """A browser with one tab at a time, which shows the web board."""

    def __init__(self) -> None:
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        for flag in (*FLAGS, "--lang=en"):
            options.add_argument(flag)
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.url = ""

    def open(
        self,
        url: str,
        width: int = 1280,
        height: int = 860,
        phone: bool = False,
        dark: bool = False,
        first_visit: bool = False,
    ) -> None:
        """Opens the board in a fresh tab of a browser that has kept nothing."""
        self.leave()
        if not first_visit:
            self._cdp("Page.addScriptToEvaluateOnNewDocument", source=KNOWN)
        self.resize(width, height, phone)
        scheme = "dark" if dark else "light"
        self._cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.visit(url)

    def visit(self, url: str) -> None:
        """Goes to an address in the same tab."""
        self.url = url
        self.driver.get("about:blank")  # else another fragment would not load the page
        self.driver.get(url)
        self.wait_until_open()

    def reload(self) -> None:
        self.driver.refresh()
        self.wait_until_open()

    def wait_until_open(self) -> None:
        self.wait(lambda: self.js("return window.tengen?.connection.isOpen"))

    def leave(self) -> None:
        """Leaves the board for an empty tab, and forgets what the browser kept."""
        before = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        fresh = self.driver.current_window_handle
        self.driver.switch_to.window(before)
        self.driver.close()
        self.driver.switch_to.window(fresh)
        if self.url:
            origin = self.url.partition("#")[0].rstrip("/")
            self._cdp("Storage.clearDataForOrigin", origin=origin, storageTypes="all")

    def resize(self, width: int, height: int, phone: bool = False) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        self._cdp("Emulation.setDeviceMetricsOverride", **metrics)
        self._cdp("Emulation.setTouchEmulationEnabled", enabled=phone)

    def offline(self, cut: bool) -> None:
        """Cuts the network off, or gives it back."""
        self._cdp("Network.enable")
        self._cdp(
            "Network.emulateNetworkConditions", offline=cut, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )

    def _cdp(self, command: str, **arguments: Any) -> None:
        self.driver.execute_cdp_cmd(command, arguments)

    def js(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: Callable[[], T], seconds: float = 40) -> T:
        """Waits until a condition holds; one that asks for an element which is not there yet does not."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(NoSuchElementException, StaleElementReferenceException):
                if value := condition():
                    return value
            assert time.monotonic() < end, f"it did not happen within {seconds} s"
            time.sleep(0.03)

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def text(self, selector: str) -> str:
        return self.find(selector).text

    def play(self, point: str) -> None:
        """Clicks on a point of the board."""
        self.click(f'.cell[data-point="{point}"]')

    def ask(self, **request: object) -> list[dict[str, Any]]:
        """All answers to a request; however long they take, no command to the browser does."""
        self.js(_ASK, request)
        self.wait(lambda: self.js("return asked.done"), 900)
        return list(self.js("return asked.answers"))

    @property
    def moves(self) -> list[str]:
        return list(self.js("return tengen.current.moves()"))

    def wait_for_turn(self) -> None:
        """Waits until the person may play, or the game is over."""
        self.wait(lambda: self.js("return !!tengen.result() || (tengen.play.mayPlay() && !!tengen.game.head.state)"))

    def follow_hints(self, most: int = 110) -> None:
        """Plays what Tengen advises, until the game is over."""
        for _ in range(most):
            self.wait_for_turn()
            if self.js("return !!tengen.result()"):
                break
            self.click("#hint")
            self.wait(lambda: self.js("return !!tengen.play.hint"))
            self.play(self.js("return tengen.play.hint.move"))

    def show(self, view: str) -> None:
        """Goes to a view."""
        self.click(f'#tabs [data-view="{view}"]')

    def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def new_game(self, **values: object) -> None:
        """Starts a game without the dialog."""
        options = {"mode": "people", "level": 1, "human": "black", "rule": "freestyle", "size": 15, "minutes": 0}
        self.js("tengen.dialogs.begin(arguments[0])", {**options, "opening": "none", **values})

    def load(self, moves: str, **values: object) -> None:
        """Puts a game on the board, move by move."""
        self.new_game(**values)
        for move in moves.split():
            self.js("tengen.choose(arguments[0])", move)
            self.wait(lambda: self.js("return Boolean(tengen.current.state)"))

    def errors(self) -> list[str]:
        """What the page complained about, but for the connection that a test cut."""
        entries: list[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        texts = [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
        return [text for text in texts if "WebSocket connection" not in text and "favicon" not in text]

    def picture(self, path: Path) -> None:
        self.driver.save_screenshot(str(path))

    def quit(self) -> None:
        self.driver.quit()
