"""People, collections and submissions that every test of the site may use.

Five people stand around one private collection: `owner`, `curator`, `submitter`, `reader`, and `outsider`, who has no
role in it. Jobs never run by themselves in tests: `finish` carries queued runs out in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.core.cache import cache
from django.test.client import MULTIPART_CONTENT, RequestFactory
from django.test.utils import teardown_databases
from django.utils.http import urlencode
from pytest_django import DjangoCaptureOnCommitCallbacks, DjangoDbBlocker

from accounts import host_counts
from accounts.models import User
from annotations.models import Collection, GoldVersion, Membership, Role
from annotations.services.imports import import_documents
from evaluation.jobs.here import run_here
from evaluation.models import Run, Submission
from evaluation.services import cells
from qc4.gold.document import GoldDocument
from tests import migrated, remembered_scores, tampering
from tests.handing_in import hand_in
from tests.samples import GOOD_ANSWER, PASSWORD, Answers, mercury, saturn, submission_document
from work import answers

Commit = Callable[[], AbstractContextManager[object]]


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The test database, also where nothing but a fixture of a wider scope than a test asks for it."""
    with django_db_blocker.unblock():
        made = migrated.set_up()
    tampering.let_tests_empty_tables()
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="session", autouse=True)
def _scores_computed_once(django_test_environment: None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "compute", remembered_scores.remembered)
        yield


@pytest.fixture(scope="session", autouse=True)
def _forms_as_browsers_send_them() -> Iterator[None]:
    """Django's client sends every form as if it had files, which most addresses refuse; browsers do not."""
    sent = RequestFactory.post

    def post(self: Any, path: str, data: Any = None, content_type: str = MULTIPART_CONTENT, **more: Any) -> Any:
        if content_type == MULTIPART_CONTENT and not _has_files(data or {}):
            data, content_type = urlencode(data or {}, doseq=True), "application/x-www-form-urlencoded"
        return sent(self, path, data, content_type, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RequestFactory, "post", post)
        yield


def _has_files(data: Any) -> bool:
    values = [each for value in data.values() for each in (value if isinstance(value, list | tuple) else [value])]
    return any(hasattr(value, "read") for value in values)


@pytest.fixture
def computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores are computed by this test itself, and are not remembered."""
    monkeypatch.setattr(cells, "compute", remembered_scores.compute)


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """One test's requests are not counted in another, and nothing that was kept for one is found by another."""
    cache.clear()
    host_counts.forget_all()


@pytest.fixture(autouse=True)
def _answers_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests work out every answer, whatever it costs, but where a test is about what is left to workers."""
    if "costs" not in request.keywords:
        monkeypatch.setattr(answers, "spend_request_budget", lambda share: True)


@pytest.fixture
def commit(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Commit:
    """What is done in it is committed at its end."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


# --- People -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def person(db: None) -> Callable[[str], User]:
    """Makes an account; its password is `tests.samples.PASSWORD`."""
    return lambda name: User.objects.create_user(name, password=PASSWORD)


@pytest.fixture
def owner(person: Callable[[str], User]) -> User:
    return person("owner")


@pytest.fixture
def outsider(person: Callable[[str], User]) -> User:
    """An account without a role anywhere."""
    return person("outsider")


@pytest.fixture
def curator(person: Callable[[str], User], collection: Collection) -> User:
    return _member(person("curator"), collection, Role.CURATOR)


@pytest.fixture
def adjudicator(person: Callable[[str], User], collection: Collection) -> User:
    return _member(person("adjudicator"), collection, Role.ADJUDICATOR)


@pytest.fixture
def submitter(person: Callable[[str], User], collection: Collection) -> User:
    return _member(person("submitter"), collection, Role.SUBMITTER)


@pytest.fixture
def reader(person: Callable[[str], User], collection: Collection) -> User:
    return _member(person("reader"), collection, Role.READER)


def _member(user: User, collection: Collection, role: Role) -> User:
    Membership.objects.create(collection=collection, user=user, role=role)
    return user


# --- Collections ------------------------------------------------------------------------------------------------------


@pytest.fixture
def gold_documents() -> tuple[GoldDocument, ...]:
    """Two queries: ``mercury`` on two levels with an outlier and an overlap, ``saturn`` on one level."""
    return mercury(), saturn()


@pytest.fixture
def collection(owner: User, gold_documents: tuple[GoldDocument, ...]) -> Collection:
    """A private collection of two queries with gold version 1 published; `owner` owns it."""
    return import_documents(name="Space and cars", slug="space-and-cars", documents=gold_documents, user=owner)


@pytest.fixture
def public_collection(owner: User, gold_documents: tuple[GoldDocument, ...]) -> Collection:
    """The same, readable by everybody."""
    return import_documents(name="Open space", documents=gold_documents, user=owner, public=True)


@pytest.fixture
def page_list_collection(owner: User, gold_documents: tuple[GoldDocument, ...]) -> Collection:
    """A private collection whose queries have pages and no gold standard."""
    plain = [GoldDocument(document.query_id, document.query_text, document.pages) for document in gold_documents]
    return import_documents(name="Only pages", slug="only-pages", documents=plain, user=owner)


@pytest.fixture
def gold_version(collection: Collection) -> GoldVersion:
    return collection.gold_versions.get(number=1)


# --- Submissions ------------------------------------------------------------------------------------------------------


@pytest.fixture
def submit(collection: Collection) -> Callable[..., tuple[Submission, Run | None]]:
    """``submit(user, algorithm="Lingo", answers=..., published=True)`` into `collection`; its run stays queued."""

    def call(
        user: User | None, algorithm: str = "Lingo", answers: Answers = GOOD_ANSWER, *, published: bool = True
    ) -> tuple[Submission, Run | None]:
        return hand_in(collection, submission_document(answers, algorithm), user, published=published)

    return call


@pytest.fixture
def finish() -> Callable[..., None]:
    """Carries out the given runs, or all that are queued, until nothing is left."""

    def call(*given: Run | None) -> None:
        for run in given:
            if run is not None:
                run_here(run)
        while not given and (run := Run.objects.filter(state=Run.State.QUEUED).order_by("pk").first()):
            run_here(run)

    return call


@pytest.fixture
def scored(
    owner: User, submit: Callable[..., tuple[Submission, Run | None]], finish: Callable[..., None]
) -> Submission:
    """A published submission of algorithm ``Lingo``, scored against gold version 1."""
    submission, run = submit(owner)
    finish(run)
    return submission
