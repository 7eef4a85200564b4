"""Submit a clustering: check, confirm; a submission's own page and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.person import person
from annotations.access import May, get_collection
from annotations.models import Collection
from evaluation.access import get_submission, visible_submissions
from evaluation.forms import SubmitClusterings
from evaluation.models import Submission, Upload
from evaluation.problems import told
from evaluation.runs.admission import UNFINISHED
from evaluation.selectors.choice import Choice
from evaluation.selectors.evaluations import policies_of
from evaluation.selectors.examples import example_clustering
from evaluation.selectors.submission_scores import submission_scores
from evaluation.services import submissions, uploads
from evaluation.services.checking import Report, check
from evaluation.services.provenance import Provenance
from evaluation.views.choices import address
from evaluation.views.downloads import attachment, json_line
from evaluation.views.own_submissions import about, known_names
from evaluation.views.trails import trail
from qc4.problems import InputError, Problem
from qc4.views.policies import Policies

TICKET_SALT = "checked-submission"
TICKET_SECONDS = 6 * 3600


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; a posted file is checked and reported on, and waits for the confirmation."""
    collection = get_collection(request.user, slug, May.SUBMIT)
    if request.method != "POST":
        return _form_page(request, collection, SubmitClusterings())
    form = SubmitClusterings(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, collection, form, status=400)
    file, wanted = form.cleaned_data["file"], form.cleaned_data["algorithm"].strip()
    name = uploads.clean_name(file.name)
    user = person(request)
    path = Path(file.temporary_file_path())
    report = check(collection, path, filename=name, algorithm=wanted or None, user=user)
    if report.document is None:
        return _refused_page(request, collection, form, report, name)
    upload = uploads.store(file, name, user)
    said = {field: form.cleaned_data[field] for field in ("published", "repeat")}
    policies = form.policies()
    said["policies"] = policies.to_dict()
    ticket = {"upload": upload.pk, "collection": collection.pk, "user": request.user.pk, "algorithm": wanted}
    context = {
        "report": report,
        "filename": name,
        "ticket": signing.dumps(ticket | said, salt=TICKET_SALT),
        **said,
        "policies": policies,
        "totals": _totals(report),
    }
    return _page(request, collection, "submissions/confirm.html", context)


@login_required
@require_POST
def confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Take in the file that was just checked."""
    collection = get_collection(request.user, slug, May.SUBMIT)
    user = person(request)
    ticket = _ticket(request.POST.get("ticket", ""), collection, user)
    upload = Upload.objects.filter(pk=ticket["upload"]).first() if ticket else None
    if ticket is None or upload is None:
        messages.error(request, "That report is too old or not yours. Send the file again.")
        return redirect("submit", slug)
    try:
        provenance = Provenance(user, Submission.Origin.BROWSER, published=bool(ticket["published"]))
        taken = submissions.take_in(
            upload,
            collection,
            provenance,
            ticket["algorithm"] or None,
            repeat=str(ticket["repeat"]),
            policies=Policies.parse(ticket.get("policies")),
        )
    except InputError as error:
        return _refused_page(request, collection, SubmitClusterings(), Report(error.problems), upload.name)
    if taken.is_new:
        messages.success(request, f"Submission #{taken.submission.pk} is in.")
    return redirect("run", taken.run.pk) if taken.run else redirect("submission", taken.submission.pk)


def _ticket(signed: str, collection: Collection, user: User) -> dict[str, Any] | None:
    """What was checked for this person in this collection; None for anything else."""
    try:
        ticket: dict[str, Any] = signing.loads(signed, salt=TICKET_SALT, max_age=TICKET_SECONDS)
    except signing.BadSignature:
        return None
    is_theirs = ticket["user"] == user.pk and ticket["collection"] == collection.pk
    return ticket if is_theirs else None


@require_safe
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """What was submitted, how it scored on every query, its runs."""
    found = get_submission(request.user, pk)
    problems: tuple[Problem, ...] = ()
    try:
        choice = Choice.read(request.GET)
        scores = submission_scores(found, choice.policies, choice.measures)
    except InputError as error:
        choice, problems = Choice(), error.problems
        scores = submission_scores(found)
    waiting = found.runs.filter(state__in=UNFINISHED, policies=choice.policies.to_dict())
    context = {
        **about(request, found),
        "scores": scores,
        "choice": choice,
        "address": address(choice),
        "scored_under": [(policies, address(choice, policies=policies)) for policies in policies_of(found)],
        "waiting": waiting.first(),
        "has_gold": found.collection.gold_versions.exists(),
        "problems": told(problems),
        "warnings": found.report.content["problems"],
        "trail": trail(found.collection, (f"{found.algorithm.name} #{found.pk}", "")),
    }
    return render(request, "submissions/submission.html", context, status=400 if problems else 200)


@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The clusterings as JSON Lines, which can be submitted again as they are."""
    found = get_submission(request.user, pk)
    rows = found.clusterings.select_related("file").order_by("query__position", "query__pk")
    lines = b"".join(json_line(row.file.content) for row in rows.iterator())
    return attachment(lines, f"submission-{pk}.jsonl", "application/jsonl")


def _form_page(
    request: HttpRequest, collection: Collection, form: SubmitClusterings, status: int = 200, **more: object
) -> HttpResponse:
    names = known_names(visible_submissions(request.user, collection))
    context = {"form": form, "algorithms": names, "example": example_clustering(collection), **more}
    return _page(request, collection, "submissions/submit.html", context, status)


def _refused_page(
    request: HttpRequest, collection: Collection, form: SubmitClusterings, report: Report, filename: str
) -> HttpResponse:
    refused = {"refused": report.problems, "errors": report.errors, "filename": filename}
    return _form_page(request, collection, form, 400, **refused)


def _page(
    request: HttpRequest, collection: Collection, template: str, context: dict[str, object], status: int = 200
) -> HttpResponse:
    base = {"collection": collection, "trail": trail(collection, ("submit a clustering", ""))}
    return render(request, template, base | context, status=status)


def _totals(report: Report) -> dict[str, int]:
    names = ("pages", "clusters", "covered", "overlapping", "memberships")
    found = {name: sum(getattr(query, name) for query in report.queries) for name in names}
    return found | {"queries": len(report.queries) + len(report.missing)}
