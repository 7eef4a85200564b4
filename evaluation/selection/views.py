"""Model selection: the page, its files, and the form that runs a sweep."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.person import Person, person
from annotations.access import May, capabilities, get_collection
from annotations.challenges.access import visible_entries
from annotations.models import Collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.access import may_organise, require_organiser
from evaluation.boards.options_form import read_or_default
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import Mark, marks_of
from evaluation.form_messages import add_form_errors
from evaluation.models import Algorithm
from evaluation.runs.scheduling import UNFINISHED
from evaluation.selection import services as sweeps
from evaluation.selection.figures import FIGURES, FigureRow, charts
from evaluation.selection.forms import RunSweep
from evaluation.selection.selectors import DELTAS, OVERLAPS, JudgedSweep, judge, read_choices
from qc4.selection import FRACTIONS, LANGUAGES, SAMPLINGS
from qc4.tables import Table

NAMES = tuple(FigureRow.__dataclass_fields__)


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the bound selects, and the paper's figures.

    If the URL has invalid options, the page reports them above the default figures.
    """
    collection = get_collection(request.user, slug)
    judged, problems = read_or_default(lambda given: _judged(request.user, collection, given), request.GET)
    found, marks = judged.figures, _marks(collection)
    queries = list(collection.queries.order_by("position", "pk"))
    entries = visible_entries(request.user, *collection.gold_versions.all())
    levels = entries.order_by().values_list("gold__n_levels", flat=True).distinct()
    context = {
        "collection": collection,
        "may": {right.value for right in capabilities(request.user, collection)},
        "judged": judged,
        "runs_sweeps": may_organise(request.user, collection),
        "figures": found,
        "charts": charts(found, marks, judged.choices.language) if found else (),
        "marks": marks,
        "queries": queries,
        "names": {query.key: query.text or query.key for query in queries},
        "levels": range(1, max(levels, default=1) + 1),
        "fractions": FRACTIONS,
        "languages": LANGUAGES,
        "deltas": DELTAS,
        "samplings": SAMPLINGS,
        "overlaps": OVERLAPS,
        "problems": problems,
        "sweeps": collection.runs.filter(kind="sweep").order_by("-pk")[:3],
        "busy": collection.runs.filter(kind="sweep", state__in=UNFINISHED).count(),
        "sweepable": sweeps.SWEEPABLE,
        "sweep_form": RunSweep(),
        "trail": trail(collection, ("model selection", "")),
    }
    return render(request, "selection/model_selection.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> JudgedSweep:
    return _judged(request.user, get_collection(request.user, slug), request.GET)


def _table(found: JudgedSweep) -> Table:
    """Return a row per mark of the figures."""
    rows: list[list[object]] = [["figure", *NAMES]]
    if found.figures is not None:
        for figure in FIGURES[:4]:
            for row in getattr(found.figures, figure):
                line = row.to_dict()
                rows.append([figure, *(line[name] for name in NAMES)])
        for language, rate in found.figures.languages:
            rows.append(["languages", *({"language": language, "bound": rate}.get(name) for name in NAMES)])
    return Table(rows)


FILES = PageFiles(
    name="model-selection",
    route="c/<slug:slug>/model-selection",
    read=_read,
    tables={"figures": _table},
    cost=Cost.ANSWERS,
)


@login_required
@require_POST
def run_sweep(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue a sweep and redirect to its run."""
    collection = get_collection(request.user, slug, May.COMPUTE)
    require_organiser(request.user, collection)
    form = RunSweep(request.POST)
    if not form.is_valid():
        add_form_errors(request, form)
        return redirect("model-selection", slug)
    return redirect("run", sweeps.enqueue(collection=collection, user=person(request), **form.cleaned_data).pk)


def _marks(collection: Collection) -> dict[str, Mark]:
    algorithms = list(Algorithm.objects.filter(collection=collection).order_by("pk"))
    found = marks_of(algorithms)
    return {algorithm.name: found[algorithm.pk] for algorithm in algorithms}


def _judged(who: Person, collection: Collection, given: QueryDict) -> JudgedSweep:
    """Return the result for a URL; raise InputError with every invalid option."""
    return judge(collection, who, read_choices({name: str(given[name]) for name in given}))
