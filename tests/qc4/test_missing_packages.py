"""Features that need a missing optional package name it; everything else works."""

import sys

import pytest

from qc4.cli import main
from qc4.io import read_submission
from qc4.model.vectors import Vectors, text_vectors
from qc4.problems import InputError
from qc4.scoring.scoring import score
from tests.qc4.small_cases import blocks, clustering, gold
from tests.samples.documents import mercury

FIX = "Install it: pip install "


@pytest.fixture
def without(monkeypatch):
    """``without("sklearn")`` makes importing that module fail."""
    return lambda module: monkeypatch.setitem(sys.modules, module, None)


def test_vectors_from_text_need_scikit_learn(without):
    without("sklearn")
    with pytest.raises(InputError, match=FIX + "scikit-learn") as refused:
        text_vectors(mercury())
    assert [problem.code for problem in refused.value.problems] == ["missing-package"]


def test_measures_of_scikit_learn_are_undefined_without_it(without):
    without("sklearn")
    classes = blocks([0, 0, 0, 1, 1, 1])
    vectors = Vectors.of([(0, 0), (0, 1), (1, 0), (5, 5), (5, 6), (6, 5)])
    found = score(gold(6, classes), clustering(*classes), vectors=vectors).scores
    missing = {one.measure for one in found if one.undefined and FIX + "scikit-learn" in one.undefined}
    assert missing == {"silhouette", "calinski_harabasz", "davies_bouldin"}


def test_stream_without_scikit_learn_explains_missing_silhouette(without, tmp_path, capsys):
    without("sklearn")
    (tmp_path / "stream.csv").write_text("time,class,x1\n1,a,0\n2,a,1\n3,b,8\n4,b,9\n", encoding="utf-8")
    (tmp_path / "run.csv").write_text("time,cluster,radius,c1\n4,A,1,0.5\n4,B,1,8.5\n", encoding="utf-8")
    assert main(["stream", str(tmp_path / "stream.csv"), str(tmp_path / "run.csv")]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "cmm" in told.out
    assert f"undefined: scikit-learn is not installed. {FIX}scikit-learn\n" in told.out


def test_xml_needs_defusedxml(without):
    without("defusedxml")
    with pytest.raises(InputError, match=FIX + "defusedxml") as refused:
        read_submission(b"<searchresult><query>x</query></searchresult>", name="answer.xml")
    assert [(problem.code, problem.where) for problem in refused.value.problems] == [("missing-package", "answer.xml")]
