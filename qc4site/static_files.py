"""How static files are stored outside debug mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from common import joined_scripts

# `support_js_module_import_aggregation` would also look into the scripts of other packages, and trip over one of them.
_IMPORTS = (
    (r"""(?P<matched>\bfrom "(?P<url>\.\.?/[^"]+)";)""", 'from "%(url)s";'),
    (r"""(?P<matched>\bimport "(?P<url>\.\.?/[^"]+)";)""", 'import "%(url)s";'),
)


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Stores each file under a name with its hash, and one joined script for each page.

    Imports in our scripts use the names with hashes, too. So browsers may cache all files forever, and never mix the
    modules of two releases.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", _IMPORTS))
    has_joined_scripts = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[tuple[str, str, bool]]:
        """Add the joined scripts to the collected files, then process all files as usual."""
        if not options.get("dry_run"):
            paths = paths | {name: (self, name) for name in self._join(paths)}
        yield from super().post_process(paths, *args, **options)

    def _join(self, paths: dict[str, Any]) -> Iterator[str]:
        texts = {name: _text(*paths[name]) for name in paths if name.startswith("js/") and name.endswith(".js")}
        for entry in joined_scripts.entries(texts, texts.__getitem__):
            name = joined_scripts.joined_name(entry)
            self.delete(name)
            yield self.save(name, ContentFile(joined_scripts.joined(entry, texts.__getitem__).encode()))


def _text(storage: Any, path: str) -> str:
    with storage.open(path) as file:
        text: str = file.read().decode()
    return text
