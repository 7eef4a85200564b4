"""Imports do not block other writers: they use short transactions and stay hidden until complete."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.models import AuditEntry, User
from annotations.collections.services import create_collection
from annotations.imports import services as imports
from annotations.imports.services import import_documents
from annotations.models import Collection, Gold, Membership, Page, Query
from evaluation.runs.source import DAY, tidy
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError
from tests.samples.documents import mercury, pages, saturn
from work.clock import from_now

DOCUMENTS = (mercury(), saturn(), GoldDocument("long", "Long", pages(40)))


class KilledError(BaseException):
    """Ends an import like a signal."""


@pytest.fixture(autouse=True)
def _small_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "BATCH_ROWS", 10)


@pytest.fixture
def killed(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import killed half way, without cleaning up."""

    def kill(done: int, total: int, words: str) -> None:
        if "30 of" in words:
            raise KilledError

    discard = imports._remove_imports
    monkeypatch.setattr(imports, "_remove_imports", lambda _: None)
    with pytest.raises(KilledError):
        import_documents(name="Space", slug="space", documents=DOCUMENTS, user=owner, public=True, progress=kill)
    monkeypatch.setattr(imports, "_remove_imports", discard)
    assert Page.objects.count() == 30


def test_each_batch_is_a_transaction_and_the_last_shows_the_collection(owner: User) -> None:
    told: list[str] = []

    def look(done: int, total: int, words: str) -> None:
        told.append(words)
        assert not Collection.objects.exists()
        assert Client().get("/api/v1/collections").json()["results"] == []
        assert not Membership.objects.exists()
        assert not AuditEntry.objects.filter(kind="gold-published").exists()

    sizes: list[int] = []

    def count(execute, sql, params, many, context):
        if sql.startswith("SAVEPOINT"):
            sizes.append(0)
        elif 'INSERT INTO "annotations_page"' in sql and sizes:
            sizes[-1] += len(params) // 9
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        collection = import_documents(name="Space", documents=DOCUMENTS, user=owner, public=True, progress=look)
    storing = [words for words in told if words.startswith("storing")]
    assert storing == [
        *(f"storing: {done} of 52 pages" for done in (10, 20, 30, 40, 50, 52)),
        "storing: 2 of 2 gold standards",
    ]
    assert max(sizes) <= 10
    assert Collection.objects.get() == collection
    assert (collection.queries.count(), collection.gold_versions.get().entries.count()) == (3, 2)
    assert collection.created_by == owner
    assert len(Client().get("/api/v1/collections").json()["results"]) == 1


@pytest.mark.parametrize("point", ["10 of 52", "52 of 52", "gold standards"])
def test_interrupted_import_stores_nothing_and_frees_its_name(owner: User, point: str) -> None:
    def end(done: int, total: int, words: str) -> None:
        if point in words:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_documents(name="Space", slug="space", documents=DOCUMENTS, user=owner, progress=end)
    assert not any(model._base_manager.exists() for model in (Collection, Query, Page, Gold))
    assert import_documents(name="Space", slug="space", documents=DOCUMENTS, user=owner).slug == "space"


@pytest.mark.usefixtures("killed")
def test_remains_of_a_killed_import_are_hidden_and_later_removed(owner: User, client: Client) -> None:
    left = Collection.everything.get()
    client.force_login(owner)
    for address in (f"/collections/{left.slug}/", f"/api/v1/collections/{left.slug}"):
        assert client.get(address).status_code == 404
    again = import_documents(name="Space", slug="space", documents=DOCUMENTS, user=owner)
    assert again.slug == "space"
    tidy()
    assert Collection.everything.count() == 2
    Collection.everything.filter(pk=left.pk).update(arriving_at=from_now(-DAY - 1))
    tidy()
    assert Collection.everything.get() == again
    assert Page.objects.count() == 52


@pytest.mark.usefixtures("killed")
def test_incomplete_collections_have_the_same_constraints() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Collection.everything.update(visibility="public")
    with pytest.raises(IntegrityError), transaction.atomic():
        Page.objects.first().delete()


def test_abandoned_import_stops_storing(owner: User) -> None:
    def give_up(done: int, total: int, words: str) -> None:
        if "30 of" in words:
            imports.discard_abandoned_imports(
                from_now(1)
            )  # SQLite has millisecond resolution; one second ahead makes all rows older

    with pytest.raises(InputError, match="paused for so long"):
        import_documents(name="Space", documents=DOCUMENTS, user=owner, progress=give_up)
    assert not Page.objects.exists()


def test_first_of_two_imports_with_one_name_gets_it(owner: User) -> None:
    def overtake(done: int, total: int, words: str) -> None:
        if "30 of" in words:
            create_collection(name="Space", user=owner)

    with pytest.raises(InputError, match="Space"):
        import_documents(name="Space", documents=DOCUMENTS, user=owner, progress=overtake)
    assert Collection.everything.count() == 1
    assert not Page.objects.exists()
