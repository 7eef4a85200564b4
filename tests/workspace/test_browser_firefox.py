"""The workspace in Firefox: one curator's work by keyboard, mouse and touch. Everything else is tested in Chromium."""

from __future__ import annotations

import json
import subprocess

import pytest
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotations.drafts.selectors import states
from annotations.models import Draft
from tests.fixtures.browser import missing, session_cookie
from tests.paths import ROOT
from tests.profiles import thorough
from tests.scripts.node import run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("another browser")]


@pytest.fixture(scope="session")
def firefox() -> str:
    found = subprocess.run([ROOT / "scripts" / "find_firefox.sh"], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        missing("no Firefox here; install the package `firefox-esr`, or set QC4_FIREFOX", "firefox")
    return found.stdout.strip()


def test_a_curator_works_in_firefox(firefox: str, live_server: LiveServer, shared_draft: Draft, owner: User) -> None:
    cookie = session_cookie(owner, live_server.url)
    given = {
        "firefox": firefox,
        "url": live_server.url,
        "draft": reverse("draft", args=[shared_draft.pk]),
        "cookie": {"name": cookie["name"], "value": cookie["value"]},
    }
    seen = json.loads(run(str(ROOT / "tests/workspace/firefox.js"), given=json.dumps(given)).stdout)
    assert seen["wrong"] == []
    assert "Engines" in seen["afterDigit"]
    assert "Engines" not in seen["afterUndo"]
    assert seen["hint"].startswith("Page 4 → Planet")
    assert "Engines" in seen["afterReload"]
    assert "queue=all" in seen["address"]
    state = states.current(Draft.objects.get(pk=shared_draft.pk)).state
    assert {topic.name: set(state.members_of(topic.id)) for topic in state.topics.values()} == {
        "Planet": {"p1", "p2", "p3", "p4"},
        "Engines": {"p2"},
        "Outboards": {"p4", "p5"},
        "Spare parts": {"p3", "p6", "p7"},
    }
