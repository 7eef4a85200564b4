"""One family of pairs and one critical value: all ranks on pages and in files follow from them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from functools import cache
from html import unescape
from itertools import combinations
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.baselines import run
from evaluation.models import Algorithm
from qc4.scoring.scoring import score
from qc4.stats import (
    SystemResult,
    behind_words,
    interval_words,
    number,
    p_number,
    place_words,
    row_sentence,
    signed_number,
)
from tests.demo.test_demo_scores import DOCUMENTS, EVERY, GOLDS, REAL, in_order
from tests.fixtures.pages import Visit
from tests.page_text import words
from tests.samples.scores import give

pytestmark = pytest.mark.django_db

NAMES = dict(zip(EVERY, ("Pebble", "Broadbrush", "Lantern", "Hasty Hash", "Branchwise", "Phrase Loom"), strict=True))
FACTS = ("rank", "rank_low", "rank_high", "could_be_best", "behind", "behind_low", "behind_high")
Answer = Mapping[str, Any]


@cache
def scores(with_baselines: bool) -> dict[str, list[float]]:
    """Return the QC4-F of the demo's six submissions and, if wanted, of the eight built-in baselines."""
    answers = {NAMES[name]: in_order(name) for name in EVERY}
    if with_baselines:
        # The seed is that of runs on the site.
        answers |= {key: tuple(run(key, one, GOLDS[one.query_id], seed=0) for one in DOCUMENTS) for key in REAL}
    measured = {
        name: [score(GOLDS[one.query], one, ["qc4_f"]).value("qc4_f") for one in found]
        for name, found in answers.items()
    }
    return {name: [value or 0.0 for value in values] for name, values in measured.items()}


@pytest.fixture(params=[False, True], ids=["six submissions", "with the baselines"])
def demo(request: pytest.FixtureRequest, owner: User) -> Collection:
    """The demo's scores, with reference clusterings that no statistical test may include."""
    collection = import_documents(name="Demo", documents=DOCUMENTS, user=owner, public=True)
    give(collection, scores(request.param), owner)
    give(collection, {"Gold standard": [1.0] * 12, "Singletons": [0.45, 0.48] * 6}, owner)
    for name, key in (("Gold standard", "gold"), ("Singletons", "singletons")):
        Algorithm.objects.filter(collection=collection, name=name).update(baseline=key)
    return collection


def get(visit: Visit, collection: Collection, name: str, **choice: object) -> str:
    answer = visit(None).get(reverse(name, args=[collection.slug]), {"measures": "qc4_f", **choice})
    assert answer.status_code == 200, answer.content[:500]
    return answer.content.decode()


def read(visit: Visit, collection: Collection, name: str, **choice: object) -> Answer:
    answer: Answer = visit(None).get(reverse(name, args=[collection.slug]), {"measures": "qc4_f", **choice}).json()
    return answer


def ranked(board: Answer) -> dict[str, Answer]:
    return {row["algorithm"]: row for row in board["rows"] if row["rank"] is not None}


def system(row: Answer) -> SystemResult:
    facts = {fact: row[fact] for fact in FACTS}
    name, mean = row["algorithm"], row["scores"]["qc4_f"]["value"]
    return SystemResult(name, mean, **facts, compact_letter_display=row["compact_letter_display"])


def hold(found: Answer) -> None:
    """Check the invariants that one critical value implies for a comparison of all pairs."""
    alpha, systems = found["alpha"], {one["system"]: one for one in found["systems"]}
    beaten: dict[str, set[str]] = {name: set() for name in systems}
    for pair in found["pairs"]:
        better = pair["verdict"] == "better"
        assert better == (pair["p_adjusted"] <= alpha) == (pair["low"] > 0)
        assert pair["p"] <= pair["p_adjusted"]
        reach = found["critical_value"] * pair["standard_error"]
        assert (pair["low"], pair["high"]) == pytest.approx((pair["difference"] - reach, pair["difference"] + reach))
        letters = [set(systems[pair[end]]["compact_letter_display"]) for end in "ab"]
        assert better == (not letters[0] & letters[1])
        if better:
            beaten[pair["b"]].add(pair["a"])
            assert systems[pair["a"]]["rank_low"] < systems[pair["b"]]["rank_low"]
            assert systems[pair["a"]]["rank_high"] < systems[pair["b"]]["rank_high"]
        else:
            assert pair["required_queries"] is None or pair["required_queries"] > pair["queries"]
    for name, one in systems.items():
        assert all(beaten[other] <= beaten[name] for other in beaten[name])  # "better" is transitive
        assert one["rank_low"] == 1 + len(beaten[name])
        assert one["rank_high"] == len(systems) - sum(name in others for others in beaten.values())
        assert one["rank_low"] <= one["rank"] <= one["rank_high"]
        assert one["could_be_best"] == (one["rank_low"] == 1) == (one["behind_low"] == 0)
        assert one["behind_low"] <= one["behind"] <= one["behind_high"]
    for one, other in combinations(systems.values(), 2):
        if one["rank_high"] < other["rank_low"]:
            assert one["system"] in beaten[other["system"]]
    n_best = sum(one["could_be_best"] for one in systems.values())
    assert (n_best == len(systems)) == (not any(beaten.values()))


def test_leaderboard_and_compare_page_use_the_same_comparison(visit: Visit, demo: Collection) -> None:
    board = read(visit, demo, "leaderboard-json")
    rows, k = ranked(board), len(scores(demo_has_baselines(demo)))
    everybody = ",".join(str(row["algorithm_id"]) for row in rows.values())
    found = read(visit, demo, "compare-json", algorithms=everybody)["comparison"]
    hold(found)
    assert len(rows) == k
    assert (board["family"], board["family_size"]) == ("all", k * (k - 1) // 2)
    assert (found["family"], found["family_size"]) == (board["family"], board["family_size"])
    assert found["critical_value"] == board["critical_value"]
    assert found["any_difference_p"] == board["any_difference_p"]
    for one in found["systems"]:
        row = rows[one["system"]]
        assert {fact: row[fact] for fact in FACTS} == {fact: one[fact] for fact in FACTS}
        assert row["compact_letter_display"] == one["compact_letter_display"]
        assert row["scores"]["qc4_f"]["value"] == one["mean"]
    assert read(visit, demo, "api:leaderboard") == board
    few = read(visit, demo, "compare-json")  # the best of the leaderboard
    assert few["sentence"] == board["sentence"]
    shown = {one["system"] for one in few["comparison"]["systems"]}
    assert few["comparison"]["pairs"] == [pair for pair in found["pairs"] if {pair["a"], pair["b"]} <= shown]


def demo_has_baselines(collection: Collection) -> bool:
    return collection.algorithms.count() > 10


def test_leaderboard_page_and_files_agree(visit: Visit, demo: Collection) -> None:
    board = read(visit, demo, "leaderboard-json")
    rows = ranked(board)
    page, latex = get(visit, demo, "leaderboard"), get(visit, demo, "leaderboard-tex")
    home = visit(None).get(reverse("collections")).content.decode()
    lines = {line["algorithm"]: line for line in csv.DictReader(io.StringIO(get(visit, demo, "leaderboard-csv")))}
    assert board["sentence"] in words(page)
    assert board["sentence"] in words(home)
    assert board["sentence"] in latex.replace(r"\%", "%")
    for name, row in rows.items():
        of, line = system(row), lines[name]
        cells = row_cells(page, name)
        assert cells[1].split()[0] == place_words(of)
        assert ("could be the best" in cells[1]) == of.could_be_best
        assert f'aria-label="{row_sentence(of)}"' in page
        assert number(of.mean) in cells[3]
        tex = next(one for one in latex.splitlines() if f"& {name} &" in one.replace(r"\_", "_"))
        assert tex.split("&")[0].strip() == place_words(of, "--")
        assert f"& {behind_words(of).replace(' to ', '--')} " in tex
        for fact in FACTS[1:]:
            expected = row[fact]
            shown = line[fact] == "true" if isinstance(expected, bool) else float(line[fact])
            assert shown == expected
        assert float(line["critical_value"]) == board["critical_value"]
    drawn = [name for name in rows if f'<bdi title="{name}">' in home]
    assert len(drawn) >= 6
    for name in drawn:
        assert row_sentence(system(rows[name])) in words(home)
    for name in ("Gold standard", "Singletons"):
        assert row_cells(page, name)[1] == "–"
        assert name not in board["sentence"]
        assert f'<bdi title="{name}">' not in home


def row_cells(page: str, name: str) -> list[str]:
    row = next(row for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL) if f"<bdi>{name}</bdi></a>" in unescape(row))
    row = re.sub(r"<svg.*?</svg>", "", row, flags=re.DOTALL)
    return [words(cell) for cell in re.findall(r"<t[dh][ >].*?</t[dh]>", row, re.DOTALL)]


def test_compare_page_and_files_agree(visit: Visit, demo: Collection) -> None:
    answer = read(visit, demo, "compare-json")
    found = answer["comparison"]
    page, svg = get(visit, demo, "compare"), get(visit, demo, "compare-svg", picture="behind")
    assert answer["sentence"] in words(page)
    assert answer["sentence"] in unescape(svg)
    matrix = page.split('class="data pair-matrix"')[1].split("</table>")[0]
    cell = r'<td class="shade-\d( is-apart)?">.*?title="([^"]*)">([^<]*)<span\s+class="counts-cell">([^<]*)<'
    cells = re.findall(cell, matrix, re.DOTALL)
    assert len(cells) == len(found["pairs"])
    by_place = [answer["algorithms"][place]["name"] for place in range(len(answer["algorithms"]))]
    pairs = {frozenset((pair["a"], pair["b"])): pair for pair in found["pairs"]}
    for (bold, title, difference, p), (a, b) in zip(cells, combinations(by_place, 2), strict=True):
        pair = pairs[frozenset((a, b))]
        assert bool(bold) == (pair["verdict"] == "better")
        assert unescape(title).endswith(interval_words(pair["low"], pair["high"]))
        assert unescape(p) == p_number(pair["p_adjusted"], found["alpha"])
        assert unescape(difference) == signed_number(pair["difference"])
    lines = list(csv.DictReader(io.StringIO(get(visit, demo, "compare-csv"))))
    assert [float(line["p_adjusted"]) for line in lines] == [pair["p_adjusted"] for pair in found["pairs"]]
    latex = get(visit, demo, "compare-tex")
    for one in found["systems"]:
        of = SystemResult(**one)
        assert f"{of.system}: {row_sentence(of)}" in unescape(svg)
        assert place_words(of, "--") in next(
            line for line in latex.splitlines() if of.system.replace("_", r"\_") in line
        )


def test_chosen_row_changes_the_picture_but_no_test(visit: Visit, demo: Collection) -> None:
    plain = read(visit, demo, "compare-json")
    other = plain["algorithms"][4]["id"]
    chosen = read(visit, demo, "compare-json", row=other)
    assert chosen["comparison"] == plain["comparison"]
    assert f"Differences from <bdi>{plain['algorithms'][4]['name']}" in get(visit, demo, "compare", row=other)
    assert f"row={other}" in chosen["permalink"]


def test_fewer_algorithms_keep_the_leaderboards_family_by_default(visit: Visit, demo: Collection) -> None:
    board = read(visit, demo, "leaderboard-json")
    ids = [row["algorithm_id"] for row in list(ranked(board).values())[:3]]
    some = ",".join(map(str, ids))
    kept = read(visit, demo, "compare-json", algorithms=some)
    assert kept["comparison"]["critical_value"] == board["critical_value"]
    assert kept["sentence"] == board["sentence"]
    page = words(get(visit, demo, "compare", algorithms=some))
    assert f"as on the leaderboard: {board['family_size']} pairs · only these 3" in page
    only = read(visit, demo, "compare-json", algorithms=some, family="shown")
    assert only["comparison"]["family_size"] == 3
    assert only["comparison"]["critical_value"] < board["critical_value"]
    assert "family=shown" in only["permalink"]
    hold(only["comparison"])
    assert "only these 3: 3 pairs" in words(get(visit, demo, "compare", algorithms=some, family="shown"))
    narrowed = read(visit, demo, "leaderboard-json", algorithms=some)
    assert [row["rank_high"] for row in narrowed["rows"]] == [
        row["rank_high"] for row in list(ranked(board).values())[:3]
    ]


def pk(collection: Collection, name: str) -> int:
    return collection.algorithms.get(name=name).pk


def test_demo_comparison_has_known_values(visit: Visit, demo: Collection) -> None:
    board, rows = (found := read(visit, demo, "leaderboard-json")), ranked(found)
    both = f"{pk(demo, 'Lantern')},{pk(demo, 'Broadbrush')}"
    (pair,) = read(visit, demo, "compare-json", algorithms=both)["comparison"]["pairs"]
    alone = read(visit, demo, "compare-json", algorithms=both, family="pair")["comparison"]
    assert (alone["family"], alone["critical_value"]) == ("pair", pytest.approx(2.227142, abs=1e-6))
    assert (alone["pairs"][0]["low"], alone["pairs"][0]["high"]) == pytest.approx((0.066806, 0.264709), abs=1e-6)
    assert pair["p"] == pytest.approx(0.005371, abs=1e-6)
    if demo_has_baselines(demo):
        assert board["critical_value"] == pytest.approx(4.814027, abs=1e-6)
        assert pair["verdict"] == "not separated"
        assert (pair["p_adjusted"], pair["low"], pair["high"]) == pytest.approx(
            (0.178223, -0.048129, 0.379644), abs=1e-6
        )
        assert (rows["Broadbrush"]["rank_low"], rows["Broadbrush"]["rank_high"]) == (1, 12)
        assert sum(row["could_be_best"] for row in rows.values()) == 5
        return
    assert board["critical_value"] == pytest.approx(3.667503, abs=1e-6)
    assert (pair["p_adjusted"], pair["low"], pair["high"]) == pytest.approx((0.047852, 0.002811, 0.328705), abs=1e-6)
    places = {name: (row["rank_low"], row["rank_high"]) for name, row in rows.items()}
    assert places == {
        "Lantern": (1, 4), "Pebble": (1, 5), "Branchwise": (1, 5), "Phrase Loom": (1, 5), "Broadbrush": (2, 5),
        "Hasty Hash": (6, 6),
    }  # fmt: skip
    assert rows["Lantern"]["behind_high"] == pytest.approx(0.171025, abs=1e-6)
    assert rows["Broadbrush"]["behind_low"] == pytest.approx(0.002811, abs=1e-6)
    against = read(visit, demo, "leaderboard-json", baseline=pk(demo, "Broadbrush"))
    assert (against["family"], against["critical_value"]) == ("baseline", pytest.approx(2.941815, abs=1e-6))
    assert all(row["rank_low"] is None and row["behind_low"] is None for row in against["rows"])


def test_pair_tested_alone_says_so(visit: Visit, demo: Collection) -> None:
    both = f"{pk(demo, 'Lantern')},{pk(demo, 'Broadbrush')}"
    alone = words(get(visit, demo, "compare", algorithms=both, family="pair"))
    assert "this pair tested alone, p = .0054" in alone
    assert "This pair is tested alone." in alone
    kept = words(get(visit, demo, "compare", algorithms=both))
    size = 91 if demo_has_baselines(demo) else 15
    assert f"all {size} pairs taken together" in kept


def test_unknown_family_is_rejected(visit: Visit, demo: Collection) -> None:
    for choice, code in (({"family": "best"}, "unknown-choice"), ({"family": "pair"}, "no-pair")):
        answer = visit(None).get(reverse("api:compare", args=[demo.slug]), choice)
        assert answer.status_code == 400
        assert answer.json()["error"]["problems"][0]["code"] in {code, "invalid-choice"}


def test_one_query_gives_ranks_and_no_places(visit: Visit, owner: User) -> None:
    collection = import_documents(name="Single", documents=DOCUMENTS[:1], user=owner, public=True)
    give(collection, {"Ant": [0.5], "Bee": [0.5], "Cat": [0.4]}, owner)
    sentence = (
        "Ant and Bee have the best mean of 3 algorithms, on 1 query; one query says nothing about others: means only."
    )
    page, latex = get(visit, collection, "leaderboard"), get(visit, collection, "leaderboard-tex")
    assert sentence in words(page)
    assert sentence in latex
    assert [row_cells(page, name)[1] for name in ("Ant", "Bee", "Cat")] == ["1", "1", "3"]
    assert "By the mean alone" in page
    for phrase in ("pairs together", "could be the best", "Behind the best"):
        assert phrase not in words(page)
        assert phrase not in latex


def test_few_queries_give_places_but_no_bars(visit: Visit, owner: User) -> None:
    collection = import_documents(name="Few", documents=DOCUMENTS[:4], user=owner, public=True)
    give(collection, {"Ant": [0.5, 0.6, 0.7, 0.8], "Bee": [0.4, 0.5, 0.5, 0.7]}, owner)
    page = get(visit, collection, "leaderboard")
    assert "Fewer than 6 queries allow no verdict." in words(page)
    assert "Bar:" not in words(page)
    assert [row_cells(page, name)[1].split()[0] for name in ("Ant", "Bee")] == ["1–2", "1–2"]


def test_table_of_all_numbers_agrees_with_sentences(visit: Visit, demo: Collection) -> None:
    page = words(get(visit, demo, "compare"))
    found = read(visit, demo, "compare-json")["comparison"]
    assert any((pair["required_queries"] or 0) > 10_000 for pair in found["pairs"])
    assert "too many" in page
    assert not any(
        str(pair["required_queries"]) in page for pair in found["pairs"] if (pair["required_queries"] or 0) > 10_000
    )
    assert "not separated" not in page
