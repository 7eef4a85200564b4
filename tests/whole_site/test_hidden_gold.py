"""The attacker's test: hidden gold shows at no address.

The same world is built twice, with different gold standards of the hidden query: other topics, names, levels, outliers.
Whoever may not see them asks every address that stands in the permission table, by every method, and must get the same
answers in both worlds: what does not depend on the hidden gold standard cannot tell anything about it, be it a name, a
number of topics, a depth or a score. Where workers work answers out, each address is also asked before, while and after
they do; and what an answer is said to cost is compared, too. A new address takes part as soon as it has its line in the
permission table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import zip_longest
from typing import Any
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from accounts.models import User
from annotations.gold.services import publish
from annotations.models import Challenge, Collection
from evaluation.baseline_runs import services as baselines
from evaluation.models import Run
from evaluation.runs.execution import run_here
from evaluation.runs.services import enqueue_evaluation
from qc4.model.gold_document import GoldDocument, Topic
from tests.profiles import thorough
from tests.samples.documents import mercury
from tests.stored_answers import leave_all_to_workers
from tests.whole_site import test_permissions
from tests.whole_site.test_permissions import BODIES, LINES, OF_THE_SITE, World, browser_of, build_world
from work.answer_worker import compute_waiting_answers
from work.answers import Answer
from work.models import StoredAnswer

MARKER = "zyxomarker"
"""In every id and name of the hidden topics of the first world."""
MEASURES = ["aq", "wq", "ac", "wc", "quality", "coverage", "qc4", "qc4_f", "ari"]
STRANGERS = ("anonymous", "outsider", "reader")
ATTACKERS = (*STRANGERS, "submitter")
CHOICES = (
    "query=mercury&level=2",
    "gold=1&depth=1&missing=skip&measures=ari,coverage&sort=ari&algorithms={algorithms}",
)
"""What a participant also asks of everything that is read."""


FILES = ("-csv", "-json", "-tex", "-svg")
"""Of pages, which everybody asks for; these are made of the same answer, so that fewer ask."""
RATES = ("answers", "answers-visitors", "pages-heavy")
"""Limits of what is asked for again and again."""
PUBLISHED, OWN, OF_GOLD = "published", "private", "published of gold"
"""Which submission is asked about: the owner's, the submitter's own, and the one that is the gold standard."""
NOT_ABOUT_GOLD = frozenset(
    (
        *("sign-in", "sign-up", "sign-up-by-link", "sign-out", "account", "token-create", "token-revoke"),
        *("password-change", "password-forgotten", "password-set", "end-everything"),
        *("email-change", "email-confirmation", "email-confirm", "people", "api:collections", "import"),
    )
)
"""Addresses of people's accounts, and those that make another collection."""


def deep(prefix: str = MARKER) -> GoldDocument:
    """Hidden gold standard: two levels, an outlier, overlap."""
    found = mercury()
    names = {topic.id: f"{prefix}-{topic.id}" for topic in found.topics}
    topics = tuple(
        replace(topic, id=names[topic.id], name=f"{prefix} {topic.name}", parent=names.get(topic.parent or ""))
        for topic in found.topics
    )
    return replace(found, topics=topics)


def flat(prefix: str = "other") -> GoldDocument:
    """Another one for the same pages: one level, no outlier, no overlap."""
    parts = (("a", ("p1", "p5")), ("b", ("p2", "p6", "p8")), ("c", ("p3", "p4", "p7")))
    topics = tuple(Topic(f"{prefix}-{key}", f"{prefix} {key}", pages=pages) for key, pages in parts)
    return replace(mercury(), topics=topics, outliers=())


def again(document: GoldDocument) -> GoldDocument:
    """Its next version: a page leaves the first topic."""
    first, *others = document.topics
    without = replace(first, name=f"{first.name} anew", pages=first.pages[1:])
    return replace(document, topics=(without, *others), outliers=(*document.outliers, first.pages[0]))


def hiding_world(monkeypatch: pytest.MonkeyPatch, hidden: GoldDocument) -> tuple[World, World]:
    """The world of the permission table, public, with two gold versions and baselines made of them by a run, as
    everywhere; mercury's are hidden. The second one is the same, asked about the gold standard itself and that run."""
    monkeypatch.setattr(test_permissions, "mercury", lambda: hidden)
    world = build_world()
    collection, owner = world.collection, User.objects.get(username="owner")
    Collection.objects.filter(pk=collection.pk).update(visibility="public")
    made = baselines.enqueue(collection=collection, keys=["gold", "random", "random:level=2"], draws=1, user=owner)
    while run := Run.objects.filter(state=Run.State.QUEUED).order_by("pk").first():
        run_here(run)
    submission = collection.submissions.get(algorithm__baseline="gold")
    second = publish(collection=collection, documents=[again(hidden)], user=owner, note="second")
    for one in collection.submissions.all():
        enqueue_evaluation(submission=one, gold_version=second, user=owner, measures=MEASURES)
    while run := Run.objects.filter(state=Run.State.QUEUED).order_by("pk").first():
        run_here(run)
    challenge = Challenge.objects.create(collection=collection, hides=Challenge.Hides.SOME, measure="qc4_f")
    challenge.shown.set(collection.queries.filter(key="saturn"))
    return world, replace(world, submissions={"published": submission}, runs={"published": made})


Answers = Mapping[tuple[str, str, str], tuple[int, str]]
"""(person, request, choices) -> status and text."""


def look(
    world: World, role: str, method: str, name: str, which: str, choices: str = "", **more: str
) -> tuple[int, str]:
    """What somebody gets; unlike `test_permissions.ask`, what a page keeps for the next one stays kept."""
    body = BODIES.get((method, name), dict)()
    browser = browser_of(world, role)
    address = world.address(name, which)
    if choices:
        body.pop("data", None)
        algorithms = ",".join(map(str, world.collection.algorithms.values_list("pk", flat=True)))
        address += "?" + choices.format(algorithms=algorithms)
    response = getattr(browser, method.lower())(address, **body)
    headers = " ".join(f"{name}: {value}" for name, value in sorted(response.items()))
    return response.status_code, plain(f"{headers}\n{text_of(response.getvalue())}")


def text_of(content: bytes) -> str:
    """What an answer says; of a ZIP, what its files say."""
    if not content.startswith(b"PK"):
        return content.decode(errors="replace")
    with ZipFile(BytesIO(content)) as archive:
        return "\n".join(f"{name}: {archive.read(name).decode(errors='replace')}" for name in archive.namelist())


CHANGING = [
    (re.compile(pattern), what)
    for pattern, what in (
        (r'name="csrfmiddlewaretoken" value="[^"]*"', "csrf"),
        (r"X-CSRFToken[^}]*", "csrf"),
        (r'name="ticket" value="[^"]*"', "ticket"),
        (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?", "time"),
        (r"\b\d\d:\d\d:\d\d\b|\b\d+(\.\d+)?(?= s\b)|(?<=<dt>per second</dt><dd>)[\d.–]+", "time"),
        (r"Content-Length: \d+", "length"),
        (r"[0-9a-f]{64}", "sha256"),
        (r"[0-9a-f]{12,16}(?=[<…])|(?<=SHA-256 )[0-9a-f]{12}", "sha256"),
        (r"[0-9a-f-]{36}", "uuid"),
        (r"qc4_[\w-]+", "token"),
        (r'(?s)<svg[^>]*class="segno".*?</svg>', "code"),
        (r'(?<=name="offer" value=")[^"]*|(?<=id="second-factor-key">)[^<]*', "key"),
    )
]
"""What differs from one request, or one version, to the next: keys, times, and hashes, which nobody can turn back."""


def plain(text: str) -> str:
    for pattern, what in CHANGING:
        text = pattern.sub(what, text)
    return text


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: who, what, about which submission (`PUBLISHED`, `OWN`, `OF_GOLD`; empty for neither), how chosen."""

    role: str
    line: test_permissions.Line
    about: str
    choices: str = ""

    @property
    def words(self) -> str:
        return f"{self.line.method} {self.line.name}{self.about and ':'}{self.about}"


def requests() -> Iterator[Asked]:
    """Every address by everybody who is not asked for more of the same; nothing is left out, only repeated less.

    The owner reads first: what is kept for one must not be shown to another. Whoever is not signed in, the outsider and
    the reader see the same of gold standards, and so ask by turns. What is refused to the submitter is looked at, too.
    """
    for number, line in enumerate(LINES):
        if line.name in OF_THE_SITE | NOT_ABOUT_GOLD:
            continue
        if line.method != "GET":
            if line.public["submitter"] < 300:
                yield Asked("submitter", line, line.which)
            continue
        is_file, is_picture = line.name.endswith(FILES), line.name.endswith(("-svg", "-tex"))
        strangers = [role for role in STRANGERS if line.public[role] < 300]
        asking = strangers[number % len(strangers)] if strangers else "submitter"
        owners = ["owner"] if line.public["owner"] < 300 and not is_file else []
        yield from (Asked(role, line, line.which) for role in dict.fromkeys((*owners, asking, "submitter")))
        of_gold = line.which == PUBLISHED and "stream" not in line.name
        if of_gold:
            yield from (Asked(role, line, OF_GOLD) for role in (*owners, asking, "submitter"))
        # With choices: of one's own submission, and of that which tells most.
        if line.public["submitter"] < 300 and not is_picture and (of_gold or line.which != PUBLISHED):
            which = OF_GOLD if of_gold else line.which
            yield from (Asked("submitter", line, which, choices) for choices in CHOICES[-1 if which else 0 :])


def answers(world: World, of_gold: World) -> tuple[Answers, list[Asked]]:
    """What everybody gets everywhere, and about the submission that is the gold standard itself; and of which requests
    the answers are worked out, with what these cost, by which the site decides whether a worker does it."""
    found, worked_out = {}, []
    for asked in requests():
        if asked.role == "owner":
            cache.clear()  # what others kept
        with transaction.atomic(), costs() as of_this:
            status, text = look_at(world, of_gold, asked)
            transaction.set_rollback(asked.line.method != "GET")
        found[asked.role, asked.words, asked.choices] = status, "\n".join([text, *sorted(of_this)])
        if of_this and asked.line.method == "GET":
            worked_out.append(asked)
    return found, worked_out


def look_at(world: World, of_gold: World, asked: Asked) -> tuple[int, str]:
    of, line = of_gold if asked.about == OF_GOLD else world, asked.line
    return look(of, asked.role, line.method, line.name, line.which, asked.choices)


@contextmanager
def costs() -> Iterator[set[str]]:
    """What is worked out meanwhile, each with its cost."""
    found, key = set(), Answer.key

    def noting(self: Answer[Any, Any], asked: Any) -> str:
        found.add(f"{self.name} costs {self.cost(asked)}")
        return key(self, asked)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(Answer, "key", noting)
        yield found


def states(world: World, of_gold: World, some: list[Asked]) -> Answers:
    """The same requests where workers work everything out: nothing is there, somebody waits already, all is there, and
    all that the owner asked for is there."""
    found = {}

    def say(asked: Asked, state: str) -> None:
        found[asked.role, f"{asked.words}, {state}", asked.choices] = look_at(world, of_gold, asked)

    owners = [asked for asked in some if asked.role == "owner"]
    with pytest.MonkeyPatch.context() as monkeypatch:
        leave_all_to_workers(monkeypatch)
        monkeypatch.setattr(settings, "RATES", settings.RATES | dict.fromkeys(RATES, "100000/hour"))
        for asked in some:
            StoredAnswer.objects.all().delete()
            say(asked, "cold")
            say(asked, "pending")
            while compute_waiting_answers():
                say(asked, "stored")
        StoredAnswer.objects.all().delete()
        for asked in owners:
            look_at(world, of_gold, asked)
            while compute_waiting_answers():
                look_at(world, of_gold, asked)
        for asked in some:
            say(asked, "after the owner")
    return found


@contextmanager
def worlds(
    monkeypatch: pytest.MonkeyPatch, hidden: GoldDocument, blocker: DjangoDbBlocker
) -> Iterator[tuple[World, World]]:
    with blocker.unblock(), transaction.atomic():
        cache.clear()
        yield hiding_world(monkeypatch, hidden)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def both(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> tuple[Answers, Answers]:
    """What everybody gets in either world; ids are the same, because the first is undone before the second."""
    found = []
    with pytest.MonkeyPatch.context() as monkeypatch:
        for hidden in (deep(), flat()):
            with worlds(monkeypatch, hidden, django_db_blocker) as world:
                seen, worked_out = answers(*world)
                found.append(seen | states(*world, worked_out))
    return found[0], found[1]


pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="ids go on where they are sequences"),
    thorough("every address in two worlds of hidden gold"),
]


def test_no_answer_depends_on_hidden_gold(both: tuple[Answers, Answers]) -> None:
    one, other = both
    wrong = {key: told(one[key], other[key]) for key in one if key[0] in ATTACKERS and one[key] != other[key]}
    assert wrong == {}, "these answers tell something about a hidden gold standard"


def test_no_name_of_hidden_gold_shows(both: tuple[Answers, Answers]) -> None:
    """Also where both worlds would answer alike."""
    assert [key for key, (_, text) in both[0].items() if key[0] in ATTACKERS and MARKER in text] == []


def test_the_owner_does_see_it(both: tuple[Answers, Answers]) -> None:
    """What the attackers look for is there to be found."""
    one, other = both
    named = {key[1] for key, (_, text) in one.items() if key[0] == "owner" and MARKER in text}
    assert {
        "GET api:gold",
        "GET gold-download",
        "GET query",
        "GET why:published",
        "GET api:clustering:published of gold",
    } <= named
    differing = {key[1] for key in one if key[0] == "owner" and one[key] != other[key]}
    for name in ("leaderboard", "heat-map", "api:heat-map", "topic-coverage", "gold-ranks", "api:scores"):
        assert f"GET {name}" in differing


def told(one: tuple[int, str], other: tuple[int, str]) -> object:
    """Where two answers differ first."""
    if one[0] != other[0]:
        return one[0], other[0]
    pairs = zip_longest(one[1].splitlines(), other[1].splitlines(), fillvalue="")
    here = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    same = next((place for place, (a, b) in enumerate(zip(*here, strict=False)) if a != b), 0)
    start = max(0, same - 80)
    return [line[start : start + 200] for line in here]
