"""Works as BibTeX, in plain ASCII, so that every version of it takes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from qc4.version import ENGINE_VERSION

_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u ", "\u0307": ".",
    "\u0308": '"', "\u030a": "r ", "\u030c": "v ", "\u0327": "c ",
}  # fmt: skip
_LETTERS = {
    "\\": r"{\textbackslash}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$", "_": r"\_",
    "~": r"{\textasciitilde}", "^": r"{\textasciicircum}", "–": "--", "—": "---", "ß": r"{\ss}", "ø": r"{\o}",
    "ł": r"{\l}", "Ł": r"{\L}", "’": "'", "“": "``", "”": "''", "…": r"{\ldots}", "§": r"{\S}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Work:
    """A publication.

    Attributes:
        key: of the entry.
        kind: ``article``, ``inproceedings``, ``book``, ``techreport``, ``misc``.
        fields: in the order they are written; authors as BibTeX has them, with "and" between.
        cited: how sources name it, where they do: its authors as they stand there.
    """

    key: str
    kind: str
    fields: Mapping[str, str] = field(hash=False)
    cited: str = ""

    @property
    def bibtex(self) -> str:
        lines = [f"  {name} = {{{_value(name, text)}}}," for name, text in self.fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"]) + "\n"


QC4_BENCH = Work(
    "qc4bench",
    "misc",
    {"author": "{QC4 Bench contributors}", "title": "QC4 Bench", "note": f"Engine {ENGINE_VERSION}", "year": "2026"},
    "QC4 Bench",
)


def article(
    key: str, author: str, title: str, journal: str, volume: str, pages: str, year: int, cited: str = ""
) -> Work:
    """A paper in a journal."""
    fields = {"author": author, "title": title, "journal": journal, "volume": volume, "pages": pages, "year": str(year)}
    return Work(key, "article", {name: text for name, text in fields.items() if text}, cited)


def paper(key: str, author: str, title: str, booktitle: str, pages: str, year: int, cited: str = "") -> Work:
    """A paper at a conference."""
    fields = {"author": author, "title": title, "booktitle": booktitle, "pages": pages, "year": str(year)}
    return Work(key, "inproceedings", {name: text for name, text in fields.items() if text}, cited)


def book(key: str, author: str, title: str, publisher: str, year: int, cited: str = "", edition: str = "") -> Work:
    """A book."""
    fields = {"author": author, "title": title, "edition": edition, "publisher": publisher, "year": str(year)}
    return Work(key, "book", {name: text for name, text in fields.items() if text}, cited)


def bibtex(works: Iterable[Work]) -> str:
    """The entries, each once, by key."""
    found = {work.key: work for work in works}
    return "\n".join(found[key].bibtex for key in sorted(found))


def latex_text(text: str) -> str:
    """Text in ASCII as LaTeX takes it: accents as commands; what has none is left out."""
    return "".join(_LETTERS.get(letter) or _letter(letter) for letter in text)


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return f"{{\\{_ACCENTS[parts[1]]}{parts[0]}}}"
    return "".join(part for part in unicodedata.normalize("NFKD", letter) if part.isascii())


def _value(name: str, text: str) -> str:
    if name == "author":
        # Braces of authors keep the names of groups together, and stay.
        return "".join(part if part in "{}" else latex_text(part) for part in text)
    return f"{{{latex_text(text)}}}" if name == "title" else latex_text(text)


_ENTRY = re.compile(r"@\s*(?P<kind>[A-Za-z]+)\s*[{(]")
_KEY = re.compile(r"\s*[^\s,{}()=\"#%\\']+\s*,")
_FIELD = re.compile(r"[A-Za-z][\w:.+-]*\s*=\s*(\{|\"|[\w.-])")


def bibtex_fault(text: str) -> str:
    """Why a text is no BibTeX that programs read, with the line; empty for good ones.

    Each entry has a kind, a key and fields, and its braces close. Between entries anything may stand, as BibTeX has it.
    """
    place, entries = 0, 0
    while found := _ENTRY.search(text, place):
        line = text.count("\n", 0, found.start()) + 1
        end = _closed(text, found.end() - 1)
        if end is None:
            return f"line {line}: a brace of @{found['kind']} is not closed"
        body, place = text[found.end() : end], end + 1
        if found["kind"].lower() in {"comment", "string", "preamble"}:
            continue
        key = _KEY.match(body)
        if key is None:
            return f"line {line}: @{found['kind']} has no key, such as @{found['kind']}{{name2026, …}}"
        if not _FIELD.search(body, key.end()):
            return f"line {line}: @{found['kind']} has no field, such as title = {{…}}"
        entries += 1
    return "" if entries else "no entry, such as @article{name2026, title = {…}, year = 2026}"


def _closed(text: str, start: int) -> int | None:
    """Where the brace or bracket that opens here is closed; None where it is not."""
    opening = text[start]
    closing, depth, braces = {"{": "}", "(": ")"}[opening], 0, 0
    escaped = False
    for place in range(start, len(text)):
        letter = text[place]
        if escaped or letter == "\\":
            escaped = not escaped
            continue
        if opening == "(":
            braces += (letter == "{") - (letter == "}")
        if braces == 0:
            depth += (letter == opening) - (letter == closing)
            if depth == 0:
                return place
    return None
