"""URLs of the import of a collection."""

from __future__ import annotations

from common.body_sizes import SEVERAL_FILES
from common.routes import Help, page
from evaluation.imports import views

urlpatterns = [
    page(
        "new/",
        views.import_collection,
        name="import",
        help=Help("collections", "import-the-files", "How to create a collection"),
        body=SEVERAL_FILES,
    ),
]
