"""Search and filters for the pages of a draft through the API."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from annotations.models import Draft
from tests.fixtures.api import Api
from tests.samples.searchable_draft import findable_draft


@pytest.fixture
def draft(owner: User, curator: User) -> Draft:
    return findable_draft(owner, curator)


def test_pages_are_searched_and_filtered(api: Api, draft: Draft, owner: User, curator: User, reader: User) -> None:
    address = f"/api/v1/drafts/{draft.pk}/pages"

    def ask(**options: Any) -> Any:
        return api(owner).get(address, options)

    answer = ask(search='"south america" -lives', topic="cats").json()
    assert (answer["revision"], answer["count"]) == (3, 1)
    assert answer["results"][0]["page"] == "p3"
    assert answer["results"][0]["found_in"] == ["text"]
    assert ask(flagged="true").json()["results"] == [{"page": "p1", "found_in": [], "excerpt": ""}]
    assert ask().json()["count"] == 60
    assert ask(search="x" * 201).status_code == 400
    assert ask(hosts="zoo.example").status_code == 400
    assert api(curator).get(address, {"by": curator.username}).json()["count"] == 2
    assert api(reader).get(address).status_code == 404
