"""Studies that need scikit-learn raise a clear error if it is missing."""

import sys

import pytest

from qc4.problems import InputError
from studies.skew.study import run
from studies.streams.study import stream_study


@pytest.mark.parametrize("study", [run, lambda: stream_study(points=100)], ids=["skew", "streams"])
def test_error_without_scikit_learn_says_how_to_install_it(monkeypatch, study):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(InputError, match=r"Install it: pip install scikit-learn") as refused:
        study()
    assert [problem.code for problem in refused.value.problems] == ["missing-package"]
