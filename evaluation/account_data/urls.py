"""URLs of an account's data and its deletion."""

from __future__ import annotations

from common.routes import Cost, Help, page
from evaluation.account_data import views

urlpatterns = [
    page("account/export/", views.account_export, name="account-export", cost=Cost.COMPUTES),
    page(
        "account/delete/",
        views.account_delete,
        name="account-delete",
        help=Help("account", "deleting-it", "What is deleted and what stays"),
    ),
]
