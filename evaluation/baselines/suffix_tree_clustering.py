"""Suffix Tree Clustering: clusters of pages that share phrases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from evaluation.baselines.task import BaselineResult, Parameter, Task
from evaluation.baselines.text import Sentence, commonest, is_stop_word, sentences, tokenise
from qc4.model.clustering import Cluster

# --- Base clusters: phrases that pages share, from an inverted index of word n-grams ---

Texts = Sequence[Sequence[Sentence]]
"""The sentences of each page."""

LONGEST_PHRASE = 20
"""Words. Scores stop growing at six words; without a limit, copies of one long text would take quadratic time."""

Stems = tuple[str, ...]
Place = tuple[int, int, int]
"""Page row, sentence number, position of the phrase's first word in the sentence."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that two or more pages share: its stems, its page rows (ascending), and its occurrences."""

    stems: Stems
    pages: tuple[int, ...]
    places: tuple[Place, ...]


def base_clusters(texts: Texts) -> list[Phrase]:
    """Return the inner nodes, with two or more pages, of the generalised suffix tree of all sentences.

    A node is a phrase that is not always followed by the same word: ``cat`` is not a node if it occurs only in
    ``cat ate``. Phrases grow word by word, and only those of two or more pages are extended. So the work grows with the
    shared text, not with the number of possible n-grams. Within a longer shared passage, the nodes in its last
    `LONGEST_PHRASE` words are found. Shorter phrases come first, in alphabetical order within each length.
    """
    found: list[Phrase] = []
    places = _shared(_single_words(texts))
    for _ in range(LONGEST_PHRASE):
        longer = _one_word_longer(texts, places)
        commonest_continuation: dict[Stems, int] = defaultdict(int)
        for stems, occurrences in longer.items():
            commonest_continuation[stems[:-1]] = max(commonest_continuation[stems[:-1]], len(occurrences))
        for stems in sorted(places):
            if commonest_continuation[stems] < len(places[stems]):
                pages = tuple(sorted({page for page, _, _ in places[stems]}))
                found.append(Phrase(stems, pages, tuple(places[stems])))
        places = _shared(longer)
    return found


def phrase_text(phrase: Phrase, texts: Texts) -> str:
    """Return the most frequent spelling of a phrase, without stop words at its ends (unless it has only stop words)."""
    written = []
    for page, sentence, start in phrase.places:
        tokens = texts[page][sentence][start : start + len(phrase.stems)]
        telling = [number for number, token in enumerate(tokens) if not is_stop_word(token.surface.casefold())]
        kept = tokens[telling[0] : telling[-1] + 1] if telling else tokens
        written.append(" ".join(token.surface for token in kept))
    return commonest(written)


def _single_words(texts: Texts) -> dict[Stems, list[Place]]:
    places: dict[Stems, list[Place]] = defaultdict(list)
    for page, of_page in enumerate(texts):
        for number, sentence in enumerate(of_page):
            for position, token in enumerate(sentence):
                places[token.stem,].append((page, number, position))
    return places


def _one_word_longer(texts: Texts, places: dict[Stems, list[Place]]) -> dict[Stems, list[Place]]:
    longer: dict[Stems, list[Place]] = defaultdict(list)
    for stems, occurrences in places.items():
        length = len(stems)
        for page, number, start in occurrences:
            sentence = texts[page][number]
            if start + length < len(sentence):
                longer[(*stems, sentence[start + length].stem)].append((page, number, start))
    return longer


def _shared(places: dict[Stems, list[Place]]) -> dict[Stems, list[Place]]:
    """Return the phrases of two or more pages (places are in page order, so the first and the last are enough)."""
    return {stems: where for stems, where in places.items() if where[0][0] != where[-1][0]}


PARAMETERS = (
    Parameter("rare_pages", 3, "words in this many pages or fewer do not count in a phrase's length", low=0),
    Parameter("frequent_share", 0.4, "words in more than this share of the pages do not count either", low=0, high=1),
    Parameter("base_clusters", 500, "number of best base clusters that are used", low=1, high=5000),
    Parameter("merge", 0.5, "base clusters merge if their shared pages exceed this share of both", low=0, high=1),
    Parameter("max_clusters", 15, "largest number of clusters", low=1),
)

LABEL_PHRASES = 3
LONGEST_COUNTED = 6
SINGLE_WORD = 0.5


@dataclass(frozen=True, slots=True)
class ScoredPhrase:
    """A base cluster and its score s(B) = |B| f(|P|)."""

    phrase: Phrase
    score: float


def suffix_tree_clustering(task: Task) -> BaselineResult:
    """Merge the best base clusters into connected groups; return the best groups as (overlapping) clusters."""
    settings = task.parameters
    texts = [sentences(page, task.source) for page in task.document.pages]
    phrases = base_clusters(texts)
    counted = _counted_words(phrases, len(texts), settings["rare_pages"], settings["frequent_share"])
    best = _best(phrases, counted, settings["base_clusters"])
    groups = _merge(best, len(texts), settings["merge"])
    ranked = sorted(groups, key=lambda group: (-_group_score(group), group[0].phrase.pages, group[0].phrase.stems))
    page_ids = [page.id for page in task.document.pages]
    clusters = []
    for number, group in enumerate(ranked[: settings["max_clusters"]], start=1):
        rows = sorted({row for base in group for row in base.phrase.pages})
        clusters.append(Cluster(f"c{number}", tuple(page_ids[row] for row in rows), _label(group, texts)))
    return BaselineResult(tuple(clusters))


def phrase_weight(words: int) -> float:
    """Return f(|P|): single words are penalised, two to six words count linearly, longer phrases count as six."""
    return SINGLE_WORD if words == 1 else float(min(words, LONGEST_COUNTED))


def _counted_words(phrases: list[Phrase], n_pages: int, rare: int, share: float) -> set[str]:
    """Return the words that count in |P|: not stop words, in more than ``rare`` pages and at most ``share`` of them.

    A word's pages are those of its one-word phrase. If it is always followed by the same word, they are those of the
    shortest phrase that starts with it.
    """
    frequency: dict[str, int] = {}
    for phrase in phrases:
        word = phrase.stems[0]
        frequency[word] = max(frequency.get(word, 0), len(phrase.pages))
    return {word for word, pages in frequency.items() if rare < pages <= share * n_pages and not is_stop_word(word)}


def _best(phrases: list[Phrase], counted: set[str], keep: int) -> list[ScoredPhrase]:
    scored = []
    for phrase in phrases:
        words = sum(word in counted for word in phrase.stems)
        if words:
            scored.append(ScoredPhrase(phrase, len(phrase.pages) * phrase_weight(words)))
    scored.sort(key=lambda base: (-base.score, base.phrase.stems))
    return scored[:keep]


def _merge(bases: list[ScoredPhrase], n_pages: int, threshold: float) -> list[list[ScoredPhrase]]:
    """Return the connected components of the base cluster graph.

    Two base clusters are connected if |A and B| / |A| and |A and B| / |B| both exceed the threshold.
    """
    if not bases:
        return []
    incidence = _incidence(bases, n_pages)
    shared = (incidence @ incidence.T).toarray()
    sizes = np.diagonal(shared)
    linked = (shared > threshold * sizes[:, None]) & (shared > threshold * sizes[None, :])
    n_groups, group_of = connected_components(sp.csr_array(linked), directed=False)
    groups: list[list[ScoredPhrase]] = [[] for _ in range(n_groups)]
    for base, group in zip(bases, group_of.tolist(), strict=True):
        groups[group].append(base)
    return groups


def _incidence(bases: list[ScoredPhrase], n_pages: int) -> sp.csr_array:
    columns: npt.NDArray[np.int64] = np.concatenate([np.asarray(base.phrase.pages) for base in bases])
    indptr = np.cumsum([0, *(len(base.phrase.pages) for base in bases)])
    return sp.csr_array((np.ones(columns.size, dtype=np.int64), columns, indptr), shape=(len(bases), n_pages))


def _group_score(group: list[ScoredPhrase]) -> float:
    """Return the sum of the base clusters' scores; of those with equal pages, only the best counts."""
    best: dict[tuple[int, ...], float] = {}
    for base in group:
        best[base.phrase.pages] = max(best.get(base.phrase.pages, 0.0), base.score)
    return sum(best.values())


def _label(group: list[ScoredPhrase], texts: Texts) -> str:
    """Return the best phrases, without stop words at their ends and without phrases that contain each other."""
    chosen: list[str] = []
    taken: list[str] = []
    for base in group:
        text = phrase_text(base.phrase, texts)
        stems = f" {' '.join(token.stem for token in tokenise(text))} "
        if not any(other in stems or stems in other for other in taken):
            chosen.append(text)
            taken.append(stems)
        if len(chosen) == LABEL_PHRASES:
            break
    return ", ".join(chosen)
