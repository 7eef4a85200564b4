"""Collections: names, slugs, owners."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from annotations.access import May, capabilities
from annotations.collections.services import create_collection
from annotations.models import Collection, Membership, Role
from annotations.people.services.roles import add_role, remove_role
from qc4.problems import InputError


def test_creator_of_a_collection_is_its_owner(owner: User, outsider: User) -> None:
    collection = create_collection(name="Birds & planes", user=owner)
    assert collection.slug.startswith("birds-planes-")
    assert May.MANAGE in capabilities(owner, collection)
    assert not capabilities(outsider, collection)


def test_public_collection_is_readable_by_everyone(owner: User, outsider: User) -> None:
    assert capabilities(outsider, create_collection(name="Open", user=owner, public=True)) == {May.VIEW}


@pytest.mark.parametrize(("name", "slug"), [("水星", "collection"), ("a" * 150, "a" * 72), ("  Ünï  ", "uni")])
def test_every_name_has_a_valid_slug(owner: User, name: str, slug: str) -> None:
    collection = create_collection(name=name, user=owner, public=True)
    assert (collection.name, collection.slug) == (name.strip(), slug)


@pytest.mark.parametrize(("name", "code"), [("", "no-name"), ("  ", "no-name"), ("x" * 201, "long-name")])
def test_invalid_names_are_rejected(owner: User, name: str, code: str) -> None:
    with pytest.raises(InputError) as refused:
        create_collection(name=name, user=owner)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_name_of_a_visible_collection_is_taken(owner: User, collection: Collection) -> None:
    with pytest.raises(InputError, match="Space and cars"):
        create_collection(name="SPACE AND CARS", user=owner)


def test_existence_of_other_private_collections_is_not_revealed(outsider: User, owner: User) -> None:
    """Neither an error nor the URL reveals it: URLs have the same form with and without the other collection."""
    first = create_collection(name="Ambient", user=owner)
    second = create_collection(name="Ambient", user=outsider)
    assert first.slug.rpartition("-")[0] == second.slug.rpartition("-")[0] == "ambient"
    assert first.slug != second.slug


def test_public_collection_has_a_plain_url_despite_private_ones(owner: User, outsider: User) -> None:
    create_collection(name="Ambient", user=owner)
    assert create_collection(name="Ambient", user=outsider, public=True).slug == "ambient"


def test_last_owner_cannot_be_removed(owner: User, collection: Collection, person: Callable[[str], User]) -> None:
    with pytest.raises(InputError, match="only owner"):
        remove_role(collection=collection, user=owner, role=Role.OWNER)
    second = person("second")
    add_role(collection=collection, user=second, role=Role.OWNER)
    remove_role(collection=collection, user=owner, role=Role.OWNER)
    assert [row.user for row in Membership.objects.filter(collection=collection)] == [second]


def test_adding_a_role_twice_is_rejected(owner: User, collection: Collection, outsider: User) -> None:
    for _ in range(2):
        add_role(collection=collection, user=outsider, role=Role.READER)
    assert collection.memberships.filter(user=outsider).count() == 1
    with pytest.raises(InputError, match="owner, curator"):
        add_role(collection=collection, user=outsider, role="boss")
