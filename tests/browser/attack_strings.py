"""Attack strings wherever a person may write one, and a look at whether they did anything to a page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import uuid4

from playwright.sync_api import Page

from accounts.models import User
from annotations.adjudication import services as adjudication
from annotations.discussion import services as comments
from annotations.drafts import services as drafts
from annotations.drafts.access import reach_draft
from annotations.drafts.services import performing
from annotations.drafts.services.planning import DraftRequest
from annotations.guidelines import services as guidelines
from annotations.imports.services import import_documents
from annotations.models import Collection, Draft, Membership, Query, Role
from qc4.model.gold_document import GoldDocument, Topic
from qc4.model.gold_document import Page as GoldPage

# Whatever runs leaves `pwned` behind, whatever becomes an element has that class.
PAYLOADS = (
    "<script>window.pwned=1</script>",
    "<img class=pwned src=x onerror='window.pwned=1'>",
    "<svg class=pwned onload=window.pwned=1><animate onbegin=window.pwned=1 attributeName=x dur=1s></svg>",
    '"\' autofocus onfocus=window.pwned=1 onmouseover=window.pwned=1 class=pwned x="',
    "</script><script>window.pwned=1</script><!--<script>",
    "</style><style>body{display:none}</style>",
    "</title></textarea></select></template></dialog><b class=pwned>",
    "javascript:window.pwned=1//<a class=pwned href=javascript:window.pwned=1>x</a>",
    "{{7*7}}{% csrf_token %}${7*7}<%= 7*7 %>#{7*7}",
    "[x](javascript:window.pwned=1) ![x](x:x onerror=window.pwned=1)",
    "&lt;b class=pwned&gt;&#60;i class=pwned&#62;",
    "<iframe class=pwned srcdoc='<script>parent.pwned=1</script>'></iframe><object class=pwned data=x>",
    "null",
    "undefined",
    "__proto__",
    "constructor",
    "'); DROP TABLE annotations_draft; --",
    "Z\u0338\u0322a\u0335lg\u0337o \U0001f469\u200d\U0001f52c",
    "Wolkenkratzer" * 15,
)
BIDI = "\u202egnp.exe\u2066 turned \u200f round"
"""Turns the direction of text; what is called by one line (drafts, people) may not hold it."""
TEXTS = (*PAYLOADS, BIDI)
ADDRESSES = (
    "javascript:window.pwned=1",
    "data:text/html,<script>window.pwned=1</script>",
    "https://ok.example/\"onmouseover='window.pwned=1'<b class=pwned>",
    "vbscript:window.pwned=1",
    "https://ok.example/'onmouseover='window.pwned=1'&quot;&lt;b%20class=pwned&gt;",
    " java\tscript:window.pwned=1",
)
IDS = ("__proto__", "constructor", "toString", "</script>", "\"'><b class=pwned>", "../..", "#{x}?y=z&w", "{key}")


@dataclass(frozen=True)
class Scene:
    """A collection in which everything is an attack: two submitted drafts, their adjudication, and a shared one."""

    collection: Collection
    query: Query
    shared: Draft
    pair: tuple[Draft, Draft]
    judged: Draft


def page_id(at: int) -> str:
    return IDS[at] if at < len(IDS) else f"p{at}"


def document() -> GoldDocument:
    """A page per text, each in one of as many topics of two levels, two outliers; gold breaks no rule."""
    pages = tuple(
        GoldPage(page_id(at), at + 1, ADDRESSES[at % len(ADDRESSES)], text, TEXTS[at - 1], TEXTS[at - 2])
        for at, text in enumerate(TEXTS)
    )
    ids = [page.id for page in pages]
    half = len(ids) // 2
    roots = tuple(Topic(f"root {id}", TEXTS[at], None) for at, id in enumerate(IDS[:2]))
    leaves = tuple(
        Topic(
            id if at else "__proto__",
            text[:200],
            roots[at >= half].id,
            pages=(ids[at],),
            extra={"description": text, "note": TEXTS[at - 1]},
        )
        for at, (id, text) in enumerate(zip(ids, TEXTS, strict=True))
        if at < len(ids) - 2
    )
    return GoldDocument("attack", PAYLOADS[4], pages, (*roots, *leaves), tuple(ids[-2:]))


def scene(owner: User) -> Scene:
    made = document()
    collection = import_documents(name=PAYLOADS[0], documents=[made], user=owner, description=PAYLOADS[1])
    query = collection.queries.get()
    people = [User.objects.create_user(PAYLOADS[at][:150]) for at in (1, 4)]
    for user in people:
        Membership.objects.create(collection=collection, user=user, role=Role.CURATOR)
    other = replace(made, topics=tuple(_swapped(topic) for topic in made.topics))
    pair = tuple(
        drafts.from_file(document=found, query=query, user=user, kind=Draft.Kind.OWN, name=PAYLOADS[at][:100])
        for found, user, at in ((made, people[0], 2), (other, people[1], 3))
    )
    for draft in pair:
        drafts.submit(draft)
    judged = adjudication.start(query=query, drafts=list(pair), user=owner)
    guidelines.save_guidelines(collection=collection, text="\n\n".join(TEXTS), base=0, user=people[0])
    shared = drafts.from_file(document=made, query=query, user=owner, kind=Draft.Kind.SHARED, name=PAYLOADS[4][:100])
    _annotate(shared, people[1], made)
    _talk(shared, people[1], [owner.username, *(user.username for user in people)])
    return Scene(collection, query, shared, (pair[0], pair[1]), judged)


def _swapped(topic: Topic) -> Topic:
    """Another name and another page, so that there is something to disagree about."""
    if topic.id != page_id(9):
        return topic
    return replace(topic, name=TEXTS[1], pages=(page_id(9), page_id(3)))


def _talk(draft: Draft, user: User, names: list[str]) -> None:
    """A thread of attacks on each page, on a topic and on the draft; they name everybody."""
    access, everybody = reach_draft(user, draft.pk), " ".join(f"@{name}" for name in names)
    for at, text in enumerate(TEXTS):
        comments.start(access, uuid4(), f"{text}\n{everybody}", about="page", key=page_id(at))
    comments.start(access, uuid4(), f"https://a.example/{PAYLOADS[0]}", about="topic", key="__proto__")
    comments.start(access, uuid4(), "javascript:alert(1)", about="draft", to_lead=True)


def _annotate(draft: Draft, user: User, made: GoldDocument) -> None:
    notes = [{"kind": "note", "page": page.id, "text": TEXTS[-at]} for at, page in enumerate(made.pages, 1)]
    changed = [
        {"kind": "rename", "topic": "__proto__", "name": "<u class=pwned>renamed</u>"},
        {"kind": "suggest", "source": PAYLOADS[1][:100], "topics": [], "hints": [["__proto__", [page_id(5)]]]},
    ]
    performing.perform(draft, user, DraftRequest(uuid4(), draft.revision, [*notes, *changed]))


_HARM = """() => {
  const all = [...document.querySelectorAll("*")];
  const handlers = all.filter((one) => one.getAttributeNames().some((name) => name.startsWith("on")));
  const addresses = all.filter((one) => ["href", "src", "action", "formaction", "data"].some((name) =>
    /^\\s*(javascript|vbscript|data)\\s*:/i.test(one.getAttribute(name) ?? "")));
  const foreign = [...document.scripts].filter((one) => one.type !== "application/json"
    && !one.src.startsWith(location.origin + "/static/"));
  const strangers = document.querySelectorAll(".pwned, iframe, object, embed, body style");
  const harm = [...handlers, ...addresses, ...foreign, ...strangers].map((one) => one.outerHTML.slice(0, 200));
  if ("pwned" in window) harm.push("a script ran");
  if (getComputedStyle(document.body).display === "none") harm.push("a style applies");
  if ({}.pwned !== undefined || Object.keys(Object.prototype).length) harm.push("every object is changed");
  return harm;
}"""


def harm(page: Page) -> list[str]:
    """What attack strings did to the page as it is now: elements, handlers, addresses and scripts that are not ours."""
    return list(page.evaluate(_HARM))


def literal(page: Page, within: str = "body") -> set[str]:
    """The texts of `TEXTS` that stand there letter by letter, cut after 40 at the earliest, isolated from others."""
    found = page.locator(within).evaluate(
        """(root, texts) => {
          const shown = [...root.querySelectorAll("bdi")].map((one) => one.textContent);
          return texts.filter((text) => shown.some((one) => one === text
            || (one.length > 40 && one.endsWith("…") && text.startsWith(one.slice(0, -1)))));
        }""",
        list(TEXTS),
    )
    return set(found)
