"""Measures against measures over HTTP: the engine's numbers for the data that the person may see."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from html import unescape

import numpy as np
import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.limits import MEASURES_AT_ONCE
from evaluation.ranking.leaderboard import select
from evaluation.ranking.standings import count_scores
from evaluation.scoring.options import BoardOptions
from qc4.stats import compare_measures
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from work.models import StoredAnswer

POOR = {"mercury": (("p1", "p4", "p7"), ("p2", "p5", "p8")), "saturn": (("p1", "p3"),)}
WHOLE = {"mercury": (tuple(f"p{n}" for n in range(1, 9)),), "saturn": (("p1", "p2", "p3", "p4"),)}
MEASURES = "quality,coverage,bcubed_f"


def address(collection: Collection, kind: str = "-json") -> str:
    return reverse(f"measures-compared{kind}", args=[collection.slug])


@pytest.fixture
def three(owner: User, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    for name, answer in (("Good", GOOD_ANSWER), ("Poor", POOR), ("Whole", WHOLE)):
        submit(owner, name, answer)
    finish()


@pytest.mark.usefixtures("three")
class TestMeasures:
    def test_numbers_equal_the_engines(self, visit: Visit, owner: User, collection: Collection) -> None:
        answer = visit(owner).get(address(collection), {"measures": MEASURES, "draws": "500"}).json()
        found = select(collection, owner, BoardOptions(measures=tuple(MEASURES.split(","))))
        assert found.question is not None
        tables = {column.key: count_scores(found.question, one).values for column, one in found.tables().items()}
        names, keys = [one.algorithm.name for one in found.scored], [query.key for query in found.queries]
        assert np.isfinite(list(tables.values())).all()
        expected = compare_measures(tables, names, keys, draws=500, procedure="max-t")
        assert answer["result"] == expected.to_dict()

    def test_page_files_and_api_agree(self, visit: Visit, owner: User, collection: Collection) -> None:
        client, choice = visit(owner), {"measures": MEASURES, "draws": "500"}
        answer = client.get(address(collection), choice).json()
        api = client.get(reverse("api:measures-compared", args=[collection.slug]), choice).json()
        lines = list(csv.DictReader(io.StringIO(client.get(address(collection, "-csv"), choice).content.decode())))
        page = client.get(address(collection, ""), choice).content.decode()
        assert api == answer
        assert [float(line["tau"]) for line in lines] == [one["tau"] for one in answer["result"]["agreements"]]
        assert answer["sentence"] in page
        assert r"\toprule" in client.get(address(collection, "-tex"), choice).content.decode()
        for picture in ("", "power"):
            svg = client.get(address(collection, "-svg"), choice | {"picture": picture})
            assert svg.content.startswith(b"<svg xmlns")

    def test_worker_computes_once_for_page_files_and_api(
        self, visit: Visit, owner: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client, choice = visit(owner), {"measures": MEASURES, "draws": "500"}
        expected = client.get(address(collection), choice).json()
        leave_all_to_workers(monkeypatch)
        StoredAnswer.objects.all().delete()
        page = client.get(address(collection, ""), choice)
        assert 'hx-target="#found"' in page.content.decode()
        files = [client.get(address(collection, kind), choice) for kind in ("-json", "-csv", "-tex", "-svg")]
        api = reverse("api:measures-compared", args=[collection.slug])
        for answer in (*files, client.get(api, choice)):
            assert (answer.status_code, "Retry-After" in answer) == (202, True)
        assert compute_waiting_answers() == 1
        assert (
            "hx-target" not in client.get(address(collection, ""), choice).content.decode().partition('id="found"')[2]
        )
        assert client.get(address(collection), choice).json() == client.get(api, choice).json() == expected
        assert compute_waiting_answers() == 0

    def test_private_submission_has_no_effect_for_others(
        self,
        visit: Visit,
        owner: User,
        reader: User,
        collection: Collection,
        submit: Callable[..., object],
        finish: Callable[..., None],
    ) -> None:
        before = visit(reader).get(address(collection), {"draws": "500"}).json()
        submit(owner, "Secret", POOR, published=False)
        finish()
        after = visit(reader).get(address(collection), {"draws": "500"})
        assert after.json() == before
        assert "Secret" in visit(owner).get(address(collection), {"draws": "500"}).content.decode()

    def test_queries_without_values_are_excluded_with_a_reason(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        """Mercury has a page in two topics, so partition measures are undefined there; only saturn remains."""
        answer = visit(owner).get(address(collection), {"measures": "quality,coverage,ari", "draws": "500"}).json()
        assert answer["queries_left_out"] == [{"name": "Adjusted Rand", "why": "1 of 2 queries are excluded"}]
        assert answer["result"]["queries"] == 1
        assert set(answer["result"]["power"].values()) == {None}

    def test_default_measures_keep_as_many_queries_as_possible(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        """Adjusted Rand and NMI have no value on mercury; if they are chosen, only saturn is compared."""
        client = visit(owner)
        answer = client.get(address(collection), {"draws": "500"}).json()
        assert answer["result"]["queries"] == 2
        why = "would exclude 1 of 2 queries"
        assert answer["left_out_by_default"] == [
            {"name": name, "why": why} for name in ("Adjusted Rand", "NMI (geometric)")
        ]
        assert not {"ari", "nmi_sqrt"} & {column["measure"] for column in answer["measures"]}
        page = client.get(address(collection, ""), {"draws": "500"}).content.decode()
        assert "Adjusted Rand (would exclude 1 of 2 queries)" in page
        more = unescape(re.findall(r'<a href="([^"]+)">Include them</a>', page)[0])
        asked = client.get(more.replace("/measures/", "/measures.json")).json()
        assert (asked["result"]["queries"], asked["left_out_by_default"]) == (1, [])
        assert {"ari", "nmi_sqrt"} <= {column["measure"] for column in asked["measures"]}

    def test_ranking_measure_is_never_excluded(self, visit: Visit, owner: User, collection: Collection) -> None:
        answer = visit(owner).get(address(collection), {"draws": "500", "sort": "ari"}).json()
        assert [one["name"] for one in answer["left_out_by_default"]] == ["NMI (geometric)"]

    def test_too_many_measures_are_rejected(self, visit: Visit, owner: User, collection: Collection) -> None:
        answer = visit(owner).get(reverse("api:measures", args=[]))
        keys = [one["key"] for one in answer.json()["measures"]][: MEASURES_AT_ONCE + 1]
        for kind, status in (("", 400), ("-json", 400)):
            found = visit(owner).get(address(collection, kind), {"measures": ",".join(keys), "draws": "500"})
            assert found.status_code == status
            assert f"at most {MEASURES_AT_ONCE} at once" in found.content.decode()


def test_empty_comparison_suggests_what_to_do(visit: Visit, owner: User, collection: Collection) -> None:
    page = visit(owner).get(address(collection, "")).content.decode()
    assert "No algorithm has scores yet" in page
    assert "run the baselines" in page
