"""How to cite QC4 Bench: a valid file, of this version."""

import yaml

from qc4.version import ENGINE_VERSION
from tests.paths import ROOT


def test_the_citation_file_is_valid_and_of_this_version():
    """The keys that CFF 1.2.0 requires, and none that it does not know."""
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(found["version"]) == ENGINE_VERSION
    assert found["cff-version"] == "1.2.0"
    assert found["type"] in ("software", "dataset")
    assert found["authors"] == [{"name": "QC4 Bench contributors"}]
    assert found["message"]
    assert found["title"]
    known = {"cff-version", "message", "type", "title", "abstract", "authors", "version", "license", "keywords"}
    assert set(found) <= known | {"references", "url", "repository-code", "date-released", "doi"}
    for work in found["references"]:
        assert {"type", "title", "authors"} <= set(work)
