"""People and the audit log in the administration."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin_site import Deed, ReadMostly
from accounts.models import AuditEntry, User
from accounts.services import administration


class People(ReadMostly):
    """Accounts; who misuses theirs is suspended. `evaluation.admin` registers it, with what accounts do not know."""

    list_display = ("username", "email", "date_joined", "last_login", "state")
    search_fields = ("username", "email")
    list_filter = ("is_active",)
    fields = (*("username", "email", "email_confirmed_at", "date_joined", "last_login", "has_second_factor"), "state")
    readonly_fields = fields
    deeds: tuple[Deed, ...] = (
        Deed(
            "suspend",
            "Suspend",
            "Every session ends and every token is revoked, at once. Nobody signs in to the account until it is "
            "restored; the person is told the reason when they try, and by e-mail. Their work stays.",
            administration.suspend,
            lambda user: user.is_active,
        ),
        Deed(
            "restore",
            "Restore",
            "The person may sign in again; their tokens have to be made anew.",
            administration.restore,
            lambda user: user.suspended_at is not None,
        ),
    )

    @admin.display
    def state(self, user: User) -> str:
        """Whether they may sign in."""
        if user.deleted_at:
            return "deleted"
        return f"suspended: {user.suspended_for}" if user.suspended_at else "active" if user.is_active else "inactive"

    @admin.display(boolean=True)
    def has_second_factor(self, user: User) -> bool:
        """Whether signing in takes a code."""
        return hasattr(user, "second_factor")


@admin.register(AuditEntry)
class AuditLog(ReadMostly):
    """What happened; no line changes."""

    list_display = ("at", "kind", "actor_name", "address", "account_name", "collection", "about")
    list_filter = ("kind",)
    search_fields = ("actor_name", "account_name", "about", "=address")
    fields = list_display
