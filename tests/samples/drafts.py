"""Two drafts of one query that differ, for tests of agreement and adjudication."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from accounts.models import User
from annotations.collections.selectors import page_list_document
from annotations.drafts import services as drafts
from annotations.drafts.state_machine import from_document
from annotations.models import Draft, Query
from qc4.model.gold_document import GoldDocument, Topic

ANA = {"Planet": "p1 p2 p3", "Engines": "p3", "Engines/Outboards": "p4 p5", "Engines/Parts": "p6 p7"}
"""With p8 as an outlier."""
BEN = {"Planets": "p1 p2", "Engines": "p3 p6 p7", "Engines/Outboards": "p4 p5", "Fairs": "p8"}
"""Differs from `ANA` in a name, two topics and the pages p3, p6, p7, p8."""


def hierarchy(query: Query, topics: Mapping[str, str], outliers: str = "") -> GoldDocument:
    """Topics as "Parent/Child" -> page keys; ids are names in lower case."""
    found = []
    for path, pages in topics.items():
        *above, name = path.split("/")
        found.append(Topic(name.lower(), name, above[-1].lower() if above else None, None, tuple(pages.split())))
    return replace(page_list_document(query), topics=tuple(found), outliers=tuple(outliers.split()))


def draft_of(user: User, query: Query, topics: Mapping[str, str], outliers: str = "", submitted: bool = True) -> Draft:
    """An own draft of somebody."""
    state = from_document(hierarchy(query, topics, outliers))
    facts = {"from": "nothing", "words": "nothing"}
    found = drafts.start(query=query, user=user, kind="own", state=state, started_from=facts)
    if submitted:
        drafts.submit(found)
    return found
