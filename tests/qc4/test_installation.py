"""The engine as users install it: a wheel, in an environment with only NumPy and SciPy."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from qc4.measures.registry import REGISTRY
from qc4.version import ENGINE_VERSION
from tests.paths import DEMO, DOCS, ROOT
from tests.profiles import thorough
from tests.qc4 import library_page

GOLD = DEMO / "collection" / "mercury.gold.json"
CLUSTERING = DEMO / "submissions" / "pebble.jsonl"
PAGE = DOCS / "users" / "library.md"

pytestmark = thorough("the engine as a wheel")

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from links to the checkout's files, so that nothing is written into the checkout."""
    tree = tmp_path_factory.mktemp("tree")
    for entry in ROOT.iterdir():
        if not entry.name.startswith(".") and entry.name not in ("build", "qc4.egg-info"):
            (tree / entry.name).symlink_to(entry)
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(tree / "dist"), str(tree))
    [built] = (tree / "dist").iterdir()
    return built


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """An environment with the wheel."""
    environment = tmp_path_factory.mktemp("installed") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    [packages] = environment.glob("lib/python*/site-packages")
    for entry in Path(np.__file__).parents[1].iterdir():
        if entry.name.split("-")[0].removesuffix(".libs") in ("numpy", "scipy"):
            (packages / entry.name).symlink_to(entry)
    python = str(environment / "bin" / "python")
    pip("--python", python, "install", "--no-deps", "--no-index", str(wheel))
    pip("--python", python, "check")  # checks that the versions of NumPy and SciPy suffice
    return environment


@pytest.fixture
def run(environment, tmp_path) -> Run:
    """Runs a program of the environment in an empty folder."""

    def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [environment / "bin" / program, *arguments]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, env={"PATH": "", "LANG": "C.UTF-8"}
        )

    return run


def pip(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wheel_contains_only_the_engine(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    about = f"qc4-{ENGINE_VERSION}.dist-info"
    assert {name.split("/")[0] for name in names} == {"qc4", about}
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "qc4").rglob("*.py")}
    assert {name for name in names if name.startswith("qc4/")} == sources | {"qc4/py.typed", "qc4/references.bib"}
    assert f"{about}/licenses/LICENSE" in names


SCORED = """
import importlib.util, json, sys
import qc4
assert not any(map(importlib.util.find_spec, ("django", "sklearn", "defusedxml", "evaluation", "studies")))
result = qc4.score(qc4.read_gold(sys.argv[1]), qc4.read_clustering(json.loads(sys.argv[2])), ["qc4", "ari"], [1])
print(qc4.ENGINE_VERSION, result.value("qc4"))
"""


def test_library_page_runs_with_only_numpy_and_scipy(run):
    ran = run("python", Path(library_page.__file__), PAGE)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert int(ran.stdout) == len([example for example in library_page.examples(PAGE) if not example.needs]) > 10


def test_engine_works_with_only_numpy_and_scipy(run):
    scored = run("python", "-c", SCORED, GOLD, CLUSTERING.read_text(encoding="utf-8").splitlines()[0])
    assert (scored.returncode, scored.stderr) == (0, "")
    version, value = scored.stdout.split()
    assert version == ENGINE_VERSION

    by_command = run("qc4", "score", GOLD, CLUSTERING, "-m", "qc4", "--format", "json")
    assert (by_command.returncode, by_command.stderr) == (0, "")
    assert json.loads(by_command.stdout)["scores"][0]["value"] == float(value)

    listed = run("python", "-m", "qc4", "list", "--format", "json")
    assert [found["key"] for found in json.loads(listed.stdout)] == [found.key for found in REGISTRY.all()]
    assert run("qc4", "score").stderr.startswith("usage: qc4 score ")
    assert run("python", "-m", "qc4", "score").stderr.startswith("usage: python -m qc4 score ")

    without = run("qc4", "score", GOLD, CLUSTERING, "--text-vectors")
    assert (without.returncode, without.stdout) == (2, "")
    assert "pip install scikit-learn" in without.stderr
