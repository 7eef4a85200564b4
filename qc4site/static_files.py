"""How static files are kept outside debug mode."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage

# `support_js_module_import_aggregation` would also look into the scripts of other packages, and trip over one of them.
_IMPORTS = (
    (r"""(?P<matched>\bfrom "(?P<url>\.\.?/[^"]+)";)""", 'from "%(url)s";'),
    (r"""(?P<matched>\bimport "(?P<url>\.\.?/[^"]+)";)""", 'import "%(url)s";'),
)


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Every file under a name with its hash, also where one of our scripts imports another: browsers keep all of them
    for good, and never mix the modules of two releases."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", _IMPORTS))
