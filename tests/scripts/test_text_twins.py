"""The browser and the server agree on which names are equal."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import defaultdict

from qc4.text import name_key
from tests.scripts.node import run

SCRIPT = """
import { readFileSync } from "node:fs";
import { nameKey } from "../../static/js/common/text.js";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(nameKey)));
"""
NEWER = "\u019b\u0264\ua7d3\ua7d5"
"""Letters whose capital letters were added to Unicode after the version that Python 3.11 supports."""


def groups(names: list[str], keys: list[str]) -> set[frozenset[str]]:
    """Group names by key."""
    found = defaultdict(set)
    for name, key in zip(names, keys, strict=True):
        found[key].add(name)
    return {frozenset(group) for group in found.values()}


def test_equal_names_are_equal_in_the_browser() -> None:
    letters = [
        chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")
    ]
    names = [letter for letter in letters if letter not in NEWER and not "\u4e00" <= letter <= "\ud7ff"]
    names += [
        "cafe\u0301",
        "caf\u00e9",
        "CAF\u00c9",
        "caf\u00e9\u200b",
        "\u03bf\u03b4\u03bf\u03c2",
        "\u039f\u0394\u039f\u03a3",
    ]
    keys = json.loads(run("--input-type=module", "--eval", SCRIPT, given=json.dumps(names)).stdout)
    differing = groups(names, keys) ^ groups(names, [name_key(name) for name in names])
    assert differing == set()
