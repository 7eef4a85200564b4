"""`.env.example` and docs/users/settings.md, which `make options` makes from `qc4site.configuration.options`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from qc4site.configuration.environment import Derived, Option
from qc4site.configuration.options import PROJECT, Options

WIDTH = 120
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")

EXAMPLE_HEAD = """\
# Settings of QC4 Bench. `make run` copies this file to .env and fills in SECRET_KEY; all other settings are optional.
# To change one, remove the # before it. An environment variable of the same name overrides this file.
# docs/users/settings.md lists the allowed values. `make options` makes both from qc4site/configuration/options.py.
"""

PAGE_HEAD = """\
# Settings

You set up a site with environment variables, or with lines such as `PORT=8080` in the file `.env` in the project's
folder. `make run` makes `.env` from [.env.example](../../.env.example). The site reads both when it starts, so restart
all its processes after a change.

- An environment variable overrides the line in `.env`. An empty value counts as absent.
- **Wrong values stop the start.** Every command of `manage.py`, the web server and the workers end with exit status 2
  and one sentence for each value that is not allowed, and for settings that do not go together.
- **An unknown name in `.env` stops the start,** with a question about the setting that may be meant. Variables for
  other programs belong in the environment.
- **An environment variable that looks like a misspelt setting is a warning,** since it may belong to another program.
  `manage.py check` and all other commands of `manage.py` print it.
"""

TABLE_HEAD = "| setting | value | default | meaning |\n|---|---|---|---|"


def env_example() -> str:
    """Return the text of `.env.example`."""
    parts = [EXAMPLE_HEAD]
    for section, options in Options.sections():
        parts.append("\n".join([f"# --- {section.title} ".ljust(WIDTH, "-"), *_comment(section.about), ""]))
        for option in options:
            examples = [f"# {option.name}={value}" for value in option.examples or [_plain_default(option)]]
            parts.append("\n".join([*_comment(f"{option.about}{_default_of_example(option)}"), *examples, ""]))
    # The one setting that `make run` fills in.
    return "\n".join(parts).replace("# SECRET_KEY=\n", "SECRET_KEY=\n")


def settings_page() -> str:
    """Return the text of docs/users/settings.md."""
    parts = [PAGE_HEAD]
    for section, options in Options.sections():
        kinds = {option.kind.allowed for option in options}
        same = f" The value of each is {kinds.pop()}." if len(kinds) == 1 and len(options) > 1 else ""
        about = f"{textwrap.fill(f'{section.about}{same}'.strip(), WIDTH)}\n\n" if section.about or same else ""
        # A column is only useful if its cells differ.
        columns = "| setting | default | meaning |\n|---|---|---|" if same else TABLE_HEAD
        rows = [
            f"| `{option.name}` |{'' if same else f' {option.kind.allowed} |'} {_default(option)} | {option.about} |"
            for option in options
        ]
        head = f"## {section.title}\n\n{about}{columns}"
        parts.append("\n".join([head, *rows, ""]))
    return "\n".join(parts)


DOCUMENTS = {PROJECT / ".env.example": env_example, PROJECT / "docs" / "users" / "settings.md": settings_page}
"""The files, and the functions that return their texts."""


def _comment(text: str) -> Iterator[str]:
    plain = LINK.sub(r"\1", text)
    yield from textwrap.wrap(plain, WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _default_of_example(option: Option[Any]) -> str:
    if not option.examples or not option.default:
        return ""
    return f" Default: {_default(option)}."


def _plain_default(option: Option[Any]) -> str:
    return "" if isinstance(option.default, Derived) else option.default


def _default(option: Option[Any]) -> str:
    if isinstance(option.default, Derived):
        return option.default.words
    return f"`{option.default}`" if option.default else ""


if __name__ == "__main__":
    for path, text_of in DOCUMENTS.items():
        path.write_text(text_of(), encoding="utf-8")
