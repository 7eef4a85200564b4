"""What people may send is bounded once: forms, API, columns, scripts and pages for users say the same number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from math import isqrt
from typing import Any

import pytest
from django.conf import settings
from django.forms import Form
from rest_framework.serializers import IntegerField, ListField, Serializer

from accounts.forms import NewToken
from accounts.limits import TOKEN_NAME_CHARS
from accounts.models import ApiToken
from annotations import limits as annotations_limits
from annotations.agreement.selectors import size_problems
from annotations.collections.forms import CollectionSettingsForm as CollectionSettings
from annotations.limits import (
    COMPARED_PAGES_OF_PAIRS,
    COMPARED_PLACEMENTS,
    COMPARED_TOPICS,
    GUIDELINES_CHARS,
    INVITATION_DAYS,
    NAME_CHARS,
    NOTE_CHARS,
)
from annotations.models import Collection, Draft, Invitation
from annotations.people.api import AnswerOptions, AskOptions, InvitationOptions
from annotations.people.forms import InvitationForm, RequestAnswerForm, SubmitRequestForm
from common import limits as common_limits
from common.api.options import Options
from common.limits import KEY_CHARS, MOST_PAGE_ROWS
from evaluation import limits as evaluation_limits
from evaluation.collections.api import ImportOptions
from evaluation.drafts.api import PublishDraftOptions
from evaluation.drafts.forms import PublishDraft
from evaluation.gold.api import GoldOptions
from evaluation.gold.forms import PublishGold
from evaluation.imports.forms import ImportCollection
from evaluation.limits import (
    AGGLOMERATIVE_PAGES,
    ALGORITHM_CHARS,
    COMPARISON_DRAWS,
    DRAFTS_AS_GOLD,
    FILES_AT_ONCE,
    SEPARATOR_CHARS,
    SWEEP_CLUSTERS,
    SWEEP_SUBMISSIONS,
)
from evaluation.models import Algorithm
from evaluation.selection.api import SelectionOptions, SweepOptions
from evaluation.selection.forms import RunSweep
from evaluation.selection.selectors import read_choices
from evaluation.streams.api import SettingsOptions
from evaluation.streams.forms import StreamSettingsForm
from evaluation.submissions.api import CheckOptions
from evaluation.submissions.forms import Submit
from qc4.io import DEFAULT_LIMITS, Limits
from qc4.model.bounds import Bound
from qc4.model.structure import MAX_LEVELS
from qc4.problems import InputError
from tests.paths import ROOT

SCRIPT = ROOT / "static" / "js" / "common" / "limits.js"

TAKEN = [
    (PublishGold, GoldOptions, "note", NOTE_CHARS),
    (PublishDraft, PublishDraftOptions, "note", NOTE_CHARS),
    (ImportCollection, ImportOptions, "split_levels", SEPARATOR_CHARS),
    (ImportCollection, ImportOptions, "name", NAME_CHARS),
    (Submit, CheckOptions, "algorithm", ALGORITHM_CHARS),
    (InvitationForm, InvitationOptions, "note", annotations_limits.LINE_CHARS),
    (SubmitRequestForm, AskOptions, "message", annotations_limits.REQUEST_CHARS),
    (RequestAnswerForm, AnswerOptions, "reason", annotations_limits.REQUEST_CHARS),
]


@pytest.mark.parametrize(("form", "options", "field", "most"), TAKEN)
def test_form_and_api_take_texts_of_one_length(
    form: type[Form], options: type[Serializer[Any]], field: str, most: int
) -> None:
    for number, refused in ((most, False), (most + 1, True)):
        by_form = form({field: "x" * number}).errors.get(field, [])
        asked = options(data={field: "x" * number})
        asked.is_valid()
        by_api = asked.errors.get(field, [])
        assert [bool(by_form), bool(by_api)] == [refused, refused]
        if refused:
            assert str(most) in str(by_form[0])
            assert str(most) in str(by_api[0])


def test_a_sweep_takes_as_many_numbers_of_clusters_from_the_form_as_from_the_api() -> None:
    numbers = [SWEEP_CLUSTERS] * SWEEP_SUBMISSIONS
    sent = {"algorithms": ["kmeans"], "clusters": ", ".join(map(str, numbers)), "initialisations": 1, "seed": 0}
    form = RunSweep(sent)
    assert form.is_valid(), form.errors
    asked = SweepOptions(data={"clusters": numbers})
    assert asked.is_valid(), asked.errors
    assert form.cleaned_data["clusters"] == asked.validated_data["clusters"]


COLUMNS = [
    (ApiToken, "name", TOKEN_NAME_CHARS, NewToken.base_fields["name"].max_length),
    (Collection, "name", NAME_CHARS, CollectionSettings.base_fields["name"].max_length),
    (Invitation, "note", annotations_limits.LINE_CHARS, InvitationForm.base_fields["note"].max_length),
    (Algorithm, "name", ALGORITHM_CHARS, Submit.base_fields["algorithm"].max_length),
]


@pytest.mark.parametrize(("model", "field", "most", "taken"), COLUMNS)
def test_columns_are_as_wide_as_what_is_taken(model: Any, field: str, most: int, taken: int) -> None:
    assert model._meta.get_field(field).max_length == most == taken


def test_the_forms_say_how_many_files_are_too_many_before_the_framework_does() -> None:
    assert FILES_AT_ONCE < settings.DATA_UPLOAD_MAX_NUMBER_FILES


def test_the_workspace_takes_what_the_server_takes() -> None:
    written = re.findall(r"export const (\w+) = ([\d_]+);", SCRIPT.read_text(encoding="utf-8"))
    assert len(written) == SCRIPT.read_text(encoding="utf-8").count("export const")
    for name, number in written:
        limit = getattr(annotations_limits, name, None) or getattr(common_limits, name)
        assert int(number) == limit, name


def test_no_field_of_the_workspace_has_a_limit_of_its_own() -> None:
    """But for the field that searches for a topic: a path is made of several names."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in SCRIPT.parent.parent.rglob("*.js")}
    own = {name for name, text in scripts.items() if re.search(r'\b(max|maxlength): "?\d', text)}
    assert own == {"picker.js"}


def test_pages_take_as_much_to_search_for_as_lists_do() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html")]
    lengths = [int(length) for text in texts for length in re.findall(r'maxlength="(\d+)"', text)]
    assert len(lengths) >= 3
    assert set(lengths) == {annotations_limits.SEARCH_CHARS}


def _options(base: type[Options] = Options) -> Iterator[type[Options]]:
    for each in base.__subclasses__():
        yield each
        yield from _options(each)


def test_what_programs_send_is_bounded_as_what_forms_take() -> None:
    import_module("qc4site.api.urls")
    pairs = [(each, each.FORM) for each in _options() if each.FORM] + [(SettingsOptions, StreamSettingsForm)]
    assert len(pairs) > 10
    for options, form in pairs:
        for name, field in options().fields.items():
            twin = form.base_fields.get(name)
            if twin is None or isinstance(field, ListField):  # a form takes what a list holds as a text
                continue
            for limit in ("max_length", "min_value", "max_value"):
                assert getattr(field, limit, None) == getattr(twin, limit, None), (options, name, limit)


def test_model_selection_looks_at_every_level_there_may_be() -> None:
    options = SelectionOptions(data={"level": MAX_LEVELS})
    assert options.is_valid(), options.errors
    assert read_choices({"level": str(MAX_LEVELS)}).level == MAX_LEVELS
    with pytest.raises(InputError):
        read_choices({"level": str(MAX_LEVELS + 1)})


def _of_each(drafts: int) -> tuple[int, int]:
    """Pages in topics, and topics, that so many drafts may each have if they are compared."""
    pairs = drafts * (drafts - 1) // 2
    return COMPARED_PLACEMENTS.most // 2 // pairs, isqrt(COMPARED_TOPICS.most // pairs)


@pytest.mark.parametrize("drafts", [2, 3, 6])
def test_drafts_are_compared_up_to_what_the_page_says(drafts: int) -> None:
    def alike(topics: int, placements: int, pages: int) -> list[Draft]:
        return [Draft(summary={"topics": topics, "placements": placements, "pages": pages})] * drafts

    placements, topics = _of_each(drafts)
    assert not size_problems(alike(topics, placements, placements))
    assert size_problems(alike(topics + 1, placements, placements))
    assert size_problems(alike(topics, placements + 1, placements + 1))
    pages = COMPARED_PAGES_OF_PAIRS.most // (drafts * (drafts - 1) // 2)
    assert not size_problems(alike(1, 1, pages))
    assert size_problems(alike(1, 1, pages + 1))


def test_drafts_that_are_too_large_say_how_large_they_are() -> None:
    drafts = [Draft(summary={"topics": 251, "placements": 300, "pages": 40_001})] * 2
    assert [str(problem) for problem in size_problems(drafts)] == [
        "drafts: found 63,001 pairs of topics (2 drafts with 502 topics and 600 pages in them); expected at most "
        f"62,500, because every two topics of two drafts are compared. {COMPARED_TOPICS.fix}",
        "drafts: found 40,001 pages of the query (2 drafts with 502 topics and 600 pages in them); expected at most "
        f"40,000, because all of them count once for every two drafts. {COMPARED_PAGES_OF_PAIRS.fix}",
    ]


BOUNDS = [
    bound
    for layer in (annotations_limits, evaluation_limits)
    for bound in vars(layer).values()
    if isinstance(bound, Bound)
]


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.unit)
def test_every_bound_of_the_site_s_work_holds_on_both_sides_and_is_documented(bound: Bound) -> None:
    bound.check(bound.most, "input")
    with pytest.raises(InputError, match=f"input: found {bound.most + 1:,} {bound.unit}"):
        bound.check(bound.most + 1, "input")
    assert f"| {bound.most:,} {bound.unit} |" in (ROOT / "docs" / "users" / "limits.md").read_text(encoding="utf-8")


def test_numbers_that_programs_send_have_a_largest_one() -> None:
    """But rows of a list at a time, of which too many are as many as may be, and what the engine judges."""
    import_module("qc4site.api.urls")
    unbounded = {
        name
        for options in _options()
        for name, field in options().fields.items()
        if isinstance(number := field.child if isinstance(field, ListField) else field, IntegerField)
        and number.max_value is None
    }
    assert unbounded == {"page_size", "draws", "seed"}


SAID = [
    ("curation.md", f"most {GUIDELINES_CHARS:,} characters"),
    ("collections.md", f"({INVITATION_DAYS} by default)"),
    ("agreement.md", f"{_of_each(2)[1]} topics and {_of_each(2)[0]:,} pages"),
    *(
        ("agreement.md", f"{words} {most[0]:,} pages each in {most[1]} topics")
        for words, most in (("three may have", _of_each(3)), ("six", _of_each(6)))
    ),
    ("agreement.md", f"up to a query of {COMPARED_PAGES_OF_PAIRS.most // 15:,} pages"),
    ("submit.md", f"again after {annotations_limits.ASK_AGAIN_DAYS} days"),
    ("submit.md", f"ask {annotations_limits.MOST_REQUESTS} times in a day"),
    ("baselines.md", f"refuses more than {AGGLOMERATIVE_PAGES.most:,}"),
    ("compare-page.md", f"the site takes 100 to {COMPARISON_DRAWS:,} draws"),
    ("compare-page.md", f"at most {DRAFTS_AS_GOLD} drafts at once"),
    ("leaderboard.md", f"from 100 to {COMPARISON_DRAWS:,}"),
    ("commands.md", f"{SWEEP_SUBMISSIONS} settings at most"),
    ("api.md", f"(at most {MOST_PAGE_ROWS})"),
    ("limits.md", f"characters of an id; {KEY_CHARS} on the site"),
    *(
        ("limits.md", f"{getattr(common_limits.LIMITS, name):,} on the site")
        for name in ("json_values", "xml_nodes", "cells", "clusterings")
    ),
]


@pytest.mark.parametrize(("page", "sentence"), SAID)
def test_pages_for_users_say_the_number(page: str, sentence: str) -> None:
    assert sentence in " ".join((ROOT / "docs" / "users" / page).read_text(encoding="utf-8").split())


def test_the_page_on_formats_says_where_the_site_takes_less() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| [\d,]+ \| (.*) \|$", (ROOT / "docs/users/limits.md").read_text(), re.M))
    for field in fields(Limits):
        site = getattr(common_limits.LIMITS, field.name)
        said = f"{site:,} on the site" in rows[field.name]
        assert said == (site != getattr(DEFAULT_LIMITS, field.name)), field.name
