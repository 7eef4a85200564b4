"""The form of options on comparison pages: all pages have it, it keeps every option, and it has scoring options."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Algorithm, RunColumn
from evaluation.scoring.columns import columns
from evaluation.scoring.options import BoardOptions
from qc4.model.policies import Policies
from tests.fixtures.pages import Visit
from tests.profiles import thorough
from tests.samples.scores import give, many_queries

PAGES = ("leaderboard", "compare", "heat-map", "trade-off", "measures-compared", "robustness", "topic-coverage")
KEYS = ("q001", "q003", "q004", "q005", "q006")


class Picker(HTMLParser):
    """Parser for the (name, value) pairs that a browser would send from the form with the class ``picker``."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self._inside, self._select = False, ""
        self._option: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = "picker" in of.get("class", "").split()
        if not self._inside:
            return
        if tag == "input" and (of.get("type") != "checkbox" or "checked" in of):
            self.sent.append((of["name"], of.get("value", "")))
        elif tag == "select":
            self._select, self._option = of["name"], None
        elif tag == "option" and ("selected" in of or self._option is None):
            self._option = of["value"]

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag == "select":
            self.sent.append((self._select, self._option or ""))
        if tag == "form":
            self._inside = False

    @property
    def choice(self) -> BoardOptions:
        query = QueryDict(mutable=True)
        for name, value in self.sent:
            query.appendlist(name, value)
        return BoardOptions.of_one_measure(query)


@pytest.fixture
def scored(owner: User) -> Collection:
    """Three algorithms on six queries, scored with the default options."""
    found = many_queries(owner, 6)
    values = {"A": (0.9, 0.8), "B": (0.5, 0.6), "C": (0.2, 0.1)}
    give(found, {name: [high, low] * 3 for name, (high, low) in values.items()}, owner)
    return found


@pytest.mark.parametrize("name", PAGES)
class TestEveryPage:
    def test_form_submits_the_options_shown(self, visit: Visit, owner: User, scored: Collection, name: str) -> None:
        ids = list(Algorithm.objects.filter(collection=scored).order_by("pk").values_list("pk", flat=True))
        asked = {
            "measures": "qc4_f,ari", "sort": "qc4_f", "level": "1", "missing": "skip", "query": list(KEYS),
            "algorithms": f"{ids[0]},{ids[1]}", "overlap": "first", "unclustered": "drop", "alpha": "0.1",
            "draws": "500", "seed": "7", "procedure": "holm", "equivalence_margin": "0.02",
        }  # fmt: skip
        page = visit(owner).get(reverse(name, args=[scored.slug]), asked).content.decode()
        sent = Picker(page)
        assert sent.choice.policies == Policies(overlap="first", unclustered="drop")
        assert sent.choice.method == BoardOptions.read(_query(asked)).method
        for fact in ("measures", "level", "missing", "queries", "algorithms"):
            assert getattr(sent.choice, fact) == getattr(BoardOptions.read(_query(asked)), fact), fact
        names = [one for one, _ in sent.sent]
        for once in ("overlap", "outliers", "unclustered", "level", "gold", "missing", "sort", "alpha"):
            assert names.count(once) <= 1, once

    def test_tabs_carry_scoring_options_to_other_pages(
        self, visit: Visit, owner: User, scored: Collection, name: str
    ) -> None:
        page = visit(owner).get(reverse(name, args=[scored.slug]), {"outliers": "topic"}).content.decode()
        tabs = re.search(r'<nav class="compare-tabs".*?</nav>', page, re.DOTALL)
        assert tabs is not None
        links = re.findall(r'href="([^"]*)"', unescape(tabs[0]))
        assert len(links) == len(PAGES)
        assert all(parse_qs(urlsplit(link).query)["outliers"] == ["topic"] for link in links)

    @thorough("every tab of every comparison")
    def test_tabs_work_for_any_chosen_algorithms(
        self, visit: Visit, owner: User, scored: Collection, name: str
    ) -> None:
        client = visit(owner)
        ids = list(map(str, Algorithm.objects.filter(collection=scored).values_list("pk", flat=True)))
        for chosen in ([], ids[:2], *([] if name == "robustness" else [ids])):  # that page compares two
            page = client.get(reverse(name, args=[scored.slug]), {"algorithms": ",".join(chosen)}).content.decode()
            tabs = re.search(r'<nav class="compare-tabs".*?</nav>', page, re.DOTALL)
            assert tabs is not None
            for link in re.findall(r'href="([^"]*)"', unescape(tabs[0])):
                assert client.get(link).status_code == 200, link

    def test_missing_scores_can_be_requested_on_the_page(
        self, visit: Visit, owner: User, reader: User, scored: Collection, name: str
    ) -> None:
        client, address = visit(owner), reverse(name, args=[scored.slug])
        page = client.get(address, {"outliers": "topic"}).content.decode()
        assert "3 submissions have no scores against gold v1 with" in page
        assert "submissions have no scores" not in client.get(address).content.decode()
        post = re.search(r'action="([^"]*/score/[^"]*)"', page)
        assert post is not None
        sent = {"gold": "1", "page": name, "overlap": "refuse", "outliers": "topic", "unclustered": "singletons"}
        assert f'name="page" value="{name}"' in page
        back = client.post(unescape(post[1]), sent)["Location"]
        assert urlsplit(back).path == address
        assert parse_qs(urlsplit(back).query)["outliers"] == ["topic"]


@pytest.mark.parametrize("name", PAGES)
def test_responses_and_methods_name_the_scoring_options(
    visit: Visit, owner: User, scored: Collection, name: str
) -> None:
    """Methods sentences name the options that differ from the defaults; responses have all three."""
    client, chosen = visit(owner), {"outliers": "topic", "measures": "qc4_f,quality", "draws": "200"}
    values = {"A": [0.9, 0.8] * 3, "B": [0.5, 0.6] * 3, "C": [0.2, 0.1] * 3}
    give(scored, values, owner, policies=Policies(outliers="topic"))
    place = columns(("quality",), "", 2)[0].place
    for row in RunColumn.objects.all():
        row.pk, (row.measure, row.level, row.depth) = None, place
        row.save()
    for address in (reverse(f"{name}-json", args=[scored.slug]), reverse(f"api:{name}", args=[scored.slug])):
        answer = client.get(address, chosen).json()
        assert answer["policies"] == Policies(outliers="topic").to_dict()
        assert "policies outliers topic;" in answer["methods"]
        by_default = client.get(address, chosen | {"outliers": "drop"}).json()
        assert by_default["policies"] == Policies().to_dict()
        assert "policies" not in by_default["methods"]


def test_scoring_does_not_redirect_to_other_pages(visit: Visit, owner: User, scored: Collection) -> None:
    sent = {"gold": "1", "page": "runs", "outliers": "topic", "overlap": "refuse", "unclustered": "singletons"}
    answer = visit(owner).post(reverse("score", args=[scored.slug]), sent)
    assert urlsplit(answer["Location"]).path == reverse("leaderboard", args=[scored.slug])


def _query(asked: dict[str, object]) -> QueryDict:
    query = QueryDict(mutable=True)
    for name, value in asked.items():
        query.setlist(name, value if isinstance(value, list) else [value])
    return query
