"""Values are checked together, and individually only if something is wrong: both paths give the same result."""

import json
import math
from collections.abc import Iterator
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from qc4.io import (
    Limits,
    read_clustering,
    read_collection,
    read_gold_document,
    read_submission,
    strict_json,
)
from qc4.io import (
    csv_files as tables,
)
from qc4.io.json_fields import Record
from qc4.io.limits import Budget
from qc4.io.strict_json import parse_json_text
from qc4.problems import InputError

LIMITS = Limits(json_depth=4, id_chars=3)
SCALARS = ['"a"', '"b:"', '"\\u003a"', '"\\u0000"', '"\\ud800"', '"é"', "1", "true", "null", "NaN", "1.5", "1e999"]
SCALARS += [str(10**20), "1" * 101]


def texts_of_json() -> st.SearchStrategy[str]:
    """Generate JSON texts in which keys may repeat and which may contain any rejected value."""
    keys = st.sampled_from(['"a"', '"b:c"', '"\\u0000"', '"\\u003A"'])
    return st.recursive(
        st.sampled_from(SCALARS),
        lambda inner: (
            st.lists(inner, max_size=4).map(lambda items: f"[{','.join(items)}]")
            | st.lists(st.tuples(keys, inner), max_size=3).map(
                lambda pairs: "{" + ",".join(f"{key}:{value}" for key, value in pairs) + "}"
            )
        ),
        max_leaves=12,
    )


def outcome(read, *arguments, **named) -> object:
    """Return the value that is read, or the problems."""
    try:
        return read(*arguments, **named)
    except InputError as error:
        return error.problems


def read_individually(read, *arguments, **named) -> object:
    """Return the outcome if every value is checked individually."""
    with (
        patch.object(Record, "columns", lambda *_: None),
        patch.object(tables, "all_differ", lambda _: False),
    ):
        return outcome(read, *arguments, **named)


class Fields(list[tuple[str, object]]):
    """The fields of an object as they are written, including repeated keys."""


def faults(value: object, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield codes and places of the values to be rejected, found one by one."""
    if isinstance(value, list) and not depth:
        yield "limit-json-depth", path
    elif isinstance(value, Fields):
        keys = [key for key, _ in value]
        yield from [("duplicate-key", path) for key in dict.fromkeys(keys) if keys.count(key) > 1]
        yield from [("bad-character", path) for key in dict.fromkeys(keys) if "\0" in key]
        for key, inner in dict(value).items():
            yield from faults(inner, f"{path}.{key}" if path else key, depth - 1)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from faults(inner, f"{path}[{number}]", depth - 1)
    elif isinstance(value, str) and ("\0" in value or "\ud800" in value):
        yield "bad-character", path
    elif isinstance(value, float) and not math.isfinite(value):
        yield "not-finite", path
    elif isinstance(value, int) and value >= 10**100:
        yield "huge-integer", path


def check_json(text: str) -> None:
    """Check that every such value is reported in text order, or else the text is read as `json` reads it."""
    expected = list(faults(json.loads(text, object_pairs_hook=Fields), "", LIMITS.json_depth))
    found = outcome(parse_json_text, text, "x", Budget(LIMITS))
    if expected:
        assert [(one.code, one.where.removeprefix("x").removeprefix(": ")) for one in found] == expected
    else:
        assert repr(found) == repr(json.loads(text))


@given(texts_of_json())
@example('{"a":1,"a":1,"b":"\\u003a"}')
@example('{"a":1,"a":"b:"}')
@example('["a",1e999]')
@example('["a",["\\u0000"]]')
def test_every_value_that_cannot_be_stored_is_reported(text):
    check_json(text)


@given(texts_of_json())
def test_objects_with_the_same_fields_are_checked_alike(text):
    with patch.object(strict_json, "_MANY_ITEMS", 1), patch.object(strict_json, "_MANY_OBJECTS", 1):
        check_json(text)


def test_valid_json_is_parsed_once():
    text = json.dumps({"pages": [{"id": "a: b", "url": "http://x", "rank": 1, "score": 0.5, "seen": None}] * 2})
    expected = json.loads(text)
    with patch.object(strict_json.json, "loads", wraps=json.loads) as parsed:
        assert parse_json_text(text, "x", Budget(LIMITS)) == expected
    assert parsed.call_count == 1


values = st.sampled_from(["a", "b", "abcd", " ", "", None, 0, 1, 2**31, True, 1.5, ["a"], ["a", 1], {}])


def objects(*fields: str) -> st.SearchStrategy[list[object]]:
    """Generate objects, some of which are valid, with unknown fields."""
    faulty = st.fixed_dictionaries({}, optional=dict.fromkeys([*fields, "other"], values))
    return st.lists(faulty | values, max_size=3) | st.lists(faulty, max_size=3)


@given(objects("id", "rank", "title", "text"))
@example([{"id": "a"}, {"id": "abcd"}, {"id": "b"}])
@example([{"id": "a"}, {"id": " "}, {"id": "b"}])
@example([{"id": "a", "rank": 1}, {"id": "b", "rank": 2**31}, {"id": "c", "rank": 1}])
@example([{"id": "a", "rank": 1}, {"id": "b", "rank": 0}, {"id": "c", "rank": 1}])
def test_page_lists_give_the_same_result_on_both_paths(pages):
    value = {"format": "qc4-gold/1", "query": {"id": "q"}, "pages": pages}
    assert outcome(read_gold_document, value, limits=LIMITS) == read_individually(
        read_gold_document, value, limits=LIMITS
    )


@given(objects("id", "label", "parent", "pages"))
@example([{"id": "a", "pages": ["x"]}, {"id": "b", "pages": ["x", 1]}, {"id": "c", "pages": []}])
def test_clusters_give_the_same_result_on_both_paths(clusters):
    value = {"format": "qc4-clustering/1", "query": "q", "clusters": clusters}
    assert outcome(read_clustering, value, limits=LIMITS) == read_individually(read_clustering, value, limits=LIMITS)


@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", "", " a", "1", "0", "x"])] * 3), min_size=1, max_size=6))
def test_table_page_lists_give_the_same_result_on_both_paths(rows):
    data = "\n".join(["id,rank,more", *map(",".join, rows)]).encode()
    assert outcome(read_collection, data, name="q.csv") == read_individually(read_collection, data, name="q.csv")


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["x", "y", "", "-1"])), min_size=1, max_size=8))
def test_every_repeated_page_of_a_label_is_reported(rows):
    data = "\n".join(["page,label", *map(",".join, rows)]).encode()
    again = [number + 2 for number, row in enumerate(rows) if row in rows[:number] and row[1] not in ("", "-1")]
    found = outcome(read_submission, data, name="q.csv", query="q")
    if again:
        assert [problem.where for problem in found if problem.code == "page-twice"] == [
            f"q.csv: line {line}" for line in again
        ]
    elif isinstance(found, tuple):
        assert "page-twice" not in {problem.code for problem in found}
