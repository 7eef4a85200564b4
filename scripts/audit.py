"""``make audit``: ask PyPI and npm whether any pinned version is known to be vulnerable.

It fails if one is. If the registries cannot be reached (no network, or a mirror without advisories), it says so and
does not fail, because a build must not depend on the network. `make lint` runs it and ignores its result, because a
new advisory must not make an unchanged commit fail.
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


class Unasked(Exception):  # noqa: N818  # not an error
    """The registry could not be reached. The message is the reason."""


def python_findings(report: Mapping[str, Any]) -> list[str]:
    """Return one line for each vulnerability that pip-audit found.

    Raises:
        Unasked: pip-audit skipped all packages.
    """
    packages = report.get("dependencies", [])
    if packages and all("skip_reason" in package for package in packages):
        raise Unasked("PyPI gave no answer about any package")
    return [
        f"{package['name']} {package['version']}: {found['id']}"
        f" (fixed in {', '.join(found.get('fix_versions') or ['no version yet'])})"
        for package in packages
        for found in package.get("vulns", [])
    ]


def npm_findings(report: Mapping[str, Any]) -> list[str]:
    """Return one line for each vulnerability that npm found.

    Raises:
        Unasked: npm got no answer.
    """
    if "vulnerabilities" not in report:
        raise Unasked(str(report.get("message", "no answer")).partition(" - ")[0])
    return [
        f"{name} {found.get('range', '')}: {found.get('severity', 'unknown')}"
        for name, found in report["vulnerabilities"].items()
    ]


def answer_of(program: str, *arguments: str) -> dict[str, Any]:
    """Run a program of the environment, and return the JSON that it prints.

    Raises:
        Unasked: the program is not installed, takes too long, or prints something else.
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
        raise Unasked("unexpected answer")
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
            print(f"{what}: not checked ({why}).")
            continue
        found = found or bool(lines)
        for line in lines:
            print(f"{what}: {line}")
        if not lines:
            print(f"{what}: no pinned version is known to be vulnerable.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
