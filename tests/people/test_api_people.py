"""The API of guidelines, assignments, progress and invitations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.serializers import Serializer
from rest_framework.utils import encoders

from accounts.models import User
from annotations.drafts.services import lifecycle
from annotations.guidelines import services as guidelines
from annotations.models import Assignment, Collection, Invitation, Membership
from annotations.team import services as team
from annotations.team.api import CellShape
from annotations.team.selectors.overview import Overview
from tests.fixtures.api import Api, error
from tests.samples.drafts import draft_of


def test_guidelines_are_returned_as_markdown_and_safe_html(
    api: Api, collection_url: str, collection: Collection, owner: User, reader: User
) -> None:
    error(api(reader).get(f"{collection_url}/guidelines"), 404)
    guidelines.save_guidelines(
        collection=collection, text="Split **late**.<script>alert(1)</script>", base=0, user=owner
    )
    guidelines.save_guidelines(collection=collection, text="Split early.", base=1, user=owner)
    latest = api(reader).get(f"{collection_url}/guidelines").json()
    assert (latest["number"], latest["text"], latest["created_by"]) == (2, "Split early.", "owner")
    first = api(reader).get(f"{collection_url}/guidelines?version=1").json()
    assert first["text"] == "Split **late**.<script>alert(1)</script>"
    assert first["html"] == "<p>Split <strong>late</strong>.&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"
    error(api(reader).get(f"{collection_url}/guidelines?version=3"), 404)
    error(api(reader).get(f"{collection_url}/guidelines?version=x"), 400)
    error(api(reader).get(f"{collection_url}/guidelines?versoin=1"), 400)


def test_queries_are_assigned_and_unassigned(api: Api, collection_url: str, curator: User, adjudicator: User) -> None:
    browser = api(adjudicator)
    sent = {"queries": ["mercury"], "curators": ["curator", "adjudicator"], "due": "2027-01-08"}
    answer = browser.post(f"{collection_url}/assignments", sent, format="json")
    assert answer.status_code == 200
    assert [(row["query"], row["curator"], row["due"], row["assigned_by"]) for row in answer.json()] == [
        ("mercury", "curator", "2027-01-08", "adjudicator"),
        ("mercury", "adjudicator", "2027-01-08", "adjudicator"),
    ]
    back = {"queries": ["mercury"], "curators": ["adjudicator"], "take_back": True}
    assert [row["curator"] for row in browser.post(f"{collection_url}/assignments", back, format="json").json()] == [
        "curator"
    ]
    evenly = browser.post(f"{collection_url}/assignments", {"curators": ["adjudicator"], "per_query": 1}, format="json")
    assert [(row["query"], row["curator"]) for row in evenly.json()] == [
        ("mercury", "curator"),
        ("saturn", "adjudicator"),
    ]
    listed = api(curator).get(f"{collection_url}/assignments").json()
    assert listed == {"next": None, "previous": None, "results": evenly.json()}
    first = api(curator).get(f"{collection_url}/assignments", {"page_size": 1}).json()
    assert first["results"] == evenly.json()[:1]
    assert api(curator).get(first["next"]).json()["results"] == evenly.json()[1:]


def test_chosen_queries_are_assigned_evenly_with_due_dates(
    api: Api, collection_url: str, collection: Collection, curator: User, adjudicator: User
) -> None:
    browser, yesterday = api(adjudicator), (timezone.localdate() - timedelta(days=1)).isoformat()
    sent = {"queries": ["saturn"], "curators": ["curator"], "per_query": 1, "due": yesterday, "note": "rings"}
    (row,) = browser.post(f"{collection_url}/assignments", sent, format="json").json()
    assert (row["query"], row["due"], row["note"], row["overdue"]) == ("saturn", yesterday, "rings", True)

    def listed(choices: str) -> list[str]:
        return [row["query"] for row in browser.get(f"{collection_url}/curation?{choices}").json()["results"]]

    assert listed("show=overdue") == listed("curator=curator") == listed("q=satu") == ["saturn"]
    assert listed("show=overdue&curator=adjudicator") == listed("q=pluto") == listed("curator=nobody") == []
    assert listed("sort=due") == ["saturn", "mercury"]
    first = browser.get(f"{collection_url}/curation?page_size=1").json()
    assert [row["query"] for row in browser.get(first["next"]).json()["results"]] == ["saturn"]
    error(browser.get(f"{collection_url}/curation?show=late"), 400)
    change = {"queries": ["saturn"], "curators": ["curator"], "due": None}
    (row,) = browser.patch(f"{collection_url}/assignments", change, format="json").json()
    assert (row["due"], row["note"], row["overdue"]) == (None, "rings", False)
    drafts = lifecycle.from_nothing(query=collection.queries.get(key="saturn"), user=curator, kind="own")
    lifecycle.submit(drafts)
    change = {"queries": ["saturn"], "curators": ["curator"], "due": yesterday, "note": ""}
    (row,) = browser.patch(f"{collection_url}/assignments", change, format="json").json()
    assert (row["due"], row["note"], row["overdue"]) == (yesterday, "", False), "submitted is never overdue"


@pytest.mark.parametrize(
    "wrong",
    [
        {"curators": ["curator"]},
        {"curators": ["curator"], "queries": ["mercury"], "due": "by Friday"},
        {"curators": ["curator"], "queries": ["mercury"], "per_query": 1, "take_back": True},
        {"curators": ["curator"], "per_query": 1, "take_back": True},
        {"curators": ["curator"], "queries": ["pluto"]},
        {"curators": ["reader"], "queries": ["mercury"]},
        {"curators": [], "queries": ["mercury"]},
        {"curators": ["curator"], "per_query": 2},
        {"curators": ["curator"], "per_query": 3},
        {"curators": "curator", "queries": ["mercury"]},
        {"curators": ["curator"], "queries": ["mercury"], "dew": "Friday"},
        ["mercury"],
    ],
)
def test_invalid_assignments_are_rejected(
    api: Api, collection_url: str, owner: User, curator: User, reader: User, wrong: object
) -> None:
    error(api(owner).post(f"{collection_url}/assignments", wrong, format="json"), 400)
    assert not Assignment.objects.exists()


def test_progress_of_others_is_shown_without_link_to_draft(
    api: Api, collection_url: str, collection: Collection, owner: User, curator: User
) -> None:
    query = collection.queries.get(key="mercury")
    team.assign([query], [curator], user=owner)
    draft = lifecycle.from_nothing(query=query, user=curator, kind="own")

    def seen(person: User) -> dict[str, object]:
        row = next(
            row for row in api(person).get(f"{collection_url}/curation").json()["results"] if row["query"] == "mercury"
        )
        assert len(row["curators"]) == 1
        return row["curators"][0] | {"next": row["next"]}

    his, hers = seen(curator), seen(owner)
    assert (his["draft"], his["next"]) == (draft.pk, "Continue")
    assert (hers["draft"], hers["next"]) == (None, "")
    assert (hers["curator"], hers["status"], hers["assigned"]) == ("curator", "open", True)
    assert hers["levels"] == his["levels"]
    lifecycle.submit(draft)
    assert seen(owner)["draft"] == draft.pk


def test_overview_cells_match_their_declared_fields(
    collection: Collection, owner: User, curator: User, adjudicator: User
) -> None:
    """Cells are serialized in one step for speed, but the schema comes from the fields."""
    query = collection.queries.get(key="mercury")
    team.assign([query], [curator, owner], user=owner, due=timezone.localdate())
    draft_of(curator, query, {"Planet": "p1 p2"})
    draft_of(adjudicator, query, {"Planet": "p1 p2 p3"}, submitted=False)
    cells = [
        cell
        for person in (owner, curator, adjudicator)
        for row in Overview(collection, person).rows
        for cell in row.cells
    ]
    assert {(cell.assignment is None, cell.work is None) for cell in cells} == {
        (False, False),
        (False, True),
        (True, False),
    }
    shape, encode = CellShape(), encoders.JSONEncoder().encode
    for cell in cells:
        assert encode(shape.to_representation(cell)) == encode(Serializer.to_representation(shape, cell))


def test_team_agreement_is_returned_and_times_can_be_turned_off(
    api: Api, collection_url: str, collection: Collection, owner: User, curator: User, adjudicator: User
) -> None:
    query, whole = collection.queries.get(key="mercury"), {"Planet": "p1 p2 p3 p4 p5 p6 p7 p8"}
    team.assign([query], [curator, adjudicator, owner], user=owner)
    draft_of(curator, query, whole)
    draft_of(adjudicator, query, whole)
    browser = api(adjudicator)
    found = browser.get(f"{collection_url}/team").json()
    assert (found["agreement"]["queries"], found["agreement"]["compared"]) == (1, 1)
    (pair,) = found["agreement"]["pairs"]
    assert {pair["first"], pair["second"]} == {"curator", "adjudicator"}
    means = {mean["figure"]: mean for mean in pair["means"]}
    assert (means["bcubed_f"]["value"], means["bcubed_f"]["n"]) == (1.0, 1)
    assert means["outlier_kappa"]["value"] is None
    assert means["outlier_kappa"]["undefined"][0]["times"] == 1
    assert {(wait["waiting"], wait["for"], wait["queries"]) for wait in found["waits"]} == {
        ("curator", "owner", 1),
        ("adjudicator", "owner", 1),
    }
    assert {time["curator"]: time["placed"] for time in found["times"]} == {"adjudicator": 8, "curator": 8, "owner": 0}
    assert [time["curator"] for time in api(curator).get(f"{collection_url}/team").json()["times"]] == ["curator"]
    assert api(owner).get(f"{collection_url}/team").json()["agreement"]["queries"] == 0, "as she has not submitted"
    assert api(owner).patch(collection_url, {"timing": "off"}, format="json").json()["timing"] == "off"
    off = browser.get(f"{collection_url}/team").json()
    assert (off["timing"], off["times"], off["agreement"]["compared"]) == ("off", [], 1)


def test_invitations_are_created_listed_and_revoked(
    api: Api, collection_url: str, collection: Collection, owner: User, outsider: User
) -> None:
    sent = {"role": "curator", "note": "Kim", "days": 3, "most_uses": 2}
    made = api(owner).post(f"{collection_url}/invitations", sent, format="json")
    assert made.status_code == 201
    link = made.json()["link"]
    listed = api(owner).get(f"{collection_url}/invitations").json()
    assert [(row["role"], row["note"], row["standing"], row["most_uses"]) for row in listed] == [
        ("curator", "Kim", "open", 2)
    ]
    assert "link" not in listed[0]
    outsider_browser = api(None)
    outsider_browser.force_login(outsider, "django.contrib.auth.backends.ModelBackend")
    assert outsider_browser.post(link).status_code == 302
    assert Membership.objects.filter(collection=collection, user=outsider, role="curator").exists()
    assert api(owner).delete(f"{collection_url}/invitations/{listed[0]['id']}").status_code == 204
    assert api(owner).get(f"{collection_url}/invitations").json()[0]["standing"] == "revoked"
    error(api(owner).delete(f"{collection_url}/invitations/{listed[0]['id'] + 1}"), 404)


@pytest.mark.parametrize(
    "wrong", [{}, {"role": "king"}, {"role": "reader", "days": 0}, {"role": "reader", "uses": 1}, []]
)
def test_invalid_invitations_are_rejected(api: Api, collection_url: str, owner: User, wrong: object) -> None:
    error(api(owner).post(f"{collection_url}/invitations", wrong, format="json"), 400)
    assert not Invitation.objects.exists()
