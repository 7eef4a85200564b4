"""A query whose pages are told apart by their hosts, and by what stands in their texts alone."""

from __future__ import annotations

import uuid

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.imports.services import import_documents
from annotations.models import Collection, Draft, Membership, Role
from qc4.model.gold_document import GoldDocument, Page

FILLING = "Much else stands here, of which nobody wants to know anything. " * 12
PAGES = (
    Page("p1", 1, "https://zoo.example/cats", "Jaguar, the cat", "It lives in South America", "Nobody hunts it."),
    Page(
        "p2",
        2,
        "https://cars.example/xk",
        "XK models",
        "Built in Coventry",
        f"{FILLING}The Jaguar XK engine. {FILLING}",
    ),
    Page(
        "p3",
        3,
        "https://zoo.example/big",
        "Big cats",
        "Lions, tigers",
        f"{FILLING}A JÁGUAR is a cat of South  America.",
    ),
    Page("p4", 4, "https://izmir.example/", "İzmir'de hava", "Straße nach Köln", "ISPARTA"),
    Page("p5", 5, "https://cars.example/dealers", "Dealers", "Buy jaguars", "America, south of it"),
    *(Page(f"p{n}", n, f"https://site-{n}.example/", f"Page {n}", f"Number {n}", "Nothing.") for n in range(6, 61)),
)


def findable_draft(owner: User, other: User) -> Draft:
    """A shared draft: p1 and p3 are in Cats, placed by the owner; p2 and p5 in Cars, placed by the other, a curator; p1
    is flagged, p2 has a note, all others are nowhere."""
    documents = [GoldDocument("jaguar", "jaguar", PAGES)]
    collection: Collection = import_documents(name="Findable", documents=documents, user=owner)
    Membership.objects.create(collection=collection, user=other, role=Role.CURATOR)
    draft = drafts.from_nothing(query=collection.queries.get(), user=owner, kind=Draft.Kind.SHARED)
    topics = [{"kind": "add_topic", "topic": key, "name": key.title(), "parent": None} for key in ("cats", "cars")]
    perform(draft, owner, DraftRequest(uuid.uuid4(), 0, [*topics, _assigned("cats", "p1", "p3")]))
    perform(draft, other, DraftRequest(uuid.uuid4(), 1, [_assigned("cars", "p2", "p5")]))
    marks = [{"kind": "flag", "pages": ["p1"]}, {"kind": "note", "page": "p2", "text": "Ask Bea"}]
    perform(draft, owner, DraftRequest(uuid.uuid4(), 2, marks))
    return draft


def _assigned(topic: str, *pages: str) -> dict[str, object]:
    return {"kind": "assign", "pages": list(pages), "topics": [topic]}
