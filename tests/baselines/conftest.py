"""Small queries for tests of baselines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from qc4.model.gold_document import GoldDocument, Page, Topic

Make = Callable[..., GoldDocument]

PLANET = ("crater on the planet surface", "planet orbit around the sun", "orbit of the planet and its craters")
ENGINE = ("outboard engine for boats", "boat engine repair and parts", "spare parts for outboard engine and boat")
SINGER = ("singer releases album", "new album by the singer on stage", "stage show of the singer")


@pytest.fixture
def make() -> Make:
    """Make a document of one page per snippet; a snippet can be a (title, snippet, text) triple."""

    def build(
        snippets: Sequence[str | tuple[str | None, str | None, str | None]],
        topics: Sequence[Topic] = (),
        outliers: Sequence[str] = (),
        query: str = "mercury",
    ) -> GoldDocument:
        pages = []
        for rank, given in enumerate(snippets, start=1):
            title, snippet, text = (None, given, None) if isinstance(given, str) else given
            pages.append(Page(f"p{rank}", rank, f"https://p{rank}.example/", title, snippet, text))
        return GoldDocument(query, query, tuple(pages), tuple(topics), tuple(outliers))

    return build


@pytest.fixture
def three_senses(make: Make) -> GoldDocument:
    """Nine pages of three senses with text, the last page in two of them, and one outlier."""
    topics = (
        Topic("space", "Planet", pages=("p1", "p2", "p3")),
        Topic("boats", "Engines", pages=("p4", "p5", "p6", "p9")),
        Topic("outboard", "Outboards", "boats", pages=("p4", "p6")),
        Topic("inboard", "Other engines", "boats", pages=("p5", "p9")),
        Topic("music", "Singer", pages=("p7", "p8", "p9")),
    )
    words = [(None, line, f"{line}. More about it: {line}.") for line in (*PLANET, *ENGINE, *SINGER)]
    return make([*words, ("Recipes", "cake with lemon", "A cake. With lemon.")], topics, ("p10",))
