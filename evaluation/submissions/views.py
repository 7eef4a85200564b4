"""Submit clusterings, show a submission, publish or delete it; a person's own submissions; example files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.person import Person, person
from annotations.access import May, capabilities, get_collection
from annotations.limits import SEARCH_CHARS, SLUG_CHARS
from annotations.models import Collection
from annotations.people.views.participation import how_to_submit_page
from common.downloads import attachment, json_line
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.access import (
    get_submission,
    may_change_algorithm,
    may_change_submission,
    own_submission,
    visible_clusterings,
    visible_runs,
    visible_submissions,
)
from evaluation.algorithms.forms import DescribeAlgorithm
from evaluation.breadcrumbs import trail
from evaluation.challenges.final_results import participation_sentence
from evaluation.challenges.views import challenge_context
from evaluation.charts.marks import marks
from evaluation.deletion.selectors import plan_deletion
from evaluation.deletion.services import delete_chosen, delete_one
from evaluation.limits import DELETED_AT_ONCE, SUBMISSION_QUERIES
from evaluation.models import StreamSubmission, Submission, Upload
from evaluation.problems import problems_to_json
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring.options import BoardOptions, url_query
from evaluation.scoring.selectors import policies_of
from evaluation.submissions import services as submissions
from evaluation.submissions.all_scores import TABLES, WholeScores, last_run, whole_scores
from evaluation.submissions.examples import example_clustering, example_submission, page_rows
from evaluation.submissions.forms import ReadLabels, SubmitClusterings
from evaluation.submissions.reports import Report
from evaluation.submissions.selectors import (
    SubmissionFilter,
    all_deletable,
    chosen_submissions,
    counting_evaluations,
    own_submissions_page,
    rival_of,
    submission_name,
    submission_scores,
    visible_report,
)
from evaluation.submissions.services import Provenance, check
from evaluation.uploads import services as uploads
from evaluation.uploads import tickets
from qc4.model.noise import noise_text
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.tables import Table
from qc4.wording import counted

CHECKED = "checked-submission"
"""The purpose of tickets for checked files."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form; check an uploaded file, report on it and ask for confirmation."""
    collection = get_collection(request.user, slug)
    if May.SUBMIT not in capabilities(request.user, collection):
        return how_to_submit_page(request, collection, status=403)
    if request.method != "POST":
        return _form_page(request, collection, SubmitClusterings())
    form, about = SubmitClusterings(request.POST, request.FILES), DescribeAlgorithm(request.POST)
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
    """Check the same file again with its labels read in a different way."""
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
    """Submit the file that was just checked."""
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
        messages.success(request, f"Submission #{taken.submission.pk} was received.")
    return redirect("run", taken.run.pk) if taken.run else redirect("submission", taken.submission.pk)


@require_safe
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a submission, its scores on every query and its runs."""
    found = get_submission(request.user, pk)
    page = request.GET.get("scores")
    problems: tuple[Problem, ...] = ()
    try:
        choice = BoardOptions.read(request.GET)
        scores = submission_scores(found, request.user, choice.policies, choice.measures, page)
    except InputError as error:
        choice, problems = BoardOptions(), error.problems
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
        "part_in_results": participation_sentence(found, request.user),
        "is_pinned": found.algorithm.pinned_id == found.pk,
        "is_counting": scores is not None and scores.run.pk in counting,
        "may_count": may_change_algorithm(request.user, found.algorithm),
        "families": whole.families if whole else (),
        "choice": choice,
        "address": url_query(choice),
        "carried": url_query(choice).replace("?", "&", 1).rstrip("&"),
        "scored_under": [(policies, url_query(choice, policies=policies)) for policies in policies_of(found)],
        "waiting": waiting.first(),
        "has_gold": found.collection.gold_versions.exists(),
        "problems": problems_to_json(problems),
        "report": report,
        "reported": Paginator(report["queries"], SUBMISSION_QUERIES).get_page(request.GET.get("report")),
        "warnings": report["problems"],
        "trail": trail(found.collection, (f"{found.algorithm.name} #{found.pk}", "")),
    }
    return render(request, "submissions/submission.html", context, status=400 if problems else 200)


@require_safe
def compared(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the comparison with the best other algorithm on the leaderboard."""
    found = get_submission(request.user, pk)
    rival = rival_of(found, request.user)
    if rival is None:
        messages.info(request, "There is no other algorithm to compare it with yet.")
        return redirect("submission", pk)
    pair = (found.algorithm_id, rival.algorithm) if rival.is_second else (rival.algorithm, found.algorithm_id)
    return redirect(f"{reverse('compare', args=[found.collection.slug])}?algorithms={pair[0]},{pair[1]}")


def _read_scores(request: HttpRequest, pk: int) -> WholeScores:
    found = get_submission(request.user, pk)
    return whole_scores(last_run(found, BoardOptions.read(request.GET).policies), request.user)


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
    cost=Cost.COMPUTES,
)


@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the clusterings as JSON Lines, which can be submitted again unchanged."""
    found = get_submission(request.user, pk)
    rows = visible_clusterings(request.user, found).select_related("file").order_by("query__position", "query__pk")
    lines = b"".join(json_line(row.file.content) for row in rows.iterator())
    return attachment(lines, f"submission-{pk}.jsonl", "application/jsonl")


def _checked(request: HttpRequest, collection: Collection) -> tickets.Ticket | None:
    """The checked file and its options; None, with a message, if the form has expired."""
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
    """Show how a file was understood, a button that submits it, and a form to read its labels differently."""
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
    context = {"form": form, "about": DescribeAlgorithm(), "algorithms": names, "example": example, **more}
    return _page(request, collection, "submissions/submit.html", context, status)


def _refused_page(
    request: HttpRequest,
    collection: Collection,
    form: SubmitClusterings,
    report: Report,
    filename: str,
    about: DescribeAlgorithm | None = None,
) -> HttpResponse:
    refused = {"refused": report.problems, "errors": report.errors, "filename": filename}
    return _form_page(request, collection, form, 400, about=about or DescribeAlgorithm(), **refused)


def _page(
    request: HttpRequest, collection: Collection, template: str, context: dict[str, object], status: int = 200
) -> HttpResponse:
    base = {
        "collection": collection,
        **challenge_context(request, collection),
        "trail": trail(collection, ("submit a clustering", "")),
    }
    return render(request, template, base | context, status=status)


def _totals(report: Report) -> dict[str, int]:
    names = ("pages", "clusters", "covered", "unclustered", "overlapping", "memberships")
    found = {name: sum(getattr(query, name) for query in report.queries) for name in names}
    return found | {"queries": len(report.queries) + len(report.missing)}


# --- A person's own submissions in one list, and deleting several at once after a confirmation ---


@login_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the user's own submissions, the latest first; owners see all submissions of the chosen collection."""
    wanted = _wanted(request.GET)
    found = own_submissions_page(person(request), wanted, request.GET)
    lines = [(one, submission_name(one)) for one in found.rows]
    context = {
        "lines": lines,
        "page": found.page,
        "number": found.page.paginator.count,
        "collections": found.collections,
        "wanted": wanted,
        "carried": f"&{_address(wanted)}" if _address(wanted) else "",
        "marks": marks(*{one.collection for one in found.rows}),
        "most": DELETED_AT_ONCE,
    }
    return render(request, "submissions/own_submissions.html", context)


@login_required
@require_POST
def delete_several(request: HttpRequest) -> HttpResponse:
    """Show what deleting the chosen submissions affects; with ``sure``, delete them."""
    user, wanted = person(request), _wanted(request.POST)
    back = _back(request, wanted)
    some = (
        all_deletable(user, wanted)
        if "all" in request.POST
        else chosen_submissions(user, request.POST.getlist("one"), wanted)
    )
    if not some:
        messages.error(request, "No existing submission is selected. Select the submissions to delete.")
        return redirect(back)
    if "sure" in request.POST:
        gone = delete_chosen(some)
        messages.success(request, f"{counted(len(gone.all), 'submission')} deleted.")
        for one, why in gone.held[:10]:
            messages.warning(request, f"{one} was not deleted: {why}.")
        if len(gone.held) > 10:
            messages.warning(
                request, f"{counted(len(gone.held) - 10, 'other submission')} could not be deleted either."
            )
        return redirect(back)
    names = [submission_name(one) for one in some]
    context = {"going": plan_deletion(some), "names": names, "wanted": wanted, "back": back}
    context["from"] = request.POST.get("from", "")
    return render(request, "submissions/delete_many.html", context)


def _wanted(given: QueryDict) -> SubmissionFilter:
    return SubmissionFilter(given.get("q", "").strip()[:SEARCH_CHARS], given.get("collection", "")[:SLUG_CHARS])


def _address(wanted: SubmissionFilter) -> str:
    given = {"q": wanted.text, "collection": wanted.collection}
    return urlencode({name: value for name, value in given.items() if value})


def _back(request: HttpRequest, wanted: SubmissionFilter) -> str:
    """The URL of the list that the submissions were chosen in."""
    if request.POST.get("from") == "collection" and wanted.collection:
        return reverse("collection", args=[wanted.collection]) + "#submissions"
    return f"{reverse('my-submissions')}?{_address(wanted)}"


# --- Files to start from: the pages to cluster, and an example submission ---


@require_safe
def pages_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The pages of every query."""
    rows = "".join(page_rows(get_collection(request.user, slug)))
    return attachment(rows.encode(), f"{slug}-pages.csv", "text/csv; charset=utf-8")


@login_required
@require_safe
def example_file(request: HttpRequest, slug: str) -> HttpResponse:
    """An example file that covers every query.

    Its algorithm is named after the user because a name belongs to the first person who submits under it.
    """
    lines = example_submission(get_collection(request.user, slug), f"Example of {person(request).get_username()}")
    return attachment(b"".join(lines), f"{slug}-example.jsonl", "application/jsonl")


# --- Publish, unpublish and delete submissions of either kind ---

Get = Callable[[Person, int], Submission | StreamSubmission]
"""An access function that returns a submission of one kind."""


@login_required
@require_POST
def publish(request: HttpRequest, pk: int, get: Get) -> HttpResponse:
    """Show the submission to everyone who can see the collection."""
    found = own_submission(request.user, get(request.user, pk))
    submissions.publish(found)
    messages.success(request, "Everyone who can see the collection can now see this submission.")
    return redirect(found.address, pk)


@login_required
@require_POST
def unpublish(request: HttpRequest, pk: int, get: Get) -> HttpResponse:
    """Show the submission only to its owner and the owners of the collection."""
    found = own_submission(request.user, get(request.user, pk))
    submissions.publish(found, published=False)
    messages.success(request, "Only you and the collection's owners can see this submission now.")
    return redirect(found.address, pk)


@login_required
@require_POST
def delete(request: HttpRequest, pk: int, get: Get) -> HttpResponse:
    """Permanently delete the submission with its runs and scores or results; its page has shown the consequences."""
    found = own_submission(request.user, get(request.user, pk))
    name, slug = str(found), found.collection.slug
    try:
        delete_one(found)
    except InputError as error:
        messages.error(request, f"{name} was not deleted: {error.problems[0].found}.")
        return redirect(found.address, pk)
    messages.success(request, f"{name} was deleted.")
    if isinstance(found, StreamSubmission):
        return redirect("stream", slug, found.stream.key)
    return redirect("collection", slug)


def about(request: HttpRequest, found: Submission | StreamSubmission) -> dict[str, object]:
    """Context that the pages of both kinds of submissions share."""
    return {
        "submission": found,
        "collection": found.collection,
        "marks": marks(found.collection),
        "may_change": may_change_submission(request.user, found),
        "runs": visible_runs(request.user).filter(pk__in=found.runs.values("pk")).select_related("gold_version"),
    }


def known_names(visible: QuerySet[Submission] | QuerySet[StreamSubmission]) -> list[str]:
    """Algorithm names that forms suggest: those used in earlier submissions, except baselines."""
    known = visible.filter(algorithm__baseline="").order_by("algorithm__name")
    return list(known.values_list("algorithm__name", flat=True).distinct())
