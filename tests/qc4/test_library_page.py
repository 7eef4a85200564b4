"""docs/users/library.md: its examples run and print the output that it shows."""

import re

import pytest

import qc4
from tests.paths import DOCS, ROOT
from tests.qc4.library_page import Example, examples, run

PAGE = DOCS / "users" / "library.md"


def test_every_example_prints_the_output_shown_below_it():
    assert run(PAGE) == len(examples(PAGE)) > 10


def test_page_covers_every_exported_name():
    text = PAGE.read_text(encoding="utf-8")
    makers = {f"{kind.__name__}.{name}" for kind in (qc4.GoldStandard, qc4.Clustering) for name in vars(kind)}
    functions = {name for name in qc4.__all__ if callable(getattr(qc4, name)) and name[0].islower()}
    promised = {name for name in makers if ".from_" in name} - {"GoldStandard.from_hierarchy"} | functions
    assert {name for name in promised if not re.search(rf"\b{re.escape(name)}\(", text)} == set()


def test_every_error_code_of_python_arguments_is_explained():
    folder = ROOT / "qc4"
    sources = [*(folder / "model").glob("clustering*.py"), folder / "sklearn.py"]
    sources += [
        folder / "model" / f"{name}.py"
        for name in (
            *("case", "changes", "gold_standard", "ids", "labels", "nesting", "policies", "query_names", "spelling"),
            "tree",
        )
    ]
    sources += [folder / "measures" / f"{name}.py" for name in ("catalogue", "parameters", "registry")]
    sources += [folder / "scoring" / f"{name}.py" for name in ("results", "scoring", "two_clusterings")]
    text = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    codes = set(re.findall(r'(?:error|warn|Problem|check_ids)\(\s*"([a-z]+(?:-[a-z]+)*)"', text))
    assert len(codes) > 30
    pages = "".join((DOCS / "users" / name).read_text(encoding="utf-8") for name in ("library.md", "codes.md"))
    assert {code for code in codes if f"`{code}`" not in pages and not code.startswith("limit-")} == set()


@pytest.mark.parametrize(
    ("promised", "printed", "kept"),
    [("a … c", "a b c", True), ("a … c", "a b", False), ("1.0", "1x0", False), ("…", "", True), ("", "x", False)],
)
def test_expected_output_matches_exactly_except_for_ellipses(promised, printed, kept):
    assert Example("", "", promised).is_matched_by(printed) is kept
