"""Nested containers as a tree of named groups of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from qc4.ids import in_words, page_ids
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.references import check_once
from qc4.problems.wording import kind_of

MOST_LEVELS = 500


@dataclass(slots=True)
class Node:
    """A group of pages within a tree.

    Attributes:
        path: the names that lead to it, joined by "/".
        name: the last of them; "" where it has none, or a number.
        parent: the place of the group it lies in, -1 for none.
        pages: its own pages and those of all groups in it, each once.
    """

    path: str
    name: str
    parent: int
    pages: dict[str, None] = field(default_factory=dict)


def nodes_of(tree: Any) -> list[Node]:
    """The groups of a tree, each before those in it.

    Args:
        tree: a mapping name -> what is in the group, or a list of groups. In a group are pages (texts or integers) and
            groups: lists, or mappings of named ones.

    Raises:
        InputError: something that is neither a page nor a group; a page twice in one list; a page of no group; too many
            levels.
    """
    if isinstance(tree, str | bytes) or not isinstance(tree, Mapping | Sequence):
        fix = "A linkage matrix of SciPy is given with from_linkage."
        expected = "nested lists of pages, or name -> pages or names within it"
        raise InputError([Problem("no-tree", "tree", kind_of(tree), expected, fix)])
    nodes: list[Node] = []
    problems = ProblemList()
    # What is to be looked at: contents, where they stand, the path of names, the group they are in, and how deep.
    waiting: list[tuple[Any, str, str, int, int]] = [(tree, "tree", "", -1, 0)]
    while waiting:
        content, where, path, parent, depth = waiting.pop()
        if depth > MOST_LEVELS:
            found = f"more than {MOST_LEVELS} levels"
            raise InputError([Problem("limit-levels", "tree", found, f"at most {MOST_LEVELS}")])
        groups = _groups(content, where, path, nodes, parent, problems)
        waiting += [(inner, place, nodes[node].path, node, depth + 1) for inner, place, node in reversed(groups)]
    problems.refuse_errors()
    _close_upwards(nodes)
    return nodes


def _close_upwards(nodes: list[Node]) -> None:
    """Give every group the pages of those in it, after its own and in their order."""
    inside: list[list[Node]] = [[] for _ in nodes]
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        for inner in reversed(inside[place]):
            node.pages.update(inner.pages)
        if node.parent >= 0:
            inside[node.parent].append(node)


def _groups(
    content: Any, where: str, path: str, nodes: list[Node], parent: int, problems: ProblemList
) -> list[tuple[Any, str, int]]:
    """The groups in a group, with their places and the nodes made for them; its pages go to its own node."""
    if not isinstance(content, Mapping) and not is_group(content):
        problems.error("no-group", where, kind_of(content), "a list of pages or groups")
        return []
    inside: list[tuple[str, str, Any]] = []  # a piece of the path, a name, what is in the group
    if isinstance(content, Mapping):
        inside = [(str(name), in_words(name), inner) for name, inner in content.items()]
    else:
        items = list(content)
        _add_pages([item for item in items if not is_group(item)], where, nodes, parent, problems)
        for number, item in enumerate(items):
            if isinstance(item, Mapping):
                inside += [(str(name), in_words(name), inner) for name, inner in item.items()]
            elif is_group(item):
                inside.append((str(number), "", item))
    found = []
    for piece, name, inner in inside:
        nodes.append(Node(f"{path}/{piece}" if path else piece, name, parent))
        found.append((inner, f"{where}[{piece if not name else repr(name)}]", len(nodes) - 1))
    return found


def is_group(value: Any) -> bool:
    """Whether a value holds pages or groups, rather than being a page."""
    if isinstance(value, str | bytes):
        return False
    return isinstance(value, Sequence | Set | Mapping) or (hasattr(value, "tolist") and hasattr(value, "__len__"))


def _add_pages(pages: list[Any], where: str, nodes: list[Node], parent: int, problems: ProblemList) -> None:
    if not pages:
        return
    if parent < 0:
        fix = "A page in no group is left out of the tree."
        problems.error("page-in-no-group", where, f"the page {pages[0]!r} in no group", "groups of pages", fix)
        return
    ids = page_ids(pages, where, problems)
    check_once(ids, where, "each page once in a list", problems)
    nodes[parent].pages.update(dict.fromkeys(ids))
