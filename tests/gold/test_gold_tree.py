"""The tree of a gold standard, which pages show without reading its document."""

from __future__ import annotations

import pytest

from annotations.gold import selectors as gold_tree
from annotations.gold.selectors import pack_tree, tree_of, unpack_tree
from annotations.models import Gold, GoldOutline, GoldVersion
from qc4.model.gold_document import GoldDocument, Page, Topic

PAGES = tuple(Page(f"p{n}", n) for n in range(1, 6))
DEEP = GoldDocument(
    "q",
    "deep",
    PAGES,
    (
        Topic("b", "B", pages=("p1",)),
        Topic("a", "A", pages=("p1", "p2", "p3")),
        Topic("a2", "Second", "a", pages=("p3",)),
        Topic("a1", "First", "a", pages=("p2",)),
        Topic("a11", "", "a1", pages=("p2",)),
    ),
    ("p5",),
)


def test_tree_has_topics_in_depth_first_order_and_finest_topics_of_pages() -> None:
    tree = tree_of(DEEP)
    paths = ["B", "A", "A › Second", "A › First", "A › First › a11"]
    assert [(node.path, node.depth) for node in tree.nodes] == list(zip(paths, (0, 0, 1, 1, 2), strict=True))
    assert [tree.paths(page) for page in range(5)] == [
        ("B", "A"),
        ("A › First › a11",),
        ("A › Second",),
        (),
        (),
    ], "topics above another topic of the page are excluded"
    assert (tree.outliers, tree.outlier_share) == ({4}, 0.2)


def test_stored_tree_equals_computed_tree() -> None:
    assert unpack_tree(pack_tree(tree_of(DEEP))) == tree_of(DEEP)


def test_publishing_stores_tree_so_pages_read_no_document(
    gold_version: GoldVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = gold_version.golds.first()
    assert gold is not None
    worked_out = tree_of(gold_tree.load_gold_document(gold))
    assert worked_out.nodes

    def never(_: Gold) -> GoldDocument:
        raise AssertionError("read")

    with monkeypatch.context() as blind:
        blind.setattr(gold_tree, "load_gold_document", never)
        assert gold_tree.gold_tree(gold) == worked_out
    GoldOutline.objects.filter(gold=gold).delete()
    assert gold_tree.gold_tree(gold) == worked_out, "the tree is computed if none is stored"
