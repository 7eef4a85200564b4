"""The first steps of `make run`: an account and a complete demo collection."""

from __future__ import annotations

import re
from functools import partial

import pytest

from accounts.models import User
from accounts.services import tokens
from annotations.collections.removal import allow_removal
from annotations.models import Collection
from evaluation.baseline_runs import services as baselines
from evaluation.collections import demo
from evaluation.models import Run
from qc4.measures.registry import REGISTRY
from tests.fixtures.commands import Manage


@pytest.fixture(autouse=True)
def _little_to_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute few measures and baselines, because all of them take seconds and are not tested here."""
    monkeypatch.setattr(REGISTRY, "all", lambda: (REGISTRY.get("qc4_f"),))
    few = partial(baselines.enqueue, keys=["singletons", "one_cluster", "gold"])
    monkeypatch.setattr(baselines, "enqueue", few)


def test_the_password_is_printed_once(manage: Manage) -> None:
    first = manage("ensure_user", "demo")
    password = re.search(r"only now\): (\S+)", first.out)
    assert password is not None
    assert User.objects.get(username="demo").check_password(password[1])
    second = manage("ensure_user", "demo")
    assert (second.status, password[1] in second.out) == (0, False)
    assert "changepassword demo" in second.out
    wrong = manage("ensure_user", "not a name")
    assert wrong.status == 2
    assert "'not a name': Enter a valid username." in wrong.err


def test_tokens_are_created_listed_and_revoked(manage: Manage, owner: User) -> None:
    made = manage("tokens", "Owner", "--make", "nightly", "--scope", "submit", "--days", "0")
    secret = re.search(r"only now\): (\S+)", made.out)
    assert secret is not None
    token = tokens.authenticate(secret[1])
    assert token is not None
    assert (token.user, token.scopes, token.expires_at) == (owner, "read submit", None)
    assert manage("tokens", "owner", "--make", "x", "--days", "-1").status == 2
    listed = manage("tokens", "owner").out
    assert f"{token.prefix}…  read submit  for ever" in listed
    assert secret[1] not in listed
    assert manage("tokens", "owner", "--revoke", "qc4_another").status == 2
    assert manage("tokens", "owner", "--revoke", token.prefix).status == 0
    assert tokens.authenticate(secret[1]) is None
    assert manage("tokens", "nobody").status == 2


def test_deleted_demo_is_not_reloaded_beside_other_collections(manage: Manage, collection: Collection) -> None:
    kept = manage("load_demo")
    assert kept.status == 0
    assert "--anyway" in kept.out
    assert list(Collection.objects.all()) == [collection]
    assert not demo.is_wanted()
    with allow_removal("a test"):
        Collection.objects.all().delete()
    assert demo.is_wanted()


def test_demo_is_loaded_beside_others_on_request(manage: Manage, collection: Collection) -> None:
    assert manage("load_demo", "--anyway").status == 0
    assert set(Collection.objects.values_list("slug", flat=True)) == {demo.SLUG, collection.slug}


def test_interrupted_demo_is_completed_beside_other_collections(manage: Manage, collection: Collection) -> None:
    interrupted = demo.load()
    assert interrupted
    assert manage("load_demo").status == 0
    assert not Run.objects.exclude(state=Run.State.DONE).exists()
    assert Run.objects.filter(kind=Run.Kind.BASELINES).count() == 1
    assert Collection.objects.get(slug=demo.SLUG).algorithms.count() > len(interrupted)


def test_an_account_made_later_gets_the_demo(manage: Manage) -> None:
    demo.load()
    manage("ensure_user", demo.OWNER)
    demo.load()
    assert Collection.objects.get().memberships.get().user.username == demo.OWNER
