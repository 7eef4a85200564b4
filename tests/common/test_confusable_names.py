"""Names look different where they are different people's, and hold nothing that nobody sees."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from accounts.models import RetiredName, User
from accounts.names import check_new
from accounts.services.account import ensure_user
from common.confusables import account_look, first_invisible, look, normalised_name

CYRILLIC = "p\u0430ypal"
"""With a Cyrillic letter for its first a."""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", CYRILLIC),
        ("paypal", "PayPaI"),
        ("bill", "bi1l"),
        ("modern", "modem"),
        ("\u0391\u0392", "AB"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("K-means", "K\u2010means"),
        ("a b", "a\u2003 b"),
        ("pay", "p\u200day"),
        ("\ufb01ne", "fine"),
        ("Lingo", "Lingo."),
        ("Lingo", "-Lingo_"),
        ("Lingo", "Lingo\u2024"),
        ("run.1", "run..1"),
        ("a-b", "a--b"),
        ("a_b", "a_-b"),
    ],
)
def test_these_look_alike(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("K\u00f6ln", "Koln"),
        ("k1", "k2"),
        ("Lingo", "Lingo 2"),
        ("\u65e5\u672c", "\u65e5\u6728"),
        ("run 1", "run 11"),
        ("K-means", "K-means++"),
        ("v1.1", "v11"),
        ("...", "--"),
    ],
)
def test_these_do_not(one: str, other: str) -> None:
    assert look(one) != look(other)


@pytest.mark.parametrize(
    "name",
    [
        "\u0395\u03bb\u03bb\u03ac\u03b4\u03b1",
        "\u4e2d\u6587",
        "na\u00efve",
        "\U0001f469\u200d\U0001f52c lab",
        "\u2600\ufe0f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ],
)
def test_what_people_write_is_all_seen(name: str) -> None:
    assert first_invisible(name) == ""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a\u202eb", "U+202E"),
        ("a\u200bb", "U+200B"),
        ("a\u200db", "U+200D"),
        ("a\nb", "U+000A"),
        ("\u3164", "U+3164"),
        ("a\u2066b", "U+2066"),
        ("\ufeffa", "U+FEFF"),
        ("a\x00", "U+0000"),
        ("\ue000", "U+E000"),
    ],
)
def test_what_nobody_sees_is_found(name: str, found: str) -> None:
    assert first_invisible(name) == found


def test_names_are_kept_composed_with_plain_spaces() -> None:
    assert normalised_name("  Zoe\u0308\u00a0 B ") == "Zo\u00eb B"


@pytest.mark.django_db
def test_no_two_accounts_look_alike_and_which_one_it_is_is_not_said() -> None:
    User.objects.create_user("paypal")
    new = {"username": CYRILLIC, "password1": "a long pass phrase", "password2": "a long pass phrase"}
    page = Client().post(reverse("sign-up"), new).content.decode()
    assert "looks like this one" in page
    assert "paypal" not in page
    assert User.objects.count() == 1
    with pytest.raises(ValidationError, match="looks like this one"):
        ensure_user(CYRILLIC)
    with pytest.raises(IntegrityError):
        User.objects.create_user(CYRILLIC)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["olga.", "_olga", "olga@", "+Olga", "o1ga-"])
def test_account_beside_another_differs_by_more_than_separators_at_its_ends(name: str) -> None:
    User.objects.create_user("olga")
    new = {"username": name, "password1": "a long pass phrase", "password2": "a long pass phrase"}
    assert "looks like this one" in Client().post(reverse("sign-up"), new).content.decode()
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_account_name_that_differs_inside_is_free() -> None:
    User.objects.create_user("olga.k")
    for name in ("olga", "olgak", "olga-k2"):
        ensure_user(name)
    with pytest.raises(ValidationError, match="looks like this one"):
        ensure_user("olga..k")


@pytest.mark.django_db
def test_nobody_gets_a_name_that_looks_like_that_of_a_deleted_account() -> None:
    RetiredName.objects.create(sha256=RetiredName.digest("olga"))
    with pytest.raises(ValidationError, match="nobody gets it again"):
        check_new("olga.")


@pytest.mark.django_db
def test_an_account_from_before_goes_on_working() -> None:
    user = User.objects.create_user("old")
    User.objects.update(look="")
    User.objects.create_user("another")
    user.refresh_from_db()
    user.save()
    assert user.look == account_look("old")
