"""Attacks that worked on other annotation tools and that no other test tries. SECURITY.md has the whole table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from annotations.drafts.services.lifecycle import from_nothing
from annotations.imports.services import import_documents
from annotations.models import Collection, Draft
from evaluation.models import Submission
from tests.fixtures.api import error
from tests.paths import ROOT
from tests.samples.documents import PASSWORD, mercury

PACKAGES = ("accounts", "annotations", "common", "documentation", "evaluation", "qc4", "qc4site", "studies", "work")
CLIENT = re.compile(
    r"^\s*(?:import|from) +(?:requests|httpx|aiohttp|urllib3|ftplib|http\.client|urllib\.request)\b"
    r"|^\s*from +(?:http +import +.*client|urllib +import +.*request)\b",
    re.MULTILINE,
)
MAY_ASK = {"evaluation/management/listening.py", "accounts/provider.py"}
"""Its own port, whether the site is up; and the provider of sign-ins, whom the operator names."""
DATA = {"application/json", "application/jsonl", "text/csv"}
ATTACK = "</script><script>alert(1)</script>"


def test_texts_for_scripts_cannot_end_their_element(owner: User, client: Client) -> None:
    page = replace(mercury().pages[0], title=ATTACK, snippet=ATTACK)
    document = replace(mercury(), query_text=ATTACK, pages=(page, *mercury().pages[1:]))
    query = import_documents(name="Attacked", documents=[document], user=owner).queries.get()
    draft = from_nothing(query=query, kind=Draft.Kind.OWN, user=owner)
    client.force_login(owner)
    answer = client.get(reverse("draft", args=[draft.pk])).content.decode()
    assert "alert(1)" in answer
    assert "<script>alert" not in answer


@pytest.mark.parametrize("choice", ["collection__memberships__user__password__startswith", "ordering", "fields"])
def test_nobody_chooses_fields_of_the_database(
    choice: str, owner: User, collection: Collection, scored: Submission, client: Client
) -> None:
    """A filter of one's own guesses, letter by letter, what one may not see."""
    client.force_login(owner)
    of_api = ["collections", "runs", "submissions", "scores", "algorithms", "gold-versions"]
    for name in of_api:
        address = reverse(f"api:{name}", args=[] if name in {"collections", "runs"} else [collection.slug])
        answer = client.get(address, {choice: "p"})
        assert answer.status_code == 400 or answer.json() == client.get(address).json(), address
    sorted_by = client.get(reverse("leaderboard", args=[collection.slug]), {"sort": "algorithm__created_by__password"})
    assert sorted_by.status_code == 400


def test_nobody_sets_fields_that_are_not_offered(
    owner: User, collection: Collection, scored: Submission, client: Client
) -> None:
    more = {"is_staff": "on", "is_superuser": "on", "email_confirmed_at": "2027-01-01"}
    secret = {"password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("sign-up"), {"username": "mallory", "email": "m@example.org", **secret, **more})
    made = User.objects.get(username="mallory")
    assert (made.is_staff, made.is_superuser, made.email_confirmed_at) == (False, False, None)
    client.force_login(owner)
    for address, change in (
        (reverse("api:algorithm", args=[scored.algorithm_id]), {"baseline": "gold"}),
        (reverse("api:collection", args=[collection.slug]), {"slug": "another"}),
    ):
        answer = client.patch(address, change, content_type="application/json")
        assert error(answer, 400)["problems"][0]["code"] == "unknown-option", address


def test_what_was_uploaded_comes_back_as_a_file(
    owner: User, collection: Collection, scored: Submission, client: Client, settings: Settings
) -> None:
    client.force_login(owner)
    of_collection = ("leaderboard-csv", "leaderboard-json", "pages-csv", "example-submission")
    for address in (
        *(reverse(name, args=[collection.slug]) for name in of_collection),
        reverse("gold-download", args=[collection.slug, 1]),
        reverse("submission-download", args=[scored.pk]),
        reverse("submission-scores-csv", args=[scored.pk]),
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Content-Type"].partition(";")[0] in DATA, address
        assert answer.headers["X-Content-Type-Options"] == "nosniff", address
        assert address.endswith(".json") or answer.headers["Content-Disposition"].startswith("attachment"), address
    (settings.UPLOAD_DIR / "kept.html").write_text("<script>alert(1)</script>")
    assert [client.get(f"/{folder}/kept.html").status_code for folder in ("uploads", "media", "static")] == [404] * 3


def test_the_site_asks_no_other_host() -> None:
    """What an address in somebody's data names is never fetched: nothing in the product can."""
    sources = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    asking = {path for path in sources if CLIENT.search(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(ROOT).as_posix() for path in asking} == MAY_ASK


@pytest.mark.parametrize("key", ["", "insecure-key-for-development-only-never-outside-debug-mode"])
def test_the_site_does_not_start_with_a_key_that_others_know(key: str, tmp_path: Path) -> None:
    env = {**os.environ, "DEBUG": "0", "SECRET_KEY": key, "QC4_DATA_DIR": str(tmp_path)}
    start = [sys.executable, "-c", "from qc4site import settings"]
    done = subprocess.run(start, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode
    assert "SECRET_KEY is missing or shorter than 40 characters" in done.stderr
