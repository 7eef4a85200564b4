"""Submissions, runs, scores, the leaderboard and the catalogue through the API."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from evaluation.limits import PARAMETER_BYTES
from evaluation.models import Algorithm, Run, Submission, Upload
from evaluation.scoring import cases, exports
from qc4 import compare_clusterings
from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES
from qc4.scoring.calibration import calibrate
from qc4.scoring.scoring import score
from tests.fixtures.api import Api, error
from tests.profiles import thorough

RUNS = "/api/v1/runs"
SUBMISSIONS = "/api/v1/submissions"
LABELS = b"page,STC\np1,a\np2,a\np3,b\np4,b\n"
Finish = Callable[..., None]


@pytest.fixture
def pushed(api: Api, submitter: User, collection_url: str, submission_file: bytes) -> dict[str, Any]:
    """The response to a private submission; its run is queued."""
    response = api(submitter).post(f"{collection_url}/submissions", submission_file, content_type="application/json")
    assert response.status_code == 201, response.content
    found: dict[str, Any] = response.json()
    return found


def test_submission_is_accepted_as_a_bare_body(api: Api, submitter: User, pushed: dict[str, Any]) -> None:
    row = pushed["submission"]
    assert (row["algorithm"], row["origin"], row["published"]) == ("Lingo", "api", False)
    assert [clustering["query"] for clustering in row["clusterings"]] == ["mercury", "saturn"]
    run = api(submitter).get(f"{RUNS}/{pushed['run']}").json()
    assert (run["state"], run["submission"], run["queue_position"]) == ("queued", row["id"], 1)


def test_submission_is_accepted_as_a_form_in_another_format(api: Api, submitter: User, collection_url: str) -> None:
    body = {
        "file": SimpleUploadedFile("saturn.csv", LABELS),
        "algorithm": "My STC",
        "published": "true",
        "parameters": '{"merge": 0.6}',
        "seed": "7",
    }
    response = api(submitter).post(f"{collection_url}/submissions", body, format="multipart")
    assert response.status_code == 201, response.content
    row = response.json()["submission"]
    assert (row["algorithm"], row["published"], row["parameters"], row["seed"]) == ("My STC", True, {"merge": 0.6}, 7)
    assert row["upload"]["name"] == "saturn.csv"


def test_submission_can_include_details_of_the_algorithm(api: Api, submitter: User, collection_url: str) -> None:
    def push(**said: str) -> Any:
        body = {"file": SimpleUploadedFile("saturn.csv", LABELS), "algorithm": "My STC", **said}
        return api(submitter).post(f"{collection_url}/submissions", body, format="multipart")

    for wrong in ("nan", "inf", "-0.5", "fast"):
        assert "seconds_per_query" in str(error(push(seconds_per_query=wrong), 400))
    assert not Submission.objects.exists()
    assert push(seconds_per_query="0.25", cost_per_1000="1.5", authors="A. Weiß").status_code == 201
    found = Algorithm.objects.get()
    assert (found.seconds_per_query, found.cost_per_1000, found.authors) == (0.25, 1.5, "A. Weiß")


def test_options_of_a_bare_body_are_in_the_query_string(api: Api, submitter: User, collection_url: str) -> None:
    options = "filename=saturn.csv&algorithm=STC&published=1&seed=-3&parameters=%7B%22k%22%3A+2%7D"
    response = api(submitter).post(f"{collection_url}/submissions?{options}", LABELS, content_type="text/csv")
    assert response.status_code == 201, response.content
    row = response.json()["submission"]
    assert (row["algorithm"], row["published"], row["parameters"], row["seed"]) == ("STC", True, {"k": 2}, -3)


@pytest.mark.parametrize("parameters", ["[1]", "1", "{", '{"a": NaN}', r'{"a": "\u0000"}'])
def test_parameters_must_be_a_json_object(api: Api, submitter: User, collection_url: str, parameters: str) -> None:
    body = {"file": SimpleUploadedFile("saturn.csv", LABELS), "algorithm": "X", "parameters": parameters}
    found = error(api(submitter).post(f"{collection_url}/submissions", body, format="multipart"), 400)
    assert found["problems"][0]["where"].startswith("parameters")


def test_parameters_sent_with_a_file_have_the_same_limit(api: Api, submitter: User, collection_url: str) -> None:
    long = json.dumps({"notes": "x" * PARAMETER_BYTES})
    body = {"file": SimpleUploadedFile("saturn.csv", LABELS), "algorithm": "X", "parameters": long}
    found = error(api(submitter).post(f"{collection_url}/submissions", body, format="multipart"), 400)
    assert [problem["code"] for problem in found["problems"]] == ["long-parameters"]
    assert not Submission.objects.exists()


def test_rejected_submission_stores_nothing(api: Api, submitter: User, collection_url: str) -> None:
    client = api(submitter)
    error(client.post(f"{collection_url}/submissions?algorithm=X", b"\x00\x01", content_type="text/csv"), 400)
    error(client.post(f"{collection_url}/submissions", {"algorithm": "X"}, format="multipart"), 400)
    assert not Submission.objects.exists()
    assert not Upload.objects.exists()


def test_checker_reports_without_storing_anything(
    api: Api, submitter: User, collection_url: str, submission_file: bytes
) -> None:
    client = api(submitter)
    good = client.post(f"{collection_url}/submissions/check", submission_file, content_type="application/json").json()
    assert (good["accepted"], good["algorithm"], len(good["queries"])) == (True, "Lingo", 2)
    bad = client.post(f"{collection_url}/submissions/check?algorithm=X", b"{", content_type="application/json").json()
    assert bad["accepted"] is False
    assert bad["problems"]
    assert not Upload.objects.exists()


def test_private_submission_is_visible_to_others_once_published(
    api: Api, submitter: User, reader: User, pushed: dict[str, Any], collection_url: str
) -> None:
    here = f"{SUBMISSIONS}/{pushed['submission']['id']}"
    error(api(reader).get(here), 404)
    assert api(reader).get(f"{collection_url}/submissions").json()["results"] == []
    assert api(submitter).post(f"{here}/publish").json()["published"] is True
    assert api(reader).get(here).status_code == 200
    error(api(reader).post(f"{here}/unpublish"), 403)
    assert api(submitter).post(f"{here}/unpublish").json()["published"] is False
    error(api(reader).get(here), 404)


def test_submissions_are_filtered(api: Api, owner: User, collection_url: str, submit: Callable[..., object]) -> None:
    submit(owner, "A")
    submit(owner, "B", published=False)
    client = api(owner)

    def names(query):
        return [row["algorithm"] for row in client.get(f"{collection_url}/submissions?{query}").json()["results"]]

    assert names("") == ["B", "A"]
    assert names("algorithm=a") == ["A"]
    assert names("published=false") == ["B"]


def test_downloaded_clustering_can_be_submitted_again(
    api: Api, owner: User, collection_url: str, scored: Submission
) -> None:
    client = api(owner)
    file = client.get(f"{SUBMISSIONS}/{scored.pk}/queries/saturn")
    assert json.loads(file.content)["format"] == "qc4-clustering/1"
    again = client.post(f"{collection_url}/submissions?algorithm=Again", file.content, content_type="application/json")
    assert again.status_code == 201, again.content
    error(client.get(f"{SUBMISSIONS}/{scored.pk}/queries/pluto"), 404)


# --- Runs -------------------------------------------------------------------------------------------------------------


def test_run_lists_its_events(api: Api, submitter: User, pushed: dict[str, Any], finish: Finish) -> None:
    finish(Run.objects.get(pk=pushed["run"]))
    client = api(submitter)
    run = client.get(f"{RUNS}/{pushed['run']}").json()
    assert (run["state"], run["has_ended"], run["done"], run["total"]) == ("done", True, 2, 2)
    assert set(run["measures"]) >= {"aq", "wq", "ac", "wc", "ari"}
    events = client.get(f"{RUNS}/{pushed['run']}/events").json()["results"]
    assert [event["to_state"] for event in events if event["to_state"]] == ["queued", "running", "done"]


def test_run_can_be_cancelled_only_once(api: Api, submitter: User, pushed: dict[str, Any]) -> None:
    client = api(submitter)
    assert client.post(f"{RUNS}/{pushed['run']}/cancel").json()["state"] == "cancelled"
    assert error(client.post(f"{RUNS}/{pushed['run']}/cancel"), 409)["code"] == "conflict"


def test_repeating_a_finished_run_creates_a_new_run(
    api: Api, submitter: User, pushed: dict[str, Any], finish: Finish
) -> None:
    client = api(submitter)
    error(client.post(f"{RUNS}/{pushed['run']}/rerun"), 409)
    finish(Run.objects.get(pk=pushed["run"]))
    again = client.post(f"{RUNS}/{pushed['run']}/rerun")
    assert again.status_code == 201
    assert again.json()["rerun_of"] == pushed["run"]
    assert again["Location"].endswith(f"{RUNS}/{again.json()['id']}")


def test_runs_are_filtered(api: Api, owner: User, scored: Submission, collection_url: str) -> None:
    client = api(owner)
    assert len(client.get(f"{RUNS}?state=done&kind=evaluation&submission={scored.pk}").json()["results"]) == 1
    assert client.get(f"{RUNS}?state=failed").json()["results"] == []
    assert len(client.get(f"{RUNS}?collection={scored.collection.slug}").json()["results"]) == 1
    error(client.get(f"{RUNS}?state=lost"), 400)


def test_baselines_can_be_run(api: Api, submitter: User, collection_url: str, finish: Finish) -> None:
    client = api(submitter)
    response = client.post(f"{collection_url}/baselines", {"only": ["singletons", "gold"], "seed": 3})
    assert response.status_code == 202, response.content
    finish()
    board = client.get(f"{collection_url}/leaderboard").json()
    assert {row["baseline"] for row in board["rows"]} == {"singletons", "gold"}


# --- Scores -----------------------------------------------------------------------------------------------------------


def test_scores_include_their_provenance(api: Api, reader: User, collection_url: str, scored: Submission) -> None:
    found = api(reader).get(f"{collection_url}/scores?measure=aq,ari&query=mercury").json()
    rows = {(row["measure"], row["level"]): row for row in found["results"]}
    assert set(rows) == {("aq", None), ("ari", 1), ("ari", 2)}
    row = rows["aq", None]
    assert 0 <= row["value"] <= 1
    assert row["undefined"] is None
    assert (row["algorithm"], row["submission"], row["gold_version"]) == ("Lingo", scored.pk, 1)
    assert row["engine"]
    assert set(row["policies"]) == {*CHOICES}


def test_scores_can_be_filtered_and_paginated(api: Api, reader: User, collection_url: str, scored: Submission) -> None:
    client = api(reader)

    def count(query):
        return len(client.get(f"{collection_url}/scores?page_size=1000&{query}").json()["results"])

    everything = count("")
    assert everything == count("algorithm=lingo") == count(f"submission={scored.pk}") == count("gold=1")
    assert count("undefined=true") + count("undefined=false") == everything
    assert count("level=") + count("level=all") + count("level=1") + count("level=2") == everything
    assert count("algorithm=x") == count("gold=2") == 0
    first = client.get(f"{collection_url}/scores?page_size=10").json()
    second = client.get(first["next"]).json()
    assert [{row["query"] for row in page["results"]} for page in (first, second)] == [{"mercury"}, {"saturn"}]
    assert len(first["results"] + second["results"]) == everything
    assert (first["previous"], second["next"]) == (None, None)
    assert client.get(second["previous"]).json() == first


def test_api_and_export_list_the_same_scores(
    api: Api, owner: User, collection_url: str, scored: Submission, submit: Callable[..., Any], finish: Finish
) -> None:
    # Equal content, fewer measures: its run must not list the other scores of the same content.
    _, run = submit(owner, "Copy")
    Run.objects.filter(pk=run.pk).update(measures={"aq": 1})
    finish(run)
    listed = api(owner).get(f"{collection_url}/scores?page_size=1000").json()["results"]
    exported = list(exports.scores(scored.collection, owner))
    assert len(listed) == len(exported)
    assert [{name: row[name] for name in exports.FIELDS} for row in listed] == exported


@pytest.mark.parametrize("name", ["run__created_by__password", "measure__startswith", "order_by", "pk"])
def test_unknown_filters_are_rejected(api: Api, reader: User, collection_url: str, name: str) -> None:
    assert error(api(reader).get(f"{collection_url}/scores?{name}=x"), 400)["problems"][0]["code"] == "unknown-option"


def test_scores_of_private_submissions_are_visible_to_their_owner_only(
    api: Api, submitter: User, reader: User, collection_url: str, pushed: dict[str, Any], finish: Finish
) -> None:
    finish()
    assert api(submitter).get(f"{collection_url}/scores").json()["results"]
    assert api(reader).get(f"{collection_url}/scores").json()["results"] == []
    assert api(reader).get(f"{collection_url}/leaderboard").json()["rows"] == []


def test_api_leaderboard_equals_the_page(api: Api, reader: User, collection_url: str, scored: Submission) -> None:
    board = api(reader).get(f"{collection_url}/leaderboard?measures=aq,wc&sort=wc&gold=1&missing=skip").json()
    assert [column["measure"] for column in board["measures"]] == ["aq", "wc"]
    (row,) = board["rows"]
    assert (row["rank"], row["algorithm"], row["submission"]) == (
        None,
        "Lingo",
        scored.pk,
    )  # a single algorithm has no rank
    assert row["scores"]["wc"]["queries"] == row["scores"]["wc"]["scored"] == 2
    found = error(api(reader).get(f"{collection_url}/leaderboard?measures=nothing"), 400)
    assert found["problems"][0]["code"] == "unknown-measure"
    assert found["problems"][0]["fix"].endswith("See /measures/, or /api/v1/measures.")
    assert found["fix"] == found["problems"][0]["fix"]


def test_explanation_of_a_score(api: Api, reader: User, collection_url: str, scored: Submission) -> None:
    client = api(reader)
    found = client.get(f"{SUBMISSIONS}/{scored.pk}/queries/mercury/explain").json()
    assert (found["gold_version"], found["query"], found["pages"]) == (1, "mercury", 8)
    assert {"id", "level", "best_topic", "entropy", "s_recall", "s_random", "quality"} <= set(found["clusters"][0])
    assert {topic["id"] for topic in found["topics"]} == {"space", "boats"}
    assert {"id", "size", "coverage"} == set(found["topics"][0])
    assert found["classic"] == []
    assert {"topic", "level", "page", "coverage"} == set(found["page_coverage"][0])
    stored = client.get(f"{collection_url}/scores?measure=aq&query=mercury").json()["results"][0]["value"]
    assert next(s["value"] for s in found["scores"] if s["measure"] == "aq") == pytest.approx(stored, abs=1e-12)
    error(client.get(f"{SUBMISSIONS}/{scored.pk}/queries/mercury/explain?gold=9"), 404)
    error(client.get(f"{SUBMISSIONS}/{scored.pk}/queries/mercury/explain?measures=x"), 400)


def test_qc4_recall_can_be_standard_recall(api: Api, reader: User, scored: Submission) -> None:
    """Standard recall applies to explanations and to "what if" changes; other requests still use R'."""
    row = scored.clusterings.get(query__key="mercury")
    standard = cases.gold_standard(row.query.golds.get())
    expected = score(standard, cases.clustering(row), ["aq"], policies={"recall": "standard"}, explain=True).to_dict()
    client, address = api(reader), f"{SUBMISSIONS}/{scored.pk}/queries/mercury"
    found = client.get(f"{address}/explain?recall=standard&measures=aq").json()
    assert (found["scores"], found["clusters"]) == (expected["scores"], expected["clusters"])
    assert found["clusters"] != client.get(f"{address}/explain").json()["clusters"]
    changed = client.get(f"{address}/what-if?drop=c1&measures=aq&recall=standard").json()
    assert changed["scores"][0]["before"] == expected["scores"][0]["value"]
    assert changed["policies"]["recall"] == "standard"


def test_scores_after_what_if_changes(api: Api, reader: User, scored: Submission) -> None:
    client, address = api(reader), f"{SUBMISSIONS}/{scored.pk}/queries/mercury"
    alone = client.get(f"{address}/what-if").json()
    assert alone["sentence"] == "Nothing is changed."
    first = alone["one_at_a_time"][0]
    found = client.get(f"{address}/what-if?drop={first['id']}&measures=qc4_f").json()
    assert "one_at_a_time" not in found
    (change,) = found["scores"]
    assert change["difference"] == pytest.approx(first["qc4_f"])
    assert found["changes"] == {"drop": [first["id"]], "merge": [], "complete": [], "clean": []}
    several = client.get(f"{address}/what-if?merge=c1&merge=c2").json()
    assert several["changes"]["merge"] == ["c1", "c2"]
    assert error(client.get(f"{address}/what-if?drop=nobody"), 400)["problems"][0]["code"] == "no-such-cluster"
    error(client.get(f"{address}/what-if?dropp=c1"), 400)
    error(client.get(f"{address}/what-if?overlap=maybe"), 400)


def test_similarity_of_two_clusterings(
    api: Api, owner: User, reader: User, scored: Submission, submit: Callable[..., tuple[Submission, object]]
) -> None:
    """Compares on all pages of the query, with all or some symmetric measures; neither is the gold standard."""
    other, hidden = submit(owner, "Another")[0], submit(owner, "Hidden", published=False)[0]
    client, address = api(reader), f"{SUBMISSIONS}/{scored.pk}/queries/mercury/alike"
    rows = [each.clusterings.select_related("query").get(query__key="mercury") for each in (scored, other)]
    pages = list(rows[0].query.pages.values_list("key", flat=True))
    sides = [cases.clustering(row) for row in rows]
    assert client.get(f"{address}?against={other.pk}").json() == compare_clusterings(*sides, pages=pages).to_dict()
    some = client.get(f"{address}?against={other.pk}&measures=vi&unit=bits&unclustered=drop").json()
    expected = compare_clusterings(*sides, ["vi"], {"unit": "bits", "unclustered": "drop"}, pages)
    assert some == expected.to_dict()
    for options, code in (
        ("", "required"),
        (f"?against={other.pk}&measures=purity", "not-symmetric"),
        (f"?against={other.pk}&measures=nothing", "unknown-measure"),
    ):
        assert error(client.get(address + options), 400)["problems"][0]["code"] == code
    error(client.get(f"{address}?against={hidden.pk}"), 404)


def test_expected_score_of_random_clusterings(api: Api, reader: User, scored: Submission) -> None:
    row = scored.clusterings.get(query__key="mercury")
    address = f"{SUBMISSIONS}/{scored.pk}/queries/mercury/chance"
    found = api(reader).get(f"{address}?draws=20&seed=7&measures=quality").json()
    expected = calibrate(cases.gold_standard(row.query.golds.get()), cases.clustering(row), "quality", draws=20, seed=7)
    assert found["levels"] == expected.to_dict()["levels"]
    assert (found["draws"], found["seed"]) == (20, 7)
    error(api(reader).get(f"{address}?draws=100000"), 400)
    every = ",".join(measure.key for measure in REGISTRY.all())
    too_many = error(api(reader).get(f"{address}?measures={every}"), 400)
    assert too_many["problems"][0]["code"] == "too-many-measures"


def test_matrix_of_topics_and_clusters(api: Api, reader: User, scored: Submission) -> None:
    found = api(reader).get(f"{SUBMISSIONS}/{scored.pk}/queries/mercury/matrix").json()
    assert [topic["name"] for topic in found["topics"]][-1] == "outliers"
    assert len(found["clusters"]) == 3
    assert {"topic", "cluster", "pages", "recall", "precision", "f"} == set(found["cells"][0])


@thorough("every measure explained over the API")
def test_every_measure_is_explained_or_names_what_it_lacks(
    api: Api, reader: User, collection_url: str, scored: Submission
) -> None:
    client = api(reader)
    for measure in REGISTRY.all():
        response = client.get(f"{SUBMISSIONS}/{scored.pk}/queries/saturn/explain?measures={measure.key}")
        scores = response.json()["scores"]
        assert {score["measure"] for score in scores} == {measure.key}
        if "vectors" in measure.needs:
            assert [score["undefined"][:10] for score in scores] == ["no vectors"]


# --- Measures ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_catalogue_is_public(client: Client) -> None:
    found = client.get("/api/v1/measures").json()
    assert [measure["key"] for measure in found["measures"]] == [measure.key for measure in REGISTRY.all()]
    aq = client.get("/api/v1/measures/aq").json()
    assert (aq["range"], aq["better"]) == ([0.0, 1.0], "higher")
    assert "'ari'" in error(client.get("/api/v1/measures/arii"), 404)["sentence"]
