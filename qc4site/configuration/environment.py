"""How settings are declared, and how they are read from the environment and from `.env`.

`qc4site.configuration.options` declares the settings with the classes of this module. Everything that is wrong is
collected, so that an operator reads all of it at once.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload

from common.rates import read_rate

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
D = TypeVar("D", bound="Declared")
Contradiction = tuple[tuple[str, ...], str]
"""The names of settings that do not go together, and a sentence about them."""

SIMILARITY = 0.85
"""How alike a name and the name of a setting must be (`difflib`) before we ask whether the setting was meant."""


class SettingsError(Exception):
    """One or more settings are wrong.

    Attributes:
        sentences: one for each mistake.
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sentences = tuple(sentences)
        super().__init__("\n".join(self.sentences))


# --- Types of settings ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind(Generic[T_co]):
    """A type of setting.

    Attributes:
        allowed: the values that are allowed, as the end of a sentence that begins "It must be".
        parse: turns text into the value, and raises ValueError if the text is not allowed.
        is_secret: True if the text may contain a password. Messages do not repeat it then.
    """

    allowed: str
    parse: Callable[[str], T_co]
    is_secret: bool = False


def flag() -> Kind[bool]:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}

    def parse(text: str) -> bool:
        if text.lower() not in words:
            raise ValueError
        return words[text.lower()]

    return Kind("1 or 0 (true/false, yes/no and on/off also work)", parse)


def number(minimum: float = 0) -> Kind[float]:
    def parse(text: str) -> float:
        value = float(text)
        if not math.isfinite(value) or value < minimum:
            raise ValueError
        return value

    return Kind(f"a number of at least {minimum:g}", parse)


def whole(minimum: int = 0, maximum: int | None = None) -> Kind[int]:
    """A whole number, which may be written as 50000000, 50_000_000 or 5e7."""

    def parse(text: str) -> int:
        value = float(text)
        if not value.is_integer() or value < minimum or (maximum is not None and value > maximum):
            raise ValueError
        return int(value)

    upper = "of at least" if maximum is None else "from"
    return Kind(f"a whole number {upper} {minimum}" + ("" if maximum is None else f" to {maximum}"), parse)


def choice(*words: str) -> Kind[str]:
    """One of a few words, in capitals or not."""
    spelling = {word.casefold(): word for word in words}

    def parse(text: str) -> str:
        if text.casefold() not in spelling:
            raise ValueError
        return spelling[text.casefold()]

    return Kind(f"{', '.join(words[:-1])} or {words[-1]}", parse)


def text(allowed: str = "text", pattern: str = "(?s).*", *, is_secret: bool = False) -> Kind[str]:
    """Text that matches a pattern as a whole."""

    def parse(given: str) -> str:
        if re.fullmatch(pattern, given) is None:
            raise ValueError
        return given

    return Kind(allowed, parse, is_secret)


def several(allowed: str, pattern: str = "(?s).*", *, is_secret: bool = False) -> Kind[tuple[str, ...]]:
    """A list with commas, each item of which matches a pattern as a whole."""

    def parse(given: str) -> tuple[str, ...]:
        items = tuple(item.strip() for item in given.split(",") if item.strip())
        if not all(re.fullmatch(pattern, item) for item in items):
            raise ValueError
        return items

    return Kind(allowed, parse, is_secret)


def rate() -> Kind[str]:
    def parse(given: str) -> str:
        read_rate(given)
        return given

    return Kind("a rate such as 600/min or 10/15min (per s, min, hour or day)", parse)


# --- Declarations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A heading above the settings that follow it in the declaration."""

    title: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """A default that follows from other settings.

    Attributes:
        words: the default in words, for the documentation.
        text: computes the default from the settings, as an operator would write it.
    """

    words: str
    text: Callable[[Any], str]


class Option(Generic[T]):
    """A setting. On an instance of `Declared` the attribute is its value.

    Args:
        kind: its type.
        default: the text that stands for an absent or empty variable.
        about: what it does, in a sentence or a few; Markdown.
        examples: values to show in `.env.example` in place of the default.
    """

    name: str

    def __init__(self, kind: Kind[T], default: str | Derived, about: str, *examples: str) -> None:
        self.kind, self.default, self.about, self.examples = kind, default, about, examples

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: Declared, owner: type) -> T: ...
    def __get__(self, instance: Declared | None, owner: type) -> Self | T:
        if instance is None:
            return self
        default = self.default.text(instance) if isinstance(self.default, Derived) else self.default
        return self.kind.parse(instance.given.get(self.name, default))


class Declared:
    """The base class of a declaration, which has sections and options as its attributes.

    Attributes:
        given: the values that somebody set and that are allowed, as text, by name.
        warnings: sentences about variables of the environment that look like misspelt settings.
    """

    former: Mapping[str, str] = {}
    """Names that were settings once, each with a sentence that says what to do."""
    prefixes: tuple[str, ...] = ()
    """Beginnings of names that no other program is likely to use."""

    def __init__(self, given: Mapping[str, str], warnings: Iterable[str] = ()) -> None:
        self.given, self.warnings = dict(given), tuple(warnings)

    @classmethod
    def sections(cls) -> list[tuple[Section, list[Option[Any]]]]:
        """Return the sections in their order, each with its options."""
        found: list[tuple[Section, list[Option[Any]]]] = []
        for item in vars(cls).values():
            if isinstance(item, Section):
                found.append((item, []))
            elif isinstance(item, Option):
                found[-1][1].append(item)
        return found

    @classmethod
    def options(cls) -> dict[str, Option[Any]]:
        """Return the options by name, in their order."""
        return {option.name: option for _, options in cls.sections() for option in options}

    def is_given(self, name: str) -> bool:
        """Return True if somebody set this option."""
        return name in self.given

    def contradictions(self) -> Iterator[Contradiction]:
        """Yield the settings that are allowed each, and wrong together."""
        yield from ()


# --- Reading ----------------------------------------------------------------------------------------------------------


def read(declared: type[D], environ: MutableMapping[str, str], file: Path) -> D:
    """Read every setting. A variable of the environment wins over the file, and an empty one counts as absent.

    What the file sets is added to ``environ``, so that processes started from this one have it, too.

    Raises:
        SettingsError: a value is not allowed, settings contradict each other, or a line of the file is not a setting.
    """
    options = declared.options()
    mistakes: list[str] = []
    places = _read_file(declared, environ, file, mistakes)
    mistakes += [sentence for name, sentence in declared.former.items() if environ.get(name, "").strip()]
    given: dict[str, str] = {}
    wrong: set[str] = set()
    for name, option in options.items():
        value = environ.get(name, "").strip()
        if not value:
            continue
        try:
            option.kind.parse(value)
        except ValueError:
            found = name if option.kind.is_secret else f"{name} is {value!r}, but"
            mistakes.append(f"{places.get(name, '')}{found} must be {option.kind.allowed}.")
            wrong.add(name)
        else:
            given[name] = value
    settings = declared(given, _lookalikes(declared, environ))
    mistakes += [sentence for names, sentence in settings.contradictions() if wrong.isdisjoint(names)]
    if mistakes:
        raise SettingsError(mistakes)
    return settings


def _read_file(
    declared: type[Declared], environ: MutableMapping[str, str], file: Path, mistakes: list[str]
) -> dict[str, str]:
    """Add the file's settings to the environment and its mistakes to the list; return where each setting was read."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        lines = []
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        mistakes.append(f"{file} cannot be read: {reason}.")
        lines = []
    options, seen, places = declared.options(), dict[str, int](), dict[str, str]()
    for number_of_line, line in enumerate(map(str.strip, lines), start=1):
        if not line or line.startswith("#"):
            continue
        place = f"{file.name}, line {number_of_line}: "
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not name.isidentifier():
            # The line may hold a password, and is not repeated.
            mistakes.append(f"{place}a line must be NAME=value, a comment or empty.")
            continue
        if name in seen:
            mistakes.append(f"{place}{name} is already set in line {seen[name]}. Delete one of the two lines.")
        elif name in declared.former:
            mistakes.append(place + declared.former[name])
        elif name not in options:
            hint = _did_you_mean(name, options) or "Variables for other programs belong in the environment."
            mistakes.append(f"{place}{name} is not a setting. {hint}")
        elif name not in environ:
            environ[name] = value.strip("\"'")
            places[name] = place
        seen.setdefault(name, number_of_line)
    return places


def _lookalikes(declared: type[Declared], environ: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable that is no setting and looks like one."""
    options = declared.options()
    return [
        f"The environment variable {name} is not a setting and has no effect. {_did_you_mean(name, options)}".strip()
        for name in sorted(environ)
        if name not in options and name not in declared.former
        if name.startswith(declared.prefixes) or _did_you_mean(name, options)
    ]


def _did_you_mean(name: str, options: Iterable[str]) -> str:
    """Return a question about the setting with the most similar name; empty if none is similar."""
    meant = difflib.get_close_matches(name.upper(), list(options), 1, SIMILARITY)
    return f"Did you mean {meant[0]}?" if meant else ""
