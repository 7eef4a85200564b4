"""Every page at phone and desk width, light and dark, full of long and hostile text, and empty."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.models import Collection, Draft
from evaluation.models import Run, StreamSubmission, Submission
from tests.browser.page_layout import open_all
from tests.fixtures.browser import LONG, Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("how pages fit")]


def test_full_pages_fit(browse: Browse, owner: User, hostile_submission: Submission) -> None:
    slug, key = hostile_submission.collection.slug, hostile_submission.clusterings.get().query.key
    done, waiting = hostile_submission.runs.get(), Run.objects.get(state="queued")
    query = hostile_submission.collection.queries.get()
    entry = hostile_submission.collection.gold_versions.latest("number").entries.get(query=query)
    draft = drafts.from_gold(entry=entry, query=query, user=owner, kind=Draft.Kind.SHARED, name=LONG)
    page = browse(owner)
    open_all(
        page,
        [
            reverse("draft", args=[draft.pk]),
            reverse("collections"),
            reverse("collection", args=[slug]),
            reverse("query", args=[slug, key]),
            reverse("drafts", args=[slug, key]),
            reverse("leaderboard", args=[slug]),
            reverse("leaderboard", args=[slug]) + "?measures=qc4_f,qc4,ari,vi,f,mi,purity,rand&level=2",
            reverse("leaderboard", args=[slug]) + "?measures=nonsense",
            reverse("compare", args=[slug]),
            reverse("compare", args=[slug]) + "?algorithms=999999",
            reverse("heat-map", args=[slug]),
            reverse("heat-map", args=[slug]) + "?sort=ari&rows=spread&level=2",
            reverse("heat-map", args=[slug]) + "?sort=nonsense",
            reverse("trade-off", args=[slug]),
            reverse("trade-off", args=[slug]) + "?weights=average&level=2",
            reverse("trade-off", args=[slug]) + "?weights=nonsense",
            reverse("measures-compared", args=[slug]),
            reverse("robustness", args=[slug]),
            reverse("topic-coverage", args=[slug]),
            reverse("gold-ranks", args=[slug, 1]),
            reverse("model-selection", args=[slug]),
            reverse("model-selection", args=[slug]) + "?overlap=first",
            reverse("submission", args=[hostile_submission.pk]),
            reverse("algorithm", args=[hostile_submission.algorithm_id]),
            reverse("algorithm-edit", args=[hostile_submission.algorithm_id]),
            reverse("algorithm-merge", args=[hostile_submission.algorithm_id]),
            reverse("algorithm-delete", args=[hostile_submission.algorithm_id]),
            reverse("my-submissions"),
            reverse("why", args=[hostile_submission.pk, key]),
            reverse("run", args=[done.pk]),
            reverse("run", args=[waiting.pk]),
            reverse("runs"),
            reverse("submit", args=[slug]),
            reverse("gold-publish", args=[slug]),
            reverse("people", args=[slug]),
            reverse("curate", args=[slug]),
            reverse("curate", args=[slug]) + "?show=unassigned",
            reverse("guidelines", args=[slug]),
            reverse("guidelines-edit", args=[slug]),
            reverse("collection-settings", args=[slug]),
            reverse("account"),
            reverse("account-log"),
            reverse("account-delete"),
            reverse("storage"),
            reverse("second-factor"),
            reverse("password-change"),
            reverse("people-log", args=[slug]),
            reverse("challenge-settings", args=[slug]),
            reverse("team", args=[slug]),
            reverse("comments"),
            reverse("draft-publish", args=[draft.pk]),
            reverse("gold-changes", args=[slug, 1]),
            reverse("import"),
            reverse("measures"),
            reverse("measures") + "?q=mutual&accepts=overlap",
            *(reverse("measure", args=[key]) for key in ("cdbw", "bcubed_f", "qc4_f", "ecs_hierarchy")),
            reverse("study"),
            reverse("study-group", args=["hierarchical-clusterings"])
            + "?column=cluster_entropy%2Bclass_entropy%40finest",
            reverse("study-case", args=["small-bias", "small-topics"]),
            reverse("docs"),
            *(reverse("document", args=[name]) for name in ("formats", "api", "library", "commands")),
            reverse("docs-search") + "?q=completion",
            "/docs/nothing/",
            "/no/such/page",
        ],
    )


def test_pages_of_streams_fit(browse: Browse, owner: User, hostile_stream_submission: StreamSubmission) -> None:
    stream = hostile_stream_submission.stream
    slug, key = stream.collection.slug, stream.key
    open_all(
        browse(owner),
        [
            reverse("collection", args=[slug]),
            reverse("streams", args=[slug]),
            reverse("stream", args=[slug, key]),
            reverse("stream", args=[slug, key]) + "?measure=ssq&settings=nonsense",
            reverse("stream-submit", args=[slug, key]),
            reverse("stream-submission", args=[hostile_stream_submission.pk]),
            *(reverse("run", args=[run.pk]) for run in stream.runs.all()),
        ],
    )


def test_a_choice_of_submissions_is_drawn_by_the_form(
    browse: Browse, owner: User, hostile_stream_submission: StreamSubmission
) -> None:
    page = browse(owner)
    page.goto(
        reverse("stream", args=[hostile_stream_submission.stream.collection.slug, hostile_stream_submission.stream.key])
    )
    drawn = page.get_by_role("img", name="CMM over time")
    lines = drawn.locator("path.line").count()
    page.get_by_role("checkbox", name="Draw True clusters").uncheck()
    page.get_by_label("Measure over time").select_option("purity")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**measure=purity**")
    assert page.get_by_role("img", name="purity over time").locator("path.line").count() == lines - 1


def test_empty_pages_fit(browse: Browse, owner: User, page_list_collection: Collection) -> None:
    slug = page_list_collection.slug
    visitor, page = browse(), browse(owner)
    open_all(visitor, [reverse(name) for name in ("collections", "sign-in", "sign-up", "password-forgotten")])
    open_all(
        page,
        [
            reverse("collection", args=[slug]),
            reverse("leaderboard", args=[slug]),
            reverse("compare", args=[slug]),
            reverse("heat-map", args=[slug]),
            reverse("trade-off", args=[slug]),
            reverse("model-selection", args=[slug]),
            reverse("streams", args=[slug]),
            reverse("query", args=[slug, "mercury"]),
            reverse("drafts", args=[slug, "mercury"]),
            reverse("curate", args=[slug]),
            reverse("curate", args=[slug]) + "?show=mine",
            reverse("guidelines", args=[slug]),
            reverse("guidelines-edit", args=[slug]),
            reverse("people", args=[slug]),
            reverse("runs"),
        ],
    )


def test_dark_follows_the_system(browse: Browse) -> None:
    def background(scheme: str) -> str:
        page = browse(None, 1280, scheme)
        page.goto("/")
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert background("light") != background("dark")


def test_heads_and_first_columns_stay_in_sight(browse: Browse, owner: User, scored: Submission) -> None:
    page = browse(owner, 390)
    page.goto(reverse("leaderboard", args=[scored.collection.slug]))
    region = page.get_by_role("region", name="Leaderboard table")
    name = region.locator("tbody th").first
    before = name.bounding_box()
    region.evaluate("region => { region.scrollLeft = 200; }")
    after = name.bounding_box()
    assert before is not None
    assert after is not None
    assert region.evaluate("region => region.scrollLeft") > 0
    left = region.bounding_box()
    assert left is not None
    assert after["x"] >= left["x"] - 1


def test_the_tables_of_the_study_scroll_inside_themselves(browse: Browse) -> None:
    page = browse(None, 390)
    page.goto(reverse("study"))
    region = page.get_by_role("region", name="Marks of every other measure")
    assert region.evaluate(
        "region => region.scrollWidth > region.clientWidth && region.scrollHeight > region.clientHeight"
    )
    name, head = region.locator("tbody th").nth(40), region.locator("thead th").last
    region.evaluate("region => { region.scrollLeft = region.scrollWidth; region.scrollTop = 900; }")
    edge, first, top = region.bounding_box(), name.bounding_box(), head.bounding_box()
    assert edge is not None
    assert first is not None
    assert top is not None
    assert abs(first["x"] - edge["x"]) <= 2
    assert abs(top["y"] - edge["y"]) <= 2
    region.locator("td a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/study/overlapping-clusters/?column=*")
