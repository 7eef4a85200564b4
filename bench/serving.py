"""A separate site for a benchmark: its settings, and a temporary server."""

from __future__ import annotations

import http.client
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
_RATES = (
    *("API_RATE_USER", "API_RATE_UPLOAD", "API_RATE_DRAFTS", "API_RATE_ANONYMOUS"),
    *("PAGE_RATE_USER", "PAGE_RATE_HEAVY", "PAGE_RATE_ANONYMOUS", "ANSWER_RATE", "ANSWER_RATE_VISITORS"),
)
UNLIMITED = dict.fromkeys(_RATES, "100000/min")
"""Settings that let one person request everything within minutes."""
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-gpu"]


def site_settings(folder: str | Path, address: str = "") -> dict[str, str]:
    """Return the settings of a site that stores everything in this folder. ``address`` is the URL of a database."""
    return {
        "QC4_DATA_DIR": str(folder),
        "DATABASE_URL": address or f"sqlite:///{Path(folder) / 'qc4.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "qc4site.settings",
        "DEBUG": "0",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "LOG_LEVEL": "ERROR",
        "CELERY_BROKER_URL": "",
    }


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def run_python(code: str, settings: Mapping[str, str]) -> str:
    """Run code in a separate process, and return its output."""
    command = [sys.executable, "-c", code]
    answer = subprocess.run(  # noqa: S603  # our own code
        command, cwd=ROOT, env=os.environ | settings, stdout=subprocess.PIPE, text=True, check=True
    )
    return answer.stdout


@contextmanager
def running_site(settings: Mapping[str, str]) -> Iterator[int]:
    """Run the web server of the site as `manage.py serve` does, and yield its port."""
    port = free_port()
    command = [sys.executable, "-m", "qc4site.web"]
    server = subprocess.Popen(command, cwd=ROOT, env=os.environ | settings | {"PORT": f"{port}"})  # noqa: S603  # our own command
    try:
        wait_until_ready(port)
        yield port
    finally:
        server.terminate()
        server.wait(20)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the Chromium that browser tests use."""
    from playwright.sync_api import sync_playwright

    finder = [ROOT / "scripts" / "find_chromium.sh"]
    found = subprocess.run(finder, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  # our own script
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.stdout.strip(), args=FLAGS)
        yield browser
        browser.close()


def wait_until_ready(port: int) -> None:
    """Wait until the site answers a request. Its socket is open before that."""
    for _ in range(600):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request("GET", "/sign-in/")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise RuntimeError("The site did not start within a minute.")
