"""Works as BibTeX."""

import re

import pytest

from qc4.bibliography import QC4_BENCH, Work, bibtex, latex_text
from qc4.cli import main
from qc4.comparison import compare, comparison_bibtex
from qc4.measures.literature import WORKS, measure_bibtex, works_of
from qc4.measures.registry import REGISTRY, measure
from qc4.version import ENGINE_VERSION
from qc4.views.partition import PARTITION

ENTRY = re.compile(r"@(article|inproceedings|book|techreport|misc)\{([a-z0-9-]+),\n(  [a-z]+ = \{.*\},\n)+\}\n")
NEEDED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "book": {"author", "title", "publisher", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "misc": {"title"},
}


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{(.*),$", text, re.MULTILINE)


@pytest.mark.parametrize("found", REGISTRY.all(), ids=lambda found: found.key)
def test_every_measure_has_entries_that_bibtex_reads(found):
    text = measure_bibtex(found)
    assert text.isascii()
    assert text.count("{") == text.count("}")
    assert "".join(match.group() for match in ENTRY.finditer(text)).replace("\n", "") == text.replace("\n", "")
    assert keys(text)


def test_works_have_what_their_kind_needs_and_keys_of_their_own():
    assert len({work.key for work in WORKS}) == len(WORKS)
    for work in WORKS:
        assert NEEDED[work.kind] <= set(work.fields)
        assert work.fields["year"] in work.key or work is QC4_BENCH


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("ari", ["hubert1985"]),
        ("rand", ["rand1971"]),
        ("omega", ["collins1988"]),
        ("qc4_f", ["crabtree2007", "qc4bench"]),
        ("tau", ["milligan1981", "rohlf1974"]),
    ],
)
def test_a_measure_s_source_says_which_works(key, expected):
    assert keys(measure_bibtex(REGISTRY.get(key))) == expected


def test_years_of_works_are_those_of_the_sources():
    for found in REGISTRY.all():
        years = re.findall(r"\b(?:19|20)\d\d\b", found.source)
        assert not years or set(years) <= {work.fields["year"] for work in works_of(found)}


def test_a_source_of_which_no_work_is_known_is_given_as_it_is():
    with REGISTRY.temporary():
        facts = {"title": "New", "family": "pair-counting", "meaning": "m", "formula": "f"}
        measure(PARTITION, key="new_one", source="Nobody & None, A title, 2031", **facts)(lambda table: 0.0)
        text = measure_bibtex(REGISTRY.get("new_one"))
    assert "@misc{source-new_one," in text
    assert r"note = {Nobody \& None, A title, 2031}" in text


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("Kvålseth", r"Kv{\r a}lseth"),
        ("Büttcher & Meilă", r"B{\"u}ttcher \& Meil{\u a}"),
        ("Caliński", r"Cali{\'n}ski"),
        ("1–4", "1--4"),
        ("a_b 5 % {x}", r"a\_b 5 \% \{x\}"),
        ("Łódź 猫", r"{\L}{\'o}d{\'z} "),
    ],
)
def test_letters_of_latex(text, latex):
    assert latex_text(text) == latex


def test_groups_of_authors_stay_together():
    assert "  author = {{QC4 Bench contributors}},\n" in QC4_BENCH.bibtex
    assert ENGINE_VERSION in QC4_BENCH.bibtex
    assert bibtex([QC4_BENCH, Work("a", "misc", {"title": "T"}), QC4_BENCH]).count("@") == 2


def test_a_comparison_cites_what_it_used_and_nothing_else():
    scores = [[0.1, 0.5, 0.3], [0.2, 0.4, 0.6], [0.3, 0.3, 0.9]]
    plain = keys(comparison_bibtex(compare(scores, draws=100)))
    assert {"westfall1993", "boytsov2013", "piepho2004", "qc4bench"} <= set(plain)
    assert not {"mogstad2024", "holm1979", "carterette2012"} & set(plain)
    repeats = {"system 1": "A", "system 2": "A"}
    other = keys(comparison_bibtex(compare(scores, draws=100, procedure="holm", repeats=repeats)))
    assert {"henderson1953", "holm1979"} <= set(other)
    assert "boytsov2013" not in other
    assert "mogstad2024" in keys(comparison_bibtex(compare(scores, draws=100, procedure="marginal-ranks")))
    assert keys(comparison_bibtex(compare([[1.0], [2.0]]))) == ["qc4bench"]


def test_the_command_lists_the_works_of_all_measures(capsys):
    assert main(["list", "--format", "bibtex"]) == 0
    found = keys(capsys.readouterr().out)
    assert found == sorted({work.key for each in REGISTRY.all() for work in works_of(each)})
