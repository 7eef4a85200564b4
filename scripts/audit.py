"""``make audit``: whether a version this project pins is known to be vulnerable, by what PyPI and npm say.

It fails where one is. Where the registries cannot be asked (no network, a mirror without advisories) it says so and
does not fail: a build without network must not depend on it. `make lint` calls it and goes on in any case, for an
advisory of last night must not turn a commit red that nobody touched.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120
PYTHON = ("requirements.txt", "requirements-dev.txt")


class Unasked(Exception):  # noqa: N818  # what happened, no error
    """The registry could not be asked, and why."""


def python_findings(report: Mapping[str, Any]) -> list[str]:
    """What pip-audit found, a line each.

    Raises:
        Unasked: it got an answer about none.
    """
    packages = report.get("dependencies", [])
    if packages and all("skip_reason" in package for package in packages):
        raise Unasked("PyPI has no answer about any of them here")
    return [
        f"{package['name']} {package['version']}: {found['id']}"
        f" (mended in {', '.join(found.get('fix_versions') or ['no version yet'])})"
        for package in packages
        for found in package.get("vulns", [])
    ]


def npm_findings(report: Mapping[str, Any]) -> list[str]:
    """What npm found, a line each.

    Raises:
        Unasked: it got no answer.
    """
    if "vulnerabilities" not in report:
        raise Unasked(str(report.get("message", "no answer")).partition(" - ")[0])
    return [
        f"{name} {found.get('range', '')}: {found.get('severity', 'unknown')}"
        for name, found in report["vulnerabilities"].items()
    ]


def answer_of(program: str, *arguments: str) -> dict[str, Any]:
    """The JSON a program of the environment answers.

    Raises:
        Unasked: it is not there, does not end, or answers something else.
    """
    path = shutil.which(program, path=str(Path(sys.executable).parent)) or shutil.which(program)
    if path is None:
        raise Unasked(f"{program} is not installed")
    try:
        done = subprocess.run(  # noqa: S603  # our own command line
            [path, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise Unasked(f"no answer within {SECONDS} s") from None
    except json.JSONDecodeError:
        raise Unasked((done.stderr.strip().splitlines() or ["no answer"])[-1][:200]) from None
    if not isinstance(found, dict):
        raise Unasked("an answer of another form")
    return found


def python_report() -> dict[str, Any]:
    files = [word for name in PYTHON for word in ("--requirement", name)]
    quiet = ("--no-deps", "--disable-pip", "--progress-spinner", "off", "--timeout", "15", "--format", "json")
    return answer_of("pip-audit", *files, *quiet)


def npm_report() -> dict[str, Any]:
    return answer_of("npm", "audit", "--json", "--package-lock-only")


def main() -> int:
    found = False
    for what, report, findings in (
        ("Python packages", python_report, python_findings),
        ("npm packages", npm_report, npm_findings),
    ):
        try:
            lines = findings(report())
        except Unasked as why:
            print(f"{what}: could not be asked ({why}). Nothing is known of them today.")
            continue
        found = found or bool(lines)
        for line in lines:
            print(f"{what}: {line}")
        if not lines:
            print(f"{what}: no pinned version is known to be vulnerable.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
