"""What one request may cost at the most: every address that anybody reads, asked about the largest data people bring.

Each answer is made in a process of its own, forked from one that has the site loaded: processor time and memory are
those of the answer alone. The peer is the ceiling: 2 s of processor and 200 MB, whatever is asked.
"""

from __future__ import annotations

import json
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from bench.serving import environment, in_python

if TYPE_CHECKING:
    from qc4.clustering.clustering import Clustering
    from qc4.gold.document import GoldDocument

SECONDS, BYTES = 2.0, 200_000_000
LONGEST = 120
"""Seconds of processor after which an answer is given up."""
FILL, ASK = "from bench.ceiling import fill; fill()", "from bench.ceiling import ask_all; ask_all()"


def run() -> list[dict[str, Any]]:
    """Two rows for each address: processor time and memory."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = environment(folder) | {"ALLOWED_HOSTS": "testserver"}
        made = in_python(FILL, settings).splitlines()[-1]
        answered = in_python(ASK, settings | {"QC4_BENCH_MADE": made}).splitlines()
        return [row for line in answered for row in _rows(json.loads(line))]


def _rows(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    work = f"{found['name']} ({found['status']})"
    seconds, held = found["seconds"], found["bytes"]
    yield {"work": work, "peer": f"ceiling of {SECONDS:g} s"} | {
        "seconds": seconds, "peer_seconds": SECONDS, "ratio": seconds / SECONDS, "goal": 1.0
    }  # fmt: skip
    yield {"work": f"{work}, memory", "peer": f"ceiling of {BYTES // 1_000_000} MB"} | {
        "bytes": held, "peer_bytes": BYTES, "ratio": held / BYTES, "goal": 1.0
    }  # fmt: skip


# --- The data ---------------------------------------------------------------------------------------------------------


def fill() -> None:
    """Write all of it into the database of the settings; print what addresses are made of."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from accounts.models import User
    from annotations.limits import LIMITS
    from annotations.services.imports import import_documents

    owner = User.objects.create_user("owner")
    documents = [_few_topics(), _many_topics()]
    collection = import_documents(name="Large", documents=documents, user=owner, public=True)
    made: dict[str, Any] = {"long": _submitted(collection, _answer("long", 200), owner)}
    made |= {"wide": _submitted(collection, _answer("wide", LIMITS.clusters), owner)}
    made["drafts"] = [_draft(collection, owner, seed) for seed in (1, 2)]
    print(json.dumps(made))


def _few_topics() -> GoldDocument:
    """The most pages there may be, in 20 topics of 10 subtopics each."""
    from qc4.gold.document import GoldDocument, Topic

    pages = _pages()
    upper = tuple(Topic(f"t{n}", f"Topic {n}") for n in range(20))
    lower = tuple(
        Topic(f"s{n}", f"Subtopic {n}", f"t{n // 10}", pages=tuple(page.id for page in pages[n::200]))
        for n in range(200)
    )
    return GoldDocument("long", "few topics", pages, (*upper, *lower))


def _many_topics(seed: int = 0) -> GoldDocument:
    """The most pages and topics there may be, on one level; by chance, each page in as many topics as may be."""
    from annotations.limits import LIMITS
    from qc4.gold.document import GoldDocument, Topic

    random, pages = Random(seed), _pages()  # noqa: S311  # topics for a benchmark, not secrets
    held: list[set[str]] = [set() for _ in range(LIMITS.topics)]
    for page in pages:
        for topic in random.sample(range(LIMITS.topics), LIMITS.memberships // LIMITS.pages):
            held[topic].add(page.id)
    topics = tuple(Topic(f"t{n}", f"Topic {n}", pages=tuple(sorted(ids))) for n, ids in enumerate(held))
    return GoldDocument("wide", "many topics", pages, topics)


def _pages() -> tuple[Any, ...]:
    from annotations.limits import LIMITS
    from qc4.gold.document import Page

    text = "What a page of search results says, as long as snippets are. " * 5
    return tuple(Page(f"p{n}", n + 1, f"https://site-{n}.example/", f"Page {n}", text) for n in range(LIMITS.pages))


def _answer(query: str, n_clusters: int) -> Clustering:
    """So many clusters of the same size, by chance; each page in as many as may be."""
    from annotations.limits import LIMITS
    from qc4.clustering.clustering import Cluster, Clustering

    random = Random(7)  # noqa: S311  # as above
    ids = [f"p{n}" for n in range(LIMITS.pages)]
    size = LIMITS.memberships // n_clusters
    clusters = (Cluster(f"c{n}", tuple(random.sample(ids, size)), f"Cluster {n}") for n in range(n_clusters))
    return Clustering(query, tuple(clusters))


def _submitted(collection: Any, answer: Clustering, owner: Any) -> int:
    from annotations.selectors.page_lists import page_lists
    from evaluation.models import Submission
    from evaluation.services.checking import report_on
    from evaluation.services.provenance import Provenance
    from evaluation.services.submissions import submit
    from qc4.clustering.clustering import SubmissionDocument

    report = report_on(SubmissionDocument((answer,), f"Answers {answer.query}"), page_lists(collection))
    submission, _ = submit(collection, report, Provenance(owner, Submission.Origin.COMMAND, published=True))
    return submission.pk


def _draft(collection: Any, owner: Any, seed: int) -> int:
    from annotations.services import drafts
    from annotations.services.drafts import lifecycle

    query = collection.queries.get(key="wide")
    draft = drafts.from_file(document=_many_topics(seed), query=query, user=owner, kind="shared")
    lifecycle.submit(draft)
    return draft.pk


# --- The requests -----------------------------------------------------------------------------------------------------


def addresses(made: dict[str, Any]) -> dict[str, str]:
    """What is read about the large things, by name."""
    site, api = "/c/large", "/api/v1/collections/large"
    first, second = made["drafts"]
    pair = f"first={first}&second={second}"
    found = {"collection": f"{site}/", "pages.csv": f"{site}/pages.csv", "gold download": f"{site}/gold/1/"}
    found |= {"example submission": f"{site}/submit/example.jsonl", "board": f"{site}/leaderboard/"}
    found |= {"topics": f"{site}/topics/", "API, queries": f"{api}/queries"}
    for key in ("long", "wide"):
        pk = made[key]
        of_one = f"/api/v1/submissions/{pk}/queries/{key}"
        found |= {
            f"{key}: query page": f"{site}/q/{key}/",
            f"{key}: API, query": f"{api}/queries/{key}",
            f"{key}: API, gold": f"{api}/gold-versions/1/queries/{key}",
            f"{key}: submission": f"/submissions/{pk}/",
            f"{key}: why": f"/submissions/{pk}/why/{key}/",
            f"{key}: why, all clusters": f"/submissions/{pk}/why/{key}/?clusters=all",
            f"{key}: API, clustering": of_one,
            f"{key}: API, explain": f"{of_one}/explain",
            f"{key}: API, what if": f"{of_one}/what-if?drop=c1",
            f"{key}: API, matrix": f"{of_one}/matrix",
            f"{key}: API, chance": f"{of_one}/chance",
            f"{key}: API, alike": f"{of_one}/alike?against={pk}",
            f"{key}: drafts": f"{site}/q/{key}/drafts/",
        }
    agreement = f"{site}/q/wide/agreement"
    found |= {
        "agreement": f"{agreement}/",
        "agreement of two": f"{agreement}/?{pair}",
        "agreement, CSV": f"{agreement}.csv?{pair}",
        "agreement, JSON": f"{agreement}.json?{pair}",
        "API, agreement": f"{api}/queries/wide/agreement?{pair}",
        "draft, workspace": f"/drafts/{first}/",
        "API, draft": f"/api/v1/drafts/{first}",
        "API, draft, document": f"/api/v1/drafts/{first}/document",
        "API, draft, pages": f"/api/v1/drafts/{first}/pages",
        "API, draft, check": f"/api/v1/drafts/{first}/check",
        "API, draft, history": f"/api/v1/drafts/{first}/history",
        "API, draft, predictions": f"/api/v1/drafts/{first}/predictions",
        "API, draft, groups": f"/api/v1/drafts/{first}/groups",
    }
    return found


def ask_all() -> None:
    """Ask each, and print a line of JSON for it."""
    import django

    django.setup()
    from django.db import connections
    from django.test import Client

    from accounts.models import User

    made = json.loads(os.environ["QC4_BENCH_MADE"])
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="owner"), "django.contrib.auth.backends.ModelBackend")
    client.get("/sign-in/")

    wanted = os.environ.get("QC4_BENCH_ONLY", "")
    for name, address in addresses(made).items():
        if wanted in name:
            connections.close_all()
            print(json.dumps({"name": name, **_in_a_child(client, address)}), flush=True)


def _in_a_child(client: Any, address: str) -> dict[str, Any]:
    """Processor time, memory beyond what the process had, status and size of an answer."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        before, start = _held("VmRSS"), time.process_time()
        answer = client.get(address)
        size = sum(len(part) for part in answer) if answer.streaming else len(answer.content)
        found = {"seconds": time.process_time() - start, "bytes": _held("VmHWM") - before}
        os.write(writing, json.dumps(found | {"status": answer.status_code, "size": size}).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return json.loads(told) if told else {"seconds": float(LONGEST), "bytes": 0, "status": "given up", "size": 0}


def _held(which: str) -> int:
    """Bytes of memory, now (VmRSS) or at the most (VmHWM)."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(which))
    return int(line.split()[1]) * 1024
