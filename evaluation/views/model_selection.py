"""Model selection: the page, its files, and the form that runs a sweep."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.person import person
from annotations.access import May, capabilities, get_collection, visible_entries
from annotations.models import Collection
from common.page_files import PageFiles
from evaluation.access import may_organise, require_organiser
from evaluation.forms import RunSweep
from evaluation.models import Algorithm
from evaluation.problems import told
from evaluation.runs.admission import UNFINISHED
from evaluation.selectors.marks import Mark, marks_of
from evaluation.selectors.model_charts import charts
from evaluation.selectors.model_figures import FIGURES, Row, Selection, figures
from evaluation.selectors.model_selection import DELTAS, OVERLAPS, Choices, judge, read_choices
from evaluation.services import sweeps
from evaluation.views.form_messages import tell_errors
from evaluation.views.trails import trail
from qc4.model_selection import FRACTIONS, LANGUAGES, SAMPLINGS
from qc4.printing import Table
from qc4.problems import InputError, Problem


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """What the bound picks, and the paper's figures. A choice that does not exist is said above the default figures."""
    collection = get_collection(request.user, slug)
    problems: tuple[Problem, ...] = ()
    try:
        judged = judge(collection, request.user, read_choices(request.GET.dict()))
    except InputError as error:
        problems, judged = error.problems, judge(collection, request.user, Choices())
    found, marks = figures(judged), _marks(collection)
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
        "problems": told(problems),
        "sweeps": collection.runs.filter(kind="sweep").order_by("-pk")[:3],
        "busy": collection.runs.filter(kind="sweep", state__in=UNFINISHED).count(),
        "sweepable": sweeps.SWEEPABLE,
        "sweep_form": RunSweep(),
        "trail": trail(collection, ("model selection", "")),
    }
    return render(request, "boards/model_selection.html", context, status=400 if problems else 200)


def _read(request: HttpRequest, slug: str) -> Selection:
    return Selection(judge(get_collection(request.user, slug), request.user, read_choices(request.GET.dict())))


def _table(found: Selection) -> Table:
    """A row per mark of the figures."""
    names = list(Row.__dataclass_fields__)
    rows: list[list[object]] = [["figure", *names]]
    drawn = figures(found.judged)
    if drawn is not None:
        for figure in FIGURES[:4]:
            for row in getattr(drawn, figure):
                line = row.to_dict()
                rows.append([figure, *(line[name] for name in names)])
        for language, rate in drawn.languages:
            rows.append(["languages", *({"language": language, "bound": rate}.get(name) for name in names)])
    return Table(rows)


FILES = PageFiles(
    name="model-selection",
    address="c/<slug:slug>/model-selection",
    read=_read,
    tables={"figures": _table},
)


@login_required
@require_POST
def run_sweep(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue a sweep and go to its run."""
    collection = get_collection(request.user, slug, May.COMPUTE)
    require_organiser(request.user, collection)
    form = RunSweep(request.POST)
    if not form.is_valid():
        tell_errors(request, form)
        return redirect("model-selection", slug)
    return redirect("run", sweeps.enqueue(collection=collection, user=person(request), **form.cleaned_data).pk)


def _marks(collection: Collection) -> dict[str, Mark]:
    algorithms = list(Algorithm.objects.filter(collection=collection).order_by("pk"))
    found = marks_of(algorithms)
    return {algorithm.name: found[algorithm.pk] for algorithm in algorithms}
