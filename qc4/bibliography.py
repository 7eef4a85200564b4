"""The works of `references.bib`, as citations and as BibTeX in ASCII, which every version of BibTeX can read.

Code that relies on publications names their keys: ``source="zaki2020, 17.1.3; hubert1985"``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

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


SOFTWARE = "qc4bench"
"""Key of the entry for this software."""
MAX_AUTHORS_NAMED = 4
"""Number of authors that a citation names in full. If there are more, it names the first, followed by "et al."."""

_TEXT = re.compile(r"@([a-z]+)\{([a-z]+\d*[a-z]*),\n((?:  [a-z]+ = \{.+\},\n)+)\}\n")
_LINE = re.compile(r"  ([a-z]+) = \{(.+)\},\n")
_COMMENT = re.compile(r"^%.*", re.MULTILINE)
_KEYS = re.compile(rf"\b(?:[a-z]+(?:19|20)\d\d|{SOFTWARE})\b")


@dataclass(frozen=True, slots=True)
class Work:
    """A publication.

    Attributes:
        key: key of the entry.
        kind: ``article``, ``inproceedings``, ``book``, ``techreport`` or ``misc``.
        fields: values by name, in the order they are written, in Unicode, with BibTeX's braces.
    """

    key: str
    kind: str
    fields: Mapping[str, str] = field(hash=False)

    @property
    def bibtex(self) -> str:
        lines = [f"  {name} = {{{_value(name, text)}}}," for name, text in self.fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"]) + "\n"

    @property
    def citation(self) -> str:
        """Authors, title, venue and year on one line."""
        text = {name: value.replace("{", "").replace("}", "") for name, value in self.fields.items()}
        title = text["title"].partition(": ")[0]
        if self.key == SOFTWARE:
            return title
        names = [name.partition(",")[0] for name in text["author"].split(" and ")]
        if len(names) > MAX_AUTHORS_NAMED:
            authors = f"{names[0]} et al."
        else:
            authors = " & ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        return ", ".join([authors, title, *_venue(text)])


def _venue(text: Mapping[str, str]) -> list[str]:
    """Return the venue and year of a work. A conference is named by its abbreviation in parentheses."""
    if "booktitle" in text:
        short = text["booktitle"].rpartition("(")[2].removesuffix(")")
        return [short] if text["year"] in short else [short, text["year"]]
    if "journal" in text:
        return [f"{text['journal']} {text['volume']}", text["year"]]
    if "edition" in text:
        return [f"{text['edition']} ed.", text["year"]]
    place = " ".join(text[name] for name in ("institution", "number", "howpublished") if name in text)
    return [place, text["year"]] if place else [text["year"]]


def read_works(text: str) -> dict[str, Work]:
    """Return the works in a file by key. The file is BibTeX in the layout of `qc4/references.bib`.

    Raises:
        ValueError: there is other text between the entries (the message names the line), or a key or field is repeated.
    """
    found: dict[str, Work] = {}
    body, place = _COMMENT.sub("", text), 0
    for entry in _TEXT.finditer(body):
        _reject_other_text(body, place, entry.start())
        fields = _LINE.findall(entry[3])
        if entry[2] in found or len(dict(fields)) < len(fields):
            raise ValueError(f"the entry {entry[2]}, or one of its fields, is there twice")
        found[entry[2]] = Work(entry[2], entry[1], dict(fields))
        place = entry.end()
    _reject_other_text(body, place, len(body))
    return found


def _reject_other_text(body: str, start: int, end: int) -> None:
    if rest := body[start:end].strip():
        line = body.count("\n", 0, body.index(rest, start)) + 1
        raise ValueError(f"line {line}: no entry with one field on each line, such as `  year = {{1971}},`")


@cache
def works() -> Mapping[str, Work]:
    """Return every work by key. The file is read on the first call."""
    found = read_works(files("qc4").joinpath("references.bib").read_text(encoding="utf-8"))
    software = found[SOFTWARE]
    return found | {SOFTWARE: replace(software, fields={**software.fields, "note": f"Engine {ENGINE_VERSION}"})}


def work(key: str) -> Work:
    """Return the work with this key.

    Raises:
        ValueError: no work has this key (a programming error).
    """
    if key not in works():
        raise ValueError(f"no work has the key {key!r}: add it to qc4/references.bib")
    return works()[key]


def keys_in(source: str) -> tuple[str, ...]:
    """Return the keys of works in a text, in order, without repetitions."""
    return tuple(dict.fromkeys(_KEYS.findall(source)))


def replace_keys_by_citations(source: str) -> str:
    """Return a text in which the keys of works are replaced by citations: "rand1971, section 2"."""
    return _KEYS.sub(lambda match: work(match[0]).citation, source)


def bibtex(keys: Iterable[str]) -> str:
    """Return these works as BibTeX, sorted by key, without repetitions."""
    return "\n".join(work(key).bibtex for key in sorted(set(keys)))


def latex_text(text: str) -> str:
    """Return text in ASCII for LaTeX. Accents become commands; characters that have no equivalent are omitted."""
    return "".join(_LETTERS.get(letter) or _letter(letter) for letter in text)


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return f"{{\\{_ACCENTS[parts[1]]}{parts[0]}}}"
    return "".join(part for part in unicodedata.normalize("NFKD", letter) if part.isascii())


def _value(name: str, text: str) -> str:
    """Return a field's value in ASCII. Braces are unchanged, and so are DOIs."""
    return text if name == "doi" else "".join(part if part in "{}" else latex_text(part) for part in text)


_ENTRY = re.compile(r"@\s*(?P<kind>[A-Za-z]+)\s*[{(]")
_KEY = re.compile(r"\s*[^\s,{}()=\"#%\\']+\s*,")
_FIELD = re.compile(r"[A-Za-z][\w:.+-]*\s*=\s*(\{|\"|[\w.-])")


def bibtex_error(text: str) -> str:
    """Return why a text is not valid BibTeX, with the line, or "" if it is valid.

    Each entry needs a kind, a key, a field and balanced braces. As in BibTeX, there may be any text between entries.
    """
    place, entries = 0, 0
    while found := _ENTRY.search(text, place):
        line = text.count("\n", 0, found.start()) + 1
        end = _closing_index(text, found.end() - 1)
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


def _closing_index(text: str, start: int) -> int | None:
    """Return the index of the brace or bracket that closes the one at ``start``, or None if there is none."""
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
