"""Chromium as the browser tests use it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
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


class Page:
    """One tab with the web board."""

    def __init__(self, url: str, width: int = 1280, height: int = 860, phone: bool = False, dark: bool = False) -> None:
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        for flag in (*FLAGS, f"--window-size={width},{height}", "--lang=en"):
            options.add_argument(flag)
        if phone:
            metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
            options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(90)
        if not phone:
            self._cdp(
                "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
            )
        if dark:
            self._cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.url = url
        self.driver.get(url)
        self.wait(lambda: self.js("return window.tengen?.connection.isOpen"))

    def _cdp(self, command: str, **arguments: Any) -> None:
        self.driver.execute_cdp_cmd(command, arguments)

    def js(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: Callable[[], T], seconds: float = 90) -> T:
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

    @property
    def moves(self) -> list[str]:
        return list(self.js("return tengen.current.moves()"))

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

    def close(self) -> None:
        self.driver.quit()
