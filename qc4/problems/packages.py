"""Packages that few need, so that the engine is installed without them: who misses one is told which."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

from qc4.problems.problem import InputError, Problem

Package = Literal["defusedxml", "scikit-learn"]
_MODULES: dict[Package, str] = {"defusedxml": "defusedxml", "scikit-learn": "sklearn"}


def missing(package: Package) -> str:
    """Why something that needs the package cannot be done, with the fix; empty where the package is installed."""
    return "" if _is_installed(package) else f"{package} is not installed. {_fix(package)}"


def require(package: Package, where: str) -> None:
    """Refuse what needs a package that is not installed.

    Args:
        where: the file, option or command that needs it.

    Raises:
        InputError: ``missing-package``, with the command that installs it.
    """
    if not _is_installed(package):
        found, expected = f"no {package} installed", "this package, which few need"
        raise InputError([Problem("missing-package", where, found, expected, _fix(package))])


def _is_installed(package: Package) -> bool:
    return find_spec(_MODULES[package]) is not None


def _fix(package: Package) -> str:
    return f"Install it: pip install {package}"
