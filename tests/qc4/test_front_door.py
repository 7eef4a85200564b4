"""`import qc4`: every public name can be imported from there and is documented with an example that runs."""

import doctest
import importlib
import inspect
import subprocess
import sys

import pytest

import qc4
import qc4.sklearn
from tests.paths import ROOT

MODULES = sorted(
    {getattr(qc4, name).__module__ for name in qc4.__all__ if callable(getattr(qc4, name))} | {"qc4.sklearn"}
)
FRONT_DOOR = {
    *("GoldStandard", "Clustering", "Policies", "Undefined", "InputError", "score", "compare_clusterings"),
    *("list_measures", "calibrate", "read_gold", "read_clustering"),
}


def test_package_exports_the_main_functions():
    assert set(qc4.__all__) >= FRONT_DOOR
    assert all(hasattr(qc4, name) for name in qc4.__all__)


@pytest.mark.parametrize("name", ["qc4", *MODULES])
def test_the_examples_run(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0


def public_functions():
    functions = [getattr(qc4, name) for name in sorted(qc4.__all__) if inspect.isfunction(getattr(qc4, name))]
    makers = [
        getattr(kind, name)
        for kind in (qc4.GoldStandard, qc4.Clustering)
        for name in vars(kind)
        if name.startswith("from_")
    ]
    return [
        *functions,
        *makers,
        qc4.ScoreResult.value,
        qc4.ScoreResult.table,
        qc4.ScoreResult.explain,
        qc4.sklearn.scorer,
    ]


@pytest.mark.parametrize("function", public_functions(), ids=lambda function: function.__qualname__)
def test_every_public_function_documents_arguments_errors_and_an_example(function):
    text = inspect.getdoc(function)
    assert ">>> " in text
    assert "Raises:" in text or function.__name__ == "table"


def test_measures_package_can_be_imported():
    from qc4.measures.registry import REGISTRY

    assert list(qc4.list_measures()) == list(REGISTRY.all())


@pytest.mark.parametrize("command", [["-m", "qc4"], ["-c", "from qc4.cli import main; main()"]])
def test_module_runs_the_command(command):
    done = subprocess.run([sys.executable, *command, "--version"], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == f"engine {qc4.ENGINE_VERSION}\n"
