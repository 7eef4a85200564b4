"""What the audit log tells of, and who reads which part of it. Written by `accounts.services.audit`."""

from __future__ import annotations

from django.db.models import Q, QuerySet, TextChoices

from accounts.models import AuditEntry, User


class Kind(TextChoices):
    """What happened, in the words of a line: "ada SIGNED IN"."""

    SIGNED_UP = "signed-up", "made the account"
    SIGNED_IN = "signed-in", "signed in"
    WRONG_PASSWORD = "wrong-password", "gave a wrong password"
    WRONG_CODE = "wrong-code", "gave a wrong code of the second factor"
    LOCKED = "locked", "was kept out after too many wrong passwords or codes"
    SIGNED_OUT = "signed-out", "signed out"
    TOKEN_MADE = "token-made", "made a token"
    TOKEN_REVOKED = "token-revoked", "revoked a token"
    ADDRESS_CHANGED = "address-changed", "changed the e-mail address"
    ADDRESS_CONFIRMED = "address-confirmed", "confirmed the e-mail address"
    PASSWORD_LINK = "password-link", "made a link that sets the password"
    PASSWORD_CHANGED = "password-changed", "set another password"
    SECOND_FACTOR_ON = "second-factor-on", "turned the second factor on"
    SECOND_FACTOR_OFF = "second-factor-off", "turned the second factor off"
    RECOVERY_CODES_MADE = "recovery-codes-made", "made new recovery codes"
    RECOVERY_CODE_USED = "recovery-code-used", "used a recovery code"
    IDENTITY_TIED = "identity-tied", "tied the account to a provider"
    IDENTITY_UNTIED = "identity-untied", "untied the account from a provider"
    ALL_ENDED = "all-ended", "ended every other session and revoked all tokens"
    ACCOUNT_DELETED = "account-deleted", "deleted the account"
    SUSPENDED = "suspended", "suspended the account"
    RESTORED = "restored", "let the account in again"
    ADMINISTRATOR_APPOINTED = "administrator-appointed", "let the account use the administration"
    ADMINISTRATOR_DISMISSED = "administrator-dismissed", "took the administration from the account"
    COLLECTION_HIDDEN = "collection-hidden", "hid the collection, as administrator"
    COLLECTION_UNHIDDEN = "collection-unhidden", "hid the collection no longer, as administrator"
    COLLECTION_PURGED = "collection-purged", "deleted the collection, as administrator"
    RUN_CANCELLED = "run-cancelled", "cancelled a run, as administrator"
    QUOTA_SET = "quota-set", "set another quota"
    ROLE_OFFERED = "role-offered", "offered a role"
    OFFER_ACCEPTED = "offer-accepted", "accepted a role that was offered"
    OFFER_DECLINED = "offer-declined", "declined a role that was offered"
    OFFER_WITHDRAWN = "offer-withdrawn", "took back the offer of a role"
    ROLE_GIVEN = "role-given", "gave a role"
    ROLE_TAKEN = "role-taken", "took a role away"
    INVITED = "invited", "made an invitation link"
    INVITATION_ACCEPTED = "invitation-accepted", "took up an invitation link"
    INVITATION_REVOKED = "invitation-revoked", "revoked an invitation link"
    GOLD_PUBLISHED = "gold-published", "published a gold version"
    SUBMISSION_PUBLISHED = "submission-published", "published a submission"
    SUBMISSION_UNPUBLISHED = "submission-unpublished", "took a submission back"
    DELETED = "deleted", "deleted"


def of_account(user: User) -> QuerySet[AuditEntry]:
    """What somebody did, and what was done to their account; the latest first."""
    return AuditEntry.objects.filter(Q(account=user.pk) | Q(actor=user.pk))


def of_collection(number: int) -> QuerySet[AuditEntry]:
    """What happened to a collection's people and publications; the latest first."""
    return AuditEntry.objects.filter(collection=number)


def address_for(user: User, entry: AuditEntry) -> str:
    """From where it was done, as far as this person may know: of what they did, and of what nobody signed in did to
    their account, such as a wrong password. Where others are is not theirs to know."""
    return entry.address if entry.actor in {user.pk, None} and user.pk in {entry.actor, entry.account} else ""
