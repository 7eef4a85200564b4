"""The streams of a collection, the page of one, its files and baselines, and submissions to it."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.person import person
from annotations.access import May, capabilities, get_collection
from annotations.challenges.access import are_streams_hidden
from annotations.collections import streams as stored
from annotations.collections.streams import stream_bytes
from annotations.models import Collection, Stream
from annotations.people.views.participation import how_to_submit_page
from common.downloads import attachment
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.access import (
    get_stream,
    get_stream_submission,
    may_organise,
    own_submission,
    require_organiser,
    visible_stream_submissions,
    visible_streams,
)
from evaluation.algorithms.forms import DescribeAlgorithm
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.breadcrumbs import Trail, trail
from evaluation.challenges.views import challenge_context
from evaluation.charts.marks import marks
from evaluation.deletion.services import delete_stream
from evaluation.form_messages import add_form_errors
from evaluation.limits import STREAM_ROWS
from evaluation.models import StreamSubmission
from evaluation.problems import problems_to_json
from evaluation.runs.scheduling import UNFINISHED
from evaluation.runs.selectors import measure_stream
from evaluation.scoring.cases import stream_file
from evaluation.stream_settings import StreamSettings
from evaluation.streams import services as streams
from evaluation.streams.forms import RunStreamBaselines, StreamSettingsForm, SubmitStream, UploadStream, as_initial
from evaluation.streams.measures import CMM_MEASURES, FLAT_MEASURES, MEASURES
from evaluation.streams.page import Choices, read_choices, stream_view
from evaluation.streams.selectors import (
    SHORT_HASH,
    STREAMS_PER_PAGE,
    StreamSeries,
    stream_series,
    usual_settings,
    with_medians,
    with_submissions,
)
from evaluation.submissions.services import Provenance
from evaluation.submissions.views import about, known_names
from evaluation.uploads import services as uploads
from qc4.model.noise import describe_noise
from qc4.problems import InputError, Problem
from qc4.tables import Table
from qc4.version import ENGINE_VERSION


@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """List the streams of a collection; add an uploaded file as a new stream."""
    if request.method == "POST":
        return _upload(request, slug)
    return _index_page(request, get_collection(request.user, slug), UploadStream())


@login_required
def _upload(request: HttpRequest, slug: str) -> HttpResponse:
    collection = get_collection(request.user, slug, May.CURATE)
    form = UploadStream(request.POST, request.FILES)
    if not form.is_valid():
        return _index_page(request, collection, form, status=400)
    file = form.cleaned_data["file"]
    name = uploads.clean_name(file.name)
    try:
        document = stored.read_stream_file(
            Path(file.temporary_file_path()), name, form.cleaned_data["key"], noise=form.cleaned_data["noise"]
        )
        row = stored.add_stream(collection, document, person(request))
    except InputError as error:
        return _index_page(request, collection, form, status=400, problems=error.problems, filename=name)
    read = f" Read as noise: {describe_noise(document.noise, 'point')}." if document.noise else ""
    messages.success(request, f"The stream is stored.{read} Run the baselines, or submit clusterings of it.")
    return redirect("stream", slug, row.key)


@require_safe
def stream(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show a stream's submissions and their measures over time.

    If a choice does not exist, a message is shown above the default page.
    """
    found = get_stream(request.user, slug, key)
    problems: tuple[Problem, ...] = ()
    try:
        view = stream_view(found, request.user, read_choices(request.GET))
    except InputError as error:
        problems, view = error.problems, stream_view(found, request.user, Choices())
    runs = found.runs.filter(kind="stream-baselines").order_by("-pk")
    rows = Paginator(view.rows, STREAM_ROWS).get_page(request.GET.get("rows"))
    context = {
        "collection": found.collection,
        **challenge_context(request, found.collection),
        "stream": found,
        "runs_baselines": may_organise(request.user, found.collection),
        "may": {right.value for right in capabilities(request.user, found.collection)},
        "view": view,
        "rows": rows,
        "carried": _carried(request.GET),
        # Rows drawn but on other pages of the table: the form sends them as hidden fields.
        "drawn_elsewhere": [row for row in view.rows if row.is_drawn and row not in rows],
        "marks": marks(found.collection),
        "cmm_measures": CMM_MEASURES,
        "flat_measures": FLAT_MEASURES,
        "measures": MEASURES.values(),
        "measure": MEASURES[view.choices.measure],
        "problems": problems_to_json(problems),
        "busy": found.runs.filter(state__in=UNFINISHED).count(),
        "baseline_runs": runs[:3],
        "baselines": STREAM_BASELINES.values(),
        "baselines_form": RunStreamBaselines(prefix="baselines", initial=as_initial(view.settings)),
        "command": measure_stream(slug, "CLUSTERING.json", view.settings),
        "trail": _trail(found.collection, found.text or found.key),
    }
    return render(request, "streams/stream.html", context, status=400 if problems else 200)


def _carried(given: QueryDict) -> str:
    """The choices that links to other pages of the table carry."""
    chosen = given.copy()
    chosen.pop("rows", None)
    return f"&{chosen.urlencode()}" if chosen else ""


def _read(request: HttpRequest, slug: str, key: str) -> StreamSeries:
    return stream_series(get_stream(request.user, slug, key), request.user, request.GET.get("settings", ""))


def _table(found: StreamSeries) -> Table:
    """A row per submission and time step, with the chosen settings."""
    head = ["submission", "algorithm", "engine", *found.settings, "time", "points", *MEASURES, "undefined"]
    rows = (
        [
            one.submission.pk,
            one.submission.algorithm.name,
            one.result.engine,
            *found.settings.values(),
            moment.time,
            moment.points,
            *(moment.values.get(name) for name in MEASURES),
            moment.undefined_words,
        ]
        for one in found.series
        for moment in one.moments
    )
    return Table(chain([head], rows))


FILES = PageFiles(
    name="stream",
    route="c/<slug:slug>/streams/<key:key>/series",
    file_name="{slug}-stream",
    read=_read,
    tables={"series": _table},
    cost=Cost.COMPUTES,
)


@require_safe
def download(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Download the stream as canonical ``qc4-stream/1``, which can be uploaded again unchanged."""
    found = get_stream(request.user, slug, key)
    return attachment(stream_bytes(found), f"{slug}-stream.json", "application/json")


@login_required
@require_POST
def run_baselines(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Queue the baselines and redirect to their run."""
    found = get_stream(request.user, slug, key, May.COMPUTE)
    require_organiser(request.user, found.collection)
    form = RunStreamBaselines(request.POST, prefix="baselines")
    if not form.is_valid():
        add_form_errors(request, form)
        return redirect("stream", slug, key)
    run = streams.enqueue_baselines(
        stream=found,
        keys=form.chosen(),
        settings=form.cleaned_data["settings"],
        seed=form.cleaned_data["seed"],
        user=person(request),
    )
    return redirect("run", run.pk)


@login_required
@require_POST
def delete(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Permanently delete the stream with its submissions, runs and results; its page has shown the consequences."""
    delete_stream(get_stream(request.user, slug, key, May.MANAGE))
    messages.success(request, "The stream was deleted.")
    return redirect("streams", slug)


def _index_page(
    request: HttpRequest, collection: Collection, form: UploadStream, status: int = 200, **more: object
) -> HttpResponse:
    streams = visible_streams(request.user, collection).order_by("position", "pk")
    page = Paginator(streams, STREAMS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "collection": collection,
        "are_hidden": are_streams_hidden(request.user, collection),
        "may": {right.value for right in capabilities(request.user, collection)},
        "page": page,
        "lines": with_submissions(list(page), request.user),
        "form": form,
        "trail": trail(collection, ("streams", "")),
        **more,
    }
    return render(request, "streams/index.html", context, status=status)


def _trail(collection: Collection, words: str) -> Trail:
    return trail(collection, ("streams", reverse("streams", args=[collection.slug])), (words, ""))


# --- Submissions to a stream: submit, show, measure with other settings ---


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show the form; check and store an uploaded file, and redirect to the run that measures it."""
    stream = get_stream(request.user, slug, key)
    if May.SUBMIT not in capabilities(request.user, stream.collection):
        return how_to_submit_page(request, stream.collection, status=403, back=request.path)
    if request.method != "POST":
        settings = usual_settings(stream, request.user)
        return _form_page(request, stream, SubmitStream(initial=as_initial(settings)))
    form, about = SubmitStream(request.POST, request.FILES), DescribeAlgorithm(request.POST)
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
    messages.success(request, f"Stream submission #{submission.pk} was received.")
    return redirect("run", run.pk)


@require_safe
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a submission, its medians with every set of settings, and its runs."""
    return _page(request, get_stream_submission(request.user, pk), StreamSettingsForm())


@require_safe
def download_submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the clusterings as canonical ``qc4-stream-clustering/1``, which can be submitted again unchanged."""
    found = get_stream_submission(request.user, pk)
    return attachment(stream_file(found), f"stream-submission-{pk}.json", "application/json")


@login_required
@require_POST
def measure(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue measuring with these settings and redirect to the run."""
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
        "trail": _submission_trail(found.stream, f"{found.algorithm.name} #{found.pk}"),
    }
    return render(request, "streams/submission.html", context, status=status)


def _form_page(
    request: HttpRequest, stream: Stream, form: SubmitStream, status: int = 200, **more: object
) -> HttpResponse:
    context = {
        "collection": stream.collection,
        **challenge_context(request, stream.collection),
        "stream": stream,
        "form": form,
        "about": DescribeAlgorithm(),
        "algorithms": known_names(visible_stream_submissions(request.user, stream)),
        "trail": _submission_trail(stream, "submit clusterings"),
        **more,
    }
    return render(request, "streams/submit.html", context, status=status)


def _submission_trail(stream: Stream, here: str) -> Trail:
    slug = stream.collection.slug
    there = (stream.text or stream.key, reverse("stream", args=[slug, stream.key]))
    return trail(stream.collection, ("streams", reverse("streams", args=[slug])), there, (here, ""))
