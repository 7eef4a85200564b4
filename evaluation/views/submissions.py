"""Submit a clustering: check, confirm; a submission's own page and its file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.person import person
from annotations.access import May, capabilities, get_collection
from annotations.models import Collection
from annotations.views.participation import way_in
from common.downloads import attachment, json_line
from common.page_files import PageFiles
from evaluation.access import get_submission, may_change_algorithm, visible_clusterings, visible_submissions
from evaluation.algorithm_forms import AboutAlgorithm
from evaluation.forms import ReadLabels, SubmitClusterings
from evaluation.limits import SUBMISSION_QUERIES
from evaluation.models import Submission, Upload
from evaluation.problems import told
from evaluation.runs.admission import UNFINISHED
from evaluation.selectors.choice import Choice
from evaluation.selectors.evaluations import policies_of
from evaluation.selectors.examples import example_clustering
from evaluation.selectors.final_results import part_in_results
from evaluation.selectors.rivals import rival_of
from evaluation.selectors.submission_reports import visible_report
from evaluation.selectors.submission_scores import counting_evaluations, submission_scores
from evaluation.selectors.whole_scores import TABLES, WholeScores, last_run, whole_scores
from evaluation.services import submissions, uploads
from evaluation.services.checking import check
from evaluation.services.provenance import Provenance
from evaluation.services.reports import Report
from evaluation.views import tickets
from evaluation.views.challenges import face_in
from evaluation.views.choices import address
from evaluation.views.own_submissions import about, known_names
from evaluation.views.trails import trail
from qc4.noise import noise_text
from qc4.printing import Table
from qc4.problems import InputError, Problem
from qc4.views.policies import Policies

CHECKED = "checked-submission"
"""What a ticket is for."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; a posted file is checked and reported on, and waits for the confirmation."""
    collection = get_collection(request.user, slug)
    if May.SUBMIT not in capabilities(request.user, collection):
        return way_in(request, collection, status=403)
    if request.method != "POST":
        return _form_page(request, collection, SubmitClusterings())
    form, about = SubmitClusterings(request.POST, request.FILES), AboutAlgorithm(request.POST)
    if not form.is_valid() or not about.is_valid():
        return _form_page(request, collection, form, status=400, about=about)
    file, wanted = form.cleaned_data["file"], form.cleaned_data["algorithm"].strip()
    name = uploads.clean_name(file.name)
    user = person(request)
    path = Path(file.temporary_file_path())
    reading = {field: form.cleaned_data[field] for field in ReadLabels.base_fields}
    report = check(collection, path, filename=name, algorithm=wanted or None, user=user, **reading)
    if report.document is None:
        return _refused_page(request, collection, form, report, name, about)
    said = {field: form.cleaned_data[field] for field in ("published", "repeat", "seed")}
    said["about"] = {field: value for field, value in about.said.items() if value not in ("", None)}
    chosen = {"algorithm": wanted, "policies": form.policies().to_dict(), **said, **reading}
    return _checked_page(request, collection, report, uploads.store(file, name, user), chosen)


@login_required
@require_POST
def reread(request: HttpRequest, slug: str) -> HttpResponse:
    """Check the file that was just checked again, with its labels read in another way."""
    collection = get_collection(request.user, slug, May.SUBMIT)
    ticket = _checked(request, collection)
    if ticket is None:
        return redirect("submit", slug)
    upload, chosen = ticket
    form = ReadLabels(request.POST)
    reading = form.cleaned_data if form.is_valid() else {name: chosen[name] for name in ReadLabels.base_fields}
    algorithm, path = chosen["algorithm"] or None, uploads.path_of(upload)
    report = check(collection, path, filename=upload.name, algorithm=algorithm, user=person(request), **reading)
    if report.document is None:
        return _refused_page(request, collection, SubmitClusterings(), report, upload.name)
    return _checked_page(request, collection, report, upload, {**chosen, **reading}, form if form.errors else None)


@login_required
@require_POST
def confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Take in the file that was just checked."""
    collection = get_collection(request.user, slug, May.SUBMIT)
    user = person(request)
    ticket = _checked(request, collection)
    if ticket is None:
        return redirect("submit", slug)
    upload, chosen = ticket
    try:
        origin, published = Submission.Origin.BROWSER, bool(chosen["published"])
        provenance = Provenance(user, origin, published=published, about=chosen["about"])
        taken = submissions.take_in(
            upload,
            collection,
            provenance,
            chosen["algorithm"] or None,
            repeat=str(chosen["repeat"]),
            seed=chosen["seed"],
            policies=Policies.parse(chosen["policies"]),
            **{name: chosen[name] for name in ReadLabels.base_fields},
        )
    except InputError as error:
        return _refused_page(request, collection, SubmitClusterings(), Report(error.problems), upload.name)
    if taken.is_new:
        messages.success(request, f"Submission #{taken.submission.pk} is in.")
    return redirect("run", taken.run.pk) if taken.run else redirect("submission", taken.submission.pk)


@require_safe
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """What was submitted, how it scored on every query, its runs."""
    found = get_submission(request.user, pk)
    page = request.GET.get("scores")
    problems: tuple[Problem, ...] = ()
    try:
        choice = Choice.read(request.GET)
        scores = submission_scores(found, request.user, choice.policies, choice.measures, page)
    except InputError as error:
        choice, problems = Choice(), error.problems
        scores = submission_scores(found, request.user, page=page)
    whole = whole_scores(scores.run, request.user) if scores else None
    means = whole.mean_of if whole else {}
    report = visible_report(request.user, found)
    counting = counting_evaluations(found, request.user) if scores else frozenset()
    waiting = found.runs.filter(state__in=UNFINISHED, policies=choice.policies.to_dict())
    context = {
        **about(request, found),
        "scores": scores,
        "means": [means.get(column) for column in scores.columns] if scores else [],
        "intervals": whole.intervals(scores.columns) if whole and scores else [],
        "rival": rival_of(found, request.user, counting) if scores else None,
        "part_in_results": part_in_results(found, request.user),
        "is_pinned": found.algorithm.pinned_id == found.pk,
        "is_counting": scores is not None and scores.run.pk in counting,
        "may_count": may_change_algorithm(request.user, found.algorithm),
        "families": whole.families if whole else (),
        "choice": choice,
        "address": address(choice),
        "carried": address(choice).replace("?", "&", 1).rstrip("&"),
        "scored_under": [(policies, address(choice, policies=policies)) for policies in policies_of(found)],
        "waiting": waiting.first(),
        "has_gold": found.collection.gold_versions.exists(),
        "problems": told(problems),
        "report": report,
        "reported": Paginator(report["queries"], SUBMISSION_QUERIES).get_page(request.GET.get("report")),
        "warnings": report["problems"],
        "trail": trail(found.collection, (f"{found.algorithm.name} #{found.pk}", "")),
    }
    return render(request, "submissions/submission.html", context, status=400 if problems else 200)


@require_safe
def compared(request: HttpRequest, pk: int) -> HttpResponse:
    """Goes to the comparison with the best algorithm of the board; where this one is the best, with the second."""
    found = get_submission(request.user, pk)
    rival = rival_of(found, request.user)
    if rival is None:
        messages.info(request, "There is nobody to compare it with yet.")
        return redirect("submission", pk)
    pair = (found.algorithm_id, rival.algorithm) if rival.is_second else (rival.algorithm, found.algorithm_id)
    return redirect(f"{reverse('compare', args=[found.collection.slug])}?algorithms={pair[0]},{pair[1]}")


def _read_scores(request: HttpRequest, pk: int) -> WholeScores:
    found = get_submission(request.user, pk)
    return whole_scores(last_run(found, Choice.read(request.GET).policies), request.user)


def _table(name: str, found: WholeScores) -> Table:
    return found.table(name)


FILES = PageFiles(
    name="submission-scores",
    route="submissions/<int:pk>/scores",
    file_name="submission-{pk}",
    read=_read_scores,
    has_json=False,
    tables={name: partial(_table, name) for name in TABLES},
    labels={"scores.csv": "CSV of the scores", "means.csv": "CSV of the means"},
    names_default=True,
    streams=True,
)


@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The clusterings as JSON Lines, which can be submitted again as they are."""
    found = get_submission(request.user, pk)
    rows = visible_clusterings(request.user, found).select_related("file").order_by("query__position", "query__pk")
    lines = b"".join(json_line(row.file.content) for row in rows.iterator())
    return attachment(lines, f"submission-{pk}.jsonl", "application/jsonl")


def _checked(request: HttpRequest, collection: Collection) -> tickets.Ticket | None:
    """The file that was checked and what was chosen for it; None, with a message, if the form is too old."""
    ticket = tickets.redeem(CHECKED, request.POST.get("ticket", ""), person(request))
    if ticket is not None and ticket.chosen["collection"] == collection.pk:
        return ticket
    messages.error(request, tickets.TOO_OLD)
    return None


def _checked_page(
    request: HttpRequest,
    collection: Collection,
    report: Report,
    upload: Upload,
    chosen: dict[str, Any],
    form: ReadLabels | None = None,
) -> HttpResponse:
    """What was understood of a file, with a button that submits it and the choices of reading it otherwise."""
    noise, said = chosen["noise"], {name: value for name, value in chosen.items() if name != "collection"}
    typed = {"noise": "" if noise is None else noise_text(noise), "label_separator": chosen["label_separator"]}
    context = {
        "report": report,
        "filename": upload.name,
        "ticket": tickets.issue(CHECKED, upload, person(request), collection=collection.pk, **said),
        **said,
        "policies": Policies.parse(chosen["policies"]),
        "totals": _totals(report),
        "reading": form or ReadLabels(initial=typed),
        "typed": typed,
        "is_usual": not any(typed.values()),
    }
    return _page(request, collection, "submissions/confirm.html", context, 400 if form else 200)


def _form_page(
    request: HttpRequest, collection: Collection, form: SubmitClusterings, status: int = 200, **more: object
) -> HttpResponse:
    names = known_names(visible_submissions(request.user, collection))
    example = example_clustering(collection)
    context = {"form": form, "about": AboutAlgorithm(), "algorithms": names, "example": example, **more}
    return _page(request, collection, "submissions/submit.html", context, status)


def _refused_page(
    request: HttpRequest,
    collection: Collection,
    form: SubmitClusterings,
    report: Report,
    filename: str,
    about: AboutAlgorithm | None = None,
) -> HttpResponse:
    refused = {"refused": report.problems, "errors": report.errors, "filename": filename}
    return _form_page(request, collection, form, 400, about=about or AboutAlgorithm(), **refused)


def _page(
    request: HttpRequest, collection: Collection, template: str, context: dict[str, object], status: int = 200
) -> HttpResponse:
    base = {
        "collection": collection,
        **face_in(request, collection),
        "trail": trail(collection, ("submit a clustering", "")),
    }
    return render(request, template, base | context, status=status)


def _totals(report: Report) -> dict[str, int]:
    names = ("pages", "clusters", "covered", "unclustered", "overlapping", "memberships")
    found = {name: sum(getattr(query, name) for query in report.queries) for name in names}
    return found | {"queries": len(report.queries) + len(report.missing)}
