"""The workspace's search finds the same pages in the browser as on the server."""

from __future__ import annotations

import json
import random

from annotations.words.search_query import fold_text, matching_fields, parse_search
from tests.scripts.node import run

SIGNS = [
    "İ",
    "ı",
    "I",
    "ß",
    "ẞ",
    "Σ",
    "ς",
    "é",
    "e\u0301",
    "ü",
    "Å",
    "ﬁ",
    "Ø",
    "ł",
    "æ",
    "й",
    "日",
    "कि",
    "😀",
    "ö",
    "１",
]
WORDS = [
    "jaguar",
    "Jaguars",
    "New",
    "York",
    "new-york",
    "c++",
    "-",
    "'",
    '"',
    "“",
    "”",
    "-zoo",
    "zoo",
    "10",
    "1",
    "\u00a0",
]
SCRIPT = """
import { readFileSync } from "node:fs";
import { folded, foundIn, parse } from "../../static/js/words/search.js";
const given = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(given.map(([typed, fields]) => {
  const plain = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, folded(text)]));
  const terms = parse(typed);
  return [plain, terms, foundIn(terms, plain)];
})));
"""


def test_search_in_javascript_equals_search_in_python() -> None:
    rng = random.Random(7)

    def text(most: int) -> str:
        pieces = rng.choices([*SIGNS, *WORDS, *WORDS], k=rng.randint(1, most))
        return "".join(piece + rng.choice(["", " ", " ", "  ", "."]) for piece in pieces)

    cases = [(text(5), {"rank": str(rng.randint(1, 12)), "title": text(6), "text": text(30)}) for _ in range(2_000)]
    in_python = []
    for typed, fields in cases:
        plain = {name: fold_text(each) for name, each in fields.items()}
        terms = parse_search(typed)
        plain_terms = [{"words": [*t.words], "phrase": t.phrase, "minus": t.minus, "open": t.open} for t in terms]
        in_python.append([plain, plain_terms, matching_fields(terms, plain)])
    in_javascript = json.loads(run("--input-type=module", "--eval", SCRIPT, given=json.dumps(cases)).stdout)
    for (typed, _), one, other in zip(cases, in_python, in_javascript, strict=True):
        assert other == one, typed
    assert sum(found is not None for _, _, found in in_python) > 100
