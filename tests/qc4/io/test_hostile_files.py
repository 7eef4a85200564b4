"""For any input, a reader returns a document or raises `InputError`, and no other exception."""

from __future__ import annotations

import contextlib
import copy
import json

from hypothesis import example, given
from hypothesis import strategies as st

from qc4.io import read_clustering, read_collection, read_gold, read_submissions
from qc4.problems import InputError
from tests.qc4.io.format_examples import clustering, gold, zipped

# The machine may be busy: only the outcome counts, not the time to draw or read an example.
PAGES = {"jaguar": ("1", "2", "3", "4", "5", "6")}
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["1", "cars"])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "name", "pages", "parent", "level", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
CARROT2_3 = {
    "query": "jaguar",
    "documents": [{"id": 1, "title": "a"}, {"id": 2, "snippet": "b"}],
    "clusters": [
        {"id": 0, "phrases": ["x"], "documents": [1, 2], "clusters": [], "attributes": {"other-topics": False}}
    ],
}
CARROT2_4 = {"clusters": [{"labels": ["x"], "documents": [0, 1], "clusters": [{"labels": ["y"], "documents": [2]}]}]}
SUBMISSION = {"format": "qc4-submission/1", "algorithm": "A", "parameters": {}, "clusterings": [clustering()]}


def paths(value, path=()):
    """Yield every path in a JSON value."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from paths(child, (*path, key))


@st.composite
def damaged(draw, example):
    """Draw the example with up to three of its fields replaced or removed."""
    value = copy.deepcopy(example)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([path for path in paths(value) if path]))
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        if draw(st.booleans()):
            holder[path[-1]] = draw(values)
        else:
            del holder[path[-1]]
        if not value:
            break
    return value


def reads_or_raises_input_error(*readers):
    for read in readers:
        with contextlib.suppress(InputError):
            read()


@given(damaged(gold()), st.sampled_from(["strict", "complete"]))
def test_any_damage_to_a_gold_file_is_an_input_error(value, completion):
    reads_or_raises_input_error(lambda: read_gold(value, completion), lambda: read_collection(value))


@given(damaged(clustering()))
def test_any_damage_to_a_clustering_is_an_input_error(value):
    reads_or_raises_input_error(lambda: read_clustering(value), lambda: read_submissions(value, PAGES))


@given(st.sampled_from([SUBMISSION, CARROT2_3, CARROT2_4]).flatmap(damaged))
def test_any_damage_to_other_json_is_an_input_error(value):
    text = json.dumps(value).encode("utf-8", "surrogatepass")
    reads_or_raises_input_error(
        lambda: read_submissions(value, PAGES),
        lambda: read_collection(value),
        lambda: read_submissions(text, PAGES, query="jaguar"),
    )


@example(b"1\x1c\n2\n")
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_rejected(data):
    reads_or_raises_input_error(
        lambda: read_gold(data),
        lambda: read_clustering(data),
        lambda: read_collection(data),
        lambda: read_submissions(data),
    )


pieces = st.sampled_from(
    [
        "subTopicID\tresultID",
        "page,label",
        "id;rank",
        "query\tid",
        "\n",
        "\r\n",
        '"',
        ",",
        "\t",
        ";",
        "1.1",
        "-1",
        "0",
        "x",
        "é",
        "\u2028",
    ]
)


@given(st.lists(pieces, max_size=20).map("".join))
def test_any_table_is_read_or_rejected(text):
    data = text.encode()
    reads_or_raises_input_error(lambda: read_collection(data), lambda: read_submissions(data, PAGES, query="jaguar"))


tags = st.sampled_from(
    [
        "<searchresult>",
        "</searchresult>",
        "<document id='a'>",
        "<document refid='a'/>",
        "</document>",
        "<group>",
        "</group>",
        "<query>q</query>",
    ]
)


@given(st.lists(tags, max_size=10).map(lambda parts: "<searchresult>" + "".join(parts) + "</searchresult>"))
def test_any_xml_is_read_or_rejected(text):
    data = text.encode()
    reads_or_raises_input_error(lambda: read_collection(data), lambda: read_submissions(data, PAGES))


@given(st.integers(0, 2**16), st.binary(min_size=1, max_size=4))
def test_any_damage_to_a_zip_is_an_input_error(position, damage):
    data = bytearray(zipped({"a.json": json.dumps(clustering()).encode(), "b/c.json": b"{}"}))
    position %= len(data)
    data[position : position + len(damage)] = damage
    reads_or_raises_input_error(lambda: read_submissions(bytes(data), PAGES), lambda: read_collection(bytes(data)))
