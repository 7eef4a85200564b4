"""Links between accounts and identities at the OpenID Connect provider.

An identity is known by issuer and subject, never by an e-mail address.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts import mail
from accounts.audit import Kind, log
from accounts.models import Identity, User
from accounts.provider import Shown


def known(shown: Shown) -> User | None:
    """Return the account with this identity."""
    identity = Identity.objects.filter(issuer=shown.issuer, subject=shown.subject).select_related("user").first()
    if identity is None:
        return None
    Identity.objects.filter(pk=identity.pk).update(last_used_at=Now())
    return identity.user


def tie(user: User, shown: Shown) -> None:
    """Let this person sign in with the provider from now on.

    Raises:
        ValidationError: the identity belongs to another account, or this account already has an identity.
    """
    taken = ValidationError("Another account of this site is tied to it already.")
    if Identity.objects.filter(issuer=shown.issuer, subject=shown.subject).exclude(user=user).exists():
        raise taken
    with transaction.atomic():
        try:
            identity, made = Identity.objects.get_or_create(
                user=user, issuer=shown.issuer, defaults={"subject": shown.subject}
            )
        except IntegrityError:  # a concurrent request stored the identity
            raise taken from None
        if identity.subject != shown.subject:
            raise ValidationError("Your account is tied to somebody else there. Untie it first.")
        if made:
            log(Kind.IDENTITY_TIED, account=user, about=shown.issuer)
            _tell(user, "can be used by signing in at", shown.issuer)


def untie(user: User, issuer: str) -> bool:
    """Stop sign-in to this account with the provider. Return False if it was not possible before.

    Raises:
        ValidationError: the account has no password, so nobody could sign in to it any more.
    """
    if not user.has_usable_password():
        raise ValidationError("Set a password first: there would be no way into your account.")
    with transaction.atomic():
        if not user.identities.filter(issuer=issuer).delete()[0]:
            return False
        log(Kind.IDENTITY_UNTIED, account=user, about=issuer)
        _tell(user, "can no longer be used by signing in at", issuer)
    return True


def make_account(name: str, shown: Shown) -> User:
    """Make an account without a password for an identity at the provider.

    The e-mail address is confirmed only if the provider verified it. An address that another account has is omitted: it
    gives no right to that account.
    """
    with transaction.atomic():
        user = User(username=name)
        user.set_unusable_password()
        if shown.email and not User.objects.filter(email__iexact=shown.email).exists():
            user.email = shown.email
            user.email_confirmed_at = timezone.now() if shown.email_verified else None
        user.save()
        tie(user, shown)
    return user


def _tell(user: User, change: str, where: str) -> None:
    mail.send(user, "identity_changed", change=change, where=where, account_page=mail.link("account"))
