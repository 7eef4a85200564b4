"""People's accounts, and the tokens of their programs."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone

from accounts.limits import AUDIT_ABOUT_CHARS, TOKEN_NAME_CHARS
from accounts.notices import KINDS
from accounts.scopes import COMBINATIONS


class User(AbstractUser):
    """An account. Names differ by more than case, and so do the e-mail addresses of those who gave one."""

    email = models.EmailField("e-mail address", blank=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"), name="user_name_once", violation_error_message="There is an account of this name."
            ),
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="email_address_once",
                violation_error_message="There is an account with this e-mail address already.",
            ),
        ]


class MutedNotice(models.Model):
    """A kind of e-mail that somebody does not want; all others they get (`accounts.notices`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_notices")
    kind = models.CharField(max_length=20)

    class Meta:
        ordering = ("user", "kind")
        constraints = [
            models.UniqueConstraint(fields=("user", "kind"), name="notice_muted_once"),
            models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="muted_notice_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} wants no e-mails about {self.kind}"


class AuditEntry(models.Model):
    """A line of the audit log (`accounts.services.audit`). Append-only: a trigger holds that it never changes.

    Accounts and collections stand there by number, without a foreign key: the log outlives them.
    """

    at = models.DateTimeField(db_default=Now(), db_index=True)
    kind = models.CharField(max_length=24)
    actor = models.BigIntegerField(null=True, blank=True)
    actor_name = models.CharField(max_length=150, blank=True)
    address = models.CharField(max_length=39, blank=True)
    account = models.BigIntegerField(null=True, blank=True)
    account_name = models.CharField(max_length=150, blank=True)
    collection = models.BigIntegerField(null=True, blank=True)
    about = models.CharField(max_length=AUDIT_ABOUT_CHARS, blank=True)

    class Meta:
        ordering = ("-pk",)
        indexes = [
            models.Index(fields=("actor", "-id"), name="audit_actor"),
            models.Index(fields=("account", "-id"), name="audit_account"),
            models.Index(fields=("collection", "-id"), name="audit_collection"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name or '–'} {self.kind} {self.account_name} {self.about}".strip()


class Tally(models.Model):
    """How often something that guards a secret happened in a window of time (`accounts.tallies`)."""

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=40)
    since = models.DateTimeField()
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=("kind", "key"), name="tally_once")]

    def __str__(self) -> str:
        return f"{self.number} of {self.kind} since {self.since:%Y-%m-%d %H:%M:%S}"


class ApiToken(models.Model):
    """A program's key to the API. Only its SHA-256 is stored; the token itself is shown once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=TOKEN_NAME_CHARS)
    prefix = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True, blank=True)
    scopes = models.CharField(max_length=40)
    expires_at = models.DateTimeField(null=True, blank=True)
    """None: it works until it is revoked."""

    class Meta:
        ordering = ("-pk",)
        constraints = [models.CheckConstraint(condition=models.Q(scopes__in=COMBINATIONS), name="token_scopes_known")]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"

    @property
    def scope_names(self) -> list[str]:
        return self.scopes.split()

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def days_left(self) -> int | None:
        """Whole days until it works no more; None for one that always does."""
        return None if self.expires_at is None else max(0, (self.expires_at - timezone.now()).days)
