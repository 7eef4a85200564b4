"""People's accounts, and the tokens of their programs."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.limits import AUDIT_ABOUT_CHARS, NOTE_CHARS, REASON_CHARS, TOKEN_NAME_CHARS, USERNAME_CHARS
from accounts.notices import KINDS
from accounts.scopes import COMBINATIONS
from common.confusables import ACCOUNT_SEPARATORS, LookField, account_look

NAME_TAKEN = "There is an account of this name."


class User(AbstractUser):
    """An account. Names differ by more than case and look different; e-mail addresses of those who gave one differ."""

    # What the name looks like; empty only where nothing but a script wrote the row.
    look = LookField(of="username", separators=ACCOUNT_SEPARATORS)
    email = models.EmailField("e-mail address", blank=True)
    # When its owner opened the link that was sent there; only then may it receive what gives a right.
    email_confirmed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # How often everything was ended at once: sessions and password links hold for one number.
    endings = models.PositiveIntegerField(default=0, editable=False)
    # When the person left. The row stays under a neutral name, because others' work refers to it.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Since when who runs the site keeps the person out, and why (`accounts.services.administration`).
    suspended_at = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_for = models.CharField(max_length=REASON_CHARS, blank=True, editable=False)

    class Meta(AbstractUser.Meta):
        permissions = [("administer", "Can use the administration")]
        constraints = [
            models.UniqueConstraint(Lower("username"), name="user_name_once", violation_error_message=NAME_TAKEN),
            models.UniqueConstraint(
                fields=("look",),
                condition=~models.Q(look=""),
                name="user_look_once",
                violation_error_message="There is an account whose name looks like this one.",
            ),
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="email_address_once",
                violation_error_message="There is an account with this e-mail address already.",
            ),
            models.CheckConstraint(
                condition=models.Q(suspended_at=None) | models.Q(is_active=False), name="suspended_is_not_active"
            ),
        ]

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session must hold to be this account's: another one after each change of password, and each time
        everything is ended. Django asks with former secret keys, too."""
        value = f"{self.password} {self.endings}"
        return salted_hmac("accounts.session", value, secret=secret, algorithm="sha256").hexdigest()


class RetiredName(models.Model):
    """What the name of a deleted account looked like, as a keyed hash: nobody may be taken for who had it."""

    sha256 = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"{self.sha256[:8]}…"

    @classmethod
    def digest(cls, name: str, secret: str | None = None) -> str:
        return salted_hmac("accounts.retired-name", account_look(name), secret=secret, algorithm="sha256").hexdigest()

    @classmethod
    def of(cls, name: str) -> models.QuerySet[RetiredName]:
        """The row of a name that looks like this one, if there is one, under the secret key or a former one."""
        keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        return cls.objects.filter(sha256__in=[cls.digest(name, key) for key in keys])


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
    """A line of the audit log (`accounts.audit`). Append-only: a trigger holds that it never changes.

    Accounts and collections stand there by number, without a foreign key: the log outlives them.
    """

    at = models.DateTimeField(db_default=Now(), db_index=True)
    kind = models.CharField(max_length=24)
    actor = models.BigIntegerField(null=True, blank=True)
    actor_name = models.CharField(max_length=USERNAME_CHARS, blank=True)
    address = models.CharField(max_length=39, blank=True)
    account = models.BigIntegerField(null=True, blank=True)
    account_name = models.CharField(max_length=USERNAME_CHARS, blank=True)
    collection = models.BigIntegerField(null=True, blank=True)
    about = models.CharField(max_length=AUDIT_ABOUT_CHARS, blank=True)

    class Meta:
        verbose_name_plural = "audit log"
        ordering = ("-pk",)
        indexes = [
            models.Index(fields=("actor", "-id"), name="audit_actor"),
            models.Index(fields=("account", "-id"), name="audit_account"),
            models.Index(fields=("collection", "-id"), name="audit_collection"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name or '–'} {self.kind} {self.account_name} {self.about}".strip()


class Tally(models.Model):
    """How often something that guards a secret happened in a window of time (`accounts.rate_counters`)."""

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


class SecondFactor(models.Model):
    """The secret from which somebody's device makes codes (TOTP); there is one where they turned it on."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="second_factor")
    # Encrypted (`accounts.encryption`): codes are worked out from it, so that a hash would not do.
    sealed = models.CharField(max_length=200)
    # The step of time of the last code that was taken: neither it nor an earlier one is taken again.
    last_step = models.BigIntegerField(default=0)
    since = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"second factor of {self.user}"


class RecoveryCode(models.Model):
    """What stands in once for a code of the second factor. Only its SHA-256 is stored; gone once it was used."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="recovery_codes")
    sha256 = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"{self.sha256[:8]}… of {self.user}"


class Identity(models.Model):
    """Whom an OpenID Connect provider knows as somebody with an account here; they sign in by it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    since = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("issuer", "subject"), name="identity_of_one_account"),
            models.UniqueConstraint(fields=("user", "issuer"), name="identity_once_per_issuer"),
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"


class SignUpLink(models.Model):
    """A link of the operator's by which so many people may make an account, until then. Only its SHA-256 is stored."""

    note = models.CharField(max_length=NOTE_CHARS, blank=True)
    prefix = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64, unique=True)
    most_uses = models.PositiveIntegerField(default=1)
    used = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.CheckConstraint(condition=models.Q(most_uses__gte=1), name="sign_up_link_for_somebody"),
            models.CheckConstraint(condition=models.Q(used__lte=models.F("most_uses")), name="sign_up_not_overused"),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.note or 'anybody'})"
