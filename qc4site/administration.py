"""Django's admin, with `accounts.admin_site.Administration` as its site.

`admin.py` files are imported where addresses are (`qc4site.urls`): commands need none of them, and libraries' are not
wanted.
"""

from __future__ import annotations

from django.contrib.admin.apps import SimpleAdminConfig


class AdministrationConfig(SimpleAdminConfig):
    """The app, by Django's label."""

    default_site = "accounts.admin_site.Administration"
