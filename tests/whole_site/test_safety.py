"""Everything people upload is text and stays text; errors come in the site's look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from annotations.templatetags.site import host, score, web_address
from evaluation.models import Submission
from evaluation.runs.execution import run_here
from qc4.model.clustering import Cluster, Clustering, SubmissionDocument
from qc4.model.gold_document import Page
from qc4.tables import escape_formula
from tests.fixtures.pages import Visit
from tests.samples.documents import mercury
from tests.samples.submissions import hand_in

PAYLOAD = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'{{1111*1111}}\u202e"
NAME = PAYLOAD.rstrip("\u202e")
"""Names hold nothing that is not seen."""


@pytest.fixture
def attacked(owner: User) -> Submission:
    """A public collection in which every text is an attack, with a scored submission."""
    document = mercury()
    page = Page("p1", 1, "javascript:alert(1)", PAYLOAD, PAYLOAD)
    document = replace(
        document,
        query_id="a/../<b>?",
        query_text=PAYLOAD,
        pages=(page, *document.pages[1:]),
        topics=tuple(replace(topic, name=f"{topic.name}{PAYLOAD}") for topic in document.topics),
    )
    collection = import_documents(
        name=NAME, documents=[document], user=owner, public=True, description=PAYLOAD, notes=[PAYLOAD]
    )
    answer = Clustering("a/../<b>?", (Cluster("c1", ("p1", "p8"), PAYLOAD), Cluster("c2", ("p8",), PAYLOAD)))
    submission, run = hand_in(collection, SubmissionDocument((answer,), NAME[:100], {PAYLOAD: PAYLOAD}), owner)
    assert run is not None
    run_here(run)
    return submission


def addresses(submission: Submission) -> list[str]:
    slug, key = submission.collection.slug, submission.clusterings.get().query.key
    run = submission.runs.get()
    return [
        "/",
        reverse("collection", args=[slug]),
        reverse("query", args=[slug, key]),
        reverse("leaderboard", args=[slug]),
        reverse("submission", args=[submission.pk]),
        reverse("why", args=[submission.pk, key]),
        reverse("run", args=[run.pk]),
        reverse("run-live", args=[run.pk]),
        reverse("runs"),
        reverse("people", args=[slug]),
        reverse("collection-settings", args=[slug]),
        reverse("submit", args=[slug]),
        reverse("account"),
    ]


def test_no_page_lets_uploaded_text_become_markup(visit: Visit, owner: User, attacked: Submission) -> None:
    client = visit(owner)
    for address in addresses(attacked):
        answer = client.get(address)
        page = answer.content.decode()
        assert answer.status_code in {200, 286}, address
        assert "<script>alert" not in page, address
        assert "<img" not in page, address
        assert 'href="javascript' not in page, address
        assert "1234321" not in page, address


def test_every_page_carries_the_strict_policy(visit: Visit, owner: User, attacked: Submission) -> None:
    for address in addresses(attacked):
        headers = visit(owner).get(address).headers
        parts = (part.split() for part in headers["Content-Security-Policy"].split(";"))
        policy = {name: " ".join(sources) for name, *sources in parts}
        assert {policy[name] for name in ("script-src", "style-src", "connect-src", "form-action")} == {"'self'"}
        assert {policy[name] for name in ("default-src", "base-uri", "frame-ancestors", "object-src")} == {"'none'"}
        assert policy["img-src"] == "'self' data:"
        assert headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://www.example.org/a?b", "www.example.org"),
        ("HTTP://example.org", "example.org"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("//example.org", ""),
        ("java\nscript:alert(1)", ""),
        ("http://[broken", ""),
        ("https://bank.example@evil.example/", "evil.example"),
        (None, ""),
    ],
)
def test_only_web_addresses_are_linked(url: str | None, shown: str) -> None:
    assert host(url) == shown
    assert bool(web_address(url)) == bool(shown)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "  =1", "＝1"])
def test_formulas_are_defused(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("text", ["K-means", "a=b", "", "1-2"])
def test_other_text_stays(text: str) -> None:
    assert escape_formula(text) == text


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.5123, ".512"), (1.0, "1.000"), (-0.04, "−.040"), (None, "–"), (-0.0001, ".000"), (12.3, "12.300")],
)
def test_scores_are_written_alike(value: float | None, shown: str) -> None:
    assert score(value) == shown


def test_errors_look_like_the_site(visit: Visit, reader: User, collection: Collection) -> None:
    missing = visit(None).get("/no/such/page")
    assert missing.status_code == 404
    assert "Nothing here" in missing.content.decode()
    denied = visit(reader).get(reverse("collection-settings", args=[collection.slug]))
    assert denied.status_code == 403
    assert "Ask one of its owners" in denied.content.decode()


def test_our_own_fault_is_a_page_too(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Callable[..., object]:
        raise RuntimeError("secret details")

    monkeypatch.setattr("evaluation.collections.views.overviews", broken)
    client = Client(raise_request_exception=False)
    answer = client.get("/")
    assert answer.status_code == 500
    assert "Our fault" in answer.content.decode()
    assert "secret details" not in answer.content.decode()


@pytest.mark.parametrize("boundary", ["", "; boundary=" + "y" * 300])
def test_a_form_that_cannot_be_read_is_not_our_fault(visit: Visit, owner: User, boundary: str) -> None:
    answer = visit(owner).generic("POST", "/new/", b"x", content_type=f"multipart/form-data{boundary}")
    assert answer.status_code == 400
    assert "could not be read" in answer.content.decode()
