"""Small hierarchies for tests of agreement, written in short form or drawn at random."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from qc4.model.gold_document import GoldDocument, Page, Topic


def hierarchy(pages: str, topics: Mapping[str, str], outliers: str = "") -> GoldDocument:
    """Return a hierarchy: one letter per page, topics by name, "Parent/Child" for a child, lower-case names as ids."""
    found = []
    for path, members in topics.items():
        *above, name = path.split("/")
        parent = above[-1].lower() if above else None
        found.append(Topic(name.lower(), name, parent, pages=tuple(members)))
    return GoldDocument("q", "q", tuple(Page(page) for page in pages), tuple(found), tuple(outliers))


@st.composite
def drafts(draw: st.DrawFn, pages: str = "abcdefgh") -> GoldDocument:
    """Draw any draft: pages may be unplaced, in many topics, or outliers, and topics may be empty."""
    outliers = draw(st.sets(st.sampled_from(pages), max_size=3))
    free = [page for page in pages if page not in outliers]
    topics: list[Topic] = []
    for number in range(draw(st.integers(0, 5))):
        parent = draw(st.sampled_from([None, *(topic.id for topic in topics)]))
        members = draw(st.sets(st.sampled_from(free))) if free else set()
        topics.append(Topic(f"t{number}", draw(st.sampled_from("XYZ")), parent, pages=tuple(sorted(members))))
    return GoldDocument("q", "q", tuple(Page(page) for page in pages), tuple(topics), tuple(sorted(outliers)))


@st.composite
def complete_drafts(draw: st.DrawFn, pages: str = "abcdefgh") -> GoldDocument:
    """Draw a valid draft of two levels in which no topic holds every page and every page is placed on both levels."""
    outliers = {pages[-1]} if draw(st.booleans()) else set()
    kinds = ["x/1", "x/2", "y/3", "y/4"]
    placed = {page: draw(st.sampled_from(kinds)) for page in pages if page not in outliers}
    placed |= dict(zip(pages, ("x/1", "y/3"), strict=False))
    topics = []
    for root in ("x", "y"):
        topics.append(Topic(root, root.upper()))
        for kind in sorted({kind for kind in placed.values() if kind.startswith(root)}):
            members = tuple(page for page in pages if placed.get(page) == kind)
            topics.append(Topic(kind, kind[-1], root, pages=members))
    return GoldDocument("q", "q", tuple(Page(page) for page in pages), tuple(topics), tuple(sorted(outliers)))
