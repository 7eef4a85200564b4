"""Options of pages: writing them to a URL and reading them gives the same options."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from evaluation.limits import COMPARISON_DRAWS
from evaluation.scoring.options import BoardOptions, url_query
from qc4.model.policies import CHOICES, Policies
from qc4.problems import InputError
from qc4.stats import PROCEDURES, Method

ids = st.integers(min_value=1, max_value=2**63 - 1)
measures = st.lists(st.sampled_from(["quality", "coverage", "qc4_f", "vi"]), unique=True, max_size=4)


@st.composite
def choices(draw: st.DrawFn) -> BoardOptions:
    keys = tuple(draw(measures))
    return BoardOptions(
        measures=keys,
        sort=draw(st.sampled_from(["", *keys])),
        reverse=draw(st.booleans()),
        level=draw(st.sampled_from(["", "1", "all"])),
        gold=draw(st.none() | ids),
        missing=draw(st.sampled_from(["worst", "skip"])),
        queries=tuple(draw(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=9), max_size=3))),
        algorithms=tuple(draw(st.lists(ids, unique=True, max_size=3))),
        baseline=draw(st.none() | ids),
        policies=Policies.parse({name: draw(st.sampled_from(options)) for name, options in CHOICES.items()}),
        method=Method(
            alpha=draw(st.sampled_from([0.05, 0.01, 0.1])),
            draws=draw(st.integers(100, COMPARISON_DRAWS)),
            seed=draw(st.integers(0, 2**32)),
            procedure=draw(st.sampled_from(PROCEDURES)),
            equivalence_margin=draw(st.floats(0, 1)),
        ),
    )


@given(choices())
def test_options_are_read_back_from_their_url(choice: BoardOptions) -> None:
    assert BoardOptions.read(QueryDict(url_query(choice)[1:])) == choice


@given(choices())
def test_url_is_unchanged_after_reading_and_writing(choice: BoardOptions) -> None:
    first = url_query(choice)
    assert url_query(BoardOptions.read(QueryDict(first[1:]))) == first


def test_default_options_have_an_empty_url() -> None:
    assert url_query(BoardOptions()) == "?"
    assert BoardOptions.read(QueryDict("")) == BoardOptions()


def test_empty_form_fields_are_defaults() -> None:
    assert (
        BoardOptions.read(QueryDict("sort=&level=&gold=&missing=&query=&algorithms=&baseline=&alpha="))
        == BoardOptions()
    )


def test_ids_can_be_repeated_or_separated_by_commas() -> None:
    assert BoardOptions.read(QueryDict("algorithms=3&algorithms=1,2")).algorithms == (3, 1, 2)


def test_all_problems_are_reported_together() -> None:
    wrong = "gold=x&missing=maybe&algorithms=1,zz&baseline=-1&alpha=two&draws=1.5&procedure=tea"
    with pytest.raises(InputError) as refused:
        BoardOptions.read(QueryDict(wrong))
    where = [problem.where for problem in refused.value.problems]
    assert where == ["missing", "gold", "algorithms", "baseline", "alpha", "draws", "procedure"]


def test_url_cannot_request_too_many_draws() -> None:
    assert BoardOptions.read(QueryDict(f"draws={COMPARISON_DRAWS}")).method.draws == COMPARISON_DRAWS
    with pytest.raises(InputError) as refused:
        BoardOptions.read(QueryDict(f"draws={COMPARISON_DRAWS + 1}"))
    (problem,) = refused.value.problems
    assert (problem.code, problem.where) == ("too-many", "draws")
    assert f"{COMPARISON_DRAWS:,}" in problem.expected
