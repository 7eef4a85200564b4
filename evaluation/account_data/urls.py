"""URLs of an account's data and its deletion."""

from __future__ import annotations

from django.urls import path

from evaluation.account_data import views

urlpatterns = [
    path("account/export/", views.account_export, name="account-export"),
    path("account/delete/", views.account_delete, name="account-delete"),
]
