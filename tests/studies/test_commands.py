"""``python -m studies`` lists its studies, and their options are documented."""

import re
import subprocess
import sys

import pytest

from studies.__main__ import main
from tests.paths import DOCS, ROOT

STUDIES = ("behaviour", "skew", "streams")


def test_studies_run_as_a_module_in_the_project_folder():
    done = subprocess.run([sys.executable, "-m", "studies", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: python -m studies ")
    assert all(f"\n    {study}" in done.stdout for study in STUDIES)


@pytest.mark.parametrize("study", STUDIES)
def test_every_option_is_documented(capsys, study):
    with pytest.raises(SystemExit) as done:
        main([study, "--help"])
    assert done.value.code == 0
    text = (DOCS / "users" / "command-line.md").read_text(encoding="utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith(f"| `python -m studies {study}"))
    options = set(re.findall(r"(?<!\S)--[a-z]+", capsys.readouterr().out)) - {"--help"}
    assert {option for option in options if option not in row} == set()
