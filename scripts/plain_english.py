"""Count sentences that probably need a second reading.

``python scripts/plain_english.py`` prints them. ``--update`` records how many each file has, in
``tests/plain_english.json``. A test fails if a file has more than recorded, so the count of a file only falls.

The patterns find a part of what docs/developers/plain-english.md describes, and some of what they find is fine. A file
without a hit can still be hard to read.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "plain_english.json"
MOST_WORDS = 35
EXCLUDED = re.compile(
    r"static/vendor/|tests/vendor/|demo/|docs/api/|.*/migrations/|scripts/plain_english\.py|CHANGELOG"
)

PATTERNS = {
    "a clause used as a noun": (
        r"\b(?:of|by|from|with|for|than|as|into|under|over|that|because) what (?!if\b|follows|happens|kind|extent)\w+"
        r"|\b(?:to|by|for|from|of|with|than) whom? (?:is|was|has|had|may|can|asks?|does|made|wants?|runs?)\b"
        r"|\bwh(?:o|om|at|ich)ever\b|^What (?:stands?|is|was|has|goes|belongs|holds|nobody)\b(?!.*\?)"
    ),
    "a negated noun": (
        r"\bwhat (?:is|are|was|were|has|have) no(?:t|ne)?\b|\bif it is none\b|\b(?:is|are) none of\b"
        r"|\bno more\b(?! than)"
    ),
    "told for reported or distinguished": (
        r"\btold (?:apart|by|as|to|of)\b|\bcan(?:not)? be told\b|\b(?:is|are|was) told\b"
    ),
    "a thing that stands, lies or goes on": (
        r"\b(?:stands?|stood) (?:in|where|at|below|above|on|beside|there|behind)\b"
        r"|\b(?:lies?|lay) (?:in|below|where|beyond|at|among|there|apart|outside|inside|behind)\b"
        r"|\b(?:goes|going|went) on\b(?! to\b)"
    ),
    "an unusual phrase": (
        r"\b(?:anew|of theirs|of yours|so many(?! that)|so much(?! that)|g[ai]ves? way|comes? to nothing|by halves"
        r"|vouch\w*|spared|nobody else's|shall|in the clothes|of no use|said of|works out|worked out|somebody"
        r"|everybody)\b"
    ),
    "a fragment": r"^(?:Of|Into|Also|By which|With which|After which)\b(?! course)(?![^.]*,)",
    "where for if": r"^Where (?:no|none|nothing|nobody|several|only|it|there|one|all|both|many|some|any)\b(?!.*\?)",
}
_COMPILED = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}


def faults(sentence: str) -> list[str]:
    """Return the names of the patterns that a sentence matches."""
    found = [name for name, pattern in _COMPILED.items() if pattern.search(sentence)]
    if len(re.findall(r"[A-Za-z'’]+", sentence)) > MOST_WORDS:
        found.append(f"over {MOST_WORDS} words")
    return found


def sentences(text: str) -> Iterator[str]:
    """Split a text into sentences of three words or more."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*|#\d])|\n\s*(?=[A-Za-z_, ]+: )", text):
        line = re.sub(r"\s+", " ", paragraph).strip(" #*-|")
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z“\"`(])", line):
            if len(re.findall(r"[A-Za-z]{2,}", sentence)) >= 3:
                yield sentence


def python_texts(path: Path) -> Iterator[str]:
    """Return docstrings, messages, comments and the names of tests of a Python file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name[5:].replace("_", " ")
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        text = node.value if is_docstring else node
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
            continue
        if is_docstring or re.match(r"[A-Z“].{15,}[.!]$", text.value):
            yield text.value
    block: list[str] = []
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                block.append(re.sub(r"^#+ ?(?:noqa|type:|pragma|fmt:)?", "", token.string))
            elif token.type != tokenize.NL and block:
                yield " ".join(block)
                block = []


def texts(path: Path) -> Iterator[str]:
    """Return the texts of a file that people read."""
    if path.suffix == ".py":
        yield from python_texts(path)
    elif path.suffix == ".md":
        yield re.sub(r"(?ms)^```.*?^```", "", path.read_text())
    elif path.suffix == ".js":
        for comment in re.findall(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+", path.read_text(), re.DOTALL | re.MULTILINE):
            yield re.sub(r"(?m)^[ \t]*(?:/?\*+/?|//)", "", re.sub(r"\{[^{}]*\}", "", comment))
    else:
        text = re.sub(r"(?s)\{[%#].*?[%#]\}|\{\{.*?\}\}|<(script|style).*?</\1>", " ", path.read_text())
        yield re.sub(r"<[^>]*>", "\n\n", re.sub(r"</?(?:a|b|em|strong|code|i|span|kbd|abbr)\b[^>]*>", "", text))


def hits() -> Iterator[tuple[str, str, list[str]]]:
    """Return the path, the sentence and the names of the patterns for every sentence that matches one."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607
    for name in listed.splitlines():
        path = ROOT / name
        is_read = path.suffix in {".py", ".md"} or name.startswith(("templates/", "static/js/"))
        if not is_read or EXCLUDED.match(name) or not path.is_file() or path.suffix == ".svg":
            continue
        for text in texts(path):
            for sentence in sentences(text):
                if found := faults(sentence):
                    yield name, sentence, found


def main() -> None:
    counted = Counter(name for name, _, _ in hits())
    if "--update" in sys.argv:
        RECORD.write_text(json.dumps(dict(sorted(counted.items())), indent=1) + "\n")
    else:
        for name, sentence, found in hits():
            print(f"{name}: [{', '.join(found)}] {sentence[:150]}")
    print(f"{sum(counted.values())} sentences in {len(counted)} files")


if __name__ == "__main__":
    main()
