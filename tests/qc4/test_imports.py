"""Modules that importing the engine loads. Unnecessary ones would cost every caller seconds."""

import ast
import subprocess
import sys

import pytest

from tests.paths import ROOT

HEAVY = ("django", "defusedxml", "xml", "sklearn", "scipy.spatial")
SITE = {"django", "rest_framework", "accounts", "common", "annotations", "evaluation", "qc4site", "studies"}


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter loads for the statement."""
    code = f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import qc4", (*HEAVY, "scipy.special", "qc4.streams", "qc4.selection", "qc4.cli")),
        ("from qc4.cli import main; main(['list'])", HEAVY),
    ],
    ids=["package", "command"],
)
def test_rarely_needed_modules_are_not_loaded(statement, unwanted):
    loaded = loaded_by(statement)
    assert "qc4.scoring.scoring" in loaded
    assert {name for name in loaded if any(f"{name}.".startswith(f"{module}.") for module in unwanted)} == set()


def test_engine_and_its_tests_do_not_import_the_site_or_the_studies():
    """Imports inside functions count, which the next test does not check."""
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for folder in ("qc4", "tests/qc4")
        for path in (ROOT / folder).rglob("*.py")
        for name in imports(ast.parse(path.read_text(encoding="utf-8")))
        if name.partition(".")[0] in SITE
    }
    assert found == set()


def imports(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return names


def test_engine_tests_run_without_django(tmp_path):
    """Configuration, fixtures and tests run if neither Django nor pytest-django is installed."""
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['django'] = None", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/qc4/cli/test_submission_files.py"]
    environment = {"PATH": "", "PYTHONPATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
