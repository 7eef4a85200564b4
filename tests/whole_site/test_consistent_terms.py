"""One word for one thing: an algorithm is compared, by QC4-F, on every page and in every file of the site."""

from __future__ import annotations

import json
import re
from argparse import _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.management.console import summary_table
from evaluation.models import Submission
from qc4.cli import main
from qc4.cli.arguments import parser
from qc4.measures.registry import REGISTRY
from studies.__main__ import main as studies_main
from studies.behaviour import stored_study
from tests.fixtures.pages import Visit
from tests.paths import DOCS, ROOT
from tests.samples.scores import give, many_queries

MEANS = {"Lingo": 0.7, "STC": 0.5, "K-means": 0.3}
PAGES = (
    "collections",
    "collection",
    "leaderboard",
    "compare",
    "measures-compared",
    "robustness",
    "heat-map",
    "trade-off",
)
FILES = (
    ("compare-tex", ""),
    ("compare-svg", "against"),
    ("compare-svg", "matrix"),
    ("compare-svg", "differences"),
    ("leaderboard-tex", ""),
    ("measures-compared-svg", ""),
    ("measures-compared-tex", ""),
    ("robustness-svg", ""),
    ("robustness-tex", ""),
)
SYSTEM = re.compile(r"\bsystems?\b", re.IGNORECASE)
ADDRESSES = re.compile(r'(href|src|action)="[^"]*"')


@pytest.fixture
def compared(owner: User) -> Collection:
    """Three algorithms on ten queries by three measures that say the same."""
    collection = many_queries(owner, 10, public=True)
    scores = {name: [mean + 0.01 * (place * 3 % 7) for place in range(10)] for name, mean in MEANS.items()}
    for submission in give(collection, scores, owner).values():
        column = submission.runs.get().columns.get()
        for column.measure in ("quality", "coverage"):
            column.pk = None
            column.save(force_insert=True)
    return collection


@pytest.mark.parametrize("name", PAGES)
def test_pages_speak_of_algorithms(visit: Visit, compared: Collection, name: str) -> None:
    address = reverse(name, args=[] if name == "collections" else [compared.slug])
    answer = visit(None).get(address, {"draws": "200"} if name != "collections" else {})
    assert answer.status_code == 200
    said = ADDRESSES.sub("", answer.content.decode())
    assert "lgorithm" in said
    assert [said[max(0, one.start() - 120) : one.end() + 60] for one in SYSTEM.finditer(said)] == []


@pytest.mark.parametrize(("name", "picture"), FILES)
def test_files_for_papers_speak_of_algorithms(visit: Visit, compared: Collection, name: str, picture: str) -> None:
    answer = visit(None).get(reverse(name, args=[compared.slug]), {"picture": picture} if picture else {})
    assert answer.status_code == 200
    assert SYSTEM.findall(answer.content.decode()) == []


# What people read: neither addresses and values of forms nor what is to be typed as it stands.
TYPED = re.compile(r"<(code|pre|script|option|textarea)\b.*?</\1>|<[^>]+>", re.DOTALL)
NAMED = ("qc4_f", "bcubed_f", "nmi_sqrt")
KEYS = re.compile(rf"\b({'|'.join(NAMED)})\b")
EVERY_PAGE = (*PAGES, "topic-coverage", "model-selection", "submit", "gold-publish", "curate", "people")


@pytest.mark.parametrize("name", EVERY_PAGE)
def test_pages_call_measures_by_their_titles(visit: Visit, owner: User, compared: Collection, name: str) -> None:
    address = reverse(name, args=[] if name == "collections" else [compared.slug])
    answer = visit(owner).get(address, {"draws": "200"} if name in {"leaderboard", "compare"} else {})
    assert KEYS.findall(TYPED.sub(" ", answer.content.decode())) == []


@pytest.mark.parametrize("name", ["submission", "why", "query", "draft"])
def test_pages_of_one_thing_do_too(visit: Visit, owner: User, scored: Submission, name: str) -> None:
    key = scored.clusterings.first().query.key  # type: ignore[union-attr]  # it has some
    args = {"submission": [scored.pk], "why": [scored.pk, key], "query": [scored.collection.slug, key]}
    if name == "draft":
        address = reverse("drafts", args=[scored.collection.slug, key])
    else:
        address = reverse(name, args=args[name])
    said = TYPED.sub(" ", visit(owner).get(address).content.decode())
    assert KEYS.findall(said) == []


def test_documents_and_commands_do_too() -> None:
    for path in sorted((DOCS / "users").glob("*.md")):
        prose = re.sub(r"```.*?```|`[^`]*`", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert KEYS.findall(prose) == [], path.name
    assert KEYS.findall(summary_table([])) == []


def sentences(shape: object) -> Iterator[str]:
    """Whatever a schema says in words."""
    inner = shape.items() if isinstance(shape, dict) else enumerate(shape) if isinstance(shape, list) else ()
    for name, value in inner:
        if name in ("description", "summary") and isinstance(value, str):
            yield value
        else:
            yield from sentences(value)


def test_the_reference_of_the_api_calls_them_so_too() -> None:
    """Keys are code there, among the values of a field, or quoted as words of answers."""
    said = "\n".join(sentences(yaml.load((DOCS / "api" / "openapi.yaml").read_text(), yaml.CSafeLoader)))
    assert "QC4-F" in said
    assert KEYS.findall(re.sub(r'\* `(\w+)` - \1|`[^`]*`|"[^"]*"', " ", said)) == []


GOLD, ANSWER, OTHER = (
    str(ROOT / "demo" / place)
    for place in ("collection/crane.gold.json", "submissions/branchwise.json", "submissions/broadbrush.csv")
)
PRINTED = {
    "score": ("score", GOLD, ANSWER, "--explain"),
    "score.csv": ("score", GOLD, ANSWER, "--format", "csv"),
    "calibrate": ("calibrate", GOLD, ANSWER, "--draws", "5"),
    "calibrate.csv": ("calibrate", GOLD, ANSWER, "--draws", "5", "--format", "csv"),
    "what-if": ("what-if", GOLD, ANSWER, "--drop", "1.1", "-m", "qc4_f,nmi_sqrt,bcubed_f"),
    "what-if, each": ("what-if", GOLD, ANSWER),
    "alike": ("alike", ANSWER, OTHER, "--query", "crane"),
    "alike.csv": ("alike", ANSWER, OTHER, "--query", "crane", "--format", "csv"),
    "check": ("check", GOLD),
    "list": ("list",),
    "compare": ("compare", "scores.csv", "--draws", "100"),
    "compare.csv": ("compare", "scores.csv", "--draws", "100", "--format", "csv"),
    "f-of-means": ("f-of-means", "scores.csv", "scores.csv", "--draws", "100"),
    "f-of-means.csv": ("f-of-means", "scores.csv", "scores.csv", "--draws", "100", "--format", "csv"),
    "robustness": ("robustness", "a=scores.csv", "b=scores.csv", "--draws", "100"),
    "where": ("where", "scores.csv", "facts.csv", "--draws", "100"),
    "pac-mdl": ("pac-mdl", GOLD, "sweep.jsonl"),
}
STUDIES = {"study": ("behaviour",), "study, Markdown": ("behaviour", "--format", "markdown")}


@pytest.mark.parametrize("name", [*PRINTED, *STUDIES])
def test_the_engine_calls_them_by_their_titles(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Keys stand where they are told with their titles, for options to be typed, and in the column `measure` of CSV."""
    monkeypatch.setattr("studies.behaviour.command.run_study", stored_study)  # its computing is tested by itself
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text("query,STC,Lingo,K\na,.5,.4,.2\nb,.6,.5,.3\nc,.7,.3,.1\n")
    Path("facts.csv").write_text("query,topics\na,1\nb,2\nc,3\n")
    answer = {"format": "qc4-clustering/1", "query": "crane", "algorithm": "A", "clusters": []}
    Path("sweep.jsonl").write_text(json.dumps(answer))
    assert (studies_main(STUDIES[name]) if name in STUDIES else main([*PRINTED[name]])) == 0
    said = capsys.readouterr().out
    if name.endswith(".csv"):
        said = said.partition("\n")[0]
    told = re.compile("|".join(rf"\b{key} .*{re.escape(REGISTRY.get(key).title)}" for key in NAMED))
    written = re.compile("|".join(re.escape(each.pattern) for each in REGISTRY.parametrised()))
    assert KEYS.findall(written.sub("", told.sub("", said))) == []


def test_every_command_of_the_engine_is_read() -> None:
    (choices,) = (one.choices for one in parser("qc4")._actions if isinstance(one, _SubParsersAction))
    assert {words[0] for words in PRINTED.values()} == set(choices) - {"stream"}  # which knows other measures
