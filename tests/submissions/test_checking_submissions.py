"""The checker reports all problems at once and picks the right algorithm of a file."""

from __future__ import annotations

import json

import pytest

from annotations.models import Collection
from evaluation.models import Submission
from evaluation.submissions.services import check

COLUMNS = b"query,page,Lingo,STC\n" + b"".join(
    f"{query},p{n},{n % 2},{n % 3}\n".encode()
    for query, count in (("mercury", 8), ("saturn", 4))
    for n in range(1, count + 1)
)


def lines(*answers: dict[str, object]) -> bytes:
    return "\n".join(json.dumps({"format": "qc4-clustering/1", **answer}) for answer in answers).encode()


def test_all_problems_are_reported_at_once(collection: Collection) -> None:
    source = lines(
        {"query": "mercury", "clusters": [{"id": "a", "pages": ["p1", "p77", "p78"]}, {"id": "b", "pages": ["p99"]}]},
        {"query": "venus", "clusters": []},
    )
    report = check(collection, source, filename="answers.jsonl", algorithm="Lingo")
    assert report.document is None
    told = "\n".join(map(str, report.errors))
    assert [problem.code for problem in report.errors] == ["unknown-page", "unknown-page", "unknown-query"]
    for word in ("'p77'", "'p78'", "'p99'", "'venus'", "'mercury'"):
        assert word in told
    assert not Submission.objects.exists()


def test_report_describes_a_valid_file(collection: Collection) -> None:
    source = lines({"query": "saturn", "algorithm": "Lingo", "clusters": [{"id": "a", "pages": ["p1", "p2"]}]})
    report = check(collection, source)
    assert not report.errors
    assert report.document is not None
    assert report.document.algorithm == "Lingo"
    assert report.missing == ("mercury",)
    assert [problem.code for problem in report.warnings] == ["missing-query"]


@pytest.mark.parametrize("name", ["STC", "stc", " STC "])
def test_named_algorithm_is_picked_from_several(collection: Collection, name: str) -> None:
    report = check(collection, COLUMNS, filename="labels.csv", algorithm=name)
    assert report.document is not None
    assert report.document.algorithm == name.strip()
    assert report.algorithms == ("Lingo", "STC")
    assert {cluster.id for cluster in report.document.clusterings[0].clusters} >= {"1", "2"}


@pytest.mark.parametrize("name", [None, "Another"])
def test_file_with_several_algorithms_needs_a_name(collection: Collection, name: str | None) -> None:
    report = check(collection, COLUMNS, filename="labels.csv", algorithm=name)
    assert [problem.code for problem in report.errors] == ["several-algorithms"]
    assert "'Lingo', 'STC'" in str(report.errors[0])


def test_parts_with_different_names_form_one_submission(collection: Collection) -> None:
    source = lines(
        {"query": "saturn", "algorithm": "STC k=2", "clusters": []},
        {"query": "mercury", "algorithm": "STC k=8", "clusters": []},
    )
    report = check(collection, source, algorithm="STC")
    assert report.document is not None
    assert [answer.query for answer in report.document.clusterings] == ["saturn", "mercury"]


def test_algorithm_without_name_is_rejected(collection: Collection) -> None:
    report = check(collection, lines({"query": "saturn", "clusters": []}))
    assert [problem.code for problem in report.errors] == ["no-algorithm"]


def test_large_parameters_are_rejected(collection: Collection) -> None:
    answer = {"query": "saturn", "algorithm": "Lingo", "clusters": [], "parameters": {"model": "x" * 100_000}}
    assert [problem.code for problem in check(collection, lines(answer)).errors] == ["long-parameters"]


@pytest.mark.parametrize("values", [b"[],", b'{"a": 0},', b"0,", b"1.5,"])
def test_json_with_too_many_values_is_rejected_before_parsing(collection: Collection, values: bytes) -> None:
    report = check(collection, b"[" + values * 3_000_000 + b"0]")
    assert [problem.code for problem in report.errors] == ["limit-json-values"]
