"""Every address of the site."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from accounts import admin as _people  # noqa: F401  # registers what the administration shows; as the next one
from evaluation import admin as _work  # noqa: F401  # it registers its pages

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("qc4site.api.urls")),
    path(settings.ADMIN_PATH, admin.site.urls),
    path("", include("evaluation.urls")),
    path("", include("annotations.urls")),
    path("", include("accounts.urls")),
    path("", include("documentation.urls")),
]

handler400 = "qc4site.errors.pages.bad_request"
handler403 = "qc4site.errors.pages.forbidden"
handler404 = "qc4site.errors.pages.not_found"
handler500 = "qc4site.errors.pages.server_error"
