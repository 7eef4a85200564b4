"""The works of the engine: strict reading of their file, citations and BibTeX."""

import re

import pytest

from qc4.bibliography import (
    SOFTWARE,
    bibtex,
    keys_in,
    latex_text,
    read_works,
    replace_keys_by_citations,
    work,
    works,
)
from qc4.cli import main
from qc4.inputs.partition import PARTITION
from qc4.measures.registry import REGISTRY, measure
from qc4.stats import compare, comparison_bibtex
from qc4.stats.tests import REGISTRY as PROCEDURES
from qc4.stats.wording import LETTERS, REPEATS
from qc4.version import ENGINE_VERSION
from tests.paths import ROOT

ENTRY = re.compile(r"@(article|inproceedings|book|techreport|misc)\{([a-z0-9-]+),\n(  [a-z]+ = \{.*\},\n)+\}\n")
NEEDED = {
    "article": {"author", "title", "journal", "volume", "pages", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "book": {"author", "title", "publisher", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "misc": {"author", "title", "year"},
}
ORDER = (
    *("author", "title", "journal", "booktitle", "series", "edition", "publisher", "institution", "howpublished"),
    *("volume", "number", "pages", "year", "doi"),
)


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{(.*),$", text, re.MULTILINE)


@pytest.mark.parametrize("found", works().values(), ids=lambda found: found.key)
def test_works_are_written_as_bibtex_for_every_version(found):
    text = found.bibtex
    assert text.isascii()
    assert text.count("{") == text.count("}")
    assert ENTRY.fullmatch(text)


@pytest.mark.parametrize("found", works().values(), ids=lambda found: found.key)
def test_works_have_the_fields_that_their_kind_needs(found):
    own = [name for name in found.fields if name != "note"]
    assert NEEDED[found.kind] <= set(own)
    assert own == [name for name in ORDER if name in own]
    assert found.fields["year"] in found.key or found.key == SOFTWARE
    assert re.fullmatch(r"\{\{?[^{}]+\}?\}", f"{{{found.fields['title']}}}")
    for author in found.fields["author"].split(" and "):
        assert re.fullmatch(r"\{[^{}]+\}|[^\W\d_][^,{}]+, (Jr\., )?[^\W\d_][^,{}]+", author), author
    doi = found.fields.get("doi")
    assert doi is None or re.fullmatch(r"10\.\d{4,5}/\S+", doi)


def test_works_are_sorted_by_key():
    """The software comes first. So there is only one place for a new work."""
    assert list(works()) == [SOFTWARE, *sorted(set(works()) - {SOFTWARE})]
    dois = [found.fields["doi"] for found in works().values() if "doi" in found.fields]
    assert len(set(dois)) == len(dois)


def test_every_work_is_cited_and_every_cited_work_exists():
    named = {SOFTWARE, LETTERS, REPEATS}
    for found in REGISTRY.all():
        assert found.works, found.key
        named |= set(found.works)
    for procedure in PROCEDURES.values():
        assert procedure.works
        named |= set(procedure.works)
    assert named == set(works())


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("ari", ["hubert1985"]),
        ("rand", ["rand1971"]),
        ("omega", ["collins1988"]),
        ("qc4_f", ["crabtree2007", "qc4bench"]),
        ("tau", ["milligan1981", "rohlf1974"]),
        ("pair_f(beta=0.5)", ["manning2008", "rijsbergen1979"]),
    ],
)
def test_source_of_a_measure_lists_its_works(key, expected):
    assert keys(REGISTRY.get(key).bibtex) == expected


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("rand1971", "Rand, Objective criteria for the evaluation of clustering methods, "
                     "Journal of the American Statistical Association 66, 1971"),
        ("zaki2020, 17.1.3", "Zaki & Meira, Data Mining and Machine Learning, 2nd ed., 2020, 17.1.3"),
        ("clarke2008", "Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008"),
        ("heller2005; qc4bench", "Heller & Ghahramani, Bayesian hierarchical clustering, ICML 2005; QC4 Bench"),
        ("vandongen2000", "van Dongen, Performance criteria for graph clustering and Markov cluster experiments, "
                          "CWI INS-R0012, 2000"),
        ("mcdaid2011", "McDaid, Greene & Hurley, Normalized mutual information to evaluate overlapping community "
                       "finding algorithms, arXiv:1110.2515, 2011"),
        ("pham2024, as named by heller2005", "Pham et al., TopicGPT, NAACL 2024, as named by Heller & Ghahramani, "
                                             "Bayesian hierarchical clustering, ICML 2005"),
    ],
)  # fmt: skip
def test_keys_in_a_source_are_replaced_by_citations(source, words):
    assert replace_keys_by_citations(source) == words
    assert set(keys_in(source)) <= set(works())


def test_source_with_an_unknown_key_raises():
    facts = {"title": "New", "family": "pair-counting", "meaning": "m", "formula": "f", "source": "nobody2031"}
    declare = measure(PARTITION, key="new_one", **facts)
    with pytest.raises(ValueError, match="no work has the key 'nobody2031'"):
        declare(lambda table: 0.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("  year = {1971},", "  year = 1971,"), "line "),
        (("@article{rand1971,", "article rand1971"), "line "),
        (("@article{rand1971,", "@article{rohlf1974,"), "rohlf1974, or one of its fields, is there twice"),
        (("  volume = {66},", "  year = {1971},"), "rand1971, or one of its fields, is there twice"),
    ],
)
def test_file_in_another_layout_raises(change, message):
    text = (ROOT / "qc4" / "references.bib").read_text(encoding="utf-8")
    assert set(read_works(text)) == set(works())
    with pytest.raises(ValueError, match=message):
        read_works(text.replace(*change))


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
def test_latex_text_is_ascii(text, latex):
    assert latex_text(text) == latex


def test_groups_of_authors_stay_together():
    assert "  author = {{QC4 Bench contributors}},\n" in work(SOFTWARE).bibtex
    assert ENGINE_VERSION in work(SOFTWARE).bibtex
    assert bibtex([SOFTWARE, "rand1971", SOFTWARE]).count("@") == 2


def test_doi_is_unchanged():
    assert "  doi = {10.1207/s15327906mbr2302_6},\n" in work("collins1988").bibtex


def test_comparison_cites_only_the_works_it_used():
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
    assert found == sorted({key for each in REGISTRY.all() for key in each.works})
