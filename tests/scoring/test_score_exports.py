"""Exports: every score with its provenance, for people who can see it."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run, Score, Submission
from evaluation.runs import services as runs
from evaluation.scoring import exports
from qc4.model.policies import Policies

Submit = Callable[..., tuple[Submission, Run]]


def test_row_contains_the_provenance_of_its_score(scored: Submission, collection: Collection) -> None:
    rows = list(exports.scores(collection))
    assert len(rows) == Score.objects.count()
    row = next(row for row in rows if row["measure"] == "qc4" and row["query"] == "mercury")
    assert set(row) == set(exports.FIELDS)
    assert (row["algorithm"], row["submission"], row["gold_version"], row["level"]) == ("Lingo", scored.pk, 1, None)
    assert row["policies"] == Policies().to_dict()
    assert row["engine"]
    assert {row["level"] for row in rows} >= {None, 1, 2, "all"}


def test_row_has_a_value_or_a_reason(scored: Submission, collection: Collection) -> None:
    rows = list(exports.scores(collection))
    assert all((row["value"] is None) != (row["undefined"] is None) for row in rows)
    assert any(row["undefined"] for row in rows), "ari is undefined on mercury: p3 is in two topics"


def test_json_and_csv_contain_the_same_numbers(scored: Submission, collection: Collection) -> None:
    as_json, as_csv = io.StringIO(), io.StringIO()
    exports.write_json(exports.scores(collection), as_json)
    exports.write_csv(exports.scores(collection), as_csv)
    parsed = json.loads(as_json.getvalue())["scores"]
    rows = list(csv.DictReader(io.StringIO(as_csv.getvalue())))
    assert len(parsed) == len(rows)
    for one, other in zip(parsed, rows, strict=True):
        assert one["measure"] == other["measure"]
        if one["value"] is None:
            assert other["value"] == ""
        else:
            assert math.isclose(one["value"], float(other["value"]), rel_tol=0, abs_tol=0)


def test_empty_export_is_valid(collection: Collection) -> None:
    target = io.StringIO()
    exports.write_json(exports.scores(collection), target)
    assert json.loads(target.getvalue()) == {"scores": []}


def test_text_is_not_read_as_a_spreadsheet_formula(
    collection: Collection, owner: User, submit: Submit, finish: Callable[..., None]
) -> None:
    _, run = submit(owner, "=HYPERLINK(1)")
    finish(run)
    target = io.StringIO()
    exports.write_csv(exports.scores(collection), target)
    assert {row["algorithm"] for row in csv.DictReader(io.StringIO(target.getvalue()))} == {"'=HYPERLINK(1)"}


def test_negative_values_stay_numbers() -> None:
    target = io.StringIO()
    row = dict.fromkeys(exports.FIELDS) | {"algorithm": "A", "value": -0.25, "policies": {}}
    exports.write_csv(iter([row]), target)
    assert next(csv.DictReader(io.StringIO(target.getvalue())))["value"] == "-0.25"


def test_private_submissions_are_exported_only_to_people_who_see_them(
    collection: Collection, owner: User, submitter: User, reader: User, submit: Submit, finish: Callable[..., None]
) -> None:
    submit(submitter, "Secret", published=False)
    finish()
    assert not list(exports.scores(collection, reader))
    assert list(exports.scores(collection, submitter))
    assert list(exports.scores(collection, owner))


def test_repeated_run_is_exported_once(
    scored: Submission, collection: Collection, owner: User, finish: Callable[..., None]
) -> None:
    before = list(exports.scores(collection))
    finish(runs.rerun(scored.runs.get(), owner))
    assert list(exports.scores(collection)) == before
