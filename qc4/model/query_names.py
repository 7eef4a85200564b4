"""Names of queries in files: their keys, or their texts if these are unique in the collection.

An exact key takes precedence. Otherwise Unicode form, case and extra white space are ignored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.model.gold_document import GoldDocument
from qc4.problems import ProblemList
from qc4.text import name_key
from qc4.wording import listed, quoted

SHOWN = 8


class PageListsWithTexts(dict[str, tuple[str, ...]]):
    """Query key -> page ids in the order of the page list, with the texts of the queries."""

    def __init__(self, lists: Mapping[str, tuple[str, ...]], texts: Mapping[str, str]) -> None:
        super().__init__(lists)
        self.texts = dict(texts)


class QueryNames:
    """The keys and texts of a collection's queries.

    Attributes:
        texts: key -> text, empty if it has none.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self._keys: dict[str, list[str]] = defaultdict(list)
        for key, text in texts.items():
            for name in {folded(key), folded(text)} - {""}:
                self._keys[name].append(key)

    @classmethod
    def of(cls, pages: Mapping[str, Sequence[str]] | None) -> QueryNames:
        """Return the names that page lists contain."""
        known = pages or {}
        texts: Mapping[str, str] = getattr(known, "texts", {})
        return cls({key: texts.get(key, "") for key in known})

    @classmethod
    def of_documents(cls, documents: Iterable[GoldDocument]) -> QueryNames:
        return cls({document.query_id: document.query_text for document in documents})

    @classmethod
    def of_keys(cls, keys: Iterable[str]) -> QueryNames:
        """Return names for queries of which only the keys are known."""
        return cls(dict.fromkeys(keys, ""))

    def keys(self, name: str) -> list[str]:
        """Return the keys of the queries with this name. A name of several queries is ambiguous."""
        return [name] if name in self.texts else self._keys.get(folded(name), [])

    def key(self, name: str) -> str:
        """Return the key of the only query with this name; the name itself if there is none, or several."""
        found = self.keys(name)
        return found[0] if len(found) == 1 else name

    def told(self, name: str) -> str:
        """Return a query's name for messages: its key, and its text if it has one."""
        text = self.texts.get(name, "")
        return quoted(name) if not text or text == name else f"{quoted(name)} (“{text}”)"

    def all_told(self, keys: Sequence[str] | None = None) -> str:
        """Return the names of several queries, by default of the whole collection, shortened if there are many."""
        keys = list(self.texts) if keys is None else keys
        told = [self.told(key) for key in keys[:SHOWN]]
        more = len(keys) - len(told)
        return ", ".join(told) + (f" and {more:,} more" if more > 0 else "")

    def renamed(self, part: SubmissionDocument) -> SubmissionDocument:
        """Return the submission with each clustering under the key of its query."""
        return replace(part, clusterings=tuple(map(self.renamed_answer, part.clusterings)))

    def renamed_answer(self, answer: Clustering) -> Clustering:
        key = self.key(answer.query)
        return answer if key == answer.query else replace(answer, query=key)

    def note_unknown(self, name: str, where: str, found: str, problems: ProblemList) -> None:
        """Report that no query, or more than one, has this name."""
        keys = self.keys(name)
        if len(keys) > 1:
            expected = f"the key of one of them: {listed(keys)}"
            problems.error("ambiguous-query", where, f"the text of {len(keys):,} queries", expected)
        else:
            problems.error("unknown-query", where, found, f"a query of the collection: {self.all_told()}")


def folded(name: str) -> str:
    """Return the form in which names of queries are compared."""
    return " ".join(name_key(name).split())
