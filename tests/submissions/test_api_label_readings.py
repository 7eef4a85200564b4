"""Options of the API for reading labels."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.models import Submission
from qc4.io import read_gold_document
from tests.fixtures.api import Api, error
from tests.samples.label_files import FROM_ONE, FROM_ZERO, GOLD, SEVERAL, table

ADDRESS = "/api/v1/collections/apples/submissions"


@pytest.fixture(autouse=True)
def apples(owner: User) -> Collection:
    return import_documents(name="Apples", slug="apples", documents=[read_gold_document(GOLD)], user=owner)


@pytest.fixture
def check(api: Api, owner: User) -> Any:
    """Return a function ``check(data, options)`` that returns the checker's response."""
    client = api(owner)

    def call(data: str, options: str = "filename=apfel.csv") -> Any:
        address = f"{ADDRESS}/check?algorithm=Mine&{options}"
        return client.post(address, data.encode(), content_type="text/csv").json()

    return call


@pytest.mark.parametrize("labels", [FROM_ZERO, FROM_ONE])
def test_labels_can_start_at_zero(check: Any, labels: str) -> None:
    [query] = check(labels, "filename=apfel.txt")["queries"]
    assert (query["clusters"], query["covered"], query["noise"]) == (3, 8, [])


@pytest.mark.parametrize("noise", ["-1", "-1.0", "\u22121", "NA", "-1_the_and"])
def test_check_reports_which_labels_were_read_as_noise(check: Any, noise: str) -> None:
    [query] = check(table(["0", "0", noise, "1", "1", noise]))["queries"]
    assert (query["clusters"], query["unclustered"]) == (2, 4)
    assert query["noise"] == [{"label": noise, "pages": 2}]
    assert query["sentence"] == (
        f"8 pages; 2 clusters; 4 pages in no cluster (50 %): the label '{noise}' on 2 pages, 2 pages not in the file; "
        "no page in several clusters; no nesting"
    )


def test_warning_names_the_option_for_the_other_reading(check: Any) -> None:
    found = check(SEVERAL)
    [choice] = [each["choice"] for each in found["problems"] if "choice" in each]
    assert choice == {"option": "label_separator", "value": "#", "effect": "Read such labels as several"}
    assert (found["noise"], found["label_separator"]) == (None, "")
    again = check(SEVERAL, "label_separator=%23")
    assert (again["queries"][0]["clusters"], again["queries"][0]["overlapping"]) == (2, 1)
    assert not [each for each in again["problems"] if "choice" in each]
    assert again["label_separator"] == "#"


def test_empty_noise_list_makes_every_label_a_cluster(check: Any, api: Api, owner: User) -> None:
    data = table(["None", "-1", "-1", "1", "1", ""])
    found = check(data, "noise=[]")
    assert (found["queries"][0]["clusters"], found["noise"]) == (3, [])
    pushed = api(owner).post(f"{ADDRESS}?algorithm=Mine&noise=[]", data.encode(), content_type="text/csv")
    assert pushed.status_code == 201, pushed.content
    [row] = Submission.objects.get().clusterings.all()
    assert row.n_clusters == 3
    wrong = api(owner).post(f"{ADDRESS}?algorithm=Mine&noise=[", data.encode(), content_type="text/csv")
    assert error(wrong, 400)["problems"][0]["code"] == "bad-noise"
