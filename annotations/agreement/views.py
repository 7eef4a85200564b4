"""The page about the agreement between drafts, and its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import Person
from annotations.access import May, capabilities, get_query
from annotations.agreement import selectors as reading
from annotations.agreement.statistics import MINIMUM
from annotations.drafts.access import ReopenedError, compared_draft, existing_adjudication
from annotations.drafts.exposure import record_exposure_to_drafts
from annotations.drafts.selectors.listing import drafts_of
from annotations.limits import COMPARED_DRAFTS
from annotations.models import Draft, OthersSeen, Query
from common.page_files import PageFiles
from common.routes import Cost
from qc4.problems import InputError, Problem
from work.answers import Pending

PAIR = 2


class Drafts(forms.Field):
    """Ids of drafts, in the order in which they are compared."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> list[int]:
        given = list(dict.fromkeys(str(each) for each in value or ()))
        if len(given) > COMPARED_DRAFTS or not all(each.isdecimal() and 0 < len(each) < 19 for each in given):
            raise forms.ValidationError(f"the ids of at most {COMPARED_DRAFTS} drafts")
        return list(map(int, given))


class Compared(forms.Form):
    """The drafts to compare, and the options of the comparison."""

    draft = Drafts(required=False)
    first = forms.IntegerField(required=False, min_value=1)
    second = forms.IntegerField(required=False, min_value=1)
    minimum = forms.FloatField(required=False, min_value=0.01, max_value=1)
    level = forms.CharField(required=False, max_length=3)


@login_required
@require_safe
def agreement(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show two drafts compared, or a table of pairs if there are more and none are chosen."""
    query = get_query(request.user, slug, key, May.CURATE)
    chosen = choice_of(request.GET)
    may_publish = May.PUBLISH in capabilities(request.user, query.collection)
    listed = drafts_of(request.user, query, may_publish=may_publish)
    visible = [each.draft for each in reversed(listed) if not each.blind]
    own = [draft for draft in visible if draft.kind != Draft.Kind.ADJUDICATION]
    context = {
        "query": query,
        "collection": query.collection,
        "visible": visible,
        "closed": [each for each in listed if each.blind],
        "trail": trail(query, ("agreement", "")),
        "may_publish": may_publish,
        "choice": chosen,
        "percent": f"{100 * chosen['minimum']:g} %",
    }
    try:
        drafts = _chosen(request.user, query, chosen) or own[-COMPARED_DRAFTS:]
    except ReopenedError as reason:
        drafts, context["reopened"] = [draft for draft in own if draft.pk in chosen["draft"]], reason
    record_exposure_to_drafts(request.user, OthersSeen.What.AGREEMENT, drafts if len(drafts) > 1 else [])
    two = _two(drafts) if len(drafts) == PAIR else None
    context |= {"two": two, "drafts": drafts, "left_out": 0 if chosen["draft"] else len(own) - len(drafts)}
    try:
        context |= _worked_out(drafts, chosen)
    except InputError as error:
        context["too_large"] = error.problems[0]
    except Pending:
        context["pending"] = True
    return render(request, "agreement/agreement.html", context)


def _worked_out(drafts: Sequence[Draft], chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the context for two drafts, or for more."""
    if len(drafts) < PAIR:
        return {}
    if len(drafts) > PAIR:
        found = reading.compare_group(drafts, chosen["minimum"])
        return {
            "all": found,
            "report": found.report,
            "existing": existing_adjudication(drafts),
            "files": _files(found, chosen),
        }
    two = reading.compare_pair(*_two(drafts), chosen["minimum"])
    levels = range(1, two.report.n_levels + 1)
    level = _level(chosen["level"], levels)
    shown = {"matrix": two.matrix(level), "level": level, "levels": levels}
    return {
        "compared": two,
        "report": two.report,
        "existing": existing_adjudication(drafts),
        "files": _files(two, chosen),
        **shown,
    }


def _level(wanted: str, levels: Sequence[int]) -> int | None:
    """Return the level a matrix shows: 1 by default, None for "all"."""
    if wanted == "all":
        return None
    return int(wanted) if wanted.isdecimal() and int(wanted) in levels else 1


def _files(found: reading.PairComparison | reading.GroupComparison, chosen: dict[str, Any]) -> str:
    """Return the query string of the files' URLs."""
    return f"{found.address}&minimum={chosen['minimum']}"


def _read(request: HttpRequest, slug: str, key: str) -> reading.PairComparison | reading.GroupComparison:
    return _compared(request.user, get_query(request.user, slug, key, May.CURATE), choice_of(request.GET))


FILES = PageFiles(
    name="agreement",
    route="c/<slug:slug>/q/<key:key>/agreement",
    file_name="agreement-{found.numbers}",
    read=_read,
    tables={"pages": reading.page_table},
    saves_json=True,
    signed_in=True,
    cost=Cost.ANSWERS,
)


def choice_of(given: QueryDict) -> dict[str, Any]:
    """Return the requested comparison: ``draft`` holds the ids of all drafts, including ``first`` and ``second``.

    Raises:
        InputError: for invalid values.
    """
    form = Compared(given)
    if not form.is_valid():
        wrong = {field: str(errors[0]) for field, errors in form.errors.items()}
        found = {field: ", ".join(map(repr, given.getlist(field))) for field in wrong}
        raise InputError(Problem("bad-choice", field, found[field], said) for field, said in wrong.items())
    found = form.cleaned_data
    pair = [found[name] for name in ("first", "second")]
    chosen = found["draft"] or (pair if any(pair) else [])
    return {"draft": chosen, "level": found["level"], "minimum": found["minimum"] or MINIMUM}


def _compared(person: Person, query: Query, chosen: dict[str, Any]) -> reading.PairComparison | reading.GroupComparison:
    drafts = _chosen(person, query, chosen)
    record_exposure_to_drafts(person, OthersSeen.What.AGREEMENT, drafts)
    if len(drafts) > PAIR:
        return reading.compare_group(drafts, chosen["minimum"])
    return reading.compare_pair(*_two(drafts), chosen["minimum"])


def _chosen(person: Person, query: Query, chosen: dict[str, Any]) -> list[Draft]:
    """Return the requested drafts."""
    return [draft_of(person, query, number) for number in chosen["draft"]]


def _two(drafts: Sequence[Draft]) -> tuple[Draft, Draft]:
    if len(drafts) != PAIR:
        raise InputError([Problem("no-pair", "draft", f"{len(drafts)} drafts", "at least two drafts of this query")])
    return drafts[0], drafts[1]


def draft_of(person: Person, query: Query, pk: int | None, name: str = "draft") -> Draft:
    """Return a draft of the query that this person may see; InputError without an id."""
    if pk is None:
        raise InputError([Problem("no-draft", name, "no draft", f"the id of a draft as {name!r}")])
    return compared_draft(person, query, pk)


def trail(query: Query, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the breadcrumbs down to the annotation of a query."""
    slug = query.collection.slug
    return [
        (query.collection.name, reverse("collection", args=[slug])),
        ("curate", reverse("curate", args=[slug])),
        (query.text or query.key, reverse("query", args=[slug, query.key])),
        *more,
    ]
