"""Starts the Studio and a browser. Without Playwright or Chromium the tests are skipped; with CI=true this is an error."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def missing(reason):
    if os.environ.get("CI") == "true":
        pytest.exit(f"{reason}, but CI=true requires it", returncode=1)
    pytest.skip(f"{reason}; install `playwright` with pip and Chromium to test the Studio", allow_module_level=True)


try:
    from playwright.sync_api import expect, sync_playwright

    # Other programs may use the machine, too.
    expect.set_options(timeout=20_000)
except ImportError:
    sync_playwright = None

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def binary():
    """The command: the variable FUZZION, or the newest build."""
    if "FUZZION" in os.environ:
        return os.environ["FUZZION"]
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    builds = [path for path in (target / "release/fuzzion", target / "debug/fuzzion") if path.exists()]
    if not builds:
        missing("the command `fuzzion` is not built")
    return str(max(builds, key=lambda path: path.stat().st_mtime))


@pytest.fixture(scope="session")
def browser():
    if sync_playwright is None:
        missing("Playwright is not installed")
    if CHROMIUM is None:
        missing("there is no Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Studio:
    """A running server, and a page that fails the test if a script fails."""

    def __init__(self, browser, folder, arguments=()):
        self.folder = folder
        self.errors = []
        # Background jobs ignore SIGINT, and so would the server.
        command = ["env", "--default-signal=INT", binary(), "studio", "--no-open", *arguments]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.note = self.process.stdout.readline().strip()
        self.browser = browser
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page = self.open()

    def open(self, **options):
        """A page in the same browser profile, or in a new one with other options."""
        context = self.browser.new_context(**options) if options else self.context
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        # The status 422 is the answer to an invalid system, whose problem the page shows.
        page.on(
            "console",
            lambda message: message.type == "error" and "status of 422" not in message.text and self.errors.append(message.text),
        )
        page.set_default_timeout(20_000)
        page.goto(self.url)
        page.locator("[role=tab][aria-selected=true]").wait_for()
        page.locator("[role=tabpanel] *").first.wait_for()
        return page

    def open_again(self):
        """A new tab after the first one was closed."""
        self.page = self.open()
        return self.page

    def view(self, name, page=None):
        (page or self.page).get_by_role("tab", name=name).click()

    def example(self, title, view="Understand"):
        self.page.get_by_role("button", name=f"Open {title}").click()
        self.page.get_by_role("region", name="Inputs").wait_for()
        if view != "Understand":
            self.view(view)

    def drop(self, name, text):
        """Drops a file on the page, as the file manager does."""
        transfer = self.page.evaluate_handle(
            """([name, text]) => {
                const data = new DataTransfer();
                data.items.add(new File([text], name));
                return data;
            }""",
            [name, text],
        )
        self.page.dispatch_event("body", "dragover", {"dataTransfer": transfer})
        self.page.dispatch_event("body", "drop", {"dataTransfer": transfer})

    def output(self):
        """The value of the first output in the view Understand."""
        return float(self.page.locator(".output-value").first.get_attribute("data-value"))

    def infer(self, path, **inputs):
        """The outputs that the command `fuzzion infer` computes."""
        row = self.folder / "row.csv"
        row.write_text(",".join(inputs) + "\n" + ",".join(str(x) for x in inputs.values()) + "\n")
        result = subprocess.run(
            [binary(), "infer", path, "--data", "row.csv", "--out", "-", "--quiet"], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return result.stdout

    def close(self):
        self.context.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=20)


@pytest.fixture
def start(browser, tmp_path):
    """Starts the Studio with arguments."""
    running = []

    def start(*arguments):
        studio = Studio(browser, tmp_path, arguments)
        running.append(studio)
        return studio

    yield start
    for studio in running:
        studio.close()
        assert studio.errors == []


@pytest.fixture
def studio(start):
    return start()
