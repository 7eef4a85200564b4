"""The layout of AMBIENT, ODP-239, MORESQUE and SemEval-2013 Task 11: tab separated, a header line, no quoting.

``topics.txt`` holds the queries, ``subTopics.txt`` their topics, ``results.txt`` or ``docs.txt`` the pages, and
``STRel.txt`` the pages of each topic. Ids such as ``12.3`` begin with the id of their query. Texts are escaped for
HTML: entities are decoded once, unless the caller says otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from qc4.io.content import Content, check_line_count
from qc4.io.context import Context
from qc4.io.label_reading import LabelReading
from qc4.io.limits import Budget, BudgetError
from qc4.io.source import Blob, decode, lines
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.model.noise import NoiseLabel, label_key
from qc4.problems import InputError, ProblemList
from qc4.text import HtmlEntities, comparison_key, decode_entities
from qc4.wording import counted, quoted

_FILES = {
    "topics.txt": "topics",
    "subtopics.txt": "subtopics",
    "results.txt": "results",
    "docs.txt": "results",
    "strel.txt": "relations",
}


@dataclass(frozen=True, slots=True)
class _Line:
    """A data line: its place and its cells."""

    where: str
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Layout:
    """The four files of one collection."""

    topics: Blob
    subtopics: Blob
    results: Blob
    relations: Blob


def find_layout(blobs: Sequence[Blob], problems: ProblemList) -> Layout | None:
    """Return the four files of a folder or ZIP, or None if it does not have this layout.

    A missing or repeated file is reported as a problem.
    """
    found: dict[str, list[Blob]] = defaultdict(list)
    for blob in blobs:
        part = _FILES.get(blob.name.rsplit("/", 1)[-1].casefold())
        if part:
            found[part].append(blob)
    if "subtopics" not in found and "relations" not in found:
        return None
    for part in ("topics", "subtopics", "results", "relations"):
        names = " or ".join(name for name, kind in _FILES.items() if kind == part)
        if len(found[part]) != 1:
            shown = ", ".join(blob.name for blob in found[part]) or "no such file"
            problems.error("bad-layout", names, shown, "exactly one such file (upper or lower case)")
    if any(len(found[part]) != 1 for part in ("topics", "subtopics", "results", "relations")):
        return None
    return Layout(**{part: files[0] for part, files in found.items()})


def parse_layout(
    layout: Layout,
    split_levels: str | None,
    budget: Budget,
    problems: ProblemList,
    html_entities: HtmlEntities = "auto",
) -> tuple[list[GoldDocument], list[str]]:
    """Return one document per line of ``topics.txt``, and notes on omitted or surprising data.

    Args:
        split_levels: a separator such as ``>``: a name "Arts > Animation > Anime" becomes a topic on level 3.
        html_entities: what to do with HTML entities; "auto" decodes them once.
    """
    limits = budget.limits
    texts = _Texts("once" if html_entities == "auto" else html_entities)
    queries = _read_queries(layout.topics, budget, problems, texts)
    limits.exceeded("queries", len(queries), layout.topics.name, problems)
    subtopics = _by_query(_read_lines(layout.subtopics, 2, budget, problems, texts), queries, problems)
    results = _by_query(_read_lines(layout.results, 2, budget, problems, texts, most=4), queries, problems)
    members = _read_members(layout, subtopics, results, budget, problems)
    documents, dropped = [], 0
    for query, text in queries.items():
        pages = [_page(line, position) for position, line in enumerate(results[query].values(), start=1)]
        limits.exceeded("pages", len(pages), f"{layout.results.name}: query {quoted(query)}", problems)
        named = [(key, line.cells[1], members[key]) for key, line in subtopics[query].items() if members[key]]
        dropped += len(subtopics[query]) - len(named)
        if split_levels:
            topics = _split(query, text, named, split_levels)
        else:
            topics = [Topic(key, name, pages=tuple(ids)) for key, name, ids in named]
        limits.exceeded("topics", len(topics), f"{layout.subtopics.name}: query {quoted(query)}", problems)
        documents.append(GoldDocument(query, text, tuple(pages), tuple(topics)))
    return documents, [*_notes(documents, members, dropped), *texts.notes]


class _Texts:
    """Decodes HTML entities in the files' texts and counts the changed texts."""

    def __init__(self, how: HtmlEntities) -> None:
        self._how = how
        self._n_changed = 0

    def read(self, text: str) -> str:
        found = decode_entities(text, self._how)
        self._n_changed += found != text
        return found

    @property
    def notes(self) -> list[str]:
        return [f"HTML entities decoded {self._how} in {counted(self._n_changed, 'text')}"] if self._n_changed else []


def is_relations_file(content: Content) -> bool:
    return next(content.rows(), "").strip().casefold().split("\t") == ["subtopicid", "resultid"]


def read_relations(content: Content, context: Context) -> list[Clustering]:
    """Read a submission in this layout: lines ``subTopicID<TAB>resultID``, each of which puts a page in a cluster."""
    name, problems = content.name, context.problems
    content.budget.charge("cells", content.text.count("\t") + content.text.count("\n") + 1, name)
    clusters: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    rows = [
        _Line(f"{name}: line {number}", line.split("\t"))
        for number, line in enumerate(lines(content.text), start=1)
        if line.strip()
    ][1:]
    for line in rows:
        if problems.full:
            break
        if len(line.cells) != 2 or not all(cell.strip() for cell in line.cells):
            problems.error("bad-row", line.where, f"{len(line.cells)} columns", "subTopicID<TAB>resultID")
            continue
        cluster, page = (comparison_key(cell.strip()) for cell in line.cells)
        query = query_of(page)
        if query_of(cluster) != query:
            found = f"the page {quoted(page)} of another query in the cluster {quoted(cluster)}"
            problems.error("foreign-page", line.where, found, f"pages of query {quoted(query_of(cluster))}")
            continue
        members = clusters[query][cluster]
        if page in members:
            problems.error("page-twice", line.where, f"{quoted(page)} again", "each page once per cluster")
        members[page] = None
    content.budget.charge("clusterings", len(clusters), name)
    return [_clustering_of_query(query, found, context.reading) for query, found in clusters.items()]


def _clustering_of_query(query: str, members: Mapping[str, Mapping[str, None]], reading: LabelReading) -> Clustering:
    """Return the clustering of a query. A cluster's id without the query is its label, which may mean noise."""
    outside = {key for key in members if reading.noise.holds(label_key(key.rpartition(".")[2]))}
    clusters = tuple(Cluster(key, tuple(pages)) for key, pages in members.items() if key not in outside)
    inside = {page for cluster in clusters for page in cluster.pages}
    noise = tuple(
        NoiseLabel(key, sum(page not in inside for page in members[key])) for key in members if key in outside
    )
    return Clustering(query, clusters, noise=noise)


def query_of(item_id: str) -> str:
    """Return the query of an id such as ``12.3``: the part before its last full stop."""
    return item_id.rpartition(".")[0]


def _read_lines(
    blob: Blob, least: int, budget: Budget, problems: ProblemList, texts: _Texts, most: int | None = None
) -> list[_Line]:
    """Return the lines after the header. Lines with too few or too many cells are reported as problems.

    The first cell is an id, in its `comparison_key` form. In the other cells HTML entities are decoded.
    """
    try:
        text = decode(blob.data, blob.name)
        check_line_count(text, blob.name, budget.limits)
        budget.charge("cells", text.count("\t") + text.count("\n") + 1, blob.name)
    except BudgetError:
        raise
    except InputError as error:
        problems.extend(error.problems)
        return []
    rows = lines(text)
    if any(char.isdigit() for char in rows[0].split("\t")[0]):
        problems.error("bad-header", f"{blob.name}: line 1", quoted(rows[0]), "a header line with column names")
    most = most or least
    found = []
    for number, row in enumerate(rows[1:], start=2):
        if problems.full:
            break
        cells = row.split("\t")
        where = f"{blob.name}: line {number}"
        if not row.strip():
            continue
        if least <= len(cells) <= most and cells[0].strip():
            found.append(_Line(where, [comparison_key(cells[0].strip()), *map(texts.read, cells[1:])]))
        else:
            shown = f"{len(cells)} columns" if cells[0].strip() else "a blank id"
            problems.error("bad-row", where, shown, f"an id and {'' if least == most else 'up to '}{most - 1} more")
    return found


def _read_queries(blob: Blob, budget: Budget, problems: ProblemList, texts: _Texts) -> dict[str, str]:
    queries: dict[str, str] = {}
    for line in _read_lines(blob, 2, budget, problems, texts):
        query, text = line.cells
        if query in queries:
            problems.error("duplicate-query", line.where, f"the id {quoted(query)} again", "each query id once")
        queries[query] = text.strip()
    return queries


def _by_query(rows: Iterable[_Line], queries: dict[str, str], problems: ProblemList) -> dict[str, dict[str, _Line]]:
    """Return lines by query and id. Unknown queries and repeated ids are reported as problems."""
    found: dict[str, dict[str, _Line]] = {query: {} for query in queries}
    for line in rows:
        if problems.full:
            break
        item_id = line.cells[0]
        query = query_of(item_id)
        if query not in found:
            problems.error(
                "unknown-query", line.where, f"the id {quoted(item_id)}", "an id that begins with a query of topics.txt"
            )
        elif item_id in found[query]:
            problems.error("duplicate-id", line.where, f"the id {quoted(item_id)} again", "each id once")
        else:
            found[query][item_id] = line
    return found


def _read_members(
    layout: Layout,
    subtopics: dict[str, dict[str, _Line]],
    results: dict[str, dict[str, _Line]],
    budget: Budget,
    problems: ProblemList,
) -> dict[str, dict[str, None]]:
    """Return, for each subtopic id, its page ids in file order."""
    members: dict[str, dict[str, None]] = defaultdict(dict)
    for line in _read_lines(layout.relations, 2, budget, problems, _Texts("keep")):
        if problems.full:
            break
        subtopic, page = line.cells[0], comparison_key(line.cells[1].strip())
        query = query_of(subtopic)
        if subtopic not in subtopics.get(query, {}):
            expected = f"an id of {layout.subtopics.name}"
            problems.error("unknown-topic", line.where, f"the subtopic {quoted(subtopic)}", expected)
        elif page not in results.get(query, {}):
            expected = f"a result of query {quoted(query)} in {layout.results.name}"
            problems.error("unknown-page", line.where, f"the result {quoted(page)}", expected)
        elif page in members[subtopic]:
            problems.error("page-twice", line.where, f"{quoted(page)} in {quoted(subtopic)} again", "each pair once")
        else:
            members[subtopic][page] = None
    return members


def _page(line: _Line, position: int) -> Page:
    page_id, url, title, snippet = [*line.cells, "", "", ""][:4]
    suffix = page_id.rpartition(".")[2]
    rank = int(suffix) if suffix.isascii() and suffix.isdigit() and 0 < len(suffix) < 10 and int(suffix) else position
    return Page(page_id, rank, url or None, title or None, snippet or None)


def _split(query: str, text: str, named: list[tuple[str, str, dict[str, None]]], separator: str) -> list[Topic]:
    """Split names into paths and return the topics along them. A leading part that repeats the query is omitted."""
    lead = _parts(text, separator)
    paths = []
    for _, name, _ in named:
        parts = _parts(name, separator) or (name,)
        paths.append(parts[len(lead) :] if len(lead) < len(parts) and parts[: len(lead)] == lead else parts)
    own = {path: number for number, path in reversed(list(enumerate(paths)))}
    ids = {path: named[number][0] for path, number in own.items()}
    topics: dict[str, Topic] = {}
    for number, path in enumerate(paths):
        parent: str | None = None
        for depth in range(1, len(path) + 1):
            here = path[:depth]
            last = depth == len(path)
            # Two subtopics with the same name stay two topics (rule R6 reports them). Only the first has children.
            key = named[number][0] if last else ids.get(here, f"{query}/{'/'.join(here)}")
            if last or key not in topics:
                pages = tuple(named[number if last else own[here]][2]) if last or here in own else ()
                topics.setdefault(key, Topic(key, here[-1], parent, depth, pages))
            parent = key
    return list(topics.values())


def _parts(name: str, separator: str) -> tuple[str, ...]:
    return tuple(part for part in (piece.strip() for piece in name.split(separator)) if part)


def _notes(documents: list[GoldDocument], members: dict[str, dict[str, None]], dropped: int) -> list[str]:
    """Return notes for the person who imports this collection."""
    counts: dict[str, int] = defaultdict(int)
    for pages in members.values():
        for page in pages:
            counts[page] += 1
    several = sum(count > 1 for count in counts.values())
    unplaced = sum(page.id not in counts for document in documents for page in document.pages)
    notes = [
        (dropped, "empty subtopic dropped", "empty subtopics dropped"),
        (unplaced, "page in no subtopic", "pages in no subtopic"),
        (several, "page in several subtopics", "pages in several subtopics"),
    ]
    return [counted(number, one, many) for number, one, many in notes if number]
