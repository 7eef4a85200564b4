"""Licences under which collections are given on, by their SPDX names."""

from __future__ import annotations

SPDX = (
    *("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC-BY-ND-4.0", "CC-BY-NC-ND-4.0"),
    *("CC-BY-3.0", "CC-BY-SA-3.0", "ODC-By-1.0", "ODbL-1.0", "PDDL-1.0", "CDLA-Permissive-2.0", "CDLA-Sharing-1.0"),
    *("MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0-only", "GPL-3.0-or-later", "LGPL-3.0-only", "MPL-2.0"),
)
"""Those that forms offer; any other words do as well."""
_KNOWN = {name.casefold(): name for name in SPDX}


def licence_address(licence: str, given: str = "") -> str:
    """Where a licence can be read: the address its collection gives, else the page of its SPDX name; "" for words."""
    name = _KNOWN.get(licence.strip().casefold())
    return given or (f"https://spdx.org/licenses/{name}.html" if name else "")
