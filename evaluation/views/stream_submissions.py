"""Clusterings of a stream: submit them, look at them, measure them with other settings."""

from __future__ import annotations

from pathlib import Path

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.person import person
from annotations.access import May, capabilities
from annotations.models import Stream
from annotations.people.views.participation import way_in
from common.downloads import attachment
from evaluation.access import get_stream, get_stream_submission, own_submission, visible_stream_submissions
from evaluation.algorithm_forms import AboutAlgorithm
from evaluation.cases import stream_file
from evaluation.models import StreamSubmission
from evaluation.selectors.run_commands import measure_stream
from evaluation.selectors.stream_measures import CMM_MEASURES, FLAT_MEASURES
from evaluation.selectors.stream_results import with_medians
from evaluation.selectors.streams import SHORT_HASH, usual_settings
from evaluation.services import streams, uploads
from evaluation.services.provenance import Provenance
from evaluation.stream_forms import StreamSettingsForm, SubmitStream, as_initial
from evaluation.stream_settings import StreamSettings
from evaluation.views.challenges import face_in
from evaluation.views.own_submissions import about, known_names
from evaluation.views.trails import Trail, trail
from qc4.problems import InputError
from qc4.version import ENGINE_VERSION


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The form; a posted file is checked, kept, and measured by the run one is sent to."""
    stream = get_stream(request.user, slug, key)
    if May.SUBMIT not in capabilities(request.user, stream.collection):
        return way_in(request, stream.collection, status=403, back=request.path)
    if request.method != "POST":
        settings = usual_settings(stream, request.user)
        return _form_page(request, stream, SubmitStream(initial=as_initial(settings)))
    form, about = SubmitStream(request.POST, request.FILES), AboutAlgorithm(request.POST)
    if not form.is_valid() or not about.is_valid():
        return _form_page(request, stream, form, status=400, about=about)
    given, user = form.cleaned_data, person(request)
    name = uploads.clean_name(given["file"].name)
    path = Path(given["file"].temporary_file_path())
    try:
        document, clustering = streams.check(stream, path, name, given["algorithm"], user)
        origin = StreamSubmission.Origin.BROWSER
        provenance = Provenance(user, origin, published=given["published"], about=about.said)
        submission, run = streams.submit(
            stream, document, clustering, provenance, settings=given["settings"], filename=name
        )
    except InputError as error:
        return _form_page(request, stream, form, status=400, about=about, refused=error.problems, filename=name)
    messages.success(request, f"Stream submission #{submission.pk} is in.")
    return redirect("run", run.pk)


@require_safe
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """What was submitted, its medians with every choice of settings, its runs."""
    return _page(request, get_stream_submission(request.user, pk), StreamSettingsForm())


@require_safe
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The clusterings as canonical ``qc4-stream-clustering/1``, which can be submitted again as they are."""
    found = get_stream_submission(request.user, pk)
    return attachment(stream_file(found), f"stream-submission-{pk}.json", "application/json")


@login_required
@require_POST
def measure(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue measuring it with these settings and go to the run."""
    found = own_submission(request.user, get_stream_submission(request.user, pk))
    form = StreamSettingsForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, status=400)
    return redirect("run", streams.measure(found, form.cleaned_data["settings"], person(request)).pk)


def _page(request: HttpRequest, found: StreamSubmission, form: StreamSettingsForm, status: int = 200) -> HttpResponse:
    results = list(with_medians(found.results.all()).order_by("-pk"))
    shown = [(row, StreamSettings.parse(row.settings).words, row.settings_sha256[:SHORT_HASH]) for row in results]
    settings = StreamSettings.parse(results[0].settings) if results else StreamSettings()
    context = {
        **about(request, found),
        "stream": found.stream,
        "results": shown,
        "cmm_measures": CMM_MEASURES,
        "flat_measures": FLAT_MEASURES,
        "engine": ENGINE_VERSION,
        "form": form,
        "command": measure_stream(found.collection.slug, f"stream-submission-{found.pk}.json", settings),
        "trail": _trail(found.stream, f"{found.algorithm.name} #{found.pk}"),
    }
    return render(request, "streams/submission.html", context, status=status)


def _form_page(
    request: HttpRequest, stream: Stream, form: SubmitStream, status: int = 200, **more: object
) -> HttpResponse:
    context = {
        "collection": stream.collection,
        **face_in(request, stream.collection),
        "stream": stream,
        "form": form,
        "about": AboutAlgorithm(),
        "algorithms": known_names(visible_stream_submissions(request.user, stream)),
        "trail": _trail(stream, "submit clusterings"),
        **more,
    }
    return render(request, "streams/submit.html", context, status=status)


def _trail(stream: Stream, here: str) -> Trail:
    slug = stream.collection.slug
    there = (stream.text or stream.key, reverse("stream", args=[slug, stream.key]))
    return trail(stream.collection, ("streams", reverse("streams", args=[slug])), there, (here, ""))
