"""Streams in the browser: from the upload of a stream to its page with charts, tables and files."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.urls import reverse

from accounts.models import User
from annotations.collections import streams as stored
from annotations.collections.removal import allow_removal
from annotations.models import Collection, Stream
from evaluation.charts.marks import Mark
from evaluation.charts.series import Chart
from evaluation.models import Run, StreamSubmission
from evaluation.stream_settings import StreamSettings
from evaluation.streams import services as stream_baselines
from evaluation.streams import services as streams
from evaluation.streams.page import beside_cmm, of_measure, of_parts
from evaluation.submissions.services import Provenance
from evaluation.templatetags.charts import chart as drawing
from qc4.streams.series import TimeStep
from qc4.streams.stream import Decay, LastPoints
from tests.fixtures.pages import Visit
from tests.samples import streams as samples

Finish = Callable[..., None]
SETTINGS = {"horizon": "last", "last": "7", "k": "2", "tau": "0.5"}


@pytest.fixture
def stream(collection: Collection, owner: User) -> Stream:
    return stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv"), owner)


@pytest.fixture
def push(stream: Stream, finish: Finish) -> Callable[..., StreamSubmission]:
    """Return ``push(user, snapshots, algorithm)``, which submits and measures."""

    def call(
        user: User, snapshots: list[dict[str, Any]], algorithm: str = "DenStream", *, published: bool = True
    ) -> StreamSubmission:
        document, found = streams.check(stream, samples.clusterings(snapshots, algorithm), "f.json", "", user)
        submission, run = streams.submit(stream, document, found, Provenance(user, "command", published=published))
        finish(run)
        return submission

    return call


def page_of(stream: Stream) -> str:
    return reverse("stream", args=[stream.collection.slug, stream.key])


def text(response: HttpResponse) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_stream_from_file_to_chart(collection: Collection, owner: User, visit: Visit, finish: Finish) -> None:
    client, slug = visit(owner), collection.slug
    assert "No streams yet" in text(client.get(reverse("streams", args=[slug])))
    sent = client.post(
        reverse("streams", args=[slug]), {"file": SimpleUploadedFile("sensors.csv", samples.STREAM), "key": ""}
    )
    assert sent["Location"] == reverse("stream", args=[slug, "sensors"])
    assert "No clusterings yet" in text(client.get(sent["Location"]))
    file = SimpleUploadedFile("den.json", samples.clusterings(samples.OVER_TIME, stream="sensors"))
    sent = client.post(
        reverse("stream-submit", args=[slug, "sensors"]), {"file": file, "algorithm": "", "published": "on", **SETTINGS}
    )
    run = Run.objects.get(kind="stream")
    assert sent["Location"] == reverse("run", args=[run.pk])
    finish(run)
    followed = client.get(sent["Location"])
    link = re.search(r'href="([^"]+)">See the scores\s+over time', followed.content.decode())
    assert link is not None
    assert client.get(html.unescape(link[1])).status_code == 200
    assert "--last 7 --k 2 --tau 0.5" in text(followed)
    shown = client.get(reverse("stream", args=[slug, "sensors"]))
    assert 'aria-label="CMM over time"' in shown.content.decode()
    words = text(shown)
    assert "DenStream" in words
    assert "the last 7 points, k = 2, τ = 0.5" in words
    assert "no point has arrived yet" in words
    assert "2 of 3" in words
    assert "python -m qc4 stream" in words
    assert "sensors" in text(client.get(reverse("collection", args=[slug])))


def test_submissions_are_paginated_and_the_form_keeps_ticks_of_other_pages(
    stream: Stream, owner: User, visit: Visit, push: Callable[..., StreamSubmission], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.streams.views.STREAM_ROWS", 2)
    made = [push(owner, samples.OVER_TIME, f"Algorithm {number}").pk for number in range(3)]
    client, chosen = visit(owner), f"?measure=purity&show={made[0]}&show={made[2]}"
    first = client.get(page_of(stream) + chosen).content.decode()
    (link,) = re.findall(r'href="([^"#]*)[^"]*"\s+rel="next"', first)
    second = client.get(page_of(stream) + html.unescape(link)).content.decode()

    def ticked(page: str) -> list[set[int]]:
        """Ids of submissions drawn: those on this page of the table, and those on others."""
        boxes = re.findall(r'name="show" value="(\d+)"[^>]*checked', page)
        hidden = re.findall(r'<input type="hidden" name="show" value="(\d+)"', page)
        return [set(map(int, boxes)), set(map(int, hidden))]

    for page in (first, second):
        shown, elsewhere = ticked(page)
        assert shown | elsewhere == {made[0], made[2]}
        assert not shown & elsewhere
        assert 'value="purity" selected' in page
    assert ticked(first) == ticked(second)[::-1]
    rows = [set(re.findall(r">#(\d+)</a>", page)) for page in (first, second)]
    assert [len(some) for some in rows] == [2, 1]
    assert rows[0] | rows[1] == {str(pk) for pk in made}


def test_lowest_cmm_is_shown_beside_the_median(
    stream: Stream, owner: User, visit: Visit, push: Callable[..., StreamSubmission]
) -> None:
    result = push(owner, samples.OVER_TIME).results.get()
    found = [moment.values["cmm"] for moment in result.moments.all() if "cmm" in moment.values]
    assert len(set(found)) > 1, "a sample that tells the lowest from the median"
    content = visit(owner).get(page_of(stream)).content.decode()
    table = content[content.index('aria-labelledby="submissions-title" tabindex') :].partition("</table>")[0]
    heads = [re.sub(r"<[^>]+>", "", head).strip() for head in re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", table)]
    cells = re.findall(r"<t[dh] ?[^>]*>(.*?)</t[dh]>", table.partition("<tbody>")[2], re.DOTALL)
    assert len(heads) == len(cells)
    row = dict(zip(heads, (re.sub(r"<[^>]+>", "", cell).strip() for cell in cells), strict=True))
    assert row["lowest ↑"] == f"{min(found):.3f}".removeprefix("0")
    assert row["CMM ↑"] == f"{result.medians['cmm']:.3f}".removeprefix("0")
    assert {"1 − missed ↑", "1 − misplaced ↑", "1 − noise ↑"} < set(heads)
    assert "Cluster Mapping Measure (CMM)" in content


def test_invalid_stream_is_rejected_with_every_row(collection: Collection, owner: User, visit: Visit) -> None:
    bad = SimpleUploadedFile("bad.csv", b"time,class,x1\n5,a,1\n3,a,2\n6,b,nan\n")
    answer = visit(owner).post(reverse("streams", args=[collection.slug]), {"file": bad})
    assert answer.status_code == 400
    assert "Not taken: 2 errors" in text(answer)
    assert "line 3" in text(answer)
    assert "line 4" in text(answer)
    assert not collection.streams.exists()


def test_form_sets_the_noise_classes(collection: Collection, owner: User, visit: Visit) -> None:
    client, address = visit(owner), reverse("streams", args=[collection.slug])
    wrong = client.post(address, {"file": SimpleUploadedFile("m.csv", samples.STREAM), "noise": "["})
    assert wrong.status_code == 400
    assert "Classes that mean noise" in text(wrong)
    assert not collection.streams.exists()
    sent = client.post(address, {"file": SimpleUploadedFile("m.csv", samples.STREAM), "noise": "[]"}, follow=True)
    assert "Read as noise" not in text(sent)
    row = collection.streams.get()
    assert (row.n_classes, row.n_noise) == (3, 0)
    # The command shown on the page reads the downloaded stream in the same way.
    assert "--noise '[]'" in html.unescape(sent.content.decode())


def test_invalid_clusterings_and_settings_are_reported_at_their_fields(
    stream: Stream, owner: User, visit: Visit
) -> None:
    client, address = visit(owner), reverse("stream-submit", args=[stream.collection.slug, stream.key])
    late = samples.clusterings([{"time": 3, "clusters": [{"id": "a", "points": [5]}]}])
    answer = client.post(address, {"file": SimpleUploadedFile("late.json", late), **SETTINGS})
    assert answer.status_code == 400
    assert "point 5" in text(answer)
    good = samples.clusterings(samples.GOLD)
    half = {**SETTINGS, "horizon": "decay", "decay": "1"}
    answer = client.post(address, {"file": SimpleUploadedFile("good.json", good), **half})
    assert answer.status_code == 400
    assert "Enter a value: the points that you chose require it." in text(answer)
    zero = {**half, "threshold": "0"}
    answer = client.post(address, {"file": SimpleUploadedFile("good.json", good), **zero})
    assert "a weight above 0 and at most 1" in text(answer)
    assert not StreamSubmission.objects.exists()


def test_private_submissions_are_visible_to_their_owner_only(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, submitter: User, reader: User, visit: Visit
) -> None:
    push(owner, samples.GOLD, "Open")
    hidden = push(submitter, samples.MISSING_B, "Hidden", published=False)
    assert "Hidden" in text(visit(submitter).get(page_of(stream)))
    assert "Hidden" not in text(visit(reader).get(page_of(stream)))
    slug, key = stream.collection.slug, stream.key
    for name in ("stream-csv", "stream-json"):
        address = reverse(name, args=[slug, key])
        assert "Hidden" not in visit(reader).get(address).content.decode()
        assert "Hidden" in visit(submitter).get(address).content.decode()
    answer = visit(reader).get(page_of(stream) + f"?one={hidden.pk}")
    assert answer.status_code == 400
    assert "Hidden" not in text(answer)
    assert "Hidden" not in text(visit(reader).get(reverse("collection", args=[slug])))
    run = reverse("run", args=[hidden.runs.get().pk])
    assert visit(reader).get(run).status_code == 404
    assert visit(submitter).get(run).status_code == 200
    assert "stream of Hidden" in text(visit(submitter).get(reverse("runs")))


def test_files_contain_every_time_step_in_full_precision(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit
) -> None:
    submission = push(owner, samples.OVER_TIME, "=Formula")
    slug, key = stream.collection.slug, stream.key
    rows = list(csv.DictReader(io.StringIO(visit(owner).get(reverse("stream-csv", args=[slug, key])).content.decode())))
    assert [row["time"] for row in rows] == ["-1.0", "3.0", "6.0"]
    assert {row["algorithm"] for row in rows} == {"'=Formula"}
    assert rows[0]["cmm"] == ""
    assert rows[0]["undefined"]
    moments = list(submission.results.get().moments.order_by("number"))
    assert [float(row["cmm"]) for row in rows[1:]] == [moment.values["cmm"] for moment in moments[1:]]
    found = json.loads(visit(owner).get(reverse("stream-json", args=[slug, key])).content)
    assert found["settings"] == {"last": 1000, "k": 2, "tau": 0.5}
    assert [moment["values"] for moment in found["series"][0]["moments"]] == [moment.values for moment in moments]


def test_only_submissions_with_equal_settings_are_compared(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit, finish: Finish
) -> None:
    push(owner, samples.GOLD, "One")
    two = push(owner, samples.MISSING_B, "Two")
    other = StreamSettings(LastPoints(3))
    sent = visit(owner).post(reverse("stream-submission-measure", args=[two.pk]), {**SETTINGS, "last": "3"})
    finish(Run.objects.get(pk=int(sent["Location"].split("/")[-2])))
    assert "medians over time; the last 1,000 points" in text(visit(owner).get(page_of(stream)))
    answer = visit(owner).get(page_of(stream) + f"?settings={other.sha256[:12]}&measure=purity")
    words = text(answer)
    assert "medians over time; the last 3 points" in words
    assert "not measured with these settings" in words
    assert "the last 3 points, k = 2" in text(visit(owner).get(reverse("stream-submission", args=[two.pk])))


def test_forms_start_with_the_most_used_settings(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit, finish: Finish
) -> None:
    address = reverse("stream-submit", args=[stream.collection.slug, stream.key])
    assert 'name="last" value="1000"' in visit(owner).get(address).content.decode()
    submission = push(owner, samples.GOLD)
    with allow_removal("a test"):
        submission.results.all().delete()
    finish(streams.measure(submission, StreamSettings(Decay(0.5, 0.25), tau=0.4), owner))
    for body in (visit(owner).get(at).content.decode() for at in (address, page_of(stream))):
        assert re.search(r'name="(baselines-)?decay" value="0.5"', body)
        assert re.search(r'name="(baselines-)?tau" value="0.4"', body)
        assert re.search(r'<option value="decay" selected', body)


@pytest.mark.parametrize(
    "query",
    [
        "measure=nonsense",
        "show=x",
        "one=99999999",
        "show=99999999",
        "settings=zzz",
        "&".join(f"show={n}" for n in range(20)),
    ],
)
def test_url_with_unknown_choices_shows_a_message(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit, query: str
) -> None:
    push(owner, samples.GOLD)
    answer = visit(owner).get(f"{page_of(stream)}?{query}")
    assert answer.status_code == 400
    assert "asks for something that does not exist" in text(answer)
    assert "DenStream" in text(answer)


def test_the_chosen_submissions_are_drawn(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit
) -> None:
    one, two = push(owner, samples.GOLD, "One"), push(owner, samples.MISSING_B, "Two")
    both = visit(owner).get(page_of(stream)).content.decode()
    assert f"<title>One #{one.pk}, time 6: 1</title>" in both
    assert f"<title>Two #{two.pk}, time 6:" in both
    only = visit(owner).get(f"{page_of(stream)}?show={two.pk}&one={one.pk}").content.decode()
    assert f"<title>One #{one.pk}, time 6" not in only
    assert "All measures of" in only


def test_best_value_is_marked_excluding_the_true_clusters(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit, finish: Finish
) -> None:
    push(owner, samples.MISSING_B, "Half")
    finish(stream_baselines.enqueue_baselines(stream=stream, keys=["true_clusters"], user=owner))
    finish()
    body = visit(owner).get(page_of(stream)).content.decode()
    found = re.findall(r"<tr>(.*?)</tr>", body.partition("Choose what is drawn")[0], re.DOTALL)
    rows = {name: row for row in found for name in ("Half", "True clusters") if name in row}
    assert "best value" in rows["Half"]
    assert "best value" not in rows["True clusters"]


def test_hostile_names_are_escaped(collection: Collection, owner: User, visit: Visit, finish: Finish) -> None:
    evil = "<script>alert(1)</script>"
    document = stored.read_stream_file(samples.STREAM, "x.csv", key=evil)
    stream = stored.add_stream(collection, document, owner)
    content = samples.clusterings(samples.GOLD, algorithm=evil, stream=evil)
    document, found = streams.check(stream, content, "f", "", owner)
    submission, run = streams.submit(
        stream, document, found, Provenance(owner, "command", published=True), filename=evil
    )
    finish(run)
    client = visit(owner)
    for address in (
        page_of(stream),
        reverse("streams", args=[collection.slug]),
        reverse("stream-submit", args=[collection.slug, stream.key]),
        reverse("stream-submission", args=[submission.pk]),
        reverse("run", args=[run.pk]),
        reverse("collection", args=[collection.slug]),
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert evil not in answer.content.decode(), address


def test_downloads_can_be_uploaded_again(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit
) -> None:
    submission = push(owner, samples.OVER_TIME)
    client = visit(owner)
    file = client.get(reverse("stream-download", args=[stream.collection.slug, stream.key])).content
    again = stored.add_stream(stream.collection, stored.read_stream_file(file, "again.json", key="again"), owner)
    assert again.n_points == stream.n_points
    file = client.get(reverse("stream-submission-download", args=[submission.pk])).content
    assert streams.sha256_of(streams.check(stream, file, "again.json", "", owner)[1]) == submission.sha256


def test_deleting_a_stream_deletes_everything_after_confirmation(
    stream: Stream, push: Callable[..., StreamSubmission], owner: User, visit: Visit
) -> None:
    submission = push(owner, samples.GOLD)
    client, slug = visit(owner), stream.collection.slug
    assert client.post(reverse("stream-submission-delete", args=[submission.pk]))["Location"] == page_of(stream)
    assert client.post(reverse("stream-delete", args=[slug, stream.key]))["Location"] == reverse("streams", args=[slug])
    assert not Stream.objects.exists()


# --- Charts -----------------------------------------------------------------------------------------------------------


def moments(**values: list[float | None]) -> tuple[TimeStep, ...]:
    many = len(next(iter(values.values())))
    return tuple(
        TimeStep(float(number), 5, {key: line[number] for key, line in values.items() if line[number] is not None})
        for number in range(many)
    )


def cmm_of(found: Sequence[TimeStep]) -> Chart:
    return of_measure("cmm", [("L", Mark(0, "circle", False), found)])


def test_axis_starts_where_all_values_fit() -> None:
    named = ("A", Mark(0, "circle", False))
    assert of_measure("cmm", [(*named, moments(cmm=[0.95, 1.0]))]).y.low == 0.9
    assert of_measure("cmm", [(*named, moments(cmm=[0.2, 1.0]))]).y.low == 0.0
    assert of_measure("ari", [(*named, moments(ari=[-0.2, 1.0]))]).y.low == -0.5
    ssq = of_measure("ssq", [(*named, moments(ssq=[3.0, 40.0]))])
    assert (ssq.y.low, ssq.y.high) == (0.0, 42.0)


def test_losses_add_up_to_one_minus_cmm() -> None:
    chart = of_parts(moments(cmm=[0.7], missed=[0.9], misplaced=[0.85], noise=[0.95]))
    assert sum(one.points[0].y or 0 for one in chart.series) == pytest.approx(0.3)
    assert chart.y.high == 0.2


def test_ssq_is_drawn_as_a_share_of_its_largest_value() -> None:
    chart = beside_cmm(moments(cmm=[1.0, 1.0], ssq=[2.0, 8.0]), internal=True)
    ssq = next(one for one in chart.series if one.name.startswith("SSQ"))
    assert (ssq.name, [point.y for point in ssq.points]) == ("SSQ / 8", [0.25, 1.0])


def test_line_has_a_gap_if_a_value_is_missing() -> None:
    drawn = drawing(cmm_of(moments(cmm=[0.5, 0.6, None, 0.7, 0.8])))
    line = drawn.partition('class="line solid" d="')[2].partition('"')[0]
    assert (line.count("M"), line.count("L")) == (2, 2)


def test_long_series_have_a_line_with_fewer_marks() -> None:
    drawn = drawing(cmm_of(moments(cmm=[0.5] * 1000)))
    assert drawn.count("<title>") <= 40
    assert drawn.count("L") >= 999


@pytest.mark.parametrize(
    ("first", "second"), [(5.0, 5.0), (1e15, 1e15), (-1e100, -1e100), (0.0, 1e-300), (-1e150, 1e150)]
)
def test_any_times_can_be_drawn(first: float, second: float) -> None:
    drawn = drawing(cmm_of([TimeStep(first, 5, {"cmm": 0.1}), TimeStep(second, 5, {"cmm": 0.9})]))
    assert "nan" not in drawn
    assert "inf" not in drawn
